r"""What is gained by treating a workload as overlapping queries, not as a sequence.

Purpose: four ratios that are easily taken for one another, each under a name of its own.

Rules of this file: a gain is an enclosure of 1 minus a quotient, so that 0 is nothing gained; None
where it has no meaning for the notions of privacy at hand.

Theory of operation: with the costliest row's queries Q' out of all queries Q,

- *in ε*: 1 - ε(Q')/ε(Q), at the same noise;
- *in noise*: 1 - 1/s, where all noise of Q must be s times as large for Q in sequence to cost what
  Q' costs. Noise s times as large turns ε into ε/s, μ into μ/s and ρ into ρ/s²; of queries by their
  noise it has s times the scale, or s² times the variance, at the same rate. What these cost falls
  as s grows, but for discrete Gaussian noise, which is not ordered by its variance: there s is one
  of which this holds, and others may be;
- *in expected error* (Equation 5): 1 - Σ_{Q'} E|Y| / Σ_Q E|Y|. For sensitivity 1, E|Y| is 1/ε for
  Laplace noise, 1/sinh ε for discrete Laplace noise, √(2/π)/μ for Gaussian noise, √(1/(πρ)) for
  Gaussian noise of variance 1/(2ρ), and 2 Σ k·q^(k²)/(1 + 2 Σ q^(k²)) over k ≥ 1, q = e^-ρ, for
  discrete Gaussian noise of that parameter, which is as private (Canonne, Kamath, Steinke 2020).
  Of queries by their noise it is the error of that noise, whatever their sensitivity;
- *in overlap* (Equation 6): 1 - γ/t. It is the gain in expected error if all parameters are equal,
  and the gain in noise for Laplace noise of equal parameters at δ = 0. It is neither elsewhere.

Source: Smith et al., PoPETs 2022, section 3.3, Equations 5 and 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, TypeVar

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import (
    ball,
    ball_of_rational,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.budgets.budget import largest_scale
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Mechanism,
    Parametric,
)
from exactdp.mechanisms.discrete_gaussian import LEAST_RHO_OF_ERROR, error_at
from exactdp.mechanisms.multiset import merged
from exactdp.timing.clock import Clock, TimeIsUpError
from exactdp.timing.deadlines import OutOfTimeError, stop_after
from exactdp.workloads.composing import ParallelComposition
from exactdp.workloads.noise_scale import SequenceScale

Gain = tuple[mpq, mpq]
"""A lower and an upper end."""

Noise = Literal["continuous", "discrete"]
"""Laplace noise for queries given by ε, Gaussian for those by μ or ρ; or these on the integers."""

MOST_SCALED: Final = 2000
"""Of more different parameters it is not asked how much larger noise had to be."""
_BITS: Final = 128
_TOLERANCE: Final = "1e-4"

_E = TypeVar("_E", bound=Entry)


def overlap_gain(answer: ParallelComposition) -> Gain | None:
    """1 - γ/t (Equation 6); None where one row replaces another, for γ is about one row."""
    if answer.entering is not None:
        return None
    low, high = answer.overlap.gain
    return mpq(low), mpq(high)


def expected_error_gain(answer: ParallelComposition, noise: Noise = "continuous") -> Gain | None:
    """1 - Σ_{Q'} E|Y| / Σ_Q E|Y| (Equation 5) for the row that was found to cost most.

    Args:
        answer: of a workload.
        noise: what answers the queries given by ε, ρ or μ, at sensitivity 1.

    Returns: an enclosure of the gain; None if a query has no finite expected error, or is to be
        answered with discrete noise and given by a μ, which no discrete noise has exactly, or by a
        ρ below 10^-8, whose sums are too long. Where queries are given by their noise, None unless
        all of them have Laplace, discrete Laplace or discrete Gaussian noise on one number, without
        a rate, and none a variance above 5·10^7.
    """
    return _error_gain(answer, noise, Clock())


def _error_gain(answer: ParallelComposition, noise: Noise, clock: Clock) -> Gain | None:
    """The gain in expected error.

    Raises:
        TimeIsUpError: the clock says so before it is known.
    """
    workload = answer.overlap.workload
    if workload.given_by == "noise":
        return _error_gain_of_noise(answer, clock)
    entries = [query.parameters for query in workload]
    if not entries or any(map(_is_silent, entries)):
        return None
    if noise == "discrete" and any(map(_has_no_discrete_noise, entries)):
        return None
    whole = merged(entries)
    met = merged(entries[i] for i in answer.met)
    if noise == "continuous" and all(map(_has_rational_error, whole)):
        exact = 1 - _rational_error(met) / _rational_error(whole)
        return exact, exact
    with precision(_BITS):
        error = partial(_error, noise=noise)
        return _enclosed(1 - _sum(met, error, clock) / _sum(whole, error, clock))


@dataclass(frozen=True, slots=True)
class Gains:
    """The four ratios; None where one has no meaning, or was not found within the limits.

    Attributes:
        epsilon: the gain in ε, at the same noise.
        noise: see :func:`noise_gain`.
        expected_error: see :func:`expected_error_gain`.
        overlap: see :func:`overlap_gain`.
        out_of_time: the names of those that are not known, or not as nearly as they would be with
            more time.
    """

    epsilon: Gain
    noise: Gain | None
    expected_error: Gain | None
    overlap: Gain | None
    out_of_time: tuple[str, ...]


def gains_within(
    answer: ParallelComposition, clock: Clock, *, max_cost: int = DEFAULT_MAX_COST
) -> Gains:
    """All gains that there is time for.

    Args:
        answer: of a workload.
        clock: when to stop.
        max_cost: refuse compositions predicted to cost more.
    """
    error, late = None, ["epsilon"] * answer.sequence_cut_short
    try:
        error = _error_gain(answer, "continuous", clock)
    except TimeIsUpError:
        late.append("expected_error")
    noise, is_cut_short = _noise_gain(answer, clock, max_cost)
    late += ["noise"] * is_cut_short
    return Gains(answer.gain, noise, error, overlap_gain(answer), tuple(late))


def noise_gain(answer: ParallelComposition, *, max_cost: int = DEFAULT_MAX_COST) -> Gain | None:
    """1 - 1/s, where noise s times as large makes the sequence cost what the overlap costs.

    Args:
        answer: of a workload.
        max_cost: refuse compositions predicted to cost more.

    Returns: an enclosure of the gain; None where queries are of several notions, where no finite ε
        is enough, where there are more than 2000 different parameters, or where no scale was found
        within the limit of cost. If some are given by their noise, None unless all have Laplace,
        discrete Laplace, discrete Gaussian or (by μ) Gaussian noise, sampled or not.
    """
    return _noise_gain(answer, Clock(), max_cost)[0]


def _noise_gain(
    answer: ParallelComposition, clock: Clock, max_cost: int
) -> tuple[Gain | None, bool]:
    """The gain in noise, and whether there would be more to tell with more time."""
    workload = answer.overlap.workload
    if workload.given_by == "noise":
        return _noise_gain_of_noise(answer, clock, max_cost)
    entries = merged(query.parameters for query in workload)
    if len(entries) > MOST_SCALED or len({type(entry) for entry in entries}) != 1:
        return None, False
    if isinstance(entries[0], Mechanism):
        return _gain_of_scale(Ledger(entries), answer, clock, max_cost)
    met = merged(workload.queries[i].parameters for i in answer.met)
    classes = answer.guaranteed.parametric()
    with precision(_BITS):
        whole = _sum(entries, _square_of_scale)
        least = _enclosed(1 - (_sum(classes, _square_of_scale) / whole).sqrt())
        most = _enclosed(1 - (_sum(met, _square_of_scale) / whole).sqrt())
    return (least[0], most[1]), False


def _noise_gain_of_noise(
    answer: ParallelComposition, clock: Clock, max_cost: int
) -> tuple[Gain | None, bool]:
    """The same where some query is given by its noise, and all have noise of a size."""
    workload = answer.overlap.workload
    entries = merged(query.mechanism for query in workload)
    if not all(each.has_noise for each in entries):
        return None, False
    least, most = answer.optimum
    if least is None or most is None or answer.sequence_cut_short:
        return None, answer.sequence_cut_short
    sequence = SequenceScale(
        Ledger(entries, neighbouring=workload.neighbouring, empty=True),
        answer.sequential,
        max_cost=max_cost,
        clock=clock,
    )
    ends = sequence.ends(least, most)
    return (None if ends is None else (1 - ends[1], 1 - ends[0])), sequence.out_of_time


def _error_gain_of_noise(answer: ParallelComposition, clock: Clock) -> Gain | None:
    """Equation 5 where every query is given by its noise.

    Raises:
        TimeIsUpError: the clock says so before it is known.
    """
    queries = answer.overlap.workload.queries
    entries = [query.mechanism for query in queries]
    whole, met = merged(entries), merged(entries[i] for i in answer.met)
    with precision(_BITS):
        errors = _errors_of_noise(whole, clock)
        if errors is None:
            return None
        return _gain_of_errors(
            [(errors[each.without_label()], each.count) for each in met],
            [(errors[each.without_label()], each.count) for each in whole],
        )


_Error = mpq | arb


def _errors_of_noise(entries: Iterable[Entry], clock: Clock) -> dict[Entry, _Error] | None:
    """E|Y| of each; None if one of them is not known.

    Raises:
        TimeIsUpError: the clock says so before all are known.
    """
    errors: dict[Entry, _Error] = {}
    for entry in entries:
        error = entry.expected_error()
        if error is None:
            return None
        if isinstance(error, arb):  # of sums
            clock.ask()
        errors[entry.without_label()] = error
    return errors


def _gain_of_errors(met: Sequence[tuple[_Error, int]], whole: Sequence[tuple[_Error, int]]) -> Gain:
    """1 minus one sum over the other, exactly where all errors are rational."""
    if all(isinstance(error, mpq) for error, _ in whole):
        own, most = (sum((e * n for e, n in s if isinstance(e, mpq)), mpq(0)) for s in (met, whole))
        exact = 1 - own / most
        return exact, exact
    balls = (sum((n * _ball_of(e) for e, n in s), arb(0)) for s in (met, whole))
    return _enclosed(1 - next(balls) / next(balls))


def _ball_of(error: _Error) -> arb:
    return error if isinstance(error, arb) else ball_of_rational(error)


def _gain_of_scale(
    ledger: Ledger, answer: ParallelComposition, clock: Clock, max_cost: int
) -> tuple[Gain | None, bool]:
    """From the largest scales of all ε at which the sequence costs no more than the overlap."""
    ends = []
    for epsilon in answer.optimum:
        if epsilon is None:
            return None, False
        if answer.sequence_cut_short or clock.is_over:
            return None, True
        try:
            with stop_after(clock.left):
                found = largest_scale(
                    ledger,
                    epsilon=epsilon,
                    delta=answer.delta,
                    tolerance=_TOLERANCE,
                    max_cost=max_cost,
                )
        except OutOfTimeError:
            return None, True
        except CostLimitError:
            return None, False
        if found.lower is None or found.upper is None:
            return None, False
        ends.append((found.lower, found.upper if found.exact is None else found.exact))
    least, most = min(mpq(1), ends[1][1]), ends[0][0]
    return (max(mpq(0), 1 - least), max(mpq(0), 1 - most)), False


def _is_silent(entry: Parametric) -> bool:
    """Whether an entry's parameter is 0, so that its noise is infinite."""
    if isinstance(entry, Mechanism):
        return entry.epsilon == ExactNumber(mpq(0))
    return (entry.mu_squared if isinstance(entry, GaussianMechanism) else entry.rho) == 0


def _has_rational_error(entry: Parametric) -> bool:
    return isinstance(entry, Mechanism) and not entry.epsilon.logs


def _rational_error(entries: Iterable[Parametric]) -> mpq:
    pairs = [entry for entry in entries if isinstance(entry, Mechanism)]
    return sum((entry.count / entry.epsilon.rational for entry in pairs), mpq(0))


def _error(entry: Parametric, noise: Noise) -> arb:
    """E|Y| of one mechanism of sensitivity 1."""
    if isinstance(entry, GaussianMechanism):
        return (2 / (arb.pi() * ball_of_rational(entry.mu_squared))).sqrt()
    if isinstance(entry, ConcentratedMechanism):
        if noise == "discrete":
            return error_at(entry.rho)
        return (1 / (arb.pi() * ball_of_rational(entry.rho))).sqrt()
    epsilon = ball(entry.epsilon)
    return 1 / (epsilon if noise == "continuous" else epsilon.sinh())


def _has_no_discrete_noise(entry: Parametric) -> bool:
    if isinstance(entry, ConcentratedMechanism):
        return entry.rho < LEAST_RHO_OF_ERROR
    return isinstance(entry, GaussianMechanism)


def _square_of_scale(entry: Parametric) -> arb:
    """What adds up, and falls by s² when noise grows by s: μ² or ρ."""
    if isinstance(entry, GaussianMechanism):
        return ball_of_rational(entry.mu_squared)
    return ball_of_rational(entry.rho) if isinstance(entry, ConcentratedMechanism) else arb(0)


def _sum(entries: Iterable[_E], term: Callable[[_E], arb], clock: Clock | None = None) -> arb:
    """The sum of a term over all entries.

    Raises:
        TimeIsUpError: the clock says so.
    """
    total = arb(0)
    for entry in entries:
        if clock is not None:
            clock.ask()
        total += entry.count * term(entry)
    return total


def _enclosed(value: arb) -> Gain:
    low, high = max(mpq(0), lower_end(value)), min(mpq(1), upper_end(value))
    return low, max(low, high)

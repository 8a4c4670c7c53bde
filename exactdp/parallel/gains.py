r"""What is gained by treating a workload as overlapping queries, not as a sequence.

Purpose: four ratios that are easily taken for one another, each under a name of its own.

Rules of this file: a gain is an enclosure of 1 minus a quotient, so that 0 is nothing gained; None
where it has no meaning for the notions of privacy at hand.

Theory of operation: with the costliest row's queries Q' out of all queries Q,

- *in ε*: 1 - ε(Q')/ε(Q), at the same noise;
- *in noise*: 1 - 1/s, where all noise of Q must be s times as large for Q in sequence to cost what
  Q' costs. Noise s times as large turns ε into ε/s, μ into μ/s and ρ into ρ/s²;
- *in expected error* (Equation 5): 1 - Σ_{Q'} E|Y| / Σ_Q E|Y|. For sensitivity 1, E|Y| is 1/ε for
  Laplace noise, 1/sinh ε for discrete Laplace noise, √(2/π)/μ for Gaussian noise, √(1/(πρ)) for
  Gaussian noise of variance 1/(2ρ), and 2 Σ k·q^(k²)/(1 + 2 Σ q^(k²)) over k ≥ 1, q = e^-ρ, for
  discrete Gaussian noise of that parameter, which is as private (Canonne, Kamath, Steinke 2020);
- *in overlap* (Equation 6): 1 - γ/t. It is the gain in expected error if all parameters are equal,
  and the gain in noise for Laplace noise of equal parameters at δ = 0. It is neither elsewhere.

Source: Smith et al., PoPETs 2022, section 3.3, Equations 5 and 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from math import isqrt
from typing import Final, Literal

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
from exactdp.budget.budget import largest_scale
from exactdp.errors import CostLimitError
from exactdp.ledger.model import (
    ConcentratedMechanism,
    GaussianMechanism,
    Ledger,
    Mechanism,
    Parametric,
)
from exactdp.parallel.composing import ParallelComposition
from exactdp.parallel.parameters import merged

Gain = tuple[mpq, mpq]
"""A lower and an upper end."""

Noise = Literal["continuous", "discrete"]
"""Laplace noise for queries given by ε, Gaussian for those by μ or ρ; or these on the integers."""

_BITS: Final = 128
_TOLERANCE: Final = "1e-4"
_LEAST_RHO: Final = mpq(1, 10**8)


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
        noise: what answers the queries, at sensitivity 1.

    Returns: an enclosure of the gain; None if a query has no finite expected error, or is to be
        answered with discrete noise and given by a μ, which no discrete noise has exactly, or by a
        ρ below 10^-8, whose sums are too long.
    """
    workload = answer.overlap.workload
    entries = [query.mechanism for query in workload]
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
        return _enclosed(1 - _sum(met, error) / _sum(whole, error))


def noise_gain(answer: ParallelComposition) -> Gain | None:
    """1 - 1/s, where noise s times as large makes the sequence cost what the overlap costs.

    Returns: an enclosure of the gain; None where queries are of several notions, where no finite ε
    is enough, or where the scale was not found within the limit of cost.
    """
    entries = merged(query.mechanism for query in answer.overlap.workload)
    if {type(entry) for entry in entries} == {Mechanism}:
        return _gain_of_scale(Ledger(entries), answer)
    workload = answer.overlap.workload
    met = merged(workload.queries[i].mechanism for i in answer.met)
    classes = answer.guaranteed.parametric()
    if len({type(entry) for entry in entries}) != 1:
        return None
    with precision(_BITS):
        whole = _sum(entries, _square_of_scale)
        least = _enclosed(1 - (_sum(classes, _square_of_scale) / whole).sqrt())
        most = _enclosed(1 - (_sum(met, _square_of_scale) / whole).sqrt())
    return least[0], most[1]


def _gain_of_scale(ledger: Ledger, answer: ParallelComposition) -> Gain | None:
    """From the largest scales of all ε at which the sequence costs no more than the overlap."""
    ends = []
    for epsilon in answer.optimum:
        if epsilon is None:
            return None
        try:
            found = largest_scale(ledger, epsilon=epsilon, delta=answer.delta, tolerance=_TOLERANCE)
        except CostLimitError:
            return None
        if found.lower is None or found.upper is None:
            return None
        ends.append(found)
    low, high = ends
    if low.lower is None or high.upper is None:
        return None
    top = high.upper if high.exact is None else high.exact
    return max(mpq(0), 1 - min(mpq(1), top)), max(mpq(0), 1 - low.lower)


def _is_silent(entry: Parametric) -> bool:
    """Whether an entry's parameter is 0, so that its noise is infinite."""
    if isinstance(entry, Mechanism):
        return entry.epsilon == ExactNumber(mpq(0))
    return (entry.mu if isinstance(entry, GaussianMechanism) else entry.rho) == 0


def _has_rational_error(entry: Parametric) -> bool:
    return isinstance(entry, Mechanism) and not entry.epsilon.logs


def _rational_error(entries: Iterable[Parametric]) -> mpq:
    pairs = [entry for entry in entries if isinstance(entry, Mechanism)]
    return sum((entry.count / entry.epsilon.rational for entry in pairs), mpq(0))


def _error(entry: Parametric, noise: Noise) -> arb:
    """E|Y| of one mechanism of sensitivity 1."""
    if isinstance(entry, GaussianMechanism):
        return (2 / arb.pi()).sqrt() / ball_of_rational(entry.mu)
    if isinstance(entry, ConcentratedMechanism):
        if noise == "discrete":
            return _discrete_gaussian_error(entry.rho)
        return (1 / (arb.pi() * ball_of_rational(entry.rho))).sqrt()
    epsilon = ball(entry.epsilon)
    return 1 / (epsilon if noise == "continuous" else epsilon.sinh())


def _has_no_discrete_noise(entry: Parametric) -> bool:
    if isinstance(entry, ConcentratedMechanism):
        return entry.rho < _LEAST_RHO
    return isinstance(entry, GaussianMechanism)


def _discrete_gaussian_error(rho: mpq) -> arb:
    """E|Y| for P(k) in proportion to e^(-ρk²).

    Terms fall from the last one on: k·e^(-ρk²) does where 2ρk² ≥ 1. What is left of the two sums is
    at most the integrals from there, e^(-ρn²)/(2ρ), and a part of that.
    """
    decay = ball_of_rational(rho)
    last = isqrt(int(_BITS / rho)) + 1
    weights, moments = arb(0), arb(0)
    for k in range(1, last + 1):
        weight = (-decay * k * k).exp()
        weights, moments = weights + weight, moments + k * weight
    rest = (-decay * last * last).exp() / (2 * decay)
    left = rest.union(arb(0))
    return 2 * (moments + left) / (1 + 2 * (weights + left / last))


def _square_of_scale(entry: Parametric) -> arb:
    """What adds up, and falls by s² when noise grows by s: μ² or ρ."""
    if isinstance(entry, GaussianMechanism):
        return ball_of_rational(entry.mu * entry.mu)
    return ball_of_rational(entry.rho) if isinstance(entry, ConcentratedMechanism) else arb(0)


def _sum(entries: Iterable[Parametric], term: Callable[[Parametric], arb]) -> arb:
    return sum((entry.count * term(entry) for entry in entries), arb(0))


def _enclosed(value: arb) -> Gain:
    low, high = max(mpq(0), lower_end(value)), min(mpq(1), upper_end(value))
    return low, max(low, high)

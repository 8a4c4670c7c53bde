r"""``exactdp.attack``: whether the outcome of an attack rejects a claim, at a level.

Rules of this file: a claim is rejected only if what is enclosed says so, whatever the rounding.
What is said is about the test: it rejects what is true in at most a share ``level`` of experiments
of this design. Nothing is said of an ε that holds "with confidence".

Theory of operation: many runs give a rate p of true positives that is exceeded by the true one but
with chance level/2, and a rate q of false positives likewise, from above (Clopper & Pearson). If no
attack within the claim has the power p at the level q, one of two events of chance level/2 has
happened, or the claim is false. One run gives a bound on the chance of as many right guesses
(certs/SPEC.md, 11.27). Tests that were chosen in hindsight share the level.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from os import PathLike, fspath
from typing import Final

from gmpy2 import mpq, mpz

from exactdp.arithmetic.decimal_text import (
    ceil_to,
    floor_to,
    round_above,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.enclosures import ball, ball_of_rational, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber, Number, as_rational
from exactdp.attacks.experiment import ManyRuns, OneRun, experiment_of_json, read_experiment
from exactdp.attacks.proofs import delta_implying
from exactdp.attacks.risk import risk
from exactdp.attacks.tails import (
    BITS,
    chance_of_right_guesses,
    greatest_rate,
    least_rate,
    unit_of_rates,
)
from exactdp.composition.answers.arguments import LedgerLike, ledger_of, nonnegative, probability
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import DomainError, InputError
from exactdp.ledger.model import Ledger
from exactdp.readable import Readable

LEVEL: Final = "0.05"
_PLACES: Final = 10
_STEPS: Final = 16
_LEAST_EXPONENT: Final = 30
_LEVEL_DIGITS: Final = 4
_DIGITS: Final = 20
_GREATEST_EPSILON: Final = 10**4
_RIGHT_ALWAYS: Final = 150


@dataclass(frozen=True, slots=True)
class Attack(Readable):
    """What the outcome of an attack rejects.

    Attributes:
        experiment: counts and design.
        level: how often the test rejects what is true, at most.
        epsilon: the claimed ε; None where a ledger, or no claim, is asked about.
        delta: the claimed δ, or that at which ε are rejected; None where a ledger alone is asked
            about.
        ledger: whose own profile is asked about; None for a claim.
        rejected: whether it is rejected; None if no claim was made.
        rates: p and q of many runs.
        power: the greatest rate of true positives at q that the claim allows, from above.
        p_value: a level at which this test rejects the claim, the least that is known, rounded up;
            1 if there is none.
        rejected_up_to: the greatest ε that is known to be rejected at δ; None if 0 is not, or if
            a ledger is asked about.
        not_rejected_from: an ε that is known not to be rejected by this test.
        by: where a ledger is rejected, a claim (ε, δ) that it keeps and that the outcome rejects.
    """

    experiment: ManyRuns | OneRun
    level: mpq
    epsilon: ExactNumber | None = None
    delta: mpq | None = None
    ledger: Ledger | None = None
    rejected: bool | None = None
    rates: tuple[mpq, mpq] | None = None
    power: mpq | None = None
    p_value: mpq | None = None
    rejected_up_to: mpq | None = None
    not_rejected_from: mpq | None = None
    by: tuple[ExactNumber, mpq] | None = None

    def facts(self) -> list[tuple[str, str]]:
        """What is rejected, and at what level."""
        verdict = {None: "no claim", True: "rejected", False: "not rejected"}[self.rejected]
        at = f"{verdict} at level {short_text(self.level)}"
        if self.ledger is not None:
            return [("the ledger", at)]
        delta = short_text(self.delta or mpq(0))
        claim = [] if self.epsilon is None else [(f"ε = {shortest_text(self.epsilon)}", at)]
        found = self.rejected_up_to
        most = "none" if found is None else f"up to {short_text(found)}"
        level = short_text(self.level)
        return [*claim, (f"ε rejected with δ = {delta} at level {level}", most)]


def attack(
    outcome: ManyRuns | OneRun | PathLike[str] | bytes,
    *,
    epsilon: Number | None = None,
    delta: Number | None = None,
    ledger: LedgerLike | None = None,
    level: Number = LEVEL,
    max_cost: int = DEFAULT_MAX_COST,
) -> Attack:
    r"""Whether an outcome rejects (ε, δ), or a ledger's own profile, and which ε it rejects at δ.

    Args:
        outcome: counts and design: the path of a file, what such a file holds, or one that was
            read.
        epsilon: the claimed ε >= 0, in nats; None to ask which are rejected.
        delta: the claimed δ in [0, 1], or that at which ε are rejected (default, without a ledger:
            0).
        ledger: mechanisms to ask about instead: their profile says more than one (ε, δ).
        level: how often the test may reject what is true, above 0 and below 1.
        max_cost: as for :func:`exactdp.compose`.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits.

    >>> outcome = b'{"canaries": 1000, "guesses": 100, "right": 100}'
    >>> found = attack(outcome, epsilon=3, delta="1e-5")
    >>> found.rejected, found.rejected_up_to
    (True, mpq(17461436547,5000000000))
    """
    share, experiment = _level(level), _experiment_of(outcome)
    if ledger is not None:
        if epsilon is not None:
            raise InputError(
                field="ledger",
                value="a ledger and an ε",
                expected="one of them: a ledger has its own profile",
                remedy="leave out epsilon",
            )
        judged = _against_ledger(experiment, ledger_of(ledger), share, max_cost)
        return judged if delta is None else _at(judged, probability(delta))
    claimed = None if epsilon is None else nonnegative(epsilon)
    at = mpq(0) if delta is None else probability(delta)
    if isinstance(experiment, ManyRuns):
        return _many_runs(experiment, claimed, at, share)
    return _one_run(experiment, claimed, at, share)


def _at(judged: Attack, delta: mpq) -> Attack:
    """What became of a ledger, and besides which ε are rejected at a δ."""
    assert isinstance(judged.experiment, ManyRuns)
    asked = _many_runs(judged.experiment, None, delta, judged.level)
    return replace(
        asked,
        ledger=judged.ledger,
        rejected=judged.rejected,
        power=judged.power,
        by=judged.by,
    )


def _experiment_of(outcome: ManyRuns | OneRun | PathLike[str] | bytes) -> ManyRuns | OneRun:
    if isinstance(outcome, ManyRuns | OneRun):
        return outcome
    if isinstance(outcome, bytes):
        return experiment_of_json(outcome)
    if isinstance(outcome, PathLike):
        return read_experiment(fspath(outcome))
    raise InputError(
        field="outcome",
        value=type(outcome).__name__,
        expected="the path of a file, or bytes of JSON",
        remedy="for example: Path('outcome.json')",
    )


def _level(value: Number) -> mpq:
    level = as_rational(value, "level")
    if not 0 < level < 1:
        raise DomainError(
            field="level", value=str(level), expected="a rational above 0 and below 1"
        )
    return level


def _rates(experiment: ManyRuns, level: mpq) -> tuple[mpq, mpq]:
    """P and q, each of which is wrong with chance level/2 at most."""
    error = level / (2 * experiment.choices)
    return least_rate(*experiment.members, error), greatest_rate(*experiment.others, error)


def _against_ledger(
    experiment: ManyRuns | OneRun, ledger: Ledger, level: mpq, max_cost: int
) -> Attack:
    if isinstance(experiment, OneRun):
        raise InputError(
            field="outcome",
            value="one run",
            expected="many runs, where a ledger's own profile is asked about",
            remedy="ask about an ε and δ that the ledger has: see exactdp compose",
        )
    p, q = _rates(experiment, level)
    power, by = mpq(1), None
    if 0 < q < 1:
        [rate] = risk(ledger, fpr=[q], max_cost=max_cost).rates
        power = rate.upper_end
        if rate.ratio is not None and p > power:
            by = _between(*(delta_implying(rate.ratio, q, each) for each in (power, p)))
    judged = Attack(experiment, level, ledger=ledger, rejected=p > power, rates=(p, q))
    return replace(judged, power=power, by=by)


def _between(
    kept: tuple[ExactNumber, mpq], rejected: tuple[ExactNumber, mpq]
) -> tuple[ExactNumber, mpq] | None:
    """A claim with a short δ between those that a ledger keeps and those that are rejected."""
    (epsilon, low), (_, high) = kept, rejected
    found = (round_above((low + high) / 2, digits) for digits in range(1, _DIGITS))
    return next(((epsilon, delta) for delta in found if low < delta < high), None)


def _many_runs(experiment: ManyRuns, epsilon: ExactNumber | None, delta: mpq, level: mpq) -> Attack:
    p, q = _rates(experiment, level)
    unit = unit_of_rates()
    most = _greatest_rejected(p, q, delta)
    beyond = _greatest_rejected(min(p + unit, mpq(1)), max(q - unit, mpq(0)), delta)
    up_to = None if most is None or most[0] < 0 else floor_to(most[0], _PLACES)
    since = None if beyond is None else ceil_to(max(beyond[1], mpq(0)), _PLACES)
    since = mpq(0) if most is None else since
    found = Attack(
        experiment,
        level,
        delta=delta,
        rates=(p, q),
        rejected_up_to=up_to,
        not_rejected_from=since,
    )
    if epsilon is None:
        return found
    power = greatest_power(epsilon, delta, q)
    p_value = _least_level(experiment, epsilon, delta)
    return replace(found, epsilon=epsilon, rejected=p > power, power=power, p_value=p_value)


def _least_level(experiment: ManyRuns, epsilon: ExactNumber, delta: mpq) -> mpq:
    """A level at which (ε, δ) is rejected, not far above the least; 1 if there is none."""

    def rejects(level: mpq) -> bool:
        p, q = _rates(experiment, level)
        return p > greatest_power(epsilon, delta, q)

    exponents = range(-_LEAST_EXPONENT * _STEPS, 0)
    at = bisect_left(exponents, 1, key=lambda each: rejects(_level_at(each)))
    return _level_at(exponents[at]) if at < len(exponents) else mpq(1)


def _level_at(exponent: int) -> mpq:
    """A decimal near 10^(exponent/16), and rising with it."""
    return round_above(mpq(Fraction(10.0 ** (exponent / _STEPS))), _LEVEL_DIGITS)


def greatest_power(epsilon: ExactNumber, delta: mpq, q: mpq) -> mpq:
    """An upper end of the power at q that (ε, δ) allows (Kairouz, Oh & Viswanath, Thm 2.1)."""
    with precision(BITS):
        if upper_end(ball(epsilon)) > _GREATEST_EPSILON:
            return mpq(1)
        odds = upper_end(ball(epsilon).exp())
    return min(mpq(1), delta + odds * q, 1 - (1 - delta - q) / odds)


def _greatest_rejected(p: mpq, q: mpq, delta: mpq) -> tuple[mpq, mpq] | None:
    """Ends of the least ε with which p is allowed at q; None if 0 is, or above any if q is 0."""
    ratios = [
        above / below
        for above, below in ((p - delta, q), (1 - delta - q, 1 - p))
        if below > 0 and above > 0
    ]
    ratio = max(ratios, default=mpq(0))
    if ratio <= 0 or p <= q + delta:
        return None
    with precision(BITS):
        logarithm = ball_of_rational(ratio).log()
        return lower_end(logarithm), upper_end(logarithm)


def _one_run(experiment: OneRun, epsilon: ExactNumber | None, delta: mpq, level: mpq) -> Attack:
    share = level / experiment.choices

    def chance_at(number: ExactNumber) -> tuple[mpq, mpq]:
        with precision(BITS):
            value = ball(number)
            if upper_end(value) > _RIGHT_ALWAYS:  # a guess is wrong less often than 10^-60
                return 1 - experiment.guesses * mpq(1, 10**60), mpq(1)
            return chance_of_right_guesses(
                experiment.canaries, experiment.guesses, experiment.right, value.exp(), delta
            )

    up_to, since = _turning(lambda number: chance_at(ExactNumber(number)), share)
    found = Attack(experiment, level, delta=delta, rejected_up_to=up_to, not_rejected_from=since)
    if epsilon is None:
        return found
    p_value = min(mpq(1), experiment.choices * chance_at(epsilon)[1])
    return replace(found, epsilon=epsilon, rejected=p_value <= level, p_value=p_value)


def _turning(
    chance_at: Callable[[mpq], tuple[mpq, mpq]], share: mpq
) -> tuple[mpq | None, mpq | None]:
    """Where a test stops rejecting: a decimal at which it rejects, and one at which it does not."""
    if chance_at(mpq(0))[1] > share:
        return None, mpq(0) if chance_at(mpq(0))[0] > share else None
    below, above = mpz(0), mpz(10) ** _PLACES
    unit = mpq(1, mpz(10) ** _PLACES)
    while chance_at(above * unit)[1] <= share:
        below, above = above, 2 * above
        if above * unit > _GREATEST_EPSILON:
            return below * unit, None
    while above - below > 1:
        middle = (below + above) // 2
        if chance_at(middle * unit)[1] <= share:
            below = middle
        else:
            above = middle
    return below * unit, above * unit if chance_at(above * unit)[0] > share else None

r"""What a budget promises: the ε of every interaction that keeps within it, at one δ.

Rules of this file: an upper end holds of whatever is chosen as one goes; a lower end is attained by
parameters that are fixed in advance. Rules about parameters fixed in advance are asked about one
mechanism that spends all, never about the spends of a log.

Theory of operation: certs/SPEC.md, section 9. A budget of ρ or μ has the privacy of one mechanism
that spends it at once, beside one that fails with the budget's δ; pure losses add up; a Rényi
divergence of one order is converted at that order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import ceil_to, floor_log10, places_within
from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber, Number, as_rational
from exactdp.arithmetic.threshold import threshold
from exactdp.composition.answers.arguments import DEFAULT_TOLERANCE, probability, tolerance_of
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.results import Composition
from exactdp.composition.engines.moments.formulas import derive
from exactdp.composition.problem import Problem
from exactdp.errors import CostLimitError, DomainError, InputError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import ConcentratedMechanism, GaussianMechanism, Mechanism, Parametric
from exactdp.spending.budget import KINDS, Budget, BudgetKind, budget_of, parse_budget

_BITS: Final = 512
_SIGNIFICANT: Final = 10
_MOST_BUDGET: Final = 10**6


@dataclass(frozen=True, slots=True)
class Promise:
    """The ε that a budget promises.

    Attributes:
        budget: what may be spent.
        delta: at this δ.
        lower: below it, some interaction within the budget is not (ε, δ)-DP; None with ``upper``.
        upper: a decimal that every interaction within the budget keeps; None if no ε is enough.
        whole: of the ledger of one mechanism that spends all, for ρ and μ.
    """

    budget: Budget
    delta: mpq
    lower: mpq | None
    upper: mpq | None
    whole: Composition | None = None


def promise(budget: Budget, delta: Number | None, tolerance: Number = DEFAULT_TOLERANCE) -> Promise:
    r"""What a budget promises at δ.

    Raises:
        InputError: bad arguments, or no δ.

    >>> from exactdp.spending.budget import parse_budget
    >>> print(float(promise(parse_budget("mu=1"), "1e-10").upper))
    6.5479240...
    """
    if delta is None and budget.kind == "epsilon" and budget.delta:
        delta = budget.delta  # what it promises as it stands
    if delta is None:
        raise InputError(
            field="--delta",
            value="nothing",
            expected="a δ, as the log names none",
            remedy="for example --delta 1e-6",
        )
    target, width = probability(delta), tolerance_of(tolerance)
    if budget.kind in ("rho", "mu"):
        whole = compose(whole_ledger(budget), delta=target, tolerance=width)
        return Promise(budget, target, whole.lower_end, whole.upper_end, whole)
    if target < budget.delta:
        return Promise(budget, target, None, None)
    if budget.kind == "epsilon":
        lower = budget.size if target == budget.delta else mpq(0)
        return Promise(budget, target, lower, budget.size)
    if target == budget.delta:
        return Promise(budget, target, None, None)
    places = places_within(width) + 1
    with precision(_BITS):
        epsilon = ball_of_rational(budget.size) + _conversion(budget, target)
        return Promise(budget, target, mpq(0), max(mpq(0), ceil_to(upper_end(epsilon), places)))


def _conversion(budget: Budget, delta: mpq) -> arb:
    """What the conversion of a Rényi divergence adds to it, as a ball."""
    alpha = mpq(2) if budget.alpha is None else budget.alpha
    allowed = 1 - (1 - delta) / (1 - budget.delta)
    logs = ball_of_rational(alpha) * ball_of_rational(1 - 1 / alpha).log()
    logs -= ball_of_rational(alpha - 1).log() + ball_of_rational(allowed).log()
    return logs / ball_of_rational(alpha - 1)


def whole_ledger(budget: Budget) -> Ledger:
    """One mechanism that spends all of a budget of ρ or μ, beside one that fails."""
    entries: list[Parametric] = [Mechanism(0, budget.delta)] if budget.delta else []
    if budget.kind == "mu":
        entries.append(GaussianMechanism(budget.size))
    else:
        entries.append(ConcentratedMechanism(budget.size))
    return Ledger(tuple(entries))


# --- from a target to a budget ------------------------------------------------------------------


def asked_budget(
    recorded: Mapping[str, str] | None,
    *,
    stated: str | None,
    epsilon: str | None,
    delta: str | None,
    by: str | None,
    failures: str = "0",
    alpha: str | None = None,
) -> Budget:
    """The budget that is stated, or the largest that keeps (ε, δ), or that of a record.

    Raises:
        InputError: neither is asked for, or bad arguments.
    """
    if stated is not None:
        return parse_budget(stated)
    if epsilon is None and recorded is not None:
        return budget_of(recorded)
    kind = next((each for each in KINDS if each == by), None)
    if epsilon is None or kind is None or delta is None:
        raise InputError(
            field="--budget",
            value="nothing",
            expected="--budget KIND=B, or --epsilon E --delta D --by KIND",
            remedy="for example --budget rho=1/2, or --epsilon 3 --delta 1e-6 --by rho (rho counts "
            "the most kinds of mechanisms)",
        )
    return largest_budget(epsilon=epsilon, delta=delta, by=kind, failures=failures, alpha=alpha)


def largest_budget(
    *,
    epsilon: Number,
    delta: Number,
    by: BudgetKind,
    failures: Number = 0,
    alpha: Number | None = None,
    digits: int = _SIGNIFICANT,
) -> Budget:
    r"""The largest decimal budget of so many digits that keeps (ε, δ).

    Args:
        epsilon: the target ε, rational.
        delta: the target δ.
        by: what adds up.
        failures: the budget of failures, below δ unless ``by`` is "epsilon".
        alpha: the order, for "renyi".
        digits: how many significant digits the budget has.

    Raises:
        InputError: bad arguments, or not even the smallest budget keeps the target.

    >>> print(largest_budget(epsilon="3", delta="1e-6", by="epsilon"))
    epsilon=3
    """
    target, allowed = as_rational(epsilon, "epsilon"), probability(delta)
    lost = as_rational(failures, "failures")
    order = None if alpha is None else as_rational(alpha, "alpha")
    if target <= 0 or allowed >= 1:
        raise DomainError(
            field="epsilon", value=str(target), expected="a rational above 0, at a δ below 1"
        )
    if by == "epsilon":
        if lost > allowed:
            raise _none_keeps(target)
        return Budget(by, target, lost)
    if allowed <= lost:
        raise _none_keeps(target)
    found = Budget(by, mpq(0), lost, order)
    keeps = _KEEPS[by]

    def fits(size: mpq) -> bool:
        return keeps(Budget(by, size, lost, order), target, allowed)

    step = _first_step(fits, digits, target)
    return Budget(by, _greatest(fits, step), found.delta, order)


def step_of(budget: Budget, digits: int = _SIGNIFICANT) -> mpq:
    """The last digit of a budget of so many significant digits."""
    return mpq(10) ** (floor_log10(budget.size) - digits + 1) if budget.size else mpq(0)


def _first_step(fits: Callable[[mpq], bool], digits: int, target: mpq) -> mpq:
    """The unit of the last digit of the greatest size that fits."""
    power = floor_log10(target) + 2
    while not fits(mpq(10) ** power):
        power -= 1
        if power < -60:
            raise _none_keeps(target)
    return mpq(10) ** (power - digits + 1)


def _greatest(fits: Callable[[mpq], bool], step: mpq) -> mpq:
    """The greatest multiple of a step that fits; 0 does."""
    low, high = 0, 1
    while fits(high * step):
        low, high = high, 2 * high
        if high * step > _MOST_BUDGET:
            break
    return threshold(lambda n: not fits(n * step), low, high)[0] * step


def _none_keeps(target: mpq) -> InputError:
    return InputError(
        field="epsilon",
        value=str(target),
        expected="a target that some budget keeps",
        remedy="ask for a larger ε, a larger δ or a smaller budget of failures",
    )


def _keeps_concentrated(budget: Budget, epsilon: mpq, delta: mpq) -> bool:
    problem = Problem.of_parameters(whole_ledger(budget))
    allowed = problem.allowed(delta)
    try:
        return derive("zcdp-canonne-kamath-steinke", problem, ExactNumber(epsilon), allowed).holds
    except CostLimitError:  # far away, or a tie: a smaller budget is taken
        return False


def _keeps_gaussian(budget: Budget, epsilon: mpq, delta: mpq) -> bool:
    return certify(whole_ledger(budget), epsilon=epsilon, delta=delta).holds


def _keeps_divergence(budget: Budget, epsilon: mpq, delta: mpq) -> bool:
    with precision(_BITS):
        most = ball_of_rational(epsilon) - _conversion(budget, delta)
        return bool(budget.size <= lower_end(most))


_KEEPS: Final[dict[BudgetKind, Callable[[Budget, mpq, mpq], bool]]] = {
    "rho": _keeps_concentrated,
    "mu": _keeps_gaussian,
    "renyi": _keeps_divergence,
}

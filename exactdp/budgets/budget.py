r"""The inverse: the largest scale of a ledger, or the largest count, that a budget (ε, δ) allows.

Rules of this file: an answer is two neighbouring ledgers, one certified to keep the budget and one
certified not to; what has no such answer has a reason. Ledgers in ρ, μ or by noise are those of
:mod:`exactdp.budgets.notions`.

Theory of operation: optimal composition is monotone in every ε_i and in every count, so that there
is one boundary. :mod:`exactdp.budgets.families` says between which closed forms it lies, and
:mod:`exactdp.budgets.boundary` finds it.

Sources: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5; the question is that of the
budget tool of Harvard's Privacy Tools Project (Gaboardi et al., "PSI (Ψ)", 2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gmpy2 import mpq, mpz

from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.budgets.answers import EXCEEDED, CountAnswer, ScaleAnswer, SearchOutcome
from exactdp.budgets.boundary import Boundary, DecidedLedger
from exactdp.budgets.families import Adding, Scaling
from exactdp.budgets.labels import index_of, known_labels
from exactdp.budgets.notions import DIAL_TOLERANCE, turned_count, turned_scale
from exactdp.composition.answers.arguments import (
    LedgerLike,
    ledger_and_delta,
    method_of,
    nonnegative,
    positive,
    refuse_method,
)
from exactdp.composition.decisions import INFEASIBLE
from exactdp.composition.planner import DEFAULT_MAX_COST, has_exact_atoms
from exactdp.composition.problem import Problem
from exactdp.errors import DomainError, InternalError

DEFAULT_TOLERANCE: Final = "1e-6"
_TOLERANCES: Final = {
    "epsilon-delta": DEFAULT_TOLERANCE,
    "rho-mu": DEFAULT_TOLERANCE,
    "noise": DIAL_TOLERANCE,
}
_FINEST_PLACES: Final = 1000
_CHEAP: Final = 10**9
_ZERO: Final = mpq(0)


def largest_scale(
    ledger: LedgerLike,
    *,
    epsilon: Number,
    delta: Number | None = None,
    hold: Sequence[str] = (),
    tolerance: Number | None = None,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> ScaleAnswer:
    r"""The largest c such that the ledger, every ε_i multiplied by c, composes to (ε, δ).

    A ρ is multiplied by c², a μ by c, and noise divided by c.

    Args:
        ledger: a Ledger, or mechanisms as :meth:`exactdp.Ledger.of` takes them.
        epsilon: ε of the budget, >= 0, in nats.
        delta: δ of the budget; None takes the ledger's ``target_delta``.
        hold: labels of mechanisms whose ε_i stay as they are. The δ_i are never scaled.
        tolerance: the greatest width of the interval; relative to it where the scale is below 1.
            None takes 1e-6, or 1e-3 where some mechanism is given by its noise.
        method: force an engine; it must fit every scaled ledger.
        max_cost: refuse work predicted to cost more (units of about a nanosecond).

    Raises:
        InputError: bad arguments; a label that the ledger does not have among them.
        CostLimitError: the work would exceed the limits.

    >>> answer = largest_scale([("0.1", 0, 100)], epsilon=1, delta="1e-6")
    >>> print(answer.lower < answer.upper < answer.lower + 1 / mpq(10**6))
    True
    >>> print(largest_scale([("ln(3)", 0, 2)], epsilon="ln(37/5)", delta="1/10").exact)
    1
    """
    ledger, target = ledger_and_delta(ledger, delta)
    limit = nonnegative(epsilon)
    held = known_labels(ledger, hold)
    width = _tolerance(_TOLERANCES[ledger.given_by] if tolerance is None else tolerance)
    if ledger.given_by != "epsilon-delta":
        refuse_method(method)
        return turned_scale(ledger, held, limit, target, width, max_cost)
    scaling = Scaling(ledger, held, width)
    boundary = _boundary(scaling, limit, target, method, max_cost)

    def answer(
        outcome: SearchOutcome,
        reason: str,
        kept: DecidedLedger | None,
        broken: DecidedLedger | None,
    ) -> ScaleAnswer:
        return ScaleAnswer(ledger, limit, target, outcome, reason, kept, broken, scaling.held)

    if target >= 1:
        return answer("unbounded", _VACUOUS, boundary.decide(mpq(1)), None)
    nothing = boundary.decide(_ZERO)
    if not nothing.decision.holds:
        return answer("none", _why_none(nothing), None, nothing)
    if not scaling.scaled.epsilons:
        reason = "no mechanism with a positive ε is left to scale, and the ledger fits as it is"
        return answer("unbounded", reason, boundary.decide(mpq(1)), None)
    low, high, exact = scaling.ends(limit, target)
    if exact is None:
        low, high = boundary.narrow(low, high)
        low, high, exact = _at_simplest(boundary, scaling, limit, low, high)
    found = answer("found", "", *_both(boundary, low, high))
    return replace(found, lower=low, upper=high, exact=exact)


def largest_count(
    ledger: LedgerLike,
    *,
    label: str,
    epsilon: Number,
    delta: Number | None = None,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> CountAnswer:
    r"""How many more of the mechanism called ``label`` fit within (ε, δ).

    Args:
        ledger: as for :func:`largest_scale`.
        label: the mechanism to add to the ledger.
        epsilon: as for :func:`largest_scale`.
        delta: as for :func:`largest_scale`.
        method: as for :func:`largest_scale`.
        max_cost: as for :func:`largest_scale`.

    Raises:
        InputError: bad arguments; a label that is unknown or means different mechanisms among them.
        CostLimitError: the work would exceed the limits.

    >>> largest_count([("0.1", 0, 10, "survey")], label="survey", epsilon=2, delta=0).fits
    10
    """
    ledger, target = ledger_and_delta(ledger, delta)
    limit, index = nonnegative(epsilon), index_of(ledger, label)
    if ledger.given_by != "epsilon-delta":
        refuse_method(method)
        return turned_count(ledger, label, index, limit, target, max_cost)
    adding = Adding(ledger, index)
    boundary = _boundary(adding, limit, target, method, max_cost)

    def answer(
        outcome: SearchOutcome,
        kept: DecidedLedger | None,
        broken: DecidedLedger | None,
        reason: str = "",
    ) -> CountAnswer:
        return CountAnswer(ledger, limit, target, outcome, reason, kept, broken, label)

    now = boundary.decide(_ZERO)
    if target >= 1:
        return answer("unbounded", now, None, _VACUOUS)
    if not now.decision.holds:
        return answer("none", None, now, EXCEEDED)
    if adding.costs_nothing:
        return answer("unbounded", now, None, "a mechanism with ε = 0 and δ = 0 costs nothing")
    low, high = adding.ends(limit, target)
    low, high = boundary.narrow(low, high)
    if high > adding.most:
        reason = f"a ledger holds at most 10^18 mechanisms; {low} more still fit"
        return replace(answer("capped", boundary.decide(low), None, reason), fits=int(low))
    return replace(answer("found", *_both(boundary, low, high)), fits=int(low), exceeds=int(high))


_VACUOUS: Final = "δ is 1, and no probability exceeds 1: any mechanism keeps this budget"


def _both(boundary: Boundary, low: mpq, high: mpq) -> tuple[DecidedLedger, DecidedLedger]:
    """The decisions at both ends of a search.

    Raises:
        InternalError: they are not on both sides of the budget, which is a bug of ours.
    """
    kept, broken = boundary.decide(low), boundary.decide(high)
    if not kept.decision.holds or broken.decision.holds:
        raise InternalError(
            field="budget",
            value=f"{low} and {high}",
            expected="the first to keep the budget, the second not",
            remedy="this is a bug in exactdp, please report it",
        )
    return kept, broken


def _at_simplest(
    boundary: Boundary, scaling: Scaling, epsilon: ExactNumber, low: mpq, high: mpq
) -> tuple[mpq, mpq, mpq | None]:
    """The ends, moved to the simplest fraction between if exact integers decide there.

    If D = Δ there, it is the boundary itself, for D rises with c where all ε_i are scaled. Beside
    held mechanisms D may be level for a while.
    """
    simple = simplest_between(low, high)
    if scaling.held or not simple or epsilon.rational_odds() is None:
        return low, high, None
    problem = Problem.of(scaling.ledger(simple))
    if not has_exact_atoms(problem, _CHEAP):
        return low, high, None
    decision = boundary.decide(simple).decision
    if not decision.holds:
        return low, simple, None
    return simple, high, simple if decision.equality else None


def simplest_between(low: mpq, high: mpq) -> mpq:
    """The fraction of least denominator from ``low`` >= 0 to ``high``, by continued fractions.

    >>> simplest_between(mpq(3141, 1000), mpq(3143, 1000))
    mpq(22,7)
    """
    above, below = (mpq(0), mpq(1)), (mpq(1), mpq(0))  # the last two numerators, denominators
    while True:
        whole = mpq(low // 1)
        last = whole if whole == low else whole + 1
        found = last <= high
        part = last if found else whole
        above = above[1], part * above[1] + above[0]
        below = below[1], part * below[1] + below[0]
        if found:
            return above[1] / below[1]
        low, high = 1 / (high - whole), 1 / (low - whole)


def _why_none(nothing: DecidedLedger) -> str:
    if nothing.decision == INFEASIBLE:
        return "the δ_i alone exceed the budget: 1 - ∏(1 - δ_i) > δ, whatever the ε_i"
    return "the mechanisms that are held already exceed the budget"


def _tolerance(value: Number) -> mpq:
    tolerance = positive(value, "tolerance")
    if tolerance < mpq(1, mpz(10) ** _FINEST_PLACES):
        raise DomainError(
            field="tolerance",
            value=str(tolerance),
            expected=f"a rational at least 1e-{_FINEST_PLACES}",
        )
    return tolerance


def _boundary(
    family: Scaling | Adding, epsilon: ExactNumber, delta: mpq, method: str | None, max_cost: int
) -> Boundary:
    return Boundary(
        family, epsilon=epsilon, delta=delta, method=method_of(method), max_cost=max_cost
    )

r"""The inverse: the largest scale of the ε_i, or the largest count, that a budget (ε, δ) allows.

Rules of this file: an answer is two neighbouring ledgers, one certified to keep the budget and one
certified not to; what has no such answer has a reason.

Theory of operation: optimal composition is monotone in every ε_i and in every count, so that there
is one boundary. :mod:`exactdp.budget.families` says between which closed forms it lies, and
:mod:`exactdp.budget.boundary` finds it.

Sources: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5; the question is that of the
budget tool of Harvard's Privacy Tools Project (Gaboardi et al., "PSI (Ψ)", 2016).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Final, Literal

from gmpy2 import mpq, mpz

from exactdp.answers.arguments import ledger_and_delta, method_of, nonnegative, positive
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.budget.boundary import Boundary, DecidedLedger
from exactdp.budget.families import Adding, Scaling
from exactdp.certificate.statement import Certificate
from exactdp.composition.engines.planner import DEFAULT_MAX_COST
from exactdp.composition.engines.problem import Problem
from exactdp.composition.engines.rational_odds import counted_odds
from exactdp.composition.solver import Solver
from exactdp.errors import DomainError, InputError, InternalError, shorten
from exactdp.ledger.model import Ledger

DEFAULT_TOLERANCE: Final = "1e-6"
_FINEST_PLACES: Final = 1000
_CHEAP: Final = 10**9
_SHOWN_LABELS: Final = 8
_ZERO: Final = mpq(0)

SearchOutcome = Literal["found", "none", "unbounded", "capped"]


@dataclass(frozen=True, slots=True)
class _BudgetAnswer:
    """What both answers have: the budget, and the decisions at the two ends.

    Attributes:
        ledger: what was asked about.
        epsilon: ε of the budget.
        delta: δ of the budget.
        outcome: "found"; "none" if nothing keeps the budget; "unbounded" if everything does;
            "capped" if the largest count of the format does.
        reason: why, in words, unless found.
    """

    ledger: Ledger
    epsilon: ExactNumber
    delta: mpq
    outcome: SearchOutcome
    reason: str
    _kept: DecidedLedger | None = field(repr=False)
    _broken: DecidedLedger | None = field(repr=False)

    @property
    def fitting(self) -> Ledger | None:
        """The ledger that keeps the budget and that the upper certificate is about."""
        return None if self._kept is None else self._kept.ledger

    @property
    def exceeding(self) -> Ledger | None:
        """The ledger that does not keep it and that the lower certificate is about."""
        return None if self._broken is None else self._broken.ledger

    def upper_certificate(self) -> Certificate | None:
        """The proof that :attr:`fitting` composes to (ε, δ); None if nothing does."""
        return None if self._kept is None else self._kept.certificate(self.epsilon, self.delta)

    def lower_certificate(self) -> Certificate | None:
        """The proof that :attr:`exceeding` does not; None where no ledger is known to exceed it."""
        return None if self._broken is None else self._broken.certificate(self.epsilon, self.delta)


@dataclass(frozen=True, slots=True)
class ScaleAnswer(_BudgetAnswer):
    """The largest c such that every ε_i, scaled by c, composes to (ε, δ).

    Attributes:
        held: the labels whose ε_i are not scaled.
        lower: a scale that keeps the budget, certified: the one to use. None unless found.
        upper: a larger one that does not, certified. None unless found.
        exact: the largest scale itself, where it is known to be a rational; it is ``lower`` then.
    """

    held: tuple[str, ...]
    lower: mpq | None = None
    upper: mpq | None = None
    exact: mpq | None = None


@dataclass(frozen=True, slots=True)
class CountAnswer(_BudgetAnswer):
    """How many more of one mechanism fit within (ε, δ).

    Attributes:
        label: that of the mechanism.
        fits: the largest number that can be added, certified as n that fit and n + 1 that do not;
            "capped" leaves out the second. None if even the ledger itself does not fit, or if any
            number does.
    """

    label: str
    fits: int | None = None


def largest_scale(
    ledger: Ledger | Iterable[object],
    *,
    epsilon: object,
    delta: object = None,
    hold: Sequence[str] = (),
    tolerance: object = DEFAULT_TOLERANCE,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> ScaleAnswer:
    r"""The largest c such that the ledger, every ε_i multiplied by c, composes to (ε, δ).

    Args:
        ledger: a Ledger, or mechanisms as :meth:`exactdp.Ledger.of` takes them.
        epsilon: ε of the budget, >= 0, in nats.
        delta: δ of the budget; None takes the ledger's ``target_delta``.
        hold: labels of mechanisms whose ε_i stay as they are. The δ_i are never scaled.
        tolerance: the greatest width of the interval; relative to it where the scale is below 1.
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
    scaling = Scaling(ledger, _known(ledger, hold), _tolerance(tolerance))
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
    ledger: Ledger | Iterable[object],
    *,
    label: str,
    epsilon: object,
    delta: object = None,
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
    limit = nonnegative(epsilon)
    adding = Adding(ledger, _index_of(ledger, label))
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
        return answer("none", None, now, "the ledger itself already exceeds the budget")
    if adding.costs_nothing:
        return answer("unbounded", now, None, "a mechanism with ε = 0 and δ = 0 costs nothing")
    low, high = adding.ends(limit, target)
    low, high = boundary.narrow(low, high)
    if high > adding.most:
        reason = f"a ledger holds at most 10^18 mechanisms; {low} more still fit"
        return replace(answer("capped", boundary.decide(low), None, reason), fits=int(low))
    return replace(answer("found", *_both(boundary, low, high)), fits=int(low))


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
    if (
        counted_odds(problem.epsilons) is None
        or Solver(problem, max_cost=_CHEAP).engine.method != "rational-odds"
    ):
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


def _known(ledger: Ledger, labels: Sequence[str]) -> tuple[str, ...]:
    """The labels, once each, all of which the ledger has.

    Raises:
        InputError: it does not have one of them.
    """
    if isinstance(labels, str):
        raise InputError(
            field="hold",
            value=labels,
            expected="a list of labels",
            remedy=f"pass [{labels!r}]",
        )
    known = {each.label for each in ledger.mechanisms if each.label}
    for label in labels:
        if label not in known:
            raise _unknown(label, sorted(known))
    return tuple(dict.fromkeys(labels))


def _index_of(ledger: Ledger, label: str) -> int:
    """Where the first mechanism of this label stands.

    Raises:
        InputError: there is none, or there are different ones.
    """
    _known(ledger, [label])
    mechanisms = ledger.approximate()
    places = [index for index, each in enumerate(mechanisms) if each.label == label]
    if len({(mechanisms[i].epsilon, mechanisms[i].delta) for i in places}) > 1:
        raise InputError(
            field="label",
            value=label,
            expected="a label whose mechanisms all have the same ε and δ",
            remedy="give the one to be added a label of its own",
        )
    return places[0]


def _unknown(label: str, known: Sequence[str]) -> InputError:
    close = get_close_matches(label, known, n=3, cutoff=0.5)
    if close:
        remedy = f"did you mean {' or '.join(shorten(each) for each in close)}?"
    elif known:
        shown = ", ".join(shorten(each) for each in known[:_SHOWN_LABELS])
        remedy = f"it has {shown}{', …' if len(known) > _SHOWN_LABELS else ''}"
    else:
        remedy = "its mechanisms have no labels; -m cannot give any"
    return InputError(
        field="label", value=label, expected="the label of a mechanism of the ledger", remedy=remedy
    )


def _why_none(nothing: DecidedLedger) -> str:
    if nothing.decision.rule == "infeasible":
        return "the δ_i alone exceed the budget: 1 - ∏(1 - δ_i) > δ, whatever the ε_i"
    return "the mechanisms that are held already exceed the budget"


def _tolerance(value: object) -> mpq:
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

r"""The bounds that the field quotes, beside the optimum: what each gives, rests on and gives away.

Rules of this file: a printed bound is certain (rounded up, or exact) and follows from its theorem
alone, so that it may be quoted with it; where a theorem does not apply, the reason is the answer;
how loose a bound is, is an enclosure too.

Theory of operation: which closed forms there are, and how they are shown, stands in the table of
rules; each comes with a function that answers for one question (a ledger's parameters and δ): with
a number, with a ball at any precision, or with a reason. Balls are refined until their decimals are
as close as asked.

Sources: see :mod:`exactdp.closed_forms.formulas`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.answers.arguments import DEFAULT_TOLERANCE, ledger_and_delta, positive
from exactdp.answers.compose import compose
from exactdp.answers.results import Composition
from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import ceil_to, enclose_in_decimals, floor_to, places_within
from exactdp.arithmetic.enclosures import lower_end, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.rule_table import CLOSED_FORMS
from exactdp.certificate.rules.row import ClosedForm
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.closed_forms.formulas import EVALUATIONS, FormulaInput, Value
from exactdp.composition.certificates import certificate
from exactdp.composition.engines.planner import DEFAULT_MAX_COST
from exactdp.composition.engines.problem import Problem
from exactdp.composition.solver import Decision
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger

_FIRST_BITS: Final = 128
_MOST_BITS: Final = 100_000
_SPARE_PLACES: Final = 10
_NO_SLACK: Final = mpq(0)


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on ε_g, or the reason why there is none.

    Attributes:
        rule: the rule of certificates that shows it.
        epsilon: an ε that is certainly enough: the bound itself, or a decimal just above it.
        lower: a decimal not above the bound itself.
        reason: why the theorem gives nothing here, or "".
        excess: rationals around what the bound lies above the optimum; None if either is unknown.
    """

    rule: str
    epsilon: ExactNumber | None
    lower: mpq | None
    reason: str
    excess: tuple[mpq, mpq] | None = None
    _certificate: Callable[[], Certificate] | None = field(default=None, repr=False, compare=False)

    @property
    def form(self) -> ClosedForm:
        """How the bound is shown: its name, its theorem and what that assumes."""
        return CLOSED_FORMS[self.rule]

    def certificate(self) -> Certificate | None:
        """The proof that ``epsilon`` is enough; None without one."""
        return None if self._certificate is None else self._certificate()


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of one ledger at one δ.

    Attributes:
        ledger: what was composed.
        delta: the global δ.
        optimum: OptComp, or None where it could not be had.
        reason: why there is no optimum, or "".
        rows: one for each theorem, in the order of the table.
    """

    ledger: Ledger
    delta: mpq
    optimum: Composition | None
    reason: str
    rows: tuple[Bound, ...]


# --- answers ------------------------------------------------------------------------------------


def bounds(
    ledger: Ledger | Iterable[object],
    *,
    delta: object = None,
    tolerance: object = DEFAULT_TOLERANCE,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Bounds:
    r"""What the field's closed forms give for a ledger, beside the optimum.

    Args:
        ledger: as for :func:`exactdp.compose`, and all other arguments likewise.
        delta: the global δ.
        tolerance: how near the optimum's ends are, and how finely the bounds are rounded.
        method: as for :func:`exactdp.compose`.
        max_cost: work predicted to cost more leaves the optimum out, not the bounds.

    Raises:
        InputError: bad arguments; a float among them.

    >>> answer = bounds([("0.1", 0, 100)], delta="2^-30")
    >>> for row in answer.rows[:2]:
    ...     print(row.rule, float(row.epsilon.rational))
    sum 10.0
    advanced-composition 7.5006494685
    """
    ledger, target = ledger_and_delta(ledger, delta)
    width = positive(tolerance, "tolerance")
    rows = formulas(ledger, target, places_within(width) + 1)
    try:
        optimum = compose(ledger, delta=target, tolerance=width, method=method, max_cost=max_cost)
    except CostLimitError as error:
        return Bounds(ledger, target, None, str(error), rows)
    rows = tuple(replace(row, excess=_excess(row, optimum)) for row in rows)
    return Bounds(ledger, target, optimum, "", rows)


def formulas(
    ledger: Ledger, delta: mpq, places: int, rules: Iterable[str] = CLOSED_FORMS
) -> tuple[Bound, ...]:
    """The bounds without the optimum, rounded up to so many decimal places."""
    question = FormulaInput(Subject.of(ledger), Problem.of(ledger), delta)
    if question.sign < 0:
        reason = "no finite ε is enough: δ is below 1 - ∏(1 - δ_i)"
        return tuple(Bound(rule, None, None, reason) for rule in rules)
    return tuple(_bound(rule, question, places) for rule in rules)


def _bound(rule: str, question: FormulaInput, places: int) -> Bound:
    try:
        value = EVALUATIONS[rule](question)
        if isinstance(value, str):
            return Bound(rule, None, None, value)
        epsilon, lower, slack = _rounded(value, places)
    except CostLimitError:
        return Bound(rule, None, None, "its numbers are beyond reach")
    if slack and value.ball is not None:
        # The checker's digits stand after the point: those before it in ε and 1/Δ come on top.
        allowed = min(mpq(1), lower_end(question.allowed(_FIRST_BITS)))
        slack *= allowed / max(mpq(1), epsilon.rational)

    def proof() -> Certificate:
        decision = Decision(holds=True, rule=rule, slack=slack)
        return certificate(question.subject, epsilon, question.delta, decision)

    return Bound(rule, epsilon, lower, "", _certificate=proof)


def _rounded(value: Value, places: int) -> tuple[ExactNumber, mpq, mpq]:
    """An ε not below the value, a decimal not above it, and by what a ball lies below the ε."""
    exact = value.exact
    if value.ball is None and exact is not None:
        return exact, enclose_in_decimals(exact, places)[0], value.slack
    assert value.ball is not None
    low, high = _ends(value.ball, places + _SPARE_PLACES)
    above = ceil_to(high + mpq(1, mpz(10) ** (places + _SPARE_PLACES)), places)
    if exact is not None and compare(exact, ExactNumber(above)) <= 0:
        return exact, min(floor_to(low, places), enclose_in_decimals(exact, places)[0]), _NO_SLACK
    return ExactNumber(above), floor_to(low, places), above - high


def _ends(formula: Callable[[int], arb], places: int) -> tuple[mpq, mpq]:
    """Rationals around a formula, as near as so many decimal places ask.

    Raises:
        CostLimitError: that needs too many bits.
    """
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        ball = formula(bits)
        low, high = lower_end(ball), upper_end(ball)
        if (high - low) * mpz(10) ** places <= 1:
            return low, high
        bits *= 2
    raise CostLimitError(
        field="--tolerance",
        value=f"{places} decimal places",
        expected=f"bounds within {_MOST_BITS} bits",
        remedy="ask for a wider --tolerance",
    )


def _excess(row: Bound, optimum: Composition) -> tuple[mpq, mpq] | None:
    """What a bound lies above the optimum: at least, at most."""
    if row.epsilon is None or row.lower is None or optimum.upper is None or optimum.lower is None:
        return None
    if optimum.exact is not None and compare(row.epsilon, optimum.exact) == 0:
        return mpq(0), mpq(0)
    places = places_within(optimum.upper - optimum.lower) if optimum.upper > optimum.lower else 12
    upper = enclose_in_decimals(row.epsilon, places + 1)[1]
    return max(mpq(0), row.lower - optimum.upper), upper - optimum.lower

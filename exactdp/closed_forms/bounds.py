r"""The bounds that the field quotes, beside the optimum: what each gives, rests on and gives away.

Rules of this file: a printed bound is certain (rounded up, or exact) and follows from its theorem
alone, so that it may be quoted with it; where a theorem does not apply, the reason is the answer;
how loose a bound is, is an enclosure too.

Theory of operation: a row of the table ``CLOSED_FORMS`` is a theorem with a function that answers
for one question (a ledger's parameters and δ): with a number, with a ball at any precision, or with
a reason. Balls are refined until their decimals are as close as asked. To add a bound is to add a
row and a rule that certifies it.

Sources: see :mod:`exactdp.closed_forms.formulas`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.answers.arguments import DEFAULT_TOLERANCE, ledger_and_delta, positive
from exactdp.answers.compose import Composition, compose
from exactdp.arithmetic.comparison import compare, sign
from exactdp.arithmetic.decimal_text import ceil_to, enclose_in_decimals, floor_to, places_within
from exactdp.arithmetic.enclosures import bits_of, lower_end, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.cost import window
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.closed_forms.formulas import (
    advanced_composition,
    greatest_step,
    kairouz_oh_viswanath,
)
from exactdp.composition.certificates import certificate
from exactdp.composition.engines.planner import DEFAULT_MAX_COST
from exactdp.composition.engines.problem import AllowedDivergence, Problem
from exactdp.composition.solver import Decision
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger

_FIRST_BITS: Final = 128
_MOST_BITS: Final = 100_000
_SPARE_BITS: Final = 96
_SPARE_PLACES: Final = 10
_GREATEST_EXPONENT: Final = ExactNumber(mpq(1000))
_LONGEST_BLOCK: Final = 10**6
_ZERO: Final = ExactNumber(mpq(0))
_NO_SLACK: Final = mpq(0)
_DIFFERENT: Final = "the parameters are not the same for all"


@dataclass(frozen=True)
class FormulaInput:
    """What every bound is asked: how private is a composition of these mechanisms at this δ?"""

    subject: Subject
    problem: Problem
    delta: mpq

    @cached_property
    def sign(self) -> int:
        """The sign of Δ, exactly."""
        return 1 if self.delta == 1 else AllowedDivergence(self.problem, self.delta).sign

    def allowed(self, bits: int) -> arb:
        """A ball of Δ, where it is above 0."""
        return arb(1) if self.delta == 1 else AllowedDivergence(self.problem, self.delta).ball(bits)


@dataclass(frozen=True, slots=True)
class Value:
    """What a theorem gives: the least of what is present.

    Attributes:
        exact: a number in closed form.
        ball: a formula, enclosed at any number of bits.
        slack: what a certificate of ``exact`` has to spare; 0 where its rule needs none.
    """

    exact: ExactNumber | None = None
    ball: Callable[[int], arb] | None = None
    slack: mpq = _NO_SLACK


@dataclass(frozen=True, slots=True)
class BoundForm:
    """A row of the table.

    Attributes:
        name: as the field calls it.
        rule: the rule of certificates that shows it.
        theorem: where it is proved.
        assumes: what it takes for granted.
        evaluate: what it gives for a question with Δ >= 0, or why it gives nothing.
    """

    name: str
    rule: str
    theorem: str
    assumes: str
    evaluate: Callable[[FormulaInput], Value | str]


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on ε_g, or the reason why there is none.

    Attributes:
        form: which one.
        epsilon: an ε that is certainly enough: the bound itself, or a decimal just above it.
        lower: a decimal not above the bound itself.
        reason: why the theorem gives nothing here, or "".
        excess: rationals around what the bound lies above the optimum; None if either is unknown.
    """

    form: BoundForm
    epsilon: ExactNumber | None
    lower: mpq | None
    reason: str
    excess: tuple[mpq, mpq] | None = None
    _certificate: Callable[[], Certificate] | None = field(default=None, repr=False, compare=False)

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


# --- the table ----------------------------------------------------------------------------------


def _basic(question: FormulaInput) -> Value | str:
    return Value(question.problem.total_epsilon)


def _advanced(question: FormulaInput) -> Value | str:
    mechanisms = question.subject.mechanisms
    if not mechanisms:
        return "there are no mechanisms"
    count = question.problem.mechanisms
    rest = question.delta - count * max(delta for _, delta, _ in mechanisms)
    if rest <= 0:
        return "δ' = δ - kδ_i is not above 0"
    greatest = reduce(_greater, (epsilon for epsilon, _, _ in mechanisms))
    if compare(greatest, _GREATEST_EXPONENT) > 0:
        return "e^ε - 1 is astronomical"
    if sign(greatest) == 0:
        return Value(_ZERO)
    return Value(ball=lambda bits: advanced_composition(greatest, count, rest, bits))


def _greater(left: ExactNumber, right: ExactNumber) -> ExactNumber:
    return right if compare(left, right) < 0 else left


def _kairouz_oh_viswanath(question: FormulaInput) -> Value | str:
    epsilons = question.problem.epsilons
    total = question.problem.total_epsilon
    if not epsilons or question.sign == 0:  # the other two expressions are infinite at δ̃ = 0
        return Value(total)
    return Value(
        total, lambda bits: kairouz_oh_viswanath(epsilons, question.allowed(bits), bits).least
    )


def _kairouz_oh_viswanath_homogeneous(question: FormulaInput) -> Value | str:
    if len(question.subject.mechanisms) != 1:
        return _DIFFERENT
    return _kairouz_oh_viswanath(question)


def _stepwise(question: FormulaInput) -> Value | str:
    if len(question.subject.mechanisms) != 1:
        return _DIFFERENT
    [(epsilon, _, count)] = question.subject.mechanisms
    if sign(epsilon) == 0 or question.sign == 0:
        return Value(question.problem.total_epsilon)
    bits = bits_of(1 / lower_end(question.allowed(_FIRST_BITS))) + _SPARE_BITS
    if bits > _MOST_BITS or window(count, bits // 3) > _LONGEST_BLOCK:
        return "the sum has too many terms"
    step = greatest_step(epsilon, count, question.allowed(bits), bits)
    return Value(epsilon * (count - 2 * step.index), slack=step.slack)


_FIXED: Final = "parameters fixed in advance"
_SAME: Final = f"{_FIXED}, the same for all"

CLOSED_FORMS: Final = (
    BoundForm(
        "basic composition",
        "sum",
        "Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, with δ ≥ 1 - ∏(1 - δ_i)",
        _FIXED,
        _basic,
    ),
    BoundForm(
        "advanced composition",
        "advanced-composition",
        "Dwork, Rothblum, Vadhan 2010, Theorem III.3, with δ' = δ - kδ_i",
        f"{_SAME} (every ε_i and δ_i is taken to be the greatest)",
        _advanced,
    ),
    BoundForm(
        "Kairouz–Oh–Viswanath, homogeneous",
        "kairouz-oh-viswanath-homogeneous",
        "Kairouz, Oh, Viswanath 2015, Theorem 3.4, with δ̃ = 1 - (1 - δ)/(1 - δ_i)^k",
        _SAME,
        _kairouz_oh_viswanath_homogeneous,
    ),
    BoundForm(
        "Kairouz–Oh–Viswanath, heterogeneous",
        "kairouz-oh-viswanath-heterogeneous",
        "Kairouz, Oh, Viswanath 2015, Theorem 3.5, with δ̃ = 1 - (1 - δ)/∏(1 - δ_i)",
        _FIXED,
        _kairouz_oh_viswanath,
    ),
    BoundForm(
        "Murtagh–Vadhan, Theorem 1.4",
        "murtagh-vadhan-1.4",
        "Murtagh, Vadhan 2018, Theorem 1.4, with ε_g one of kε, (k - 2)ε, (k - 4)ε, …",
        _SAME,
        _stepwise,
    ),
)


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
    ...     print(row.form.rule, float(row.epsilon.rational))
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
    ledger: Ledger, delta: mpq, places: int, forms: Iterable[BoundForm] = CLOSED_FORMS
) -> tuple[Bound, ...]:
    """The bounds without the optimum, rounded up to so many decimal places."""
    question = FormulaInput(Subject.of(ledger), Problem.of(ledger), delta)
    if question.sign < 0:
        reason = "no finite ε is enough: δ is below 1 - ∏(1 - δ_i)"
        return tuple(Bound(form, None, None, reason) for form in forms)
    return tuple(_bound(form, question, places) for form in forms)


def _bound(form: BoundForm, question: FormulaInput, places: int) -> Bound:
    try:
        value = form.evaluate(question)
        if isinstance(value, str):
            return Bound(form, None, None, value)
        epsilon, lower, slack = _rounded(value, places)
    except CostLimitError:
        return Bound(form, None, None, "its numbers are beyond reach")
    if slack and value.ball is not None:
        # The checker's digits stand after the point: those before it in ε and 1/Δ come on top.
        allowed = min(mpq(1), lower_end(question.allowed(_FIRST_BITS)))
        slack *= allowed / max(mpq(1), epsilon.rational)

    def proof() -> Certificate:
        decision = Decision(holds=True, rule=form.rule, slack=slack)
        return certificate(question.subject, epsilon, question.delta, decision)

    return Bound(form, epsilon, lower, "", _certificate=proof)


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

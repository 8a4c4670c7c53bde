r"""Rows: one bound on ε_g for each closed form, or the reason why there is none.

Rules of this file: a bound is certain (rounded up, or exact) and follows from its theorem alone;
where a theorem does not apply, the reason is the answer.

Theory of operation: each closed form comes with a function that answers for one question (a
ledger's parameters and δ): with a number, with a ball at any precision, or with a reason. Balls are
refined until their decimals are as close as asked.

Sources: see :mod:`exactdp.composition.closed_forms.formulas`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import ceil_to, enclose_in_decimals, floor_to, shortest_text
from exactdp.arithmetic.enclosures import lower_end, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.rule_table import CLOSED_FORMS
from exactdp.certificate.rules.row import ClosedForm
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.certificates import certificate
from exactdp.composition.closed_forms.formulas import EVALUATIONS, FormulaInput, Value
from exactdp.composition.decisions import Decision
from exactdp.composition.problem import Problem
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.readable import Readable

_FIRST_BITS: Final = 128
_MOST_BITS: Final = 100_000
_SPARE_PLACES: Final = 10
_NO_SLACK: Final = mpq(0)


@dataclass(frozen=True, slots=True)
class Bound(Readable):
    """A bound on ε_g, or the reason why there is none.

    Attributes:
        rule: the rule of certificates that shows it.
        epsilon: an ε that is certainly enough: the bound itself, or a decimal just above it.
        lower: a decimal not above the bound itself.
        reason: why the theorem gives nothing here, or "".
        excess: rationals around what the bound lies above the optimum; None if either is unknown.
        shown: how the bound is shown, where the table of rules does not say it.
    """

    rule: str
    epsilon: ExactNumber | None
    lower: mpq | None
    reason: str
    excess: tuple[mpq, mpq] | None = None
    shown: ClosedForm | None = None
    _certificate: Callable[[], Certificate | None] | None = field(
        default=None, repr=False, compare=False
    )

    @property
    def form(self) -> ClosedForm:
        """How the bound is shown: its name, its theorem and what that assumes."""
        return CLOSED_FORMS[self.rule] if self.shown is None else self.shown

    def certificate(self) -> Certificate | None:
        """The proof that ``epsilon`` is enough; None without one."""
        return None if self._certificate is None else self._certificate()

    def facts(self) -> list[tuple[str, str]]:
        """The bound, or why there is none."""
        shown = self.reason if self.epsilon is None else f"ε ≤ {shortest_text(self.epsilon)}"
        return [(self.form.name, shown)]


def formulas(
    ledger: Ledger, delta: mpq, places: int, rules: Iterable[str] = CLOSED_FORMS
) -> tuple[Bound, ...]:
    """The bounds without the optimum, rounded up to so many decimal places."""
    question = FormulaInput(Subject.of(ledger), Problem.of(ledger).allowed(delta))
    if question.allowed.sign < 0:
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
        allowed = min(mpq(1), lower_end(question.allowed.ball(_FIRST_BITS)))
        slack *= allowed / max(mpq(1), epsilon.rational)

    decision = Decision(holds=True, rule=rule, slack=slack)
    proof = partial(certificate, question.subject, epsilon, question.allowed.delta, decision)
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

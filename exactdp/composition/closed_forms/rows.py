r"""Rows: one bound on ε_g for each closed form, or the reason why there is none.

Rules of this file: a bound is certain (rounded up, or exact) and follows from its theorem alone;
where a theorem does not apply, the reason is the answer. What a formula gives is proved by another
rule (``proofs``).

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
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.closed_forms.formulas import EVALUATIONS, FormulaInput, Value
from exactdp.composition.closed_forms.proofs import RowProof, proof_of
from exactdp.composition.closed_forms.table import CLOSED_FORMS, ClosedForm
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.composition.problem import Problem
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.readable import Readable

_FIRST_BITS: Final = 128
_MOST_BITS: Final = 100_000
_SPARE_PLACES: Final = 10


@dataclass(frozen=True, slots=True)
class Bound(Readable):
    """A bound on ε_g, or the reason why there is none.

    Attributes:
        formula: the name of the closed form, or of the rule that gives it.
        epsilon: an ε that is certainly enough: the bound itself, or a decimal just above it.
        lower: a decimal not above the bound itself.
        reason: why the theorem gives nothing here, or "".
        excess: rationals around what the bound lies above the optimum; None if either is unknown.
        shown: how the bound is shown, where the table of rules does not say it.
    """

    formula: str
    epsilon: ExactNumber | None
    lower: mpq | None
    reason: str
    excess: tuple[mpq, mpq] | None = None
    shown: ClosedForm | None = None
    _proof: Callable[[], RowProof] | None = field(default=None, repr=False, compare=False)

    @property
    def form(self) -> ClosedForm:
        """How the bound is shown: its name, its theorem and what that assumes."""
        return CLOSED_FORMS[self.formula] if self.shown is None else self.shown

    def proof(self) -> RowProof:
        """What shows that ``epsilon`` is enough, or why there is no certificate."""
        return RowProof(None, self.reason) if self._proof is None else self._proof()

    def certificate(self) -> Certificate | None:
        """The proof that ``epsilon`` is enough; None without one."""
        return self.proof().certificate

    def facts(self) -> list[tuple[str, str]]:
        """The bound, or why there is none."""
        shown = self.reason if self.epsilon is None else f"ε ≤ {shortest_text(self.epsilon)}"
        return [(self.form.name, shown)]


def formulas(
    ledger: Ledger,
    delta: mpq,
    places: int,
    names: Iterable[str] = CLOSED_FORMS,
    max_cost: int = DEFAULT_MAX_COST,
) -> tuple[Bound, ...]:
    """The bounds without the optimum, rounded up to so many decimal places."""
    question = FormulaInput(Subject.of(ledger), Problem.of(ledger).allowed(delta))
    if question.allowed.sign < 0:
        reason = "no finite ε is enough: δ is below 1 - ∏(1 - δ_i)"
        return tuple(Bound(name, None, None, reason) for name in names)
    return tuple(_bound(name, ledger, question, places, max_cost) for name in names)


def _bound(name: str, ledger: Ledger, question: FormulaInput, places: int, max_cost: int) -> Bound:
    try:
        value = EVALUATIONS[name](question)
        if isinstance(value, str):
            return Bound(name, None, None, value)
        epsilon, lower = _rounded(value, places)
    except CostLimitError:
        return Bound(name, None, None, "its numbers are beyond reach")
    proof = partial(proof_of, ledger, epsilon, question.allowed.delta, max_cost)
    return Bound(name, epsilon, lower, "", _proof=proof)


def _rounded(value: Value, places: int) -> tuple[ExactNumber, mpq]:
    """An ε not below the value, and a decimal not above it."""
    exact = value.exact
    if value.ball is None and exact is not None:
        return exact, enclose_in_decimals(exact, places)[0]
    assert value.ball is not None
    low, high = _ends(value.ball, places + _SPARE_PLACES)
    above = ceil_to(high + mpq(1, mpz(10) ** (places + _SPARE_PLACES)), places)
    if exact is not None and compare(exact, ExactNumber(above)) <= 0:
        return exact, min(floor_to(low, places), enclose_in_decimals(exact, places)[0])
    return ExactNumber(above), floor_to(low, places)


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

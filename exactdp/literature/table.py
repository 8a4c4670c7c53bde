r"""The papers' dynamic programming over rationals, runnable: OptComp on a grid of odds, exactly.

Purpose: what the engines are tested against, for anybody's ledger, with certificates by the engine
for what the table says.

Rules of this file: rationals only; the table is that of :mod:`exactdp.literature.references`, which
shares no code with an engine.

Theory of operation: every ε_i is an integer multiple of ε₀ = ln q, q rational. Two tables of sums
over the solutions of a knapsack decide one candidate a*·ε₀, and a binary search finds the least.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, section 5 (Lemmas 5.1 and 5.2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber, Number, as_rational
from exactdp.composition.answers.arguments import LedgerLike, ledger_and_delta
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.results import Certified
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError, DomainError, InputError
from exactdp.ledger.model import Ledger
from exactdp.literature.murtagh_vadhan import MultipleOfUnit, multiples_within
from exactdp.literature.references import least_grid_multiple

LABEL = "exact: OptComp, rounded up to a multiple of ε₀"
_COST_OF_A_CELL = 2000


@dataclass(frozen=True, slots=True)
class TableAnswer(MultipleOfUnit):
    """What the table says, and what the engine certifies of it.

    Attributes:
        ledger: what was asked about.
        delta: the global δ.
        odds: q = e^ε₀.
        unit: ε₀ = ln q.
        multiple: the least a* for which a*·ε₀ is enough; None if no finite ε is.
        max_cost: the limit for deciding what is asked of the answer.
    """

    label = LABEL
    ledger: Ledger
    delta: mpq
    odds: mpq
    unit: ExactNumber
    multiple: int | None
    max_cost: int = field(repr=False, compare=False)

    def judged_below(self) -> Certified | None:
        """Whether (a* - 1)·ε₀ is enough, by the engine; None where there is no a* above 0."""
        if not self.multiple:
            return None
        epsilon = self.unit * (self.multiple - 1)
        return certify(self.ledger, epsilon=epsilon, delta=self.delta, max_cost=self.max_cost)


def table(
    ledger: LedgerLike,
    *,
    delta: Number | None = None,
    odds: Number,
    max_cost: int = DEFAULT_MAX_COST,
) -> TableAnswer:
    """The least multiple of ln(odds) that is enough, by the papers' table over rationals.

    Args:
        ledger: mechanisms given by (ε, δ), every ε an integer multiple of ln(odds).
        delta: the global δ in [0, 1]; None takes the ledger's ``target_delta``.
        odds: q > 1, a rational.
        max_cost: refuse work predicted to cost more (units of about a nanosecond).

    Raises:
        InputError: bad arguments, or an ε that is no such multiple.
        CostLimitError: the tables would exceed the limits.

    >>> answer = table([("ln(3)", 0, 2)], delta="1/10", odds=3)
    >>> str(answer.epsilon), answer.judged().holds, answer.judged_below().holds
    ('2*ln(3)', True, False)
    """
    checked, target = ledger_and_delta(ledger, delta)
    base = as_rational(odds, "odds")
    if base <= 1:
        raise DomainError(field="odds", value=str(base), expected="a rational above 1")
    unit = ExactNumber.parse(f"ln({base})")
    entries = checked.approximate()
    steps = [_multiple(each.epsilon, unit, index) for index, each in enumerate(entries)]
    total = sum(a * each.count for a, each in zip(steps, entries, strict=True))
    cells = checked.size * (total + 1) * (total + 1).bit_length()
    digits = 1 + total * (base.numerator.bit_length() + base.denominator.bit_length()) // 64
    if (cost := _COST_OF_A_CELL * cells * digits) > max_cost:
        raise CostLimitError(
            field="--max-cost",
            value=f"a predicted cost of about {cost:.0e}",
            expected=f"at most {max_cost:.0e}",
            remedy="exactdp compose counts the sums at once",
        )
    survive = prod(((1 - each.delta) ** each.count for each in entries), start=mpq(1))
    allowed = 1 - (1 - target) / survive
    multiples = [a for a, each in zip(steps, entries, strict=True) for _ in range(each.count)]
    least = least_grid_multiple(multiples, _fraction(base), _fraction(allowed))
    return TableAnswer(checked, target, base, unit, least, max_cost)


def _multiple(epsilon: ExactNumber, unit: ExactNumber, index: int) -> int:
    multiple = multiples_within(epsilon, unit)
    if unit * multiple != epsilon:
        raise InputError(
            field="epsilon",
            value=str(epsilon),
            path=f"mechanisms[{index}].epsilon",
            expected=f"an integer multiple of {unit}, for this table",
            remedy="exactdp compose takes any ε",
        )
    return multiple


def _fraction(value: mpq) -> Fraction:
    return Fraction(int(value.numerator), int(value.denominator))

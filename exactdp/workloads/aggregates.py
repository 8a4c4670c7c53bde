r"""What a statement computes from its rows: counts, and sums of what is clipped.

Rules of this file: of an aggregate that is accepted it is known how much one row changes it; all
others are refused by name, with the reason.

Theory of operation: a row changes COUNT(*) by 1, and COUNT(DISTINCT …) by 1 at most: a value more
or less, or one in place of another. A row adds to SUM(LEAST(GREATEST(x, L), U)), in some databases
SUM(CLAMP(x, L, U)), a number from L to U, and so changes it by at most max(|L|, |U|) when it is
added or removed, and by U - L too when it takes the place of another. A row that adds 0 changes
nothing: it is not in the sum's coverage (generalised coverage).

Sources: Smith et al., PoPETs 2022, section 4; McSherry, "Privacy integrated queries", SIGMOD 2009.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from sqlglot import expressions as exp

from exactdp.errors import InputError
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.predicates import Conditions
from exactdp.workloads.sql_literals import Place, number_of, text_of
from exactdp.workloads.sql_syntax import AGGREGATES, is_clamp, refused
from exactdp.workloads.workload import Attribute

_BOUNDED: Final = (
    "SUM(LEAST(GREATEST(column, L), U)) or SUM(CLAMP(column, L, U)), with numbers L and U: without "
    "bounds one row could change it at will"
)


@dataclass(frozen=True, slots=True)
class RowEffect:
    """How much one row changes an answer, and which rows change it at all.

    Attributes:
        low: the least that a row adds, or 0.
        high: the most that a row adds, or 0.
        coverage: the values that a row must have to add anything, by attribute.
    """

    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)
    coverage: Mapping[int, Coverage] = field(default_factory=dict)

    def sensitivity(self, *, replaces: bool) -> Fraction:
        """The most that one row changes the answer, or one that replaces another.

        >>> clipped = RowEffect(Fraction(-2), Fraction(3))
        >>> [int(clipped.sensitivity(replaces=each)) for each in (False, True)]
        [3, 5]
        """
        most = max(abs(self.low), abs(self.high))
        return max(most, self.high - self.low) if replaces else most


class AggregateReader:
    """A reader of what stands after SELECT."""

    def __init__(self, conditions: Conditions, place: Place) -> None:
        self._conditions = conditions
        self._place = place

    def read(self, shown: exp.Expr) -> RowEffect:
        """The aggregate that an expression is.

        Raises:
            UnsupportedError: it is none of those that are listed.
        """
        if isinstance(shown, exp.Count):
            return self._count(shown)
        if isinstance(shown, exp.Sum):
            return self._sum(shown)
        raise refused(shown, self._place, AGGREGATES)

    def _count(self, count: exp.Count) -> RowEffect:
        what = count.this
        if isinstance(what, exp.Star):
            return RowEffect()
        columns = what.expressions if isinstance(what, exp.Distinct) else []
        if not columns or not all(isinstance(each, exp.Column) for each in columns):
            raise refused(count, self._place, "COUNT(*), or COUNT(DISTINCT …) of columns alone")
        for column in columns:
            self._conditions.attribute(column)
        return RowEffect()

    def _sum(self, total: exp.Sum) -> RowEffect:
        bounds: dict[type[exp.Expr], Fraction] = {}
        inner: exp.Expr = total.this
        if is_clamp(inner):
            inner, low, high = inner.expressions
            bounds = {exp.Greatest: self._number(low), exp.Least: self._number(high)}
        while isinstance(inner, exp.Least | exp.Greatest) and type(inner) not in bounds:
            side = type(inner)
            inner, bounds[side] = self._bound(inner)
        if not isinstance(inner, exp.Column) or len(bounds) != len((exp.Least, exp.Greatest)):
            raise refused(total, self._place, _BOUNDED)
        least, most = bounds[exp.Greatest], bounds[exp.Least]
        if least > most:
            raise InputError(
                field="SUM",
                value=f"from {least} to {most}",
                path=self._place(total),
                expected="a lower bound that is not above the upper one",
            )
        number = self._conditions.attribute(inner)
        covered = self._adding(self._conditions.attributes[number], least, most, inner)
        return RowEffect(min(least, Fraction(0)), max(most, Fraction(0)), {number: covered})

    def _number(self, bound: exp.Expr) -> Fraction:
        if not isinstance(bound, exp.Literal | exp.Neg) or bound.args.get("is_string"):
            raise refused(bound, self._place, _BOUNDED)
        return number_of(text_of(bound, self._place), bound, self._place)

    def _bound(self, clip: exp.Least | exp.Greatest) -> tuple[exp.Expr, Fraction]:
        """What is clipped on one side, and the number on that side."""
        operands = [clip.this, *clip.expressions]
        numbers = [each for each in operands if isinstance(each, exp.Literal | exp.Neg)]
        others = [each for each in operands if not isinstance(each, exp.Literal | exp.Neg)]
        if len(numbers) != 1 or len(others) != 1:
            raise refused(clip, self._place, _BOUNDED)
        [literal], [other] = numbers, others
        text = "" if literal.args.get("is_string") else text_of(literal, self._place)
        return other, number_of(text, literal, self._place)

    def _adding(
        self, attribute: Attribute, low: Fraction, high: Fraction, column: exp.Expr
    ) -> Coverage:
        """The values that are not clipped to 0; all, where the column may hold texts."""
        if attribute.values:
            values = [number_of(value, column, self._place) for value in attribute.values]
            if not attribute.numeric:
                return Coverage.of([(0, attribute.size)])
            clipped = [min(max(value, low), high) for value in values]
            return Coverage.of_values(i for i, value in enumerate(clipped) if value)
        if low > 0:
            return Coverage.of([(0, attribute.size)])
        return (
            Coverage.of([(1, attribute.size)])
            if high > 0
            else Coverage.of([(0, attribute.size)] if high < 0 else [])
        )

r"""Conditions of SQL as coverages: one attribute at a time.

Rules of this file: a condition is understood exactly or refused with its place; nothing is
approximated. A condition may combine comparisons of one attribute freely; what ties two
attributes together is no conjunction of predicates and is refused.

Theory of operation: sqlglot parses. A comparison of a column with literals is a set of values; AND,
OR and NOT over one column are intersection, union and complement. A comparison may be taken to hold
for a value if it does in some database, and so may its negation, so that NOT is carried inwards to
the comparisons. Values are the domain's: the
table is taken to hold no others, and no NULL. How they are compared with literals is the business
of :mod:`exactdp.workloads.sql_values`.

Sources: Smith et al., PoPETs 2022, section 4 (predicate queries).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Final

from sqlglot import expressions as exp

from exactdp.errors import InputError
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.sql_literals import Place, literal_of
from exactdp.workloads.sql_names import require_a_name_everywhere
from exactdp.workloads.sql_syntax import COMPARISONS, refused
from exactdp.workloads.sql_values import Values
from exactdp.workloads.workload import Attribute

_MIRRORED: Final[Mapping[type[exp.Expression], type[exp.Expression]]] = {
    exp.EQ: exp.EQ,
    exp.NEQ: exp.NEQ,
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
}
_NEGATED: Final[Mapping[type[exp.Expression], type[exp.Expression]]] = {
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.LT: exp.GTE,
    exp.LTE: exp.GT,
    exp.GT: exp.LTE,
    exp.GTE: exp.LT,
}


class Conditions:
    """A reader of WHERE clauses over one domain."""

    def __init__(
        self, attributes: Sequence[Attribute], place: Place, *, told_apart: bool = False
    ) -> None:
        self.attributes = attributes
        self._values = [Values(attribute, told_apart=told_apart) for attribute in attributes]
        self._numbers = {attribute.name: i for i, attribute in enumerate(attributes)}
        self._folded: dict[str, list[int]] = {}
        for i, attribute in enumerate(attributes):
            self._folded.setdefault(attribute.name.casefold(), []).append(i)
        self._place = place

    def where(self, condition: exp.Expression) -> dict[int, Coverage]:
        """The coverage of each attribute that a conjunction constrains."""
        where: dict[int, Coverage] = {}
        for conjunct in _conjuncts(condition):
            columns = {self.attribute(column) for column in conjunct.find_all(exp.Column)}
            if len(columns) != 1:
                raise refused(
                    conjunct,
                    self._place,
                    "a condition on one attribute; only AND may tie several together",
                    "ask a query for each alternative",
                )
            [attribute] = columns
            coverage = self._coverage(attribute, conjunct)
            known = where.get(attribute)
            where[attribute] = coverage if known is None else known.meet(coverage)
        return where

    def attribute(self, column: exp.Expression) -> int:
        """The number of the attribute that a column is."""
        require_a_name_everywhere(column, self._place)
        name = column.name
        is_quoted = isinstance(column, exp.Column) and bool(column.this.args.get("quoted"))
        found = self._folded.get(name.casefold(), [])
        if name in self._numbers and (is_quoted or len(found) == 1):
            found = [self._numbers[name]]
        elif is_quoted:
            found = []
        if not isinstance(column, exp.Column) or len(found) != 1:
            raise InputError(
                field="column",
                value=column.sql(),
                path=self._place(column),
                expected=f"an attribute of the domain, such as {self.attributes[0].name}"
                if self.attributes
                else "an attribute of the domain, which has none",
            )
        return found[0]

    def _coverage(
        self, number: int, condition: exp.Expression, *, negated: bool = False
    ) -> Coverage:
        """The values of an attribute for which a condition holds, or its negation."""
        if isinstance(condition, exp.Paren):
            return self._coverage(number, condition.this, negated=negated)
        if isinstance(condition, exp.Not):
            return self._coverage(number, condition.this, negated=not negated)
        if isinstance(condition, exp.And | exp.Or):
            one = self._coverage(number, condition.this, negated=negated)
            other = self._coverage(number, condition.expression, negated=negated)
            return _joined([one, other], meet=isinstance(condition, exp.And) is not negated)
        return self._comparison(number, condition, negated=negated)

    def _comparison(self, number: int, condition: exp.Expression, *, negated: bool) -> Coverage:
        """The values for which a single comparison holds, or its negation."""
        if isinstance(condition, exp.In):
            return self._in(number, condition, negated=negated)
        if isinstance(condition, exp.Between):
            self._require_column(condition.this, condition)
            above, below = (exp.LT, exp.GT) if negated else (exp.GTE, exp.LTE)
            sides = [
                self._compared(number, above, condition.args["low"]),
                self._compared(number, below, condition.args["high"]),
            ]
            return _joined(sides, meet=not negated)
        kind = type(condition)
        if kind in _MIRRORED:
            column, literal = condition.this.unnest(), condition.expression.unnest()
            if not isinstance(column, exp.Column):
                column, literal, kind = literal, column, _MIRRORED[kind]
            self._require_column(column, condition)
            return self._compared(number, _NEGATED[kind] if negated else kind, literal)
        raise refused(condition, self._place, COMPARISONS)

    def _require_column(self, operand: exp.Expression, condition: exp.Expression) -> None:
        if not isinstance(operand, exp.Column):
            raise refused(condition, self._place, "a column compared with literals")

    def _in(self, number: int, condition: exp.In, *, negated: bool) -> Coverage:
        self._require_column(condition.this, condition)
        if not condition.expressions:
            raise refused(condition, self._place, "a list of literals after IN")
        kind = exp.NEQ if negated else exp.EQ
        found = [self._compared(number, kind, literal) for literal in condition.expressions]
        return _joined(found, meet=negated)

    def _compared(
        self, number: int, kind: type[exp.Expression], literal: exp.Expression
    ) -> Coverage:
        """The values that stand in a relation to a literal."""
        try:
            return self._values[number].beside(kind, literal_of(literal, self._place))
        except InputError as error:
            raise error.located(error.path or self._place(literal)) from None


def _joined(found: Sequence[Coverage], *, meet: bool) -> Coverage:
    """The values in all of the coverages, or in one of them."""
    if meet:
        return reduce(Coverage.meet, found)
    return Coverage.of(pair for coverage in found for pair in coverage.ranges)


def _conjuncts(condition: exp.Expression) -> Iterator[exp.Expression]:
    while isinstance(condition, exp.Paren):
        condition = condition.this
    if isinstance(condition, exp.And):
        yield from _conjuncts(condition.this)
        yield from _conjuncts(condition.expression)
    else:
        yield condition

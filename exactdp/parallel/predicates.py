r"""Conditions of SQL as coverages: one attribute at a time.

Rules of this file: a condition is understood exactly or refused with its place; nothing is
approximated. A condition may combine comparisons of one attribute freely; what ties two
attributes together is no conjunction of predicates and is refused.

Theory of operation: sqlglot parses. A comparison of a column with literals is a set of values; AND,
OR and NOT over one column are intersection, union and complement. Values are the domain's: the
table is taken to hold no others, and no NULL. Texts are compared as the domain writes them, dates
and timestamps by time where the statement says DATE or TIMESTAMP.

Sources: Smith et al., PoPETs 2022, section 4 (predicate queries).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from math import ceil, floor
from typing import Final, TypeVar

from sqlglot import expressions as exp

from exactdp.errors import InputError
from exactdp.parallel.coverage import Coverage
from exactdp.parallel.sql_literals import (
    Place,
    instant_of,
    instants_of,
    is_instant,
    number_of,
    text_of,
)
from exactdp.parallel.sql_syntax import COMPARISONS, refused
from exactdp.parallel.workload import Attribute

_MIRRORED: Final[Mapping[type[exp.Expression], type[exp.Expression]]] = {
    exp.EQ: exp.EQ,
    exp.NEQ: exp.NEQ,
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
}

_PLAIN_DIGITS: Final = re.compile("[0-9]{1,19}")


class Conditions:
    """A reader of WHERE clauses over one domain."""

    def __init__(self, attributes: Sequence[Attribute], place: Place) -> None:
        self.attributes = attributes
        self._numbers = {attribute.name: i for i, attribute in enumerate(attributes)}
        self._folded: dict[str, list[int]] = {}
        for i, attribute in enumerate(attributes):
            self._folded.setdefault(attribute.name.casefold(), []).append(i)
        self._place = place
        self._outside: list[str] = []

    def taken_outside(self) -> tuple[str, ...]:
        """What was compared with and is not in the domain, since this was asked last."""
        outside, self._outside = tuple(self._outside), []
        return outside

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

    def _coverage(self, number: int, condition: exp.Expression) -> Coverage:
        """The values of an attribute for which a condition holds."""
        size = self.attributes[number].size
        if isinstance(condition, exp.Paren):
            return self._coverage(number, condition.this)
        if isinstance(condition, exp.Not):
            return self._coverage(number, condition.this).without(size)
        if isinstance(condition, exp.And | exp.Or):
            one = self._coverage(number, condition.this)
            other = self._coverage(number, condition.expression)
            if isinstance(condition, exp.And):
                return one.meet(other)
            return Coverage.of((*one.ranges, *other.ranges))
        return self._comparison(number, condition)

    def _comparison(self, number: int, condition: exp.Expression) -> Coverage:
        """The values for which a single comparison holds."""
        if isinstance(condition, exp.In):
            return self._in(number, condition)
        if isinstance(condition, exp.Between):
            self._require_column(condition.this, condition)
            low = self._compared(number, exp.GTE, condition.args["low"])
            return low.meet(self._compared(number, exp.LTE, condition.args["high"]))
        kind = type(condition)
        if kind in _MIRRORED:
            column, literal = condition.this, condition.expression
            if not isinstance(column, exp.Column):
                column, literal, kind = literal, column, _MIRRORED[kind]
            self._require_column(column, condition)
            return self._compared(number, kind, literal)
        raise refused(condition, self._place, COMPARISONS)

    def _require_column(self, operand: exp.Expression, condition: exp.Expression) -> None:
        if not isinstance(operand, exp.Column):
            raise refused(condition, self._place, "a column compared with literals")

    def _in(self, number: int, condition: exp.In) -> Coverage:
        self._require_column(condition.this, condition)
        if not condition.expressions:
            raise refused(condition, self._place, "a list of literals after IN")
        equal = (self._compared(number, exp.EQ, literal) for literal in condition.expressions)
        return Coverage.of(pair for coverage in equal for pair in coverage.ranges)

    def _compared(
        self, number: int, kind: type[exp.Expression], literal: exp.Expression
    ) -> Coverage:
        """The values that stand in a relation to a literal."""
        attribute = self.attributes[number]
        if is_instant(literal):
            return self._beside_instant(attribute, kind, literal)
        text = text_of(literal, self._place)
        is_text = bool(literal.args.get("is_string"))
        if kind in (exp.EQ, exp.NEQ):
            equal = Coverage.of_values(self._values(attribute, text, is_text=is_text))
            return equal if kind is exp.EQ else equal.without(attribute.size)
        if is_text and attribute.values and instants_of([*attribute.values, text]):
            texts = attribute.values
            return Coverage.of_values(i for i, t in enumerate(texts) if _holds(t, kind, text))
        limit = number_of("" if is_text else text, literal, self._place)
        if not attribute.values:
            return _numbers_beside(limit, kind, attribute.size)
        values = [number_of(value, literal, self._place) for value in attribute.values]
        return Coverage.of_values(i for i, v in enumerate(values) if _holds(v, kind, limit))

    def _beside_instant(
        self, attribute: Attribute, kind: type[exp.Expression], literal: exp.Expression
    ) -> Coverage:
        """The dates or timestamps that stand in a relation to one."""
        limit = instant_of(literal, self._place)
        instants = instants_of(attribute.values) if attribute.values else None
        if instants is None:
            raise InputError(
                field="value",
                value=literal.sql(),
                path=self._place(literal),
                expected=f"a value of {attribute.name}, whose values are not all dates in one form",
                remedy="list the values of the domain as 2026-01-31, or as 2026-01-31 23:59:59",
            )
        if kind in (exp.EQ, exp.NEQ):
            equal = Coverage.of_values(i for i, each in enumerate(instants) if each == limit)
            if equal.is_empty:
                self._outside.append(f"{attribute.name} = {literal.this.sql()}")
            return equal if kind is exp.EQ else equal.without(attribute.size)
        return Coverage.of_values(i for i, each in enumerate(instants) if _holds(each, kind, limit))

    def _values(self, attribute: Attribute, text: str, *, is_text: bool) -> list[int]:
        """The number of a value; none for one that the domain does not have, and so no row."""
        if attribute.values and text in attribute.values:
            return [attribute.values.index(text)]
        if not attribute.values and _PLAIN_DIGITS.fullmatch(text) and int(text) < attribute.size:
            return [int(text)]
        shown = f"'{text}'" if is_text else text
        self._outside.append(f"{attribute.name} = {shown}")
        return []


def _conjuncts(condition: exp.Expression) -> Iterator[exp.Expression]:
    while isinstance(condition, exp.Paren):
        condition = condition.this
    if isinstance(condition, exp.And):
        yield from _conjuncts(condition.this)
        yield from _conjuncts(condition.expression)
    else:
        yield condition


def _numbers_beside(limit: Fraction, kind: type[exp.Expression], size: int) -> Coverage:
    """The numbers 0 … size - 1 on one side of a limit."""
    if kind in (exp.LT, exp.LTE):
        end = floor(limit) + 1 if kind is exp.LTE else ceil(limit)
        return Coverage.of([(0, max(0, min(end, size)))])
    start = ceil(limit) if kind is exp.GTE else floor(limit) + 1
    return Coverage.of([(max(0, min(start, size)), size)])


_Ordered = TypeVar("_Ordered", Fraction, str, datetime)


def _holds(value: _Ordered, kind: type[exp.Expression], limit: _Ordered) -> bool:
    if kind in (exp.LT, exp.LTE):
        return value < limit or (kind is exp.LTE and value == limit)
    return value > limit or (kind is exp.GTE and value == limit)

r"""The values of one attribute beside a literal: for which of them does a comparison hold?

Rules of this file: numbers are compared by their size, whatever their spelling; texts are named as
the domain writes them; dates are compared by time. Where databases may disagree about a comparison
it is refused, and so is an equality with what the domain does not have: taken for an empty set it
would cost nothing, and it is a slip, or another spelling of a value, more often than not. Where
they disagree because some round numbers, a value is counted if one of them counts it.

Theory of operation: a column holds numbers if its attribute has a size or its values stand in the
domain without quotes; else it holds texts, or dates. Some databases compare a column of texts with
a number by size and some by spelling (SQLite), so that both must agree. Texts are equal by the
column's collation, so that no two values of the domain may be alike, unless the caller says that
the collation tells them apart. An attribute is one of dates if all names of its values are written
as dates, or all as timestamps, in one form: then their order as texts is their order in time, and a
text in that form means the same whether a database compares texts or instants.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Final, TypeVar

from sqlglot import expressions as exp

from exactdp.errors import InputError
from exactdp.workloads.collations import Spellings
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.plain_numbers import plain_number
from exactdp.workloads.rounded_numbers import rounded_among
from exactdp.workloads.sql_literals import (
    InstantLiteral,
    Literal,
    NumberLiteral,
    TextLiteral,
    instants_of,
)
from exactdp.workloads.workload import Attribute

Relation = type[exp.Expression]
_WITHOUT_QUOTES: Final = "a number without quotes, as values are compared by size here"
_FEW: Final = 3
_EQUALITIES: Final = (exp.EQ, exp.NEQ)


class Values:
    """The values of an attribute, as a column of a table.

    Args:
        attribute: the column.
        told_apart: whether the column's collation is known to tell its texts apart.
    """

    def __init__(self, attribute: Attribute, *, told_apart: bool) -> None:
        self._attribute = attribute
        self._told_apart = told_apart

    def beside(self, kind: Relation, literal: Literal) -> Coverage:
        """The values that stand in a relation to a literal, in some database at least.

        Raises:
            InputError: databases disagree about that, or the domain has no value that is equal.
        """
        exact = self._exactly(kind, literal)
        number = self._number_of(literal)
        if number is None:
            return exact
        numbers = self._sizes if self._attribute.values else self._attribute.size
        rounded = rounded_among(kind, numbers or [], number)
        return Coverage.of((*exact.ranges, *rounded.ranges))

    def _number_of(self, literal: Literal) -> Fraction | None:
        """The number that a column of numbers is compared with."""
        if isinstance(literal, NumberLiteral):
            return literal.value
        attribute = self._attribute
        is_text = isinstance(literal, InstantLiteral) or (
            bool(attribute.values) and not attribute.numeric
        )
        return None if is_text else plain_number(literal.text)

    def _exactly(self, kind: Relation, literal: Literal) -> Coverage:
        """The values that stand in a relation to a literal, if no number is rounded."""
        if kind in _EQUALITIES:
            equal = self._equal(literal)
            return equal if kind is exp.EQ else equal.without(self._attribute.size)
        if isinstance(literal, NumberLiteral):
            return self._beside_number(kind, literal)
        if isinstance(literal, TextLiteral):
            return self._beside_text(kind, literal.text)
        return _those(self._required_instants(literal), kind, literal.value)

    # --- equal ------------------------------------------------------------------------------------

    def _equal(self, literal: Literal) -> Coverage:
        if isinstance(literal, NumberLiteral):
            equal = self._equal_number(literal)
        elif isinstance(literal, TextLiteral):
            equal = self._equal_text(literal.text)
        else:
            equal = _those(self._required_instants(literal), exp.EQ, literal.value)
        if equal.is_empty:
            raise self._not_there(literal.text)
        return equal

    def _equal_number(self, literal: NumberLiteral) -> Coverage:
        attribute, value = self._attribute, literal.value
        if not attribute.values:
            found = value.denominator == 1 and 0 <= value < attribute.size
            return Coverage.of_values([int(value)] if found else [])
        return self._agreed(exp.EQ, literal)

    def _equal_text(self, text: str) -> Coverage:
        attribute = self._attribute
        if not attribute.values:
            value = plain_number(text)
            if value is None or str(value) != text:
                raise self._refused(text, _WITHOUT_QUOTES, "take the quotes away")
            return self._equal_number(NumberLiteral(value, text))
        if text not in self._numbers:
            return Coverage.of([])
        self._require_alone(text)
        return Coverage.of_values([self._numbers[text]])

    def _require_alone(self, text: str) -> None:
        """Refuse a text that some collation takes for another value of the domain."""
        assumed = self._told_apart or self._attribute.numeric
        if not assumed and (other := self._spellings.alike(text)) is not None:
            raise self._refused(
                text,
                f"a text that every collation tells apart from {other!r}, another value of "
                f"{self._attribute.name}: some compare without regard to case, accents, spaces or "
                "punctuation",
                "say --collation binary if the database tells these two apart, or list one value "
                "in the domain for both",
            )

    # --- less and greater -------------------------------------------------------------------------

    def _beside_number(self, kind: Relation, literal: NumberLiteral) -> Coverage:
        if not self._attribute.values:
            return _numbers_beside(literal.value, kind, self._attribute.size)
        return self._agreed(kind, literal)

    def _beside_text(self, kind: Relation, text: str) -> Coverage:
        values = self._attribute.values
        if not values or not instants_of([*values, text]):
            raise self._refused(
                text, _WITHOUT_QUOTES, "take the quotes away, or list the values with IN"
            )
        return _those(values, kind, text)

    # --- numbers beside values that are listed ----------------------------------------------------

    def _agreed(self, kind: Relation, literal: NumberLiteral) -> Coverage:
        """What numbers say by size, and, where the column may hold texts, also by spelling."""
        attribute, sizes = self._attribute, self._sizes
        if sizes is None:
            shown = next(each for each in attribute.values if plain_number(each) is None)
            raise self._refused(
                literal.text,
                f"a text in quotes, as {attribute.name} has values such as {shown!r}",
                f"write '{literal.text}' if that is a value of {attribute.name}",
            )
        by_size = _those(sizes, kind, literal.value)
        if attribute.numeric or (by_size.is_empty and kind is exp.EQ):
            return by_size
        spelled = _spelled(literal)
        if kind is exp.EQ:
            self._require_alone(literal.text)
        digits = kind is exp.EQ or all(map(str.isdigit, [*attribute.values, *spelled]))
        if not digits or any(_those(attribute.values, kind, text) != by_size for text in spelled):
            raise self._refused(
                literal.text,
                f"a comparison that holds by size and by spelling alike, as the values of "
                f"{attribute.name} are texts in the domain, such as '{attribute.values[0]}'",
                f"list the values of {attribute.name} without quotes if the column holds numbers",
            )
        return by_size

    @cached_property
    def _sizes(self) -> list[Fraction] | None:
        found = [plain_number(value) for value in self._attribute.values]
        known = [each for each in found if each is not None]
        return known if len(known) == len(found) else None

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {value: i for i, value in enumerate(self._attribute.values)}

    @cached_property
    def _spellings(self) -> Spellings:
        return Spellings(self._attribute.values)

    # --- dates ------------------------------------------------------------------------------------

    @cached_property
    def _instants(self) -> list[datetime] | None:
        return instants_of(self._attribute.values) if self._attribute.values else None

    def _required_instants(self, literal: InstantLiteral) -> list[datetime]:
        if self._instants is None:
            raise self._refused(
                literal.text,
                f"a value of {self._attribute.name}, whose values are not all dates in one form",
                "list the values of the domain as 2026-01-31, or as 2026-01-31 23:59:59",
            )
        return self._instants

    # --- refused ----------------------------------------------------------------------------------

    def _not_there(self, text: str) -> InputError:
        """The refusal of an equality with what the domain does not have, with its cure."""
        attribute = self._attribute
        near = self._spellings.nearest(text)
        few = ", ".join(attribute.values[:3]) + (
            ", …" if len(attribute.values) > len("abc") else ""
        )
        has = f"such as {few}" if attribute.values else f"from 0 to {attribute.size - 1}"
        return self._refused(
            text,
            f"a value of {attribute.name} as the domain has it, {has}",
            f"write {near}, as the domain does"
            if near is not None
            else f"add {text} to the domain if a row may have it, or leave this out",
        )

    def _refused(self, text: str, expected: str, remedy: str) -> InputError:
        return InputError(field="value", value=text, expected=expected, remedy=remedy)


def _spelled(literal: NumberLiteral) -> list[str]:
    """A number as texts that databases compare with texts: as it is written, and rewritten."""
    value = literal.value
    rewritten = str(value) if value.denominator == 1 else repr(float(value))
    return [literal.text, rewritten]


_Ordered = TypeVar("_Ordered", Fraction, str, datetime)


def _those(
    values: list[_Ordered] | tuple[_Ordered, ...], kind: Relation, limit: _Ordered
) -> Coverage:
    """The numbers of the values that stand in a relation to a limit."""
    return Coverage.of_values(i for i, value in enumerate(values) if _holds(value, kind, limit))


def _holds(value: _Ordered, kind: Relation, limit: _Ordered) -> bool:
    if kind is exp.EQ:
        return value == limit
    if kind in (exp.LT, exp.LTE):
        return value < limit or (kind is exp.LTE and value == limit)
    return value > limit or (kind is exp.GTE and value == limit)


def _numbers_beside(limit: Fraction, kind: Relation, size: int) -> Coverage:
    """The numbers 0 … size - 1 on one side of a limit."""
    if kind in (exp.LT, exp.LTE):
        end = floor(limit) + 1 if kind is exp.LTE else ceil(limit)
        return Coverage.of([(0, max(0, min(end, size)))])
    start = ceil(limit) if kind is exp.GTE else floor(limit) + 1
    return Coverage.of([(max(0, min(start, size)), size)])

r"""Literals of SQL: numbers, texts, dates and timestamps.

Rules of this file: a literal is read exactly or refused with its place; what databases read in
different ways is refused. A date has no time zone, and what is computed from other dates is no
literal.

Theory of operation: a number is a rational, and stands for the same number in every database: a
whole one of any length, or one of at most 15 digits, which differ as binary fractions too. DATE
'2026-01-31' is the first instant of a day, TIMESTAMP '2026-01-31 12:00' an instant. A backslash in
a text is a letter in the standard and an escape in MySQL.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Final

from sqlglot import expressions as exp

from exactdp.errors import InputError, shorten
from exactdp.workloads.plain_numbers import NUMBER, plain_number
from exactdp.workloads.sql_syntax import refused

Place = Callable[[exp.Expr], str]
"""Where an expression stands, for error messages."""

_INSTANT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?"
)
_LENGTH_OF_A_DATE: Final = 10
_TIMES: Final = (exp.DataType.Type.DATE, exp.DataType.Type.TIMESTAMP)
_WHOLE: Final = re.compile(r"-?[0-9]+")
_DIGITS: Final = 15
_LARGE: Final = 10**_DIGITS


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    """A number without quotes, and its text."""

    value: Fraction
    text: str


@dataclass(frozen=True, slots=True)
class TextLiteral:
    """A text in quotes."""

    text: str


@dataclass(frozen=True, slots=True)
class InstantLiteral:
    """A date or a timestamp, and its text."""

    value: datetime
    text: str


Literal = NumberLiteral | TextLiteral | InstantLiteral


def literal_of(literal: exp.Expression, place: Place) -> Literal:
    """What a literal says.

    Raises:
        UnsupportedError: it is of another type, or no literal.
        InputError: it is not written as its type wants it.
    """
    if isinstance(literal, exp.Cast):
        return InstantLiteral(instant_of(literal, place), str(literal.this.name))
    text = text_of(literal, place)
    if not literal.args.get("is_string"):
        return NumberLiteral(number_of(text, literal, place), text)
    if "\\" in text:
        raise refused(
            literal, place, "a text without a backslash, which is an escape in some databases"
        )
    return TextLiteral(text)


def text_of(literal: exp.Expression, place: Place) -> str:
    """What a number or a text in quotes says.

    Raises:
        UnsupportedError: it is neither.
    """
    if isinstance(literal, exp.Neg) and isinstance(literal.this, exp.Literal):
        if not literal.this.args.get("is_string"):
            return f"-{literal.this.name}"
    elif isinstance(literal, exp.Literal):
        return str(literal.name)
    raise refused(
        literal,
        place,
        "a number, a text in quotes, or a date written out as DATE '2026-01-31'; nothing computed",
    )


def number_of(text: str, literal: exp.Expr, place: Place) -> Fraction:
    """The number that a text is.

    Raises:
        InputError: it is none, or one that some databases round.
    """
    value = plain_number(text)
    if value is None:
        raise InputError(
            field="value",
            value=shorten(text) or shorten(literal.sql()),
            path=place(literal),
            expected="a number without quotes, as values are compared by size here",
            remedy="take the quotes away, or list the values with IN",
        )
    if _is_rounded(text, value):
        raise InputError(
            field="value",
            value=shorten(text),
            path=place(literal),
            expected=f"a whole number, or one of at most {_DIGITS} digits before and after the "
            "point: some databases round others",
            remedy="write fewer digits",
        )
    return value


def _is_rounded(text: str, value: Fraction) -> bool:
    """Whether a binary fraction of 53 bits may stand for this number and another."""
    if _WHOLE.fullmatch(text):
        return False
    found = NUMBER.fullmatch(text)
    digits = found["digits"].replace(".", "").strip("0") if found else ""
    outside = value != 0 and not Fraction(1, _LARGE) <= abs(value) < _LARGE
    return len(digits) > _DIGITS or outside


def instant_of(literal: exp.Cast, place: Place) -> datetime:
    """The instant of DATE '…' or TIMESTAMP '…'.

    Raises:
        UnsupportedError: it is of another type, or of no literal.
        InputError: its text is no date.
    """
    to = literal.args["to"].this
    if to not in _TIMES or not (isinstance(literal.this, exp.Literal) and literal.this.is_string):
        raise refused(literal, place, "DATE or TIMESTAMP with a text in quotes, without time zone")
    text = str(literal.this.name)
    found = _instant(text)
    if found is None or (to is _TIMES[0] and len(text) > _LENGTH_OF_A_DATE):
        form = "2026-01-31" if to is _TIMES[0] else "2026-01-31 23:59:59, without time zone"
        raise InputError(
            field="value", value=shorten(text), path=place(literal), expected=f"a date as {form}"
        )
    return found


def instants_of(values: Sequence[str]) -> list[datetime] | None:
    """The instants that all values are, if they are dates or timestamps in one form; else None."""
    found = [_instant(value) for value in values]
    known = [each for each in found if each is not None]
    one_form = len({form_of(value) for value in values}) == 1
    return known if len(known) == len(values) and one_form else None


def form_of(text: str) -> str:
    """A text with its digits alike."""
    return re.sub("[0-9]", "0", text)


def _instant(text: str) -> datetime | None:
    """What a text says as a date or a timestamp, if it is written as one."""
    try:
        return datetime.fromisoformat(text) if _INSTANT.fullmatch(text) else None
    except ValueError:  # such as the 30th of February
        return None

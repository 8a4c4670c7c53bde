r"""Literals of SQL: numbers, texts, dates and timestamps.

Rules of this file: a literal is read exactly or refused with its place; a date has no time zone,
and what is computed from other dates is no literal.

Theory of operation: DATE '2026-01-31' is the first instant of a day, TIMESTAMP '2026-01-31 12:00'
an instant. An attribute is one of dates if all names of its values are written as dates, or all as
timestamps, in one form: then their order as texts is their order in time, and a text in that form
means the same whether a database compares texts or instants. Another form is refused there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Final

from sqlglot import expressions as exp

from exactdp.errors import InputError, shorten
from exactdp.parallel.sql_syntax import refused

Place = Callable[[exp.Expr], str]
"""Where an expression stands, for error messages."""

_INSTANT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?"
)
_LENGTH_OF_A_DATE: Final = 10
_TIMES: Final = (exp.DataType.Type.DATE, exp.DataType.Type.TIMESTAMP)


def text_of(literal: exp.Expression, place: Place) -> str:
    """What a number or a text in quotes says.

    Raises:
        UnsupportedError: it is neither.
    """
    if isinstance(literal, exp.Neg) and literal.this.is_number:
        return f"-{literal.this.name}"
    if isinstance(literal, exp.Literal):
        return str(literal.name)
    raise refused(
        literal,
        place,
        "a number, a text in quotes, or a date written out as DATE '2026-01-31'; nothing computed",
    )


def number_of(text: str, literal: exp.Expr, place: Place) -> Fraction:
    """The number that a text is.

    Raises:
        InputError: it is none.
    """
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(
            field="value",
            value=shorten(text) or shorten(literal.sql()),
            path=place(literal),
            expected="a number without quotes, as values are compared by size here",
            remedy="take the quotes away, or list the values with IN",
        ) from None


def is_instant(literal: exp.Expression) -> bool:
    """Whether a literal is a date or a timestamp by its syntax."""
    return isinstance(literal, exp.Cast)


def instant_of(literal: exp.Expression, place: Place) -> datetime:
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

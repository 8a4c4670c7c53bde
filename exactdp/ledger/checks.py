r"""Checks of what a ledger says beside its mechanisms.

Rules of this file: as in :mod:`exactdp.mechanisms.checks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import TYPE_CHECKING, Final, cast

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.numbers import ExactNumber, Number, as_number, as_rational
from exactdp.errors import DomainError, InputError, shorten
from exactdp.mechanisms.checks import checked_text

if TYPE_CHECKING:
    from gmpy2 import mpq

_MOST_PLACES: Final = 100
Source = str | tuple[tuple[str, str], ...]


def checked_source(value: object) -> Source:
    """Where parameters come from: text, or texts by keys, as pairs or a mapping."""
    if isinstance(value, Mapping):
        value = tuple(value.items())
    if not isinstance(value, tuple):
        return checked_text(value, "source")
    return tuple(
        (checked_text(key, "source"), checked_text(text, f"source.{shorten(key)}"))
        for key, text in value
    )


def checked_reading(value: object) -> tuple[str, ...]:
    """What a reader of a table made of it: texts."""
    if not isinstance(value, tuple | list):
        raise InputError(field="reading", value=value, expected="a list of texts")
    return tuple(checked_text(each, "reading") for each in value)


def delta_of_claim(delta: mpq, field: str) -> mpq:
    """The δ of a statement may be 1: it says nothing then, and is true."""
    if not 0 <= delta <= 1:
        raise DomainError(field=field, value=str(delta), expected="a rational number from 0 to 1")
    return delta


def rate_of_claim(value: object, field: str, *, is_open: bool) -> mpq:
    """A rate, or a probability: neither 0 nor 1 where it is the one that is asked about."""
    rate = as_rational(cast("Number", value), field)
    if not (0 < rate < 1 if is_open else 0 <= rate <= 1):
        expected = "above 0 and below 1" if is_open else "from 0 to 1"
        raise DomainError(field=field, value=str(rate), expected=f"a rational number {expected}")
    return rate


def checked_places(places: object, number: ExactNumber) -> None:
    """Refuse decimal places that the claimed number does not fit into."""
    if type(places) is not int or not 0 <= places <= _MOST_PLACES:
        raise DomainError(
            field="places", value=str(places), expected=f"a whole number from 0 to {_MOST_PLACES}"
        )
    if not number.is_rational or (number.rational * 10**places).denominator != 1:
        raise InputError(
            field="places",
            value=str(places),
            expected=f"the decimal places of the claimed number, {number}",
        )


def number_text(value: object, field: str) -> str:
    """The text of a number, unchanged, once it is known to be one."""
    if not isinstance(value, str):
        raise InputError(field=field, value=value, expected="the text of a number")
    if sign(as_number(value, field)) < 0:
        raise DomainError(field=field, value=value, expected="a number at least 0")
    return value


def member(value: object, field: str, allowed: tuple[str, ...]) -> None:
    """Refuse a text that is none of these."""
    if value not in allowed:
        raise InputError(field=field, value=value, expected=" or ".join(allowed))


def listed_mechanisms(values: object) -> Iterable[object]:
    """Mechanisms in a list or the like: each is there as often as it was put in, and whole.

    Raises:
        InputError: a mapping, a set, or an array: of these, keys alone or a part would be read.
    """
    is_text = isinstance(values, str | bytes | bytearray | memoryview | range)
    is_record = hasattr(values, "_fields")
    if isinstance(values, Sequence | Iterator | ValuesView) and not (is_text or is_record):
        return values
    raise InputError(
        field="ledger",
        value=type(values).__name__,
        expected="a Ledger, a list of mechanisms, or a table with the columns of a ledger",
        remedy=_CURES.get(type(values).__name__)
        or "pass a list of tuples (epsilon, delta, count), or a table",
    )


_CURES: Final = {
    "dict": "pass a list of tuples (epsilon, delta, count), or of rows such as "
    "{'epsilon': '0.1', 'count': 52}",
    "Counter": "pass [(epsilon, 0, count) for epsilon, count in counter.items()]",
    "Series": "pass series.tolist() if each value is the ε of one mechanism, or else the table",
    "ndarray": "pass array.tolist() if each value is the ε of one mechanism, or a list of tuples",
    "LazyFrame": "pass frame.collect()",
    "set": "pass a list: a set keeps one of equal mechanisms",
}

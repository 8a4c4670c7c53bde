r"""Shapes of JSON values: objects with exactly these keys, arrays, strings, numbers of a range.

Rules of this file: what has the wrong shape is malformed; the message says what it was to be.

Sources: certs/SPEC.md, sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from .enclosures import sign
from .numbers import Number, parse_canonical
from .outcomes import MalformedError, shown
from .strict_json import Json


def members(
    value: Json, required: Iterable[str], what: str, optional: Iterable[str] = ()
) -> dict[str, Json]:
    """An object that has the required keys, may have the optional ones, and has no others."""
    if not isinstance(value, dict):
        raise MalformedError(f"{what} is not an object")
    for key in value:
        if key not in required and key not in optional:
            raise MalformedError(f"{what}: unknown key {shown(key)}")
    for key in required:
        if key not in value:
            raise MalformedError(f"{what}: missing key {key}")
    return value


def array(value: Json, what: str) -> list[Json]:
    """An array."""
    if not isinstance(value, list):
        raise MalformedError(f"{what} is not an array")
    return value


def string(value: Json, what: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise MalformedError(f"{what} is not a string")
    return value


def one_of(value: Json, choices: Iterable[str], what: str) -> str:
    """A string out of a few."""
    text = string(value, what)
    if text not in choices:
        raise MalformedError(f"{what} is not one of {', '.join(choices)}: {shown(text)}")
    return text


def not_negative(number: Number, what: str) -> Number:
    """A number >= 0."""
    if sign(number) < 0:
        raise MalformedError(f"{what} is negative")
    return number


def rational(number: Number, what: str) -> Fraction:
    """A rational of [0, 1]."""
    if number.logs or not 0 <= number.rational <= 1:
        raise MalformedError(f"{what} is not a rational from 0 to 1")
    return number.rational


def exact_rational(value: Json, what: str) -> Fraction:
    """A rational at least 0, in canonical text."""
    number = parse_canonical(string(value, what))
    if number.logs or number.rational < 0:
        raise MalformedError(f"{what} is not a rational at least 0")
    return number.rational

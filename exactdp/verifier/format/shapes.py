r"""Shapes of JSON values: an object with these keys, an array, a string, a number of a range.

Rules of this file: a value that passes is of its type and within its range, so that nothing that
is read needs to ask again; every other is malformed.

Sources: certs/SPEC.md, sections 1 to 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from .numbers import Number, parse_canonical, parse_integer
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


def integer(value: Json, least: int, most: int, what: str) -> int:
    """An integer of a range, in canonical text."""
    return parse_integer(string(value, what), least, most, what)


def increasing(values: list[int], what: str) -> list[int]:
    """Integers that increase."""
    if any(after <= before for before, after in pairwise(values)):
        raise MalformedError(f"{what} are not increasing")
    return values


def rational(value: Json, what: str) -> Fraction:
    """A rational at least 0, in canonical text."""
    number = parse_canonical(string(value, what))
    if number.logs or number.rational < 0:
        raise MalformedError(f"{what} is not a rational at least 0")
    return number.rational


def probability(number: Number, what: str) -> Fraction:
    """A number that is a rational of [0, 1]."""
    if number.logs or not 0 <= number.rational <= 1:
        raise MalformedError(f"{what} is not a rational from 0 to 1")
    return number.rational

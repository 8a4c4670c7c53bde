r"""Numbers as a column of binary fractions holds them, beside literals that are rounded too.

Rules of this file: a comparison holds for a number if it does in some database, whatever the type
of its column; what is true of one database is never concluded from another.

Theory of operation: a column holds a number as it is, or rounded to 53 or to 24 bits (IEEE 754
binary64 and binary32, ties to even). A literal beside it is taken as it is or as a binary64, and
beside a binary32 as one in some databases. So 0.1 in a column of single precision is greater than
0.1. Rounding keeps the order of numbers, so that of the numbers 0 … size - 1 those on one side of a
literal are found by bisection. Whole numbers up to 2^24 are not rounded.

Sources: IEEE 754-2019, section 3.4.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

from sqlglot import expressions as exp

from exactdp.workloads.coverage import Coverage

_Rounding = Callable[[Fraction], Fraction]
_WHOLE: Final = 1 << 24
"""The whole numbers below are binary fractions of 24 bits, and so is this one."""


def as_is(number: Fraction) -> Fraction:
    """A number that is not rounded."""
    return number


@lru_cache(maxsize=1 << 14)
def as_double(number: Fraction) -> Fraction:
    """The nearest binary64."""
    return _nearest(number, 53, -1074, 1024)


@lru_cache(maxsize=1 << 14)
def as_single(number: Fraction) -> Fraction:
    """The nearest binary32.

    >>> as_single(Fraction(1, 10)) > Fraction(1, 10), as_single(Fraction(5, 2))
    (True, Fraction(5, 2))
    """
    return _nearest(number, 24, -149, 128)


def _nearest(number: Fraction, bits: int, least: int, beyond: int) -> Fraction:
    if not number:
        return number
    size = abs(number)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - bits + 1, least)
    infinity = Fraction(2) ** beyond
    return max(-infinity, min(round(number / unit) * unit, infinity))


READINGS: Final[Sequence[tuple[_Rounding, _Rounding]]] = (
    (as_double, as_double),
    (as_single, as_single),
    (as_single, as_double),
    (as_single, as_is),
    (as_double, as_is),
)
"""What a database compares: a number of a column, and a literal, besides both as they are."""


def rounded_among(
    kind: type[exp.Expression], numbers: Sequence[Fraction] | int, literal: Fraction
) -> Coverage:
    """The numbers of which a comparison holds in some database that rounds.

    Args:
        kind: the comparison.
        numbers: those that a row may have; of a whole number, all from 0 to below it.
        literal: what they are compared with.

    >>> tenths = [Fraction(1, 10), Fraction(2, 10)]
    >>> rounded_among(exp.GT, tenths, Fraction(1, 10)).ranges
    ((0, 2),)
    """
    if as_single(literal) == literal and _are_exact(numbers, literal):
        return Coverage.of([])
    found = (
        pair
        for stored, taken in READINGS
        for pair in _ranges(kind, numbers, stored, taken(literal))
    )
    return Coverage.of(found)


def _are_exact(numbers: Sequence[Fraction] | int, literal: Fraction) -> bool:
    """Whether rounding moves none of the numbers to the other side of a literal that stays."""
    if isinstance(numbers, int):
        return numbers <= _WHOLE or abs(literal) < _WHOLE
    return all(as_single(number) == number for number in numbers)


def _ranges(
    kind: type[exp.Expression],
    numbers: Sequence[Fraction] | int,
    stored: _Rounding,
    literal: Fraction,
) -> Iterator[tuple[int, int]]:
    if isinstance(numbers, int):
        every = range(numbers)
        start = bisect_left(every, literal, key=lambda number: stored(Fraction(number)))
        end = bisect_right(every, literal, key=lambda number: stored(Fraction(number)))
        yield from _SIDES[kind](start, end, numbers)
        return
    for place, number in enumerate(numbers):
        held = stored(number)
        if _HOLDS[kind]((held > literal) - (held < literal)):
            yield place, place + 1


_SIDES: Final[dict[type[exp.Expression], Callable[[int, int, int], list[tuple[int, int]]]]] = {
    exp.EQ: lambda start, end, _: [(start, end)],
    exp.NEQ: lambda start, end, size: [(0, start), (end, size)],
    exp.LT: lambda start, _, __: [(0, start)],
    exp.LTE: lambda _, end, __: [(0, end)],
    exp.GT: lambda _, end, size: [(end, size)],
    exp.GTE: lambda start, _, size: [(start, size)],
}
"""The numbers of which a comparison holds, if those from start to end are equal to the literal."""
_HOLDS: Final[dict[type[exp.Expression], Callable[[int], bool]]] = {
    exp.EQ: lambda sign: sign == 0,
    exp.NEQ: lambda sign: sign != 0,
    exp.LT: lambda sign: sign < 0,
    exp.LTE: lambda sign: sign <= 0,
    exp.GT: lambda sign: sign > 0,
    exp.GTE: lambda sign: sign >= 0,
}

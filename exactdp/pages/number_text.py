r"""Numbers as a person reads them.

Rules of this file: a printed number is exact, or rounded in the direction that its place states.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    decimal_text,
    enclose_in_decimals,
    round_above,
    round_below,
    scientific_above,
    scientific_below,
    scientific_text,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber

_LONGEST_EXACT: Final = 60
_SHOWN: Final = 30
_PLACES: Final = 10
_SIGNIFICANT: Final = 20
_GREATEST_PLAIN: Final = mpq(10**40)


def grouped(count: int) -> str:
    """A count with its digits in groups of three.

    >>> grouped(1000000)
    '1 000 000'
    """
    return f"{count:,}".replace(",", " ")


def exact_text(number: ExactNumber) -> str:
    """An exact number, or its beginning and how long it is if nobody would read it."""
    return abridged(_in_powers(number.rational) if number.is_rational else str(number))


def rational_text(number: mpq) -> str:
    """As :func:`exact_text`, for a rational.

    >>> rational_text(mpq(1, 2**40)), rational_text(mpq(1, 10**6))
    ('2^-40', '1e-6')
    """
    return exact_text(ExactNumber(number))


def abridged(text: str) -> str:
    """A text, or its beginning and how long it is if nobody would read it."""
    if len(text) <= _LONGEST_EXACT:
        return text
    return f"{text[:_SHOWN]}… ({grouped(len(text))} characters; --json prints them all)"


def _in_powers(value: mpq) -> str:
    bits = value.denominator.bit_length() - 1
    is_power = value.numerator == 1 and value.denominator == 1 << bits
    return f"2^-{bits}" if is_power and bits > 16 else short_text(value)


def bounds_text(lower: mpq, upper: mpq) -> tuple[str, str]:
    """Decimals around a number, exact but where their digits before the point are absurdly many."""
    if upper < _GREATEST_PLAIN:
        return aligned(decimal_text(lower), decimal_text(upper))
    return scientific_below(lower, _SIGNIFICANT), scientific_above(upper, _SIGNIFICANT)


def exact_and_decimal(number: ExactNumber) -> str:
    """An exact ε, and a decimal not below it unless it is a short decimal itself.

    >>> exact_and_decimal(ExactNumber.parse("2*ln(3)"))
    'ε = 2*ln(3), at most 2.1972245774'
    """
    text = exact_text(number)
    if number.is_rational and len(text) <= _SHOWN and "/" not in text:
        return f"ε = {text}"
    _, upper = bounds_text(*enclose_in_decimals(number, _PLACES))
    return f"ε = {text}, at most {upper}"


def epsilon_above(number: ExactNumber) -> str:
    """A decimal not below an ε, exact where it is short."""
    return decimal_text(enclose_in_decimals(number, _PLACES)[1])


def outward(lower: mpq, upper: mpq, tolerance: mpq, digits: int) -> tuple[str, str]:
    """Decimals around an interval, not wider than ``tolerance`` relative to its lower end.

    >>> outward(mpq(1, 3), mpq(1, 3), mpq(1, 1000), 5)
    ('0.33333', '0.33334')
    """
    low, high = lower, upper
    for more in range(digits, digits + 24, 4):  # once, unless the interval is as wide as allowed
        low, high = round_below(lower, more), round_above(upper, more)
        if high - low <= tolerance * low:
            break
    return aligned(scientific_text(low), scientific_text(high))


def aligned(lower: str, upper: str) -> tuple[str, str]:
    """Two decimals with as many places as the longer of them.

    >>> aligned("0.035097126129", "0.03509712613")
    ('0.035097126129', '0.035097126130')
    """
    if lower == upper:
        return lower, upper
    split: Sequence[tuple[str, str, str]] = [text.partition("e") for text in (lower, upper)]
    if split[0][2] != split[1][2]:
        return lower, upper
    places = max(len(mantissa.partition(".")[2]) for mantissa, _, _ in split)
    first, second = (
        f"{whole}.{fraction:0<{places}}{mark}{exponent}" if places else f"{whole}{mark}{exponent}"
        for (mantissa, mark, exponent) in split
        for whole, _, fraction in [mantissa.partition(".")]
    )
    return first, second


def epsilon_of(number: ExactNumber, *, up: bool) -> str:
    """An ε in a sentence: exact if short, else rounded so that the sentence stays true."""
    text = shortest_text(number)
    if len(text) <= _SHOWN:
        return text
    end = enclose_in_decimals(number, _PLACES * 4)[up]
    return (scientific_above if up else scientific_below)(end, _SIGNIFICANT)


def delta_of(delta: mpq, *, up: bool) -> str:
    """A δ in a sentence, as :func:`epsilon_of`."""
    text = _in_powers(delta)
    if len(text) <= _SHOWN:
        return text
    return (scientific_above if up else scientific_below)(delta, _SIGNIFICANT)


def float_of(value: mpq) -> float:
    """A number that is near enough for the eye."""
    return int(value.numerator) / int(value.denominator)


def log_of(value: mpq) -> float:
    """The decimal logarithm of a number that may be too small for a float."""
    return math.log10(int(value.numerator)) - math.log10(int(value.denominator))

r"""Decimals with a direction, and short lossless text.

Rules of this file: a lower end is rounded down and an upper end up; what is printed without a
direction is exact.
"""

from __future__ import annotations

from gmpy2 import mpq, mpz, remove

from exactdp.arithmetic.enclosures import ball, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber

_SHORT_DIGITS = 17


def floor_to(value: mpq, places: int) -> mpq:
    """The greatest multiple of 10^-places not above ``value``."""
    scale = mpz(10) ** places
    return mpq(value * scale // 1, scale)


def ceil_to(value: mpq, places: int) -> mpq:
    """The least multiple of 10^-places not below ``value``."""
    return -floor_to(-value, places)


def places_within(tolerance: mpq) -> int:
    """The least number of places p >= 0 with 10^-p <= ``tolerance``.

    >>> places_within(mpq(1, 10**9)), places_within(mpq(3, 1000)), places_within(mpq(5))
    (9, 3, 0)
    """
    places = max(0, -floor_log10(tolerance) - 1)
    while mpq(1, mpz(10) ** places) > tolerance:
        places += 1
    return places


def floor_log10(value: mpq) -> int:
    """The greatest n with 10^n <= ``value``, for value > 0."""
    estimate = (value.numerator.bit_length() - value.denominator.bit_length()) * 30103 // 100000 - 1
    while power_of_ten(estimate + 1) <= value:
        estimate += 1
    return estimate


def power_of_ten(exponent: int) -> mpq:
    """10^exponent, exactly."""
    return mpq(mpz(10) ** exponent) if exponent >= 0 else mpq(1, mpz(10) ** -exponent)


def decimal_text(value: mpq) -> str:
    """A terminating decimal in positional notation, exactly.

    Raises:
        ValueError: the decimals of ``value`` never end.

    >>> decimal_text(mpq(1, 8)), decimal_text(mpq(-5, 2)), decimal_text(mpq(7))
    ('0.125', '-2.5', '7')
    """
    digits, places = _digits_and_places(value)
    sign = "-" if value < 0 else ""
    if not places:
        return sign + digits
    digits = digits.rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def scientific_text(value: mpq) -> str:
    """A terminating decimal, exactly, in positional notation unless an exponent reads better.

    Raises:
        ValueError: the decimals of ``value`` never end.

    >>> scientific_text(mpq(1, 10**6)), scientific_text(mpq(11, 100))
    ('1e-6', '0.11')
    """
    digits, places = _digits_and_places(value)
    exponent = len(digits) - 1 - places if value else 0
    if -5 < exponent < 17:
        return decimal_text(value)
    first, rest = digits[0], digits[1:].rstrip("0")
    mantissa = f"{first}.{rest}" if rest else first
    return f"{'-' if value < 0 else ''}{mantissa}e{exponent}"


def short_text(value: mpq) -> str:
    """A rational, exactly: a decimal if it has one of few digits, else a fraction.

    >>> short_text(mpq(1, 10**6)), short_text(mpq(1, 3)), short_text(mpq(1, 2**64))
    ('1e-6', '1/3', '1/18446744073709551616')
    """
    if _terminating_places(value) is None:
        return str(value)
    digits, _ = _digits_and_places(value)
    return str(value) if len(digits.rstrip("0")) > _SHORT_DIGITS else scientific_text(value)


def shortest_text(number: ExactNumber) -> str:
    """A number of the grammar, exactly, with its rationals as short as they come."""
    return short_text(number.rational) if number.is_rational else str(number)


def scientific_below(value: mpq, significant: int) -> str:
    """A decimal of at most ``significant`` digits not above ``value``.

    >>> scientific_below(mpq(2, 3), 4), scientific_below(mpq(1, 3 * 10**9), 4)
    ('0.6666', '3.333e-10')
    """
    return scientific_text(round_below(value, significant))


def scientific_above(value: mpq, significant: int) -> str:
    """A decimal of at most ``significant`` digits not below ``value``."""
    return scientific_text(round_above(value, significant))


def round_below(value: mpq, significant: int) -> mpq:
    """The greatest decimal of ``significant`` significant digits not above ``value``."""
    if not value:
        return value
    step = power_of_ten(floor_log10(abs(value)) - significant + 1)
    return value // step * step


def round_above(value: mpq, significant: int) -> mpq:
    """The least decimal of ``significant`` significant digits not below ``value``."""
    return -round_below(-value, significant)


def enclose_in_decimals(number: ExactNumber, places: int) -> tuple[mpq, mpq]:
    """Decimals of ``places`` places below and above ``number``, at most two units apart."""
    if number.is_rational:
        return floor_to(number.rational, places), ceil_to(number.rational, places)
    bits = places * 4 + 64
    while True:
        with precision(bits):
            value = ball(number)
        low, high = floor_to(lower_end(value), places), ceil_to(upper_end(value), places)
        if high - low <= mpq(2, mpz(10) ** places):
            return low, high
        bits *= 2


def _digits_and_places(value: mpq) -> tuple[str, int]:
    places = _terminating_places(value)
    if places is None:
        raise ValueError("the decimals never end")
    return str(abs(value.numerator) * (mpz(10) ** places // value.denominator)), places


def _terminating_places(value: mpq) -> int | None:
    """The number of decimal places of ``value``, or None if its decimals never end."""
    rest, twos = remove(value.denominator, mpz(2)) if value.denominator > 1 else (mpz(1), 0)
    rest, fives = remove(rest, mpz(5)) if rest > 1 else (mpz(1), 0)
    return max(twos, fives) if rest == 1 else None

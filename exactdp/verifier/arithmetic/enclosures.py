r"""Enclosures of logarithms, exponentials and Δ, in integers.

Rules of this file: an enclosure of a real v at b bits is a pair of integers with
lo <= v·2^b <= hi, proved by rounding every lo down and every hi up; ``>>`` and ``//`` round down,
:func:`ceil_shift` and :func:`ceil_div` round up. Bits and guard bits decide how close an enclosure
is, never whether it holds. Nothing that an input can choose is looked up by its hash.

Theory of operation: logarithms by the series of artanh at an argument of at most 1/3, or, where
that would be long, of a root of the argument; exponentials by Taylor's series at an argument of at
most 1/2; each with its remainder bounded by a geometric series.

Sources: certs/SPEC.md, sections 6.1 and 6.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

from ..format.numbers import Number
from ..format.outcomes import RejectedError

Enclosure: TypeAlias = tuple[int, int]

MAX_DIGITS: Final = 20_000
_MAX_EXPONENT: Final = 2**23  # of 2 in an exponential
_LONG_ARGUMENT: Final = 512
_LONG_SERIES: Final = 1024
_GUARD: Final = 40
_MAX_COEFFICIENT_GUARD: Final = 256


def bits_for(digits: int) -> int:
    """Bits that are at least as fine as ``digits`` decimal digits (10/3 > log2(10))."""
    return digits * 10 // 3 + 1


def ceil_div(dividend: int, divisor: int) -> int:
    """The quotient rounded up, for divisor > 0."""
    return -(-dividend // divisor)


def ceil_shift(value: int, bits: int) -> int:
    """The value divided by 2^bits, rounded up."""
    return -(-value >> bits)


# --- logarithms ---------------------------------------------------------------------------------


def _artanh(above: int, below: int, bits: int) -> Enclosure:
    """artanh(t) = t + t^3/3 + t^5/5 + … for t = above/below from 0 to 1/3."""
    low, high = (above << bits) // below, ceil_div(above << bits, below)
    if below.bit_length() > bits:  # no longer than the terms need
        return _artanh_fixed(low, high, bits)
    square, square_below = above**2, below**2
    sum_low = sum_high = 0
    odd = 1
    while high > 1:
        sum_low += low // odd
        sum_high += ceil_div(high, odd)
        low = low * square // square_below
        high = ceil_div(high * square, square_below)
        odd += 2
    return sum_low, sum_high + 2 * high  # the rest is at most high/(1 - t^2) <= 9/8·high


def _artanh_fixed(low: int, high: int, bits: int) -> Enclosure:
    """artanh(t) for low <= t·2^bits <= high, t from 0 to 1/3."""
    square_low, square_high = low * low >> bits, ceil_shift(high * high, bits)
    sum_low = sum_high = 0
    odd = 1
    while high > 1:
        sum_low += low // odd
        sum_high += ceil_div(high, odd)
        low = low * square_low >> bits
        high = ceil_shift(high * square_high, bits)
        odd += 2
    return sum_low, sum_high + 2 * high


@lru_cache(maxsize=64)
def _ln2(bits: int) -> Enclosure:
    low, high = _artanh(1, 3, bits)
    return 2 * low, 2 * high


def enclose_ln(ratio: Fraction, bits: int) -> Enclosure:
    r"""The logarithm of a rational r >= 1."""
    return _known_ln(f"{ratio.numerator:x}/{ratio.denominator:x}", bits)


@lru_cache(maxsize=1024)
def _known_ln(ratio: str, bits: int) -> Enclosure:
    """The same, remembered by the text of the ratio: a text's hash cannot be foreseen."""
    above, below = (int(part, 16) for part in ratio.split("/"))
    if bits > _LONG_SERIES and above.bit_length() + below.bit_length() > _LONG_ARGUMENT:
        return _ln_by_roots(above, below, bits)
    m = above.bit_length() - below.bit_length()  # 1/2 < r/2^m < 2
    if 3 * above > 4 * (below << m):
        m += 1
    elif 3 * above < 2 * (below << m):
        m -= 1
    below <<= m
    low, high = _artanh(abs(above - below), above + below, bits)
    if above < below:
        low, high = -high, -low
    ln2_low, ln2_high = _ln2(bits)
    return m * ln2_low + 2 * low, m * ln2_high + 2 * high


def _ln_by_roots(above: int, below: int, bits: int) -> Enclosure:
    """m·ln 2 + 2^h·ln y for y = (r/2^m)^(1/2^h), 1 <= r/2^m < 2, with h of the order of √bits."""
    m = above.bit_length() - below.bit_length()
    m -= above < below << m
    h = math.isqrt(bits) // 2
    work = bits + h + _GUARD
    scaled = above << work
    low, high = scaled // (below << m), ceil_div(scaled, below << m)
    for _ in range(h):
        low, high = math.isqrt(low << work), math.isqrt(high << work) + 1
    one = 1 << work  # with t = (y - 1)/(y + 1), ln y = 2 artanh(t)
    t_low, t_high = (low - one << work) // (low + one), ceil_div(high - one << work, high + one)
    low, high = _artanh_fixed(max(t_low, 0), t_high, work)
    ln2_low, ln2_high = _ln2(bits)
    low, high = low << h + 1 >> work - bits, ceil_shift(high << h + 1, work - bits)
    return m * ln2_low + low, m * ln2_high + high


def enclose(number: Number, bits: int) -> Enclosure:
    """The value of a number."""
    coefficient_bits = max(
        (c.numerator.bit_length() - c.denominator.bit_length() for c, _ in number.logs), default=0
    )
    guard = _GUARD + min(max(coefficient_bits, 0), _MAX_COEFFICIENT_GUARD)
    above, below = number.rational.numerator << (bits + guard), number.rational.denominator
    low, high = above // below, ceil_div(above, below)
    for c, r in number.logs:
        ends = enclose_ln(r, bits + guard)
        ln_low, ln_high = ends if c > 0 else ends[::-1]
        low += c.numerator * ln_low // c.denominator
        high += ceil_div(c.numerator * ln_high, c.denominator)
    return low >> guard, ceil_shift(high, guard)


def enclose_rationals(terms: Iterable[tuple[int, Fraction]], bits: int) -> Enclosure:
    """The sum of count times value, term by term: exactly it may be as long as all together."""
    low = high = 0
    for count, value in terms:
        above = count * value.numerator << bits
        low += above // value.denominator
        high += ceil_div(above, value.denominator)
    return low, high


# --- exponentials -------------------------------------------------------------------------------


def exp_floating(argument: Enclosure, bits: int) -> tuple[int, int, int]:
    """(lo, hi, k) with lo·2^k <= e^x·2^bits <= hi·2^k for all x in the argument.

    With x = k·ln 2 + y the series is needed only for y from 0 to about ln 2.
    """
    low, high = argument
    if abs(low) >> bits >= _MAX_EXPONENT or high - low >= 1 << (bits - 4):
        raise RejectedError("an exponential that is too large, or of an argument too uncertain")
    guard = _MAX_EXPONENT.bit_length() + _GUARD
    ln2_low, ln2_high = _ln2(bits + guard)
    low, high = low << guard, high << guard
    k = low // (ln2_high if low >= 0 else ln2_low)  # so that low - k·ln 2 >= 0
    low -= k * (ln2_high if k >= 0 else ln2_low)
    high -= k * (ln2_low if k >= 0 else ln2_high)
    low, high = _exp_series(low, high, bits + guard)
    return low >> guard, ceil_shift(high, guard), k


def _exp_series(low: int, high: int, bits: int) -> Enclosure:
    """e^x for low/2^bits <= x <= high/2^bits from 0 to 1: the series at x/2^h, squared h times."""
    h = math.isqrt(bits) // 2 + 1
    work = bits + h + _GUARD
    low, high = low << _GUARD, high << _GUARD  # x/2^h, exactly
    term_low = term_high = sum_low = sum_high = 1 << work
    n = 1
    while term_high > 1:
        term_low = (term_low * low >> work) // n
        term_high = ceil_div(ceil_shift(term_high * high, work), n)
        sum_low += term_low
        sum_high += term_high
        n += 1
    sum_high += 2 * term_high  # the rest, which falls at least by halves
    for _ in range(h):
        sum_low = sum_low * sum_low >> work
        sum_high = ceil_shift(sum_high * sum_high, work)
    return sum_low >> (work - bits), ceil_shift(sum_high, work - bits)


def exp_fixed(argument: Enclosure, bits: int) -> Enclosure:
    """e^x for an argument enclosed at ``bits`` bits that is not far above 0."""
    if argument[1] >> bits < -bits:  # e^x < 2^-bits
        return 0, 1
    low, high, k = exp_floating(argument, bits)
    return (low << k, high << k) if k >= 0 else (low >> -k, ceil_shift(high, -k))


# --- Δ ------------------------------------------------------------------------------------------


def enclose_delta(
    delta: Fraction, failures: Iterable[tuple[Fraction, int]], bits: int
) -> Enclosure:
    r"""Δ = 1 - (1 - δ)/∏(1 - δ_i)^{count_i}, for pairs of δ_i and its count."""
    parts = list(failures)
    work = bits + _GUARD + 2 * sum(count for _, count in parts).bit_length()
    one = 1 << work
    low = high = one
    for loss, count in parts:
        power_low, power_high = _power(1 - loss, count, work)
        low = low * power_low >> work
        high = ceil_shift(high * power_high, work)
    if not low:
        raise RejectedError("too few digits: the product of the 1 - δ_i may be 0")
    above, below = (1 - delta).numerator << (bits + work), (1 - delta).denominator
    return (1 << bits) - ceil_div(above, below * low), (1 << bits) - above // (below * high)


def _power(base: Fraction, exponent: int, bits: int) -> Enclosure:
    """base^exponent by squaring, for 0 < base <= 1."""
    scaled = base.numerator << bits
    square_low, square_high = scaled // base.denominator, ceil_div(scaled, base.denominator)
    low = high = 1 << bits
    while exponent:
        if exponent & 1:
            low, high = low * square_low >> bits, ceil_shift(high * square_high, bits)
        square_low = square_low * square_low >> bits
        square_high = ceil_shift(square_high * square_high, bits)
        exponent >>= 1
    return low, high

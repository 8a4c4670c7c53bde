r"""Enclosures of logarithms, exponentials, π and Δ, in integers.

Rules of this file: an enclosure of a real v at b bits is a pair of integers with
lo <= v·2^b <= hi, proved by rounding every lo down and every hi up; ``>>`` and ``//`` round down,
:func:`ceil_shift` and :func:`ceil_div` round up. Bits and guard bits decide how close an enclosure
is, never whether it holds. Nothing that an input can choose is looked up by its hash.

Theory of operation: logarithms by the series of artanh, of a root of the argument; exponentials by
Taylor's series, of a fraction of the argument; each with its rest bounded by a geometric series.

Sources: certs/SPEC.md, sections 6.1 and 6.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Final, TypeAlias

from ..format.meter import of_division, of_product, of_series, pay, remembered
from ..format.numbers import Number, size
from ..format.outcomes import RejectedError

Enclosure: TypeAlias = tuple[int, int]

MAX_DIGITS: Final = 20_000
_MAX_EXPONENT: Final = 2**23  # of 2 in an exponential
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


def enclose_ln(ratio: Fraction, bits: int) -> Enclosure:
    """The logarithm of a rational r >= 1."""
    return _known_ln(f"{ratio.numerator:x}/{ratio.denominator:x}", bits)


@remembered(1024)
def _known_ln(ratio: str, bits: int) -> Enclosure:
    """The logarithm, remembered by the text of the ratio: a text's hash cannot be foreseen.

    With 1 <= r/2^m < 2 it is m·ln 2 + ln(r/2^m).
    """
    above, below = (int(part, 16) for part in ratio.split("/"))
    m = above.bit_length() - below.bit_length()
    m -= above < below << m
    low, high = _ln_by_roots(above, below << m, bits)
    ln2_low, ln2_high = _ln2(bits) if m else (0, 0)
    return m * ln2_low + low, m * ln2_high + high


@remembered(64)
def _ln2(bits: int) -> Enclosure:
    return _ln_by_roots(2, 1, bits)


def _ln_by_roots(above: int, below: int, bits: int) -> Enclosure:
    """Of r = above/below from 1 to 2: 2^h·ln y for y = r^(1/2^h), with h of the order of √bits.

    With t = (y - 1)/(y + 1), which is at most 1/5, ln y = 2·artanh(t) = 2(t + t³/3 + t⁵/5 + …).
    """
    pay(of_series(bits) + of_division(bits + above.bit_length()))
    h = math.isqrt(bits) // 2 + 1
    work = bits + h + _GUARD
    low, high = (above << work) // below, ceil_div(above << work, below)
    for _ in range(h):
        low, high = math.isqrt(low << work), math.isqrt(high << work) + 1
    one = 1 << work
    low, high = (low - one << work) // (low + one), ceil_div(high - one << work, high + one)
    square_low, square_high = low * low >> work, ceil_shift(high * high, work)
    sum_low = sum_high = 0
    odd = 1
    while high > 1:
        sum_low += low // odd
        sum_high += ceil_div(high, odd)
        low = low * square_low >> work
        high = ceil_shift(high * square_high, work)
        odd += 2
    sum_high += 2 * high  # the rest is at most high/(1 - t²)
    return sum_low << h + 1 >> work - bits, ceil_shift(sum_high << h + 1, work - bits)


def enclose_exact(value: Fraction, bits: int) -> Enclosure:
    """The value of a rational."""
    pay(of_division(bits + size(value)))
    scaled = value.numerator << bits
    return scaled // value.denominator, ceil_div(scaled, value.denominator)


def enclose(number: Number, bits: int) -> Enclosure:
    """The value of a number."""
    sizes = [c.numerator.bit_length() - c.denominator.bit_length() for c, _ in number.logs]
    guard = _GUARD + min(max([0, *sizes]), _MAX_COEFFICIENT_GUARD)
    low, high = enclose_exact(number.rational, bits + guard)
    for c, r in number.logs:
        pay(of_division(bits + guard + size(c)))
        ends = enclose_ln(r, bits + guard)
        ln_low, ln_high = ends if c > 0 else ends[::-1]
        low += c.numerator * ln_low // c.denominator
        high += ceil_div(c.numerator * ln_high, c.denominator)
    return low >> guard, ceil_shift(high, guard)


def enclose_rationals(terms: Iterable[tuple[int, Fraction]], bits: int) -> Enclosure:
    """The sum of count times value, term by term: exactly it may be as long as all together."""
    return total(*(enclose_exact(count * value, bits) for count, value in terms))


def fixed_power(base: Enclosure, exponent: int, bits: int) -> Enclosure:
    """The power of a value >= 0."""
    pay(4 * exponent.bit_length() * of_product(bits))
    low = high = 1 << bits
    for bit in f"{exponent:b}":
        low, high = low * low >> bits, ceil_shift(high * high, bits)
        if bit == "1":
            low, high = low * max(0, base[0]) >> bits, ceil_shift(high * base[1], bits)
    return low, high


def total(*parts: Enclosure) -> Enclosure:
    """The sum."""
    return sum(low for low, _ in parts), sum(high for _, high in parts)


# --- exponentials -------------------------------------------------------------------------------


def exp_floating(argument: Enclosure, bits: int) -> tuple[int, int, int]:
    """(lo, hi, k) with lo·2^k <= e^x·2^bits <= hi·2^k for all x in the argument.

    With x = k·ln 2 + y the series is needed only for y from 0 to about ln 2.
    """
    low, high = argument
    if abs(low) >> bits >= _MAX_EXPONENT or high - low >= 1 << (bits - 4):
        raise RejectedError("an exponential that is too large, or of an argument too uncertain")
    pay(of_series(bits))
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
        term_high = -((-term_high * high >> work) // n)
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
    pay(max(k, 0))
    return (low << k, high << k) if k >= 0 else (low >> -k, ceil_shift(high, -k))


# --- π ------------------------------------------------------------------------------------------


@remembered(16)
def enclose_pi(bits: int) -> Enclosure:
    """π = 6·arcsin(1/2) = Σ_n t_n/(2n + 1), t_0 = 3 and t_{n+1} = t_n·(2n + 1)/(8n + 8).

    Each t_n is off by less than 2 units, what is added by less than 3, and the rest is below one.
    """
    pay(bits * (400 + bits // 4))
    work = bits + _GUARD
    term, value, n = 3 << work, 0, 0
    while term:
        value += term // (2 * n + 1)
        term = term * (2 * n + 1) // (8 * n + 8)
        n += 1
    return value >> _GUARD, ceil_shift(value + 3 * n + 3, _GUARD)


# --- Δ ------------------------------------------------------------------------------------------


def enclose_delta(
    delta: Fraction, failures: Iterable[tuple[Fraction, int]], bits: int
) -> Enclosure:
    r"""Δ = 1 - (1 - δ)/∏(1 - δ_i)^{count_i}, for pairs of δ_i and its count."""
    parts = list(failures)
    work = bits + _GUARD + 2 * sum(count for _, count in parts).bit_length()
    low = high = 1 << work
    for loss, count in parts:
        pay(2 * of_product(work))
        power_low, power_high = fixed_power(enclose_exact(1 - loss, work), count, work)
        low = low * power_low >> work
        high = ceil_shift(high * power_high, work)
    if not low:
        raise RejectedError("too few digits: the product of the 1 - δ_i may be 0")
    pay(2 * of_division(bits + work + size(delta)))
    above, below = (1 - delta).numerator << (bits + work), (1 - delta).denominator
    return (1 << bits) - ceil_div(above, below * low), (1 << bits) - above // (below * high)

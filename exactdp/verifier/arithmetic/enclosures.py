r"""Enclosures of logarithms, exponentials and Δ, and exact signs, in integers.

Rules of this file: an enclosure of a real v at b bits is a pair of integers with
lo <= v·2^b <= hi, proved by rounding every lo down and every hi up; ``>>`` and ``//`` round down,
:func:`ceil_shift` and :func:`ceil_div` round up. Bits and guard bits decide how close an enclosure
is, never whether it holds. A sign is exact, or the certificate is rejected.

Theory of operation: logarithms by the series of artanh at an argument of at most 1/3,
exponentials by Taylor's series at an argument of at most 1/2, each with its remainder bounded by
a geometric series. A sign is read off an enclosure that excludes 0; a value that is 0 is found by
writing it over logarithms of pairwise coprime integers, which are linearly independent over the
rationals (unique factorisation); a nonzero rational plus such a sum is never 0 (Lindemann).

Sources: certs/SPEC.md, sections 6.1, 6.2 and 6.4; Baker, "Transcendental Number Theory", Thm 1.4;
Bernstein, "Factoring into coprimes in essentially linear time", J. Algorithms 54, 2005.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

from ..format.numbers import Number, linear, size
from ..format.outcomes import RejectedError

Enclosure: TypeAlias = tuple[int, int]

MAX_DIGITS: Final = 20_000
_FIRST_BITS: Final = 128
_MAX_EXPONENT: Final = 2**23  # of 2 in an exponential
_MAX_TIE_LOGS: Final = 10_000
_MAX_TIE_BITS: Final = 2**22
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
    square_low, square_high, square_below = above**2, above**2, below**2
    if below.bit_length() > bits:  # no longer than the terms need
        square_low, square_high = low * low >> bits, ceil_shift(high * high, bits)
        square_below = 1 << bits
    sum_low = sum_high = 0
    odd = 1
    while high > 1:
        sum_low += low // odd
        sum_high += ceil_div(high, odd)
        low = low * square_low // square_below
        high = ceil_div(high * square_high, square_below)
        odd += 2
    return sum_low, sum_high + 2 * high  # the rest is at most high/(1 - t^2) <= 9/8·high


@lru_cache(maxsize=64)
def _ln2(bits: int) -> Enclosure:
    low, high = _artanh(1, 3, bits)
    return 2 * low, 2 * high


@lru_cache(maxsize=4096)
def enclose_ln(ratio: Fraction, bits: int) -> Enclosure:
    r"""The logarithm of a rational r >= 1, as m·ln 2 + 2·artanh(t) with 2/3 <= r/2^m <= 4/3."""
    above, below = ratio.numerator, ratio.denominator
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


def one_minus_exp(x: int, bits: int) -> int:
    """1 - e^{-x} from above, for x >= 0: x - x^2/2 + x^3/6 - …, up to a term that is added.

    The remainder of the series has the sign of its first term, which is subtracted.
    """
    if x >> bits:  # the terms would grow at first
        return (1 << bits) - exp_fixed((-x, -x), bits)[0]
    low = high = total = x
    n = 1
    while high > 1 or not n % 2:
        n += 1
        low = (low * x >> bits) // n
        high = ceil_div(ceil_shift(high * x, bits), n)
        total += high if n % 2 else -low
    return total


# --- signs --------------------------------------------------------------------------------------


def sign(number: Number) -> int:
    """-1, 0 or 1, exactly; above 20 000 digits (fewer for many logarithms) it gives up."""
    parts = [number.rational, *(c for c, _ in number.logs)]  # the logarithms are positive
    if min(parts) >= 0 or max(parts) <= 0:
        return (max(parts) > 0) - (min(parts) < 0)
    bits = _FIRST_BITS
    while True:
        low, high = enclose(number, bits)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        if bits == _FIRST_BITS and _is_zero(number):
            return 0
        bits *= 2
        if bits * bits * len(number.logs) > bits_for(MAX_DIGITS) ** 2:
            raise RejectedError("a sign cannot be decided within the limits")


def _is_zero(number: Number) -> bool:
    return not any(coordinates([number])[1][0])


def coordinates(numbers: Sequence[Number]) -> tuple[list[int], list[list[Fraction]]]:
    r"""A basis of pairwise coprime integers p > 1, and each number as a vector over 1 and the ln p.

    Two numbers are equal in value if and only if their vectors are.
    """
    ratios = {r for number in numbers for _, r in number.logs}
    if len(ratios) > _MAX_TIE_LOGS or sum(size(r) for r in ratios) > _MAX_TIE_BITS:
        raise RejectedError("too many logarithms to compare exactly")
    basis = coprime_basis({part for r in ratios for part in (r.numerator, r.denominator)})
    exponents = {r: _exponents(r, basis) for r in ratios}
    vectors = []
    for number in numbers:
        vector = [number.rational] + [Fraction(0)] * len(basis)
        for c, r in number.logs:
            for index, exponent in exponents[r].items():
                vector[index + 1] += c * exponent
        vectors.append(vector)
    return basis, vectors


def coprime_basis(integers: Iterable[int]) -> list[int]:
    """Pairwise coprime integers > 1 of which each given positive integer is a product of powers."""
    basis: list[int] = []
    waiting = sorted(integers)
    while waiting:
        new = waiting.pop()
        index = _sharing(new, basis)
        if index is not None:
            member = basis.pop(index)
            common = math.gcd(new, member)
            waiting += [common, _remove(new, common)[1], _remove(member, common)[1]]
        elif new > 1:
            basis.append(new)
    return sorted(basis)


def _sharing(new: int, basis: Sequence[int]) -> int | None:
    """The index of a member that shares a factor with ``new``."""
    shared = (index for index, member in enumerate(basis) if math.gcd(new, member) > 1)
    return next(shared, None)


def _exponents(ratio: Fraction, basis: Sequence[int]) -> Mapping[int, int]:
    exponents = {}
    for index, p in enumerate(basis):
        exponent = _remove(ratio.numerator, p)[0] - _remove(ratio.denominator, p)[0]
        if exponent:
            exponents[index] = exponent
    return exponents


def _remove(integer: int, p: int) -> tuple[int, int]:
    """The greatest e such that p^e divides ``integer``, and integer/p^e; p > 1."""
    if integer % p:
        return 0, integer
    e, rest = _remove(integer, p * p)  # by squares: e may be a million
    return (2 * e, rest) if rest % p else (2 * e + 1, rest // p)


# --- quantities of the rules --------------------------------------------------------------------


def ceil_quotient(number: Number, unit: Number) -> tuple[int, bool]:
    """The least a with a·unit >= number, and whether they are equal; number >= 0, unit > 0."""
    bits = _FIRST_BITS
    while (ends := enclose(unit, bits))[0] <= 0 or ends[1] - ends[0] > ends[0] >> 64:
        bits *= 2
        if bits > bits_for(MAX_DIGITS):
            raise RejectedError("the unit is too small")
    low, high = enclose(number, bits)
    a = max(low, 0) // ends[1]  # a·unit <= number, up to the width of the enclosures
    if ceil_div(high, ends[0]) - a > 2:
        raise RejectedError("a parameter is too many units")
    while (order := sign(linear([(a, unit), (-1, number)]))) < 0:
        a += 1
    return a, order == 0


def enclose_delta(delta: Fraction, losses: Mapping[Fraction, int], bits: int) -> Enclosure:
    r"""Δ = 1 - (1 - δ)/∏(1 - δ_i)^{count_i}, for ``losses`` that map δ_i to its count."""
    work = bits + _GUARD + 2 * sum(losses.values()).bit_length()
    one = 1 << work
    low = high = one
    for loss, count in losses.items():
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

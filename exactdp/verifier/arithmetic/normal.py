r"""The normal distribution in integers, and the privacy profile of a Gaussian mechanism.

Rules of this file: as in ``enclosures``: an enclosure is proved by rounding every lower end down
and every upper end up; the choice between two series decides only how much work there is.

Theory of operation: with Φ the normal distribution function let r(x) = e^{x²/2}·Φ(-x), x >= 0,
which falls from 1/2 to 0 with a slope of at least -1/2. Near 0 it is read off the power series

    r(x) = e^{x²/2}/2 - (x + x³/3 + x⁵/(3·5) + x⁷/(3·5·7) + …)/√(2π),

at bits enough for what the difference cancels; further out off Laplace's continued fraction

    r(x)·√(2π) = 1/(x + 1/(x + 2/(x + 3/(x + …)))),

in which every tail is above x, so that any tail may be replaced by the interval from x to ∞. The
profile G_μ(ε) = Φ(μ/2 - ε/μ) - e^ε·Φ(-μ/2 - ε/μ) is, with a = ε/μ - μ/2 and b = ε/μ + μ/2,

    G_μ(ε) = [a < 0] - [b < 0]·e^ε + e^{-a²/2}·(±r(|a|) ∓ r(|b|)),

as e^ε·e^{-b²/2} = e^{-a²/2}; the sign of each r(|v|) is that of v, that of b turned round. Its
slope in ε is -e^ε·Φ(-b), which lies between -1 and 0.

Sources: certs/SPEC.md, section 6.5; Balle & Wang, ICML 2018, Theorem 8; the continued fraction:
Laplace 1805, NIST Digital Library of Mathematical Functions 7.9.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Final

from ..format.meter import of_division, of_product, pay, remembered
from ..format.numbers import size
from .enclosures import (
    Enclosure,
    ceil_div,
    ceil_shift,
    enclose_exact,
    enclose_pi,
    exp_fixed,
    exp_floating,
)

_GUARD: Final = 40


def gaussian_profile(epsilon: Enclosure, square: Fraction, bits: int) -> Enclosure:
    """G_μ(ε) for all ε in an enclosure, of any sign, and μ² = ``square`` > 0.

    It is evaluated at the lower end; elsewhere it is lower, by no more than ε is higher.
    """
    low, high = _profile(Fraction(epsilon[0], 1 << bits), square, bits + _GUARD)
    return (low >> _GUARD) - (epsilon[1] - epsilon[0]), ceil_shift(high, _GUARD)


def _profile(epsilon: Fraction, square: Fraction, bits: int) -> Enclosure:
    pay(16 * of_division(2 * bits + size(epsilon) + size(square)))
    one = 1 << bits
    a, b = epsilon - square / 2, epsilon + square / 2  # times 1/μ
    low = high = one if a < 0 else 0
    if b < 0:
        odds_low, odds_high = exp_fixed(enclose_exact(epsilon, bits), bits)
        low, high = low - odds_high, high - odds_low
    least, most = enclose_exact(-a * a / square / 2, bits)
    factor_low, factor_high = exp_fixed((least, most), bits)
    if factor_high <= 1:  # as r is at most 1/2
        return low - 1, high + 1
    enough = beside(factor_high, bits)
    a_low, a_high = signed_tail(a, square, enough)
    b_low, b_high = signed_tail(b, square, enough)
    products = [
        factor * (a_end - b_end)
        for factor in (factor_low, factor_high)
        for a_end, b_end in ((a_low, b_high), (a_high, b_low))
    ]
    return low + (min(products) >> enough), high + ceil_shift(max(products), enough)


def beside(factor: int, bits: int) -> int:
    """The bits of r that matter beside a factor of at most factor/2^bits."""
    return min(bits, factor.bit_length() + _GUARD)


def signed_tail(scaled: Fraction, square: Fraction, bits: int) -> Enclosure:
    """r(|v|) with the sign of v, for v = scaled/μ."""
    value = scaled * scaled / square
    x = isqrt((value.numerator << 2 * bits) // value.denominator)  # x <= |v|·2^bits < x + 2
    low, high = scaled_tail(x, bits)
    low -= 1  # as r falls by at most half of what its argument grows
    return (low, high) if scaled >= 0 else (-high, -low)


def scaled_tail(x: int, bits: int) -> Enclosure:
    """r(x/2^bits) for x >= 0."""
    square = x * x >> 2 * bits
    return _by_fraction(x, square, bits) if 4 * square >= bits else _by_series(x, square, bits)


def _by_series(x: int, square: int, bits: int) -> Enclosure:
    """The power series; ``square`` is x² rounded down, and e^{x²/2} < 2^(square + 1)."""
    work = bits + square + _GUARD
    pay(2 * work * of_product(work))
    x <<= work - bits
    squared = x * x  # times 2^(2·work)
    least, most = squared >> work, ceil_shift(squared, work)
    low = high = sum_low = sum_high = x
    odd = 1
    while high > 1 or odd < 2 * square + 4:  # until terms fall by halves
        odd += 2
        low = (low * least >> work) // odd
        high = -((-high * most >> work) // odd)
        sum_low += low
        sum_high += high
    sum_high += 2 * high
    root_low, root_high = _inverse_root(work)
    half = squared >> work + 1
    exp_low, exp_high, k = exp_floating((half, half + 1), work)
    low = (exp_low << k) // 2 - ceil_shift(sum_high * root_high, work)
    high = ceil_div(exp_high << k, 2) - (sum_low * root_low >> work)
    return low >> work - bits, ceil_shift(high, work - bits)


def _by_fraction(x: int, square: int, bits: int) -> Enclosure:
    """The continued fraction, cut where its tails matter less than 2^-bits."""
    depth = bits * bits // (5 * square) + bits // 4 + 16
    pay(2 * depth * of_division(2 * bits))
    low, high = x, x + ceil_div(depth << 2 * bits, x)
    for n in range(depth - 1, 0, -1):
        low, high = x + (n << 2 * bits) // high, x + ceil_div(n << 2 * bits, low)
    root_low, root_high = _inverse_root(bits)
    return (root_low << bits) // high, ceil_div(root_high << bits, low)


@remembered(64)
def _inverse_root(bits: int) -> Enclosure:
    """1/√(2π)."""
    pay(4 * of_division(4 * bits))
    low, high = enclose_pi(2 * bits)
    one = 1 << 4 * bits
    return isqrt(one // (2 * high)), isqrt(ceil_div(one, 2 * low)) + 1

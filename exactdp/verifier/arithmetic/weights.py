r"""Weights: how likely each number of untruthful answers is, from below, in fixed point.

Rules of this file: a weight is an integer w with w <= (the true probability)·10^D; every rounding
is down, so that what is missing from 10^D bounds everything that was lost.

Theory of operation: a block is the distribution of the number of untruthful answers of one group
of equal mechanisms, built from ratios of neighbouring terms around its mode.

Sources: certs/SPEC.md, section 6.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import TypeAlias

from ..format.meter import of_division, pay
from .enclosures import Enclosure, ceil_div

Terms: TypeAlias = Mapping[int, int]
"""Weights by their places; all others are 0, and together they are at most 10^D."""

_Ratio: TypeAlias = tuple[int, int]
"""A numerator and a denominator."""


def block(count: int, x: Enclosure, bits: int, digits: int) -> Terms:
    r"""From below: b_j = C(count, j) x^j / (1 + x)^count for j = 0…count, times 10^digits.

    Terms are taken relative to the one at the mode, in units of 2^-bits.
    """
    one = 1 << bits
    mode = min(count, (count + 1) * x[0] // (one + x[0]))
    right, above_right = _relative_terms(count, mode, ((x[0], one), (x[1], one)), bits, digits)
    back = (one, x[1]), (one, x[0])  # 1/x: from the other end the block is one of these odds
    left, above_left = _relative_terms(count, count - mode, back, bits, digits)
    total = one + above_right + above_left
    pay((len(left) + len(right) + 1) * of_division(2 * bits))
    scale = 10**digits
    terms = enumerate([*reversed(left), one, *right], mode - len(left))
    weights = ((j, scale * term // total) for j, term in terms)
    return {j: weight for j, weight in weights if weight}


def window(count: int, digits: int) -> int:
    """At most so many of the count + 1 weights of a block, less one, are not 0."""
    return min(count, 2 * isqrt(2 * count * (digits + 10)) + 64)


def _relative_terms(
    count: int, mode: int, odds: tuple[_Ratio, _Ratio], bits: int, digits: int
) -> tuple[list[int], int]:
    """The terms after the mode from below, over it, and the sum of all of them from above.

    Term j + 1 is the term j times (count - j)/(j + 1) times the odds. A term below 10^-digits has
    weight 0. There, once the ratio q is below 1, all further terms sum to at most term·q/(1 - q).
    """
    (low_above, low_below), (high_above, high_below) = odds
    negligible = (1 << bits) // 10**digits
    low = high = 1 << bits
    lows: list[int] = []
    total = 0
    for j in range(mode, count):
        pay(4 * of_division(bits) + 600)
        above, below = (count - j) * high_above, (j + 1) * high_below
        if high <= negligible and above < below:
            return lows, total + ceil_div(high * above, below - above)
        low = low * (count - j) * low_above // ((j + 1) * low_below)
        high = ceil_div(high * above, below)
        lows.append(low)
        total += high
    return lows, total

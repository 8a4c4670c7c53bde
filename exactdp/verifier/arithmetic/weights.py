r"""Weights: how likely each number of untruthful answers is, from below, in fixed point.

Rules of this file: a weight is an integer w with w <= (the true probability)·10^D; every rounding
is down, so that what is missing from 10^D bounds everything that was lost.

Theory of operation: a block is the distribution of the number of untruthful answers of one group
of equal mechanisms, built from ratios of neighbouring terms around its mode.

Sources: certs/SPEC.md, section 6.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isqrt
from typing import TypeAlias

from ..format.meter import of_division, pay
from .enclosures import Enclosure, ceil_div

Terms: TypeAlias = Mapping[int, int]
"""Weights by their places; all others are 0, and together they are at most 10^D."""

_Ratio: TypeAlias = tuple[int, int, int, int]
"""A ratio from below and from above, each as numerator and denominator."""


def block(count: int, x: Enclosure, bits: int, digits: int) -> Terms:
    r"""From below: b_j = C(count, j) x^j / (1 + x)^count for j = 0…count, times 10^digits.

    Terms are taken relative to the one at the mode, in units of 2^-bits.
    """
    mode = min(count, (count + 1) * x[0] // ((1 << bits) + x[0]))
    right, above_right = _relative_terms(_ratios_up(count, mode, x, bits), bits, digits)
    left, above_left = _relative_terms(_ratios_down(count, mode, x, bits), bits, digits)
    total = (1 << bits) + above_right + above_left
    pay((len(left) + len(right) + 1) * of_division(2 * bits))
    scale = 10**digits
    terms = enumerate([*reversed(left), 1 << bits, *right], mode - len(left))
    weights = ((j, scale * term // total) for j, term in terms)
    return {j: weight for j, weight in weights if weight}


def window(count: int, digits: int) -> int:
    """At most so many of the count + 1 weights of a block, less one, are not 0."""
    return min(count, 2 * isqrt(2 * count * (digits + 10)) + 64)


def _ratios_up(count: int, mode: int, x: Enclosure, bits: int) -> Iterator[_Ratio]:
    """Term j + 1 over term j, (count - j)x/(j + 1), for j from the mode up."""
    for j in range(mode, count):
        below = (j + 1) << bits
        yield (count - j) * x[0], below, (count - j) * x[1], below


def _ratios_down(count: int, mode: int, x: Enclosure, bits: int) -> Iterator[_Ratio]:
    """Term j - 1 over term j, j/((count - j + 1)x), for j from the mode down."""
    for j in range(mode, 0, -1):
        above = j << bits
        yield above, (count - j + 1) * x[1], above, (count - j + 1) * x[0]


def _relative_terms(ratios: Iterable[_Ratio], bits: int, digits: int) -> tuple[list[int], int]:
    """Terms from below along falling ratios, and the sum of all terms from above.

    A term below 10^-digits of the mode's has weight 0. There, once the ratio q is below 1, all
    further terms sum to at most term·q/(1 - q).
    """
    negligible = (1 << bits) // 10**digits
    low = high = 1 << bits
    lows: list[int] = []
    total = 0
    for low_above, low_below, high_above, high_below in ratios:
        pay(4 * of_division(bits) + 600)
        if high <= negligible and high_above < high_below:
            return lows, total + ceil_div(high * high_above, high_below - high_above)
        low = low * low_above // low_below
        high = ceil_div(high * high_above, high_below)
        lows.append(low)
        total += high
    return lows, total

r"""Weights: how likely each sum of untruthful answers is, from below, in fixed point.

Rules of this file: a weight is an integer w with w <= (the true probability)·10^D; every rounding
is down, so that what is missing from 10^D bounds everything that was lost. Weights are decimal
because products are taken by the standard library's ``decimal``, which multiplies large numbers
by a number theoretic transform.

Theory of operation: a block is the distribution of the number of untruthful answers of one group
of equal mechanisms, built from ratios of neighbouring terms around its mode. A product of blocks
is a product of polynomials, hence of two integers in which each coefficient has a slot of decimal
digits of its own (Kronecker substitution); the slots are wide enough that no sum carries over.

Sources: certs/SPEC.md, sections 6.3 and 7.5; Kronecker substitution: von zur Gathen & Gerhard,
"Modern Computer Algebra", 8.4.
"""

from __future__ import annotations

import decimal
import heapq
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from .enclosures import Enclosure, ceil_div
from .numbers import integer_from, integer_text

Weights: TypeAlias = tuple[int, list[int]]
"""The index of the first weight, and the weights from there on; all others are 0."""

_Ratio: TypeAlias = tuple[int, int, int, int]
"""A ratio from below and from above, each as numerator and denominator."""


def trimmed(first: int, weights: list[int]) -> Weights:
    """The same weights, without the zeros at both ends."""
    start, end = 0, len(weights)
    while start < end and not weights[start]:
        start += 1
    while start < end and not weights[end - 1]:
        end -= 1
    return first + start, weights[start:end]


def block(count: int, x: Enclosure, bits: int, digits: int) -> Weights:
    r"""From below: b_j = C(count, j) x^j / (1 + x)^count for j = 0…count, times 10^digits.

    Terms are taken relative to the one at the mode, in units of 2^-bits.
    """
    mode = min(count, (count + 1) * x[0] // ((1 << bits) + x[0]))
    right, above_right = _relative_terms(_ratios_up(count, mode, x, bits), bits, digits)
    left, above_left = _relative_terms(_ratios_down(count, mode, x, bits), bits, digits)
    total = (1 << bits) + above_right + above_left
    scale = 10**digits
    terms = [*reversed(left), 1 << bits, *right]
    return trimmed(mode - len(left), [scale * term // total for term in terms])


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
        if high <= negligible and high_above < high_below:
            return lows, total + ceil_div(high * high_above, high_below - high_above)
        low = low * low_above // low_below
        high = ceil_div(high * high_above, high_below)
        lows.append(low)
        total += high
    return lows, total


def spread(weights: Weights, stride: int) -> Weights:
    """The weights at ``stride`` times their indices."""
    first, values = weights
    if not values:
        return weights
    spread_out = [0] * ((len(values) - 1) * stride + 1)
    spread_out[::stride] = values
    return first * stride, spread_out


def product(factors: Sequence[Weights], digits: int) -> Weights:
    """The weights of the sum of independent parts, from below; the smallest products first."""
    if not factors:
        return 0, [10**digits]
    heap = [(len(values), index, (first, values)) for index, (first, values) in enumerate(factors)]
    heapq.heapify(heap)
    index = len(heap)
    while len(heap) > 1:
        _, _, one = heapq.heappop(heap)
        _, _, other = heapq.heappop(heap)
        result = _convolve(one, other, digits)
        heapq.heappush(heap, (len(result[1]), index, result))
        index += 1
    return heap[0][2]


def _convolve(one: Weights, other: Weights, digits: int) -> Weights:
    """The product of two polynomials, each coefficient divided by 10^digits and rounded down.

    A coefficient is a sum of at most min(lengths) products of at most 10^(2·digits), so it is
    below 10^slot. Dropping the last ``digits`` digits of its slot divides and rounds.
    """
    shorter = min(len(one[1]), len(other[1]))
    if not shorter:
        return 0, []
    slot = 2 * digits + len(str(shorter)) + 1
    length = len(one[1]) + len(other[1]) - 1
    packed = str(_exact_product(_packed(one[1], slot), _packed(other[1], slot)))
    text = packed.rjust(slot * length, "0")
    kept = slot - digits
    values = [integer_from(text[at : at + kept]) for at in range(0, slot * length, slot)]
    return trimmed(one[0] + other[0], values)


def _packed(values: Iterable[int], slot: int) -> decimal.Decimal:
    return decimal.Decimal("".join(integer_text(value).rjust(slot, "0") for value in values))


def _exact_product(one: decimal.Decimal, other: decimal.Decimal) -> decimal.Decimal:
    """The product of two integers held as decimals; anything inexact would raise."""
    exact = decimal.Context(
        prec=decimal.MAX_PREC,
        Emax=decimal.MAX_EMAX,
        Emin=decimal.MIN_EMIN,
        traps=[decimal.Inexact, decimal.Rounded, decimal.Overflow, decimal.InvalidOperation],
    )
    return exact.multiply(one, other)

r"""Weights: probabilities at consecutive integers, rounded down, and their products.

Theory of operation: weights are fixed-point numbers, integers times 2^-bits, each at most the true
probability. A product is rounded down again, and zeros are cut from both ends, so that only the
part that matters is carried. As true probabilities sum to 1, the mass that rounding lost is known
at the end, and nothing else needs to be tracked.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpz, fmpz_poly


@dataclass(frozen=True, slots=True)
class Weights:
    """Nonnegative weights at consecutive integers: the j-th coefficient stands at offset + j.

    Attributes:
        offset: where the first coefficient stands.
        scaled: coefficients times 2^bits, rounded down; not the zero polynomial.
    """

    offset: int
    scaled: fmpz_poly

    def lost(self, bits: int) -> fmpz:
        """What the coefficients lack of 1, times 2^bits."""
        return (fmpz(1) << bits) - self.scaled(1)


def product(factors: Sequence[Weights], bits: int) -> Weights:
    """The product of weights, smallest first, rounded down after each multiplication.

    Raises:
        ValueError: there are no factors, or nothing is left at this precision.
    """
    heap = [(weights.scaled.length(), index, weights) for index, weights in enumerate(factors)]
    heapq.heapify(heap)
    order = len(heap)
    while len(heap) > 1:
        left, right = heapq.heappop(heap)[2], heapq.heappop(heap)[2]
        both = _times(left, right, bits)
        heapq.heappush(heap, (both.scaled.length(), order, both))
        order += 1
    return heap[0][2]


def power(weights: Weights, exponent: int, bits: int) -> Weights:
    """``exponent`` >= 1 equal factors, by squaring."""
    if exponent == 1:
        return weights
    half = power(weights, exponent // 2, bits)
    square = _times(half, half, bits)
    return _times(square, weights, bits) if exponent % 2 else square


def _times(left: Weights, right: Weights, bits: int) -> Weights:
    exact = left.scaled * right.scaled
    return trimmed(left.offset + right.offset, exact // (fmpz(1) << bits))


def trimmed(offset: int, scaled: fmpz_poly) -> Weights:
    """Cut zeros from the low end (a polynomial keeps none at the high end)."""
    low, high = 0, scaled.length()
    while high - low > 1:
        middle = (low + high) // 2
        if scaled.truncate(middle).length():
            high = middle
        else:
            low = middle
    return Weights(offset + low, scaled.right_shift(low)) if low else Weights(offset, scaled)

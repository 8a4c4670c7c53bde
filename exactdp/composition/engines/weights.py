r"""Weights: probabilities at consecutive integers, rounded down, and their products.

Theory of operation: weights are fixed-point numbers, integers times 2^-bits, each at most the true
probability. A product is rounded down again, and zeros are cut from both ends, so that only the
part that matters is carried. As true probabilities sum to 1, the mass that rounding lost is known
at the end, and nothing else needs to be tracked. With no bits after the point the same products
count, exactly.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

from flint import fmpz, fmpz_poly

from exactdp.arithmetic.threshold import threshold
from exactdp.composition.engines.progress import report
from exactdp.composition.engines.splitting import threads_for
from exactdp.timing.deadlines import ask

_MOST_TERMS: Final = 64
_SHORT: Final = 500
_CELL_COST: Final = 100
_BIT_COST: Final = 2
"""Nanoseconds for a cell of a product, and for each bit of it, at least."""


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

    def at(self, place: int) -> fmpz:
        """The weight at ``place``, times 2^bits."""
        return self.scaled[place - self.offset] if place >= self.offset else fmpz(0)

    def below(self, place: int) -> fmpz:
        """The sum of the weights below ``place``, times 2^bits."""
        return self.scaled.truncate(max(0, place - self.offset))(1)

    def mirrored(self, last: int) -> Weights:
        """The weights with places counted down from ``last``, on or above all that there are."""
        offset = last - self.offset - self.scaled.degree()
        return trimmed(offset, fmpz_poly(self.scaled.coeffs()[::-1]))


Terms = Mapping[int, fmpz]
"""A factor of few terms: where each stands, and its weight times 2^bits, rounded down."""


def product_of_powers(factors: Sequence[tuple[Terms, int]], bits: int) -> Weights:
    """The product of factors of few terms, each to its power, by squaring from the highest bit.

    Factors share their squarings, so that the work grows with the logarithm of the powers, and
    factors of few terms are multiplied as such while their products have few terms as well.

    Args:
        factors: at least one pair (terms, exponent >= 1).
        bits: binary digits after the point.
    """
    result: Weights | None = None
    parts: dict[tuple[int, ...], Weights] = {}
    for bit in reversed(range(max(exponent for _, exponent in factors).bit_length())):
        if result is not None:
            result = times(result, result, bits)
        chosen = tuple(i for i, (_, exponent) in enumerate(factors) if exponent >> bit & 1)
        if chosen:
            if chosen not in parts:
                few = _gathered([factors[i][0] for i in chosen], bits)
                parts[chosen] = product([weights_of(terms) for terms in few], bits)
            part = parts[chosen]
            result = part if result is None else times(result, part, bits)
    if result is None:
        raise ValueError("a product of powers has factors")
    return result


def product(dense: Sequence[Weights], bits: int) -> Weights:
    """The product of at least one factor, smallest first, rounded down at each multiplication."""
    return multiplied(dense, bits, 1)[0]


def multiplied(dense: Sequence[Weights], bits: int, most: int) -> list[Weights]:
    """At most so many factors of the same product, smallest multiplied first and rounded down."""
    if most == 1 and sum(weights.scaled.length() for weights in dense) <= _SHORT:
        return [reduce(lambda left, right: times(left, right, bits), dense)]
    heap = [(weights.scaled.length(), index, weights) for index, weights in enumerate(dense)]
    heapq.heapify(heap)
    order = len(heap)
    done, expected = 0, _expected_cells([length for length, _, _ in heap])
    while len(heap) > most:
        left, right = heapq.heappop(heap)[2], heapq.heappop(heap)[2]
        both = times(left, right, bits)
        heapq.heappush(heap, (both.scaled.length(), order, both))
        order += 1
        done += left.scaled.length() + right.scaled.length()
        report(done, expected)
    return [weights for _, _, weights in heap]


def _expected_cells(lengths: list[int]) -> int:
    """At most how many cells all products of factors of these lengths hold together."""
    heapq.heapify(lengths)
    total = 0
    while len(lengths) > 1:
        both = heapq.heappop(lengths) + heapq.heappop(lengths)
        total += both
        heapq.heappush(lengths, both)
    return total


def _gathered(factors: Sequence[Terms], bits: int) -> list[Terms]:
    """The same product in fewer factors, each of at most ``_MOST_TERMS`` terms or as it was.

    Short factors are left alone: as polynomials they are multiplied faster.
    """
    gathered: list[Terms] = []
    for terms in sorted(factors, key=max):
        sparse = max(terms) > _SHORT and gathered
        if sparse and len(gathered[-1]) * len(terms) <= _MOST_TERMS:
            gathered[-1] = _times_terms(gathered[-1], terms, bits)
        else:
            gathered.append(terms)
    return gathered


def _times_terms(left: Terms, right: Terms, bits: int) -> Terms:
    both: dict[int, fmpz] = {}
    ask()
    for i, first in left.items():
        for j, second in right.items():
            both[i + j] = both.get(i + j, 0) + first * second
    return {place: mass >> bits for place, mass in both.items()}


def weights_of(terms: Terms) -> Weights:
    """The weights that terms at places >= 0 are."""
    coefficients: list[int | fmpz] = [0] * (max(terms) + 1)
    for place, mass in terms.items():
        coefficients[place] = mass
    return trimmed(0, fmpz_poly(coefficients))


def times(left: Weights, right: Weights, bits: int, end: int | None = None) -> Weights:
    """The product of two factors, rounded down, without what stands at ``end`` or beyond."""
    offset, length = left.offset + right.offset, left.scaled.length() + right.scaled.length()
    ask(length * (_CELL_COST + _BIT_COST * bits))
    with threads_for(left.scaled, right.scaled):
        if end is not None and end - offset < length:
            exact = left.scaled.mul_low(right.scaled, max(0, end - offset))
        else:
            exact = left.scaled * right.scaled
    return trimmed(offset, exact // (fmpz(1) << bits)) if bits else Weights(offset, exact)


def trimmed(offset: int, scaled: fmpz_poly) -> Weights:
    """Cut zeros from the low end (a polynomial keeps none at the high end)."""
    end = 1 if scaled[0] != 0 else scaled.length()
    low, _ = threshold(lambda n: scaled.truncate(n).length() > 0, 0, end)
    return Weights(offset + low, scaled.right_shift(low)) if low else Weights(offset, scaled)

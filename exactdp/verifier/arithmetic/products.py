r"""Products of weights: how likely each sum over independent parts is, from below.

Rules of this file: after each product a weight is divided by 10^D and rounded down, so that a
product, in whatever order it is taken, is from below if its factors are.

Theory of operation: a product of distributions is a product of polynomials. Factors of few terms
far apart are multiplied term by term. All others are packed into one integer each, in which every
weight has a slot of decimal digits of its own (Kronecker substitution), and stay packed from one
product to the next: rounding down drops the lower digits of a slot. The integers are decimal
because the standard library's ``decimal`` multiplies by a number theoretic transform. A slot never
overflows, as the weights of a factor are parts of a probability: they sum to at most 10^D, hence
those of an exact product to at most 10^(2D), which has 2D + 1 digits.

The last product is the largest, and a sum over all its weights does not need it: the sum is taken
over pairs of weights of two factors. Powers share their squarings.

Sources: certs/SPEC.md, section 11.4; Kronecker substitution: von zur Gathen & Gerhard, "Modern
Computer Algebra", 8.4.
"""

from __future__ import annotations

import decimal
import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from ..format.meter import of_product, pay
from ..format.numbers import integer_from, integer_text
from .weights import Terms

Weights: TypeAlias = tuple[int, list[int]]
"""The place of the first weight, and the weights from there on; all others are 0."""

_EXACT: Final = decimal.Context(
    prec=decimal.MAX_PREC,
    Emax=decimal.MAX_EMAX,
    Emin=decimal.MIN_EMIN,
    traps=[decimal.Inexact, decimal.Rounded, decimal.Overflow, decimal.InvalidOperation],
)
"""Of integers; anything inexact would raise."""
_A_PRODUCT: Final = 10_000
_A_DIGIT: Final = 60
_PAIRS_PER_CELL: Final = 4  # so many products of two terms take the time of one packed weight


@dataclass(frozen=True, slots=True)
class _Packed:
    """Weights from the place ``first`` on, in ``length`` slots; the first is the most significant.

    A slot has 2D + 1 digits, of which a weight needs the last D + 1.
    """

    first: int
    length: int
    slots: decimal.Decimal


_Factor: TypeAlias = "Terms | _Packed"
"""Packed only when it is multiplied."""


def product(factors: Sequence[Terms], digits: int) -> Weights:
    """The weights of the sum of independent parts."""
    return _unpacked(_times(*_two(factors, digits), digits), digits)


def two_factors(
    roots: Sequence[Terms], squarings: int, rest: Sequence[Terms], digits: int
) -> tuple[Weights, Weights]:
    """Weights of two parts whose sum is that of 2^squarings of each root, and of the rest."""
    factors: list[_Factor] = [*roots]
    if squarings:
        root = _times(*_two(factors, digits), digits)
        for _ in range(squarings - 1):
            root = _times(root, root, digits)
        factors = [root, root]
    one, other = _two([*factors, *rest], digits)
    return _unpacked(one, digits), _unpacked(other, digits)


def _two(factors: Sequence[_Factor], digits: int) -> tuple[_Factor, _Factor]:
    """Two factors of the same product, the shorter one first; the shortest are multiplied first."""
    certainty = {0: 10**digits}
    padded = [*factors, *[certainty] * (2 - len(factors))]
    heap = [(_length(factor), index, factor) for index, factor in enumerate(padded)]
    heapq.heapify(heap)
    index = len(heap)
    while len(heap) > 2:
        both = _times(heapq.heappop(heap)[2], heapq.heappop(heap)[2], digits)
        heapq.heappush(heap, (_length(both), index, both))
        index += 1
    (_, _, shorter), (_, _, longer) = heap
    return shorter, longer


def _times(one: _Factor, other: _Factor, digits: int) -> _Factor:
    """The product, term by term where that is faster."""
    if isinstance(one, _Packed) or isinstance(other, _Packed):
        return _packed_product(one, other, digits)
    if len(one) * len(other) > _PAIRS_PER_CELL * (_length(one) + _length(other)):
        return _packed_product(one, other, digits)
    pay(len(one) * len(other) * (200 + of_product(4 * digits)))
    both: dict[int, int] = {}
    for i, first in one.items():
        for j, second in other.items():
            both[i + j] = both.get(i + j, 0) + first * second
    scale = 10**digits
    return {place: weight // scale for place, weight in both.items() if weight >= scale}


# --- packing ------------------------------------------------------------------------------------


def _length(factor: _Factor) -> int:
    """How many places there are from the first to the last weight."""
    if isinstance(factor, _Packed):
        return factor.length
    return max(factor) - min(factor) + 1 if factor else 0


def _packed(factor: _Factor, digits: int) -> _Packed:
    if isinstance(factor, _Packed):
        return factor
    pay(_length(factor) * (300 + _A_DIGIT * digits))
    first, slot = min(factor, default=0), 2 * digits + 1
    cells = ["0" * slot] * _length(factor)
    for place, weight in factor.items():
        cells[place - first] = integer_text(weight).rjust(slot, "0")
    return _Packed(first, len(cells), decimal.Decimal("".join(cells) or "0"))


def _unpacked(factor: _Factor, digits: int) -> Weights:
    pay(_length(factor) * (300 + of_product(4 * digits)))
    if not isinstance(factor, _Packed):
        first = min(factor, default=0)
        return first, [factor.get(place, 0) for place in range(first, first + _length(factor))]
    slot = 2 * digits + 1
    text = str(factor.slots).rjust(slot * factor.length, "0")
    starts = range(digits, slot * factor.length, slot)
    return factor.first, [integer_from(text[at : at + digits + 1]) for at in starts]


def _packed_product(one: _Factor, other: _Factor, digits: int) -> _Packed:
    """The product, each weight divided by 10^digits and rounded down, without zeros at its ends.

    The last ``digits`` digits of each slot become 0, and all slots move down by as many.
    """
    left = _packed(one, digits)
    right = left if other is one else _packed(other, digits)
    slot, length = 2 * digits + 1, left.length + right.length - 1
    pay(_A_PRODUCT + _A_DIGIT * slot * (length + 1))
    digits_of = str(_EXACT.multiply(left.slots, right.slots)).rjust(slot * length, "0")
    text = bytearray(digits_of, "ascii")
    zeros = b"0" * length
    for place in range(digits + 1, slot):
        text[place::slot] = zeros
    start, end = len(text) - len(text.lstrip(b"0")), len(text.rstrip(b"0"))
    if start >= end:
        return _Packed(0, 0, decimal.Decimal(0))
    first, last = start // slot, (end - 1) // slot
    kept = str(memoryview(text)[first * slot : last * slot + digits + 1], "ascii")
    return _Packed(left.first + right.first + first, last - first + 1, decimal.Decimal(kept))

r"""The rule ``lattice``: few distinct sums of ε_i, told apart by their coordinates.

Rules of this file: those of ``fixed_point``; sums are equal if and only if their coordinates over a
coprime basis are.

Sources: certs/SPEC.md, section 7.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import ClassVar

from ..arithmetic.enclosures import Enclosure, enclose, exp_fixed
from ..arithmetic.signs import coordinates, distinct_arguments
from ..arithmetic.weights import Terms
from ..format.meter import of_division, of_product, pay
from ..format.numbers import Number, size
from ..format.outcomes import RejectedError
from .fixed_point import Comparison, exact_block
from .ledger import Ledger, PairsRule
from .rule import EITHER, parameter, read_digits, read_sums


@dataclass(frozen=True)
class Lattice(PairsRule):
    """Every σ by its coordinates over a coprime basis, as integers over a scale each."""

    name: ClassVar[str] = "lattice"
    kinds: ClassVar[tuple[str, ...]] = EITHER

    digits: int = parameter(read_digits)
    sums: int = parameter(read_sums)

    def check(self, ledger: Ledger) -> None:
        """D, sum by sum, against Δ."""
        epsilon = self.bound.finite()
        blocks = ledger.groups
        basis, vectors = coordinates([group for group, _ in blocks])
        if len(basis) > 2 * len(distinct_arguments(group for group, _ in blocks)) + 8:
            raise RejectedError("the logarithms share too many factors")
        pay(sum(4 * of_division(size(x)) for vector in vectors for x in vector))
        scales = [
            lcm(*(vector[i].denominator for vector in vectors)) for i in range(len(basis) + 1)
        ]
        keys = [[int(x * scale) for x, scale in zip(each, scales, strict=True)] for each in vectors]
        counts = [count for _, count in blocks]
        columns = [[key[i] for key in keys] for i in range(len(scales))]
        total = [_scalar(column, counts) for column in columns]
        packing = _Packing([_scalar(map(abs, column), counts) for column in columns])
        table = {packing.bytes_of(0): 10**self.digits}
        for (group, count), key in zip(blocks, keys, strict=True):
            weights = exact_block(group, count, self.digits)
            table = self._collected(table, packing, packing.packed(key), weights)
        units = [Number(Fraction(1, scales[0]))]
        for p, scale in zip(basis, scales[1:], strict=True):
            units.append(Number(Fraction(0), ((Fraction(1, scale), Fraction(p)),)))
        comparison = Comparison(ledger, self.bound, self.digits)
        bits = comparison.bits(max(map(abs, total)))
        rests = (
            ([x - 2 * y for x, y in zip(total, packing.unpacked(place), strict=True)], weight)
            for place, weight in table.items()
        )
        enclosed = [enclose(unit, bits) for unit in units]
        kept = self._kept(rests, enclosed, enclose(epsilon, bits), bits)
        comparison.decide(kept, sum(table.values()), bits)

    def _collected(
        self, table: dict[bytes, int], packing: _Packing, key: int, weights: Terms
    ) -> dict[bytes, int]:
        """The table with a block added, of which the j-th weight stands at j times ``key``."""
        pay(len(table) * len(weights) * (600 + of_product(4 * self.digits) + 4 * packing.length))
        moves = [(j * key, weight) for j, weight in weights.items()]
        collected: dict[bytes, int] = {}
        for start, weight in table.items():
            place = packing.integer_of(start)
            for move, value in moves:
                moved = packing.bytes_of(place + move)
                collected[moved] = collected.get(moved, 0) + weight * value
        scale = 10**self.digits
        kept = {place: weight // scale for place, weight in collected.items() if weight >= scale}
        if len(kept) > self.sums:
            raise RejectedError("more distinct sums than stated")
        return kept

    def _kept(
        self,
        rests: Iterable[tuple[list[int], int]],
        units: list[Enclosure],
        epsilon: Enclosure,
        bits: int,
    ) -> int:
        """Σ w·max(0, 1 - z) over the coordinates of Σ_i ε_i - 2σ and their weights."""
        epsilon_low, epsilon_high = epsilon
        one = 1 << bits
        kept = 0
        for rest, weight in rests:
            pay(len(rest) * (1500 + 4 * of_product(2 * bits)))
            parts = [(x * low, x * high) for x, (low, high) in zip(rest, units, strict=True)]
            low = sum(min(ends) for ends in parts) - epsilon_high
            high = sum(max(ends) for ends in parts) - epsilon_low
            if high > 0:
                z_low, z_high = exp_fixed((-high, -low), bits)
                kept += weight * max(0, one - (z_low if self.bound.kind == "upper" else z_high))
        return kept


def _scalar(values: Iterable[int], counts: Sequence[int]) -> int:
    return sum(value * count for value, count in zip(values, counts, strict=True))


class _Packing:
    """Vectors as integers, with room for each coordinate, so that sums of vectors are sums.

    A table is keyed by their bytes: the hashes of integers may all be equal.
    """

    def __init__(self, limits: Sequence[int]) -> None:
        """No coordinate exceeds its limit in absolute value."""
        self._widths = [limit.bit_length() + 2 for limit in limits]
        self.length = sum(self._widths) // 8 + 1

    def packed(self, vector: Iterable[int]) -> int:
        """The integer of a vector."""
        packed = 0
        for x, width in zip(vector, self._widths, strict=True):
            packed = (packed << width) + x
        return packed

    def bytes_of(self, packed: int) -> bytes:
        """The key of a packed vector."""
        return packed.to_bytes(self.length, "big", signed=True)

    def integer_of(self, key: bytes) -> int:
        """The packed vector of a key."""
        return int.from_bytes(key, "big", signed=True)

    def unpacked(self, key: bytes) -> list[int]:
        """The vector of a key."""
        packed = self.integer_of(key)
        vector = []
        for width in reversed(self._widths):
            x = packed & ((1 << width) - 1)
            x -= (x >> width - 1) << width
            vector.append(x)
            packed = packed - x >> width
        return vector[::-1]

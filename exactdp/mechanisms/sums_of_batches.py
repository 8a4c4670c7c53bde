r"""Weights of sums: consecutive points of a mesh, and lists of points whose steps grow.

Rules of this file: weights are integers times 10^digits, from below.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, inf, log2
from typing import Final

from flint import arb, fmpz, fmpz_poly

from exactdp.timing.deadlines import ask

_CELL_COST: Final = 200
_SECTIONS: Final = 50

Sections = tuple[tuple[int, int], ...]
"""Points from 0 on: sections, each with its step and its end."""


def doubling(near: float, last: float, widest: float = inf) -> Sections:
    """Steps of 1 up to about ``near``, then steps that double as the points do, up to a widest."""
    first = 1 << max(1, ceil(log2(near)))
    doublings = max(0, ceil(log2(last / first)))
    found = ((1, first), *((1 << i, first << i) for i in range(1, doublings + 1)))[:_SECTIONS]
    kept = tuple(section for section in found if section[0] <= widest)
    step, end = kept[-1]
    return kept if found == kept else (*kept[:-1], (step, end + ceil((last - end) / step) * step))


def mirrored(sections: Sections) -> Sections:
    """The points turned round, from the last up to 0."""
    starts = [0, *(end for _, end in sections)]
    return tuple(
        (step, -start) for (step, _), start in reversed([*zip(sections, starts, strict=False)])
    )


def points_from_zero(sections: Sections) -> list[int]:
    """All points from 0 on."""
    found = [0]
    for step, end in sections:
        found += range(found[-1] + step, end + 1, step)
    return found


def weight_of(value: arb) -> fmpz:
    """A weight from below."""
    floor = value.lower().floor().unique_fmpz()
    return fmpz(0) if floor is None else max(fmpz(0), floor)


@dataclass(frozen=True, slots=True)
class SumWeights:
    """Weights of consecutive points from the first on."""

    first: int
    values: fmpz_poly

    @staticmethod
    def of(weights: Mapping[int, fmpz]) -> SumWeights:
        """Weights by their points."""
        first = min(weights)
        values = [fmpz(0)] * (max(weights) - first + 1)
        for j, weight in weights.items():
            values[j - first] = weight
        return SumWeights(first, fmpz_poly(values))

    def listed(self) -> Iterator[tuple[int, fmpz]]:
        """Points with their weights."""
        return enumerate(self.values.coeffs(), self.first)

    def power(self, count: int, digits: int, window: tuple[int, int]) -> SumWeights:
        """The sum of so many independent values, from below, each time within a window."""
        whole = self
        for bit in f"{count:b}"[1:]:
            whole = whole.times(whole, digits).within(window)
            if bit == "1":
                whole = whole.times(self, digits).within(window)
        return whole.within(window)

    def times(self, other: SumWeights, digits: int) -> SumWeights:
        """The product, rounded down."""
        ask((self.values.length() + other.values.length()) * _CELL_COST)
        both = (self.values * other.values) // fmpz(10) ** digits
        return SumWeights(self.first + other.first, both)

    def within(self, window: tuple[int, int]) -> SumWeights:
        """What is beyond a window, at its ends."""
        least, last = window
        end = self.first + int(self.values.length()) - 1
        if least <= self.first and end <= last:
            return self
        found: dict[int, fmpz] = {}
        for j, weight in self.listed():
            at = min(max(j, least), last)
            found[at] = found.get(at, fmpz(0)) + weight
        return SumWeights.of(found)

    def gathered(self, points: Sequence[int]) -> dict[int, fmpz]:
        """Each weight at the nearer point of a list, the lower of two as near."""
        halves = [(here + after) / 2 for here, after in pairwise(points)]
        found: dict[int, fmpz] = {}
        for j, weight in self.listed():
            at = points[bisect_left(halves, j)]
            found[at] = found.get(at, fmpz(0)) + weight
        return {j: weight for j, weight in found.items() if weight > 0}

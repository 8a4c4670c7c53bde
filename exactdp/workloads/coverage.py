r"""Coverage: which values of one attribute a predicate admits.

Rules of this file: a coverage is a union of half-open ranges of value numbers, sorted, disjoint
and not touching, so that equal sets are equal objects; nothing is enumerated value by value, for
an attribute may have 10^18 of them.

Theory of operation: all set operations walk along the ends of the ranges. An empty coverage is
legal: it is a contradiction, and no row satisfies it.

Sources: Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, "Making the Most of Parallel Composition
in Differential Privacy", PoPETs 2022 (arXiv 2109.09078), section 4.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Coverage:
    """A set of value numbers, as sorted half-open ranges that neither meet nor touch.

    >>> Coverage.of([(4, 6), (0, 2), (1, 4)])
    Coverage(ranges=((0, 6),))
    """

    ranges: tuple[tuple[int, int], ...]

    @staticmethod
    def of(ranges: Iterable[tuple[int, int]]) -> Coverage:
        """The union of half-open ranges; one that ends before it begins holds nothing."""
        merged: list[tuple[int, int]] = []
        for low, high in sorted(ranges):
            if low >= high:
                continue
            if merged and low <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(high, merged[-1][1])
            else:
                merged.append((low, high))
        return Coverage(tuple(merged))

    @staticmethod
    def of_values(values: Iterable[int]) -> Coverage:
        """Exactly these values.

        >>> Coverage.of_values([7, 2, 3])
        Coverage(ranges=((2, 4), (7, 8)))
        """
        return Coverage.of((value, value + 1) for value in values)

    @property
    def is_empty(self) -> bool:
        """Whether no value is admitted: a contradiction."""
        return not self.ranges

    @property
    def count(self) -> int:
        """How many values are admitted."""
        return sum(high - low for low, high in self.ranges)

    def __iter__(self) -> Iterator[int]:
        """The values in order, one by one."""
        return (value for low, high in self.ranges for value in range(low, high))

    def without(self, size: int) -> Coverage:
        """The complement among the values 0 … size - 1.

        >>> Coverage.of([(2, 4)]).without(10)
        Coverage(ranges=((0, 2), (4, 10)))
        """
        ends = [0, *(end for pair in self.ranges for end in pair), size]
        return Coverage.of(zip(ends[::2], ends[1::2], strict=True))

    def meet(self, other: Coverage) -> Coverage:
        """The intersection: the coverage of both predicates together.

        >>> Coverage.of([(0, 5)]).meet(Coverage.of([(3, 9)]))
        Coverage(ranges=((3, 5),))
        """
        mine, theirs = self.ranges, other.ranges
        common: list[tuple[int, int]] = []
        i = j = 0
        while i < len(mine) and j < len(theirs):
            low, high = max(mine[i][0], theirs[j][0]), min(mine[i][1], theirs[j][1])
            if low < high:
                common.append((low, high))
            if mine[i][1] <= theirs[j][1]:
                i += 1
            else:
                j += 1
        return Coverage(tuple(common))

    def disjoint(self, other: Coverage) -> bool:
        """Whether no value is admitted by both (Smith et al., before Proposition 2)."""
        mine, theirs = self.ranges, other.ranges
        i = j = 0
        while i < len(mine) and j < len(theirs):
            low, high = mine[i]
            start, end = theirs[j]
            if low < end and start < high:
                return False
            if high <= end:
                i += 1
            else:
                j += 1
        return True

    def __contains__(self, value: int) -> bool:
        """Whether the value is admitted."""
        place = bisect_right(self.ranges, value, key=lambda pair: pair[0])
        return place > 0 and value < self.ranges[place - 1][1]

r"""Weights of sets of queries, and the heaviest set known so far.

Rules of this file: weights are positive integers, so that comparing them is exact.

Theory of operation: a set's weight is Σ_w w·|set ∩ queries of weight w| over the distinct weights,
or over their binary digits where these are fewer: a handful of population counts either way.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactdp.workloads.bitsets import Bitset, bitset


class QueryWeights:
    """The weight of any set of queries, one positive integer for each query."""

    def __init__(self, weights: Sequence[int]) -> None:
        self.each = tuple(weights)
        digits = max(self.each, default=0).bit_length()
        if len(distinct := sorted(set(self.each))) <= digits:
            planes = {w: bitset(i for i, own in enumerate(self.each) if own == w) for w in distinct}
        else:
            planes = {
                1 << digit: bitset(i for i, own in enumerate(self.each) if own >> digit & 1)
                for digit in range(digits)
            }
        self._planes = tuple(planes.items())
        self.unit = distinct == [1]

    def of(self, queries: Bitset) -> int:
        """The sum of the weights of a set."""
        if self.unit:
            return queries.bit_count()
        return sum(weight * (queries & plane).bit_count() for weight, plane in self._planes)


class Incumbent:
    """The heaviest overlapping set known so far, shared by searches."""

    def __init__(self) -> None:
        self.weight = 0
        self.queries: Bitset = 0

    def offer(self, weight: int, queries: Bitset) -> None:
        """Keep a set if it is heavier."""
        if weight > self.weight:
            self.weight, self.queries = weight, queries

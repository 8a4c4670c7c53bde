r"""Classes that absorb queries beyond those of a colouring, for clique search.

Purpose: fewer branches, where a colouring has more classes than a set may add to be of use.

Rules of this file: the queries of a class are disjoint in pairs, at any time, and classes grow in
number never.

Theory of operation: a query joins a class that is disjoint from it; or it takes the place of the
one query of a class that overlaps with it, if that one can go to another class.

Source: Tomita, Sutani, Higashi, Takahashi, Wakatsuki, "A simple and faster branch-and-bound
algorithm for finding a maximum clique", WALCOM 2010.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactdp.workloads.bitsets import Bitset


class AbsorbingClasses:
    """Classes of queries that are disjoint in pairs.

    Attributes:
        classes: the classes as they are.
    """

    def __init__(self, conflicts: Sequence[Bitset], classes: Sequence[Bitset]) -> None:
        self._conflicts = conflicts
        self.classes = list(classes)

    def absorbs(self, query: int) -> bool:
        """Whether a query that is in none of them could be absorbed, and is in one now."""
        apart = self._conflicts[query]
        for place, own in enumerate(self.classes):
            met = own & apart ^ own
            if not met & (met - 1) and (not met or self._moves(place, met)):
                self.classes[place] |= 1 << query
                return True
        return False

    def _moves(self, place: int, single: Bitset) -> bool:
        """Whether the one query of a class can go, and went, to another class."""
        apart = self._conflicts[single.bit_length() - 1]
        for other, own in enumerate(self.classes):
            if other != place and own & apart == own:
                self.classes[other] |= single
                self.classes[place] ^= single
                return True
        return False

r"""Clique search: the heaviest set of queries that overlap, by choosing queries.

Rules of this file: weights are positive integers; a node holds the chosen queries, the candidates
that overlap with each of them, and the cells that are left in facets where pairs do not suffice.

Theory of operation: of queries that are disjoint in pairs an overlapping set holds at most one, so
a colouring of the candidates bounds what they can add: the sum over the colours of the heaviest in
each. Candidates are coloured greedily, and only those beyond what the incumbent already has are
branched on, last colour first; those that the other colours absorb are not
(:mod:`exactdp.workloads.absorbing`). The queries come numbered with few conflicts first: each needs
a colour nearly of its own, and what is coloured late, and branched on, joins those of many. Before
that, a query that is as heavy as all the candidates disjoint from it together is simply taken:
exchanging them for it loses nothing. The coverage constraint is kept exactly: in a facet with
coverages of several ranges, the cells that hold all chosen queries are tracked, and a choice that
leaves none is dropped. Without that constraint the same search finds the heaviest clique of the
query graph.

Sources: Smith et al., PoPETs 2022, section 6.2; San Segundo, Rodriguez-Losada, Jimenez, "An exact
bit-parallel algorithm for the maximum clique problem", Computers & Operations Research 38 (2011);
Kumlander, "A new exact algorithm for the maximum-weight clique problem", 2004.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from exactdp.timing.clock import Clock, TimeIsUpError
from exactdp.workloads.absorbing import AbsorbingClasses
from exactdp.workloads.bitsets import Bitset, members
from exactdp.workloads.weighing import Incumbent, QueryWeights

_OFTEN: Final = 16
"""The clock is asked once in so many classes."""

Region = dict[int, Bitset]
"""For each tracked facet that a chosen query names: its cells that hold all chosen queries."""

CliqueNode = tuple[int, Bitset, Bitset, int, int, Region]
"""A bound of the whole, chosen, candidates, weight, the last chosen (or -1), region before it."""


class CliqueSearch:
    """A depth-first search that can be stopped after every node.

    ``named`` holds, for each query, the facets in which pairs do not suffice that it names, and
    which of their cells hold it.
    """

    def __init__(
        self,
        named: Sequence[Sequence[tuple[int, Bitset]]],
        conflicts: Sequence[Bitset],
        queries: Bitset,
        weights: QueryWeights,
        best: Incumbent,
        clock: Clock,
    ) -> None:
        self._clock = clock
        self._conflicts = conflicts
        self._weights = weights
        self._best = best
        self._named = named
        self._waiting: list[CliqueNode] = [(weights.of(queries), 0, queries, 0, -1, {})]

    @property
    def done(self) -> bool:
        """Whether no open node can hold anything heavier than the incumbent."""
        return not self._waiting

    @property
    def bound(self) -> int:
        """No overlapping set is heavier."""
        return max([self._best.weight, *(node[0] for node in self._waiting)])

    def dive(self, start: int, candidates: Bitset) -> None:
        """Offer a set found greedily: ``start``, then all that fit, the first ones first."""
        region, chosen = self._narrowed({}, start), 1 << start
        left = candidates & ~self._conflicts[start] & ~chosen
        while left and region is not None:
            low = left & -left
            query = low.bit_length() - 1
            left ^= low
            narrowed = self._narrowed(region, query)
            if narrowed is not None:
                region, chosen = narrowed, chosen | 1 << query
                left &= ~self._conflicts[query]
        self._best.offer(self._weights.of(chosen), chosen)

    def steps(self) -> Iterator[None]:
        """Expand node after node; one that time does not allow for stays open."""
        while self._waiting:
            node = self._waiting.pop()
            if node[0] > self._best.weight:
                try:
                    self._expand(node)
                except TimeIsUpError:
                    self._waiting.append(node)
            yield

    def _expand(self, node: CliqueNode) -> None:
        _, chosen, candidates, weight, last, before = node
        region = self._narrowed(before, last)
        if region is None:
            return
        taken, candidates = self._reduced(candidates, region)
        chosen |= taken
        weight += self._weights.of(taken)
        self._best.offer(weight, chosen)
        self._branch(chosen, candidates, weight, region)

    def _branch(self, chosen: Bitset, candidates: Bitset, weight: int, region: Region) -> None:
        """Open the nodes in which one of the candidates is chosen next."""
        children: list[CliqueNode] = []
        for query, bound in self._branches(candidates, self._best.weight - weight):
            place = 1 << query
            candidates ^= place
            left = candidates & ~self._conflicts[query]
            own = weight + self._weights.each[query]
            children.append((weight + bound, chosen | place, left, own, query, region))
        self._waiting += reversed(children)

    def _narrowed(self, before: Region, last: int) -> Region | None:
        """The region once ``last`` is chosen; None if no row meets it and all chosen before."""
        if last < 0 or not self._named[last]:
            return before
        region = dict(before)
        for facet, cells in self._named[last]:
            left = region.get(facet, -1) & cells
            if not left:
                return None
            region[facet] = left
        return region

    def _reduced(self, candidates: Bitset, region: Region) -> tuple[Bitset, Bitset]:
        """Queries that may be taken at once, and the candidates that are left.

        One may be as heavy as all its rivals together, and must leave the region as it is.
        """
        taken = 0
        for query in members(candidates):
            self._clock.ask()
            place = 1 << query
            if candidates & place:
                rivals = self._conflicts[query] & candidates
                heavy = not rivals or self._weights.each[query] >= self._weights.of(rivals)
                if heavy and not any(region.get(f, -1) & ~cells for f, cells in self._named[query]):
                    taken |= place
                    candidates &= ~(place | rivals)
        return taken, candidates

    def _branches(self, candidates: Bitset, needed: int) -> list[tuple[int, int]]:
        """The queries to branch on, with a bound of what each can add with those after it.

        Colour classes whose bounds together do not exceed ``needed`` are not branched on, nor what
        these absorb. A query is returned before all that were coloured before it, and may still be
        joined by them.
        """
        branches: list[tuple[int, int]] = []
        enough: list[Bitset] = []
        absorbing = None
        total = 0
        for colour, queries in self._classes(candidates):
            if not self._weights.unit:
                total += self._branch_by_weight(branches, queries, total, needed)
            elif total < needed:
                enough.append(colour)
                total += 1
            else:
                absorbing = absorbing or AbsorbingClasses(self._conflicts, enough)
                left = [query for query in queries if not absorbing.absorbs(query)]
                total += bool(left)
                branches += [(query, total) for query in left]
        branches.reverse()
        return branches

    def _branch_by_weight(
        self, branches: list[tuple[int, int]], queries: list[int], total: int, needed: int
    ) -> int:
        """Add the queries of a class that may exceed ``needed``; what the class weighs."""
        each = self._weights.each
        queries.sort(key=each.__getitem__)
        branches += [(q, total + each[q]) for q in queries if total + each[q] > needed]
        return each[queries[-1]]

    def _classes(self, candidates: Bitset) -> Iterator[tuple[Bitset, list[int]]]:
        """The classes of a colouring, filled in order, one after the other."""
        conflicts = self._conflicts
        for number in count():
            if not candidates:
                return
            if not number % _OFTEN:
                self._clock.ask()
            before, queries = candidates, []
            available = candidates
            while available:
                low = available & -available
                query = low.bit_length() - 1
                queries.append(query)
                candidates ^= low
                available = available & conflicts[query]
            yield before ^ candidates, queries

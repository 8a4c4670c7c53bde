r"""Clique search: the heaviest set of queries that overlap, by choosing queries.

Rules of this file: weights are positive integers; a node holds the chosen queries, the candidates
that overlap with all of them, and what is left of the facets in which pairs do not suffice.

Theory of operation: of queries that are disjoint in pairs an overlapping set holds at most one, so
a colouring of the candidates bounds what they can add: the sum over the colours of the heaviest in
each. Candidates are coloured greedily, and only those beyond what the incumbent already has are
branched on, last colour first. Before that, a query that is as heavy as all the candidates
disjoint from it together is simply taken: exchanging them for it loses nothing. The coverage
constraint is kept exactly: in a facet with coverages of several ranges, the cells that hold all
chosen queries are tracked, and candidates outside all of them are dropped. Without that constraint
the same search finds the heaviest clique of the query graph.

Sources: Smith et al., PoPETs 2022, section 6.2; San Segundo, Rodriguez-Losada, Jimenez, "An exact
bit-parallel algorithm for the maximum clique problem", Computers & Operations Research 38 (2011);
Kumlander, "A new exact algorithm for the maximum-weight clique problem", 2004.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exactdp.parallel.graph import Bitset, Facet, members, union
from exactdp.parallel.weighing import Incumbent, Weights

_Region = tuple[tuple[Bitset, ...], ...]
"""For each tracked facet, the queries of each cell that holds all chosen queries."""

_Node = tuple[int, Bitset, Bitset, int, _Region]
"""A bound of the whole, chosen queries, candidates, the weight of the chosen, the region."""


class CliqueSearch:
    """A depth-first search that can be stopped after every node."""

    def __init__(
        self,
        facets: Sequence[Facet],
        conflicts: Sequence[Bitset],
        queries: Bitset,
        weights: Weights,
        best: Incumbent,
    ) -> None:
        self._conflicts = conflicts
        self._weights = weights
        self._best = best
        tracked = [facet for facet in facets if not facet.pairs_suffice]
        self._constrained = [facet.constrained for facet in tracked]
        self._anywhere = union(self._constrained)
        region = tuple(tuple(cell.queries for cell in facet.cells) for facet in tracked)
        self._waiting: list[_Node] = [(weights.of(queries), 0, queries, 0, region)]

    @property
    def done(self) -> bool:
        """Whether no open node can hold anything heavier than the incumbent."""
        return not self._waiting

    @property
    def bound(self) -> int:
        """No overlapping set is heavier."""
        return max([self._best.weight, *(node[0] for node in self._waiting)])

    def steps(self) -> Iterator[None]:
        """Expand node after node."""
        while self._waiting:
            bound, chosen, candidates, weight, region = self._waiting.pop()
            if bound > self._best.weight:
                self._expand(chosen, candidates, weight, region)
            yield

    def _expand(self, chosen: Bitset, candidates: Bitset, weight: int, region: _Region) -> None:
        taken, candidates = self._reduced(candidates)
        chosen |= taken
        weight += self._weights.of(taken)
        if not candidates:
            self._best.offer(weight, chosen)
            return
        children: list[_Node] = []
        for query, bound in self._branches(candidates, self._best.weight - weight):
            place = 1 << query
            candidates ^= place
            narrowed, inside = self._narrowed(region, query)
            left = candidates & ~self._conflicts[query] & inside
            own = weight + self._weights.each[query]
            children.append((weight + bound, chosen | place, left, own, narrowed))
        self._waiting += reversed(children)

    def _reduced(self, candidates: Bitset) -> tuple[Bitset, Bitset]:
        """Queries that may be taken at once, and the candidates that are left."""
        taken = 0
        for query in members(candidates & ~self._anywhere):
            place = 1 << query
            if candidates & place:
                rivals = self._conflicts[query] & candidates
                if not rivals or self._weights.each[query] >= self._weights.of(rivals):
                    taken |= place
                    candidates &= ~(place | rivals)
        return taken, candidates

    def _branches(self, candidates: Bitset, needed: int) -> list[tuple[int, int]]:
        """The queries to branch on, with a bound of what each can add with those after it.

        Colour classes whose bounds together do not exceed ``needed`` are not branched on. A query
        is returned before all that were coloured before it, and may still be joined by them.
        """
        conflicts, each = self._conflicts, self._weights.each
        branches: list[tuple[int, int]] = []
        total = 0
        while candidates:
            colour: list[int] = []
            available = candidates
            while available:
                low = available & -available
                query = low.bit_length() - 1
                colour.append(query)
                candidates ^= low
                available = available & conflicts[query]
            colour.sort(key=each.__getitem__)
            branches += [(query, total + each[query]) for query in colour]
            total += each[colour[-1]]
        branches.reverse()
        return [(query, bound) for query, bound in branches if bound > needed]

    def _narrowed(self, region: _Region, query: int) -> tuple[_Region, Bitset]:
        """The region once ``query`` is chosen, and the queries that still meet it."""
        inside = -1
        if not self._anywhere >> query & 1:
            return region, inside
        narrowed = list(region)
        for i, constrained in enumerate(self._constrained):
            if constrained >> query & 1:
                narrowed[i] = tuple(cell for cell in region[i] if cell >> query & 1)
                inside &= union(narrowed[i])
        return tuple(narrowed), inside

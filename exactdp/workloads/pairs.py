r"""Pairs of rows: the heaviest set of queries that one of two rows satisfies, exactly.

Purpose: the end of the search for two rows, where one of them replaces the other.

Rules of this file: weights are integers >= 0; a pair is returned whatever happens; that it is the
heaviest is said only where the search was finished.

Theory of operation: of two rows let the first be the one that meets more by weight. Its values are
chosen facet by facet, as in :mod:`exactdp.workloads.costliest`. A node holds the queries P that the
first row may still meet. Both rows together weigh at most twice the weight of P, as the second one
is no heavier; and at most P and what one row can meet of the queries outside P, which the search
for one row says. Where the first row is chosen, that search gives the best second one.

Sources: Smith et al., PoPETs 2022, section 6.2, for branching.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from exactdp.timing.clock import Clock, TimeIsUpError
from exactdp.workloads.bitsets import Bitset, members
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import Heaviest, maximum_overlap
from exactdp.workloads.sweeps import MOST_SEARCHED
from exactdp.workloads.weighing import QueryWeights

_MOST_SEEN: Final = 1 << 16
_CaseOfFirst = tuple[Bitset, tuple[int, ...]]
"""The queries that the first row may still meet, and the facets in which it has no cell yet."""


@dataclass(frozen=True, slots=True)
class HeaviestPair:
    """Two sets of queries that a row each satisfies.

    Attributes:
        first: the queries of one row.
        second: queries of another that the first leaves over.
        proved: whether no two rows meet more by weight.
    """

    first: Bitset
    second: Bitset
    proved: bool


def heaviest_pair(
    graph: QueryGraph, weights: Sequence[int], known: tuple[Bitset, Bitset], clock: Clock
) -> HeaviestPair:
    """The heaviest pair, from one that is known.

    Args:
        graph: the query graph.
        weights: an integer >= 0 for each query.
        known: queries of two rows.
        clock: when to stop.
    """
    search = _PairSearch(graph, weights, known, clock)
    return HeaviestPair(*search.run(), search.finished)


class _PairSearch:
    """A depth-first search over the cells of the first row."""

    def __init__(
        self, graph: QueryGraph, weights: Sequence[int], known: tuple[Bitset, Bitset], clock: Clock
    ) -> None:
        self._graph = graph
        self._weights = weights
        self._weighing = QueryWeights(weights)
        self._clock = clock
        self._best = known
        self._most = self._weight(known[0] | known[1])
        self._beside: dict[Bitset, Heaviest] = {}
        self._seen: set[Bitset] = set()
        self.finished = False

    def run(self) -> tuple[Bitset, Bitset]:
        """Search until all is seen, or time is up."""
        if self._graph.size > MOST_SEARCHED:
            return self._best
        try:
            self._search()
        except TimeIsUpError:
            self.finished = False
        return self._best

    def _search(self) -> None:
        """Expand node after node.

        Raises:
            TimeIsUpError: in the middle.
        """
        facets = tuple(range(len(self._graph.facets_within(self._clock))))
        waiting = [(self._graph.overlapping, facets)]
        waiting += [(1 << query, ()) for query in members(self._graph.alone)]
        complete = self._graph.complete
        while waiting:
            self._clock.ask()
            if len(self._seen) > _MOST_SEEN:
                return
            met, open_facets = waiting.pop()
            if met not in self._seen:
                self._seen.add(met)
                children = self._children(met, open_facets)
                complete = complete and children is not None
                waiting += children or []
        self.finished = complete

    def _weight(self, queries: Bitset) -> int:
        return self._weighing.of(queries)

    def _left_over(self, met: Bitset) -> Heaviest:
        """The heaviest set of the queries outside ``met`` that one row satisfies."""
        if met not in self._beside:
            left = [0 if met >> i & 1 else weight for i, weight in enumerate(self._weights)]
            self._beside[met] = maximum_overlap(self._graph, left, self._clock)
        return self._beside[met]

    def _children(self, met: Bitset, facets: tuple[int, ...]) -> list[_CaseOfFirst] | None:
        """The cases that may hold a heavier pair; None where that is left open."""
        own = self._weight(met)
        if 2 * own <= self._most:
            return []
        beside = self._left_over(met)
        if own + beside.upper <= self._most:
            return []
        chosen, open_facets = self._parts(met, facets)
        if chosen:
            return [(part, open_facets) for part in sorted(chosen, key=self._weight)]
        if own + beside.lower > self._most:
            self._most, self._best = own + beside.lower, (met, beside.queries & ~met)
        return [] if beside.exact else None

    def _parts(self, met: Bitset, facets: tuple[int, ...]) -> tuple[set[Bitset], tuple[int, ...]]:
        """What is met in each cell of the facet whose heaviest cell is lightest."""
        open_facets, chosen, least = [], set[Bitset](), 0
        for facet in facets:
            self._clock.ask()
            parts = {met & cell.queries for cell in self._graph.facets[facet].cells}
            if met in parts:
                continue
            self._clock.ask()
            open_facets.append(facet)
            most = max(map(self._weight, parts))
            if not chosen or most < least:
                least, chosen = most, parts
        return chosen, tuple(open_facets)

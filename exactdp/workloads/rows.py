r"""Row search: the heaviest set of queries that one row satisfies, by choosing its values.

Rules of this file: weights are positive integers; a node is the set of queries that are still
satisfied; nothing is cut off whose bound exceeds the heaviest set known.

Theory of operation: a row chooses one cell in every facet and satisfies the queries that all the
chosen cells hold. A node branches on the facet whose heaviest cell is lightest: that weight bounds
everything below it. Facets in which one cell holds the whole node are settled and forgotten. Few
attributes with many queries are this search's good case, as in a census; many attributes with few
queries each are that of :mod:`exactdp.workloads.cliques`.

Sources: Smith et al., PoPETs 2022, section 6.2 (branch and bound with the coverage constraint).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exactdp.workloads.bitsets import Bitset
from exactdp.workloads.graph import Facet
from exactdp.workloads.weighing import Incumbent, QueryWeights

_MOST_SEEN = 1 << 20


class RowSearch:
    """A depth-first search that can be stopped after every node.

    Attributes:
        done: whether the incumbent is proved to be a heaviest set.
    """

    def __init__(
        self, facets: Sequence[Facet], queries: Bitset, weights: QueryWeights, best: Incumbent
    ) -> None:
        self._cells = [tuple(cell.queries for cell in facet.cells) for facet in facets]
        self._weights = weights
        self._best = best
        self._waiting = [(weights.of(queries), queries, tuple(range(len(facets))))]
        self._seen: set[Bitset] = set()

    @property
    def done(self) -> bool:
        """Whether no open node can hold anything heavier than the incumbent."""
        return not self._waiting

    @property
    def bound(self) -> int:
        """No overlapping set is heavier."""
        return max([self._best.weight, *(bound for bound, _, _ in self._waiting)])

    def steps(self) -> Iterator[None]:
        """Expand node after node."""
        while self._waiting:
            bound, node, facets = self._waiting.pop()
            if bound > self._best.weight and node not in self._seen:
                if len(self._seen) < _MOST_SEEN:
                    self._seen.add(node)
                self._expand(node, facets)
            yield

    def _expand(self, node: Bitset, facets: Sequence[int]) -> None:
        """Settle what is settled; branch on the facet that promises least, or record a row."""
        open_facets = []
        chosen: list[tuple[int, Bitset]] = []
        least = self._weights.of(node)
        for facet in facets:
            parts = {node & cell for cell in self._cells[facet]}
            if node in parts:
                continue
            open_facets.append(facet)
            weighed = [(self._weights.of(part), part) for part in parts]
            most = max(weight for weight, _ in weighed)
            if most <= self._best.weight:
                return
            if not chosen or (most, len(weighed)) < (least, len(chosen)):
                least, chosen = most, weighed
        if not chosen:
            self._best.offer(least, node)
            return
        remaining = tuple(open_facets)
        chosen.sort()
        self._waiting += [(weight, part, remaining) for weight, part in chosen]

r"""Share search: the maximum overlap by choosing a row's values, with shares as the bound.

Rules of this file: shares are integers, held in floating point far below 2^53, so that every sum
is exact and nothing is cut off that may hold more than the largest set known.

Theory of operation: a node is the set of queries that are still met, and the facets in which no
cell is chosen yet. What a row below it meets is at most the shares that its queries have in chosen
facets, and in each open one those that the best cell holds. Branching is on the facet with fewest
cells that leave this bound above the largest set known, most promising cell first. It is good where
most queries overlap, as in section 7.1 of the paper over few attributes, where colours say little.
All cells of a facet are weighed by one product of a matrix and a vector; needs numpy.

Sources: Smith et al., PoPETs 2022, section 6.2; as for :mod:`exactdp.parallel.shares`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exactdp.parallel.clock import Clock
from exactdp.parallel.graph import QueryGraph, bitset
from exactdp.parallel.overlap import Heaviest
from exactdp.parallel.shares import FINE, SharedWeights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_ENTRIES: Final = 20_000_000
_MOST_WAITING: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class _Node:
    """The most shares that a row below may collect, what it still meets, and the open facets."""

    bound: float
    met: NDArray[np.float64]
    spent: NDArray[np.float64]
    open: tuple[int, ...]


def overlap_by_shares(
    graph: QueryGraph, shares: SharedWeights, known: Heaviest, clock: Clock
) -> Heaviest:
    """γ, from a set that is known and as far up as time and memory allow.

    Args:
        graph: the query graph.
        shares: shares of its queries, each of which counts 1.
        known: a set that one row meets, and a bound.
        clock: when to stop.
    """
    if graph.size * sum(len(facet.cells) for facet in graph.facets) > _MOST_ENTRIES:
        return known
    try:
        search = _Search(graph, shares, known)
    except ImportError:
        return known
    return search.run(clock)


class _Search:
    """A depth-first search over the cells of a row."""

    def __init__(self, graph: QueryGraph, shares: SharedWeights, known: Heaviest) -> None:
        import numpy as np  # noqa: PLC0415 (of the extras)

        self._known = known
        self._best = known.queries
        self._most = known.lower
        size = range(graph.size)
        self._held = [
            np.array([[cell.queries >> i & 1 for i in size] for cell in facet.cells], float)
            for facet in graph.facets
        ]
        self._own = [np.array([own.get(i, 0) for i in size], float) for own in shares.exact]
        self._weighed = [held * own for held, own in zip(self._held, self._own, strict=True)]
        met = np.array([graph.overlapping >> i & 1 for i in size], float)
        spent = FINE * met - sum(self._own, np.zeros(graph.size))  # of those that name no facet
        self._waiting = [_Node(float("inf"), met, spent, tuple(range(len(graph.facets))))]

    def run(self, clock: Clock) -> Heaviest:
        """Expand node after node."""
        while self._waiting and not clock.is_over and len(self._waiting) < _MOST_WAITING:
            node = self._waiting.pop()
            if node.bound >= self._aim:
                self._expand(node)
        highest = max((node.bound for node in self._waiting), default=0.0)
        upper = self._known.upper
        if highest < self._aim:
            upper = self._most
        elif highest < float("inf"):
            upper = min(upper, int(highest) // FINE)
        return Heaviest(self._most, upper, self._best)

    @property
    def _aim(self) -> int:
        """The least sum of shares that a larger set has."""
        return (self._most + 1) * FINE

    def _expand(self, node: _Node) -> None:
        if not node.open:
            queries = bitset(i for i, met in enumerate(node.met) if met)
            if queries.bit_count() > self._most:
                self._most, self._best = queries.bit_count(), queries
            return
        weighed = [self._weighed[facet] @ node.met for facet in node.open]
        heaviest = [float(cells.max()) for cells in weighed]
        whole = float(node.spent @ node.met) + sum(heaviest)
        if whole < self._aim:
            return
        needed = [self._aim - whole + most for most in heaviest]
        promising = [int((w >= least).sum()) for w, least in zip(weighed, needed, strict=True)]
        place = promising.index(min(promising))
        facet, rest = node.open[place], node.open[:place] + node.open[place + 1 :]
        spent = node.spent + self._own[facet]
        seen = set()
        for cell in weighed[place].argsort()[len(weighed[place]) - promising[place] :]:
            met = node.met * self._held[facet][cell]
            if met.tobytes() not in seen:
                seen.add(met.tobytes())
                bound = whole - heaviest[place] + float(weighed[place][cell])
                self._waiting.append(_Node(bound, met, spent, rest))

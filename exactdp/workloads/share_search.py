r"""Share search: the maximum overlap by choosing a row's values, with shares as the bound.

Rules of this file: shares are integers, held in floating point far below 2^53, so that every sum
is exact and nothing is cut off that may hold more than the largest set known.

Theory of operation: a node is the set of queries that are still met, and the facets in which no
cell is chosen yet, with the cells that may be. What a row below it meets is at most the shares that
the best cell of each open facet holds, where each query's shares are its own among these facets. At
every node a few subgradient steps lower that bound, and a cell that cannot belong to a larger set
than the largest known is dropped, for all that is below the node. Branching is on the facet with
fewest cells left, most promising cell first; what its children may collect is first bounded for all
of them at once, with the shares of their parent. It is good where most queries overlap, as in
section 7.1 of the paper over few attributes, where colours say little. All cells of a facet are
weighed by one product of a matrix and a vector; needs numpy.

Sources: Smith et al., PoPETs 2022, section 6.2; as for :mod:`exactdp.workloads.shares`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exactdp.timing.clock import Clock
from exactdp.workloads.bitsets import bitset, members
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import Heaviest
from exactdp.workloads.shares import FINE, SharedWeights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    _Floats = NDArray[np.float64]

_MOST_ENTRIES: Final = 20_000_000
_MOST_WAITING: Final = 1_000_000
_MOST_WEIGHED: Final = 4_000_000
_ROUNDS: Final = 30
_PATIENCE: Final = 4


@dataclass(frozen=True, slots=True)
class _Node:
    """What is left of the choice of a row.

    Attributes:
        bound: the most shares that a row below may collect.
        met: the queries that are still met, by number.
        cells: the open facets, each with the cells that may still be chosen.
        shares: of each query (column) in each open facet (row).
    """

    bound: float
    met: NDArray[np.int64]
    cells: tuple[tuple[int, NDArray[np.int64]], ...]
    shares: _Floats


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

        self._np = np
        self._known = known
        self._best = known.queries
        self._most = known.lower
        size = range(graph.size)
        self._held = [
            np.array([[cell.queries >> i & 1 for i in size] for cell in facet.cells], float)
            for facet in graph.facets
        ]
        self._named = np.array(
            [[facet.constrained >> i & 1 for i in size] for facet in graph.facets], bool
        ).reshape(len(graph.facets), graph.size)
        met = np.array(list(members(graph.overlapping)), np.int64)
        own = np.array([[own.get(int(i), 0) for i in met] for own in shares.exact], float)
        cells = tuple((place, np.arange(len(held))) for place, held in enumerate(self._held))
        whole = _Node(float("inf"), met, cells, own.reshape(len(cells), len(met)))
        self._waiting = [whole] if len(met) else []

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
        """Sharpen the bound of a node, and branch on the facet with fewest promising cells."""
        if not node.cells:
            if len(node.met) > self._most:
                self._most, self._best = len(node.met), bitset(node.met.tolist())
            return
        sharpened = self._sharpened(node)
        if sharpened is None:
            return
        np = self._np
        place = min(range(len(sharpened.cells)), key=lambda i: len(sharpened.cells[i][1]))
        facet, cells = sharpened.cells[place]
        rest = sharpened.cells[:place] + sharpened.cells[place + 1 :]
        others = np.delete(sharpened.shares, place, 0)
        kept = self._held[facet][np.ix_(cells, sharpened.met)]
        weighed = kept @ sharpened.shares[place]
        below = sharpened.bound - weighed.max() + weighed
        bounds = np.minimum(below, self._bounds_of(kept, sharpened.met, rest, others))
        seen = set()
        for each in bounds.argsort()[int((bounds < self._aim).sum()) :]:
            own = kept[each] > 0
            if own.tobytes() not in seen:
                seen.add(own.tobytes())
                child = _Node(float(bounds[each]), sharpened.met[own], rest, others[:, own])
                self._waiting.append(child)

    def _bounds_of(
        self,
        kept: _Floats,
        met: NDArray[np.int64],
        cells: tuple[tuple[int, NDArray[np.int64]], ...],
        shares: _Floats,
    ) -> _Floats:
        """The most shares that rows below each child may collect, for all children at once.

        Args:
            kept: which of the queries (column) each child (row) keeps.
            met: the numbers of these queries.
            cells: the facets that are open to the children, and their cells.
            shares: of each query in each of these facets, not yet in full.
        """
        np = self._np
        named = self._named[np.ix_([facet for facet, _ in cells], met)]
        fair = whole_shares(shares, named) if cells else shares
        bounds: _Floats = FINE * (kept @ ~named.any(0))
        for (facet, own), share in zip(cells, fair, strict=True):
            held = self._held[facet][np.ix_(own, met)] * share
            step = max(1, _MOST_WEIGHED // len(own))
            for begin in range(0, len(kept), step):
                some = slice(begin, begin + step)
                bounds[some] += (held @ kept[some].T).max(0)
        return bounds

    def _sharpened(self, node: _Node) -> _Node | None:
        """The node with better shares and fewer cells; None if nothing larger is below it."""
        np = self._np
        met, cells = node.met, list(node.cells)
        named = self._named[np.ix_([facet for facet, _ in cells], met)]
        free = FINE * int((~named.any(0)).sum())
        shares = best = whole_shares(node.shares, named)
        held = [self._held[facet][np.ix_(own, met)] for facet, own in cells]
        least, pace, since = float("inf"), 1.0, 0
        for _ in range(_ROUNDS):
            weighed = [inside @ own for inside, own in zip(held, shares, strict=True)]
            heaviest = [float(each.max()) for each in weighed]
            bound = free + sum(heaviest)
            if bound < self._aim:
                return None
            for i, (each, most) in enumerate(zip(weighed, heaviest, strict=True)):
                promising = each >= self._aim - bound + most
                if not promising.all():
                    cells[i] = (cells[i][0], cells[i][1][promising])
                    held[i], weighed[i] = held[i][promising], each[promising]
            since += 1
            if bound < least:
                least, best, since = bound, shares, 0
            elif since > _PATIENCE:
                pace, since = pace / 2, 0
            hits = np.array([h[w.argmax()] for h, w in zip(held, weighed, strict=True)])
            slope = named * (hits - (hits * named).sum(0) / np.maximum(named.sum(0), 1))
            norm = float((slope * slope).sum())
            if not norm:
                break
            length = pace * (bound - self._most * FINE) / norm
            shares = whole_shares(np.maximum(shares - length * slope, 0), named)
        return _Node(least, met, tuple(cells), best)


def whole_shares(shares: _Floats, named: NDArray[np.bool_]) -> _Floats:
    """Shares in proportion to these, as integers that add up for each query that has any.

    Args:
        shares: of each query (column) in each open facet (row), >= 0.
        named: which facets each query names; in others it has no share.
    """
    import numpy as np  # noqa: PLC0415 (of the extras)

    shares = (shares + 1) * named
    # short of all by one, so that what is left is not negative, however products are rounded
    fair: _Floats = np.floor(shares * ((FINE - 1) / np.maximum(shares.sum(0), 1)))
    fair[named.argmax(0), np.arange(named.shape[1])] += (FINE - fair.sum(0)) * named.any(0)
    return fair

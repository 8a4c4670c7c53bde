r"""A bound from above by shares: what a row can collect if each query is paid for in parts.

Purpose: an upper end of γ that neither colours queries nor branches, and is often far below both: a
relaxation to a linear programme, by its dual.

Rules of this file: shares are looked for in floating point, and are then made integers that add up
exactly; the bound is computed from these, in integers. How good the shares are affects how good the
bound is, never whether it holds.

Theory of operation: the weight of each query is shared among the attributes that it names. A row
has one value for each attribute and meets a query only if all of these values are admitted, so that
what it meets weighs no more than, attribute by attribute, the shares of all queries that its value
admits. The greatest sum of shares over the cells of each facet, added up over the facets, is
therefore a bound. Its minimum over all shares is the optimum of the linear relaxation of choosing
one cell for each facet. Subgradient steps lead there: a share at the heaviest cell of its facet
falls, others of its query grow.

Sources: Smith et al., PoPETs 2022, Definition 3; Held, Wolfe, Crowder, "Validation of subgradient
optimization", Mathematical Programming 6, 1974.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from exactdp.timing.clock import Clock, TimeIsUpError
from exactdp.workloads.bitsets import bitset, members
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.sweeps import MOST_SEARCHED

FINE: Final = 1 << 24
_ROUNDS: Final = 400
_PATIENCE: Final = 15
_MOST_MEMBERS: Final = 2_000_000
_MOST_NAMED: Final = 64

_Cells = list[list[int]]
_Shares = list[dict[int, float]]
"""For each facet the share of each query that names its attribute."""


def bound_by_shares(
    graph: QueryGraph, weights: Sequence[int] | None, known: int, clock: Clock
) -> int | None:
    """No set of queries that one row satisfies is heavier; None where that would take too long.

    Args:
        graph: the query graph.
        weights: an integer >= 0 for each query; None counts queries.
        known: the weight of a set that some row satisfies.
        clock: when to stop.
    """
    each = [1] * graph.size if weights is None else weights
    single = max((each[i] for i in members(graph.alone)), default=0)
    shares = shares_of(graph, each, known, clock)
    return None if shares is None else max(single, shares.bound)


def suits(graph: QueryGraph) -> bool:
    """Whether no query names so many attributes that shares would say little, and take long."""
    most = max((len(query.where) for query in graph.workload), default=0)
    return graph.size <= MOST_SEARCHED and most <= _MOST_NAMED


def shares_of(
    graph: QueryGraph, each: Sequence[int], known: int, clock: Clock
) -> SharedWeights | None:
    """Good shares of the queries' weights; None where finding some would take too long."""
    if clock.is_over or not suits(graph):
        return None
    try:
        facets = graph.facets_within(clock)
    except TimeIsUpError:
        return None
    held = (cell.queries & facet.constrained for facet in facets for cell in facet.cells)
    if sum(map(int.bit_count, held)) > _MOST_MEMBERS:
        return None
    shares = SharedWeights(graph, each)
    shares.run(known, clock)
    return shares


class SharedWeights:
    """Shares that grow better round by round."""

    def __init__(self, graph: QueryGraph, each: Sequence[int]) -> None:
        self._each = each
        heavy = graph.overlapping & bitset(i for i, weight in enumerate(each) if weight)
        self._cells: list[_Cells] = [
            [list(members(cell.queries & facet.constrained & heavy)) for cell in facet.cells]
            for facet in graph.facets
        ]
        self._named: dict[int, list[int]] = {i: [] for i in members(heavy)}
        for place, facet in enumerate(graph.facets):
            for i in members(facet.constrained & heavy):
                self._named[i].append(place)
        self._free = sum(each[i] for i, places in self._named.items() if not places)
        self._best: _Shares = self._even()

    def _even(self) -> _Shares:
        shares: _Shares = [{} for _ in self._cells]
        for i, places in self._named.items():
            for place in places:
                shares[place][i] = self._each[i] / len(places)
        return shares

    @property
    def exact(self) -> list[dict[int, int]]:
        """The best shares by facet, as integers that add up to each query's weight times FINE."""
        exact: list[dict[int, int]] = [{} for _ in self._cells]
        for i, places in self._named.items():
            left = self._each[i] * FINE
            for place in places[1:]:
                exact[place][i] = min(left, int(self._best[place][i] * FINE))
                left -= exact[place][i]
            if places:
                exact[places[0]][i] = left
        return exact

    @property
    def bound(self) -> int:
        """What the best shares show."""
        heaviest = (
            max(sum(map(own.__getitem__, cell)) for cell in cells)
            for own, cells in zip(self.exact, self._cells, strict=True)
        )
        return self._free + sum(heaviest) // FINE

    def run(self, known: int, clock: Clock) -> None:
        """Step after step towards the optimum, until it is near what is known or time is up."""
        shares, least, pace, since = self._best, float("inf"), 1.0, 0
        for _ in range(_ROUNDS):
            if clock.is_over:
                return
            total, chosen = self._heaviest(shares)
            since += 1
            if total < least - 1e-3:
                least, self._best, since = total, shares, 0
            if total < known + 1:
                return
            if since > _PATIENCE:
                shares, pace, since = self._best, pace / 2, 0
                total, chosen = self._heaviest(shares)
            shares = self._stepped(shares, chosen, pace * (total - known))

    def _heaviest(self, shares: _Shares) -> tuple[float, list[set[int]]]:
        """What all facets' heaviest cells weigh together, and who is in them."""
        total, chosen = float(self._free), []
        for own, cells in zip(shares, self._cells, strict=True):
            weighed = [sum(map(own.__getitem__, cell)) for cell in cells]
            most = max(weighed)
            total += most
            chosen.append(set(cells[weighed.index(most)]))
        return total, chosen

    def _stepped(self, shares: _Shares, chosen: list[set[int]], length: float) -> _Shares:
        """Shares at heaviest cells fall, those of the same queries elsewhere grow."""
        slopes = []
        for i, places in self._named.items():
            hits = [i in chosen[place] for place in places]
            part = sum(hits) / max(1, len(hits))
            slopes.append([hit - part for hit in hits])
        norm = sum(slope * slope for each in slopes for slope in each)
        if not norm:
            return shares
        stepped: _Shares = [{} for _ in shares]
        for (i, places), steps in zip(self._named.items(), slopes, strict=True):
            moved = [
                max(0.0, shares[place][i] - length / norm * step)
                for place, step in zip(places, steps, strict=True)
            ]
            whole = sum(moved)
            for place, share in zip(places, moved, strict=True):
                stepped[place][i] = share * self._each[i] / whole
        return stepped

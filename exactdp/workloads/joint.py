r"""Joint search: the heaviest set that one row satisfies, along attributes that it learns to mind.

Purpose: γ where queries name so many attributes that not all of them can be watched: overlap in
pairs settles most, and the others are found on the way.

Rules of this file: a set is offered only after all of its attributes were asked whether some value
is admitted by every query; what is cut off holds no such set that is heavier.

Theory of operation: as in :mod:`exactdp.workloads.cliques`, but with an attribute of which cells
are tracked added whenever a heavier set turns out to have no value in common there. The set is
dropped, as all that contain it would be, and the search goes on where it is: nodes made before
narrow their cells again. Of tracked attributes only the candidates stay that admit a value which is
left. No query is taken for being disjoint from few: it might leave others without a value in common
along an attribute that is not tracked yet.

Sources: Smith et al., PoPETs 2022, section 6.2; as for :mod:`exactdp.workloads.cliques`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from exactdp.timing.clock import Clock
from exactdp.workloads.bitsets import Bitset, bitset, members, union
from exactdp.workloads.cells import maximal_cells
from exactdp.workloads.cliques import CliqueNode, CliqueSearch, Region
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.weighing import Incumbent, QueryWeights

_TRACKED: Final = -1
"""Where a region says how many attributes were tracked when it was made."""
_DIVES: Final = 16
_FEW: Final = 64
"""So many cells are looked through for the queries that admit one of them."""


class RowCliqueSearch(CliqueSearch):
    """A clique search that offers sets met by one row alone.

    Args:
        graph: the query graph.
        queries: numbers of its queries, those in few conflicts first; nodes speak of their places.
        weights: of these queries, above 0.
        best: a set of places that one row meets.
        clock: when to stop.
    """

    def __init__(
        self,
        graph: QueryGraph,
        queries: Sequence[int],
        weights: QueryWeights,
        best: Incumbent,
        clock: Clock,
    ) -> None:
        own = bitset(queries)
        places = {query: place for place, query in enumerate(queries)}
        conflicts = [
            bitset(places[i] for i in members(graph.conflicts[query] & own)) for query in queries
        ]
        everything = (1 << len(queries)) - 1
        super().__init__([[] for _ in queries], conflicts, everything, weights, best, clock)
        self._named: list[list[tuple[int, Bitset]]] = [[] for _ in queries]
        self._wheres = [graph.workload.queries[query].where for query in queries]
        self._cells: dict[int, list[Bitset]] = {}

    def begin(self) -> None:
        """Offer sets found greedily, and track what tears them."""
        everything = (1 << len(self._wheres)) - 1
        for start in range(min(_DIVES, len(self._wheres))):
            for _ in range(_DIVES):
                if self._fitted(start, everything):
                    break

    def _fitted(self, start: int, candidates: Bitset) -> bool:
        """Offer a set found greedily; whether it had a value in common everywhere."""
        self._clock.ask()
        region, chosen = self._narrowed(self._region_of(0) or {}, start), 1 << start
        left = candidates & ~self._conflicts[start] & ~chosen
        while left and region is not None:
            place = left & -left
            query = place.bit_length() - 1
            left ^= place
            narrowed = self._narrowed(region, query)
            if narrowed is not None:
                region, chosen = narrowed, chosen | place
                left &= ~self._conflicts[query]
        return self._offered(self._weights.of(chosen), chosen)

    def _expand(self, node: CliqueNode) -> None:
        _, chosen, candidates, weight, last, before = node
        if before.get(_TRACKED, 0) == len(self._cells):
            region = self._narrowed(before, last)
            touched = {facet for facet, _ in self._named[last]} if last >= 0 else set()
        else:
            region, touched = self._region_of(chosen), set(self._cells)
        if region is None or not self._offered(weight, chosen):
            return
        for facet in touched & region.keys():
            if region[facet].bit_count() <= _FEW:
                cells = self._cells[facet]
                candidates &= union(cells[k] for k in members(region[facet]))
        self._branch(chosen, candidates, weight, region)

    def _region_of(self, chosen: Bitset) -> Region | None:
        """The cells that hold all that is chosen; None if some attribute has none."""
        region: Region | None = {_TRACKED: len(self._cells)}
        for query in members(chosen):
            region = None if region is None else self._narrowed(region, query)
        return region

    def _offered(self, weight: int, chosen: Bitset) -> bool:
        """Offer a set; False if it is heavier than all known and no row meets it."""
        if weight <= self._best.weight:
            return True
        torn = torn_by(self._wheres[place] for place in members(chosen))
        for attribute in torn:
            self._track(attribute)
        if not torn:
            self._best.offer(weight, chosen)
        return not torn

    def _track(self, attribute: int) -> None:
        having: dict[Coverage, list[int]] = {}
        for place, where in enumerate(self._wheres):
            if attribute in where:
                having.setdefault(where[attribute], []).append(place)
        named = list(having.values())
        sets = [bitset(places) for places in named]
        free = (1 << len(self._wheres)) - 1 & ~union(sets)
        cells = [ks for _, ks in maximal_cells(list(having))]
        self._cells[attribute] = [free | union(sets[k] for k in members(ks)) for ks in cells]
        for k, places in enumerate(named):
            held = bitset(number for number, ks in enumerate(cells) if ks >> k & 1)
            for place in places:
                self._named[place].append((attribute, held))


def torn_by(wheres: Iterable[Mapping[int, Coverage]]) -> list[int]:
    """The attributes no value of which is admitted by all of some queries."""
    common: dict[int, Coverage] = {}
    for where in wheres:
        common |= narrowed(common, where)
    return [attribute for attribute, coverage in common.items() if coverage.is_empty]


def narrowed(common: Mapping[int, Coverage], where: Mapping[int, Coverage]) -> dict[int, Coverage]:
    """What is left of the values in common along the attributes that one more query names."""
    return {
        attribute: common[attribute].meet(coverage) if attribute in common else coverage
        for attribute, coverage in where.items()
    }

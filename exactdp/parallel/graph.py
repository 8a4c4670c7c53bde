r"""The query graph, in bitsets: which queries overlap, and in which values they can meet.

Purpose: the one pass over a workload on which every bound of this package rests.

Rules of this file: a set of queries is a Python integer whose bit i stands for query i; a query
that contradicts itself is in no set; work depends on the predicates that are written down, never
on the size of an attribute or on the number of attributes that no query names.

Theory of operation: along one attribute the queries' coverages change only at the ends of their
ranges, so that a sweep over these ends meets every combination that a value can satisfy. Each is
a cell: a value, and the set of queries that admit it. Only cells that no other cell contains
matter to any question about overlap, and an attribute with a single such cell matters to none:
that leaves the facets. Two queries overlap if and only if in every facet some cell holds both
(Smith et al., Proposition 3), and a set of queries does if in every facet some cell holds it all
(the remark after it). Where all coverages of a facet are ranges, pairs that meet meet jointly
(Helly's theorem on the line); elsewhere they need not, which is why a clique may be larger than an
overlap.

Sources: Smith et al., PoPETs 2022, sections 4 and 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final

from exactdp.parallel.clock import Clock, TimeIsUpError
from exactdp.parallel.coverage import Coverage
from exactdp.parallel.workload import Workload, check_number

_SAMPLE: Final = 16
_FEW_CELLS: Final = 1000

Bitset = int
"""A set of small integers."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of an attribute, and the queries that admit it."""

    value: int
    queries: Bitset


@dataclass(frozen=True, slots=True)
class Facet:
    """An attribute that keeps some queries apart.

    Attributes:
        attribute: its number in the workload.
        cells: of the values that matter; no cell contains another.
        constrained: the queries that name the attribute.
        pairs_suffice: whether queries that overlap in pairs do so jointly, as ranges do.
    """

    attribute: int
    cells: tuple[Cell, ...]
    constrained: Bitset
    pairs_suffice: bool


@dataclass(frozen=True)
class QueryGraph:
    """Which queries of a workload overlap.

    Attributes:
        workload: the queries.
        live: the queries that some row satisfies.
        conflicts: for each query live queries that are disjoint from it.
        complete: whether these are all that are; where time was up before, a colouring is one all
            the same, and queries without a conflict may still be disjoint.
    """

    workload: Workload
    live: Bitset
    conflicts: tuple[Bitset, ...]
    complete: bool = True

    @staticmethod
    def of(workload: Workload, clock: Clock | None = None) -> QueryGraph:
        """The query graph of a workload, as far as time allows.

        Raises:
            CostLimitError: it would not fit into memory.
        """
        check_number(len(workload))
        live = bitset(i for i, query in enumerate(workload) if not query.is_contradiction)
        search = _ConflictSearch(workload, live, clock or Clock())
        try:
            search.run()
        except TimeIsUpError:
            return QueryGraph(workload, live, tuple(search.conflicts), complete=False)
        return QueryGraph(workload, live, tuple(search.conflicts))

    @property
    def size(self) -> int:
        """The number of queries, t."""
        return len(self.workload)

    @cached_property
    def alone(self) -> Bitset:
        """The live queries that are disjoint from all others."""
        return bitset(i for i in members(self.live) if self.conflicts[i] == self.live ^ 1 << i)

    @property
    def overlapping(self) -> Bitset:
        """The live queries that overlap with some other."""
        return self.live & ~self.alone

    @cached_property
    def facets(self) -> tuple[Facet, ...]:
        """The attributes that keep overlapping queries apart, in order."""
        among = self.overlapping
        clauses = _by_attribute(self.workload, among, frozenset())
        facets = (_facet(a, _coverages(clauses[a]), among) for a in sorted(clauses))
        return tuple(facet for facet in facets if facet is not None)

    def facet(self, attribute: int) -> Facet | None:
        """The facet of one attribute, if it is one."""
        wheres = ((i, self.workload.queries[i].where) for i in members(self.overlapping))
        named = ((i, where[attribute]) for i, where in wheres if attribute in where)
        return _facet(attribute, _coverages(named), self.overlapping)

    def alike(self, told: AbstractSet[int]) -> tuple[tuple[int, ...], ...]:
        """The overlapping queries, gathered where neither conflicts nor these attributes differ."""
        groups: dict[tuple[Bitset, frozenset[tuple[int, Coverage]]], list[int]] = {}
        for i in members(self.overlapping):
            where = self.workload.queries[i].where.items() if told else ()
            key = self.conflicts[i], frozenset(item for item in where if item[0] in told)
            groups.setdefault(key, []).append(i)
        return tuple(map(tuple, groups.values()))


def bitset(indices: Iterable[int]) -> Bitset:
    """The set of these integers."""
    places = list(indices)
    octets = bytearray(max(places, default=-1) // 8 + 1)
    for i in places:
        octets[i >> 3] |= 1 << (i & 7)
    return int.from_bytes(octets, "little")


def members(queries: Bitset) -> Iterator[int]:
    """The integers of a set, in increasing order.

    >>> list(members(0b10110))
    [1, 2, 4]
    """
    if queries.bit_count() << 5 < queries.bit_length():
        while queries:
            low = queries & -queries
            yield low.bit_length() - 1
            queries ^= low
        return
    octets = queries.to_bytes((queries.bit_length() + 7) // 8, "little")
    for place, octet in enumerate(octets):
        if octet:
            for digit in range(8):
                if octet >> digit & 1:
                    yield 8 * place + digit


class _ConflictSearch:
    """Finds for each query the live queries that are disjoint from it.

    Attributes that most queries name come first, one after the other, as long as each separates
    many pairs. What is then left is decided pair by pair, or attribute by attribute, whichever
    looks at less: the number of pairs, or of clauses; a sample of the queries tells.
    """

    def __init__(self, workload: Workload, live: Bitset, clock: Clock) -> None:
        self.conflicts = [0] * len(workload)
        self._workload = workload
        self._live = live
        self._clock = clock
        self._wheres = [(i, workload.queries[i].where) for i in members(live)]
        self._sample = self._wheres[:: len(self._wheres) // _SAMPLE + 1]
        self._done: set[int] = set()

    def run(self) -> None:
        """Find them all, or as many as there is time for.

        Raises:
            TimeIsUpError: these are not all; of each pair that was found both queries know.
        """
        apart = self._apart()
        for attribute in self._common_attributes():
            named = ((i, where[attribute]) for i, where in self._wheres if attribute in where)
            self._separate(_coverages(named))
            self._done.add(attribute)
            before, apart = apart, self._apart()
            if apart - before < len(self._sample):
                break
        if self._pairs_are_few():
            self._by_pairs()
        else:
            self._by_attributes()

    def _apart(self) -> int:
        """How many pairs with a query of the sample are known to be disjoint."""
        return sum(self.conflicts[i].bit_count() for i, _ in self._sample)

    def _common_attributes(self) -> list[int]:
        """Attributes that at least half of the sample name, most common first."""
        counts = Counter(chain.from_iterable(where for _, where in self._sample))
        return [a for a, count in counts.most_common() if 2 * count >= len(self._sample)]

    def _pairs_are_few(self) -> bool:
        """Whether fewer pairs are undecided than two for each clause of an undecided query."""
        undecided = [(self._undecided(i).bit_count(), where) for i, where in self._sample]
        clauses = sum(len(where) for others, where in undecided if others)
        return sum(others for others, _ in undecided) <= 2 * clauses

    def _undecided(self, query: int) -> Bitset:
        return self._live & ~self.conflicts[query] & ~(1 << query)

    def _by_pairs(self) -> None:
        queries, conflicts = self._workload.queries, self.conflicts
        for i, where in self._wheres:
            self._clock.ask()
            for j in members(self._undecided(i) >> i << i):
                if _disjoint(where, queries[j].where, self._done):
                    conflicts[i] |= 1 << j
                    conflicts[j] |= 1 << i

    def _by_attributes(self) -> None:
        left = bitset(i for i, _ in self._wheres if self._undecided(i))
        for named in _by_attribute(self._workload, left, self._done).values():
            self._separate(_coverages(named))

    def _separate(self, coverages: _Coverages) -> None:
        """Enter what one attribute keeps apart, all or nothing."""
        having = [bitset(queries) for queries in coverages.values()]
        cells = maximal_cells(list(coverages))
        if len(cells) <= 1:
            return
        constrained = union(having)
        meeting = [0] * len(having)
        for _, ks in cells:
            self._clock.ask()
            together = union(having[k] for k in members(ks))
            for k in members(ks):
                meeting[k] |= together
        for queries, meets in zip(coverages.values(), meeting, strict=True):
            others = constrained & ~meets
            for i in queries:
                self.conflicts[i] |= others


def _disjoint(
    one: Mapping[int, Coverage], other: Mapping[int, Coverage], done: Container[int]
) -> bool:
    """Whether an attribute that is not ``done`` keeps two queries apart."""
    few, many = (one, other) if len(one) <= len(other) else (other, one)
    for attribute, coverage in few.items():
        if attribute not in done:
            met = many.get(attribute)
            if met is not None and met is not coverage and coverage.disjoint(met):
                return True
    return False


_Coverages = dict[Coverage, list[int]]
"""Distinct coverages of an attribute, and the queries that have them."""

_Named = list[tuple[int, Coverage]]
"""Queries that name an attribute, and their coverages of it."""


def _by_attribute(workload: Workload, queries: Bitset, done: Container[int]) -> dict[int, _Named]:
    """For each attribute that a set of queries names, those of them that do; but for ``done``."""
    clauses: dict[int, _Named] = {}
    for i in members(queries):
        for attribute, coverage in workload.queries[i].where.items():
            if attribute not in done:
                clauses.setdefault(attribute, []).append((i, coverage))
    return clauses


def _coverages(named: Iterable[tuple[int, Coverage]]) -> _Coverages:
    """The distinct coverages, and which queries have them."""
    objects: dict[int, tuple[Coverage, list[int]]] = {}
    for i, coverage in named:
        known = objects.get(id(coverage))
        if known is None:
            known = objects[id(coverage)] = coverage, []
        known[1].append(i)
    coverages: _Coverages = {}
    for coverage, queries in objects.values():
        coverages.setdefault(coverage, []).extend(queries)
    return coverages


def _facet(attribute: int, coverages: _Coverages, among: Bitset) -> Facet | None:
    """The facet, if it is one."""
    distinct = list(coverages)
    cells = maximal_cells(distinct)
    if len(cells) <= 1:
        return None
    having = [bitset(queries) for queries in coverages.values()]
    constrained = union(having)
    free = among & ~constrained
    return Facet(
        attribute,
        tuple(Cell(value, free | union(having[k] for k in members(ks))) for value, ks in cells),
        constrained,
        all(len(coverage.ranges) == 1 for coverage in distinct),
    )


def maximal_cells(coverages: Sequence[Coverage]) -> list[tuple[int, Bitset]]:
    """Values, each with the set of coverages that hold it; no set contains another.

    A sweep over the ends of all ranges. Between two ends the set is constant; it can be maximal
    only where something has just opened and something closes next.

    >>> maximal_cells([Coverage.of([(0, 5)]), Coverage.of([(3, 9)]), Coverage.of([(8, 9)])])
    [(3, 3), (8, 6)]
    """
    opening: dict[int, Bitset] = {}
    closing: dict[int, Bitset] = {}
    for k, coverage in enumerate(coverages):
        for low, high in coverage.ranges:
            opening[low] = opening.get(low, 0) | 1 << k
            closing[high] = closing.get(high, 0) | 1 << k
    peaks: dict[Bitset, int] = {}
    current, start, grown = 0, 0, False
    for end in sorted(opening.keys() | closing.keys()):
        closed, opened = closing.get(end, 0), opening.get(end, 0)
        if closed and grown:
            peaks.setdefault(current, start)
            grown = False
        current = current & ~closed | opened
        if opened:
            start, grown = end, True
    return _maximal(peaks)


def _maximal(peaks: dict[Bitset, int]) -> list[tuple[int, Bitset]]:
    """The sets that no other contains, with their values, in the order of the values."""
    cells = sorted(peaks, key=int.bit_count, reverse=True)
    kept = _not_contained(cells) if len(cells) <= _FEW_CELLS else _not_contained_of_many(cells)
    return sorted((peaks[cell], cell) for cell in kept)


def _not_contained(cells: Iterable[Bitset]) -> list[Bitset]:
    """The sets, larger ones first, that no other contains."""
    kept: list[Bitset] = []
    for cell in cells:
        if all(cell & ~other for other in kept):
            kept.append(cell)
    return kept


def _not_contained_of_many(cells: Iterable[Bitset]) -> list[Bitset]:
    """The same in less time for many: which sets hold a member is a set itself."""
    kept: list[Bitset] = []
    holding: dict[int, Bitset] = {}
    for cell in cells:
        containing = (1 << len(kept)) - 1
        for k in members(cell):
            containing &= holding.get(k, 0)
            if not containing:
                break
        if not containing:
            for k in members(cell):
                holding[k] = holding.get(k, 0) | 1 << len(kept)
            kept.append(cell)
    return kept


def union(sets: Iterable[Bitset]) -> Bitset:
    """The union of sets."""
    everything = 0
    for each in sets:
        everything |= each
    return everything

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
from collections.abc import Container, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat
from typing import Final

from exactdp.timing.clock import Clock, TimeIsUpError
from exactdp.workloads.bitsets import Bitset, bitset, members, union
from exactdp.workloads.cells import Coverages, are_ranges, held_cells, maximal_cells
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.workload import Workload, check_number

_SAMPLE: Final = 16
_MOST_COMPARED: Final = 100_000
"""The pairs of more queries are not compared: they would take some 3 GiB of memory."""


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
        if len(workload) > _MOST_COMPARED:
            return QueryGraph.not_compared(workload)
        live = _live(workload)
        search = _ConflictSearch(workload, live, clock or Clock())
        try:
            search.run()
        except TimeIsUpError:
            return QueryGraph(workload, live, tuple(search.conflicts), complete=False)
        return QueryGraph(workload, live, tuple(search.conflicts))

    @staticmethod
    def not_compared(workload: Workload) -> QueryGraph:
        """A query graph in which no pair is known to be disjoint."""
        return QueryGraph(workload, _live(workload), (0,) * len(workload), complete=False)

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
        return self._facets(Clock())

    def facets_within(self, clock: Clock) -> tuple[Facet, ...]:
        """The facets, found once.

        Raises:
            TimeIsUpError: the clock says so before all are found.
        """
        if "facets" not in self.__dict__:
            self.__dict__["facets"] = self._facets(clock)
        return self.facets

    def _facets(self, clock: Clock) -> tuple[Facet, ...]:
        among = self.overlapping
        clauses = _by_attribute(self.workload, among, frozenset())
        facets = (_facet(a, _coverages(clauses[a]), among, clock) for a in sorted(clauses))
        return tuple(facet for facet in facets if facet is not None)

    def facet(self, attribute: int, clock: Clock | None = None) -> Facet | None:
        """The facet of one attribute, if it is one.

        Raises:
            TimeIsUpError: the clock says so.
        """
        wheres = ((i, self.workload.queries[i].where) for i in members(self.overlapping))
        named = ((i, where[attribute]) for i, where in wheres if attribute in where)
        return _facet(attribute, _coverages(named), self.overlapping, clock or Clock())

    def alike(
        self, told: AbstractSet[int], clock: Clock | None = None
    ) -> tuple[tuple[int, ...], ...]:
        """The overlapping queries, gathered where neither conflicts nor these attributes differ.

        Raises:
            TimeIsUpError: the clock says so.
        """
        clock = clock or Clock()
        groups: dict[tuple[Bitset, frozenset[tuple[int, Coverage]]], list[int]] = {}
        for i in members(self.overlapping):
            clock.ask()
            where = self.workload.queries[i].where.items() if told else ()
            key = self.conflicts[i], frozenset(item for item in where if item[0] in told)
            groups.setdefault(key, []).append(i)
        return tuple(map(tuple, groups.values()))


def _live(workload: Workload) -> Bitset:
    return bitset(i for i, query in enumerate(workload) if not query.is_contradiction)


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

    def _separate(self, coverages: Coverages) -> None:
        """Enter what one attribute keeps apart, all or nothing."""
        apart = (self._apart_ranges if are_ranges(coverages) else self._apart_sets)(coverages)
        for queries in coverages.values():
            others = next(apart)
            for i in queries:
                self.conflicts[i] |= others

    def _apart_ranges(self, coverages: Coverages) -> Iterator[Bitset]:
        """For each range those that end before it begins, or begin where it has ended."""
        ends = [coverage.ranges[0] for coverage in coverages]
        having = list(coverages.values())
        by_low = sorted(range(len(ends)), key=lambda k: ends[k][0])
        by_high = sorted(range(len(ends)), key=lambda k: ends[k][1])
        apart = [0] * len(ends)
        closed, place = 0, 0
        for k in by_low:
            self._clock.ask()
            while ends[by_high[place]][1] <= ends[k][0]:
                closed |= bitset(having[by_high[place]])
                place += 1
            apart[k] = closed
        opened, place = 0, len(ends) - 1
        for k in reversed(by_high):
            self._clock.ask()
            while ends[by_low[place]][0] >= ends[k][1]:
                opened |= bitset(having[by_low[place]])
                place -= 1
            apart[k] |= opened
        return iter(apart)

    def _apart_sets(self, coverages: Coverages) -> Iterator[Bitset]:
        """For each coverage those that no cell holds together with it."""
        having = [bitset(queries) for queries in coverages.values()]
        cells = maximal_cells(list(coverages), self._clock)
        if len(cells) <= 1:
            return repeat(0)
        constrained = union(having)
        meeting = [0] * len(having)
        for _, ks in cells:
            self._clock.ask()
            together = union(having[k] for k in members(ks))
            for k in members(ks):
                meeting[k] |= together
        return (constrained & ~meets for meets in meeting)


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


def _coverages(named: Iterable[tuple[int, Coverage]]) -> Coverages:
    """The distinct coverages, and which queries have them."""
    objects: dict[int, tuple[Coverage, list[int]]] = {}
    for i, coverage in named:
        known = objects.get(id(coverage))
        if known is None:
            known = objects[id(coverage)] = coverage, []
        known[1].append(i)
    coverages: Coverages = {}
    for coverage, queries in objects.values():
        coverages.setdefault(coverage, []).extend(queries)
    return coverages


def _facet(attribute: int, coverages: Coverages, among: Bitset, clock: Clock) -> Facet | None:
    """The facet, if it is one."""
    cells = held_cells(coverages, clock)
    if len(cells) <= 1:
        return None
    constrained = bitset(chain.from_iterable(coverages.values()))
    free = among & ~constrained
    return Facet(
        attribute,
        tuple(Cell(value, free | held) for value, held in cells),
        constrained,
        are_ranges(coverages),
    )

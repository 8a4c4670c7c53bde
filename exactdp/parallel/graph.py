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
(Smith et al., Proposition 2), and a set of queries does if in every facet some cell holds it all
(Proposition 3). Where all coverages of a facet are ranges, pairs that meet meet jointly (Helly's
theorem on the line); elsewhere they need not, which is why a clique may be larger than an overlap.

Sources: Smith et al., PoPETs 2022, sections 4 and 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from exactdp.parallel.coverage import Coverage
from exactdp.parallel.workload import Workload

_SAMPLE: Final = 64

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


@dataclass(frozen=True, slots=True)
class QueryGraph:
    """Which queries of a workload overlap.

    Attributes:
        size: the number of queries, t.
        live: the queries that some row satisfies.
        conflicts: for each query the live queries that are disjoint from it.
        facets: the attributes that keep queries apart.
        alike: live queries, gathered where no facet tells them apart.
    """

    size: int
    live: Bitset
    conflicts: tuple[Bitset, ...]
    facets: tuple[Facet, ...]
    alike: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(workload: Workload) -> QueryGraph:
        """The query graph of a workload.

        Attributes that most queries name come first; a query that is disjoint from all others by
        then takes no part in the rest, which keeps wide domains cheap.
        """
        live = bitset(i for i, query in enumerate(workload) if not query.is_contradiction)
        facets: list[Facet] = []
        conflicts = [0] * len(workload)
        undecided = live
        common = _common_attributes(workload, live)
        for attribute in common:
            named = _named(workload, attribute, undecided)
            undecided = _add_facet(facets, conflicts, attribute, named, live, undecided)
        for attribute, named in _by_attribute(workload, undecided, frozenset(common)).items():
            undecided = _add_facet(facets, conflicts, attribute, named, live, undecided)
        facets.sort(key=lambda facet: facet.attribute)
        told = {facet.attribute for facet in facets}
        alike = tuple(_alike(workload, told, conflicts, members(live)))
        return QueryGraph(len(workload), live, tuple(conflicts), tuple(facets), alike)


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
    octets = queries.to_bytes((queries.bit_length() + 7) // 8, "little")
    for place, octet in enumerate(octets):
        if octet:
            for digit in range(8):
                if octet >> digit & 1:
                    yield 8 * place + digit


def _alike(
    workload: Workload, told: set[int], conflicts: Sequence[Bitset], queries: Iterable[int]
) -> Iterator[tuple[int, ...]]:
    """Queries, gathered by their coverages of the attributes ``told``."""
    by_conflicts: dict[Bitset, list[int]] = {}
    for i in queries:
        by_conflicts.setdefault(conflicts[i], []).append(i)
    for similar in by_conflicts.values():
        groups: dict[frozenset[tuple[int, Coverage]], list[int]] = {}
        for i in similar if len(similar) > 1 else ():
            where = workload.queries[i].where.items()
            groups.setdefault(frozenset(item for item in where if item[0] in told), []).append(i)
        yield from map(tuple, groups.values() or [similar])


_Coverages = dict[Coverage, list[int]]


_Named = list[tuple[int, Coverage]]
"""Queries that name an attribute, and their coverages of it."""


def _common_attributes(workload: Workload, live: Bitset) -> list[int]:
    """Attributes that at least half of a sample of queries name, most common first."""
    sample = list(islice(members(live), _SAMPLE))
    counts = Counter(a for i in sample for a in workload.queries[i].where)
    return [a for a, count in counts.most_common() if 2 * count >= len(sample)]


def _named(workload: Workload, attribute: int, queries: Bitset) -> _Named:
    """The queries of a set that name an attribute."""
    wheres = ((i, workload.queries[i].where) for i in members(queries))
    return [(i, where[attribute]) for i, where in wheres if attribute in where]


def _by_attribute(workload: Workload, queries: Bitset, done: frozenset[int]) -> dict[int, _Named]:
    """For each attribute that a set of queries names, those of them that do; but for ``done``."""
    clauses: dict[int, _Named] = {}
    for i in members(queries):
        for attribute, coverage in workload.queries[i].where.items():
            if attribute not in done:
                clauses.setdefault(attribute, []).append((i, coverage))
    return clauses


def _add_facet(
    facets: list[Facet],
    conflicts: list[Bitset],
    attribute: int,
    named: _Named,
    live: Bitset,
    undecided: Bitset,
) -> Bitset:
    """Take an attribute into account; the queries that still overlap with some other."""
    facet, apart = _facet(attribute, _coverages(named, undecided), live)
    if facet is None:
        return undecided
    facets.append(facet)
    for queries, others in apart:
        for i in members(queries):
            conflicts[i] |= others
    settled = (i for i in members(undecided & facet.constrained) if conflicts[i] | 1 << i == live)
    return undecided & ~bitset(settled)


def _coverages(named: _Named, queries: Bitset) -> _Coverages:
    """The distinct coverages among ``queries``, and which queries have them."""
    coverages: _Coverages = {}
    for i, coverage in named:
        if queries >> i & 1:
            coverages.setdefault(coverage, []).append(i)
    return coverages


def _facet(
    attribute: int, coverages: _Coverages, live: Bitset
) -> tuple[Facet | None, list[tuple[Bitset, Bitset]]]:
    """The facet, if it is one, and pairs (queries, those that are disjoint from them)."""
    distinct = list(coverages)
    cells = maximal_cells(distinct)
    if len(cells) <= 1:
        return None, []
    having = [bitset(queries) for queries in coverages.values()]
    constrained = union(having)
    free = live & ~constrained
    facet = Facet(
        attribute,
        tuple(Cell(value, free | union(having[k] for k in members(ks))) for value, ks in cells),
        constrained,
        all(len(coverage.ranges) == 1 for coverage in distinct),
    )
    meeting = [0] * len(having)
    for cell, (_, ks) in zip(facet.cells, cells, strict=True):
        for k in members(ks):
            meeting[k] |= cell.queries
    apart = [(queries, live & ~meets) for queries, meets in zip(having, meeting, strict=True)]
    return facet, apart


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
    kept: list[Bitset] = []
    for cell in sorted(peaks, key=int.bit_count, reverse=True):
        if all(cell & ~other for other in kept):
            kept.append(cell)
    return sorted((peaks[cell], cell) for cell in kept)


def union(sets: Iterable[Bitset]) -> Bitset:
    """The union of sets."""
    everything = 0
    for each in sets:
        everything |= each
    return everything

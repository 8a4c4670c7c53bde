r"""Bounds by sweeps along one attribute at a time: for workloads too large for a query graph.

Purpose: a row that meets much, a bound of what any row meets, and classes of disjoint queries, in
time and memory that grow as the predicates do, where pairs of queries grow as their square.

Rules of this file: what is returned holds whenever the clock stops: the row meets the queries that
are given, no row meets more than the bound, and any two queries of a class are kept apart by one
attribute. How good they are is another matter.

Theory of operation: along one attribute the weight of what a value meets changes only at the ends
of ranges, so that one pass over the sorted ends finds the heaviest value. *A row* takes one
attribute after the other, each at the value that is heaviest among the queries that are still met;
then each value in turn is changed while that gains anything. *From above*, a row meets no more than
the heaviest value of an attribute, and all that do not name it. *Classes*: of each query one
attribute is chosen, that where its range, from its least to its greatest value, meets the fewest
others; the ranges chosen along an attribute are sorted into as many classes as its heaviest value
meets, each into the class that has ended. Where all queries name one attribute by ranges, row and
classes are equally many: graphs of ranges are perfect.

Sources: Smith et al., PoPETs 2022, section 5; Golumbic, Algorithmic Graph Theory and Perfect
Graphs, 1980, chapter 8.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from exactdp.errors import InternalError
from exactdp.timing.clock import Clock
from exactdp.workloads.bitsets import bitset
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.workload import Workload, met_by

MOST_UNSWEPT: Final = 2000
"""Workloads of more queries are swept before anything else is tried."""

MOST_SEARCHED: Final = 20_000
"""Workloads of more queries are swept, and not searched."""

Classes = tuple[tuple[int, ...], ...]
_Named = list[tuple[int, Coverage]]


@dataclass(frozen=True, slots=True)
class Swept:
    """What sweeps show of the heaviest set of queries that one row meets.

    Attributes:
        row: the values of a row, by the attribute's number.
        queries: those that it meets, as a bitset.
        weight: of these together.
        bound: no row meets queries that weigh more.
    """

    row: Mapping[int, int]
    queries: int
    weight: int
    bound: int


def swept_row(workload: Workload, weights: Sequence[int], clock: Clock) -> Swept:
    """A row that meets much, and what no row exceeds.

    Args:
        workload: the queries.
        weights: an integer >= 0 for each query.
        clock: when to better the row no more.
    """
    clauses = _clauses(workload)
    whole = sum(weights[i] for i, query in enumerate(workload) if not query.is_contradiction)
    climb = _Climb(clauses, weights, len(workload))
    bound = whole
    for attribute, named in clauses.items():
        total = sum(weights[i] for i, _ in named)
        bound = min(bound, whole - total + climb.descend(attribute))
    climb.climb(clock)
    met = met_by(workload, climb.row)
    weight = sum(weights[i] for i in met)
    return Swept(climb.row, bitset(met), weight, bound)


def _clauses(workload: Workload) -> dict[int, _Named]:
    """For each attribute the queries that name it; the attributes that most name come last."""
    clauses: dict[int, _Named] = {}
    for i, query in enumerate(workload):
        if not query.is_contradiction:
            for attribute, coverage in query.where.items():
                clauses.setdefault(attribute, []).append((i, coverage))
    return dict(sorted(clauses.items(), key=lambda item: (len(item[1]), item[0])))


def _heaviest(named: Iterable[tuple[int, Coverage]], weights: Sequence[int]) -> tuple[int, int]:
    """The least value of those that meet most, and what it meets."""
    changes: dict[int, int] = {}
    get = changes.get
    for i, coverage in named:
        weight = weights[i]
        for low, high in coverage.ranges:
            changes[low] = get(low, 0) + weight
            changes[high] = get(high, 0) - weight
    best, value, current = 0, 0, 0
    for place in sorted(changes):
        current += changes[place]
        if current > best:
            best, value = current, place
    return value, best


class _Climb:
    """A row, and for each query how many of its predicates the row misses."""

    def __init__(self, clauses: Mapping[int, _Named], weights: Sequence[int], queries: int) -> None:
        self.row: dict[int, int] = {}
        self._clauses = clauses
        self._weights = weights
        self._missing = [0] * queries
        self._misses = {attribute: bytearray(len(named)) for attribute, named in clauses.items()}

    def descend(self, attribute: int) -> int:
        """Choose the value of a further attribute; what any value of it meets at most."""
        named = self._clauses[attribute]
        _, most = _heaviest(named, self._weights)
        value, _ = _heaviest((item for item in named if not self._missing[item[0]]), self._weights)
        self._move(attribute, value)
        return most

    def climb(self, clock: Clock) -> None:
        """Change one value after the other, until none gains anything or the time is up."""
        stale = 0
        while stale < len(self._clauses):
            for attribute in self._clauses:
                if clock.is_over:
                    return
                stale = 0 if self._better(attribute) else stale + 1

    def _better(self, attribute: int) -> bool:
        """Move to the heaviest value along an attribute, if it is heavier."""
        missing, now, others = self._missing, 0, []
        for item, missed in zip(self._clauses[attribute], self._misses[attribute], strict=True):
            if missing[item[0]] == missed:
                others.append(item)
                now += 0 if missed else self._weights[item[0]]
        value, most = _heaviest(others, self._weights)
        if most > now:
            self._move(attribute, value)
        return most > now

    def _move(self, attribute: int, value: int) -> None:
        misses, missing = self._misses[attribute], self._missing
        for place, (i, coverage) in enumerate(self._clauses[attribute]):
            missed = value not in coverage
            missing[i] += missed - misses[place]
            misses[place] = missed
        self.row[attribute] = value


def swept_classes(
    workload: Workload, weights: Sequence[int], groups: Sequence[int], clock: Clock
) -> Iterator[Classes]:
    """Classes of queries that one attribute keeps apart in pairs, covering all that a row can meet.

    Args:
        workload: the queries.
        weights: an integer >= 0 for each query.
        groups: a number for each query; a class holds queries of one number alone.
        clock: once it is over no second classes are made.

    Yields: classes, few of them; then, where weights differ, such that a class has one weight.
    """
    chosen = _chosen(workload)
    yield _classes(chosen, groups)
    pairs = list(zip(groups, weights, strict=True))
    kinds = {pair: kind for kind, pair in enumerate(dict.fromkeys(pairs))}
    if len(kinds) > len(set(groups)) and not clock.is_over:
        yield _classes(chosen, [kinds[pair] for pair in pairs])


_Hull = tuple[int, int, int]
"""The least value that a query's coverage of an attribute holds, one past the last, the query."""


def _chosen(workload: Workload) -> list[list[_Hull]]:
    """Each query by its range along one attribute, where that meets fewest others; by attribute."""
    hulls = {
        attribute: [(c.ranges[0][0], c.ranges[-1][1], i) for i, c in named]
        for attribute, named in _clauses(workload).items()
    }
    fewest: dict[int, tuple[int, int]] = {}
    for attribute, own in hulls.items():
        lows, highs = sorted(low for low, _, _ in own), sorted(high for _, high, _ in own)
        for low, high, i in own:
            met = bisect_left(lows, high) - bisect_right(highs, low), attribute
            if i not in fewest or met < fewest[i]:
                fewest[i] = met
    lines = [
        [hull for hull in own if fewest[hull[2]][1] == attribute]
        for attribute, own in hulls.items()
    ]
    free = (i for i, query in enumerate(workload) if not query.where)
    return [*filter(None, lines), *([(0, 1, i)] for i in free)]


def _classes(lines: Iterable[list[_Hull]], groups: Sequence[int]) -> Classes:
    """The classes along each attribute and within each group, as few as there can be."""
    found: list[tuple[int, ...]] = []
    for line in lines:
        own: dict[int, list[list[_Hull]]] = {}
        open_ones: dict[int, list[tuple[int, int]]] = {}
        for hull in sorted(line):
            group = groups[hull[2]]
            classes, ends = own.setdefault(group, []), open_ones.setdefault(group, [])
            if ends and ends[0][0] <= hull[0]:
                place = ends[0][1]
                heapq.heapreplace(ends, (hull[1], place))
                classes[place].append(hull)
            else:
                heapq.heappush(ends, (hull[1], len(classes)))
                classes.append([hull])
        found += (_checked(each) for classes in own.values() for each in classes)
    return tuple(found)


def _checked(line: Sequence[_Hull]) -> tuple[int, ...]:
    """The queries of a class in increasing order, once each is known to end before the next begins.

    Raises:
        InternalError: one does not; a bug.
    """
    if any(one[1] > other[0] for one, other in pairwise(line)):
        raise InternalError(field="classes", value="swept", expected="ranges disjoint in pairs")
    return tuple(sorted(i for _, _, i in line))

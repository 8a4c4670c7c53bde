r"""Colourings: partitions of the queries into classes that are disjoint in pairs.

Purpose: an upper bound that is easy to check. A row lies in at most one query of a class, so that
the number of classes bounds γ, and one mechanism with the greatest parameters of its class stands
for all of it (Smith et al., Theorem 2).

Rules of this file: whatever is returned is a proper colouring of the live queries, checked before
it leaves; which one it is affects how good the bound is, never whether it holds.

Theory of operation: first fit fills one class after the other. Brélaz's DSATUR gives the next
colour to the query that sees most colours already, and to the one with most overlaps among these.
Heavy queries first keep light ones in classes that are paid for. Where networkx is installed, its
greedy strategies are tried too on graphs of moderate size; the colouring of least weight is taken,
and no more are tried once one reaches the weight of an overlapping set.

Sources: Brélaz, "New methods to color the vertices of a graph", CACM 22(4), 1979; Smith et al.,
PoPETs 2022, section 6.3.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from exactdp.errors import InternalError
from exactdp.timing.clock import Clock, TimeIsUpError
from exactdp.workloads.bitsets import Bitset, bitset, members
from exactdp.workloads.graph import QueryGraph

Colouring = tuple[tuple[int, ...], ...]
"""Classes of queries, each in increasing order."""

_STRATEGIES: Final = ("smallest_last", "independent_set", "largest_first")
_MOST_EDGES: Final = 30_000
_MOST_QUERIES: Final = 1000
_MOST_SORTED: Final = 10_000
_Order = Callable[[object, object], Iterable[int]]


def weight_of(colouring: Colouring, weights: Sequence[int]) -> int:
    """The sum over the classes of the heaviest query in each: an upper bound of weighted γ."""
    return sum(max(weights[query] for query in colour) for colour in colouring)


def best_colouring(
    graph: QueryGraph,
    weights: Sequence[int] | None = None,
    *,
    enough: int = 0,
    clock: Clock | None = None,
) -> Colouring:
    """The lightest colouring found.

    No more are tried once one weighs no more than ``enough``, or when time is up.
    """
    each = [1] * graph.size if weights is None else weights
    candidates = colourings(graph, each, clock)
    best = next(candidates)
    while weight_of(best, each) > enough:
        colouring = next(candidates, None)
        if colouring is None:
            break
        best = min(best, colouring, key=lambda candidate: weight_of(candidate, each))
    return best


def colourings(
    graph: QueryGraph, weights: Sequence[int], clock: Clock | None = None
) -> Iterator[Colouring]:
    """Proper colourings by different methods; the quickest at least, others while there is time."""
    clock = clock or Clock()
    yield _checked(graph, first_fit(graph, weights, clock))
    for heaviest_first in (None, weights) if len(set(weights)) > 1 else (None,):
        classes = dsatur(graph, heaviest_first, clock)
        if classes is not None:
            yield _checked(graph, classes)
    if not clock.is_over:
        for classes in _by_networkx(graph, clock):
            yield _checked(graph, classes)


def dsatur(graph: QueryGraph, weights: Sequence[int] | None, clock: Clock) -> list[Bitset] | None:
    """Colour the query that sees most colours; of the heaviest queries first, given weights.

    None if time is up before all are coloured.
    """
    overlaps = {i: graph.live & ~graph.conflicts[i] & ~(1 << i) for i in members(graph.live)}
    seen = dict.fromkeys(overlaps, 0)
    urgency = _Urgency(weights or [0] * graph.size, overlaps)
    heap = [urgency.of(i, 0) for i in overlaps]
    heapq.heapify(heap)
    left = graph.live
    classes: list[Bitset] = []
    while left:
        if clock.is_over:
            return None
        query, saturation = urgency.read(heapq.heappop(heap))
        if not left >> query & 1 or saturation != seen[query].bit_count():
            continue  # coloured, or waiting again with more colours seen
        left ^= 1 << query
        colour = (~seen[query] & seen[query] + 1).bit_length() - 1  # the lowest it does not see
        if colour == len(classes):
            classes.append(0)
        classes[colour] |= 1 << query
        for other in members(overlaps[query] & left):
            if not seen[other] >> colour & 1:
                seen[other] |= 1 << colour
                heapq.heappush(heap, urgency.of(other, seen[other].bit_count()))
    return classes


class _Urgency:
    """One integer for a query and the colours it sees, least for the query to be coloured next.

    By weight, colours seen and overlapping queries, the most first, and then by number. There may
    be millions, and tuples of these would take longer to make and to free.
    """

    def __init__(self, weights: Sequence[int], overlaps: Mapping[int, Bitset]) -> None:
        self._base = len(weights) + 1
        self._weights = weights
        self._overlapping = {i: own.bit_count() for i, own in overlaps.items()}

    def of(self, query: int, colours: int) -> int:
        """Of a query that sees so many colours."""
        most = (self._weights[query] * self._base + colours) * self._base
        return query - (most + self._overlapping[query]) * self._base

    def read(self, urgency: int) -> tuple[int, int]:
        """The query, and how many colours it sees."""
        above, query = divmod(urgency, self._base)
        return query, -above // self._base % self._base


def first_fit(graph: QueryGraph, weights: Sequence[int], clock: Clock) -> list[Bitset]:
    """Class after class, each filled greedily: heavy queries and those with few conflicts first.

    Queries for which there is no time get a class each.
    """
    if clock.is_over:
        return [1 << query for query in members(graph.live)]
    if graph.size > _MOST_SORTED:
        return _first_fit_as_they_stand(graph, weights, clock)
    order = sorted(
        members(graph.live), key=lambda i: (-weights[i], graph.conflicts[i].bit_count(), i)
    )
    classes = []
    left = graph.live
    while left and not clock.is_over:
        colour, available = 0, left
        for query in order:
            if available >> query & 1:
                colour |= 1 << query
                available &= graph.conflicts[query]
        classes.append(colour)
        left &= ~colour
        order = [query for query in order if left >> query & 1]
    return [*classes, *(1 << query for query in order)]


def _first_fit_as_they_stand(
    graph: QueryGraph, weights: Sequence[int], clock: Clock
) -> list[Bitset]:
    """First fit in the order of the workload: heavy queries first, and nothing else compared."""
    planes: dict[int, list[int]] = {}
    for query in members(graph.live):
        planes.setdefault(weights[query], []).append(query)
    heavy_first = [bitset(planes[weight]) for weight in sorted(planes, reverse=True)]
    classes = []
    left = graph.live
    while left and not clock.is_over:
        colour, available = 0, left
        for plane in heavy_first:
            while fitting := available & plane:
                lowest = fitting & -fitting
                colour |= lowest
                available &= graph.conflicts[lowest.bit_length() - 1]
        classes.append(colour)
        left &= ~colour
    return [*classes, *(1 << query for query in members(left))]


def _by_networkx(graph: QueryGraph, clock: Clock) -> Iterator[list[Bitset]]:
    """The greedy strategies of networkx, where it is installed and the graph is not too large.

    They are asked for one query after another, and given up when time is up.
    """
    pairs = graph.live.bit_count() ** 2 - sum(map(int.bit_count, graph.conflicts))
    if pairs > 2 * _MOST_EDGES or graph.live.bit_count() > _MOST_QUERIES:
        return
    try:
        import networkx as nx  # noqa: PLC0415 (an extra)
    except ImportError:
        return
    network = nx.Graph()
    network.add_nodes_from(members(graph.live))
    for i in members(graph.live):
        later = graph.live & ~graph.conflicts[i] & ~((2 << i) - 1)
        network.add_edges_from((i, j) for j in members(later))
    for strategy in _STRATEGIES:
        order = getattr(nx.coloring, f"strategy_{strategy}")
        colours: dict[int, list[int]] = {}
        try:
            coloured = nx.greedy_color(network, _in_time(order, clock))
        except TimeIsUpError:
            return
        for query, colour in coloured.items():
            colours.setdefault(colour, []).append(query)
        yield [bitset(queries) for _, queries in sorted(colours.items())]


def _in_time(order: _Order, clock: Clock) -> _Order:
    """The order in which queries are coloured, which asks the clock before each of them."""

    def asked(network: object, colours: object) -> Iterator[int]:
        for query in order(network, colours):
            clock.ask()
            yield query

    return asked


def _checked(graph: QueryGraph, classes: Sequence[Bitset]) -> Colouring:
    """The classes as tuples, once they are known to be disjoint in pairs and complete.

    Raises:
        InternalError: they are not; a bug.
    """
    left = graph.live
    for colour in classes:
        for query in members(colour):
            if not left >> query & 1 or colour & ~(graph.conflicts[query] | 1 << query):
                raise InternalError(
                    field="colouring", value=str(query), expected="classes disjoint in pairs"
                )
            left ^= 1 << query
    if left:
        raise InternalError(field="colouring", value=str(left), expected="every query coloured")
    return tuple(tuple(members(colour)) for colour in classes)

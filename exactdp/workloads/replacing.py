r"""Two rows, of which one replaces the other: whose queries cost most together.

Purpose: a lower end where neighbours replace a row: the queries that either row meets all see the
change, and compose.

Rules of this file: the rows that are returned differ, if the domain has two rows; where it is not
proved that there are no heavier ones, the classes of a colouring bound what they could cost.

Theory of operation: the heaviest row first, by the searches for one row; then the heaviest among
the queries that it leaves over, and so on in turn, as long as both together become heavier. What
the first two rows meet is at least three quarters of what any two meet, if their searches end. From
there an exact search goes on (:mod:`exactdp.workloads.pairs`).

Source: Nemhauser, Wolsey, Fisher, "An analysis of approximations for maximizing submodular set
functions", Mathematical Programming 14, 1978, for the three quarters, 1 - (1 - 1/2)².
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from exactdp.timing.clock import Clock
from exactdp.workloads.bitsets import bitset, members
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import Heaviest, maximum_overlap
from exactdp.workloads.pairs import heaviest_pair
from exactdp.workloads.workload import Attribute, Workload, met_by, row_in

_Row = Mapping[int, int]


def two_rows(
    graph: QueryGraph,
    weights: Sequence[int],
    most: Heaviest,
    clock: Clock,
) -> tuple[_Row, _Row, bool]:
    """Two different rows whose queries weigh most together; the same one if there is no other.

    The last says whether it is proved that no two rows' queries weigh more.

    Args:
        graph: the query graph.
        weights: an integer >= 0 for each query.
        most: the queries of a row to begin with, beside the heaviest.
        clock: when to stop.
    """
    workload = graph.workload
    starts = [most]
    if not clock.is_over:
        starts.insert(0, maximum_overlap(graph, weights, clock.share(1 / 4)))
    pairs: list[tuple[_Row, _Row]] = []
    for each in starts:
        if not pairs or not clock.is_over:
            row = row_in(workload, members(each.queries))
            pairs.append(_climb(graph, weights, row, clock.share(1 / 4)))
    leaving, entering = max(pairs, key=lambda pair: _weight(workload, weights, pair))
    known = bitset(met_by(workload, leaving)), bitset(met_by(workload, entering))
    found = heaviest_pair(graph, weights, known, clock)
    if (found.first, found.second) != known:
        leaving = row_in(workload, members(found.first))
        entering = row_in(workload, members(found.second))
    if _complete(workload, leaving) == _complete(workload, entering):
        entering = _another(workload.attributes, leaving)
    return leaving, entering, found.proved


def _climb(graph: QueryGraph, weights: Sequence[int], row: _Row, clock: Clock) -> tuple[_Row, _Row]:
    """From one row to a pair that neither row can better while the other stays."""
    pair = (row, _beside(graph, weights, row, clock))
    while not clock.is_over:
        further = (_beside(graph, weights, pair[1], clock), pair[1])
        if _weight(graph.workload, weights, further) <= _weight(graph.workload, weights, pair):
            break
        pair = (further[1], further[0])
    return pair


def _beside(graph: QueryGraph, weights: Sequence[int], row: _Row, clock: Clock) -> _Row:
    """A row that meets much of what another leaves over."""
    met = set(met_by(graph.workload, row))
    left = [0 if i in met else weight for i, weight in enumerate(weights)]
    found = maximum_overlap(graph, left, clock)
    return row_in(graph.workload, members(found.queries))


def _weight(workload: Workload, weights: Sequence[int], rows: Iterable[_Row]) -> int:
    return sum(weights[i] for i in {i for row in rows for i in met_by(workload, row)})


def _complete(workload: Workload, row: _Row) -> tuple[int, ...]:
    return tuple(row.get(i, 0) for i in range(len(workload.attributes)))


def _another(attributes: Sequence[Attribute], row: _Row) -> _Row:
    """The row with another value of the first attribute that has one; if none has, that row."""
    for i, attribute in enumerate(attributes):
        if attribute.size > 1:
            return {**row, i: 1 if row.get(i, 0) == 0 else 0}
    return row

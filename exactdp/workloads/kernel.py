r"""Kernels: the queries that a heavier overlapping set than the one known can have.

Purpose: leave out, before a search begins, most of the queries of a large workload.

Rules of this file: weights are positive integers; a query is left out only where a colouring shows
that with it nothing is heavier than what is known.

Theory of operation: what overlaps and contains a query consists of it and of queries that overlap
with it. A colouring of these bounds what they weigh together, so that a query whose own weight and
this bound do not exceed the weight known can be left out. This takes neighbours from others, and is
repeated until nothing changes. Queries with most conflicts are asked first: they are the likeliest
to leave. Where the numbers of attributes that queries name differ much, as in section 7.1 of Smith
et al., a handful of queries name few and overlap with nearly all, and most others leave.

Sources: Verma, Buchanan, Butenko, "Solving the maximum clique and vertex coloring problems on very
large sparse networks", INFORMS Journal on Computing 27(1), 2015; San Segundo, Lopez, Pardalos, "A
new exact maximum clique algorithm for large and massive sparse graphs", Computers & Operations
Research 66, 2016.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactdp.timing.clock import Clock
from exactdp.workloads.bitsets import Bitset, bitset, members
from exactdp.workloads.graph import QueryGraph


def kernel(
    graph: QueryGraph, known: int, clock: Clock, weights: Sequence[int] | None = None
) -> Bitset:
    """All queries that are in some overlapping set heavier than ``known``, and maybe others.

    Args:
        graph: the query graph; conflicts that it does not know of only leave more queries.
        known: a weight.
        clock: when to stop; what was not left out by then stays.
        weights: an integer >= 0 for each query; None counts queries.
    """
    each = [1] * graph.size if weights is None else weights
    heavy = bitset(i for i in members(graph.live) if each[i])
    order = sorted(members(heavy), key=lambda i: (graph.conflicts[i] & heavy).bit_count())
    places = {query: place for place, query in enumerate(order)}
    conflicts = []
    for i in order:
        if clock.is_over:
            return heavy
        conflicts.append(bitset(places[j] for j in members(graph.conflicts[i] & heavy)))
    left = _kernel(conflicts, [each[i] for i in order], known, clock)
    return bitset(order[place] for place in members(left))


def _kernel(conflicts: Sequence[Bitset], each: Sequence[int], known: int, clock: Clock) -> Bitset:
    left = (1 << len(each)) - 1
    before = -1
    while left != before:
        before = left
        for place in reversed(range(len(each))):
            if clock.is_over:
                return left
            own = 1 << place
            if left & own:
                met = left & ~conflicts[place] & ~own
                if not _may_exceed(met, conflicts, each, known - each[place]):
                    left ^= own
    return left


def _may_exceed(
    queries: Bitset, conflicts: Sequence[Bitset], each: Sequence[int], most: int
) -> bool:
    """Whether the classes of a colouring, filled in order, weigh more than ``most`` together."""
    total = 0
    while queries and total <= most:
        available, heaviest = queries, 0
        while available:
            low = available & -available
            place = low.bit_length() - 1
            heaviest = max(heaviest, each[place])
            queries ^= low
            available &= conflicts[place]
        total += heaviest
    return total > most

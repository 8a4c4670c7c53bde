r"""Classes and trees of cases whose mechanisms cost least: what a certified upper end rests on.

Rules of this file: whatever is returned bounds what any row costs; which colouring it is depends on
the time there was. A class never mixes notions of privacy, nor noise that has no order.

Theory of operation: colourings are tried in turn, those by sweeps first where there are many
queries, and each is priced by one mechanism for each class. Where the costliest row is known and
costs less, a tree of cases may show just that.

Sources: Smith et al., PoPETs 2022, sections 3, 5 and 6.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exactdp.composition.answers.results import Composition
from exactdp.timing.clock import Clock
from exactdp.workloads.bitsets import bitset
from exactdp.workloads.cases import CaseTree, case_tree, joined_classes
from exactdp.workloads.colouring import Colouring, colourings
from exactdp.workloads.costliest import Epsilon, Price, exceeds
from exactdp.workloads.domination import chains
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.pair_cases import PairTree, pair_tree, positions_of
from exactdp.workloads.parameters import ledger_of_colours, ledger_of_positions
from exactdp.workloads.sweeps import MOST_SEARCHED, MOST_UNSWEPT, swept_classes
from exactdp.workloads.workload import Workload


def cheapest(
    graph: QueryGraph,
    known: Colouring,
    weights: Sequence[int],
    price: Price,
    lower: Epsilon,
    clock: Clock,
) -> tuple[Colouring, Composition]:
    """The colouring whose mechanisms compose to the least ε, of those that are tried.

    Args:
        graph: the query graph.
        known: a colouring that stands for any weights, if all queries are of one group.
        weights: an integer >= 0 for each query.
        price: of the queries.
        lower: no colouring costs less.
        clock: when to stop.
    """
    workload = price.workload
    groups = _groups(workload, weights, clock)
    candidates = _candidates(graph, weights, groups, clock)
    best = known if len(set(groups)) <= 1 else next(candidates)
    least = price.of_ledger(ledger_of_colours(workload, best))
    if (len(price.kinds) > 1 or workload.replaces) and not clock.is_over:
        for colouring in candidates:
            composed = price.of_further_ledger(ledger_of_colours(workload, colouring), clock)
            if composed is None:
                break
            if exceeds(least.upper_end, composed.upper_end):
                best, least = colouring, composed
            if not exceeds(least.upper_end, lower):
                break
    return best, least


def _candidates(
    graph: QueryGraph,
    weights: Sequence[int],
    groups: Sequence[int],
    clock: Clock,
) -> Iterator[Colouring]:
    """Colourings whose classes are within a group; by sweeps first where there are many queries."""
    if graph.size > MOST_UNSWEPT:
        yield from swept_classes(graph.workload, weights, groups, clock)
        if clock.is_over:
            return
    if graph.size <= MOST_SEARCHED or len(set(groups)) <= 1:
        yield from colourings(_apart_by_group(graph, groups), weights, clock)


def cheapest_cases(
    price: Price,
    weights: Sequence[int],
    met: Sequence[int],
    known: Composition,
    clock: Clock,
) -> tuple[CaseTree | None, Composition]:
    """A tree that shows less than is known, aimed at what the costliest row meets, if found."""
    workload = price.workload
    if workload.parameter is None:
        return None, known
    if len(workload) > MOST_SEARCHED or clock.is_over:
        return None, known
    tree = case_tree(workload, weights, [weights[i] for i in met], clock.share(1 / 2))
    if tree is None:
        return None, known
    composed = price.of_further_ledger(ledger_of_colours(workload, joined_classes(tree)), clock)
    if composed is None or not exceeds(known.upper_end, composed.upper_end):
        return None, known
    return tree, composed


def cheapest_pair_cases(
    price: Price,
    weights: Sequence[int],
    met: Sequence[int],
    known: Composition,
    clock: Clock,
) -> tuple[PairTree | None, Composition]:
    """A tree of two rows that shows less than is known, aimed at what two rows meet, if found."""
    workload = price.workload
    if workload.parameter is None or len(workload) > MOST_SEARCHED:
        return None, known
    if clock.is_over:
        return None, known
    tree = pair_tree(workload, weights, [weights[i] for i in met], clock.share(1 / 2))
    if tree is None:
        return None, known
    composed = price.of_further_ledger(ledger_of_positions(workload, positions_of(tree)), clock)
    if composed is None or not exceeds(known.upper_end, composed.upper_end):
        return None, known
    return tree, composed


def _apart_by_group(graph: QueryGraph, numbers: Sequence[int]) -> QueryGraph:
    """The graph in which queries that have no greatest parameters together are never disjoint.

    Those of two notions of privacy; and of those by their noise, of two chains.
    """
    if len(set(numbers)) <= 1:
        return graph
    places: dict[int, list[int]] = {}
    for i, number in enumerate(numbers):
        places.setdefault(number, []).append(i)
    groups = {number: bitset(own) for number, own in places.items()}
    conflicts = (
        apart & groups[number] for apart, number in zip(graph.conflicts, numbers, strict=True)
    )
    return QueryGraph(graph.workload, graph.live, tuple(conflicts))


def _groups(workload: Workload, weights: Sequence[int], clock: Clock) -> list[int]:
    """For each query the number of those that have greatest parameters with it."""
    if workload.given_by != "noise":
        types = [type(query.mechanism) for query in workload]
        return [types.index(each) for each in types]
    kinds = [query.mechanism.without_label() for query in workload]
    told = dict(zip(kinds, weights, strict=True))
    found = chains(dict.fromkeys(kinds), told, clock.share(1 / 4))
    return [found[kind] for kind in kinds]

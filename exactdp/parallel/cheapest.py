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
from typing import Final

from exactdp.answers.results import Composition
from exactdp.parallel.bitsets import bitset
from exactdp.parallel.cases import CaseTree, case_tree, joined_classes
from exactdp.parallel.colouring import Colouring, colourings
from exactdp.parallel.costliest import Epsilon, Price, exceeds
from exactdp.parallel.domination import chains
from exactdp.parallel.foreseen import Foreseen
from exactdp.parallel.graph import QueryGraph
from exactdp.parallel.pair_cases import PairTree, pair_tree, positions_of
from exactdp.parallel.parameters import ledger_of_colours, ledger_of_positions
from exactdp.parallel.sweeps import MOST_SEARCHED, MOST_UNSWEPT, swept_classes
from exactdp.parallel.workload import Workload
from exactdp.timing.clock import Clock

_PART_OF_NEEDED: Final = 1 / 2
"""Of the time that is left, how much the first classes may take, which an upper end rests on."""


def cheapest(
    graph: QueryGraph,
    known: Colouring,
    weights: Sequence[int],
    price: Price,
    lower: Epsilon,
    clock: Clock,
    foreseen: Foreseen,
) -> tuple[Colouring, Composition]:
    """The colouring whose mechanisms compose to the least ε, of those that are tried.

    Args:
        graph: the query graph.
        known: a colouring that stands for any weights, if all queries are of one group.
        weights: an integer >= 0 for each query.
        price: of the queries.
        lower: no colouring costs less.
        clock: when to stop.
        foreseen: what further classes take; where they do not fit, none are tried.
    """
    workload = price.workload
    groups = _groups(workload, weights, clock)
    candidates = _candidates(graph, weights, groups, clock, foreseen)
    best = known if len(set(groups)) <= 1 else next(candidates)
    least = price.of_ledger(ledger_of_colours(workload, best), part=_PART_OF_NEEDED)
    several = len(price.kinds) > 1 or workload.replaces
    if several and (not foreseen.swept or clock.fits(foreseen.other_classes)):
        for colouring in candidates:
            if not price.has_time:
                break
            composed = price.of_further_ledger(ledger_of_colours(workload, colouring))
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
    foreseen: Foreseen,
) -> Iterator[Colouring]:
    """Colourings whose classes are within a group; by sweeps first where there are many queries."""
    if graph.size > MOST_UNSWEPT:
        clock = clock.reserve(foreseen.composing)
        yield from swept_classes(graph.workload, weights, groups, clock)
        clock = clock.reserve(foreseen.classes)
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
    foreseen: Foreseen,
) -> tuple[CaseTree | None, Composition]:
    """A tree that shows less than is known, aimed at what the costliest row meets, if found."""
    workload = price.workload
    if workload.is_noisy or len({type(query.mechanism) for query in workload}) > 1:
        return None, known
    if len(workload) > MOST_SEARCHED or _would_not_fit(foreseen, clock):
        return None, known
    tree = case_tree(workload, weights, [weights[i] for i in met], clock.share(1 / 2))
    if tree is None:
        return None, known
    composed = price.of_further_ledger(ledger_of_colours(workload, joined_classes(tree)))
    if composed is None or not exceeds(known.upper_end, composed.upper_end):
        return None, known
    return tree, composed


def cheapest_pair_cases(
    price: Price,
    weights: Sequence[int],
    met: Sequence[int],
    known: Composition,
    clock: Clock,
    foreseen: Foreseen,
) -> tuple[PairTree | None, Composition]:
    """A tree of two rows that shows less than is known, aimed at what two rows meet, if found."""
    workload = price.workload
    if len({type(query.mechanism) for query in workload}) > 1 or len(workload) > MOST_SEARCHED:
        return None, known
    if _would_not_fit(foreseen, clock):
        return None, known
    tree = pair_tree(workload, weights, [weights[i] for i in met], clock.share(1 / 2))
    if tree is None:
        return None, known
    composed = price.of_further_ledger(ledger_of_positions(workload, positions_of(tree)))
    if composed is None or not exceeds(known.upper_end, composed.upper_end):
        return None, known
    return tree, composed


def _would_not_fit(foreseen: Foreseen, clock: Clock) -> bool:
    """Whether there is no time for a tree of cases of a workload that is swept."""
    return foreseen.swept and not clock.fits(2 * foreseen.weighting)


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
    if not workload.is_noisy:
        types = [type(query.mechanism) for query in workload]
        return [types.index(each) for each in types]
    kinds = [query.mechanism.without_label() for query in workload]
    told = dict(zip(kinds, weights, strict=True))
    found = chains(dict.fromkeys(kinds), told, clock.share(1 / 4))
    return [found[kind] for kind in kinds]

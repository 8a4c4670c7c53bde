r"""Maximum overlap γ and clique number ω, exactly or enclosed, plain or weighted.

Purpose: how much of a workload one row can meet: the heaviest set of queries that some row
satisfies (γ), and the heaviest set of queries that overlap in pairs (ω >= γ).

Rules of this file: weights are integers >= 0; a lower end is the weight of a set that is given, an
upper end is proved; where the time limit strikes, the two differ and say so. A clique that was
not proved to be heaviest is a lower end of ω and nothing else: it bounds γ from no side.

Theory of operation: queries with equal predicates are merged and their weights added. Queries that
are linked by no chain of conflicts, nor by a facet in which pairs do not suffice, can be treated
apart: the answers add up, and the rows combine. On each part two searches run in turn, with
budgets that double until one of them is done: one chooses a row's values
(:mod:`exactdp.parallel.rows`), the other chooses queries (:mod:`exactdp.parallel.cliques`). They
share the best set found so far, at first a greedy one, and each is good where the other is not.

Sources: Smith et al., PoPETs 2022, section 6.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from exactdp.parallel.cliques import CliqueSearch
from exactdp.parallel.coverage import Coverage
from exactdp.parallel.graph import Bitset, Cell, Facet, QueryGraph, bitset, members
from exactdp.parallel.rows import RowSearch
from exactdp.parallel.weighing import Incumbent, Weights

_FIRST_BUDGET: Final = 16
_MOST_FACETS: Final = 64
_DIVES: Final = 16

_Search = RowSearch | CliqueSearch


@dataclass(frozen=True, slots=True)
class Heaviest:
    """The heaviest set of a kind: found, and proved up to a bound.

    Attributes:
        lower: the weight of ``queries``.
        upper: no set of the kind is heavier.
        queries: a set of the kind.
    """

    lower: int
    upper: int
    queries: Bitset

    @property
    def exact(self) -> bool:
        """Whether nothing is left open."""
        return self.lower == self.upper

    def __add__(self, other: Heaviest) -> Heaviest:
        """The heaviest set of two parts that have nothing to do with each other."""
        return Heaviest(
            self.lower + other.lower, self.upper + other.upper, self.queries | other.queries
        )


class Clock:
    """A time limit, which may be none."""

    def __init__(self, seconds: int | None = None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and time.monotonic() >= self._end


def maximum_overlap(
    graph: QueryGraph, weights: Sequence[int] | None = None, clock: Clock | None = None
) -> Heaviest:
    r"""γ: the heaviest set of queries that one row satisfies.

    Args:
        graph: the query graph.
        weights: an integer >= 0 for each query; None counts queries.
        clock: when to stop.

    Source: Smith et al., PoPETs 2022, Definition 3 and section 6.2.
    """
    clock = clock or Clock()
    if max((len(query.where) for query in graph.workload), default=0) > _MOST_FACETS:
        return _by_pairs_first(graph, weights, clock)
    return _by_parts(graph, graph.facets, weights, clock, by_rows=True)


def _by_pairs_first(graph: QueryGraph, weights: Sequence[int] | None, clock: Clock) -> Heaviest:
    """Ask for overlap in pairs alone, and again along every attribute for which that is too little.

    The heaviest set under too few demands bounds what is sought; if one row satisfies it, it is
    what is sought.
    """
    facets: dict[int, Facet] = {}
    upper: int | None = None
    while True:
        found = _by_parts(graph, tuple(facets.values()), weights, clock, by_rows=False)
        upper = found.upper if upper is None else min(upper, found.upper)
        torn = _torn(graph, found.queries)
        if not torn or clock.is_over:
            break
        facets |= {facet.attribute: facet for facet in map(graph.facet, torn) if facet}
    queries = _met_by_one_row(graph, found.queries) if torn else found.queries
    weight = sum(1 if weights is None else weights[i] for i in members(queries))
    return Heaviest(weight, upper, queries)


def _torn(graph: QueryGraph, queries: Bitset) -> list[int]:
    """The attributes no value of which is admitted by all of a set of queries."""
    common: dict[int, Coverage] = {}
    for i in members(queries):
        for attribute, coverage in graph.workload.queries[i].where.items():
            known = common.get(attribute)
            common[attribute] = coverage if known is None else known.meet(coverage)
    return [attribute for attribute, coverage in common.items() if coverage.is_empty]


def _met_by_one_row(graph: QueryGraph, queries: Bitset) -> Bitset:
    """A part of a set of queries that one row satisfies, found greedily."""
    kept = 0
    for i in members(queries):
        if not _torn(graph, kept | 1 << i):
            kept |= 1 << i
    return kept


def maximum_clique(
    graph: QueryGraph, weights: Sequence[int] | None = None, clock: Clock | None = None
) -> Heaviest:
    """ω: the heaviest set of queries that overlap in pairs; arguments as for γ."""
    return _by_parts(graph, (), weights, clock or Clock(), by_rows=False)


def _by_parts(
    graph: QueryGraph,
    facets: Sequence[Facet],
    weights: Sequence[int] | None,
    clock: Clock,
    *,
    by_rows: bool,
) -> Heaviest:
    """The heaviest set that overlaps in pairs, and jointly along the facets given.

    By rows too where the facets are all that there are.
    """
    each = [1] * graph.size if weights is None else list(weights)
    heavy = graph.gregarious & bitset(i for i, weight in enumerate(each) if weight)
    tied = [facet.constrained for facet in facets if not facet.pairs_suffice]
    alike = graph.alike({facet.attribute for facet in facets})
    total = Heaviest(0, 0, 0)
    for part in _parts(graph.conflicts, tied, heavy):
        groups = [tuple(i for i in group if part >> i & 1) for group in alike]
        groups = [group for group in groups if group]
        total += _solve(graph.conflicts, facets, groups, each, clock, by_rows=by_rows)
    single = max(members(graph.alone), key=each.__getitem__, default=None)
    if single is None or each[single] <= total.lower:
        return total
    return Heaviest(each[single], max(each[single], total.upper), 1 << single)


def _parts(
    conflicts: Sequence[Bitset], tied: Sequence[Bitset], queries: Bitset
) -> Iterator[Bitset]:
    """Queries linked by conflicts, or by being in one of the ``tied`` sets together."""
    left = queries
    while left:
        part = 0
        fresh = left & -left
        while fresh:
            part |= fresh
            reached = 0
            for query in members(fresh):
                reached |= conflicts[query]
            for together in tied:
                if together & fresh:
                    reached |= together
            fresh = reached & left & ~part
        left &= ~part
        yield part


def _solve(
    conflicts: Sequence[Bitset],
    facets: Sequence[Facet],
    groups: list[tuple[int, ...]],
    each: Sequence[int],
    clock: Clock,
    *,
    by_rows: bool,
) -> Heaviest:
    """The heaviest set within a part; each group of queries becomes one, many conflicts first."""
    first = bitset(group[0] for group in groups)
    groups.sort(key=lambda group: (conflicts[group[0]] & first).bit_count(), reverse=True)
    numbers = {group[0]: i for i, group in enumerate(groups)}
    weights = Weights([sum(each[query] for query in group) for group in groups])

    in_order = all(query == i for query, i in numbers.items())

    def renumbered(queries: Bitset) -> Bitset:
        if in_order:
            return queries & first
        return bitset(numbers[query] for query in members(queries & first))

    own_conflicts = [renumbered(conflicts[group[0]]) for group in groups]
    best = Incumbent()
    everything = (1 << len(groups)) - 1
    named = _named_cells(facets, first, numbers)
    cliques = CliqueSearch(named, own_conflicts, everything, weights, best)
    for start in range(len(groups) - 1, max(-1, len(groups) - 1 - _DIVES), -1):
        cliques.dive(start, everything)
    searches: list[_Search] = [cliques]
    if by_rows and len(facets) <= _MOST_FACETS:
        own_facets = [_renumbered_facet(facet, renumbered) for facet in facets]
        searches.insert(0, RowSearch(own_facets, everything, weights, best))
    found = _in_turn(searches, best, clock)
    return replace(found, queries=bitset(q for i in members(found.queries) for q in groups[i]))


def _renumbered_facet(facet: Facet, renumbered: Callable[[Bitset], Bitset]) -> Facet:
    sets = {renumbered(cell.queries): cell.value for cell in facet.cells}
    cells = tuple(Cell(value, queries) for queries, value in sets.items())
    return replace(facet, cells=cells, constrained=renumbered(facet.constrained))


def _named_cells(
    facets: Sequence[Facet], queries: Bitset, numbers: Mapping[int, int]
) -> list[list[tuple[int, Bitset]]]:
    """For each query the facets that it names, where pairs do not suffice, and its cells there."""
    named: list[dict[int, Bitset]] = [{} for _ in numbers]
    for place, facet in enumerate(facets):
        if not facet.pairs_suffice:
            for k, cell in enumerate(facet.cells):
                for query in members(cell.queries & facet.constrained & queries):
                    own = named[numbers[query]]
                    own[place] = own.get(place, 0) | 1 << k
    return [list(own.items()) for own in named]


def _in_turn(searches: Sequence[_Search], best: Incumbent, clock: Clock) -> Heaviest:
    """The searches in turn, with budgets that double, until one is done or time is up."""
    running = [(search, search.steps()) for search in searches]
    budget = _FIRST_BUDGET
    while True:
        for search, steps in running:
            for _ in islice(steps, budget):
                if clock.is_over and best.weight:
                    upper = min(each.bound for each in searches)
                    return Heaviest(best.weight, upper, best.queries)
            if search.done:
                return Heaviest(best.weight, best.weight, best.queries)
        budget *= 2

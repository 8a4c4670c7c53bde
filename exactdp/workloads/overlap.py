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
(:mod:`exactdp.workloads.rows`), the other chooses queries (:mod:`exactdp.workloads.cliques`). They
share the best set found so far, at first a greedy one, and each is good where the other is not.

Sources: Smith et al., PoPETs 2022, section 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from operator import itemgetter
from typing import Final

from exactdp.composition.engines.splitting import LEAST_COST, is_split, map_parts
from exactdp.timing.clock import Clock, TimeIsUpError
from exactdp.workloads.bitsets import Bitset, bitset, members
from exactdp.workloads.cliques import CliqueSearch
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.graph import Cell, Facet, QueryGraph
from exactdp.workloads.joint import RowCliqueSearch, narrowed
from exactdp.workloads.kernel import kernel
from exactdp.workloads.rows import RowSearch
from exactdp.workloads.sweeps import MOST_SEARCHED, MOST_UNSWEPT, swept_row
from exactdp.workloads.weighing import Incumbent, QueryWeights

_FIRST_BUDGET: Final = 16
_MOST_FACETS: Final = 64
_DIVES: Final = 16
_FEW_ROUNDS: Final = 10

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

    def narrowed(self, other: Heaviest) -> Heaviest:
        """What both show of the heaviest set of one kind."""
        best = self if self.lower >= other.lower else other
        return replace(best, upper=min(self.upper, other.upper))

    def __add__(self, other: Heaviest) -> Heaviest:
        """The heaviest set of two parts that have nothing to do with each other."""
        return Heaviest(
            self.lower + other.lower, self.upper + other.upper, self.queries | other.queries
        )


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
    swept = None
    if graph.size > MOST_UNSWEPT:
        swept = _by_sweeps(graph, weights, clock.share(1 / 8))
        if swept.exact or graph.size > MOST_SEARCHED:
            return swept
    try:
        found = _searched(graph, weights, clock)
    except TimeIsUpError:
        return swept or _by_sweeps(graph, weights, clock)
    return found.narrowed(swept) if swept else found


def _by_sweeps(graph: QueryGraph, weights: Sequence[int] | None, clock: Clock) -> Heaviest:
    """What sweeps show, whatever the clock says."""
    each = [1] * graph.size if weights is None else weights
    swept = swept_row(graph.workload, each, clock)
    return Heaviest(swept.weight, swept.bound, swept.queries)


def _searched(graph: QueryGraph, weights: Sequence[int] | None, clock: Clock) -> Heaviest:
    """What searches show.

    Raises:
        TimeIsUpError: they could not begin.
    """
    if max((len(query.where) for query in graph.workload), default=0) > _MOST_FACETS:
        return _by_pairs_first(graph, weights, clock)
    facets = graph.facets_within(clock)
    if not graph.complete:  # some pairs are not known to be disjoint; a facet's cells tell
        facets = tuple(replace(facet, pairs_suffice=False) for facet in facets)
    return _by_parts(graph, facets, weights, clock, by_rows=True)


def _by_pairs_first(graph: QueryGraph, weights: Sequence[int] | None, clock: Clock) -> Heaviest:
    """Ask for overlap in pairs alone, and again along every attribute for which that is too little.

    The heaviest set under too few demands bounds what is sought; if one row satisfies it, it is
    what is sought.
    """
    found = _by_parts(graph, (), weights, clock.share(1 / 4), by_rows=False)
    met = _met_by_one_row(graph, found.queries)
    known = Heaviest(_weight(met, weights), found.upper, met)
    return known if met == found.queries else _jointly(graph, weights, known, clock)


def _jointly(
    graph: QueryGraph, weights: Sequence[int] | None, known: Heaviest, clock: Clock
) -> Heaviest:
    """The heaviest set that one row satisfies, from one that is known and a bound."""
    each = [1] * graph.size if weights is None else weights
    heavy = graph.overlapping & kernel(graph, known.lower, clock, weights)
    if not heavy:
        return _or_single(graph, each, Heaviest(known.lower, known.lower, known.queries))
    heavy |= known.queries
    queries = sorted(members(heavy), key=lambda i: (graph.conflicts[i] & heavy).bit_count())
    best = Incumbent()
    best.offer(known.lower, bitset(queries.index(i) for i in members(known.queries)))
    search = RowCliqueSearch(graph, queries, QueryWeights([each[i] for i in queries]), best, clock)
    try:
        search.begin()
        for _ in search.steps():
            clock.ask()
    except TimeIsUpError:
        upper = min(known.upper, search.bound)
    else:
        upper = best.weight
    met = bitset(queries[place] for place in members(best.queries))
    return _or_single(graph, each, Heaviest(best.weight, upper, met))


def _or_single(graph: QueryGraph, each: Sequence[int], found: Heaviest) -> Heaviest:
    """What is found among queries that overlap with others, or the heaviest that does not."""
    single = max(members(graph.alone), key=each.__getitem__, default=None)
    if single is None or each[single] <= found.lower:
        return found
    return Heaviest(each[single], max(each[single], found.upper), 1 << single)


def _weight(queries: Bitset, weights: Sequence[int] | None) -> int:
    return queries.bit_count() if weights is None else sum(weights[i] for i in members(queries))


def _met_by_one_row(graph: QueryGraph, queries: Bitset) -> Bitset:
    """A part of a set of queries that one row satisfies, found greedily."""
    kept = []
    common: dict[int, Coverage] = {}
    for i in members(queries):
        left = narrowed(common, graph.workload.queries[i].where)
        if not any(coverage.is_empty for coverage in left.values()):
            common |= left
            kept.append(i)
    return bitset(kept)


def maximum_clique(
    graph: QueryGraph, weights: Sequence[int] | None = None, clock: Clock | None = None
) -> Heaviest:
    """ω: the heaviest set of queries that overlap in pairs; arguments as for γ."""
    each = [1] * graph.size if weights is None else weights
    unknown = Heaviest(0, sum(each[i] for i in members(graph.live)), 0)
    if graph.size > MOST_SEARCHED:
        return unknown
    try:
        found = _by_parts(graph, (), weights, clock or Clock(), by_rows=False)
    except TimeIsUpError:
        return unknown
    if graph.complete:
        return found
    queries = _met_by_one_row(graph, found.queries)  # others may be disjoint after all
    return Heaviest(_weight(queries, weights), found.upper, queries)


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
    heavy = graph.overlapping & bitset(i for i, weight in enumerate(each) if weight)
    tied = [facet.constrained for facet in facets if not facet.pairs_suffice]
    parts = []
    for groups in _alike_by_part(graph, facets, _parts(graph.conflicts, tied, heavy, clock), clock):
        own = bitset(group[0] for group in groups)
        conflicts = {group[0]: graph.conflicts[group[0]] & own for group in groups}
        weighed = {query: each[query] for group in groups for query in group}
        parts.append(_Component(conflicts, facets, groups, weighed, clock, by_rows))
    return _or_single(graph, each, sum(_heaviest_of(parts), start=Heaviest(0, 0, 0)))


@dataclass(frozen=True, slots=True)
class _Component:
    """Queries that have nothing to do with others, as a process of its own is given them."""

    conflicts: Mapping[int, Bitset]
    facets: Sequence[Facet]
    groups: list[tuple[int, ...]]
    each: Mapping[int, int]
    clock: Clock
    by_rows: bool

    def search(self) -> _Part:
        """Its search, at its beginning."""
        groups = [*self.groups]
        return _Part(self.conflicts, self.facets, groups, self.each, self.clock, self.by_rows)


def _heaviest_of(components: Sequence[_Component]) -> Iterator[Heaviest]:
    """The heaviest set of each component; of several that take long, in processes.

    A search takes the same steps in a process of its own, from the beginning, so that nothing
    depends on where it ends but the time limit.
    """
    open_ones = []
    for component in components:
        search = component.search()
        found = search.solve(_FEW_ROUNDS)
        if found is None:
            open_ones.append((component, search))
        else:
            yield found
    if len(open_ones) > 1 and is_split():
        yield from map_parts(_solved, [component for component, _ in open_ones], cost=LEAST_COST)
        return
    for _, search in open_ones:
        found = search.solve()
        assert found is not None
        yield found


def _solved(component: _Component) -> Heaviest:
    found = component.search().solve()
    assert found is not None
    return found


def _alike_by_part(
    graph: QueryGraph, facets: Sequence[Facet], parts: Iterable[Bitset], clock: Clock
) -> list[list[tuple[int, ...]]]:
    """For each part its queries, gathered where nothing tells them apart."""
    home = {query: place for place, part in enumerate(parts) for query in members(part)}
    gathered: list[list[tuple[int, ...]]] = [[] for _ in range(max(home.values(), default=-1) + 1)]
    for alike in graph.alike({facet.attribute for facet in facets}, clock):
        own: dict[int, list[int]] = {}
        for query in alike:
            if query in home:
                own.setdefault(home[query], []).append(query)
        for place, queries in own.items():
            gathered[place].append(tuple(queries))
    return gathered


def _parts(
    conflicts: Sequence[Bitset], tied: Sequence[Bitset], queries: Bitset, clock: Clock
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
                clock.ask()
                reached |= conflicts[query]
            for together in tied:
                if together & fresh:
                    reached |= together
            fresh = reached & left & ~part
        left &= ~part
        yield part


class _Part:
    """The heaviest set within a part; each group of queries becomes one, few conflicts first."""

    def __init__(
        self,
        conflicts: Mapping[int, Bitset],
        facets: Sequence[Facet],
        groups: list[tuple[int, ...]],
        each: Mapping[int, int],
        clock: Clock,
        by_rows: bool,
    ) -> None:
        self._by_rows = by_rows
        self._conflicts = conflicts
        self._facets = facets
        self._clock = clock
        first = bitset(group[0] for group in groups)
        self._first = first
        self._groups = groups
        if not clock.is_over:
            groups.sort(key=lambda group: (conflicts[group[0]] & first).bit_count())
        self._weights = QueryWeights([sum(each[query] for query in group) for group in groups])
        self._best = Incumbent()
        self._searches: list[_Search] = []
        self._running: list[tuple[_Search, Iterator[None]]] = []
        self._budget = _FIRST_BUDGET

    def solve(self, rounds: int | None = None) -> Heaviest | None:
        """Search as long as there is time; None after so many rounds, to be asked again."""
        try:
            if not self._running:
                heaviest = max(range(len(self._groups)), key=self._weights.each.__getitem__)
                self._best.offer(self._weights.each[heaviest], 1 << heaviest)
                self._prepare()
                self._running = [(search, search.steps()) for search in self._searches]
            if not self._in_turn(rounds):
                return None
        except TimeIsUpError:
            upper = min((s.bound for s in self._searches), default=sum(self._weights.each))
        else:
            upper = self._best.weight
        found = Heaviest(self._best.weight, upper, self._best.queries)
        own = bitset(q for i in members(found.queries) for q in self._groups[i])
        return replace(found, queries=own)

    def _prepare(self) -> None:
        """Start the searches, each with sets that are found greedily."""
        everything = (1 << len(self._groups)) - 1
        renumbered = self._renumbering()
        if self._by_rows and len(self._facets) <= _MOST_FACETS:
            own = [self._renumbered_facet(facet, renumbered) for facet in self._facets]
            rows = RowSearch(own, everything, self._weights, self._best)
            for _ in islice(rows.steps(), len(own) + 1):
                self._clock.ask()
            self._searches.append(rows)
        own_conflicts = []
        for first, *_ in self._groups:
            self._clock.ask()
            own_conflicts.append(renumbered(self._conflicts[first]))
        cliques = CliqueSearch(
            self._named_cells(), own_conflicts, everything, self._weights, self._best, self._clock
        )
        for start in range(min(_DIVES, len(self._groups))):
            self._clock.ask()
            cliques.dive(start, everything)
        self._searches.append(cliques)

    def _in_turn(self, rounds: int | None) -> bool:
        """The searches in turn, with budgets that double, until one of them is done."""
        for _ in count() if rounds is None else range(rounds):
            for search, steps in self._running:
                for _ in islice(steps, self._budget):
                    self._clock.ask()
                if search.done:
                    return True
            self._budget *= 2
        return False

    def _renumbering(self) -> Callable[[Bitset], Bitset]:
        """Moves a set of queries to the numbers of their groups: a permutation of its digits."""
        order = [group[0] for group in self._groups]
        if order == list(range(len(order))):
            return self._first.__and__
        width = max(order) + 1
        digits = itemgetter(*(width - 1 - query for query in reversed(order)))
        return lambda queries: int("".join(digits(f"{queries & self._first:0{width}b}")), 2)

    def _renumbered_facet(self, facet: Facet, renumbered: Callable[[Bitset], Bitset]) -> Facet:
        sets = {}
        for cell in facet.cells:
            self._clock.ask()
            sets[renumbered(cell.queries)] = cell.value
        cells = tuple(Cell(value, queries) for queries, value in sets.items())
        return replace(facet, cells=cells, constrained=renumbered(facet.constrained))

    def _named_cells(self) -> list[list[tuple[int, Bitset]]]:
        """For each group the facets it names where pairs do not suffice, and its cells there."""
        numbers = {group[0]: i for i, group in enumerate(self._groups)}
        named: list[dict[int, Bitset]] = [{} for _ in numbers]
        for place, facet in enumerate(self._facets):
            if not facet.pairs_suffice:
                for k, cell in enumerate(facet.cells):
                    self._clock.ask()
                    for query in members(cell.queries & facet.constrained & self._first):
                        own = named[numbers[query]]
                        own[place] = own.get(place, 0) | 1 << k
        return [list(own.items()) for own in named]

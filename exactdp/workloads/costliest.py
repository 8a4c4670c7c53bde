r"""The costliest row: the greatest optimal composition of the queries that one row meets.

Purpose: max over overlapping sets I of OptComp(I), enclosed; with equal parameters that is the
composition of γ of them, otherwise a search.

Rules of this file: an enclosure is returned whatever happens; its lower end belongs to a row.
"None" as an ε stands for: no finite ε is enough.

Theory of operation: OptComp does not fall when mechanisms are added, so that the composition of
all queries a node still holds bounds everything below it. A set enters only by how many queries of
each kind of parameters it holds; sets that hold no more of any kind than one known to be cheap
enough are dropped without composing anything. Branching is that of :mod:`exactdp.workloads.rows`.

Sources: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Theorem 1.5; Smith et al., PoPETs 2022,
section 6.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.composition.answers.results import Composition
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Entry
from exactdp.timing.clock import Clock, TimeIsUpError
from exactdp.timing.deadlines import OutOfTimeError, made_within, stop_after
from exactdp.workloads.anytime import AnytimeComposer
from exactdp.workloads.bitsets import Bitset, bitset, members
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import Heaviest, maximum_overlap
from exactdp.workloads.sweeps import MOST_SEARCHED
from exactdp.workloads.weighing import QueryWeights
from exactdp.workloads.workload import Workload, met_by, row_in

Epsilon = mpq | None
"""An end of an enclosure; None stands for: no finite ε is enough."""

_Counts = tuple[int, ...]
_MOST_SEEN: Final = 1 << 18


class Price:
    """Compositions of queries, by how many of each kind of parameters; each found once.

    Args:
        workload: the queries.
        composer: composes them within the time limit.
    """

    def __init__(self, workload: Workload, composer: AnytimeComposer) -> None:
        self.workload = workload
        self.composer = composer
        kinds: dict[Entry, list[int]] = {}
        for i, query in enumerate(workload):
            kinds.setdefault(query.mechanism.without_label(), []).append(i)
        self.kinds = tuple(kinds)
        self._planes = tuple(map(bitset, kinds.values()))
        self._known: dict[Ledger, Composition] = {}

    def of_ledger(self, ledger: Ledger) -> Composition:
        """The composition of a ledger's mechanisms."""
        if ledger not in self._known:
            self._known[ledger] = self.composer.compose(ledger)
        return self._known[ledger]

    def of_further_ledger(self, ledger: Ledger, clock: Clock) -> Composition | None:
        """The same of one that is not needed: None where it does not end in time."""
        return made_within(clock.left, lambda: self.of_ledger(ledger))

    def most_of_counts(self, counts: _Counts) -> Epsilon:
        """The upper end for so many mechanisms of each kind; of noise, None where it has none."""
        try:
            return self.of_counts(counts).upper_end
        except CostLimitError:
            if self.workload.given_by != "noise":
                raise
            return None

    def of_counts(self, counts: _Counts) -> Composition:
        """The composition of so many mechanisms of each kind."""
        entries = tuple(
            kind.without_label(n) for kind, n in zip(self.kinds, counts, strict=True) if n
        )
        return self.of_ledger(Ledger(entries, neighbouring=self.workload.neighbouring, empty=True))

    def of_queries(self, queries: Iterable[int]) -> Composition:
        """The composition of a set of queries."""
        return self.of_counts(self.counts(bitset(queries)))

    def counts(self, queries: Bitset) -> _Counts:
        """How many queries of each kind a set holds."""
        return tuple((queries & plane).bit_count() for plane in self._planes)


@dataclass(frozen=True, slots=True)
class Costliest:
    """The greatest OptComp of a set of queries that one row meets.

    Attributes:
        row: a row whose queries have an OptComp of at least ``lower``.
        lower: a decimal.
        upper: a decimal that no row's OptComp exceeds, or infinity where that is not known.
        proved: whether the search was finished, so that ``upper`` is the better end.
    """

    row: Mapping[int, int]
    lower: Epsilon
    upper: Epsilon
    proved: bool


def exceeds(one: Epsilon, other: Epsilon) -> bool:
    """Whether ``one`` is greater."""
    return other is not None and (one is None or one > other)


def costliest(
    graph: QueryGraph,
    price: Price,
    weights: Sequence[int],
    most: Heaviest,
    clock: Clock,
) -> Costliest:
    """The costliest row, enclosed.

    Args:
        graph: the query graph.
        price: of the workload's queries.
        weights: integers >= 0 that grow with the queries' ε; they steer the search.
        most: the maximum overlap.
        clock: when to stop.
    """
    workload = price.workload
    heavy = most
    if len(price.kinds) > 1 and not clock.is_over:
        heavy = maximum_overlap(graph, weights, clock)
    search = _Search(graph, price, weights)
    for found in (most, heavy):
        search.offer(found.queries)
    if len(price.kinds) <= 1 and most.exact:
        return search.answer(workload, proved=True)
    return search.answer(workload, proved=search.finish(clock))


class _Search:
    """A depth-first search over rows, with the optimum of what a node holds as its bound."""

    def __init__(self, graph: QueryGraph, price: Price, weights: Sequence[int]) -> None:
        self._graph = graph
        self._price = price
        self._steering = QueryWeights(weights)
        self._cheap: list[_Counts] = []
        self._seen: set[Bitset] = set()
        self._best: Bitset = 0
        self._lower: Epsilon = mpq(0)
        self._upper: Epsilon = mpq(0)

    def offer(self, queries: Bitset) -> None:
        """Take the queries that a row meets into account."""
        workload = self._price.workload
        full = bitset(met_by(workload, row_in(workload, members(queries))))
        found = self._price.of_counts(self._price.counts(full))
        if exceeds(found.lower_end, self._lower) or not self._best:
            self._lower, self._best = found.lower_end, full
        if exceeds(found.upper_end, self._upper):
            self._upper = found.upper_end

    def answer(self, workload: Workload, *, proved: bool) -> Costliest:
        """What is known now."""
        row = row_in(workload, members(self._best))
        return Costliest(row, self._lower, self._upper, proved)

    def finish(self, clock: Clock) -> bool:
        """Search to the end; whether that was possible in time."""
        if self._graph.size > MOST_SEARCHED:
            return False
        try:
            with stop_after(clock.left):
                return self._finished(clock)
        except (TimeIsUpError, OutOfTimeError):
            return False

    def _finished(self, clock: Clock) -> bool:
        facets = tuple(range(len(self._graph.facets_within(clock))))
        waiting = [(self._graph.overlapping, facets)]
        waiting += [(1 << query, ()) for query in members(self._graph.alone)]
        while waiting:
            if clock.is_over or len(self._seen) > _MOST_SEEN:
                return False
            node, facets = waiting.pop()
            if node not in self._seen:
                self._seen.add(node)
                waiting += self._children(node, facets, clock)
        return True

    def _children(
        self, node: Bitset, facets: tuple[int, ...], clock: Clock
    ) -> list[tuple[Bitset, tuple[int, ...]]]:
        """The parts of a node that may cost more than the incumbent; a row's node is offered."""
        if self._is_cheap(self._price.counts(node)):
            return []
        open_facets, chosen, least = [], set[Bitset](), 0
        for facet in facets:
            clock.ask()
            parts = {node & cell.queries for cell in self._graph.facets[facet].cells}
            if node in parts:
                continue
            open_facets.append(facet)
            most = max(map(self._steering.of, parts))
            if not chosen or most < least:
                least, chosen = most, parts
        if not chosen:
            self.offer(node)
            return []
        return [(part, tuple(open_facets)) for part in sorted(chosen, key=int.bit_count)]

    def _is_cheap(self, counts: _Counts) -> bool:
        """Whether so many of each kind are known to cost no more than the upper end so far."""
        if any(all(map(int.__le__, counts, cheap)) for cheap in self._cheap):
            return True
        cheap = not exceeds(self._price.most_of_counts(counts), self._upper)
        if cheap:
            self._cheap.append(counts)
        return cheap

r"""Composition over overlaps: what a workload costs one person.

Purpose: the public question of this package: how many queries one row can meet, and the least ε
for a δ, each from below and from above.

Rules of this file: parameters and predicates are fixed in advance; a lower end comes from a row
that is given, an upper end from a colouring or a finished search; the answer says which.

Theory of operation: a row meets the queries it satisfies and no others, so that for fixed
predicates δ(ε) of the whole is the greatest δ_I(ε) over the sets I of queries that some row
satisfies (all of them: a larger set is never better). Where all parameters are equal, that is
the optimal composition of γ of them. Else the search over rows goes on with the optimum of what a
node still holds as its bound, which no smaller set exceeds. A colouring bounds the whole by one
mechanism for each class, and is what a certificate can show. Where the costliest row is known and
costs less, a tree of cases is looked for that shows just that (:mod:`exactdp.parallel.cases`).

If predicates may depend on earlier answers, none of this holds but the colouring, with
parameters fixed in advance: see :mod:`exactdp.parallel.online`.

Where neighbours replace a row, that is the greatest δ_I(ε) over the sets I of queries that one of
two rows satisfies (:mod:`exactdp.parallel.replacing`), and a class counts twice. The search is
finished exactly by weight, so that it decides where all parameters are equal, or the ε add up.

Sources: Smith et al., PoPETs 2022, sections 3 to 6; Murtagh & Vadhan, Theory of Computing 14(8),
2018, Theorem 1.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from gmpy2 import mpq

from exactdp.answers.arguments import DEFAULT_TOLERANCE
from exactdp.answers.results import Composition
from exactdp.answers.texts import delta_clause, epsilon_text
from exactdp.composition.engines.planner import DEFAULT_MAX_COST
from exactdp.ledger.model import Ledger, Parametric
from exactdp.parallel.cases import CaseTree, case_tree, joined_classes
from exactdp.parallel.clock import Clock
from exactdp.parallel.colouring import Colouring, best_colouring, colourings
from exactdp.parallel.costliest import Epsilon, Price, costliest, exceeds
from exactdp.parallel.graph import Bitset, QueryGraph, members
from exactdp.parallel.overlap import Heaviest, maximum_clique, maximum_overlap
from exactdp.parallel.pair_cases import PairTree, pair_tree, positions_of
from exactdp.parallel.parameters import (
    adds_up,
    ledger_of_colours,
    ledger_of_positions,
    loss_weights,
)
from exactdp.parallel.replacing import two_rows
from exactdp.parallel.share_search import overlap_by_shares
from exactdp.parallel.shares import shares_of, suits
from exactdp.parallel.workload import Workload, met_by, row_in
from exactdp.readable import Readable

DEFAULT_TIME_LIMIT: Final = 60


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many queries of a workload one row can meet: γ <= ω <= χ̃ <= t.

    Attributes:
        workload: what was asked about.
        graph: its query graph.
        most: γ, from a row and from above.
        clique: ω, from a clique and from above.
        colouring: classes of queries that are disjoint in pairs, covering all that a row can meet.
        row: the values of a row that meets ``most.lower`` queries, by the attribute's number;
            attributes that it does not name may have any value.
    """

    workload: Workload
    graph: QueryGraph
    most: Heaviest
    clique: Heaviest
    colouring: Colouring
    row: Mapping[int, int]

    @property
    def witness(self) -> tuple[int, ...]:
        """The queries that ``row`` meets."""
        return tuple(members(self.most.queries))

    @property
    def gain(self) -> tuple[Fraction, Fraction]:
        """1 - γ/t from below and from above; the gain in utility for equal parameters."""
        t = len(self.workload)
        if not t:
            return Fraction(0), Fraction(0)
        return 1 - Fraction(self.most.upper, t), 1 - Fraction(self.most.lower, t)


@dataclass(frozen=True, slots=True)
class ParallelComposition(Readable):
    """The least ε for a δ of a workload, by the overlap of its queries.

    Attributes:
        overlap: the count of queries that one row can meet.
        delta: the global δ.
        row: the values of the row that the lower end rests on.
        below: the composition of the queries that this row meets, or ``entering``.
        above: the composition of one mechanism for each of ``classes``, or of two.
        colouring: classes of queries that are disjoint in pairs.
        cases: a tree of colourings, where one shows more than ``colouring`` does.
        optimum: the enclosure of the optimum that the search over rows proved; as narrow as the
            certified one or narrower. None stands for: no finite ε.
        sequential: the composition of all queries, overlapping or not.
        entering: where neighbours replace a row: the row that enters as ``row`` leaves.
        pair_cases: then a tree of cases of two rows, where one shows more than ``colouring`` does.
    """

    overlap: Overlap
    delta: mpq
    row: Mapping[int, int]
    below: Composition
    above: Composition
    colouring: Colouring
    cases: CaseTree | None
    optimum: tuple[Epsilon, Epsilon]
    sequential: Composition
    entering: Mapping[int, int] | None = None
    pair_cases: PairTree | None = None

    @property
    def met(self) -> tuple[int, ...]:
        """The queries that the lower end rests on."""
        workload = self.overlap.workload
        rows = [self.row] if self.entering is None else [self.row, self.entering]
        return tuple(sorted({i for row in rows for i in met_by(workload, row)}))

    def facts(self) -> list[tuple[str, str]]:
        """The overlap, the least ε, and what all queries in sequence would cost."""
        most = self.overlap.most
        met = f"{most.lower}" if most.lower == most.upper else f"{most.lower} to {most.upper}"
        return [
            ("queries", str(len(self.overlap.workload))),
            ("met by one row at most", met),
            ("least ε", f"{epsilon_text(*self.optimum, None)} {delta_clause(self.delta)}"),
            ("in sequence", str(self.sequential)),
        ]

    @property
    def classes(self) -> Colouring:
        """The classes that the certified upper end rests on: of each, a row meets one at most.

        Of a tree of two rows, what stands at each position: both together meet one at most.
        """
        if self.pair_cases is not None:
            return positions_of(self.pair_cases)
        return self.colouring if self.cases is None else joined_classes(self.cases)

    @property
    def guaranteed(self) -> Ledger:
        """The mechanisms that the certified upper end rests on."""
        workload = self.overlap.workload
        if self.pair_cases is not None:
            return ledger_of_positions(workload, self.classes)
        return ledger_of_colours(workload, self.classes)

    @property
    def gain(self) -> tuple[mpq, mpq]:
        """1 - ε/(ε of all queries in sequence), from below and from above."""
        lower, upper = self.optimum
        least = _saved(upper, self.sequential.lower_end)
        return least, max(least, _saved(lower, self.sequential.upper_end))


def _saved(epsilon: Epsilon, sequential: Epsilon) -> mpq:
    """1 - ε/ε', at least 0; an infinite ε' saves all of a finite ε, and an ε' of 0 nothing."""
    if sequential is None:
        return mpq(epsilon is not None)
    if epsilon is None or sequential == 0:
        return mpq(0)
    return max(mpq(0), 1 - epsilon / sequential)


def overlap_of(workload: Workload, *, time_limit: int | None = DEFAULT_TIME_LIMIT) -> Overlap:
    """How many queries of a workload one row can meet, with the proof of each end.

    Args:
        workload: the queries.
        time_limit: seconds for the searches; None for none. What is proved by then is returned.
    """
    clock = Clock(time_limit)
    graph = QueryGraph.of(workload, clock.share(1 / 2))
    most = searched(graph, clock.share(3 / 4))
    colouring = best_colouring(graph, enough=most.lower, clock=clock.share(1 / 2))
    colours = len(colouring)
    if colours == most.lower:
        clique = Heaviest(most.lower, most.lower, most.queries)
    else:
        clique = maximum_clique(graph, clock=clock)
        if clique.lower < most.lower:
            clique = Heaviest(most.lower, clique.upper, most.queries)
    upper = min(most.upper, clique.upper, colours)
    most = Heaviest(most.lower, upper, most.queries)
    clique = Heaviest(clique.lower, min(clique.upper, colours), clique.queries)
    row = row_in(workload, members(most.queries))
    return Overlap(workload, graph, most, clique, colouring, row)


def searched(graph: QueryGraph, clock: Clock) -> Heaviest:
    """The maximum overlap by the searches that are quickest mostly, then by shares."""
    suited = suits(graph)
    most = maximum_overlap(graph, clock=clock.share(1 / 24) if suited else clock)
    if most.exact or not suited:
        return most
    shares = shares_of(graph, [1] * graph.size, most.lower, clock.share(1 / 4))
    if shares is None:
        return most
    bounded = Heaviest(most.lower, max(most.lower, min(most.upper, shares.bound)), most.queries)
    return bounded if bounded.exact else overlap_by_shares(graph, shares, bounded, clock)


def compose_parallel(
    workload: Workload,
    *,
    delta: object,
    tolerance: object = DEFAULT_TOLERANCE,
    max_cost: int = DEFAULT_MAX_COST,
    time_limit: int | None = DEFAULT_TIME_LIMIT,
) -> ParallelComposition:
    r"""The least ε for a δ of a workload whose parameters and predicates are fixed in advance.

    Args:
        workload: queries given by (ε, δ), by ρ or by μ.
        delta: the global δ in [0, 1].
        tolerance: the greatest width of each composition's interval, in nats; > 0.
        max_cost: refuse work predicted to cost more (units of about a nanosecond).
        time_limit: seconds for the searches; None for none.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: a composition would exceed the limits.

    Source: Smith et al., PoPETs 2022, Theorems 2 and 5.
    """
    clock = Clock(time_limit)
    overlap = overlap_of(workload, time_limit=time_limit)
    price = Price(workload, delta=delta, tolerance=tolerance, max_cost=max_cost)
    weights = loss_weights(workload)
    if workload.replaces:
        return _compose_replacing(overlap, price, weights, clock)
    found = costliest(overlap.graph, price, weights, overlap.most, clock)
    colouring, certified = _cheapest(overlap, weights, price, found.lower, clock)
    met = met_by(workload, found.row)
    below = price.of_queries(met)
    cases = None
    if found.proved and exceeds(certified.upper_end, below.upper_end):
        cases, certified = _by_cases(price, weights, met, certified, clock)
    upper = found.upper if found.proved else certified.upper_end
    return ParallelComposition(
        overlap,
        certified.delta,
        found.row,
        below,
        certified,
        colouring,
        cases,
        (found.lower, upper),
        price.of_queries(range(len(workload))),
    )


def _compose_replacing(
    overlap: Overlap, price: Price, weights: Sequence[int], clock: Clock
) -> ParallelComposition:
    """What the queries of two rows cost at least, and two mechanisms of each class at most."""
    leaving, entering, heaviest = two_rows(overlap.graph, weights, overlap.most, clock.share(1 / 2))
    met = {i for row in (leaving, entering) for i in met_by(overlap.workload, row)}
    below = price.of_queries(met if leaving != entering else ())
    colouring, above = _cheapest(overlap, weights, price, below.lower_end, clock)
    pair_cases = None
    if exceeds(above.upper_end, below.upper_end):
        pair_cases, above = _by_pair_cases(price, weights, sorted(met), above, clock)
    sums = (len(price.kinds) == 1 and min(weights) > 0) or adds_up(overlap.workload, above.delta)
    proved = heaviest and sums and leaving != entering
    return ParallelComposition(
        overlap,
        above.delta,
        leaving,
        below,
        above,
        colouring,
        None,
        (below.lower_end, below.upper_end if proved else above.upper_end),
        price.of_queries(range(len(overlap.workload))),
        entering,
        pair_cases,
    )


def _cheapest(
    overlap: Overlap, weights: Sequence[int], price: Price, lower: Epsilon, clock: Clock
) -> tuple[Colouring, Composition]:
    """The colouring whose mechanisms compose to the least ε, of those that are tried."""
    workload = overlap.workload
    graph = _apart_by_notion(overlap.graph)
    candidates = colourings(graph, weights, clock)
    best = overlap.colouring if graph is overlap.graph else next(candidates)
    least = price.of_ledger(ledger_of_colours(workload, best))
    if len(price.kinds) > 1 or workload.replaces:
        for colouring in candidates:
            composed = price.of_ledger(ledger_of_colours(workload, colouring))
            if exceeds(least.upper_end, composed.upper_end):
                best, least = colouring, composed
            if not exceeds(least.upper_end, lower):
                break
    return best, least


def _by_cases(
    price: Price, weights: Sequence[int], met: Sequence[int], known: Composition, clock: Clock
) -> tuple[CaseTree | None, Composition]:
    """A tree that shows less than is known, aimed at what the costliest row meets, if found."""
    workload = price.workload
    if len({type(query.mechanism) for query in workload}) > 1:
        return None, known
    tree = case_tree(workload, weights, [weights[i] for i in met], clock.share(1 / 2))
    if tree is None:
        return None, known
    composed = price.of_ledger(ledger_of_colours(workload, joined_classes(tree)))
    return (tree, composed) if exceeds(known.upper_end, composed.upper_end) else (None, known)


def _by_pair_cases(
    price: Price, weights: Sequence[int], met: Sequence[int], known: Composition, clock: Clock
) -> tuple[PairTree | None, Composition]:
    """A tree of two rows that shows less than is known, aimed at what two rows meet, if found."""
    workload = price.workload
    if len({type(query.mechanism) for query in workload}) > 1:
        return None, known
    tree = pair_tree(workload, weights, [weights[i] for i in met], clock.share(1 / 2))
    if tree is None:
        return None, known
    composed = price.of_ledger(ledger_of_positions(workload, positions_of(tree)))
    return (tree, composed) if exceeds(known.upper_end, composed.upper_end) else (None, known)


def _apart_by_notion(graph: QueryGraph) -> QueryGraph:
    """The graph in which queries of different notions of privacy are never disjoint.

    So no class of a colouring mixes them: it would have no greatest parameters.
    """
    notions: dict[type[Parametric], Bitset] = {}
    for i, query in enumerate(graph.workload):
        kind = type(query.mechanism)
        notions[kind] = notions.get(kind, 0) | 1 << i
    if len(notions) <= 1:
        return graph
    conflicts = (
        apart & notions[type(query.mechanism)]
        for apart, query in zip(graph.conflicts, graph.workload, strict=True)
    )
    return QueryGraph(graph.workload, graph.live, tuple(conflicts))

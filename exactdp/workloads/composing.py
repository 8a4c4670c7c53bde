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
costs less, a tree of cases is looked for that shows just that (:mod:`exactdp.workloads.cases`), and
where none does, shares (:mod:`exactdp.workloads.share_proofs`).

If predicates may depend on earlier answers, none of this holds but the colouring, with
parameters fixed in advance: see :mod:`exactdp.workloads.online`.

Queries by their noise compose as ``composition.noise`` says, and a class mixes only mechanisms of
which one dominates the others (:mod:`exactdp.workloads.domination`).

Where neighbours replace a row, that is the greatest δ_I(ε) over the sets I of queries that one of
two rows satisfies (:mod:`exactdp.workloads.replacing`), and a class counts twice. The search is
finished exactly by weight, so that it decides where all parameters are equal, or the ε add up.

Sources: Smith et al., PoPETs 2022, sections 3 to 6; Murtagh & Vadhan, Theory of Computing 14(8),
2018, Theorem 1.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.results import Composition
from exactdp.composition.answers.texts import delta_clause, epsilon_text
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms.multiset import merged
from exactdp.readable import Readable
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import OutOfTimeError
from exactdp.workloads.anytime import AnytimeComposer
from exactdp.workloads.bitsets import members
from exactdp.workloads.cases import CaseTree, joined_classes
from exactdp.workloads.cheapest import cheapest, cheapest_cases, cheapest_pair_cases
from exactdp.workloads.colouring import Colouring, best_colouring
from exactdp.workloads.costliest import Epsilon, Price, costliest, exceeds
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import Heaviest, maximum_clique, maximum_overlap
from exactdp.workloads.pair_cases import PairTree, positions_of
from exactdp.workloads.parameters import (
    adds_up,
    ledger_of_colours,
    ledger_of_positions,
    loss_weights,
)
from exactdp.workloads.replacing import two_rows
from exactdp.workloads.share_proofs import ShareProof, cheapest_shares, ledger_of_shares
from exactdp.workloads.share_search import overlap_by_shares
from exactdp.workloads.shares import shares_of, suits
from exactdp.workloads.sweeps import MOST_SEARCHED, MOST_UNSWEPT, swept_classes, swept_row
from exactdp.workloads.workload import Workload, check_delta, check_number, met_by, row_in

DEFAULT_TIME_LIMIT: Final = 60

_FEW: Final = 4
"""Different mechanisms that are composed in sequence even when the time is up."""
_PART: Final = 1 / 2
"""Of the time that is left, how much a search for the overlap or the costliest row has."""
_PART_WHERE_ALL_ARE_EQUAL: Final = 7 / 8
"""The same where the overlap decides, and composing takes little."""


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
    def is_settled(self) -> bool:
        """Whether a row meets a query of each class."""
        return self.most.lower == len(self.colouring)

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
        sequence_cut_short: whether more would be known of it with more time.
        shares: of the queries, where they show more than classes and cases do.
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
    sequence_cut_short: bool = False
    shares: ShareProof | None = None

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
        if self.shares is not None:
            return ledger_of_shares(workload, self.overlap.graph, self.shares.most)
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


def overlap_of(
    workload: Workload,
    *,
    time_limit: int | None = DEFAULT_TIME_LIMIT,
    clock: Clock | None = None,
) -> Overlap:
    """How many queries of a workload one row can meet, with the proof of each end.

    Args:
        workload: the queries.
        time_limit: seconds for the searches; None for none. What is proved by then is returned.
        clock: a time limit that has begun to run already, instead.

    Raises:
        CostLimitError: there are too many queries.
    """
    check_number(len(workload))
    clock = clock or Clock(time_limit)
    if len(workload) <= MOST_UNSWEPT:
        return _by_graph(workload, None, clock)
    swept = _by_sweeps(workload, clock)
    if swept.is_settled or clock.is_over:
        return swept
    return _by_graph(workload, swept, clock)


def _by_sweeps(workload: Workload, clock: Clock) -> Overlap:
    """What sweeps show, with a query graph of which no pair is compared."""
    ones, alike = [1] * len(workload), [0] * len(workload)
    row = swept_row(workload, ones, clock.share(1 / 4))
    colouring = next(swept_classes(workload, ones, alike, clock))
    most = Heaviest(row.weight, min(row.bound, len(colouring)), row.queries)
    clique = Heaviest(row.weight, len(colouring), row.queries)
    graph = QueryGraph.not_compared(workload)
    return Overlap(workload, graph, most, clique, colouring, row.row)


def _by_graph(workload: Workload, known: Overlap | None, clock: Clock) -> Overlap:
    """What the query graph and searches show, beside what is known."""
    graph = QueryGraph.of(workload, clock.share(1 / 2))
    if known is not None and graph.size > MOST_SEARCHED:
        most = known.most
    else:
        most = searched(graph, clock.share(3 / 4))
    if known is not None and clock.is_over:
        colouring = known.colouring
    else:
        colouring = best_colouring(graph, enough=most.lower, clock=clock.share(1 / 2))
    if known is not None:
        colouring = min(colouring, known.colouring, key=len)
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
    delta: Number,
    tolerance: Number | None = None,
    max_cost: int = DEFAULT_MAX_COST,
    time_limit: int | None = DEFAULT_TIME_LIMIT,
    clock: Clock | None = None,
) -> ParallelComposition:
    r"""The least ε for a δ of a workload whose parameters and predicates are fixed in advance.

    Args:
        workload: queries given by (ε, δ), by ρ, by μ, or by their noise.
        delta: the global δ in [0, 1]; above 0 and below 1 where a query is given by its noise.
        tolerance: the greatest width of each composition's interval, in nats; > 0. None takes 1e-9,
            or 1e-4 where a query is given by its noise.
        max_cost: refuse work predicted to cost more (units of about a nanosecond).
        time_limit: seconds for the searches; None for none.
        clock: a time limit that has begun to run already, instead.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: a composition would exceed the limits.

    Where the time does not allow all compositions, their intervals are wider than the tolerance.

    Source: Smith et al., PoPETs 2022, Theorems 2 and 5.
    """
    clock = clock or Clock(time_limit)
    check_delta(workload, delta)
    check_number(len(workload))
    composer = AnytimeComposer(
        clock,
        given_by=workload.given_by,
        delta=delta,
        tolerance=tolerance,
        max_cost=max_cost,
    )
    price = Price(workload, composer)
    decides = len(price.kinds) == 1 and not workload.replaces
    part = _PART_WHERE_ALL_ARE_EQUAL if decides else _PART
    overlap = overlap_of(workload, clock=clock.share(part))
    weights = loss_weights(workload)
    if workload.replaces:
        return _compose_replacing(overlap, price, weights, clock)
    found = costliest(overlap.graph, price, weights, overlap.most, clock.share(_PART))
    colouring, certified = cheapest(
        overlap.graph, overlap.colouring, weights, price, found.lower, clock
    )
    met = met_by(workload, found.row)
    below = price.of_queries(met)
    cases = None
    if found.proved and exceeds(certified.upper_end, below.upper_end):
        cases, certified = cheapest_cases(price, weights, met, certified, clock)
    shares = None
    if exceeds(certified.upper_end, below.upper_end):
        known = overlap.most.lower
        shares, certified = cheapest_shares(overlap.graph, price, known, certified, clock)
    upper = _least(certified.upper_end, found.upper if found.proved else None)
    sequence, cut_short = _in_sequence(price, below, clock)
    return ParallelComposition(
        overlap,
        certified.delta,
        found.row,
        below,
        certified,
        colouring,
        cases if shares is None else None,
        (found.lower, upper),
        sequence,
        sequence_cut_short=cut_short,
        shares=shares,
    )


def _least(one: Epsilon, other: Epsilon) -> Epsilon:
    """The lesser of two upper ends."""
    return other if exceeds(one, other) else one


def _in_sequence(price: Price, below: Composition, clock: Clock) -> tuple[Composition, bool]:
    """All queries, composed, and whether more would be known of them with more time.

    Nothing that is certified rests on it. What a row meets is a part of the sequence, and costs no
    more: where all together are beyond the limits, the lower end is that of the row, and an upper
    end is not known.
    """
    workload = price.workload
    found, cut_short = None, clock.is_over and len(price.kinds) > _FEW
    try:
        if not cut_short:
            found = price.of_queries(range(len(workload)))
            cut_short = price.composer.is_cut_short(found)
    except OutOfTimeError:
        cut_short = True
    except CostLimitError:
        if workload.given_by != "noise":
            raise
    if found is None:
        entries = merged(query.mechanism for query in workload)
        ledger = Ledger(entries, neighbouring=workload.neighbouring, empty=True)
        found = replace(below, ledger=ledger, upper_end=None, exact=None, derivations=())
    elif exceeds(below.lower_end, found.lower_end):
        found = replace(found, lower_end=below.lower_end)
    return found, cut_short


def _compose_replacing(
    overlap: Overlap, price: Price, weights: Sequence[int], clock: Clock
) -> ParallelComposition:
    """What the queries of two rows cost at least, and two mechanisms of each class at most."""
    leaving, entering, heaviest = two_rows(overlap.graph, weights, overlap.most, clock.share(_PART))
    met = {i for row in (leaving, entering) for i in met_by(overlap.workload, row)}
    below = price.of_queries(met if leaving != entering else ())
    colouring, above = cheapest(
        overlap.graph, overlap.colouring, weights, price, below.lower_end, clock
    )
    pair_cases = None
    if exceeds(above.upper_end, below.upper_end):
        pair_cases, above = cheapest_pair_cases(price, weights, sorted(met), above, clock)
    sums = (len(price.kinds) == 1 and min(weights) > 0) or adds_up(overlap.workload, above.delta)
    proved = heaviest and sums and leaving != entering
    sequence, cut_short = _in_sequence(price, below, clock)
    return ParallelComposition(
        overlap,
        above.delta,
        leaving,
        below,
        above,
        colouring,
        None,
        (below.lower_end, _least(above.upper_end, below.upper_end if proved else None)),
        sequence,
        entering,
        pair_cases,
        cut_short,
    )

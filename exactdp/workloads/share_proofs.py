r"""Shares of queries as a proof: at most so many of them are satisfied by one row.

Rules of this file: the number is computed from the shares, in integers, as the rule ``shares``
does; how the shares were found is of no account.

Theory of operation: what :mod:`exactdp.workloads.shares` found for the attributes that keep queries
apart is written down for each query and each attribute that it names. A query that these do not
share, because it overlaps with none or is kept apart from none, puts its whole unit on its first
attribute. As many mechanisms, each with the greatest parameters of all queries, then stand for
whatever a row satisfies.

Source: certs/SPEC.md, section 11.25.
"""

from __future__ import annotations

from dataclasses import dataclass

from exactdp.composition.answers.results import Composition
from exactdp.ledger.model import Ledger
from exactdp.timing.clock import Clock
from exactdp.workloads.bitsets import members
from exactdp.workloads.costliest import Price, exceeds
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.parameters import ledger_of_colours
from exactdp.workloads.shares import FINE, shares_of
from exactdp.workloads.workload import Workload


@dataclass(frozen=True, slots=True)
class ShareProof:
    """The shares of each query, and what follows from them.

    Attributes:
        shares: for each query one for each attribute that it names, in order.
        unit: what the shares of a query add up to, if some row satisfies it and it names any.
        most: at most so many queries are satisfied by one row.
    """

    shares: tuple[tuple[int, ...], ...]
    unit: int
    most: int


def share_proof(graph: QueryGraph, known: int, clock: Clock) -> ShareProof | None:
    """A proof by good shares; None where finding some would take too long.

    Args:
        graph: the query graph.
        known: so many queries are satisfied by some row.
        clock: when to stop.
    """
    found = shares_of(graph, [1] * graph.size, known, clock)
    if found is None:
        return None
    by_attribute = {
        facet.attribute: own for facet, own in zip(graph.facets, found.exact, strict=True)
    }
    listed = []
    for i, query in enumerate(graph.workload):
        named = sorted(query.where)
        shares = [by_attribute.get(attribute, {}).get(i, 0) for attribute in named]
        if shares and sum(shares) < FINE:
            shares[0] += FINE - sum(shares)
        listed.append(tuple(shares))
    return ShareProof(tuple(listed), FINE, _most(graph, listed))


def _most(graph: QueryGraph, listed: list[tuple[int, ...]]) -> int:
    """How many queries a row satisfies at most, by these shares."""
    everywhere, steps = 0, dict[int, dict[int, int]]()
    for i in members(graph.live):
        where, shares = graph.workload.queries[i].where, listed[i]
        everywhere += not shares
        for attribute, share in zip(sorted(where), shares, strict=True):
            at = steps.setdefault(attribute, {})
            for low, high in where[attribute].ranges:
                at[low] = at.get(low, 0) + share
                at[high] = at.get(high, 0) - share
    most = everywhere + sum(map(_greatest_sum, steps.values())) // FINE
    return min(most, graph.live.bit_count())


def _greatest_sum(steps: dict[int, int]) -> int:
    """The greatest sum of shares at a value, from how the sum changes."""
    most = now = 0
    for place in sorted(steps):
        now += steps[place]
        most = max(most, now)
    return most


def cheapest_shares(
    graph: QueryGraph, price: Price, known: int, certified: Composition, clock: Clock
) -> tuple[ShareProof | None, Composition]:
    """Shares that show less than is certified, where the queries are of one notion; if found."""
    workload = price.workload
    if workload.parameter is None or workload.replaces or clock.is_over:
        return None, certified
    proof = share_proof(graph, known, clock.share(1 / 2))
    if proof is None:
        return None, certified
    composed = price.of_further_ledger(ledger_of_shares(workload, graph, proof.most), clock)
    if composed is None or not exceeds(certified.upper_end, composed.upper_end):
        return None, certified
    return proof, composed


def ledger_of_shares(workload: Workload, graph: QueryGraph, most: int) -> Ledger:
    """So many mechanisms, each with the greatest parameters of all that some row satisfies."""
    return ledger_of_colours(workload, ((tuple(members(graph.live)),) if most else ()) * most)

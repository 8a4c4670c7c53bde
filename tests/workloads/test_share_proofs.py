"""Shares as a proof: never below what a row meets, and accepted by the verifier."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest

from exactdp.composition.answers.compose import compose
from exactdp.mechanisms import Mechanism
from exactdp.timing.clock import Clock
from exactdp.verifier import verify_bytes
from exactdp.workloads.certify import WorkloadCertificate
from exactdp.workloads.colouring import best_colouring
from exactdp.workloads.composing import compose_parallel
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.share_proofs import ledger_of_shares, share_proof
from exactdp.workloads.workload import Attribute, Query, Workload

TENTH = Mechanism("1/10")
SIZES = (3, 4, 2)


def drawn(seed: int, number: int = 12, least: int = 0) -> Workload:
    """Queries that admit random subsets of values of some of three attributes."""
    chance = Random(seed)  # noqa: S311 (a fixed sample)
    queries = []
    for _ in range(number):
        named = chance.sample(range(len(SIZES)), chance.randint(least, len(SIZES)))
        where = {}
        for attribute in named:
            size = SIZES[attribute]
            values = chance.sample(range(size), chance.randint(min(1, least), size))
            where[attribute] = Coverage.of([(value, value + 1) for value in values])
        queries.append(Query(TENTH, where))
    attributes = [Attribute(f"a{i}", size) for i, size in enumerate(SIZES)]
    return Workload(tuple(attributes), tuple(queries))


def most_met(workload: Workload) -> int:
    """The most queries that one of all rows satisfies, by asking each."""

    def is_met(query: Query, row: tuple[int, ...]) -> bool:
        return all(
            any(low <= row[attribute] < high for low, high in coverage.ranges)
            for attribute, coverage in query.where.items()
        )

    rows = product(*map(range, SIZES))
    return max(sum(is_met(query, row) for query in workload) for row in rows)


def test_no_row_of_any_meets_more_queries_than_the_shares_say() -> None:
    tight = 0
    for seed in range(60):
        workload = drawn(seed, least=seed % 2)
        most = most_met(workload)
        proof = share_proof(QueryGraph.of(workload), most, Clock())
        assert proof is not None
        assert proof.most >= most, seed
        tight += proof.most == most
    assert tight > 20


def overlapping(number: int, attributes: int, seed: int) -> Workload:
    """Queries over attributes of ten values, of which classes say more than shares."""
    chance = Random(seed)  # noqa: S311 (a fixed sample)
    queries = []
    for _ in range(number):
        named = chance.sample(range(attributes), chance.randint(1, attributes))
        values = {attribute: chance.sample(range(10), chance.randint(2, 7)) for attribute in named}
        where = {a: Coverage.of([(v, v + 1) for v in own]) for a, own in values.items()}
        queries.append(Query(TENTH, where))
    return Workload(tuple(Attribute(f"a{i}", 10) for i in range(attributes)), tuple(queries))


@cache
def by_shares() -> WorkloadCertificate:
    """A certificate of forty queries that rests on shares, where classes say 29."""
    workload = overlapping(40, 3, 3)
    graph = QueryGraph.of(workload)
    proof = share_proof(graph, 20, Clock())
    assert proof is not None
    assert 20 <= proof.most < 29
    above = compose(ledger_of_shares(workload, graph, proof.most), delta=0)
    assert above.upper_end == proof.most * TENTH.epsilon.rational
    about_ledger = above.upper_certificate()
    assert about_ledger is not None
    shares = [[str(share) for share in each] for each in proof.shares]
    parameters = {"shares": shares, "unit": str(proof.unit)}
    return WorkloadCertificate(workload, "shares", parameters, about_ledger)


def test_a_certificate_that_rests_on_shares_is_accepted() -> None:
    verdict = verify_bytes(by_shares().to_bytes())
    assert (verdict.status, verdict.rules) == ("accepted", ("shares", "sum"))


def test_shares_that_are_moved_off_a_query_are_rejected() -> None:
    certificate = by_shares()
    shares = [list(each) for each in certificate.parameters["shares"]]  # type: ignore[attr-defined]  # a list
    shares[0] = ["0"] * len(shares[0])
    bad = replace(certificate, parameters={**certificate.parameters, "shares": shares})
    verdict = verify_bytes(bad.to_bytes())
    assert (verdict.status, "query 0 are less than the unit" in verdict.line) == ("rejected", True)


@pytest.mark.slow
def test_of_the_papers_generator_shares_say_less_than_classes() -> None:
    chance = Random(1)  # noqa: S311 (a fixed sample)
    sizes = [10 ** chance.randint(1, 2) for _ in range(10)]
    queries = []
    for _ in range(100):
        where = {}
        for attribute in chance.sample(range(10), chance.randint(1, 10)):
            number = chance.randint(1, sizes[attribute])
            values = sorted(chance.sample(range(sizes[attribute]), number))
            where[attribute] = Coverage.of([(value, value + 1) for value in values])
        queries.append(Query(TENTH, where))
    attributes = tuple(Attribute(f"a{i}", size) for i, size in enumerate(sizes))
    graph = QueryGraph.of(Workload(attributes, tuple(queries)))
    proof = share_proof(graph, 28, Clock())
    assert proof is not None
    assert proof.most + 5 < len(best_colouring(graph))


def test_no_shares_are_asked_for_where_a_row_is_replaced() -> None:
    workload = drawn(3)
    replaced = Workload(workload.attributes, workload.queries, neighbouring="replace-one")
    assert compose_parallel(replaced, delta=0).shares is None

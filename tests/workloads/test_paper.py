"""The examples of Smith et al. (PoPETs 2022), cell by cell, and the reduction of its Theorem 9."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from random import Random

import pytest
from gmpy2 import mpq

from exactdp.composition.answers.profile import profile
from exactdp.errors import CostLimitError, DomainError, InputError
from exactdp.mechanisms import Mechanism
from exactdp.verifier import verify_bytes
from exactdp.workloads import sql_workload
from exactdp.workloads.bitsets import members
from exactdp.workloads.certify import upper_certificate
from exactdp.workloads.composing import compose_parallel, overlap_of
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.cuts import workload_of_cuts
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.hypergraph import overlap_hypergraph
from exactdp.workloads.limit import limit_of_profile
from exactdp.workloads.reading import read_workload
from exactdp.workloads.sensitivity import l1_sensitivity
from exactdp.workloads.workload import Workload
from tests.workloads.workloads import at_random, heaviest, met_sets, workload

CHILD, ADULT = 0, 1
EXAMPLE_1: list[dict[int, list[int]]] = [{0: [CHILD]}, {0: [CHILD, ADULT]}, {}, {0: []}]
A, B, C = range(3)
YES, NO = range(2)
EXAMPLE_2 = [{0: [A], 1: [YES]}, {0: [A, B]}, {0: [B], 1: [NO]}]
EXAMPLE_3 = [
    {0: [A], 1: [YES]},
    {0: [A, B]},
    {0: [A, C], 1: [NO]},
    {1: [YES]},
    {0: [C]},
    {0: [B], 1: [NO]},
]

Graph = list[tuple[int, int]]


def edges(graph: QueryGraph) -> set[str]:
    """The pairs that overlap, written as the paper numbers them."""
    return {
        f"{i + 1}{j + 1}"
        for i, j in combinations(members(graph.live), 2)
        if not graph.conflicts[i] >> j & 1
    }


def test_example_1_a_contradiction_is_a_query_that_costs_nothing() -> None:
    one = workload([2], EXAMPLE_1)
    overlap = overlap_of(one)
    assert overlap.most.exact
    assert overlap.witness == (0, 1, 2)
    assert overlap.row == {0: CHILD}
    assert met_sets(one) == {frozenset({0, 1, 2}), frozenset({1, 2})}
    graph = QueryGraph.of(one)
    assert list(members(graph.live)) == [0, 1, 2]
    assert edges(graph) == {"12", "13", "23"}


AGE_BANDS = {"age": {"values": ["Child", "Adult"]}}
EXAMPLE_1_PREDICATES: list[dict[str, object]] = [
    {"age": ["Child"]},
    {"age": ["Child", "Adult"]},
    {},
    {"age": {"not": ["Child", "Adult"]}},
    {"age": ["Dinosaur"]},
]
EXAMPLE_1_CONDITIONS = [
    "WHERE age = 'Child'",
    "WHERE age IN ('Child', 'Adult')",
    "",
    "WHERE age NOT IN ('Child', 'Adult')",
    "WHERE age = 'Dinosaur'",
]


def test_example_1_a_value_outside_the_domain_is_a_contradiction_in_json_not_in_sql() -> None:
    queries = [{"epsilon": 1, "where": where} for where in EXAMPLE_1_PREDICATES]
    in_json = read_workload(json.dumps({"domain": AGE_BANDS, "queries": queries}).encode())
    domain = read_workload(json.dumps({"domain": AGE_BANDS, "queries": []}).encode())
    every = "SELECT COUNT(*) FROM t"
    *understood, outside = [f"{every} {each}" for each in EXAMPLE_1_CONDITIONS]
    in_sql = sql_workload.read(";\n".join(understood), domain, Mechanism("1"))
    assert [query.is_contradiction for query in in_json] == [False] * 3 + [True] * 2
    assert [query.outside for query in in_json] == [(), (), (), (), ("age = Dinosaur",)]
    assert edges(QueryGraph.of(in_json)) == {"12", "13", "23"}
    assert met_sets(in_json) == {frozenset({0, 1, 2}), frozenset({1, 2})}
    assert in_json.queries[:4] == in_sql.queries
    with pytest.raises(InputError, match="add Dinosaur to the domain if a row may have it"):
        sql_workload.read(outside, domain, Mechanism("1"))


def test_example_1_is_certified_for_the_file_that_names_the_dinosaur() -> None:
    queries = [{"epsilon": 1, "where": where} for where in EXAMPLE_1_PREDICATES]
    file = json.dumps({"domain": AGE_BANDS, "queries": queries}).encode()
    certificate = upper_certificate(compose_parallel(read_workload(file), delta="0"))
    assert certificate is not None
    verdict = verify_bytes(certificate.to_bytes(), ledger=file, claim=("3", "0"))
    assert verdict.status == "accepted"
    without = json.dumps({"domain": AGE_BANDS, "queries": queries[:4]}).encode()
    assert verify_bytes(certificate.to_bytes(), ledger=without).status == "rejected"


@pytest.mark.parametrize("predicate", [["Child", "Dinosaur"], {"not": ["Adult", "Dinosaur"]}])
def test_a_value_outside_the_domain_changes_no_coverage(predicate: object) -> None:
    queries = [{"epsilon": 1, "where": {"age": predicate}}]
    one = read_workload(json.dumps({"domain": AGE_BANDS, "queries": queries}).encode())
    assert dict(one.queries[0].where) == {0: Coverage.of_values([CHILD])}
    assert one.queries[0].outside == ("age = Dinosaur",)


@pytest.mark.parametrize("postcodes", [2, 3])
def test_example_2_two_of_three_queries_overlap(postcodes: int) -> None:
    overlap = overlap_of(workload([postcodes, 2], EXAMPLE_2))
    assert edges(overlap.graph) == {"12", "23"}
    assert (overlap.most.lower, overlap.most.upper, overlap.clique.upper) == (2, 2, 2)
    assert len(overlap.colouring) == 2


def test_example_3_has_the_query_graph_and_the_overlapping_sets_of_figure_8() -> None:
    three = workload([3, 2], EXAMPLE_3)
    overlap = overlap_of(three)
    assert edges(overlap.graph) == {"12", "14", "23", "24", "26", "35", "45"}
    by_row = {
        frozenset(i + 1 for i, query in enumerate(three) if query.admits({0: code, 1: native}))
        for code in (A, B, C)
        for native in (YES, NO)
    }
    assert by_row == {frozenset(met) for met in ({1, 2, 4}, {2, 3}, {2, 6}, {3, 5}, {4, 5}, {2, 4})}
    assert (overlap.most.lower, overlap.most.upper, overlap.clique.upper) == (3, 3, 3)
    assert overlap.witness == (0, 1, 3)
    assert len(overlap.colouring) == 3


def test_figure_8_has_fourteen_hyperedges_and_one_triple() -> None:
    hypergraph = overlap_hypergraph(workload([3, 2], EXAMPLE_3))
    named = [frozenset(i + 1 for i in each) for each in hypergraph.hyperedges]
    pairs = [{1, 2}, {1, 4}, {2, 3}, {2, 4}, {2, 6}, {3, 5}, {4, 5}]
    singletons = [{i} for i in range(1, 7)]
    assert len(named) == 14
    assert set(named) == set(map(frozenset, [*singletons, *pairs, {1, 2, 4}]))
    maximal = {frozenset(i + 1 for i in each) for each in hypergraph.maximal}
    assert maximal == set(map(frozenset, [{1, 2, 4}, {2, 3}, {2, 6}, {3, 5}, {4, 5}]))
    assert hypergraph.rank == 3


def test_propositions_8_and_9_the_hypergraph_is_what_rows_meet_and_has_the_overlap_as_rank() -> (
    None
):
    random = Random(8)  # noqa: S311 (a fixed sample)
    for _ in range(60):
        one = at_random(random, most_queries=7)
        hypergraph = overlap_hypergraph(one)
        met = met_sets(one)
        below = {
            frozenset(each)
            for row in met
            for size in range(1, len(row) + 1)
            for each in combinations(row, size)
        }
        assert set(map(frozenset, hypergraph.hyperedges)) == below
        largest = {each for each in below if not any(each < other for other in below)}
        assert set(map(frozenset, hypergraph.maximal)) == largest
        assert hypergraph.rank == overlap_of(one).most.lower


def test_more_overlapping_sets_than_are_asked_for_are_refused() -> None:
    with pytest.raises(CostLimitError, match="at most 100 overlapping sets"):
        overlap_hypergraph(workload([2], [{}] * 7), limit=100)
    assert len(overlap_hypergraph(workload([2], [{}] * 7)).hyperedges) == 127


def test_proposition_4_three_ranges_overlap_in_pairs_and_share_nothing() -> None:
    overlap = overlap_of(workload([3], [{0: [1, 2]}, {0: [0, 2]}, {0: [0, 1]}]))
    assert (overlap.most.lower, overlap.most.upper) == (2, 2)
    assert (overlap.clique.lower, overlap.clique.upper) == (3, 3)
    assert len(overlap.colouring) == 3


def maximum_cut(size: int, graph: Graph) -> int:
    """The most edges between a set of vertices and the others, by trying every set."""
    return max(
        sum((side >> u & 1) != (side >> v & 1) for u, v in graph) for side in range(1 << size)
    )


def petersen() -> Graph:
    outer = [(i, (i + 1) % 5) for i in range(5)]
    inner = [(5 + i, 5 + (i + 2) % 5) for i in range(5)]
    return outer + inner + [(i, i + 5) for i in range(5)]


@pytest.mark.parametrize(
    ("size", "graph", "cut"),
    [
        (3, [(0, 1), (1, 2), (0, 2)], 2),
        (5, [(i, (i + 1) % 5) for i in range(5)], 4),
        (10, petersen(), 12),
    ],
    ids=["triangle", "five-cycle", "Petersen"],
)
def test_theorem_9_the_maximum_overlap_is_a_maximum_cut(size: int, graph: Graph, cut: int) -> None:
    overlap = overlap_of(workload_of_cuts(size, graph, Mechanism("1/10")))
    assert (overlap.most.lower, overlap.most.upper) == (cut, cut)
    assert maximum_cut(size, graph) == cut


def test_theorem_9_holds_of_random_graphs() -> None:
    random = Random(9)  # noqa: S311 (a fixed sample)
    for _ in range(40):
        size = random.randint(2, 7)
        graph = [pair for pair in combinations(range(size), 2) if random.random() < 0.5]
        cuts = workload_of_cuts(size, graph, Mechanism("1/10"))
        most = overlap_of(cuts).most
        assert most.lower == most.upper == maximum_cut(size, graph)
        assert most.lower == heaviest(met_sets(cuts), [1] * len(cuts))


def test_theorem_9_refuses_what_is_no_edge() -> None:
    for edge in ((1, 1), (0, 3), (-1, 0)):
        with pytest.raises(DomainError, match="edges"):
            workload_of_cuts(3, [edge], Mechanism("1/10"))


def counts(asked: Workload, rows: Sequence[Mapping[int, int]]) -> list[int]:
    """The answer of each query, by counting rows."""
    return [sum(query.admits(row) for row in rows) for query in asked]


def test_theorem_7_the_weighted_overlap_is_how_far_the_counts_move_together() -> None:
    random = Random(7)  # noqa: S311 (a fixed sample)
    for _ in range(30):
        asked = at_random(random)
        weights = [random.randint(0, 3) for _ in asked]
        sizes = [attribute.size for attribute in asked.attributes]
        domain = [dict(enumerate(row)) for row in product(*map(range, sizes))]
        data = random.choices(domain, k=3)
        before = counts(asked, data)
        moved = max(
            sum(w * abs(a - b) for w, a, b in zip(weights, after, before, strict=True))
            for after in (counts(asked, [*data, row]) for row in domain)
        )
        found = l1_sensitivity(asked, weights)
        assert (found.lower, found.upper) == (moved, moved)
        assert l1_sensitivity(asked).upper == heaviest(met_sets(asked), [1] * len(asked))


def test_theorem_7_asks_for_a_weight_of_each_query() -> None:
    one = workload([2], EXAMPLE_1)
    for weights in ([1], [1, 1, 1, -1]):
        with pytest.raises(DomainError, match="weights"):
            l1_sensitivity(one, weights)


def test_theorem_4_the_composition_of_many_comes_near_its_limit() -> None:
    least, most = limit_of_profile(mpq(1), mpq(1, 100), mpq(1))
    assert 0 <= most - least < mpq(1, 10**12)
    gaps = []
    for root in (2, 4, 8, 16):
        n = root * root
        [point] = profile([(f"1/{root}", f"1/{100 * n}", n)], epsilon=["1"])
        assert point.upper is not None
        gaps.append(least - point.upper)
        assert 0 < n * gaps[-1] < mpq(13, 100)  # the error of the limit falls as 1/n
    assert gaps == sorted(gaps, reverse=True)

"""Maximum overlap, cliques and colourings, against an enumeration of all rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.errors import CostLimitError
from exactdp.mechanisms import Mechanism
from exactdp.timing.clock import Clock
from exactdp.workloads import json_workload
from exactdp.workloads.bitsets import bitset, members
from exactdp.workloads.cells import maximal_cells
from exactdp.workloads.colouring import best_colouring, colourings, weight_of
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import maximum_clique, maximum_overlap
from exactdp.workloads.workload import Query, Workload, met_by, row_in
from tests.marking import slow_after
from tests.workloads.workloads import (
    PatientClock,
    at_random,
    heaviest,
    heaviest_clique,
    met_sets,
    workload,
)
from tests.workloads.workloads import workloads as any_workload

THREE_PAIRS = workload([3], [{0: [0, 1]}, {0: [1, 2]}, {0: [0, 2]}])


@pytest.mark.slow
def test_the_searches_agree_with_an_enumeration_of_rows_on_2000_workloads() -> None:
    random = Random(2022)  # noqa: S311 (a fixed sample)
    for _ in range(2000):
        small = at_random(random)
        graph = QueryGraph.of(small)
        weights = [random.randint(0, 5) for _ in small]
        sets = met_sets(small)
        for each in ([1] * len(small), weights):
            most = maximum_overlap(graph, each)
            assert most.lower == most.upper == heaviest(sets, each)
            witness = set(members(most.queries))
            assert sum(each[i] for i in witness) == most.lower
            assert any(witness <= met for met in sets)


@pytest.mark.slow
def test_the_clique_search_agrees_with_an_enumeration_of_sets_on_1000_workloads() -> None:
    random = Random(7)  # noqa: S311 (a fixed sample)
    for _ in range(1000):
        small = at_random(random, most_queries=7)
        weights = [random.randint(0, 5) for _ in small]
        clique = maximum_clique(QueryGraph.of(small), weights)
        assert clique.lower == clique.upper == heaviest_clique(small, weights)


@pytest.mark.slow
def test_many_attributes_are_searched_by_pairs_first_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactdp.workloads.overlap._MOST_FACETS", 0)
    random = Random(1000)  # noqa: S311 (a fixed sample)
    for _ in range(1000):
        small = at_random(random)
        weights = [random.randint(0, 5) for _ in small]
        sets = met_sets(small)
        most = maximum_overlap(QueryGraph.of(small), weights)
        assert most.lower == most.upper == heaviest(sets, weights)
        assert any(set(members(most.queries)) <= met for met in sets)
        hurried = maximum_overlap(QueryGraph.of(small), weights, Clock(0))
        assert hurried.lower <= most.lower <= hurried.upper
        assert any(set(members(hurried.queries)) <= met for met in sets)


@pytest.mark.parametrize("attributes", slow_after(1, [3, 40]))
def test_conflicts_are_the_pairs_that_no_row_satisfies(attributes: int) -> None:
    random = Random(attributes)  # noqa: S311 (a fixed sample)
    for named in (1, attributes // 2, attributes):
        many = workload(
            [6] * attributes,
            [
                {
                    a: [v for v in range(6) if random.random() < 0.5] or [0]
                    for a in random.sample(range(attributes), named)
                }
                for _ in range(120)
            ],
        )
        for i, conflicts in enumerate(QueryGraph.of(many).conflicts):
            one = many.queries[i]
            apart = {j for j, other in enumerate(many) if j != i and one.disjoint(other)}
            assert set(members(conflicts)) == apart


@given(any_workload())
def test_overlap_is_at_most_clique_at_most_colours_at_most_queries(small: Workload) -> None:
    graph = QueryGraph.of(small)
    colours = len(best_colouring(graph))
    assert maximum_overlap(graph).lower <= maximum_clique(graph).lower <= colours <= len(small)


@given(any_workload())
def test_every_colouring_is_proper_and_covers_all_that_a_row_can_meet(small: Workload) -> None:
    for colouring in colourings(QueryGraph.of(small), [1] * len(small)):
        placed = sorted(i for colour in colouring for i in colour)
        assert placed == [i for i, query in enumerate(small) if not query.is_contradiction]
        for met in met_sets(small):
            assert all(len(met & set(colour)) <= 1 for colour in colouring)


@given(any_workload(), any_workload())
def test_adding_a_query_never_lowers_overlap_or_clique(small: Workload, other: Workload) -> None:
    where = {
        a: c
        for a, c in next(iter(other), Query(Mechanism("1"), {})).where.items()
        if a < len(small.attributes)
    }
    larger = small.extended([Query(Mechanism("1"), where)])
    one, two = QueryGraph.of(small), QueryGraph.of(larger)
    assert maximum_overlap(one).lower <= maximum_overlap(two).lower
    assert maximum_clique(one).lower <= maximum_clique(two).lower


@given(any_workload())
def test_a_witness_row_meets_its_queries(small: Workload) -> None:
    most = maximum_overlap(QueryGraph.of(small))
    row = row_in(small, members(most.queries))
    assert set(members(most.queries)) <= set(met_by(small, row))


def test_three_queries_that_overlap_in_pairs_need_not_overlap_jointly() -> None:
    graph = QueryGraph.of(THREE_PAIRS)
    assert maximum_clique(graph).lower == 3
    assert maximum_overlap(graph).lower == maximum_overlap(graph).upper == 2
    assert len(best_colouring(graph)) == 3


def test_disjoint_ranges_of_one_attribute_compose_in_parallel() -> None:
    ages = workload([120], [{0: range(10 * i, 10 * i + 10)} for i in range(12)])
    assert maximum_overlap(QueryGraph.of(ages)).upper == 1
    assert len(best_colouring(QueryGraph.of(ages))) == 1


def test_queries_on_different_attributes_always_overlap() -> None:
    free = workload([5, 2], [{0: [3]}, {1: [1]}, {}])
    assert maximum_overlap(QueryGraph.of(free)).lower == 3


def test_a_contradiction_costs_nothing() -> None:
    graph = QueryGraph.of(workload([4], [{0: []}, {0: [1]}]))
    assert maximum_overlap(graph).lower == 1
    assert best_colouring(graph) == ((1,),)


def test_no_query_at_all_overlaps_with_nothing() -> None:
    graph = QueryGraph.of(workload([4], []))
    assert maximum_overlap(graph).lower == maximum_clique(graph).upper == 0
    assert best_colouring(graph) == ()


@pytest.mark.parametrize(("count", "overlap"), [(200, 9), (2000, 57)])
def test_the_overlap_of_a_census_like_sample_is_attained_by_a_colouring(
    count: int, overlap: int
) -> None:
    sample = json_workload.read(census_sample(count))
    graph = QueryGraph.of(sample)
    most = maximum_overlap(graph)
    colours = len(best_colouring(graph, enough=most.lower))
    assert (most.lower, most.upper, colours) == (overlap, overlap, overlap)


def census_sample(count: int) -> bytes:
    """The sample of the census-like workload, in the published format."""
    path = Path(__file__).parent / "samples" / f"cps_sample_{count}.json"
    return path.read_bytes()


@pytest.mark.slow
def test_a_million_values_and_fifty_thousand_attributes_are_not_enumerated() -> None:
    domain: Mapping[str, object] = {f"a{i}": {"size": 10**6} for i in range(50_000)}
    queries = [
        {"epsilon": "0.1", "where": {f"a{i}": {"not": [i]}, "a49999": {"range": [i, 10**6]}}}
        for i in range(40)
    ]
    large = json_workload.read(json.dumps({"domain": domain, "queries": queries}).encode())
    assert maximum_overlap(QueryGraph.of(large)).upper == 40


@pytest.mark.slow
def test_time_that_is_up_leaves_an_enclosure() -> None:
    random = Random(3)  # noqa: S311 (a fixed sample)
    sizes = [9] * 12
    hard = workload(
        sizes,
        [
            {a: [v for v in range(9) if random.random() < 0.6] for a in random.sample(range(12), 6)}
            for _ in range(120)
        ],
    )
    graph = QueryGraph.of(hard)
    hurried = maximum_overlap(graph, clock=Clock(0))
    assert 0 < hurried.lower <= hurried.upper <= 120
    assert not hurried.exact


@given(any_workload(), st.integers(0, 60), st.booleans())
def test_whenever_time_is_up_the_enclosure_and_the_colouring_hold(
    small: Workload, asked: int, large: bool
) -> None:
    sets = met_sets(small)
    clock = PatientClock(asked)
    with pytest.MonkeyPatch.context() as patch:
        if large:
            patch.setattr("exactdp.workloads.colouring._MOST_SORTED", 0)
        graph = QueryGraph.of(small, clock.share(0.5))
        most = maximum_overlap(graph, clock=clock.share(0.5))
        (*_, colouring) = colourings(graph, [1] * len(small), clock)
    assert most.lower <= heaviest(sets, [1] * len(small)) <= most.upper
    assert any(set(members(most.queries)) <= met for met in sets)
    assert sorted(i for colour in colouring for i in colour) == list(members(graph.live))
    assert not any(len(met & set(colour)) > 1 for met in sets for colour in colouring)


@pytest.mark.slow
def test_a_graph_that_is_not_complete_changes_no_answer_of_a_finished_search() -> None:
    random = Random(5)  # noqa: S311 (a fixed sample)
    for _ in range(1000):
        small = at_random(random)
        ones = [1] * len(small)
        graph = QueryGraph.of(small, PatientClock(random.randint(0, 6)))
        most = maximum_overlap(graph)
        assert most.lower == most.upper == heaviest(met_sets(small), ones)
        assert any(set(members(most.queries)) <= met for met in met_sets(small))
        if len(small) < 8:
            clique = maximum_clique(graph)
            assert clique.lower <= heaviest_clique(small, ones) <= clique.upper


@pytest.mark.slow
def test_a_graph_that_would_not_fit_into_memory_is_refused_before_it_is_built() -> None:
    many = Workload((), (Query(Mechanism("1/10"), {}),) * 10**6)
    with pytest.raises(CostLimitError, match="at most 185363"):
        QueryGraph.of(many)
    file = b'{"domain": {}, "queries": [' + b", ".join([b'{"epsilon": 1}'] * 185_364) + b"]}"
    with pytest.raises(CostLimitError, match="at most 185363"):
        json_workload.read(file)


def test_when_time_is_up_one_colouring_is_still_found() -> None:
    random = Random(5)  # noqa: S311 (a fixed sample)
    pairs = workload(
        [8] * 3, [{a: random.sample(range(8), 4) for a in range(3)} for _ in range(60)]
    )
    found = list(colourings(QueryGraph.of(pairs), [1] * 60, Clock(0)))
    assert len(found) == 1
    assert sorted(i for colour in found[0] for i in colour) == list(range(60))


@pytest.mark.parametrize("few", [0, 1000])
def test_cells_are_the_sets_of_coverages_that_no_other_contains(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exactdp.workloads.cells._FEW_CELLS", few)
    random = Random(11)  # noqa: S311 (a fixed sample)
    for _ in range(300):
        coverages = [
            Coverage.of_values(v for v in range(8) if random.random() < 0.5) for _ in range(5)
        ]
        by_value = {bitset(k for k, c in enumerate(coverages) if v in c) for v in range(8)}
        largest = {a for a in by_value if not any(a != b and a & ~b == 0 for b in by_value)} - {0}
        cells = maximal_cells(coverages)
        assert {queries for _, queries in cells} == largest
        assert all(
            queries == bitset(k for k, c in enumerate(coverages) if value in c)
            for value, queries in cells
        )


@given(any_workload())
def test_weights_of_one_count(small: Workload) -> None:
    graph = QueryGraph.of(small)
    weighted = maximum_overlap(graph, [3] * len(small))
    assert weighted.lower == 3 * maximum_overlap(graph).lower
    ones = [1] * len(small)
    assert weight_of(best_colouring(graph, ones), ones) == len(best_colouring(graph))


@pytest.mark.slow
def test_a_dense_core_is_coloured_before_the_queries_around_it() -> None:
    random = Random(1)  # noqa: S311 (a fixed sample)
    queries = [
        {
            attribute: random.sample(range(10), random.randint(1, 10))
            for attribute in random.sample(range(100), random.randint(1, 100))
        }
        for _ in range(200)
    ]
    clique = maximum_clique(QueryGraph.of(workload([10] * 100, queries)), clock=PatientClock(5000))
    assert clique.lower == clique.upper == 22


def test_a_search_by_pairs_learns_the_attributes_that_tear_sets_and_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactdp.workloads.overlap._MOST_FACETS", 0)
    random = Random(3)  # noqa: S311 (a fixed sample)
    queries = [
        {a: random.sample(range(6), random.randint(1, 3)) for a in random.sample(range(5), 2)}
        for _ in range(40)
    ]
    many = workload([6] * 5, queries)
    graph = QueryGraph.of(many)
    most, clique = maximum_overlap(graph), maximum_clique(graph)
    monkeypatch.undo()
    assert most == replace(maximum_overlap(graph), queries=most.queries)
    assert most.exact
    assert most.lower < clique.lower
    row = row_in(many, members(most.queries))
    assert set(members(most.queries)) <= set(met_by(many, row))
    assert maximum_overlap(graph, clock=PatientClock(3)).upper >= most.lower

"""Bounds by shares: never below what a row meets, and sometimes far below the colours."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bench.parallel import as_published
from exactdp.timing.clock import Clock
from exactdp.workloads.bitsets import members
from exactdp.workloads.colouring import best_colouring
from exactdp.workloads.composing import overlap_of
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import Heaviest, maximum_overlap
from exactdp.workloads.share_search import overlap_by_shares, whole_shares
from exactdp.workloads.shares import FINE, bound_by_shares, shares_of
from exactdp.workloads.workload import Workload
from tests.marking import slow_after
from tests.workloads.workloads import PatientClock, heaviest, met_sets, workload, workloads


@given(workloads())
def test_no_row_meets_more_than_the_shares_say(small: Workload) -> None:
    most = heaviest(met_sets(small), [1] * len(small))
    bound = bound_by_shares(QueryGraph.of(small), None, 0, Clock())
    assert bound is not None
    assert bound >= most


@pytest.mark.slow
def test_no_row_meets_heavier_queries_than_the_shares_say() -> None:
    random = Random(11)  # noqa: S311 (a fixed sample)
    for _ in range(40):
        asked = as_published(8, 2, 1, random.randrange(10**6))
        weights = [random.randint(0, 5) for _ in asked]
        bound = bound_by_shares(QueryGraph.of(asked), weights, 0, Clock())
        assert bound is not None
        assert bound >= heaviest(met_sets(asked), weights)


def test_three_queries_that_overlap_in_pairs_are_bounded_by_two() -> None:
    asked = workload([3], [{0: [1, 2]}, {0: [0, 2]}, {0: [0, 1]}])
    assert bound_by_shares(QueryGraph.of(asked), None, 2, Clock()) == 2


@pytest.mark.slow
def test_where_queries_overlap_often_shares_show_less_than_colours() -> None:
    graph = QueryGraph.of(as_published(50, 10, 2, 1))
    bound = bound_by_shares(graph, None, 0, Clock())
    assert bound is not None
    assert bound < len(best_colouring(graph))


def test_without_time_and_with_too_many_attributes_nothing_is_said() -> None:
    asked = workload([3], [{0: [1, 2]}, {0: [0, 2]}, {0: [0, 1]}])
    assert bound_by_shares(QueryGraph.of(asked), None, 0, PatientClock(0)) is None
    wide = workload([2] * 65, [{a: [0] for a in range(65)}, {0: [1]}])
    assert bound_by_shares(QueryGraph.of(wide), None, 0, Clock()) is None


def test_an_overlap_that_no_search_proved_is_bounded_by_shares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = workload([3], [{0: [1, 2]}, {0: [0, 2]}, {0: [0, 1]}])
    open_end = Heaviest(2, 3, 0b11)
    monkeypatch.setattr("exactdp.workloads.composing.maximum_overlap", lambda *_, **__: open_end)
    assert overlap_of(asked).most == Heaviest(2, 2, 0b11)


def searched_by_shares(asked: Workload, clock: Clock) -> Heaviest:
    graph = QueryGraph.of(asked)
    shares = shares_of(graph, [1] * len(asked), 0, Clock())
    assert shares is not None
    return overlap_by_shares(graph, shares, Heaviest(0, len(asked), 0), clock)


@pytest.mark.slow
@given(workloads())
def test_a_search_by_shares_finds_the_maximum_overlap_of_queries_that_overlap(
    small: Workload,
) -> None:
    graph = QueryGraph.of(small)
    found = searched_by_shares(small, Clock())
    most = max(len(met & set(members(graph.overlapping))) for met in met_sets(small))
    assert (found.lower, found.upper) == (most, most)
    assert found.queries.bit_count() == most
    assert any(set(members(found.queries)) <= met for met in met_sets(small))


@pytest.mark.slow
def test_a_search_by_shares_that_is_stopped_says_what_it_knows() -> None:
    asked = as_published(30, 4, 1, 5)
    most = searched_by_shares(asked, Clock())
    assert most.exact
    for times in (0, 1, 2, 5, 20, 100):
        found = searched_by_shares(asked, PatientClock(times))
        assert found.lower <= most.lower <= found.upper <= len(asked)


@pytest.mark.slow
def test_a_search_by_shares_agrees_with_the_searches_that_do_without() -> None:
    for seed in range(12):
        asked = as_published(16, 5, 1, seed)
        graph = QueryGraph.of(asked)
        assert searched_by_shares(asked, Clock()).lower == maximum_overlap(graph).lower


@pytest.mark.slow
def test_children_bounded_a_few_at_a_time_are_bounded_as_all_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = [as_published(18, 5, 2, seed) for seed in range(4)]
    at_once = [searched_by_shares(each, Clock()) for each in asked]
    monkeypatch.setattr("exactdp.workloads.share_search._MOST_WEIGHED", 7)
    assert [searched_by_shares(each, Clock()) for each in asked] == at_once
    assert all(each.exact for each in at_once)


def assert_add_up(shares: NDArray[np.float64], named: NDArray[np.bool_]) -> None:
    """Whole numbers, none of them negative, of named facets alone, that add up to all of 1."""
    assert (shares == np.floor(shares)).all()
    assert (shares >= 0).all()
    assert not shares[~named].any()
    assert (shares.sum(0) == FINE * named.any(0)).all()


@given(st.integers(0, 6), st.integers(0, 9), st.integers(0, 10**9))
def test_shares_made_whole_add_up_whatever_they_were(facets: int, size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    named = random.random((facets, size)) < 0.6
    if facets:
        scales = 10.0 ** random.integers(-3, 12, (facets, size))
        kept = random.random((facets, size)) < 0.7
        assert_add_up(whole_shares(random.random((facets, size)) * scales * kept, named), named)


@pytest.mark.parametrize("seed", slow_after(1, range(4)))
def test_the_shares_of_every_node_of_a_search_add_up(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def watched(shares: NDArray[np.float64], named: NDArray[np.bool_]) -> NDArray[np.float64]:
        whole = whole_shares(shares, named)
        assert_add_up(whole, named)
        seen.append(len(named))
        return whole

    monkeypatch.setattr("exactdp.workloads.share_search.whole_shares", watched)
    assert searched_by_shares(as_published(20, 5, 1, seed), Clock()).exact
    assert min(seen) < max(seen)  # nodes below the first one too


@pytest.mark.slow
def test_a_search_with_shares_that_do_not_add_up_misses_larger_sets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = [as_published(16, 5, 1, seed) for seed in range(12)]
    most = [searched_by_shares(each, Clock()).upper for each in asked]

    def short(shares: NDArray[np.float64], named: NDArray[np.bool_]) -> NDArray[np.float64]:
        return np.floor(whole_shares(shares, named) / 2)

    monkeypatch.setattr("exactdp.workloads.share_search.whole_shares", short)
    assert [searched_by_shares(each, Clock()).upper for each in asked] != most

"""Kernels and classes that absorb: nothing is left out that a heavier set could have."""

from __future__ import annotations

from itertools import combinations
from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.parallel import as_published
from exactdp.timing.clock import Clock
from exactdp.workloads.absorbing import AbsorbingClasses
from exactdp.workloads.bitsets import members
from exactdp.workloads.cliques import CliqueSearch
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.kernel import kernel
from exactdp.workloads.overlap import maximum_overlap
from exactdp.workloads.weighing import Incumbent, QueryWeights
from exactdp.workloads.workload import Workload
from tests.workloads.workloads import PatientClock, met_sets, workloads


@given(workloads(), st.integers(0, 12), st.integers(0, 10**6))
def test_every_set_heavier_than_what_is_known_is_in_the_kernel(
    small: Workload, known: int, seed: int
) -> None:
    random = Random(seed)  # noqa: S311 (a fixed sample)
    for weights in (None, [random.randint(0, 4) for _ in small]):
        each = weights or [1] * len(small)
        left = set(members(kernel(QueryGraph.of(small), known, Clock(), weights)))
        for met in met_sets(small):
            if sum(each[i] for i in met) > known:
                assert {i for i in met if each[i]} <= left


@given(workloads())
def test_nothing_is_left_where_the_heaviest_set_that_pairs_allow_is_known(small: Workload) -> None:
    graph = QueryGraph.of(small)
    assert not kernel(graph, len(small), Clock())
    assert kernel(graph, -1, Clock()) == graph.live


def test_a_kernel_leaves_out_most_queries_of_which_few_name_few_attributes() -> None:
    graph = QueryGraph.of(as_published(120, 80, 1, 5))
    most = maximum_overlap(graph)
    left = kernel(graph, most.lower - 1, Clock())
    assert most.exact
    assert members_of(most.queries) <= members_of(left)
    assert left.bit_count() < 60


def test_what_was_not_asked_about_in_time_stays_in_the_kernel() -> None:
    graph = QueryGraph.of(as_published(60, 40, 1, 5))
    least = kernel(graph, 8, Clock())
    for times in (0, 1, 5, 20, 60):
        left = kernel(graph, 8, PatientClock(times))
        assert left & least == least
    assert kernel(graph, 8, PatientClock(0)) == graph.live


def members_of(queries: int) -> set[int]:
    return set(members(queries))


def random_conflicts(random: Random, size: int, density: float) -> list[int]:
    """Which queries are disjoint, in both directions."""
    conflicts = [0] * size
    for i, j in combinations(range(size), 2):
        if random.random() < density:
            conflicts[i] |= 1 << j
            conflicts[j] |= 1 << i
    return conflicts


def test_classes_that_absorb_stay_disjoint_in_pairs_and_lose_no_query() -> None:
    random, absorbed = Random(7), 0  # noqa: S311 (a fixed sample)
    for _ in range(300):
        size = random.randint(2, 12)
        conflicts = random_conflicts(random, size, random.random())
        held = list(range(random.randint(1, size)))
        classes = AbsorbingClasses(conflicts, [1 << query for query in held])
        for query in range(len(held), size):
            if classes.absorbs(query):
                held.append(query)
                absorbed += 1
        assert sorted(i for own in classes.classes for i in members(own)) == sorted(held)
        for own in classes.classes:
            assert all(own & ~(1 << i) & ~conflicts[i] == 0 for i in members(own))
    assert absorbed > 100


def test_a_query_takes_the_place_of_one_that_can_go_elsewhere() -> None:
    # 0 and 1 are apart from each other, 2 from 0; 1 alone keeps 2 out of a class
    conflicts = [0b0110, 0b1001, 0b0001, 0b0010]
    classes = AbsorbingClasses(conflicts, [0b0011, 0b1000])
    assert classes.absorbs(2)
    assert classes.classes == [0b0101, 0b1010]
    assert not AbsorbingClasses(conflicts, []).absorbs(2)


@pytest.mark.parametrize("density", [0.2, 0.4, 0.7])
def test_the_clique_search_finds_what_networkx_finds(density: float) -> None:
    random = Random(int(100 * density))  # noqa: S311 (a fixed sample)
    for _ in range(12):
        size = random.randint(20, 34)
        conflicts = random_conflicts(random, size, density)
        network = nx.Graph()
        network.add_nodes_from(range(size))
        network.add_edges_from(
            (i, j) for i, j in combinations(range(size), 2) if not conflicts[i] >> j & 1
        )
        expected = max(map(len, nx.find_cliques(network)))
        everything, best = (1 << size) - 1, Incumbent()
        weights = QueryWeights([1] * size)
        free: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        search = CliqueSearch(free, conflicts, everything, weights, best, Clock())
        for _ in search.steps():
            pass
        assert (best.weight, search.bound) == (expected, expected)
        assert best.queries.bit_count() == expected
        assert not any(best.queries & conflicts[i] for i in members(best.queries))


@given(st.lists(st.integers(1, 20), min_size=1, max_size=12), st.integers(0, 2**12 - 1))
def test_the_weight_of_a_set_is_the_sum_of_the_weights_in_it(weights: list[int], held: int) -> None:
    """Whether there are more distinct weights than binary digits, or fewer."""
    held &= (1 << len(weights)) - 1
    expected = sum(weight for place, weight in enumerate(weights) if held >> place & 1)
    assert QueryWeights(weights).of(held) == expected

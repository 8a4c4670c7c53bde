"""Trees of cases: what they show where no colouring does, certified."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.mechanisms import GaussianMechanism, Mechanism, Parametric
from exactdp.timing.clock import Clock
from exactdp.verifier import Verdict, verify_bytes
from exactdp.workloads.cases import CaseTree, Split, case_tree, depth_of, is_within, joined_classes
from exactdp.workloads.certify import lower_certificate, upper_certificate
from exactdp.workloads.composing import compose_parallel
from exactdp.workloads.cuts import Edge, cut_of, workload_of_cuts
from exactdp.workloads.workload import Workload, met_by
from tests.workloads.workloads import PatientClock, at_random, heaviest, met_sets, workload

TENTH = Mechanism("1/10")
FIVE_CYCLE = [(i, (i + 1) % 5) for i in range(5)]
SPOKES = [(i, i + 5) for i in range(5)]
PETERSEN = [*FIVE_CYCLE, *((5 + i, 5 + (i + 2) % 5) for i in range(5)), *SPOKES]
IN_PAIRS = [{0: [1, 2]}, {0: [0, 2]}, {0: [0, 1]}]


def certified(asked: Workload, claim: str) -> tuple[Verdict, Verdict]:
    """What the verifier says of both ends, the upper one against a claim at δ = 0."""
    answer = compose_parallel(asked, delta="0")
    upper, lower = upper_certificate(answer), lower_certificate(answer)
    assert upper is not None
    assert lower is not None
    return (
        verify_bytes(upper.to_bytes(), claim=(claim, "0")),
        verify_bytes(lower.to_bytes(), claim=(claim, "0")),
    )


@pytest.mark.parametrize(
    ("asked", "classes", "overlap"),
    [
        (workload([3], IN_PAIRS), 3, 2),
        (workload_of_cuts(5, FIVE_CYCLE, TENTH), 5, 4),
        (workload_of_cuts(10, PETERSEN, TENTH), 15, 12),
    ],
    ids=["three ranges in pairs", "five-cycle", "Petersen"],
)
def test_an_overlap_below_every_colouring_is_certified(
    asked: Workload, classes: int, overlap: int
) -> None:
    answer = compose_parallel(asked, delta="0")
    assert len(answer.colouring) == classes
    assert answer.cases is not None
    assert len(answer.classes) == overlap
    assert answer.below.upper == answer.above.upper
    upper, lower = certified(asked, f"{overlap}/10")
    assert (upper.status, upper.rules) == ("accepted", ("cases", "sum"))
    assert lower.status == "rejected"  # it refutes less than the claim, and not the claim
    assert "claim" in lower.reason


@pytest.mark.slow
def test_the_overlap_of_any_small_workload_is_certified_at_both_ends() -> None:
    random = Random(18)  # noqa: S311 (a fixed sample)
    trees = 0
    for _ in range(150):
        asked = at_random(random, most_queries=12)
        most = heaviest(met_sets(asked), [1] * len(asked))
        answer = compose_parallel(asked, delta="0")
        assert answer.above.upper == answer.below.lower
        certificate = upper_certificate(answer)
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes(), claim=(f"{most}/10", "0")).status == "accepted"
        trees += answer.cases is not None
    assert trees > 5


@pytest.mark.slow
def test_unlike_parameters_are_certified_too_where_a_tree_is_found() -> None:
    random = Random(4)  # noqa: S311 (a fixed sample)
    trees = 0
    for _ in range(60):
        asked = at_random(random, most_queries=10, kinds=4)
        answer = compose_parallel(asked, delta="1/10")
        certificate = upper_certificate(answer)
        if certificate is not None:
            assert verify_bytes(certificate.to_bytes()).status == "accepted"
        trees += answer.cases is not None
    assert trees > 0


def test_queries_of_two_notions_are_left_to_the_colouring() -> None:
    noise: list[Parametric] = [Mechanism("1/10"), Mechanism("1/10"), GaussianMechanism(mpq(1, 10))]
    answer = compose_parallel(workload([3], IN_PAIRS, noise), delta="1/10")
    assert answer.cases is None
    assert len(answer.classes) == 3


def test_a_tree_is_a_row_of_nodes_whose_classes_keep_their_positions() -> None:
    tree: CaseTree = (Split(0, 1), ((1,), (2,)), Split(0, 2), ((0, 2), (1,)), ((3,),))
    assert joined_classes(tree) == ((1, 0, 2, 3), (2, 1))
    assert depth_of(tree) == 2


def test_no_tree_is_returned_for_less_than_a_row_meets_or_without_time() -> None:
    asked = workload([3], IN_PAIRS)
    assert case_tree(asked, [1, 1, 1], [1], Clock()) is None
    assert case_tree(asked, [1, 1, 1], [1, 1], PatientClock(0)) is None
    assert case_tree(asked, [1, 1, 1], [1, 1], Clock()) is not None


def maximum_cut(size: int, graph: list[Edge]) -> int:
    """The most edges between a set of vertices and the others, by trying every set."""
    sides = range(1 << size)
    return max(sum((side >> u & 1) != (side >> v & 1) for u, v in graph) for side in sides)


def test_the_row_of_a_maximum_overlap_is_a_maximum_cut() -> None:
    random = Random(9)  # noqa: S311 (a fixed sample)
    for _ in range(20):
        size = random.randint(2, 7)
        graph = [pair for pair in combinations(range(size), 2) if random.random() < 0.5]
        cuts = workload_of_cuts(size, graph, TENTH)
        answer = compose_parallel(cuts, delta="0")
        side = cut_of(answer.row)
        separated = [edge for edge in graph if len(side & set(edge)) == 1]
        assert len(separated) == len(met_by(cuts, answer.row)) == maximum_cut(size, graph)


@given(st.lists(st.integers(0, 3), max_size=4), st.lists(st.integers(0, 3), max_size=4))
def test_weights_are_within_an_aim_where_each_has_one_of_its_own(
    weights: list[int], aim: list[int]
) -> None:
    possible = any(
        all(weight <= most for weight, most in zip(weights, chosen, strict=True))
        for chosen in permutations(aim, len(weights))
    )
    assert is_within(sorted(weights)[::-1], sorted(aim)[::-1]) == possible

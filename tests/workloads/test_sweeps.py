"""Sweeps along single attributes, beside what every row meets, and the clock of large workloads."""

from __future__ import annotations

from random import Random

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.errors import InternalError
from exactdp.mechanisms import ConcentratedMechanism, Mechanism
from exactdp.timing.clock import Clock
from exactdp.workloads import sweeps
from exactdp.workloads.bitsets import members
from exactdp.workloads.composing import compose_parallel, overlap_of
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.sweeps import swept_classes, swept_row
from exactdp.workloads.workload import Attribute, Query, Workload
from tests.workloads.workloads import PatientClock, heaviest, met_sets, workload, workloads

OVER = 0


def ranges(number: int, *, attributes: int = 1, seed: int = 1) -> Workload:
    """Random ranges of one attribute or several, of a thousand values each."""
    random = Random(seed)  # noqa: S311 (a fixed sample)
    queries = []
    for _ in range(number):
        named = random.sample(range(attributes), random.randint(1, attributes))
        ends = {a: sorted(random.sample(range(1001), 2)) for a in named}
        where = {a: Coverage.of([(low, high)]) for a, (low, high) in ends.items()}
        queries.append(Query(Mechanism("1/10"), where))
    domain = tuple(Attribute(f"a{a}", 1000) for a in range(attributes))
    return Workload(domain, tuple(queries))


@given(workloads(), st.integers(0, 9))
def test_a_swept_row_meets_its_queries_and_no_row_exceeds_the_bound(
    small: Workload, asked: int
) -> None:
    weights = [1 + i % 3 for i in range(len(small))]
    swept = swept_row(small, weights, PatientClock(asked))
    met = [i for i, query in enumerate(small) if query.admits(swept.row)]
    assert list(members(swept.queries)) == met
    assert swept.weight == sum(weights[i] for i in met)
    assert swept.weight <= heaviest(met_sets(small), weights) <= swept.bound


@given(workloads(), st.integers(1, 3))
def test_swept_classes_hold_every_live_query_once_disjoint_and_of_one_group(
    small: Workload, kinds: int
) -> None:
    groups = [i % kinds for i in range(len(small))]
    weights = [i % 2 for i in range(len(small))]
    live = [i for i, query in enumerate(small) if not query.is_contradiction]
    for classes in swept_classes(small, weights, groups, Clock()):
        assert sorted(i for each in classes for i in each) == live
        for each in classes:
            assert len({groups[i] for i in each}) == 1
            queries = [small.queries[i] for i in each]
            assert all(a.disjoint(b) for n, a in enumerate(queries) for b in queries[:n])


def test_ranges_of_one_attribute_are_settled_by_sweeps() -> None:
    many = ranges(sweeps.MOST_UNSWEPT + 1)
    found = overlap_of(many, clock=Clock(OVER))
    assert found.is_settled
    assert found.most.exact
    assert found.clique == found.most
    answer = compose_parallel(many, delta=0, clock=Clock(OVER))
    assert answer.optimum == (mpq(found.most.upper, 10), mpq(found.most.upper, 10))


def test_when_time_is_up_at_once_ranges_of_several_attributes_are_enclosed_by_sweeps() -> None:
    many = ranges(sweeps.MOST_UNSWEPT + 1, attributes=3)
    found = overlap_of(many, clock=Clock(OVER))
    assert 0 < found.most.lower <= found.most.upper <= len(found.colouring) < len(many) / 2


@pytest.mark.slow
@pytest.mark.parametrize("searched", [0, 20_000])
@given(small=workloads(kinds=4), asked=st.integers(0, 400))
def test_whenever_time_is_up_a_swept_workload_is_enclosed(
    searched: int, small: Workload, asked: int
) -> None:
    most = heaviest(met_sets(small), [1] * len(small))
    with pytest.MonkeyPatch.context() as patch:
        for module in ("composing", "cheapest", "overlap"):
            patch.setattr(f"exactdp.workloads.{module}.MOST_UNSWEPT", 0)
        for module in ("composing", "cheapest", "overlap", "costliest", "shares", "pairs"):
            patch.setattr(f"exactdp.workloads.{module}.MOST_SEARCHED", searched)
        found = overlap_of(small, clock=PatientClock(asked))
        assert found.most.lower <= most <= found.most.upper
        answer = compose_parallel(small, delta="1/9", clock=PatientClock(asked))
    exact = compose_parallel(small, delta="1/9", time_limit=None)
    if exact.above.upper_end is not None:  # else no ε is enough at this δ
        assert answer.optimum[0] is not None
        assert answer.optimum[0] <= exact.above.upper_end
    if exact.optimum[0] is not None and answer.optimum[1] is not None:
        assert exact.optimum[0] <= answer.optimum[1]


def test_queries_of_two_notions_share_no_swept_class() -> None:
    two = workload(
        [4],
        [{0: [0]}, {0: [1]}, {0: [2]}],
        [Mechanism("1"), ConcentratedMechanism("1"), Mechanism("1")],
    )
    with pytest.MonkeyPatch.context() as patch:
        for module in ("composing", "cheapest"):
            patch.setattr(f"exactdp.workloads.{module}.MOST_UNSWEPT", 0)
        assert set(compose_parallel(two, delta="1e-6").colouring) == {(0, 2), (1,)}


def test_a_class_that_is_not_disjoint_does_not_leave() -> None:
    with pytest.raises(InternalError, match="ranges disjoint in pairs"):
        sweeps._checked([(0, 2, 0), (1, 3, 1)])

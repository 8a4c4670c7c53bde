"""Section 7.1's generator, drawn where it is looked at: the sets are the whole sets."""

from __future__ import annotations

import numpy as np
import pytest

from bench.published import LIMIT, TENTH, DrawnQueries, GrowingWorkload
from exactdp.parallel.coverage import Coverage
from exactdp.parallel.graph import QueryGraph
from exactdp.parallel.overlap import maximum_overlap
from exactdp.parallel.workload import Attribute, Query, Workload


def written_down(drawn: DrawnQueries) -> Workload:
    """The same queries, with every predicate."""
    t = len(drawn.names)
    wheres: list[dict[int, Coverage]] = [{} for _ in range(t)]
    for attribute in range(len(drawn.exponents)):
        for query, coverage in drawn.predicates(attribute, range(t)):
            wheres[query][attribute] = coverage
    sizes = [10**exponent for exponent in drawn.exponents]
    attributes = tuple(Attribute(f"a{i}", size) for i, size in enumerate(sizes))
    return Workload(attributes, tuple(Query(TENTH, where) for where in wheres))


@pytest.mark.parametrize("number", range(6))
def test_what_is_solved_without_looking_everywhere_is_the_overlap_of_the_whole(number: int) -> None:
    drawn = DrawnQueries(16, 5, 3, number)
    found = GrowingWorkload(drawn, LIMIT).solve()
    most = maximum_overlap(QueryGraph.of(written_down(drawn)))
    assert found["lower"] == found["upper"] == most.lower == most.upper


def test_predicates_are_those_of_the_generator() -> None:
    drawn = DrawnQueries(300, 3, 2, 1)
    whole = written_down(drawn)
    for attribute, size in enumerate(10**exponent for exponent in drawn.exponents):
        named = [q.where[attribute].count for q in whole if attribute in q.where]
        assert set(named) <= set(range(1, size + 1))
        assert abs(np.mean(named) - (size + 1) / 2) < size / 10
        assert len(named) == drawn.names[:, attribute].sum()


def test_a_value_in_common_is_found_wherever_there_is_one() -> None:
    drawn = DrawnQueries(8, 6, 3, 2)
    whole = written_down(drawn)
    for attribute, exponent in enumerate(drawn.exponents):
        for pair in ((0, 1, 2), (3, 4), (5, 6, 7), range(8)):
            named = [whole.queries[i].where.get(attribute) for i in pair]
            common = Coverage.of([(0, 10**exponent)])
            for coverage in named:
                common = common if coverage is None else common.meet(coverage)
            if exponent > 1:
                assert drawn.has_common(attribute, pair) != common.is_empty


@pytest.mark.parametrize("number", range(2))
def test_queries_left_out_on_the_way_change_no_answer(number: int) -> None:
    drawn = DrawnQueries(60, 120, 2, number)
    growing = GrowingWorkload(drawn, LIMIT)
    found = growing.solve()
    most = maximum_overlap(QueryGraph.of(written_down(drawn)))
    assert most.exact
    assert (found["lower"], found["upper"]) == (most.lower, most.lower)

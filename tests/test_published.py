"""Section 7.1's generator, drawn where it is looked at: the sets are the whole sets."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from bench.published import LIMIT, TENTH, DrawnCells, DrawnQueries, GrowingWorkload
from exactdp.timing.clock import Clock
from exactdp.workloads.bitsets import bitset
from exactdp.workloads.cells import maximal_cells
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import maximum_overlap
from exactdp.workloads.workload import Attribute, Query, Workload


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


@pytest.mark.slow
@pytest.mark.parametrize("greatest", [3, 4])
@pytest.mark.parametrize("number", range(6))
def test_what_is_solved_without_looking_everywhere_is_the_overlap_of_the_whole(
    number: int, greatest: int
) -> None:
    drawn = DrawnQueries(16, 5, greatest, number)
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


@pytest.mark.parametrize("named", [range(3, 9), range(80)])
def test_values_that_matter_are_those_of_the_cells_that_no_other_contains(named: range) -> None:
    drawn = DrawnQueries(80, 2, 3, 4)
    queries = [i for i in named if drawn.names[i, 0]]
    written = dict(drawn.predicates(0, queries))
    cells = maximal_cells([written[i] for i in queries])
    found = drawn.cells(0, named).predicates(len(cells), Clock())
    assert found is not None
    size, matter = found
    admitting = {bitset(k for k, i in enumerate(queries) if v in matter[i]) for v in range(size)}
    assert admitting == {cell for _, cell in cells}
    assert size == len(cells)
    assert drawn.cells(0, named).predicates(len(cells) - 1, Clock()) is None
    assert drawn.cells(0, named).predicates(len(cells), Clock(0)) is None


def test_an_attribute_that_no_query_names_keeps_nothing_apart() -> None:
    assert DrawnQueries(4, 1, 4, 0).cells(0, []).predicates(1, Clock()) == (1, {})


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
def test_queries_left_out_on_the_way_change_no_answer(number: int) -> None:
    drawn = DrawnQueries(60, 120, 2, number)
    growing = GrowingWorkload(drawn, LIMIT)
    found = growing.solve()
    most = maximum_overlap(QueryGraph.of(written_down(drawn)))
    assert most.exact
    assert (found["lower"], found["upper"]) == (most.lower, most.lower)


def test_values_that_matter_are_kept_without_those_they_were_found_among() -> None:
    number = 2000
    bits = np.random.default_rng(1).random((number, 64)).argsort(1) < 32  # none within another
    values = np.packbits(bits, 1, "little").view(np.uint64)
    cells = DrawnCells(list(range(64)), values)
    tracemalloc.start()
    found = cells.predicates(number, Clock())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found is not None
    assert found[0] == number
    assert most < 10**7  # what was left each time would be 1.6·10^7

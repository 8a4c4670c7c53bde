"""The sets of coverages that one value is in, and the clock that the sweep over them asks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.timing.clock import Clock, TimeIsUpError
from exactdp.workloads.cells import maximal_cells
from exactdp.workloads.coverage import Coverage

ranges = st.tuples(st.integers(0, 9), st.integers(1, 5)).map(lambda pair: (pair[0], sum(pair)))
some_coverages = st.lists(
    st.lists(ranges, min_size=1, max_size=3).map(Coverage.of), min_size=1, max_size=6, unique=True
)


def _coverages_of_a_line(values: int) -> list[Coverage]:
    """All sets of some values in a row but the empty one."""
    chosen = ([v for v in range(values) if at >> v & 1] for at in range(1, 1 << values))
    return [Coverage.of([(v, v + 1) for v in each]) for each in chosen]


def test_of_any_few_coverages_of_a_short_line_cells_are_the_largest_sets() -> None:
    for number in (1, 2, 3):
        for coverages in combinations(_coverages_of_a_line(4), number):
            assert_largest(coverages)


@given(some_coverages)
def test_cells_are_the_largest_sets_that_some_value_is_in(coverages: list[Coverage]) -> None:
    assert_largest(coverages)


def assert_largest(coverages: Sequence[Coverage]) -> None:
    held = {
        sum(
            1 << k
            for k, coverage in enumerate(coverages)
            if any(low <= value < high for low, high in coverage.ranges)
        )
        for value in range(15)
    }
    largest = {one for one in held if not any(one != other and not one & ~other for other in held)}
    assert {cell for _, cell in maximal_cells([*coverages])} == largest


def test_a_sweep_ends_where_the_time_is_up() -> None:
    with pytest.raises(TimeIsUpError, match=r"^$"):
        maximal_cells([Coverage.of([(0, 5)]), Coverage.of([(3, 9)])], Clock(0))

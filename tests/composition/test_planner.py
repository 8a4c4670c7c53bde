"""What the planner predicts, and what it refuses before any work."""

from __future__ import annotations

import pytest

import exactdp
from exactdp.composition.grid import common_grid
from exactdp.composition.planner import MOST_MEMORY, grid_cost, grid_memory, plan
from exactdp.composition.problem import Problem
from exactdp.errors import CostLimitError

WIDE = [("0.12345678901", 0, 7), ("0.5", 0, 1), ("0.3333333333", 0, 1)]
NO_LIMIT = 10**30


def test_a_grid_that_would_fill_the_memory_is_refused_however_much_time_there_is() -> None:
    with pytest.raises(CostLimitError, match="predicted memory of at most"):
        exactdp.compose(WIDE, delta="1e-9", method="grid", max_cost=NO_LIMIT)


def test_a_bracket_that_would_fill_the_memory_is_refused() -> None:
    with pytest.raises(CostLimitError, match="predicted memory"):
        exactdp.compose(WIDE, delta="1e-9", method="bracket", tolerance="1e-30", max_cost=NO_LIMIT)


def test_the_planner_passes_over_what_would_fill_the_memory() -> None:
    problem = Problem.of(exactdp.Ledger.of([*WIDE, *((f"0.{i}7", 0, 1) for i in range(100, 130))]))
    grid = common_grid(problem.groups)
    assert grid is not None
    assert grid_memory(grid, 128) > MOST_MEMORY
    assert plan(problem, method=None, max_cost=NO_LIMIT).method == "bracket"


@pytest.mark.parametrize("bits", [64, 128, 512])
def test_predictions_grow_with_the_cells(bits: int) -> None:
    coarse, fine = (
        common_grid(Problem.of(exactdp.Ledger.of([(f"1/{n}", 0, 5), ("2", 0, 9)])).groups)
        for n in (10, 1000)
    )
    assert coarse is not None
    assert fine is not None
    assert grid_cost(coarse, bits) < grid_cost(fine, bits)
    assert grid_memory(coarse, bits) < grid_memory(fine, bits)

"""What the planner predicts, and what it refuses before any work."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

import exactdp
from exactdp.composition.engines.grid import common_grid
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
    grid = common_grid(problem.epsilons)
    assert grid is not None
    assert grid_memory(grid, 128) > MOST_MEMORY
    assert plan(problem, method=None, max_cost=NO_LIMIT).method == "bracket"


@pytest.mark.parametrize("bits", [64, 128, 512])
def test_predictions_grow_with_the_cells(bits: int) -> None:
    coarse, fine = (
        common_grid(Problem.of(exactdp.Ledger.of([(f"1/{n}", 0, 5), ("2", 0, 9)])).epsilons)
        for n in (10, 1000)
    )
    assert coarse is not None
    assert fine is not None
    assert grid_cost(coarse, bits) < grid_cost(fine, bits)
    assert grid_memory(coarse, bits) < grid_memory(fine, bits)


def test_few_digits_on_a_fine_grid_come_from_a_bracket_and_many_from_the_grid() -> None:
    fine = [(f"{200_001 + 74 * i}/1000000", 0, 1) for i in range(100)]
    problem = Problem.of(exactdp.Ledger.of(fine))
    chosen = {n: plan(problem, method=None, tolerance=mpq(1, 10**n)).method for n in (3, 30)}
    assert chosen == {3: "fourier", 30: "grid"}
    assert plan(problem, method=None).method == "grid"


@pytest.mark.slow
def test_the_choice_by_tolerance_changes_the_width_alone() -> None:
    fine = [(f"{2003 + 2 * i}/10000", 0, 1) for i in range(40)]
    coarse = exactdp.compose(fine, delta="1e-5", tolerance="1e-3", method="bracket")
    exact = exactdp.compose(fine, delta="1e-5", tolerance="1e-12", method="grid")
    ends = (coarse.lower, exact.lower, exact.upper, coarse.upper)
    assert [end for end in ends if end is not None] == sorted(end for end in ends if end)

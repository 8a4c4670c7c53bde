r"""The planner: one place decides by which method a composition is solved, from predicted cost.

Rules of this file: costs are predicted before any work. No result depends on the choice beyond
its width.

Theory of operation: rational odds come first where they fit within the limit, as only they have
exact answers and decide ties; then the cheaper of grid and lattice; the bracket fits every ledger
and is the last resort, because its cost grows with the digits asked for. A unit of cost is about
a nanosecond of one core.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Final

from exactdp.certificate.cost import odds_size
from exactdp.composition.engines import (
    TYPICAL_BITS,
    BracketEngine,
    DistributionEngine,
    Engine,
    Method,
    RationalOddsEngine,
)
from exactdp.composition.grid import Grid, common_grid
from exactdp.composition.grid import loss_distribution as grid_distribution
from exactdp.composition.lattice import Lattice
from exactdp.composition.lattice import loss_distribution as lattice_distribution
from exactdp.composition.problem import Problem
from exactdp.composition.rational_odds import rational_groups
from exactdp.errors import InputError

DEFAULT_MAX_COST: Final = 2 * 10**11
_MOST_SUMS: Final = 200_000
_MOST_EXACT_BITS: Final = 2**18
_MOST_EXACT_COST: Final = 10**11
_CHEAP: Final = 10**7

_Candidate = tuple[int, Callable[[], Engine]]


def predicted_costs(problem: Problem) -> dict[Method, int | None]:
    """What each engine would cost at a typical precision; None where it does not fit.

    A bracket's is that of its first, coarse look.

    Args:
        problem: with at least one ε > 0.
    """
    candidates = {name: candidate(problem) for name, candidate in _CANDIDATES.items()}
    return {name: None if each is None else each[0] for name, each in candidates.items()}


def plan(problem: Problem, *, method: Method | None, max_cost: int = DEFAULT_MAX_COST) -> Engine:
    """The best engine within the limit, or the one that ``method`` names.

    Args:
        problem: with at least one ε > 0.
        method: force this engine; None leaves the choice to predicted cost.
        max_cost: the limit.

    Raises:
        InputError: ``method`` cannot solve this problem.
    """
    if method is not None:
        candidate = _CANDIDATES[method](problem)
        if candidate is None:
            raise InputError(
                field="method",
                value=method,
                expected="a method that fits the ledger",
                remedy="rational-odds needs every e^ε rational (and few digits), grid a common "
                "unit; bracket fits every ledger",
                code="method-does-not-fit",
            )
        return candidate[1]()
    ranks: tuple[tuple[Method, ...], ...] = (("rational-odds",), ("grid", "lattice"))
    for names in ranks:
        affordable: list[_Candidate] = []
        for name in names:
            candidate = _CANDIDATES[name](problem)
            if candidate is not None and candidate[0] <= max_cost:
                affordable.append(candidate)
                if candidate[0] <= _CHEAP:
                    break
        if affordable:
            return min(affordable, key=lambda candidate: candidate[0])[1]()
    return _bracket(problem)[1]()


def _rational_odds(problem: Problem) -> _Candidate | None:
    odds = rational_groups(problem.groups)
    if odds is None or problem.no_failure is None:
        return None
    bits = odds_size(problem.groups)
    cost = Lattice.of(problem.groups).most_sums * (len(odds) + 1) * (500 + bits // 8)
    if bits > _MOST_EXACT_BITS or cost > _MOST_EXACT_COST:
        return None
    return cost, lambda: RationalOddsEngine(cost, odds)


def _grid(problem: Problem) -> _Candidate | None:
    grid = common_grid(problem.groups)
    if grid is None:
        return None
    slots = grid_slots(grid, TYPICAL_BITS)
    return grid_cost(slots, TYPICAL_BITS), lambda: DistributionEngine(
        "grid",
        problem.total_epsilon,
        slots * max(count for _, count in grid.groups),
        lambda bits: grid_cost(grid_slots(grid, bits), bits),
        lambda bits: grid_distribution(grid, bits),
    )


def grid_slots(grid: Grid, bits: int) -> int:
    """About how many weights all the products of a grid hold."""
    longest = max(count for _, count in grid.groups).bit_length()
    linear = sum(a for a, _ in grid.groups) * len(grid.groups).bit_length()
    variance = sum(a * a * count for a, count in grid.groups)
    final = min(grid.span, 3 * isqrt(variance * bits) + 64)
    return longest * linear * (len(grid.groups) > 1) + 3 * final


def grid_cost(slots: int, bits: int) -> int:
    """The predicted cost of a grid whose products hold so many weights of ``bits`` digits."""
    return slots * (200 + 4 * bits)


def _lattice(problem: Problem) -> _Candidate | None:
    lattice = Lattice.of(problem.groups)
    sums = lattice.most_sums
    if sums > _MOST_SUMS:
        return None
    return lattice_cost(lattice, TYPICAL_BITS), lambda: DistributionEngine(
        "lattice",
        problem.total_epsilon,
        sums * len(lattice.groups),
        lambda bits: lattice_cost(lattice, bits),
        lambda bits: lattice_distribution(lattice, bits),
    )


def lattice_cost(lattice: Lattice, bits: int) -> int:
    """The predicted cost of a lattice at ``bits`` binary digits."""
    return lattice.most_sums * (len(lattice.groups) + 8) * (1000 + bits)


def _bracket(problem: Problem) -> _Candidate:
    engine = BracketEngine(problem.groups, problem.total_epsilon)
    return engine.cost(engine.first_effort(TYPICAL_BITS)), lambda: engine


_CANDIDATES: Final[dict[Method, Callable[[Problem], _Candidate | None]]] = {
    "rational-odds": _rational_odds,
    "grid": _grid,
    "lattice": _lattice,
    "bracket": _bracket,
}

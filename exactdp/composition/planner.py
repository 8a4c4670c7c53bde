r"""The planner: one place decides how a composition is solved, from what it is and predicted cost.

Rules of this file: costs are predicted before any work. No result depends on the choice beyond
its width.

Theory of operation: atoms of rational odds come first where they fit within the limit, as only they
have exact answers and decide ties; then the cheaper of a grid and few sums, by atoms as well. The
two brackets fit every ledger, but their cost grows with the digits asked for: the cheaper of them
is chosen where these are few and the others take long, and where nothing else fits. A unit of cost
is about a nanosecond of one core. Tables are for exact atoms alone: nothing else knows them.

A ledger that (ε, δ) does not describe is answered by conversions where it has ρ or μ alone, and
else by its noise. Beside Gaussian noise, combinations of answers are listed where they are few; and
where all noise has a characteristic function in closed form, a mesh is taken where it costs less.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.certificate.prediction import odds_size
from exactdp.composition.engines.atoms.exact import (
    counted_odds,
    exact_atoms,
    most_sums,
    table_size,
)
from exactdp.composition.engines.atoms.lattice import Lattice
from exactdp.composition.engines.atoms.lattice import loss_distribution as lattice_distribution
from exactdp.composition.engines.engine import (
    TYPICAL_BITS,
    BracketEngine,
    DistributionEngine,
    Engine,
    ExactEngine,
    Method,
    weight_size,
)
from exactdp.composition.engines.fourier.fourier import FourierEngine
from exactdp.composition.engines.grid import Grid, common_grid
from exactdp.composition.engines.grid import loss_distribution as grid_distribution
from exactdp.composition.engines.loss_distribution import LossDistribution
from exactdp.composition.problem import Problem
from exactdp.errors import InputError, InternalError
from exactdp.timing.deadlines import ask

DEFAULT_MAX_COST: Final = 2 * 10**11
MOST_MEMORY: Final = 2**32
_MOST_SUMS: Final = 200_000
_MOST_EXACT_BITS: Final = 2**18
_MOST_EXACT_COST: Final = 10**11
_MOST_COST_OF_TABLES: Final = 10**10  # beyond it a mesh is as near as anybody asks
_CHEAP: Final = 10**7
_DEAR: Final = 10**9
_ALL_EFFORTS: Final = 2
_PROVED_RATHER_THAN_CHEAP: Final = 10**8
_CHEAP_NOISE: Final = 10**8
_OF_A_CURVE: Final = 2 * 10**6
_MOST_PAIRED: Final = 10**6


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An engine that could be built, its predicted cost, and its predicted memory in bytes."""

    cost: int
    memory: int
    build: Callable[[], Engine]


@dataclass(frozen=True, slots=True)
class _Aim:
    """What will be asked: to which width, at which Δ, if known; and whether by all brackets."""

    tolerance: mpq | None
    allowed: arb | None
    without_fourier: bool


def lists_combinations(cost: int | None, by_fourier: int) -> bool:
    """Whether Gaussian noise among responses is mixed answer by answer, or cell by cell.

    That has machine-checked lemmas, and is taken rather than a characteristic function where it
    costs little, or less; None stands for a gap that it would leave.
    """
    return cost is not None and cost <= max(_PROVED_RATHER_THAN_CHEAP, by_fourier)


def prefers_fourier(
    problem: Problem, by_fourier: Callable[[], int | None], by_mesh: Callable[[], int | None]
) -> bool:
    """Whether noise is composed by its characteristic function rather than on a mesh.

    What a mesh takes is predicted where the values of the profiles alone do not cost more on any
    mesh, and what a characteristic function takes where a mesh is not cheap; None stands for one
    that is refused.
    """
    values = _OF_A_CURVE * sum(each.is_continuous for each in problem.noise or ())
    mesh = by_mesh() if values <= _CHEAP_NOISE else None
    if mesh is not None and mesh <= _CHEAP_NOISE:
        return False
    cost = by_fourier()
    if cost is None:
        return False
    if values > max(_CHEAP_NOISE, cost):
        return True
    predicted = mesh if values <= _CHEAP_NOISE else by_mesh()
    return predicted is None or predicted > max(_CHEAP_NOISE, cost)


def converts_apart(problem: Problem) -> bool:
    """Whether ρ may do better as one (ε', δ')-DP mechanism beside the others."""
    beside = problem.epsilons or problem.square
    few = problem.mechanisms <= _MOST_PAIRED
    return bool(problem.rho and beside) and few


def predicted_costs(problem: Problem) -> dict[Method, int | None]:
    """What each engine would cost at a typical precision; None where it does not fit.

    A bracket's is that of its first, coarse look.

    Args:
        problem: with at least one ε > 0.
    """
    candidates = {name: candidate(problem) for name, candidate in _CANDIDATES.items()}
    return {name: None if each is None else each.cost for name, each in candidates.items()}


def plan(
    problem: Problem,
    *,
    method: Method | None,
    max_cost: int = DEFAULT_MAX_COST,
    tolerance: mpq | None = None,
    allowed: arb | None = None,
    without_fourier: bool = False,
) -> Engine:
    """The best engine within the limit, or the one that ``method`` names.

    Args:
        problem: with at least one ε > 0.
        method: force this engine; None leaves the choice to predicted cost.
        max_cost: the limit; that of memory is ``MOST_MEMORY`` bytes.
        tolerance: the width in nats that will be asked for; None if unknown.
        allowed: Δ, if it is known.
        without_fourier: whether the Fourier bracket is known not to fit.

    Raises:
        InputError: ``method`` cannot solve this problem.
    """
    aim = _Aim(tolerance, allowed, without_fourier)
    if problem.tables:
        return _of_tables(problem)
    if method == "fourier" or problem.is_smooth:
        return _fourier_engine(problem, aim)
    if method is not None:
        candidate = _CANDIDATES[method](problem)
        if candidate is None:
            raise InputError(
                field="method",
                value=method,
                expected="a method that fits the ledger",
                remedy="atoms needs every e^ε rational (and few digits) or few sums, grid a common "
                "unit; bracket fits every ledger",
                code="method-does-not-fit",
            )
        return candidate.build()
    ranks = ((_exact_atoms,), (_grid, _rounded_atoms))
    for choices in ranks:
        affordable: list[_Candidate] = []
        for choose in choices:
            ask()
            candidate = choose(problem)
            if candidate is None or candidate.cost > max_cost or candidate.memory > MOST_MEMORY:
                continue
            affordable.append(candidate)
            if candidate.cost <= _CHEAP:
                break
        if affordable:
            best = min(affordable, key=lambda candidate: candidate.cost)
            cheaper = _cheaper_bracket(problem, best.cost, aim)
            return best.build() if cheaper is None else cheaper
    return _best_bracket(problem, aim)[1]


def _of_tables(problem: Problem) -> Engine:
    candidate = _exact_atoms(problem)
    if candidate is None:
        raise InternalError(field="tables", value=str(problem.mechanisms), expected="rational odds")
    return candidate.build()


def _fourier_engine(problem: Problem, aim: _Aim) -> FourierEngine:
    noise = problem.noise or ()
    return FourierEngine(problem.groups, aim.tolerance, aim.allowed, problem.square, noise)


def _cheaper_bracket(problem: Problem, cost: int, aim: _Aim) -> Engine | None:
    """A bracket, if meeting a tolerance costs less by it than ``cost``, which is not small."""
    if aim.tolerance is None or cost <= _DEAR:
        return None
    least, engine = _best_bracket(problem, aim)
    return engine if _ALL_EFFORTS * least < cost else None


def _best_bracket(problem: Problem, aim: _Aim) -> tuple[int, Engine]:
    """The cheaper of the two brackets that fit every ledger, and what it costs."""
    bracket = BracketEngine(problem.groups, problem.total_epsilon)
    effort = bracket.first_effort(TYPICAL_BITS)
    if aim.tolerance is not None:
        effort = bracket.last_effort(TYPICAL_BITS, aim.tolerance)
    cost = bracket.cost(effort)
    if aim.without_fourier or cost <= _CHEAP:
        return cost, bracket
    fourier = _fourier_engine(problem, aim)
    first = fourier.first_effort(TYPICAL_BITS)
    if fourier.memory(first) > MOST_MEMORY or cost <= fourier.cost(first):
        return cost, bracket
    return fourier.cost(first), fourier


def _atoms(problem: Problem) -> _Candidate | None:
    return _exact_atoms(problem) or _rounded_atoms(problem)


def has_exact_atoms(problem: Problem, max_cost: int) -> bool:
    """Whether all privacy losses can be listed exactly, with their masses, within the limit."""
    candidate = _exact_atoms(problem)
    return candidate is not None and candidate.cost <= max_cost


def _exact_atoms(problem: Problem) -> _Candidate | None:
    odds, tables = counted_odds(problem.epsilons), problem.tables
    if odds is None or problem.no_failure is None:
        return None
    bits = odds_size(problem.epsilons) + table_size(tables)
    each = (len(odds) + 1) * (500 + bits // 8)
    if Lattice.has_more_sums(problem.epsilons, _MOST_EXACT_COST // each):
        return None
    sums = Lattice.of(problem.epsilons).most_sums if problem.epsilons else 1
    if tables:
        each += sum(count * len(rows) for rows, count in tables) * (2000 + bits)
        sums *= most_sums(tables, _MOST_EXACT_COST)
    cost = sums * each
    most = _MOST_COST_OF_TABLES if tables else _MOST_EXACT_COST
    memory = sums * (400 + bits // 2)
    if bits > _MOST_EXACT_BITS or cost > most or memory > MOST_MEMORY:
        return None
    return _Candidate(cost, memory, lambda: ExactEngine(cost, memory, exact_atoms(odds, tables)))


def _grid(problem: Problem) -> _Candidate | None:
    grid = common_grid(problem.epsilons)
    if grid is None:
        return None
    return _candidate(
        "grid",
        problem,
        grid_cells(grid, TYPICAL_BITS) * max(count for _, count in grid.multiples),
        lambda bits: grid_cost(grid, bits),
        lambda bits: grid_memory(grid, bits),
        lambda bits: grid_distribution(grid, bits),
    )


def grid_cells(grid: Grid, bits: int) -> int:
    """About how many coefficients of a grid's product matter."""
    variance = sum(a * a * count for a, count in grid.multiples)
    return min(grid.span, 3 * isqrt(variance * bits) + 64)


def grid_cost(grid: Grid, bits: int) -> int:
    """The predicted cost of a grid at ``bits`` binary digits, from the length of all products."""
    slots = 3 * grid_cells(grid, bits)
    if len(grid.multiples) > 1:
        longest = max(count for _, count in grid.multiples).bit_length()
        slots += longest * sum(a for a, _ in grid.multiples) * len(grid.multiples).bit_length()
    return slots * (40 + grid.mechanisms // 2 if grid.counts_fit(bits) else 200 + 4 * bits)


def grid_memory(grid: Grid, bits: int) -> int:
    """The predicted memory of a grid at ``bits`` binary digits, in bytes."""
    size = 64 + grid.mechanisms // 2 if grid.counts_fit(bits) else weight_size(bits)
    return grid_cells(grid, bits) * size


def _rounded_atoms(problem: Problem) -> _Candidate | None:
    if Lattice.has_more_sums(problem.epsilons, _MOST_SUMS):
        return None
    lattice = Lattice.of(problem.epsilons)
    sums = lattice.most_sums
    if sums > _MOST_SUMS:
        return None
    return _candidate(
        "atoms",
        problem,
        sums * len(lattice.blocks),
        lambda bits: sums * (len(lattice.blocks) + 8) * (1000 + bits),
        lambda bits: sums * (600 + weight_size(bits)),
        lambda bits: lattice_distribution(lattice, bits),
    )


def _candidate(
    method: Method,
    problem: Problem,
    roundings: int,
    cost: Callable[[int], int],
    memory: Callable[[int], int],
    build: Callable[[int], LossDistribution],
) -> _Candidate:
    return _Candidate(
        cost(TYPICAL_BITS),
        memory(TYPICAL_BITS),
        lambda: DistributionEngine(method, problem.total_epsilon, roundings, cost, memory, build),
    )


def _bracket(problem: Problem) -> _Candidate:
    engine = BracketEngine(problem.groups, problem.total_epsilon)
    first = engine.first_effort(TYPICAL_BITS)
    return _Candidate(engine.cost(first), engine.memory(first), lambda: engine)


def _fourier(problem: Problem) -> _Candidate:
    engine = _fourier_engine(problem, _Aim(None, None, without_fourier=False))
    first = engine.first_effort(TYPICAL_BITS)
    return _Candidate(engine.cost(first), engine.memory(first), lambda: engine)


_CANDIDATES: Final[dict[Method, Callable[[Problem], _Candidate | None]]] = {
    "atoms": _atoms,
    "grid": _grid,
    "bracket": _bracket,
    "fourier": _fourier,
}

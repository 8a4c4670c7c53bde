r"""The planner: one place decides by which method a composition is solved, from predicted cost.

Rules of this file: costs are predicted before any work; what exceeds the limit is refused with
the figure. No result depends on the choice beyond its width.

Theory of operation: three engines know the same function D. ``rational-odds`` needs every odds
ratio rational and gives exact answers; ``grid`` needs a common unit; ``lattice`` needs few
distinct subset sums. A unit of cost is about a nanosecond of one core.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Final, Literal, Protocol

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.grid import Grid, common_grid
from exactdp.composition.grid import loss_distribution as grid_distribution
from exactdp.composition.lattice import Lattice
from exactdp.composition.lattice import loss_distribution as lattice_distribution
from exactdp.composition.loss_distribution import LossDistribution
from exactdp.composition.problem import Budget, Problem, ball_of_odds
from exactdp.composition.rational_odds import RationalOdds, rational_groups
from exactdp.errors import CostLimitError, InputError

Method = Literal["rational-odds", "grid", "lattice"]
METHODS: Final[tuple[Method, ...]] = ("rational-odds", "grid", "lattice")

DEFAULT_MAX_COST: Final = 2 * 10**11
TYPICAL_BITS: Final = 128
_MOST_SUMS: Final = 200_000
_MOST_EXACT_BITS: Final = 2**22


class Engine(Protocol):
    """A method that knows the divergence D of one composition.

    Attributes:
        method: its name.
        cost: its predicted cost at a typical precision, in units of about a nanosecond.
    """

    method: Method
    cost: int

    def least_odds(self, budget: arb, bits: int) -> tuple[mpq, mpq] | None:
        """Rationals low <= e^OptComp <= high for Δ > 0, or None if ``bits`` are too few."""

    def divergence(self, epsilon: ExactNumber, bits: int) -> tuple[mpq, mpq]:
        """Rationals low <= D(e^ε) <= high."""

    def exact_least_odds(self, budget: Budget) -> mpq | None:
        """e^OptComp for Δ > 0 as a fraction, or None if this engine only encloses it."""

    def exact_slack(self, epsilon: ExactNumber, budget: Budget) -> mpq | None:
        """Δ - D(e^ε) as a fraction, or None if this engine only encloses it."""


class DistributionEngine:
    """A privacy loss distribution at any precision; the latest one is kept."""

    def __init__(self, method: Method, cost: int, build: Callable[[int], LossDistribution]) -> None:
        self.method: Method = method
        self.cost = cost
        self._build = build
        self._latest: LossDistribution | None = None

    def _at(self, bits: int) -> LossDistribution:
        if self._latest is None or self._latest.bits != bits:
            self._latest = self._build(bits)
        return self._latest

    def least_odds(self, budget: arb, bits: int) -> tuple[mpq, mpq] | None:
        """See :class:`Engine`."""
        odds = self._at(bits).least_odds(budget)
        return None if odds is None else (lower_end(odds[0]), upper_end(odds[1]))

    def divergence(self, epsilon: ExactNumber, bits: int) -> tuple[mpq, mpq]:
        """See :class:`Engine`."""
        with precision(bits + 64):
            odds = ball_of_odds(epsilon)
        return self._at(bits).divergence(odds)

    def exact_least_odds(self, budget: Budget) -> None:
        """See :class:`Engine`."""

    def exact_slack(self, epsilon: ExactNumber, budget: Budget) -> None:
        """See :class:`Engine`."""


class RationalOddsEngine:
    """Exact integers; enclosures only where y or Δ is not rational."""

    method: Method = "rational-odds"

    def __init__(self, cost: int, odds: list[tuple[mpq, int]]) -> None:
        self.cost = cost
        self.products = RationalOdds.of(odds)

    def least_odds(self, budget: arb, bits: int) -> tuple[mpq, mpq]:
        """See :class:`Engine`."""
        del bits
        return (
            self.products.least_odds(upper_end(budget)),
            self.products.least_odds(lower_end(budget)),
        )

    def divergence(self, epsilon: ExactNumber, bits: int) -> tuple[mpq, mpq]:
        """See :class:`Engine`."""
        with precision(bits + 64):
            odds = ball_of_odds(epsilon)
        low, high = max(mpq(1), lower_end(odds)), upper_end(odds)
        return self.products.divergence(high), self.products.divergence(low)

    def exact_least_odds(self, budget: Budget) -> mpq | None:
        """See :class:`Engine`."""
        exact = budget.exact
        return None if exact is None else self.products.least_odds(exact)

    def exact_slack(self, epsilon: ExactNumber, budget: Budget) -> mpq | None:
        """See :class:`Engine`."""
        odds, exact = epsilon.rational_odds(), budget.exact
        if odds is None or exact is None:
            return None
        return exact - self.products.divergence(odds)


def plan(problem: Problem, *, method: Method | None, max_cost: int = DEFAULT_MAX_COST) -> Engine:
    """The cheapest engine that can solve ``problem``, or the one that ``method`` names.

    Args:
        problem: with at least one ε > 0.
        method: force this engine; None leaves the choice to predicted cost.
        max_cost: the limit.

    Raises:
        CostLimitError: no engine is within ``max_cost``; the message holds the least cost.
        InputError: ``method`` cannot solve this problem.
    """
    candidates = {
        name: candidate
        for name in METHODS
        if method in (None, name) and (candidate := _CANDIDATES[name](problem)) is not None
    }
    if not candidates:
        raise InputError(
            field="method",
            value=str(method),
            expected="a method that fits the ledger",
            remedy="rational-odds needs every e^ε rational, grid a common unit",
            code="method-does-not-fit",
        )
    cost, build = min(candidates.values(), key=lambda candidate: candidate[0])
    if cost > max_cost:
        raise CostLimitError(
            field="ledger",
            value=f"{problem.mechanisms} mechanisms, {len(problem.groups)} distinct ε",
            expected=f"a predicted cost of at most {max_cost:.3g} (about a nanosecond each); "
            f"here it is {_magnitude(cost)}",
            remedy="raise --max-cost, or round the ε up to a coarser grid (an upper bound)",
        )
    return build()


def _magnitude(cost: int) -> str:
    return f"{cost:.2e}" if cost < 10**300 else "above 1e300"


_Candidate = tuple[int, Callable[[], Engine]]


def _rational_odds(problem: Problem) -> _Candidate | None:
    odds = rational_groups(problem.groups)
    if odds is None or problem.no_failure is None:
        return None
    bits = sum(count * (r.numerator.bit_length() + r.denominator.bit_length()) for r, count in odds)
    if bits > _MOST_EXACT_BITS:
        return None
    sums = Lattice.of(problem.groups).most_sums
    cost = sums * (len(odds) + 1) * (500 + bits // 8)
    return cost, lambda: RationalOddsEngine(cost, odds)


def _grid(problem: Problem) -> _Candidate | None:
    grid = common_grid(problem.groups)
    if grid is None:
        return None
    cost = grid_cost(grid, TYPICAL_BITS)
    return cost, lambda: DistributionEngine(
        "grid", cost, lambda bits: grid_distribution(grid, bits)
    )


def grid_cost(grid: Grid, bits: int) -> int:
    """The predicted cost of a grid at ``bits`` binary digits."""
    slots = sum(a * (min(count, 3 * isqrt(count * bits) + 64) + 1) for a, count in grid.groups)
    return slots * (1000 + 10 * bits * len(grid.groups).bit_length())


def _lattice(problem: Problem) -> _Candidate | None:
    lattice = Lattice.of(problem.groups)
    sums = lattice.most_sums
    cost = sums * (len(lattice.groups) + 8) * 1000
    if sums > _MOST_SUMS:
        cost = max(cost, 10 * DEFAULT_MAX_COST)
    return cost, lambda: DistributionEngine(
        "lattice", cost, lambda bits: lattice_distribution(lattice, bits)
    )


_CANDIDATES: Final[dict[Method, Callable[[Problem], _Candidate | None]]] = {
    "rational-odds": _rational_odds,
    "grid": _grid,
    "lattice": _lattice,
}

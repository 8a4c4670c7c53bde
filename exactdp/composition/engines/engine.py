r"""The engines: ways to know the divergence D of one composition.

Rules of this file: an engine answers at an effort (bits, and a mesh where it has one) with ends
that are certain at any effort; it says what more effort would be, and what that would cost.

Theory of operation: ``atoms`` computes in integers where all odds are rational; else it holds, as
``grid`` does, the exact privacy loss distribution, rounded down; ``bracket`` holds a dominating
distribution for upper ends and tests for lower ends, and narrows with the square of its mesh.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isqrt
from typing import Final, Literal

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.comparison import floor_of
from exactdp.arithmetic.enclosures import (
    Ends,
    ball,
    ball_of_rational,
    bits_of,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Epsilons
from exactdp.composition.engines.atoms.exact import ExactAtoms
from exactdp.composition.engines.bracket import (
    GriddedTest,
    atoms_of,
    dominating_distribution,
    leaf_size,
    leaves,
)
from exactdp.composition.engines.loss_distribution import LossDistribution
from exactdp.composition.problem import AllowedDivergence, ball_of_odds
from exactdp.errors import CostLimitError

Method = Literal["atoms", "grid", "bracket", "fourier"]
METHODS: Final[tuple[Method, ...]] = (
    "atoms",
    "grid",
    "bracket",
    "fourier",
)

TYPICAL_BITS: Final = 128
_FIRST_CELLS: Final = 2000
_SPARE_BITS: Final = 16
_MOST_TEST_BITS: Final = 100_000
_GREATEST_MESH: Final = mpq(1000)  # that the format has
_LEAST_SHARE: Final = mpq(15, 16)


@dataclass(frozen=True, slots=True)
class Effort:
    """How finely an engine computes: binary digits, and the mesh of a bracket."""

    bits: int
    mesh: mpq | None = None

    @property
    def bracket_mesh(self) -> mpq:
        """The mesh, which a bracket's effort has."""
        if self.mesh is None:
            raise ValueError("the effort of a bracket has a mesh")
        return self.mesh


class Engine(ABC):
    """A method that knows the divergence D of one composition."""

    method: Method
    losses: int = 0
    """How many privacy losses there are, where their masses are exact."""

    @abstractmethod
    def first_effort(self, bits: int) -> Effort:
        """The effort to begin with, where the answer itself needs ``bits``."""

    @abstractmethod
    def more(self, effort: Effort, excess: mpq | None) -> Effort:
        """A greater effort, after an enclosure was ``excess`` times too wide (None: unknown)."""

    @abstractmethod
    def cost(self, effort: Effort) -> int:
        """The predicted cost, in units of about a nanosecond."""

    @abstractmethod
    def memory(self, effort: Effort) -> int:
        """The predicted memory, in bytes."""

    @abstractmethod
    def least_epsilon(self, allowed: arb, effort: Effort) -> Ends:
        """Rationals low <= OptComp <= high for Δ > 0."""

    @abstractmethod
    def divergence(self, epsilon: ExactNumber, effort: Effort) -> Ends:
        """Rationals low <= D(e^ε) <= high."""

    def exact_least_odds(self, allowed: AllowedDivergence) -> mpq | None:
        """e^OptComp for Δ > 0 as a fraction, or None if this engine only encloses it."""
        del allowed
        return None

    def exact_slack(self, epsilon: ExactNumber, allowed: AllowedDivergence) -> mpq | None:
        """Δ - D(e^ε) as a fraction, or None if this engine only encloses it."""
        del epsilon, allowed
        return None


class DistributionEngine(Engine):
    """A grid, or few sums: the exact loss distribution at any precision; the latest one is kept."""

    def __init__(
        self,
        method: Method,
        total_epsilon: ExactNumber,
        roundings: int,
        cost: Callable[[int], int],
        memory: Callable[[int], int],
        build: Callable[[int], LossDistribution],
    ) -> None:
        self.method: Method = method
        self._total = total_epsilon
        self._roundings = roundings
        self._cost = cost
        self._memory = memory
        self._build = build
        self._latest: LossDistribution | None = None

    def first_effort(self, bits: int) -> Effort:
        return Effort(bits + self._roundings.bit_length())

    def more(self, effort: Effort, excess: mpq | None) -> Effort:
        missing = effort.bits if excess is None else bits_of(excess)
        return Effort(effort.bits + max(missing + _SPARE_BITS, effort.bits // 4))

    def cost(self, effort: Effort) -> int:
        return self._cost(effort.bits)

    def memory(self, effort: Effort) -> int:
        return self._memory(effort.bits)

    def _at(self, bits: int) -> LossDistribution:
        if self._latest is None or self._latest.bits != bits:
            self._latest = self._build(bits)
        return self._latest

    def least_epsilon(self, allowed: arb, effort: Effort) -> Ends:
        with precision(effort.bits + 64):
            odds = self._at(effort.bits).least_odds(allowed, ball(self._total).exp())
            # ends first: a wide ball around an end may hold 0, where its logarithm is lost
            return lower_end(odds[0].lower().max(arb(1)).log()), upper_end(odds[1].upper().log())

    def divergence(self, epsilon: ExactNumber, effort: Effort) -> Ends:
        with precision(effort.bits + 64):
            odds = ball_of_odds(epsilon)
        return self._at(effort.bits).divergence(odds)


class ExactEngine(Engine):
    """Exact integers; enclosures only where y or Δ is not rational."""

    method: Method = "atoms"

    def __init__(self, cost: int, memory: int, atoms: tuple[tuple[ExactAtoms, ...], int]) -> None:
        self._cost = cost
        self._memory = memory
        self._directions, self.losses = atoms

    def _least_odds(self, allowed: mpq) -> mpq:
        return max(each.least_odds(allowed) for each in self._directions)

    def _divergence(self, odds: mpq) -> mpq:
        return max(each.divergence(odds) for each in self._directions)

    def first_effort(self, bits: int) -> Effort:
        return Effort(bits)

    def more(self, effort: Effort, excess: mpq | None) -> Effort:
        missing = effort.bits if excess is None else bits_of(excess)
        return Effort(effort.bits + missing + effort.bits // 2)

    def cost(self, effort: Effort) -> int:
        return self._cost + effort.bits

    def memory(self, effort: Effort) -> int:
        return self._memory + effort.bits

    def least_epsilon(self, allowed: arb, effort: Effort) -> Ends:
        low = self._least_odds(upper_end(allowed))
        high = self._least_odds(lower_end(allowed))
        with precision(effort.bits + 64):
            return (
                max(mpq(0), lower_end(ball_of_rational(low).log())),
                upper_end(ball_of_rational(high).log()),
            )

    def divergence(self, epsilon: ExactNumber, effort: Effort) -> Ends:
        with precision(effort.bits + 64):
            odds = ball_of_odds(epsilon)
        low, high = max(mpq(1), lower_end(odds)), upper_end(odds)
        return self._divergence(high), self._divergence(low)

    def exact_least_odds(self, allowed: AllowedDivergence) -> mpq | None:
        exact = allowed.exact
        return None if exact is None else self._least_odds(exact)

    def exact_slack(self, epsilon: ExactNumber, allowed: AllowedDivergence) -> mpq | None:
        odds, exact = epsilon.rational_odds(), allowed.exact
        if odds is None or exact is None:
            return None
        return exact - self._divergence(odds)


class BracketEngine(Engine):
    """Second-order ends for any ledger; both are kept for the latest effort."""

    method: Method = "bracket"

    def __init__(self, epsilons: Epsilons, total_epsilon: ExactNumber) -> None:
        self._groups = epsilons
        self._total = total_epsilon
        self.leaf_size = leaf_size(epsilons)
        self._upper: tuple[Effort, LossDistribution] | None = None
        self._lower: tuple[Effort, GriddedTest] | None = None
        self._near = mpq(0)
        self.threshold = 0
        """The least score of the event that the latest divergence from below is of."""

    def first_effort(self, bits: int) -> Effort:
        mechanisms = sum(count for _, count in self._groups)
        cells = max(_FIRST_CELLS, 4 * isqrt(mechanisms))
        return Effort(
            bits + (cells * len(self._groups)).bit_length(),
            round_mesh(mpq(floor_of(self._total) + 1, cells)),
        )

    def last_effort(self, bits: int, tolerance: mpq) -> Effort:
        """About the effort that ``tolerance`` will take: every leaf adds about h² to the width."""
        first = self.first_effort(bits)
        mesh = 1 / isqrt_above(2 * len(leaves(self._groups, self.leaf_size)) / tolerance)
        return replace(first, mesh=min(first.bracket_mesh, round_mesh(mesh)))

    def more(self, effort: Effort, excess: mpq | None) -> Effort:
        # the width falls with the square of the mesh
        if excess is None:
            return Effort(effort.bits + 64, round_mesh(effort.bracket_mesh / 4))
        shrink = min(mpq(1, 2), mpq(7, 10) / isqrt_above(excess))
        return Effort(effort.bits + bits_of(1 / shrink), round_mesh(effort.bracket_mesh * shrink))

    def cost(self, effort: Effort) -> int:
        linear, final = self._cells(effort)
        levels = len(self._groups).bit_length()
        bits = 2 * effort.bits + self._test_bits(effort)
        atoms = 10_000 * atoms_of(self._groups, self.leaf_size)
        return atoms + 2 * min(linear, final * levels) * levels * (200 + 4 * bits)

    def memory(self, effort: Effort) -> int:
        # a test holds two weights for each loss above its threshold
        linear, final = self._cells(effort)
        tested = min(final, linear - int(self._near * _LEAST_SHARE / effort.bracket_mesh))
        upper, lower = weight_size(effort.bits), weight_size(self._test_bits(effort))
        return final * upper + 2 * max(0, tested) * lower

    def _cells(self, effort: Effort) -> tuple[int, int]:
        """About how many cells all leaves have together, and how many of their product matter."""
        places = [(floor_of(e * (1 / effort.bracket_mesh)) + 1, count) for e, count in self._groups]
        linear = sum(place * count for place, count in places)
        variance = sum(place * place * count for place, count in places)
        return linear, min(linear, 3 * isqrt(variance * effort.bits) + 64)

    def least_epsilon(self, allowed: arb, effort: Effort) -> Ends:
        with precision(effort.bits + 64):
            odds = self._dominating(effort).least_odds(allowed, ball(self._total).exp())
            high = upper_end(odds[1].upper().log())
        return self._test(effort, high).least_epsilon(allowed, high), high

    def divergence(self, epsilon: ExactNumber, effort: Effort) -> Ends:
        with precision(effort.bits + 64):
            odds = ball_of_odds(epsilon)
            near = upper_end(odds.log())
        high = self._dominating(effort).divergence(odds)[1]
        low, self.threshold = self._test(effort, near).divergence(epsilon)
        return low, high

    def _dominating(self, effort: Effort) -> LossDistribution:
        if self._upper is None or self._upper[0] != effort:
            self._upper = (
                effort,
                dominating_distribution(
                    self._groups, effort.bracket_mesh, self.leaf_size, effort.bits
                ),
            )
        return self._upper[1]

    def _test(self, effort: Effort, near: mpq) -> GriddedTest:
        """A test with bits to spare for the factor e^near of the second probability."""
        self._near = near
        bits = self._test_bits(effort)
        if bits > _MOST_TEST_BITS:
            raise CostLimitError(
                field="ledger",
                value=f"an ε of about {int(near)}",
                expected=f"a test of at most {_MOST_TEST_BITS} bits; here it needs {bits}",
                remedy="round the ε up to a common unit (an upper bound)",
            )
        finer = replace(effort, bits=bits)
        if self._lower is None or self._lower[0] != finer or not self._lower[1].covers(near):
            least = near * _LEAST_SHARE
            self._lower = (
                finer,
                GriddedTest.of(self._groups, finer.bracket_mesh, self.leaf_size, finer.bits, least),
            )
        return self._lower[1]

    def _test_bits(self, effort: Effort) -> int:
        return effort.bits + int(self._near * 3 // 2) + 8


def weight_size(bits: int) -> int:
    """About how many bytes a weight of so many digits takes, with its share in its products."""
    return 160 + 2 * bits


def round_mesh(mesh: mpq) -> mpq:
    """The greatest 1/n, n an integer, or integer up to 1000, not above ``mesh``."""
    if mesh >= 1:
        return min(mpq(mesh // 1), _GREATEST_MESH)
    return 1 / mpq(-(mpq(-1) // mesh))


def isqrt_above(value: mpq) -> mpq:
    """A rational a little above the square root of ``value`` > 0."""
    scale = mpz(2) ** 32
    return mpq(isqrt(int(value * scale * scale // 1)) + 1, scale)

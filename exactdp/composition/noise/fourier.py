r"""Noise whose characteristic function has a closed form, in the Fourier bracket.

Rules of this file: as in ``composition.solver``, whose loops these are.

Theory of operation: the pair of laws of a randomized response, of Gaussian noise, of Laplace noise
and of discrete Laplace noise dominates the mechanisms, and some of them have it: so both ends are
about one product of pairs, and meet to any width. Each is a factor of the characteristic function
of the privacy loss. Discrete Laplace noise of shift 1 is randomized response.

Source: ``certs/SPEC.md``, sections 13.8 and 13.9.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.enclosures import bits_of, lower_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.composition.certificates import fourier_parameters
from exactdp.composition.decisions import Decision
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.engine import Effort
from exactdp.composition.engines.fourier import FourierEngine
from exactdp.composition.engines.mesh.bracket import Target, first_unit, predicted_cost
from exactdp.composition.engines.mesh.single_mechanism import SingleMechanism
from exactdp.composition.noise.solved import Solved
from exactdp.composition.problem import AllowedDivergence, Problem
from exactdp.composition.solver import Solver
from exactdp.errors import CostLimitError, InternalError
from exactdp.mechanisms.characteristic import (
    Characteristic,
)

UPPER: Final = "noise-fourier-upper"
LOWER: Final = "noise-fourier-lower"
_FEW_BITS: Final = 64
_HALF: Final = mpq(1, 2)
_PER_SECOND: Final = 10**9
_CHEAP: Final = 10**8
_OF_A_CURVE: Final = 2 * 10**6
MOST_COST: Final = 6 * 10**10


@dataclass(frozen=True)
class Factors:
    """What stands in the characteristic function.

    Attributes:
        groups: the losses of randomized responses, with their counts.
        waves: the noise.
        square: M² of Gaussian noise.
    """

    groups: tuple[tuple[ExactNumber, int], ...]
    waves: tuple[Characteristic, ...]
    square: mpq

    @staticmethod
    def of(laws: DominatingPairs) -> Factors | None:
        """The factors; None where a mechanism has none in closed form, or there are none."""
        if laws.has_gap or laws.by_orders:
            return None
        groups: list[tuple[ExactNumber, int]] = []
        waves: list[Characteristic] = []
        for law, count in laws.known():
            response, wave = law.response(), law.characteristic(count)
            if response is not None:
                groups.append((response, count))
            elif wave is not None:
                waves.append(wave)
            elif law.mu_squared() is None:
                return None
        if not groups and not waves:
            return None
        square = sum((law.mu_squared() or mpq(0) for law, _ in laws.known()), mpq(0))
        return Factors(tuple(groups), tuple(waves), square)

    def dearer_than(self, predicted: int) -> bool:
        """Whether the values of their profiles alone cost more than that on any mesh."""
        curves = sum(each.is_continuous for each in self.waves)
        return _OF_A_CURVE * curves > max(_CHEAP, predicted)

    @property
    def losses(self) -> tuple[tuple[ExactNumber, int], ...]:
        """The greatest losses, with their counts."""
        return (*self.groups, *((ExactNumber(each.loss), each.count) for each in self.waves))


class FourierSolver(Solver):
    """Answers questions about mechanisms whose losses have characteristic functions.

    Args:
        laws: the mechanisms.
        factors: what they are in the characteristic function.
        tolerance: the width that will be asked for.
        max_cost: refuse work that is predicted to cost more.
    """

    def __init__(
        self, laws: DominatingPairs, factors: Factors, tolerance: mpq, max_cost: int
    ) -> None:
        losses = factors.losses
        count = sum(count for _, count in losses)
        problem = Problem(losses, laws.failures, count)
        super().__init__(problem, method="fourier", max_cost=max_cost, tolerance=tolerance)
        self.laws = laws
        self.factors = factors

    def predicted(self, delta: mpq) -> int:
        """About how many nanoseconds the width that is asked for takes at a δ."""
        self._aim = self.problem.allowed(delta).ball(_FEW_BITS)
        engine = self._planned(self._tolerance)
        return engine.cost(engine.first_effort(_FEW_BITS))

    def certificate(self, epsilon: ExactNumber, delta: mpq, *, upper: bool) -> Certificate:
        """The proof that ε is enough at δ, or that it is not."""
        decision = self.decide(epsilon, delta)
        if decision.holds != upper:
            raise InternalError(
                field="epsilon", value=str(epsilon), expected="an end that was found before"
            )
        return Certificate(
            self.laws.subject,
            "upper" if upper else "lower",
            epsilon,
            delta,
            decision.rule,
            fourier_parameters(decision),
        )

    def _planned(self, tolerance: mpq | None, **_: bool) -> FourierEngine:
        groups, waves, square = self.factors.groups, self.factors.waves, self.factors.square
        return FourierEngine(groups, tolerance, self._aim, square, waves)

    def _is_basic(self, _epsilon: ExactNumber) -> bool:
        return False

    def _first_bits(self, allowed: AllowedDivergence, tolerance: mpq) -> int:
        return bits_of(1 / lower_end(allowed.ball(_FEW_BITS))) + bits_of(1 / tolerance)

    def _decided(self, *, holds: bool, slack: mpq, effort: Effort) -> Decision:
        decision = super()._decided(holds=holds, slack=slack, effort=effort)
        return replace(decision, rule=f"noise-{decision.rule}")


@dataclass(frozen=True)
class SolvedByFourier(Solved):
    """The least ε at δ, by a characteristic function."""

    solver: FourierSolver | None = None

    @property
    def upper_rule(self) -> str:
        """See :class:`Solved`."""
        return UPPER

    @property
    def explanation(self) -> str:
        """See :class:`Solved`."""
        return "the characteristic function of the privacy loss"

    def upper_certificate(self, epsilon: ExactNumber, delta: mpq) -> Certificate:
        """See :class:`Solved`."""
        return self._solver().certificate(epsilon, delta, upper=True)

    def lower_certificate(self, epsilon: ExactNumber) -> Certificate:
        """See :class:`Solved`."""
        return self._solver().certificate(epsilon, self.delta, upper=False)

    def _solver(self) -> FourierSolver:
        if self.solver is None:
            raise InternalError(field="solver", value="none", expected="a characteristic function")
        return self.solver


def solved_by_fourier(
    laws: DominatingPairs, delta: mpq, target: Target, seconds: float | None
) -> SolvedByFourier | None:
    """Both ends, within the target's tolerance, where that is predicted to take less than a mesh.

    None where it is not, or where the characteristic function turns out to fall too slowly.
    """
    factors = Factors.of(laws)
    if factors is None or SingleMechanism.of(laws) is not None:
        return None
    cost = min(target.max_cost, MOST_COST)
    solver = FourierSolver(laws, factors, target.tolerance, cost)
    predicted = solver.predicted(delta)
    if predicted > cost or (seconds is not None and predicted > seconds * _PER_SECOND / 2):
        return None
    if not factors.dearer_than(predicted) and not _mesh_is_dearer(laws, target, predicted):
        return None
    try:
        found = solver.optimum(delta, target.tolerance)
    except CostLimitError:
        return None
    if found.lower is None or found.upper is None:
        return None
    return SolvedByFourier(delta, found.lower, found.upper, None, 0, solver=solver)


def _mesh_is_dearer(laws: DominatingPairs, target: Target, predicted: int) -> bool:
    unit = first_unit(laws, _HALF, target.tolerance)
    by_mesh = predicted_cost(laws, target, unit, _HALF)
    return by_mesh is None or by_mesh > max(_CHEAP, predicted)

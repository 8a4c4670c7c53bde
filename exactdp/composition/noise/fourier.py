r"""Noise whose characteristic function has a closed form, in the Fourier bracket.

Theory of operation: the pair of laws of a randomized response, of Gaussian noise, of Laplace noise
and of discrete Laplace noise dominates the mechanisms, and some of them have it: so both ends are
about one product of pairs, and meet to any width. Each is a factor of the characteristic function
of the privacy loss.

Source: ``certs/SPEC.md``, sections 11.7 and 11.8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.certificates import certificate
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.mesh.bracket import Target, first_unit, predicted_cost
from exactdp.composition.engines.mesh.single_mechanism import SingleMechanism
from exactdp.composition.noise.solved import Solved
from exactdp.composition.planner import prefers_fourier
from exactdp.composition.solver import Solver
from exactdp.errors import CostLimitError, InternalError

_UPPER: Final = "fourier-upper"
_EXPLANATION: Final = "the characteristic function of the privacy loss"
_HALF: Final = mpq(1, 2)
_PER_SECOND: Final = 10**9
MOST_COST: Final = 6 * 10**10


@dataclass(frozen=True)
class _Proofs:
    """What a solver proves of its ends."""

    solver: Solver
    subject: Subject
    delta: mpq

    def upper(self, epsilon: ExactNumber, delta: mpq) -> Certificate:
        """The proof that ε is enough at δ."""
        return self._certificate(epsilon, delta, upper=True)

    def lower(self, epsilon: ExactNumber) -> Certificate:
        """The proof that ε is not enough."""
        return self._certificate(epsilon, self.delta, upper=False)

    def _certificate(self, epsilon: ExactNumber, delta: mpq, *, upper: bool) -> Certificate:
        decision = self.solver.decide(epsilon, delta)
        if decision.holds != upper:
            raise InternalError(
                field="epsilon", value=str(epsilon), expected="an end that was found before"
            )
        return certificate(self.subject, epsilon, delta, decision)


def solved_by_fourier(
    laws: DominatingPairs, delta: mpq, target: Target, seconds: float | None
) -> Solved | None:
    """Both ends, within the target's tolerance, where that is predicted to take less than a mesh.

    None where it is not, or where the characteristic function turns out to fall too slowly.
    """
    problem = laws.characterized()
    if problem is None or SingleMechanism.of(laws) is not None:
        return None
    cost = min(target.max_cost, MOST_COST)
    solver = Solver(problem, max_cost=cost, tolerance=target.tolerance)

    def by_fourier() -> int | None:
        predicted = solver.predicted(target.tolerance, delta)
        late = seconds is not None and predicted > seconds * _PER_SECOND / 2
        return None if predicted > cost or late else predicted

    if not prefers_fourier(problem, by_fourier, lambda: _cost_of_mesh(laws, target)):
        return None
    try:
        found = solver.optimum(delta, target.tolerance)
    except CostLimitError:
        return None
    if found.lower is None or found.upper is None:
        return None
    proofs = _Proofs(solver, laws.subject, delta)
    return Solved(delta, found.lower, found.upper, _UPPER, _EXPLANATION, proofs.upper, proofs.lower)


def _cost_of_mesh(laws: DominatingPairs, target: Target) -> int | None:
    unit = first_unit(laws, _HALF, target.tolerance)
    return predicted_cost(laws, target, unit, _HALF)

r"""Claims about mechanisms by their noise, judged without finding both ends.

Rules of this file: a claim holds only if the side at hand proves it, and fails only if it refutes
it; what proves it is made when it is asked for.

Theory of operation: a claim that is far from the least ε is told by one side of a rough mesh, at
the claimed ε alone; the nearer it is, the finer the mesh.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

from gmpy2 import mpq

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.mesh.bracket import (
    Target,
    first_unit,
    lower_bracket_at,
    refuse_many,
    upper_sides_at,
)
from exactdp.composition.engines.mesh.either_side import Upper
from exactdp.composition.engines.mesh.single_mechanism import SingleMechanism
from exactdp.composition.engines.mesh.upper_bracket import UpperBracket
from exactdp.composition.named_tolerances import naming_no_tolerance
from exactdp.composition.noise.fitting import aligned_unit
from exactdp.composition.noise.solve import left_by_failures, proved_by_each, solve
from exactdp.composition.noise.solved import Judged
from exactdp.errors import CostLimitError

_HALF = mpq(1, 2)
_LEAST_GAP = mpq(1, 4)
"""Of a tolerance, how far the end from above is beyond a claim that the side from below refutes."""


def judge(
    laws: DominatingPairs, delta: mpq, epsilon: ExactNumber, tolerance: mpq, *, max_cost: int
) -> Judged:
    """Whether ε is enough at δ, as far as it is seen to within a tolerance.

    Where both sides meet on a mesh, they are asked at this ε on the first; else both ends are
    found.

    Args:
        laws: the mechanisms.
        delta: δ, above 0.
        epsilon: the claimed ε.
        tolerance: how near an end may come to it.
        max_cost: refuse work that is predicted to cost more.

    Raises:
        CostLimitError: as for :func:`solve`, but no tolerance is named.
    """
    try:
        mesh = _FirstMesh.of(laws, delta, tolerance, max_cost)
        if mesh is None:
            return Judged.of(solve(laws, delta, tolerance, max_cost=max_cost), epsilon)
        return mesh.judged(epsilon, delta)
    except CostLimitError as error:
        raise naming_no_tolerance(error) from None


def nearly(laws: DominatingPairs, delta: mpq, tolerance: mpq, *, max_cost: int) -> mpq | None:
    """About the least ε at δ, by one side of the first mesh; None where ends need not meet on it.

    Raises:
        CostLimitError: as for :func:`solve`.
    """
    mesh = _FirstMesh.of(laws, delta, tolerance, max_cost)
    return None if mesh is None else max(mesh.ends)


@dataclass(frozen=True)
class _FirstMesh:
    """The side from above at the first mesh for a tolerance, where both sides meet on meshes."""

    laws: DominatingPairs
    target: Target
    unit: mpq
    above: tuple[Upper, ...]

    @staticmethod
    def of(laws: DominatingPairs, delta: mpq, tolerance: mpq, max_cost: int) -> _FirstMesh | None:
        """What is composed; None where another way may be taken, or ends need not meet."""
        low, _ = left_by_failures(laws, delta)
        is_open = laws.has_gap or laws.has_tilt or laws.converts or laws.tilts_together
        if is_open or not laws.known():
            return None
        if SingleMechanism.of(laws) is not None or laws.characterized() is not None:
            return None
        refuse_many(laws, max_cost)
        target = Target(low, tolerance, max_cost=max_cost)
        unit = aligned_unit(laws, first_unit(laws, _HALF, tolerance), tolerance)
        return _FirstMesh(laws, target, unit, upper_sides_at(laws, target, unit))

    @cached_property
    def ends(self) -> list[mpq]:
        """About the least ε that each direction proves."""
        return proved_by_each(self.above, self.target.allowed)

    def judged(self, epsilon: ExactNumber, delta: mpq) -> Judged:
        """Whether ε is enough at δ; that it is not is asked where the mesh may tell."""
        laws, target, most = self.laws, self.target, max(self.ends)
        if all(side.divergence(epsilon) <= target.allowed for side in self.above):
            upper = UpperBracket(laws.subject, self.unit, self.above)
            return Judged(True, cache(partial(upper.certificate, epsilon, delta)))
        if sign(ExactNumber(most - target.tolerance * _LEAST_GAP) - epsilon) < 0:
            return Judged(None)
        finer = replace(target, epsilon=int(most) + 1)
        direction = laws.directions[self.ends.index(most)]
        lower = lower_bracket_at(laws, finer, self.unit, _HALF, (direction,))
        if lower.below.divergence(epsilon)[0] > laws.allowed_ends(delta)[1]:
            return Judged(False, cache(partial(lower.lower_certificate, epsilon, delta)))
        return Judged(None)

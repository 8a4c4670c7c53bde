r"""δ at an ε, of mechanisms by their noise.

Rules of this file: an end is printed only if the side at hand proves it.

Theory of operation: about how large δ is is found on a rough mesh; the digits follow from it, and
meshes grow finer until the ends are near, relative to δ.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_above, round_below
from exactdp.arithmetic.enclosures import (
    Ends,
    ball,
    ball_of_rational,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.mesh.bracket import (
    NO_LIMIT,
    Bracket,
    Target,
    bracket_at,
    first_unit,
    lower_bracket_at,
    refuse_many,
    upper_sides_at,
)
from exactdp.composition.engines.mesh.either_side import Upper
from exactdp.composition.engines.mesh.single_mechanism import SingleMechanism
from exactdp.composition.engines.moments.orders import divergence_at
from exactdp.composition.engines.refusals import WIDER
from exactdp.composition.named_tolerances import advising
from exactdp.composition.noise.fitting import (
    ROUGH,
    SECOND_ORDER,
    STALLED,
    MeshStep,
    aligned_unit,
    naming,
)
from exactdp.composition.refining import refine, refine_within
from exactdp.errors import CostLimitError

_BITS: Final = 256
_HALF: Final = mpq(1, 2)
_FINER: Final = 4
_FIRST_SCALE: Final = mpq(1, 100)
_LEAST_SCALE: Final = mpq(1, 10**60)
_STEP: Final = mpq(1, 10**4)
"""Scales are some fixed ones, this far apart, so that points of about one size share a mesh."""
_BELOW: Final = 10
"""How far below a scale a divergence may be."""
_DIGITS: Final = 12
_MOST_KNOWN: Final = 2
_SHARE_OF_A_POINT: Final = mpq(1, 256)


@dataclass(frozen=True)
class Profile:
    """δ at each ε: the rough mesh is composed once, and others as long as they are the same.

    Attributes:
        laws: the mechanisms.
        max_cost: refuse work predicted to cost more.
    """

    laws: DominatingPairs
    max_cost: int = NO_LIMIT
    _known: dict[tuple[Target, mpq], Bracket] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _rough: dict[mpq, tuple[Upper, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def point(
        self, epsilon: ExactNumber, tolerance: mpq, seconds: float | None = None
    ) -> tuple[mpq, mpq]:
        """The least δ at ε: ends, at a relative tolerance where the ends meet, or in time.

        About how large it is is found on a rough mesh first: the digits follow from it.
        """
        laws, max_cost = self.laws, self.max_cost
        if not laws.known():
            return _point_by_orders(laws, epsilon, tolerance, max_cost)
        refuse_many(laws, max_cost)
        try:
            return self._on_a_mesh(epsilon, tolerance, seconds)
        except CostLimitError as error:
            if not (laws.by_orders and laws.has_moments):
                raise (advising(error, None) if error.remedy.startswith(WIDER) else error) from None
            return _point_by_orders(laws, epsilon, tolerance, max_cost)

    def _on_a_mesh(
        self, epsilon: ExactNumber, tolerance: mpq, seconds: float | None
    ) -> tuple[mpq, mpq]:
        """The ends of δ at ε, by privacy losses on a mesh."""
        laws, max_cost = self.laws, self.max_cost
        found = self._by_known(epsilon, tolerance)
        if found is not None:
            return found
        scale = self._scale_of(epsilon)
        alone = SingleMechanism.of(laws)
        ends = alone and alone.point(epsilon, scale, tolerance)
        if ends:
            return _with_failures(laws, *ends)
        try:
            return refine_within(
                lambda near: self._refined(epsilon, near, scale), tolerance, seconds
            )
        except CostLimitError as error:
            target = Target(scale, tolerance, max_cost=max_cost)
            raise naming(error, laws, target, _HALF, _SHARE_OF_A_POINT) from None

    def _refined(self, epsilon: ExactNumber, tolerance: mpq, scale: mpq) -> Ends:
        """The ends of δ at ε, on finer and finer meshes; δ is about ``scale``, or less."""
        laws, near = self.laws, min(tolerance, ROUGH) / 8
        unit = aligned_unit(laws, first_unit(laws, _HALF, near), tolerance)
        target = Target(scale, near, max_cost=self.max_cost)

        def finer(step: MeshStep[Ends]) -> MeshStep[Ends] | None:
            (low, high), width = step.found, step.found[1] - step.found[0]
            near_enough = width <= tolerance * low or laws.has_gap or scale < _LEAST_SCALE
            if not step.left or near_enough:
                return None
            ratio = tolerance * max(low, width / 100) / width
            unit, _ = step.next(laws, ratio, tolerance)
            try:
                low, high = self._ends_at(epsilon, target, unit)
            except CostLimitError:
                if low > 0:
                    raise
                return None  # it may be 0 itself, to which no mesh comes relatively near
            stalled = step.unit >= _FINER * unit and high - low > STALLED * width
            far = low == 0 and not step.is_first  # it seems to be 0
            order = SECOND_ORDER if (high - low) * SECOND_ORDER <= width else 1
            left = 0 if stalled or far else step.left - 1
            return MeshStep((low, high), unit, order, left=left)

        return refine(MeshStep(self._ends_at(epsilon, target, unit), unit), finer).found

    def _ends_at(self, epsilon: ExactNumber, target: Target, unit: mpq) -> Ends:
        """The ends of δ at a mesh."""
        return self._ends_of(self._bracket_at(epsilon, target, unit), epsilon)

    def _ends_of(self, bracket: Bracket, epsilon: ExactNumber) -> Ends:
        """The ends of δ at ε that both sides prove."""
        high = max(side.divergence(epsilon) for side in bracket.above)
        if self.laws.converts:
            high = min(high, divergence_at(self.laws, epsilon))
        return _with_failures(self.laws, bracket.below.divergence(epsilon)[0], high)

    def _by_known(self, epsilon: ExactNumber, tolerance: mpq) -> Ends | None:
        """The ends that sides composed for another ε have here, if they are near enough."""
        for bracket in reversed(self._known.values()):
            low, high = self._ends_of(bracket, epsilon)
            if low and high - low <= tolerance * low:
                return low, high
        return None

    def _bracket_at(self, epsilon: ExactNumber, target: Target, unit: mpq) -> Bracket:
        """Both sides at a mesh: those that were composed for another ε, if they are the same."""
        known = self._known.pop((target, unit), None)
        if known is None or not self._is_for(known, epsilon):
            known = bracket_at(self.laws, replace(target, point=epsilon), unit, _HALF)
        self._known[target, unit] = known
        while len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return known

    def _is_for(self, bracket: Bracket, epsilon: ExactNumber) -> bool:
        """Whether the side from below has the direction that would be chosen at ε."""
        if len(bracket.above) == 1:
            return True
        found = [side.divergence(epsilon) for side in bracket.above]
        chosen = self.laws.directions[found.index(max(found))]
        return not self.laws.has_gap and bracket.direction == chosen

    def _scale_of(self, epsilon: ExactNumber) -> mpq:
        """A divergence of about the size of that at ε, or below all that matter.

        Raises:
            CostLimitError: a rough mesh costs too much already.
        """
        scale = _FIRST_SCALE
        while scale > _LEAST_SCALE:
            found = max(side.divergence(epsilon) for side in self._roughly(scale))
            if found >= scale / _BELOW:
                return scale
            scale *= _STEP
            while scale > _LEAST_SCALE and found < scale * _STEP:
                scale *= _STEP
        return scale

    def _roughly(self, scale: mpq) -> tuple[Upper, ...]:
        """The side from above at a rough mesh, for divergences of a size."""
        if scale not in self._rough:
            self._rough[scale] = self._composed_roughly(scale)
        return self._rough[scale]

    def _composed_roughly(self, scale: mpq) -> tuple[Upper, ...]:
        target = Target(scale, ROUGH, max_cost=self.max_cost)
        return upper_sides_at(self.laws, target, first_unit(self.laws, _HALF, ROUGH))


def _point_by_orders(
    laws: DominatingPairs, epsilon: ExactNumber, tolerance: mpq, max_cost: int
) -> tuple[mpq, mpq]:
    """The ends of δ at ε, the upper one by Rényi divergences."""
    most, least = divergence_at(laws, epsilon), mpq(0)
    near = min(tolerance, ROUGH) / 8
    if laws.below(_HALF):
        with precision(_BITS):
            size = int(upper_end(ball(epsilon))) + 1
        target = Target(max(most, _LEAST_SCALE), near, size, max_cost)
        try:
            bracket = lower_bracket_at(laws, target, first_unit(laws, _HALF, near), _HALF)
        except CostLimitError as error:
            asked = replace(target, tolerance=tolerance)
            raise naming(error, laws, asked, _HALF, _SHARE_OF_A_POINT) from None
        least = bracket.below.divergence(epsilon)[0]
    return _with_failures(laws, least, most)


def point_by_divergences(laws: DominatingPairs, epsilon: ExactNumber) -> mpq:
    """At least the least δ at ε, by Rényi divergences of all mechanisms, at once."""
    return _with_failures(laws, mpq(0), divergence_at(laws, epsilon))[1]


def _with_failures(laws: DominatingPairs, low: mpq, high: mpq) -> tuple[mpq, mpq]:
    """The ends of δ for those of D: with the failures beside it, in decimals."""
    with precision(_BITS):
        kept = 1 - laws.allowed(mpq(0))  # 1/∏(1 - δ_i)
        ends = (1 - (1 - ball_of_rational(each)) / kept for each in (low, high))
        below, above = lower_end(next(ends)), upper_end(next(ends))
    return max(mpq(0), round_below(below, _DIGITS)), min(mpq(1), round_above(above, _DIGITS))

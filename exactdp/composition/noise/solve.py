r"""Answers about mechanisms by their noise: the least ε at a δ.

Rules of this file: an end is printed only if the side at hand proves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gmpy2 import mpq, mpz

from exactdp.arithmetic.decimal_text import (
    ceil_to,
    floor_to,
    places_within,
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
from exactdp.composition.engines.mesh.windows import GREATEST_LOSS
from exactdp.composition.engines.moments.orders import OrderBound, bound_at
from exactdp.composition.noise.fitting import (
    ROUGH,
    SECOND_ORDER,
    STALLED,
    MeshStep,
    aligned_unit,
    naming,
)
from exactdp.composition.noise.fourier import solved_by_fourier
from exactdp.composition.noise.solved import Solved
from exactdp.composition.refining import refine, refine_within
from exactdp.errors import CostLimitError
from exactdp.timing.deadlines import OutOfTimeError

_HALF = mpq(1, 2)
_WHOLE = mpq(1)
_ZERO = ExactNumber(mpq(0))
_TILTS = 16
_FINER = 4
_BEST = 3
_REFINEMENTS = 4
_FINE = mpq(1, 2000)
_FEW = 8
_FAR_ABOVE = 100
_SCORES = 100
_MOST_REFUTED = 10_000


def left_by_failures(laws: DominatingPairs, delta: mpq) -> tuple[mpq, mpq]:
    """Δ for δ, from below and from above; both above 0."""
    low, high = laws.allowed_ends(delta)
    if low <= 0:
        raise CostLimitError(
            field="delta",
            value=str(delta),
            expected="a δ above 1 - ∏(1 - δ_i)",
            remedy="beside noise, no ε is certified for a δ that failures alone use up",
        )
    return low, high


def bounded(laws: DominatingPairs, above: DominatingPairs, delta: mpq, tolerance: mpq) -> Solved:
    """An upper end of Rényi divergences alone, that of what dominates, and a lower one of 0.

    Args:
        laws: the mechanisms, all of known, finite divergences.
        above: mechanisms of which each dominates one of them, or they themselves.
        delta: δ, above 0.
        tolerance: how near the end shall come to that of the best order.

    Raises:
        CostLimitError: δ is not above what fails anyway, or the time of the context is up.
    """
    left_by_failures(above, delta)
    order = replace(bound_at(above, delta, places_within(tolerance) + 2), subject=laws.subject)
    return Solved.of_order(delta, order)


def bounded_on_both_sides(
    laws: DominatingPairs, delta: mpq, order: OrderBound, max_cost: int
) -> Solved:
    """The end of Rényi divergences, and a lower one by a few scores for each mechanism.

    Scores are about a hundredth of the upper end apart, so that few sums of them matter, and no
    more is refuted than takes some thousand digits.

    Args:
        laws: the mechanisms.
        delta: δ, above what fails anyway.
        order: the bound by divergences.
        max_cost: where the lower end would cost more, it is 0.
    """
    found = Solved.of_order(delta, order)
    if not laws.below(_HALF):
        return found
    low, high = laws.allowed_ends(delta)
    most = min(int(order.epsilon) + 1, _MOST_REFUTED)
    unit = mpq(min(max(1, int(order.epsilon) // _SCORES), GREATEST_LOSS // 2))
    try:
        bracket = lower_bracket_at(laws, Target(low, _WHOLE, most, max_cost), unit, _HALF)
        lower = lower_end_of(bracket, high, 0)
    except OutOfTimeError:
        raise
    except CostLimitError:
        return found
    return found.with_lower(lower, bracket)


def solve(
    laws: DominatingPairs,
    delta: mpq,
    tolerance: mpq,
    *,
    max_cost: int = NO_LIMIT,
    seconds: float | None = None,
) -> Solved:
    """The least ε at which every composition is (ε, δ)-DP, within the tolerance where ends meet.

    Args:
        laws: the mechanisms.
        delta: δ, above 0.
        tolerance: how near the ends shall come.
        max_cost: refuse work that is predicted to cost more.
        seconds: how long to refine; the ends are coarser then, where the time is up before.

    Raises:
        CostLimitError: δ is not above what fails anyway, or the work would exceed the limits; a
            tolerance that is predicted to fit is named, if there is one.
    """
    low, high = left_by_failures(laws, delta)
    target, tilt = Target(low, tolerance, max_cost=max_cost), _HALF
    if laws.has_tilt:
        refuse_many(laws, max_cost)
        try:
            most = _most(laws, delta, low, max_cost)
            tilt = _best_tilt(laws, high, replace(target, epsilon=most))
        except CostLimitError as error:
            raise naming(error, laws, target, tilt) from None
    elif len(laws.tilts_together) > 1 and SingleMechanism.of(laws) is None:
        tilt = _best_of_few(laws, delta, high, target)
    question = _Question(laws, delta, (low, high), tilt, max_cost)
    if not laws.known():
        return _by_orders(question, target)
    by_waves = solved_by_fourier(laws, delta, target, seconds)
    if by_waves is not None:
        return by_waves
    refuse_many(laws, max_cost)
    try:
        found = refine_within(question.solved, tolerance, seconds)
    except CostLimitError as error:
        if not (laws.by_orders and laws.has_moments):
            raise naming(error, laws, target, tilt) from None
        return _by_orders(question, target)
    return question.improved(found, tolerance) if laws.converts else found


def _by_orders(question: _Question, target: Target) -> Solved:
    """The ends without profiles; a refusal of the lower one names a tolerance."""
    try:
        return question.by_orders(target.tolerance)
    except CostLimitError as error:
        raise naming(error, question.laws, target, question.tilt) from None


@dataclass(frozen=True)
class _Question:
    """What is asked at every tolerance."""

    laws: DominatingPairs
    delta: mpq
    allowed: tuple[mpq, mpq]
    tilt: mpq
    max_cost: int

    def solved(self, tolerance: mpq) -> Solved:
        """Both ends, refined until they are as near as the tolerance where they meet."""
        found = self._alone(tolerance)
        if found is not None:
            return found
        unit = aligned_unit(self.laws, first_unit(self.laws, self.tilt, tolerance), tolerance)
        found = self._nothing(tolerance)
        if found is not None:
            return found

        def finer(step: MeshStep[Solved]) -> MeshStep[Solved] | None:
            width = step.found.upper - step.found.lower
            gap = self.laws.has_gap
            if not step.left or width <= tolerance or (gap and step.found.upper > _FEW * step.unit):
                return None
            ratio = mpq(0) if gap else tolerance / width
            unit, points = step.next(self.laws, ratio, tolerance)
            try:
                found = self.at(unit, tolerance, points)
            except CostLimitError:
                return None
            narrower = found.upper - found.lower
            order = _order(narrower / width, before=step.order)
            best = found if narrower < width else step.found
            return MeshStep(best, unit, order, points, step.left - 1)

        return refine(MeshStep(self.at(unit, tolerance), unit), finer).found

    def _alone(self, tolerance: mpq) -> Solved | None:
        """Both ends by the closed form of the only mechanism."""
        alone = SingleMechanism.of(self.laws)
        found = alone and alone.solved(self.allowed, places_within(tolerance) + 2)
        if not found:
            return None
        lower, upper, bracket = found
        return Solved.on_a_mesh(self.delta, (lower, upper), bracket)

    def _nothing(self, tolerance: mpq) -> Solved | None:
        """Both ends at a rough mesh, where an ε of 0 is seen to be enough there already."""
        if tolerance >= ROUGH or self._reveals_more:
            return None
        try:
            if any(side.divergence(_ZERO) > self.allowed[0] for side in self._rough):
                return None
            found = self.at(first_unit(self.laws, self.tilt, ROUGH), ROUGH)
        except CostLimitError:
            return None
        return found if found.upper == 0 else None

    @property
    def _reveals_more(self) -> bool:
        """Whether D(1) is surely far above Δ, by about what ρ of the mechanisms is.

        For normal losses it is about min(1, μ)/√(2π), with μ² = 2ρ.
        """
        entries = self.laws.subject.mechanisms
        rho = sum((entry.rho_estimate() * count for entry, count in entries), mpq(0))
        return min(mpq(1), 2 * rho) > (_FAR_ABOVE * self.allowed[1]) ** 2

    @property
    def _rough(self) -> tuple[Upper, ...]:
        """The side from above at a rough mesh."""
        target = Target(self.allowed[0], ROUGH, max_cost=self.max_cost)
        return upper_sides_at(self.laws, target, first_unit(self.laws, self.tilt, ROUGH))

    def by_orders(self, tolerance: mpq) -> Solved:
        """Both ends where the upper one is that of Rényi divergences alone."""
        order = bound_at(self.laws, self.delta, places_within(tolerance) + 2)
        found = Solved.of_order(self.delta, order)
        if not self.laws.below(self.tilt):
            return found
        unit = first_unit(self.laws, self.tilt, tolerance)
        target = Target(self.allowed[0], tolerance, int(order.epsilon) + 1, self.max_cost)
        bracket = lower_bracket_at(self.laws, target, unit, self.tilt)
        lower = lower_end_of(bracket, self.allowed[1], places_within(tolerance) + 2)
        return found.with_lower(lower, bracket)

    def improved(self, found: Solved, tolerance: mpq) -> Solved:
        """What was found, with the upper end of Rényi divergences where that is less."""
        try:
            order = bound_at(self.laws, self.delta, places_within(tolerance) + 2)
        except OutOfTimeError:
            return found
        return found.with_order(order)

    def at(self, unit: mpq, tolerance: mpq, finer_points: mpq = _WHOLE) -> Solved:
        """Both ends at a mesh, at points as for a tolerance times ``finer_points``."""
        low, high = self.allowed
        target = Target(low, tolerance * finer_points, max_cost=self.max_cost)
        bracket = bracket_at(self.laws, target, unit, self.tilt)
        places = places_within(tolerance) + 2
        upper, lower = _upper_end(bracket, low, places), lower_end_of(bracket, high, places)
        return Solved.on_a_mesh(self.delta, (lower, upper), bracket)


def _order(narrower: mpq, *, before: int) -> int:
    """Of which order the width shrinks with the mesh; 0 where not the mesh, but its points hold.

    Args:
        narrower: the width over that before.
        before: the order that was thought of, 0 where points were chosen anew.
    """
    if narrower * SECOND_ORDER <= 1 or not before:
        return SECOND_ORDER
    return 0 if narrower > STALLED else 1


def _most(laws: DominatingPairs, delta: mpq, allowed: mpq, max_cost: int) -> int:
    """An integer above every end."""
    if laws.by_orders and laws.has_moments:
        return int(bound_at(laws, delta, places_within(ROUGH)).epsilon) + 1
    unit = first_unit(laws, _HALF, ROUGH)
    above = bracket_at(laws, Target(allowed, ROUGH, max_cost=max_cost), unit, _HALF).above
    ends = [side.least_epsilon(allowed) for side in above]
    return int(max((end for end in ends if end is not None), default=mpq(0))) + 1


def _best_tilt(laws: DominatingPairs, allowed: mpq, target: Target) -> mpq:
    """About the tilt with the greatest lower end: on a rough mesh, then near the best so far."""
    step = mpq(1, _TILTS)
    tilts = [i * step for i in range(1, _TILTS)]
    best, rough = _HALF, ROUGH
    for _ in range(_REFINEMENTS):
        roughly = replace(target, tolerance=rough)
        found = {tilt: _lower_at(laws, roughly, allowed, tilt) for tilt in tilts}
        best = max(tilts, key=found.__getitem__)
        rough, step = max(_FINE, target.tolerance), step / _FINER
        tilts = [best + i * step for i in range(1 - _FINER, _FINER)]
    return best


def _best_of_few(laws: DominatingPairs, delta: mpq, allowed: mpq, target: Target) -> mpq:
    """The choice with the greatest lower end: on a rough mesh, then of the best on a finer one.

    The first, if that is too much.
    """
    tilts = laws.tilts_together
    try:
        most = _most(laws, delta, target.allowed, target.max_cost)
        for tolerance in (ROUGH, _FINE):
            asked = replace(target, epsilon=most, tolerance=max(tolerance, target.tolerance))
            found = {tilt: _lower_at(laws, asked, allowed, tilt) for tilt in tilts}
            tilts = tuple(sorted(tilts, key=found.__getitem__, reverse=True)[:_BEST])
        return tilts[0]
    except CostLimitError:
        return tilts[0]


def _lower_at(laws: DominatingPairs, target: Target, allowed: mpq, tilt: mpq) -> mpq:
    """The lower end at a tilt."""
    unit = first_unit(laws, tilt, target.tolerance)
    bracket = lower_bracket_at(laws, target, unit, tilt)
    return lower_end_of(bracket, allowed, places_within(target.tolerance) + 2)


def _upper_end(bracket: Bracket, allowed: mpq, places: int) -> mpq:
    """The least decimal that all directions prove."""
    epsilon = ceil_to(max(proved_by_each(bracket.above, allowed)), places)
    step = mpq(1, mpz(10) ** places)
    while any(side.divergence(ExactNumber(epsilon)) > allowed for side in bracket.above):
        epsilon += step
    return epsilon


def proved_by_each(above: Sequence[Upper], allowed: mpq) -> list[mpq]:
    """About the least ε that each direction proves.

    Raises:
        CostLimitError: one proves none.
    """
    ends = [side.least_epsilon(allowed) for side in above]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends):
        raise CostLimitError(
            field="tolerance",
            value="so small that a mesh that fits loses more than δ",
            expected="a wider one, such as 1/10, or a greater δ",
        )
    return known


def lower_end_of(bracket: Bracket, allowed: mpq, places: int) -> mpq:
    """The greatest decimal that the test refutes; 0 if there is none."""
    found = bracket.below.greatest_epsilon(allowed)
    if found is None:
        return mpq(0)
    epsilon, step = floor_to(found[0], places), mpq(1, mpz(10) ** places)
    while epsilon > 0 and bracket.below.divergence(ExactNumber(epsilon))[0] <= allowed:
        epsilon -= step
    return max(epsilon, mpq(0))

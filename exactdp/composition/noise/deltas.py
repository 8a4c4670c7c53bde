r"""δ at an ε, of mechanisms by their noise.

Rules of this file: an end is printed only if the side at hand proves it.

Theory of operation: about how large δ is is found on a rough mesh; the digits follow from it, and
meshes grow finer until the ends are near, relative to δ.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_above, round_below
from exactdp.arithmetic.enclosures import ball, ball_of_rational, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.mesh.bracket import (
    NO_LIMIT,
    Target,
    bracket_at,
    finer_unit,
    first_unit,
    lower_bracket_at,
    refuse_many,
    upper_sides_at,
)
from exactdp.composition.engines.mesh.single_mechanism import SingleMechanism
from exactdp.composition.engines.moments.orders import divergence_at
from exactdp.composition.engines.refusals import WIDER
from exactdp.composition.named_tolerances import advising
from exactdp.composition.noise.fitting import ROUGH, aligned_unit, naming
from exactdp.composition.noise.stages import refine_within
from exactdp.errors import CostLimitError

_ATTEMPTS: Final = 6
_SECOND_ORDER: Final = 2
_BITS: Final = 256
_HALF: Final = mpq(1, 2)
_FINER: Final = 4
_STALLED: Final = mpq(9, 10)
_LEAST_SCALE: Final = mpq(1, 10**60)
_DIGITS: Final = 12
_SHARE_OF_A_POINT: Final = mpq(1, 256)


def point(
    laws: DominatingPairs,
    epsilon: ExactNumber,
    tolerance: mpq,
    *,
    max_cost: int = NO_LIMIT,
    seconds: float | None = None,
) -> tuple[mpq, mpq]:
    """The least δ at ε: ends, at a relative tolerance where the ends meet, or in time.

    About how large it is is found on a rough mesh first: the digits follow from it.
    """
    if not laws.known():
        return _point_by_orders(laws, epsilon, tolerance, max_cost)
    refuse_many(laws, max_cost)
    try:
        return _point_on_a_mesh(laws, epsilon, tolerance, max_cost, seconds)
    except CostLimitError as error:
        if not (laws.by_orders and laws.has_moments):
            raise (advising(error, None) if error.remedy.startswith(WIDER) else error) from None
        return _point_by_orders(laws, epsilon, tolerance, max_cost)


def _point_on_a_mesh(
    laws: DominatingPairs,
    epsilon: ExactNumber,
    tolerance: mpq,
    max_cost: int,
    seconds: float | None,
) -> tuple[mpq, mpq]:
    """The ends of δ at ε, by privacy losses on a mesh."""
    scale = _scale_of(laws, epsilon, max_cost)
    alone = SingleMechanism.of(laws)
    ends = alone and alone.point(epsilon, scale, tolerance)
    if ends:
        return _with_failures(laws, *ends)
    try:
        return refine_within(
            lambda near: _refined_point(laws, epsilon, near, scale, max_cost), tolerance, seconds
        )
    except CostLimitError as error:
        target = Target(scale, tolerance, max_cost=max_cost)
        raise naming(error, laws, target, _HALF, _SHARE_OF_A_POINT) from None


def _refined_point(
    laws: DominatingPairs, epsilon: ExactNumber, tolerance: mpq, scale: mpq, max_cost: int
) -> tuple[mpq, mpq]:
    """The ends of δ at ε, on finer and finer meshes; δ is about ``scale``, or less."""
    near = min(tolerance, ROUGH) / 8
    unit = aligned_unit(laws, first_unit(laws, _HALF, near), tolerance)
    low, high = _ends_at(laws, epsilon, Target(scale, near, max_cost=max_cost), unit)
    order = 2
    for attempt in range(_ATTEMPTS):
        width = high - low
        if width <= tolerance * low or laws.has_gap or scale < _LEAST_SCALE:
            break
        ratio = tolerance * max(low, width / 100) / width
        before, unit = unit, aligned_unit(laws, finer_unit(unit, ratio, order), tolerance)
        try:
            low, high = _ends_at(laws, epsilon, Target(scale, near, max_cost=max_cost), unit)
        except CostLimitError:
            if low > 0:
                raise
            break  # it may be 0 itself, to which no mesh comes relatively near
        if _stalled(before / unit, (high - low) / width, low, attempt):
            break
        order = 2 if (high - low) * _SECOND_ORDER <= width else 1
    return low, high


def _stalled(finer: mpq, narrower: mpq, low: mpq, attempt: int) -> bool:
    """Whether a much finer mesh brought nothing, or δ seems to be 0, to which none comes near."""
    return (finer >= _FINER and narrower > _STALLED) or (low == 0 and attempt > 0)


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


def _scale_of(laws: DominatingPairs, epsilon: ExactNumber, max_cost: int) -> mpq:
    """A divergence of about the size of that at ε, or below all that matter.

    Raises:
        CostLimitError: a rough mesh costs too much already.
    """
    unit, scale = first_unit(laws, _HALF, ROUGH), mpq(1, 100)
    while scale > _LEAST_SCALE:
        above = upper_sides_at(laws, Target(scale, ROUGH, max_cost=max_cost), unit)
        found = max(side.divergence(epsilon) for side in above)
        if found >= scale / 10:
            return scale
        scale = max(found / 2, scale * mpq(1, 10**6))
    return scale


def _ends_at(
    laws: DominatingPairs, epsilon: ExactNumber, target: Target, unit: mpq
) -> tuple[mpq, mpq]:
    """The ends of δ at a mesh."""
    bracket = bracket_at(laws, replace(target, point=epsilon), unit, _HALF)
    high = max(side.divergence(epsilon) for side in bracket.above)
    if laws.converts:
        high = min(high, divergence_at(laws, epsilon))
    return _with_failures(laws, bracket.below.divergence(epsilon)[0], high)


def _with_failures(laws: DominatingPairs, low: mpq, high: mpq) -> tuple[mpq, mpq]:
    """The ends of δ for those of D: with the failures beside it, in decimals."""
    with precision(_BITS):
        kept = 1 - laws.allowed(mpq(0))  # 1/∏(1 - δ_i)
        ends = (1 - (1 - ball_of_rational(each)) / kept for each in (low, high))
        below, above = lower_end(next(ends)), upper_end(next(ends))
    return max(mpq(0), round_below(below, _DIGITS)), min(mpq(1), round_above(above, _DIGITS))

r"""Tolerances that fit: what a refusal of mechanisms by their noise says would be answered.

Rules of this file: a tolerance is named only if what it takes is predicted to stay well within all
limits; floats will do, and about where ε lies is found on a rough mesh.

Theory of operation: both sides are planned at a mesh finer than the first one, as they may be
refined; how far losses spread follows from their variances.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import Final, Generic, TypeVar

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import places_within
from exactdp.arithmetic.enclosures import double_of, precision
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.mesh.alignment import aligned
from exactdp.composition.engines.mesh.bracket import (
    Target,
    effort_for,
    finer_unit,
    first_unit,
    upper_sides_at,
)
from exactdp.composition.engines.mesh.cells import LossMesh, connect_the_dots
from exactdp.composition.engines.mesh.either_side import Upper
from exactdp.composition.engines.mesh.powers import MOST_CELLS, spread_of
from exactdp.composition.engines.refusals import WIDER
from exactdp.composition.named_tolerances import advising, finest_that_fits
from exactdp.errors import CostLimitError
from exactdp.mechanisms.pairs import Direction

F = TypeVar("F")

ROUGH: Final = mpq(1, 20)
"""How near ends come where it is only asked about where they are."""

_ROUGHEST: Final = mpq(1)
_HALF: Final = mpq(1, 2)
_CHEAP: Final = 5 * 10**9
_ROOM: Final = 2
SECOND_ORDER: Final = 2
STALLED: Final = mpq(9, 10)
"""The part of a width after which a step has brought nothing."""
_ATTEMPTS: Final = 6
_LEAST_RATIO: Final = mpq(1, 100)
_MOST_LAWS: Final = 300


@dataclass(frozen=True)
class _About:
    """What a rough mesh says of a ledger."""

    epsilon: int
    """An integer above ε."""

    deviation: float
    """Of the losses of all mechanisms together."""


def naming(
    error: CostLimitError, laws: DominatingPairs, target: Target, tilt: mpq, share: mpq = _ROUGHEST
) -> CostLimitError:
    """The error, where it asks for a wider tolerance, with the finest that is predicted to fit.

    None is looked for where there are so many mechanisms that this would take long.

    Args:
        error: what was refused.
        laws: the mechanisms.
        target: what was asked.
        tilt: of mechanisms of bounded range.
        share: of a tolerance, how near the ends of ε are made for it.
    """
    if not error.remedy.startswith(WIDER):
        return error
    about = None if len(laws.known()) > _MOST_LAWS else _about(laws, target)
    if about is None:
        return advising(error, None)

    def fits(tolerance: mpq) -> bool:
        near = min(tolerance, ROUGH) if laws.has_tilt else tolerance
        return _fits(
            laws, replace(target, tolerance=near * share, epsilon=about.epsilon), tilt, about
        )

    return advising(error, finest_that_fits(fits, places_within(target.tolerance)))


def _fits(laws: DominatingPairs, target: Target, tilt: mpq, about: _About) -> bool:
    """Whether both sides of a tolerance are planned within the limits, with room."""
    directions = laws.directions
    first = first_unit(laws, tilt, target.tolerance) / _ROOM
    unit = aligned_unit(laws, first, target.tolerance)
    if spread_of(about.deviation / double_of(unit)) > MOST_CELLS / _ROOM:
        return False
    spare = replace(target, max_cost=target.max_cost // _ROOM)
    try:
        effort_for(laws.above(), spare, unit, directions, both=False)
        for direction in directions:
            effort_for(laws.below(tilt), spare, unit, (direction,), both=True)
    except CostLimitError:
        return False
    return True


def _about(laws: DominatingPairs, target: Target) -> _About | None:
    """What a rough mesh says; None where that is much work already."""
    unit = first_unit(laws, _HALF, _ROUGHEST)
    rough = replace(
        target, tolerance=_ROUGHEST, epsilon=0, max_cost=min(target.max_cost, _CHEAP), point=None
    )
    try:
        sides = upper_sides_at(laws, rough, unit)
    except CostLimitError:
        return None
    ends = [side.least_epsilon(target.allowed) for side in sides]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends):
        return None
    deviation = max(
        _deviation(laws, side, unit, direction)
        for direction, side in zip(laws.directions, sides, strict=True)
    )
    return _About(int(max(known)) + 2, deviation)


def _deviation(laws: DominatingPairs, side: Upper, unit: mpq, direction: Direction) -> float:
    """About the deviation of all losses together."""
    with precision(side.bits):
        mesh = LossMesh(unit, side.mesh.digits)
        pairs = zip(laws.above(), side.plan.points, strict=True)
        square = sum(
            count * connect_the_dots(law, points, mesh, direction).variance()
            for (law, count), points in pairs
        )
    return sqrt(square) * double_of(unit)


@dataclass(frozen=True)
class MeshStep(Generic[F]):
    """What was found at a mesh, and how the next one is chosen.

    Attributes:
        found: at the mesh.
        unit: the mesh.
        order: of which order in the mesh the width shrinks; 0 where the points hold it.
        finer_points: the points are those for a tolerance times this.
        left: how many steps may follow.
    """

    found: F
    unit: mpq
    order: int = SECOND_ORDER
    finer_points: mpq = mpq(1)  # noqa: RUF009 (a number, which nothing changes)
    left: int = _ATTEMPTS

    @property
    def is_first(self) -> bool:
        """Whether no step was before."""
        return self.left == _ATTEMPTS

    def next(self, laws: DominatingPairs, ratio: mpq, tolerance: mpq) -> tuple[mpq, mpq]:
        """The mesh and the points that shrink the width to about this part."""
        if self.order:
            finer = finer_unit(self.unit, ratio, self.order)
            return aligned_unit(laws, finer, tolerance), self.finer_points
        return self.unit, self.finer_points * max(ratio * _HALF, _LEAST_RATIO)


def aligned_unit(laws: DominatingPairs, unit: mpq, tolerance: mpq) -> mpq:
    """A mesh as fine that the greatest losses meet."""
    return aligned(laws.known(), unit, tolerance, laws.directions)

r"""A side of the bracket, composed exactly or in doubles: whichever says it sooner.

Rules of this file: numpy is loaded only where a side is composed in doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from exactdp.composition.engines.mesh.adaptive_mesh import are_few
from exactdp.composition.engines.mesh.powers import Plan
from exactdp.composition.engines.mesh.sides import Discretization, LowerPld, UpperPld
from exactdp.mechanisms.pairs import CountedPair, Direction

if TYPE_CHECKING:
    from exactdp.composition.engines.mesh.sides_in_doubles import LowerSide, UpperSide

Upper: TypeAlias = "UpperPld | UpperSide"
Lower: TypeAlias = "LowerPld | LowerSide"


def upper_side(
    laws: Sequence[CountedPair], effort: Discretization, direction: Direction, plan: Plan
) -> Upper:
    """The side from above at the points of a plan."""
    if are_few(laws, plan.points):
        return UpperPld.of(laws, effort, direction, chosen=plan)
    from exactdp.composition.engines.mesh.sides_in_doubles import UpperSide  # noqa: PLC0415 (numpy)

    return UpperSide(laws, effort, direction, plan)


def lower_side(
    laws: Sequence[CountedPair], effort: Discretization, direction: Direction, plan: Plan
) -> Lower:
    """The side from below at the points of a plan."""
    if are_few(laws, plan.points):
        return LowerPld.of(laws, effort, direction, chosen=plan)
    from exactdp.composition.engines.mesh.sides_in_doubles import LowerSide  # noqa: PLC0415 (numpy)

    return LowerSide(laws, effort, direction, plan)

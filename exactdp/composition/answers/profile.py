r"""``exactdp.profile``: the privacy profile, δ for each ε, as certain intervals."""

from __future__ import annotations

from collections.abc import Iterable

from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.approaches import answering
from exactdp.composition.answers.arguments import (
    LedgerLike,
    ledger_of,
    points_of,
    width_for,
)
from exactdp.composition.answers.results import ProfilePoint
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError


def profile(
    ledger: LedgerLike,
    *,
    epsilon: Iterable[Number],
    tolerance: Number | None = None,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
    time_limit: float | None = None,
) -> tuple[ProfilePoint, ...]:
    r"""The privacy profile, δ for each ε, enclosed; for ledgers with ρ the ends do not meet.

    Args:
        ledger: as for :func:`exactdp.compose`.
        epsilon: the values of ε >= 0, in nats.
        tolerance: the width of each interval, relative to its lower end, where rules allow it.
        method: as for :func:`exactdp.compose`.
        max_cost: as for :func:`exactdp.compose`.
        time_limit: seconds for all points, each of which has an equal share of what the ones before
            it left; where the next refinement would not fit into that, the best certain interval so
            far is the answer.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits.

    >>> [point] = profile([("ln(3)", 0, 2)], epsilon=["ln(3)"])
    >>> print(point.lower, point.upper, point.method)
    0.375 0.375 atoms
    """
    ledger = ledger_of(ledger)
    width, points = width_for(ledger, tolerance), points_of(epsilon)
    asked = answering(ledger, method, max_cost)
    try:
        return asked.profile(points, width, time_limit)
    except CostLimitError as error:
        if tolerance is not None or method is not None:
            raise
        return asked.settle_profile(points, error)

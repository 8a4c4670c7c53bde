r"""Curves for ledgers in ρ, in μ and by noise: how bounds grow with the mechanisms and their scale.

Rules of this file: as in ``curves``; the lowest curve is the best upper end that is certified.

Theory of operation: along k stand the first mechanisms of the ledger; along the scale the whole
ledger with every answer multiplied by a factor beside its noise. A table has no such factor, and
then there is no such panel. A certified bracket by noise takes a while, so that there are fewer
points, each to a hundredth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.composition.closed_forms.bounds import bounds
from exactdp.composition.closed_forms.curves import CurvePoint, Panel
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.scaling import scale_noise
from exactdp.mechanisms import Entry

BEST: Final = "Best certified"
POINTS: Final = 8
_WIDTH: Final = mpq(1, 100)
_PLACES: Final = 6
_GREATEST_SCALE: Final = 2


def notion_panels(
    ledger: Ledger, delta: mpq, *, points: int = POINTS, max_cost: int = DEFAULT_MAX_COST
) -> tuple[Panel, ...]:
    """The bounds along the number of mechanisms and, where there is one, along their scale.

    Args:
        ledger: what to compose.
        delta: the global δ, the same everywhere.
        points: how many places on each axis, at most.
        max_cost: as for :func:`exactdp.compose`, for each point.
    """
    counts = sorted({max(1, ledger.size * i // points) for i in range(1, points + 1)})
    first = [(mpq(k), _beginning(ledger, k)) for k in counts if k <= ledger.size]
    along_counts = Panel("k", "mechanisms k", _points(first, delta, max_cost))
    try:
        scales = [mpq(_GREATEST_SCALE * i, points) for i in range(1, points + 1)]
        second = [(scale, scale_noise(ledger, scale)) for scale in scales]
    except UnsupportedError:
        return (along_counts,)
    label = f"scale of the answers of {ledger.size} mechanisms"
    return (along_counts, Panel("scale", label, _points(second, delta, max_cost)))


def _beginning(ledger: Ledger, count: int) -> Ledger:
    return replace(ledger, mechanisms=tuple(_first(ledger, count)), claims=())


def _first(ledger: Ledger, count: int) -> Iterator[Entry]:
    left = count
    for each in ledger.mechanisms:
        if left <= 0:
            return
        yield each.times(min(each.count, left))
        left -= each.count


def _points(places: list[tuple[mpq, Ledger]], delta: mpq, max_cost: int) -> tuple[CurvePoint, ...]:
    return tuple(CurvePoint(x, _uppers(ledger, delta, max_cost)) for x, ledger in places)


def _uppers(ledger: Ledger, delta: mpq, max_cost: int) -> dict[str, mpq]:
    """The curves that exist at one place."""
    try:
        found = bounds(ledger, delta=delta, tolerance=_WIDTH, max_cost=max_cost)
    except CostLimitError:
        return {}
    uppers = {
        row.form.name: enclose_in_decimals(row.epsilon, _PLACES)[1]
        for row in found.rows
        if row.epsilon is not None
    }
    best = None if found.optimum is None else found.optimum.upper
    return uppers if best is None else {**uppers, BEST: best}

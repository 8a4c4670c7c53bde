r"""Curves: how the bounds grow with the number of mechanisms, and with their ε or their answers.

Rules of this file: every point is a certain upper end, of the optimum or of a closed form; where
there is none (δ infeasible, a theorem that does not apply, work beyond the limit), it is a gap.

Theory of operation: along k stand the first mechanisms of the ledger, in its order; along ε the
whole ledger with every ε_i multiplied by one scale. For equal mechanisms these are the two plots in
the appendix of Murtagh & Vadhan, whose four curves are drawn here. With ρ, μ or noise the scale is
a factor of every answer beside its noise; a table has none, and then there is no such panel. A
certified bracket by noise takes a while, so that there are fewer points, each to a hundredth.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, appendix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import enclose_in_decimals, places_within
from exactdp.composition.answers.compose import compose
from exactdp.composition.closed_forms.bounds import bounds
from exactdp.composition.closed_forms.rows import formulas
from exactdp.composition.closed_forms.table import CLOSED_FORMS
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.composition.problem import Problem
from exactdp.errors import CostLimitError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.scaling import scale_ledger, scale_noise
from exactdp.mechanisms import Entry
from exactdp.mechanisms.family import GivenBy

POINTS: Final = 40
OPTIMAL: Final = "Optimal"
BEST: Final = "Best certified"
CURVES: Final = {name: form.curve for name, form in CLOSED_FORMS.items() if form.curve}
"""The closed forms that are drawn, and what papers call their curves."""

_FEWER_POINTS: Final = 8
_FINENESS: Final = 10_000
_WIDTH: Final = mpq(1, 100)
_PLACES: Final = 6
_GREATEST_SCALE: Final = 2


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What the bounds are at one place: certain upper ends by the name of the curve."""

    x: mpq
    upper: dict[str, mpq]


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves over one axis.

    Attributes:
        over: "k" or "scale".
        label: what the axis shows, for people.
        points: from left to right.
    """

    over: str
    label: str
    points: tuple[CurvePoint, ...]


def panels(
    ledger: Ledger, delta: mpq, *, points: int | None = None, max_cost: int = DEFAULT_MAX_COST
) -> tuple[Panel, ...]:
    """The bounds along the number of mechanisms and, where there is one, along their scale.

    Args:
        ledger: what to compose.
        delta: the global δ, the same everywhere.
        points: how many places on each axis, at most; None for as many as such a ledger allows.
        max_cost: as for :func:`exactdp.compose`, for each point.
    """
    kind = _KINDS[ledger.given_by]
    points = points or kind.points
    counts = sorted({max(1, ledger.size * i // points) for i in range(1, points + 1)})
    first = [(mpq(k), beginning(ledger, k)) for k in counts if k <= ledger.size]
    along_counts = Panel("k", "mechanisms k", _points(first, delta, max_cost))
    unit, label = _axis_of_scales(ledger)
    try:
        scales = [mpq(_GREATEST_SCALE * i, points) for i in range(1, points + 1)]
        second = [(scale * unit, kind.scaled(ledger, scale)) for scale in scales]
    except UnsupportedError:
        return (along_counts,)
    return (along_counts, Panel("scale", label, _points(second, delta, max_cost)))


def beginning(ledger: Ledger, count: int) -> Ledger:
    """The ledger of the first ``count`` mechanisms."""
    return replace(ledger, mechanisms=tuple(_first(ledger, count)), claims=())


def _first(ledger: Ledger, count: int) -> Iterator[Entry]:
    left = count
    for each in ledger.mechanisms:
        if left <= 0:
            return
        yield each.times(min(each.count, left))
        left -= each.count


def _axis_of_scales(ledger: Ledger) -> tuple[mpq, str]:
    """What one scale is on the axis: ε itself where all mechanisms share a rational one."""
    if ledger.given_by != "epsilon-delta":
        return mpq(1), f"scale of the answers of {ledger.size} mechanisms"
    epsilons = {each.epsilon for each in ledger.approximate()}
    if len(epsilons) == 1 and (epsilon := epsilons.pop()).is_rational:
        return epsilon.rational, f"ε of each of {ledger.size} mechanisms"
    return mpq(1), f"factor of every ε of {ledger.size} mechanisms"


def _points(places: list[tuple[mpq, Ledger]], delta: mpq, max_cost: int) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(x, _KINDS[ledger.given_by].uppers(ledger, delta, max_cost))
        for x, ledger in places
    )


def _optimal_uppers(ledger: Ledger, delta: mpq, max_cost: int) -> dict[str, mpq]:
    """The curves that exist at one place, to a ten-thousandth of basic composition."""
    total = Problem.of(ledger).total_epsilon
    size = enclose_in_decimals(total, 20)[1]
    width = size / _FINENESS if size else mpq(1)
    digits = places_within(width) + 1
    uppers = {
        CURVES[row.formula]: enclose_in_decimals(row.epsilon, digits)[1]
        for row in formulas(ledger, delta, digits, CURVES)
        if row.epsilon is not None
    }
    try:
        optimum = compose(ledger, delta=delta, tolerance=width, max_cost=max_cost).upper_end
    except CostLimitError:
        optimum = None
    return uppers if optimum is None else {**uppers, OPTIMAL: optimum}


def _certified_uppers(ledger: Ledger, delta: mpq, max_cost: int) -> dict[str, mpq]:
    """The curves that exist at one place, each to a hundredth."""
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


@dataclass(frozen=True, slots=True)
class _Kind:
    """How the curves of a ledger are drawn.

    Attributes:
        points: the places on each axis.
        scaled: the ledger at a scale.
        uppers: the curves that exist at one place.
    """

    points: int
    scaled: Callable[[Ledger, mpq], Ledger]
    uppers: Callable[[Ledger, mpq, int], dict[str, mpq]]


_CERTIFIED: Final = _Kind(_FEWER_POINTS, scale_noise, _certified_uppers)
_KINDS: Final[Mapping[GivenBy, _Kind]] = {
    "epsilon-delta": _Kind(POINTS, scale_ledger, _optimal_uppers),
    "rho-mu": _CERTIFIED,
    "noise": _CERTIFIED,
}

r"""Curves: how the bounds grow with the number of mechanisms, and with their ε.

Rules of this file: every point is a certain upper end, of the optimum or of a closed form; where
there is none (δ infeasible, a theorem that does not apply, work beyond the limit), it is a gap.

Theory of operation: along k stand the first mechanisms of the ledger, in its order; along ε the
whole ledger with every ε_i multiplied by one scale. For equal mechanisms these are the two plots in
the appendix of Murtagh & Vadhan, whose four curves are drawn here.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, appendix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import enclose_in_decimals, places_within
from exactdp.certificate.rule_table import CLOSED_FORMS
from exactdp.composition.answers.compose import compose
from exactdp.composition.closed_forms.rows import formulas
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.composition.problem import Problem
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.ledger.scaling import scale_ledger
from exactdp.mechanisms import Mechanism

POINTS: Final = 40
OPTIMAL: Final = "Optimal"
CURVES: Final = {rule: form.curve for rule, form in CLOSED_FORMS.items() if form.curve}
"""The rules of the closed forms that are drawn, and what papers call their curves."""

_FINENESS: Final = 10_000
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
    ledger: Ledger, delta: mpq, *, points: int = POINTS, max_cost: int = DEFAULT_MAX_COST
) -> tuple[Panel, Panel]:
    """The bounds along the number of mechanisms, and along their ε.

    Args:
        ledger: what to compose; every mechanism given by (ε, δ).
        delta: the global δ, the same everywhere.
        points: how many places on each axis, at most.
        max_cost: as for :func:`exactdp.compose`, for each point.

    Raises:
        UnsupportedError: a mechanism is given by ρ or μ.
    """
    unit, label = _axis_of_scales(ledger)
    counts = sorted({max(1, ledger.size * i // points) for i in range(1, points + 1)})
    scales = [mpq(_GREATEST_SCALE * i, points) for i in range(1, points + 1)]
    first = [(mpq(k), beginning(ledger, k)) for k in counts if k <= ledger.size]
    second = [(c * unit, scale_ledger(ledger, c)) for c in scales]
    return (
        Panel("k", "mechanisms k", _points(first, delta, max_cost)),
        Panel("scale", label, _points(second, delta, max_cost)),
    )


def beginning(ledger: Ledger, count: int) -> Ledger:
    """The ledger of the first ``count`` mechanisms."""
    return replace(ledger, mechanisms=tuple(_first(ledger, count)), claims=())


def _first(ledger: Ledger, count: int) -> Iterator[Mechanism]:
    left = count
    for each in ledger.approximate():
        if left <= 0:
            return
        yield Mechanism(each.epsilon, each.delta, min(each.count, left), each.label)
        left -= each.count


def _axis_of_scales(ledger: Ledger) -> tuple[mpq, str]:
    """What one scale is on the axis: ε itself where all mechanisms share a rational one."""
    epsilons = {each.epsilon for each in ledger.approximate()}
    if len(epsilons) == 1 and (epsilon := epsilons.pop()).is_rational:
        return epsilon.rational, f"ε of each of {ledger.size} mechanisms"
    return mpq(1), f"factor of every ε of {ledger.size} mechanisms"


def _points(places: list[tuple[mpq, Ledger]], delta: mpq, max_cost: int) -> tuple[CurvePoint, ...]:
    return tuple(CurvePoint(x, _uppers(ledger, delta, max_cost)) for x, ledger in places)


def _uppers(ledger: Ledger, delta: mpq, max_cost: int) -> dict[str, mpq]:
    """The curves that exist at one place, to a ten-thousandth of basic composition."""
    total = Problem.of(ledger).total_epsilon
    size = enclose_in_decimals(total, 20)[1]
    width = size / _FINENESS if size else mpq(1)
    digits = places_within(width) + 1
    uppers = {
        CURVES[row.rule]: enclose_in_decimals(row.epsilon, digits)[1]
        for row in formulas(ledger, delta, digits, CURVES)
        if row.epsilon is not None
    }
    try:
        optimum = compose(ledger, delta=delta, tolerance=width, max_cost=max_cost).upper_end
    except CostLimitError:
        optimum = None
    return uppers if optimum is None else {**uppers, OPTIMAL: optimum}

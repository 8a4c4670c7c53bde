r"""Mechanisms known by their Rényi divergences: one curve for all of them, and its dots.

Rules of this file: every order gives a bound that holds, so that which orders are looked at decides
only how near the curve is. A dot is kept only where its weight is surely not below 0.

Theory of operation: divergences of one order α add up to τ(α), and the profile of what has them is,
at every loss l, at most e^{c - (α-1)l} with

.. math:: c = (\alpha-1)\tau(\alpha) + \alpha \ln(1 - 1/\alpha) - \ln(\alpha - 1).

They hold in both directions, so that h(y) = 1 - y + y·h(1/y) bounds it below l = 0. The least of
these bounds is no profile where it bends the wrong way; a profile lies below the lower hull of it.

Sources: certs/SPEC.md, section 11.5; Canonne, Kamath & Steinke, arXiv:2004.00010, Proposition 12.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import log1p, sqrt
from typing import ClassVar, Final, TypeAlias

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.threshold import halved
from exactdp.mechanisms.pairs import Curve, Direction, SameSupport

Listed: TypeAlias = Sequence[tuple[Sequence[tuple[mpq, mpq]], int]]
"""Lists of orders with their divergences, and their counts."""

_Dot: TypeAlias = tuple[int, arb]
"""A loss in units, and the value there."""

_ORDERS: Final = 128
_MOST_ORDERS: Final = 256
_LEAST: Final = 0.02
_TAIL: Final = 150.0
_HALVINGS: Final = 60
_UNIT: Final = 10**6


@dataclass(frozen=True)
class ByOrders(SameSupport, Curve):
    """All mechanisms that are given by ρ or by lists of divergences, together.

    Attributes:
        bounds: orders α, rising from above 1, each with τ(α).
    """

    bounds: tuple[tuple[mpq, mpq], ...]

    IS_CONVEX: ClassVar[bool] = False

    @staticmethod
    def of(rho: mpq, listed: Listed) -> ByOrders:
        """The curve of zCDP with ``rho`` in all, and of what is listed."""
        orders = common_orders(listed) if listed else _orders_of(rho)
        return ByOrders(tuple((alpha, _divergence(alpha, rho, listed)) for alpha in orders))

    @property
    def orders(self) -> tuple[str, ...]:
        """The orders, as the format has them."""
        return tuple(str(alpha) for alpha, _ in self.bounds)

    def greatest_loss(self, direction: Direction) -> None:
        """None is known."""
        del direction

    def profile(self, loss: arb) -> arb:
        """The least that an order gives, at most 1; below 0 by that of the reverse."""
        if loss < 0:
            odds = loss.exp()
            return 1 - odds + odds * self.profile(-loss)
        about = float(loss)
        _, best = min((value - slope * about, at) for at, (slope, value) in enumerate(self._rough))
        alpha, tau = self.bounds[best]
        return arb(0).min(_at_zero(alpha, tau) - ball_of_rational(alpha - 1) * loss).exp()

    @property
    def _rough(self) -> tuple[tuple[float, float], ...]:
        return _rough_lines(self.bounds)


@cache
def _rough_lines(bounds: tuple[tuple[mpq, mpq], ...]) -> tuple[tuple[float, float], ...]:
    """Slopes α - 1, with the values of c."""
    return tuple(
        (float(ball_of_rational(alpha - 1)), float(_at_zero(alpha, tau))) for alpha, tau in bounds
    )


def _at_zero(alpha: mpq, tau: mpq) -> arb:
    """The value of c."""
    order = ball_of_rational(alpha)
    scaled = ball_of_rational((alpha - 1) * tau)
    return scaled + order * (1 - 1 / order).log() - (order - 1).log()


def _divergence(alpha: mpq, rho: mpq, listed: Listed) -> mpq:
    """τ(α): of a list, the bound of the next order counts."""
    known = (count * next(r for a, r in orders if a >= alpha) for orders, count in listed)
    return alpha * rho + sum(known, mpq(0))


# --- the orders ---------------------------------------------------------------------------------


def common_orders(listed: Listed) -> tuple[mpq, ...]:
    """The listed orders that no list ends below, in order."""
    most = min(orders[-1][0] for orders, _ in listed)
    return tuple(sorted({a for orders, _ in listed for a, _ in orders if a <= most}))


def _orders_of(rho: mpq) -> tuple[mpq, ...]:
    """Orders from the best one at a loss of 0 up to one of a tail that never matters."""
    size = float(ball_of_rational(rho))
    first = max(_LEAST, _best_at_zero(size) - 1)
    last = max(2 * first, sqrt(_TAIL / size))
    ratio = (last / first) ** (1 / (_ORDERS - 1))
    slopes = {mpq(round(first * ratio**at * _UNIT), _UNIT) for at in range(_ORDERS)}
    return tuple(1 + slope for slope in sorted(slopes))


def _best_at_zero(rho: float) -> float:
    """About the order with (2α - 1)ρ = -ln(1 - 1/α)."""

    def is_above(alpha: float) -> bool:
        return (2 * alpha - 1) * rho + log1p(-1 / alpha) > 0

    return halved(is_above, 1.0, 2 + 1 / sqrt(rho), _HALVINGS)[1]


# --- dots ---------------------------------------------------------------------------------------


def hull(dots: Sequence[_Dot], loss_of: Callable[[int], arb]) -> list[tuple[int, arb]]:
    """The weights of the lines of the lower hull of (0, 1) and the dots, by their losses."""
    slope = cache(lambda step: 1 / loss_of(step).expm1())
    kept: list[_Dot] = []
    listed = zip((j for j, _ in dots), accumulate((v for _, v in dots), arb.min), strict=True)
    for dot in listed:
        while kept and not _weight(kept[-2] if kept[1:] else None, kept[-1], dot, slope) >= 0:
            kept.pop()
        kept.append(dot)
    neighbours = zip([None, *kept], kept, [*kept[1:], None], strict=False)
    return [(here[0], _weight(before, here, after, slope)) for before, here, after in neighbours]


def _weight(
    before: _Dot | None, here: _Dot, after: _Dot | None, slope: Callable[[int], arb]
) -> arb:
    """What the loss of a dot weighs between its neighbours."""
    j, value = here
    drop = 1 - value if before is None else before[1] - value
    weight = drop if before is None else drop + slope(j - before[0]) * drop
    return weight if after is None else weight - slope(after[0] - j) * (value - after[1])

r"""``exactdp.profile``: the privacy profile, δ for each ε, as certain intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from exactdp.answers.arguments import (
    DEFAULT_TOLERANCE,
    ledger_of,
    method_of,
    nonnegative,
    refuse_method,
    tolerance_of,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.engines.planner import DEFAULT_MAX_COST
from exactdp.composition.engines.problem import Problem
from exactdp.composition.solver import Solver
from exactdp.conversion.derivations import Routes
from exactdp.conversion.parts import Parts
from exactdp.ledger.model import Ledger


@dataclass(frozen=True, slots=True)
class ProfilePoint:
    """The privacy profile at one ε: lower <= δ(ε) <= upper.

    Attributes:
        epsilon: ε, in nats.
        lower: a δ that is not enough, or just enough.
        upper: a δ that every composition keeps.
        method: how ``upper`` was found: an engine, a rule of conversions, or "closed-form".
    """

    epsilon: ExactNumber
    lower: mpq
    upper: mpq
    method: str


def profile(
    ledger: Ledger | Iterable[object],
    *,
    epsilon: Sequence[object],
    tolerance: object = DEFAULT_TOLERANCE,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> tuple[ProfilePoint, ...]:
    r"""The privacy profile, δ for each ε, enclosed; for ledgers with ρ the ends do not meet.

    Args:
        ledger: as for :func:`exactdp.compose`.
        epsilon: the values of ε >= 0, in nats.
        tolerance: the width of each interval, relative to its lower end, where rules allow it.
        method: as for :func:`exactdp.compose`.
        max_cost: as for :func:`exactdp.compose`.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits.

    >>> [point] = profile([("ln(3)", 0, 2)], epsilon=["ln(3)"])
    >>> print(point.lower, point.upper, point.method)
    3/8 3/8 rational-odds
    """
    ledger, width = ledger_of(ledger), tolerance_of(tolerance)
    points = [nonnegative(value) for value in epsilon]
    if not ledger.is_approximate:
        refuse_method(method)
        routes = Routes(Parts.of(ledger))
        return tuple(_derived_point(routes, point, width) for point in points)
    solver = Solver(Problem.of(ledger), method=method_of(method), max_cost=max_cost)
    return tuple(
        ProfilePoint(point, *solver.profile(point, width), solver.method_at(point))
        for point in points
    )


def _derived_point(routes: Routes, epsilon: ExactNumber, width: mpq) -> ProfilePoint:
    low = routes.below.profile(epsilon, width)
    tried = [(route.profile(epsilon, width), route.rule) for route in routes.fixed]
    first = tried[0][0]
    if low and low < first < 1 and routes.parts.allowed(first).sign > 0:
        # Near this δ, ρ may do better as one mechanism with a share of it.
        tried = [(route.profile(epsilon, width), route.rule) for route in routes.above(first)]
    high, rule = min(tried)
    return ProfilePoint(epsilon, low, high, rule)

r"""The conversions that are formulas in Rényi divergences: what each gives, and how to show it.

Rules of this file: an answer is an α, or a closed form, that the verifier can check again. "Not
derivable" is said with a proof where the formula is strictly convex (zCDP), and else not at all.

Sources: as for :mod:`exactdp.composition.engines.moments.renyi`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import ceil_to, floor_log10, places_within
from exactdp.arithmetic.enclosures import ball, bits_of, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.engines.moments.renyi import (
    Divergences,
    epsilon_of_order,
    least_log_failure,
    log_failure,
    order_for_delta,
    order_for_epsilon,
)
from exactdp.composition.problem import AllowedDivergence, Problem
from exactdp.errors import CostLimitError

Formula = Literal["zcdp-bun-steinke", "zcdp-canonne-kamath-steinke", "moments"]
FORMULAS: Final[tuple[Formula, ...]] = (
    "zcdp-bun-steinke",
    "zcdp-canonne-kamath-steinke",
    "moments",
)

_GUARD_BITS: Final = 64
_SPARE_DIGITS: Final = 4
_FIRST_DIGITS: Final = 8
_MOST_DIGITS: Final = 2000
_FEW_DIGITS: Final = 128  # where it is never shown that no order gives a claim


@dataclass(frozen=True, slots=True)
class Derived:
    """What a formula says of a claim (ε, δ).

    Attributes:
        holds: whether the formula gives it.
        alpha: the order that shows it; None for the closed form.
        digits: how many digits a check needs.
    """

    holds: bool
    alpha: mpq | None
    digits: int


def divergences_of(formula: Formula, problem: Problem) -> Divergences:
    """Rényi divergences: of pure mechanisms that of randomized response, or that of zCDP."""
    rho = problem.rho + problem.square / 2
    if formula == "moments":
        return Divergences(rho, pure=problem.epsilons)
    return Divergences(rho, concentrated=problem.epsilons)


def least_epsilon(
    formula: Formula, problem: Problem, allowed: AllowedDivergence, tolerance: mpq
) -> mpq:
    """A decimal ε that the formula gives for Δ > 0, at most about ``tolerance`` too large."""
    places = places_within(tolerance) + 1
    divergences = divergences_of(formula, problem)
    digits = places // 2 + _SPARE_DIGITS
    with precision(8 * digits + _GUARD_BITS):
        log_delta = allowed.ball(4 * places + _GUARD_BITS).log()
        if formula == "zcdp-bun-steinke":
            epsilon = _bun_steinke(divergences, log_delta)
        else:
            alpha = order_for_delta(divergences, log_delta, digits)
            epsilon = epsilon_of_order(divergences, alpha, log_delta)
        return max(mpq(0), ceil_to(upper_end(epsilon), places))


def least_log_delta(formula: Formula, problem: Problem, epsilon: ExactNumber, digits: int) -> arb:
    """A ball of about the least ln Δ that the formula gives at ε; its upper end is given."""
    divergences = divergences_of(formula, problem)
    with precision(8 * digits + _GUARD_BITS):
        size = ball(epsilon)
        if formula == "zcdp-bun-steinke":
            rho = divergences.total_rho()
            room = (size - rho).max(arb(0))
            return -(room**2) / (4 * rho)
        alpha = order_for_epsilon(divergences, size, digits)
        return log_failure(divergences, alpha, size)


def derive(
    formula: Formula, problem: Problem, epsilon: ExactNumber, allowed: AllowedDivergence
) -> Derived:
    """Whether a formula gives (ε, δ), for Δ > 0.

    Raises:
        CostLimitError: undecided; always where ``moments`` without any ρ does not give it.
    """
    divergences = divergences_of(formula, problem)
    digits = _FIRST_DIGITS
    most = _MOST_DIGITS if problem.rho or problem.square else _FEW_DIGITS
    while digits <= most:
        with precision(8 * digits + _GUARD_BITS):
            allowed_ball = allowed.ball(4 * digits + _GUARD_BITS)
            derived = _derive(formula, divergences, epsilon, allowed_ball.log(), digits)
        if derived is not None:
            holds, alpha, slack = derived
            return Derived(holds, alpha, _check_digits(allowed_ball, slack, alpha))
        digits *= 2
    raise CostLimitError(
        field="claim",
        value=f"undecided by {formula}",
        expected="a claim further from what the formula gives",
        remedy="claim another ε, or another rule",
    )


def _derive(
    formula: Formula, divergences: Divergences, epsilon: ExactNumber, log_delta: arb, digits: int
) -> tuple[bool, mpq | None, mpq] | None:
    """Whether it holds, the order, and by how much; None for undecided."""
    size = ball(epsilon)
    alpha: mpq | None = None
    if formula == "zcdp-bun-steinke":
        excess = size - _bun_steinke(divergences, log_delta)
        above, below = excess, -excess
    else:
        alpha = order_for_epsilon(divergences, size, digits)
        above = log_delta - log_failure(divergences, alpha, size)
        below = arb(-1)
        if divergences.total_rho() > 0:
            below = least_log_failure(divergences, alpha, size) - log_delta
    if above >= 0:
        return True, alpha, max(lower_end(above), mpq(1, 10 ** (2 * digits)))
    return (False, alpha, lower_end(below)) if below > 0 else None


def _bun_steinke(divergences: Divergences, log_delta: arb) -> arb:
    rho = divergences.total_rho()
    return rho + 2 * (rho * (-log_delta).max(arb(0))).sqrt()


def _check_digits(allowed: arb, slack: mpq, alpha: mpq | None) -> int:
    """Digits at which Δ, absolutely, and g(α) are known to a small part of the slack."""
    least = min(mpq(1), lower_end(allowed)) * min(mpq(1), slack)
    size = 0 if alpha is None else 2 * bits_of(alpha) * 3 // 10
    return max(10, -floor_log10(least) + size + _SPARE_DIGITS)

r"""zCDP: exact sums, and the ε and δ that its conversions give.

Rules of this file: ends are certain. A lower end is the formula's: below it the conversion does
not apply at any α, while the mechanism may still be better than the conversion can say.

Sources: Bun & Steinke, "Concentrated differential privacy", TCC 2016-B, Proposition 1.3; Canonne,
Kamath & Steinke, NeurIPS 2020, arXiv:2004.00010, Corollary 13.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.decimal_text import ceil_to, floor_to, places_within
from exactdp.arithmetic.enclosures import (
    ball_of_rational,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import Number, as_rational
from exactdp.composition.engines.moments.renyi import (
    Divergences,
    epsilon_of_order,
    least_log_failure,
    order_for_delta,
    order_for_epsilon,
)
from exactdp.errors import DomainError

_GUARD_BITS: Final = 64
_MOST_DIGITS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Converted:
    """What a conversion gives, enclosed.

    Attributes:
        lower: a decimal at most the value of the formula.
        upper: a decimal at least that.
        alpha: an order α that shows the upper end; None for closed formulas.
    """

    lower: mpq
    upper: mpq
    alpha: mpq | None


def least_epsilon(rho: Number, delta: Number, tolerance: Number = "1e-12") -> Converted:
    r"""The least ε that the conversion of Canonne, Kamath and Steinke gives for ρ-zCDP at δ.

    Args:
        rho: ρ >= 0, rational.
        delta: 0 < δ <= 1, rational.
        tolerance: the greatest width of the answer.

    >>> print(float(least_epsilon("293764/114921", "1e-10").upper))
    17.143550743...
    """
    total, target = _rho(rho), _delta(delta)
    return least_epsilon_of(Divergences(total), target, as_rational(tolerance, "tolerance"))


def least_epsilon_of(divergences: Divergences, delta: mpq, tolerance: mpq) -> Converted:
    """As :func:`least_epsilon`, for divergences that are all zCDP, or nothing at all."""
    places = places_within(tolerance) + 1
    with precision(_GUARD_BITS):
        if delta >= 1 or not divergences.total_rho() > 0:
            return Converted(mpq(0), mpq(0), None)
    digits = places // 2 + 4
    while digits < _MOST_DIGITS:
        with precision(8 * digits + _bits_of(delta) + _GUARD_BITS):
            log_delta = ball_of_rational(delta).log()
            alpha = order_for_delta(divergences, log_delta, digits)
            epsilon = epsilon_of_order(divergences, alpha, log_delta)
            upper = max(mpq(0), ceil_to(upper_end(epsilon), places))
            lower = floor_to(lower_end(epsilon) - tolerance / 4, places)
            if lower <= 0:
                return Converted(mpq(0), upper, alpha)
            size = ball_of_rational(lower)
            below = order_for_epsilon(divergences, size, digits)
            if least_log_failure(divergences, below, size) > log_delta:
                return Converted(lower, upper, alpha)
        digits *= 2
    raise DomainError(
        field="tolerance", value=str(tolerance), expected="a tolerance that digits can reach"
    )


def bun_steinke_epsilon(rho: Number, delta: Number, tolerance: Number = "1e-12") -> Converted:
    r"""ρ + 2·√(ρ·ln(1/δ)), the ε of Bun and Steinke, Proposition 1.3.

    >>> print(float(bun_steinke_epsilon("1/2", "1e-6").upper))
    5.75652176...
    """
    total, target = _rho(rho), _delta(delta)
    places = places_within(as_rational(tolerance, "tolerance")) + 1
    with precision(4 * places + _bits_of(target) + _GUARD_BITS):
        size = ball_of_rational(total)
        logarithm = -ball_of_rational(target).log() if target < 1 else arb(0)
        value = size + 2 * (size * logarithm).sqrt()
        return Converted(
            floor_to(lower_end(value), places), ceil_to(upper_end(value), places), None
        )


def _rho(value: Number) -> mpq:
    rho = as_rational(value, "rho")
    if rho < 0:
        raise DomainError(field="rho", value=str(rho), expected="a rational number at least 0")
    return rho


def _delta(value: Number) -> mpq:
    delta = as_rational(value, "delta")
    if not 0 < delta <= 1:
        raise DomainError(
            field="delta",
            value=str(delta),
            expected="a rational above 0 and at most 1",
            remedy="no conversion of zCDP gives δ = 0",
        )
    return delta


def _bits_of(delta: mpq) -> int:
    return int(mpz(delta.denominator).bit_length())

"""Independent numbers: the formulas of zCDP and of Gaussian noise in mpmath, at 50 digits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types

Pure = Sequence[tuple[Fraction, int]]


def real(value: object) -> Any:  # noqa: ANN401 (mpmath)
    exact = Fraction(str(value))
    return mpmath.mpf(exact.numerator) / exact.denominator


def cks_epsilon(rho: object, delta: object) -> Any:  # noqa: ANN401 (mpmath)
    """The least ε of Canonne, Kamath and Steinke's Corollary 13, by golden section over ln(α-1)."""
    whole, log_delta = real(rho), mpmath.log(real(delta))

    def epsilon(x: Any) -> Any:  # noqa: ANN401 (mpmath)
        above = mpmath.exp(x)
        alpha = 1 + above
        factor = alpha * mpmath.log(1 - 1 / alpha) - mpmath.log(above) - log_delta
        return alpha * whole + factor / above

    return max(mpmath.mpf(0), epsilon(golden(epsilon, mpmath.mpf(-8), mpmath.mpf(40))))


def golden(function: Any, low: Any, high: Any) -> Any:  # noqa: ANN401 (mpmath)
    """Where a function that falls and then rises is least."""
    ratio = (mpmath.sqrt(5) - 1) / 2
    for _ in range(180):
        one, other = high - ratio * (high - low), low + ratio * (high - low)
        if function(one) < function(other):
            high = other
        else:
            low = one
    return (low + high) / 2


def gaussian_delta(mu: object, epsilon: object) -> Any:  # noqa: ANN401 (mpmath)
    """Φ(μ/2 - ε/μ) - e^ε·Φ(-μ/2 - ε/μ)."""
    size, shift = real(mu), real(epsilon) / real(mu)
    return mpmath.ncdf(size / 2 - shift) - mpmath.exp(real(epsilon)) * mpmath.ncdf(
        -size / 2 - shift
    )


def mixture_delta(pure: Pure, square: Fraction, epsilon: object) -> Any:  # noqa: ANN401 (mpmath)
    """The divergence of randomized responses and Gaussian noise, one answer after the other."""
    mu = mpmath.sqrt(real(square))
    atoms = [(mpmath.mpf(1), mpmath.mpf(0))]
    for parameter, count in pure:
        size = real(parameter)
        for _ in range(count):
            truthful = 1 / (1 + mpmath.exp(-size))
            atoms = [(w * truthful, loss + size) for w, loss in atoms] + [
                (w * (1 - truthful), loss - size) for w, loss in atoms
            ]
    total = mpmath.mpf(0)
    for weight, loss in atoms:
        rest = real(epsilon) - loss
        if mu:
            value = mpmath.ncdf(mu / 2 - rest / mu)
            value -= mpmath.exp(rest) * mpmath.ncdf(-mu / 2 - rest / mu)
        else:
            value = max(0, 1 - mpmath.exp(rest))
        total += weight * value
    return total

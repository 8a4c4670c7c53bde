r"""What a little more ε costs: the divergence of a composition, and its slope in each ε_i.

Rules of this file: nothing here is certain, and nothing certain rests on it; floats serve to
search, and what is found is certified afterwards.

Theory of operation: let t be ε of the budget, y = e^t, and S the outcomes with privacy loss above
t. The divergence is :math:`D = P_0(S) - y P_1(S)`, and as S is the best event, only the
probabilities matter to first order. With :math:`p = e^{\epsilon_i}/(1+e^{\epsilon_i})`,

.. math:: \partial D/\partial\epsilon_i
    = p(1-p)\,[P_0^{-i}(W) + y\,P_1^{-i}(W)],\qquad W = (t-\epsilon_i,\ t+\epsilon_i],

where the mechanism i is left out. It is left out by undoing one convolution: with c the
probabilities of the losses of all, :math:`c^{-i}(u) = \frac1p \sum_{m\ge0} (-e^{-\epsilon_i})^m
c(u + (2m+1)\epsilon_i)`. So one distribution, on a mesh, gives all slopes. Where mechanisms are
very many, a normal distribution takes its place.

Source: worked out here, from Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import erfc, exp, sqrt, tanh
from typing import Final

from flint import arb, arb_poly

from exactdp.arithmetic.enclosures import precision

_CELLS: Final = 2500
_MOST_CONVOLVED: Final = 2000
_BITS: Final = 64
_GREATEST_EXPONENT: Final = 600.0

Shares = Sequence[tuple[float, int]]
"""ε_i and how many there are."""


@dataclass(frozen=True, slots=True)
class MarginalCosts:
    """About the divergence, and by how much one mechanism of each group raises it per ε."""

    divergence: float
    slopes: tuple[float, ...]


def marginal_costs(shares: Shares, threshold: float) -> MarginalCosts:
    """About D at e^``threshold``, and its slopes."""
    if sum(count for _, count in shares) > _MOST_CONVOLVED:
        return _of_normal(shares, threshold)
    return _of_mesh(shares, threshold)


def _of_mesh(shares: Shares, threshold: float) -> MarginalCosts:
    """By the distribution of the losses on a mesh of some thousand cells."""
    total = sum(epsilon * count for epsilon, count in shares)
    unit = total / _CELLS
    steps = [max(1, round(epsilon / unit)) for epsilon, _ in shares]
    masses = _masses(shares, steps)
    # cell s holds the loss total - 2·unit·s
    end = (total - threshold) / (2 * unit)
    weighed = [
        mass * exp(min(threshold - total + 2 * unit * s, _GREATEST_EXPONENT))
        for s, mass in enumerate(masses[: max(0, int(end) + 1)])
    ]
    plain, tilted = [0.0, *accumulate(masses)], [0.0, *accumulate(weighed)]
    divergence = _up_to(plain, end) - _up_to(tilted, end)
    slopes = [
        _slope(plain, tilted, end, step, epsilon) * (epsilon / (step * unit))
        for (epsilon, _), step in zip(shares, steps, strict=True)
    ]
    return MarginalCosts(max(0.0, divergence), tuple(slopes))


def _masses(shares: Shares, steps: Sequence[int]) -> list[float]:
    """P_0 of the losses: cell s means that s steps were lost from the greatest loss."""
    with precision(_BITS):
        product = arb_poly([1])
        for (epsilon, count), step in zip(shares, steps, strict=True):
            lost = 1 / (1 + arb(min(epsilon, _GREATEST_EXPONENT)).exp())
            product *= arb_poly([1 - lost, *([0] * (step - 1)), lost]) ** count
        return [float(mass.mid()) for mass in product.coeffs()]


def _slope(
    plain: Sequence[float], tilted: Sequence[float], end: float, step: int, epsilon: float
) -> float:
    """p(1-p)·(P_0 + y·P_1) of the window, the mechanism left out."""
    likely = 1 / (1 + exp(-min(epsilon, _GREATEST_EXPONENT)))
    inside = 0.0
    for m in range(int(end / step) + 1):
        if epsilon * (m + 1) > _GREATEST_EXPONENT:
            break
        right, left = end - step * m, end - step * (m + 1)
        sign = -1.0 if m % 2 else 1.0
        inside += sign * exp(-epsilon * m) * (_up_to(plain, right) - _up_to(plain, left))
        inside += sign * exp(epsilon * (m + 1)) * (_up_to(tilted, right) - _up_to(tilted, left))
    return max(0.0, (1 - likely) * inside)


def _up_to(sums: Sequence[float], place: float) -> float:
    """Partial sums, straight between two cells."""
    if place <= 0:
        return 0.0
    whole = int(place)
    if whole >= len(sums) - 1:
        return sums[-1]
    return sums[whole] + (place - whole) * (sums[whole + 1] - sums[whole])


def _of_normal(shares: Shares, threshold: float) -> MarginalCosts:
    """By a normal distribution with the mean and the variance of the losses."""
    biases = [tanh(epsilon / 2) for epsilon, _ in shares]
    mean = sum(
        count * epsilon * bias for (epsilon, count), bias in zip(shares, biases, strict=True)
    )
    variance = sum(
        count * epsilon**2 * (1 - bias**2)
        for (epsilon, count), bias in zip(shares, biases, strict=True)
    )
    deviation = sqrt(variance)
    other = exp(min(threshold - mean + variance / 2, _GREATEST_EXPONENT))

    def beyond(loss: float) -> float:
        return erfc((loss - mean) / (deviation * sqrt(2))) / 2

    def tilted(loss: float) -> float:
        return other * erfc((loss - mean + variance) / (deviation * sqrt(2))) / 2

    def slope(epsilon: float, bias: float) -> float:
        low, high = threshold - epsilon, threshold + epsilon
        inside = beyond(low) - beyond(high) + tilted(low) - tilted(high)
        return max(0.0, (1 - bias**2) / 4 * inside)

    slopes = [slope(epsilon, bias) for (epsilon, _), bias in zip(shares, biases, strict=True)]
    return MarginalCosts(max(0.0, beyond(threshold) - tilted(threshold)), tuple(slopes))

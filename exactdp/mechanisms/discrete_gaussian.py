r"""Discrete Gaussian noise.

Source: Canonne, Kamath & Steinke, NeurIPS 2020, Theorem 4 (ρ).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import ClassVar, Final, Self

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.mechanisms.family import Pick
from exactdp.mechanisms.integers import NoiseByVariance, PairByVariance
from exactdp.mechanisms.keys import Key
from exactdp.mechanisms.order import Order
from exactdp.mechanisms.pairs import common_step

LEAST_RHO_OF_ERROR: Final = mpq(1, 10**8)
"""Below it, the sums of the expected error are too long."""
_ERROR_BITS: Final = 128


@dataclass(frozen=True, slots=True, init=False)
class DiscreteGaussianMechanism(NoiseByVariance):
    r"""Discrete Gaussian noise, P(x) ∝ e^{-x²/(2·variance)}, on integers that move by these shifts.

    Integer vectors of one L2 norm differ for this noise, so the shift of each coordinate is listed.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            "discrete_gaussian",
            "variance",
            {"shifts": ["1"]},
            '"rho": Σ shifts²/(2·variance)',
            means={
                "discrete_gaussian": "discrete Gaussian noise on integers",
                "variance": "the parameter v of discrete Gaussian noise, e^(-x²/(2v)): a rational "
                "number from 1e-6 to 1e12",
                "shifts": NoiseByVariance.SHIFTS,
            },
        ),
    )

    def pair_of(self, shift: int) -> DiscreteGaussianPair:
        return DiscreteGaussianPair(self.variance, shift)

    def implied_rho(self) -> mpq:
        """Σ shift²/(2·variance)."""
        return self.gaussian_rho()

    def attained_rho(self) -> mpq:
        """Σ shift²/(2·variance), twice which is its Rényi divergence of order 2."""
        return self.gaussian_rho()

    def ordering(self) -> Order:
        """By each shift, among those of one variance."""
        return Order(("discrete_gaussian", self.variance), self.shifts[::-1])

    def rounds_with(self) -> Hashable:
        return type(self), self.variance, len(self.shifts)

    @classmethod
    def extreme(cls, group: Sequence[Self], pick: Pick) -> Self:
        """By each shift."""
        shifts = zip(*(each.shifts for each in group), strict=True)
        return cls(group[0].variance, cls.picked(shifts, pick))

    def expected_error(self) -> arb | None:
        if len(self.shifts) > 1 or 2 * self.variance * LEAST_RHO_OF_ERROR > 1:
            return None
        return error_at(1 / (2 * self.variance))


def error_at(rho: mpq) -> arb:
    """E|Y| for P(k) in proportion to e^(-ρk²).

    Terms fall from the last one on: k·e^(-ρk²) does where 2ρk² ≥ 1. What is left of the two sums is
    at most the integrals from there, e^(-ρn²)/(2ρ), and a part of that.
    """
    decay = ball_of_rational(rho)
    last = isqrt(int(_ERROR_BITS / rho)) + 1
    weights, moments = arb(0), arb(0)
    for k in range(1, last + 1):
        weight = (-decay * k * k).exp()
        weights, moments = weights + weight, moments + k * weight
    rest = (-decay * last * last).exp() / (2 * decay)
    left = rest.union(arb(0))
    return 2 * (moments + left) / (1 + 2 * (weights + left / last))


@dataclass(frozen=True, slots=True)
class DiscreteGaussianPair(PairByVariance):
    """Discrete Gaussian noise around two whole numbers."""

    def _reach(self, digits: int) -> int:
        return isqrt(int(5 * self.variance * (digits + 4))) + 2

    def _law(self, reach: int, _most: int) -> tuple[list[arb], Callable[[int], mpq]]:
        """P(x) as if there were none beyond; and (shift² - 2·shift·x)/(2·variance)."""
        double, shift = 2 * self.variance, self.shift
        terms = [ball_of_rational(mpq(-x * x) / double).exp() for x in range(reach + 1)]
        total = terms[0] + 2 * sum(terms[1:], arb(0))
        return [term / total for term in terms], lambda x: mpq(shift**2 - 2 * shift * x) / double

    def rho(self) -> mpq:
        """shift²/(2·variance)."""
        return mpq(self.shift**2) / (2 * self.variance)

    def moment(self, order: arb) -> arb:
        """At most α(α - 1)·ρ."""
        return order * (order - 1) * ball_of_rational(self.rho())

    def step(self) -> mpq:
        return common_step(mpq(self.shift**2), mpq(2 * self.shift)) / (2 * self.variance)

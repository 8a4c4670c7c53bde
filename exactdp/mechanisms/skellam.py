r"""Skellam noise: the difference of two independent Poisson counts of one mean.

Rules of this file: everything is a ball at the precision of the context.

Theory of operation: with v for the variance, the sum of both means, P(x) = e^{-v}·I_|x|(v). The
ratios r(x) = P(x + 1)/P(x) have r(x) = v/(2(x + 1) + v·r(x + 1)), and lie between 0 and 1 for
x >= 0; a recurrence downwards forgets where it began. A sum of Skellam counts is a Skellam count,
so that noise of a greater variance is that of a smaller one and something independent.

Sources: Skellam, Journal of the Royal Statistical Society 109, 1946; Agarwal, Kairouz & Liu,
NeurIPS 2021; certs/SPEC.md, section 7.4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import ClassVar, Self

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.mechanisms.family import Pick
from exactdp.mechanisms.integers import NoiseByVariance, PairByVariance
from exactdp.mechanisms.keys import Key
from exactdp.mechanisms.order import Order


@dataclass(frozen=True, slots=True, init=False)
class SkellamMechanism(NoiseByVariance):
    r"""Skellam noise, X - Y for Poisson counts of mean variance/2, on integers that move so far.

    >>> SkellamMechanism(8, [1, 2]).pair_of(2)
    SkellamPair(variance=mpq(8,1), shift=2)
    """

    HAS_LEMMA: ClassVar[bool] = False
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            "skellam",
            "variance",
            {"shifts": ["1"]},
            means={
                "skellam": "Skellam noise on integers, the difference of two Poisson counts",
                "variance": "the variance of Skellam noise, twice the mean of each count: a "
                "rational number from 1e-6 to 1e12",
                "shifts": NoiseByVariance.SHIFTS,
            },
        ),
    )

    def pair_of(self, shift: int) -> SkellamPair:
        return SkellamPair(self.variance, shift)

    def implied_rho(self) -> None:
        """Its divergence of order α is not known to be at most α times anything."""

    def ordering(self) -> Order:
        """By the variance and each shift."""
        return Order(("skellam",), self.shifts[::-1], 1 / self.variance)

    @classmethod
    def extreme(cls, group: Sequence[Self], pick: Pick) -> Self:
        """By the variance and each shift."""
        shifts = zip(*(each.shifts for each in group), strict=True)
        variance = 1 / pick(1 / each.variance for each in group)
        return cls(variance, cls.picked(shifts, pick))

    def expected_error(self) -> arb | None:
        """v·e^{-v}·(I_0(v) + I_1(v))."""
        if len(self.shifts) > 1:
            return None
        variance = ball_of_rational(self.variance)
        return variance * sum((variance.bessel_i(n, scaled=True) for n in (0, 1)), arb(0))


@dataclass(frozen=True, slots=True)
class SkellamPair(PairByVariance):
    """Skellam noise around two whole numbers."""

    def _reach(self, digits: int) -> int:
        some = digits + 4
        return isqrt(int(mpq(3 * some**2, 5) + 5 * self.variance * some)) + 4 * some // 5 + 2

    def _law(self, reach: int, most: int) -> tuple[list[arb], Callable[[int], arb]]:
        variance, ratio = ball_of_rational(self.variance), arb(0.5, 0.5)
        ratios = []
        for x in range(most + reach, 0, -1):
            ratio = variance / (2 * x + variance * ratio)
            ratios.append(ratio)
        ratios = ratios[: -most - 1 : -1]
        weights, logs = [variance.bessel_i(0, scaled=True)], [arb(0)]
        for each in ratios[:reach]:
            weights.append(weights[-1] * each)
        for each in ratios:
            logs.append(logs[-1] + each.log())
        return weights, lambda x: logs[abs(x)] - logs[abs(x - self.shift)]

    @property
    def has_moments(self) -> bool:
        """No closed form is known to bound the divergences of every order."""
        return False

    @property
    def has_sampled_moments(self) -> bool:
        return False

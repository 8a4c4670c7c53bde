r"""Skellam noise: the difference of two independent Poisson counts of one mean.

Rules of this file: everything is a ball at the precision of the context.

Theory of operation: with v for the variance, the sum of both means, P(x) = e^{-v}·I_|x|(v). The
ratios r(x) = P(x + 1)/P(x) have r(x) = v/(2(x + 1) + v·r(x + 1)), and lie between 0 and 1 for
x >= 0; a recurrence downwards forgets where it began. A sum of Skellam counts is a Skellam count,
so that noise of a greater variance is that of a smaller one and something independent.

Sources: Skellam, Journal of the Royal Statistical Society 109, 1946; Agarwal, Kairouz & Liu,
NeurIPS 2021; certs/SPEC.md, section 13.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isqrt
from typing import ClassVar, Self

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.numbers import Number
from exactdp.mechanisms.checks import checked_shifts, checked_variance, positive
from exactdp.mechanisms.family import Pick, set_field
from exactdp.mechanisms.integers import OnIntegers
from exactdp.mechanisms.keys import Key
from exactdp.mechanisms.order import Order
from exactdp.mechanisms.pairs import Atom
from exactdp.mechanisms.sums import SumTable, Three


@dataclass(frozen=True, slots=True, init=False)
class SkellamMechanism(OnIntegers):
    r"""Skellam noise, X - Y for Poisson counts of mean variance/2, on integers that move so far.

    >>> SkellamMechanism(8, [1, 2]).pair_of(2)
    SkellamPair(variance=mpq(8,1), shift=2)
    """

    variance: mpq
    shifts: tuple[int, ...]
    count: int
    label: str

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
                "shifts": OnIntegers.SHIFTS,
            },
        ),
    )

    def __init__(
        self, variance: Number, shifts: Iterable[int] = (1,), count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters; shifts are sorted, for their order says nothing."""
        set_field(self, "variance", checked_variance(positive(variance, "variance")))
        set_field(self, "shifts", checked_shifts(shifts))
        self._counted(count, label)

    def pair_of(self, shift: int) -> SkellamPair:
        return SkellamPair(self.variance, shift)

    def implied_epsilon_delta(self) -> None:
        """No ε holds without a δ."""

    def implied_rho(self) -> None:
        """Its divergence of order α is not known to be at most α times anything."""

    def rho_estimate(self) -> mpq:
        """The ρ of Gaussian noise of its variance."""
        return sum((mpq(shift) ** 2 for shift in self.shifts), mpq(0)) / (2 * self.variance)

    def ordering(self) -> Order:
        """By the variance and each shift."""
        return Order(("skellam",), self.shifts[::-1], 1 / self.variance)

    @classmethod
    def extreme(cls, group: Sequence[Self], pick: Pick) -> Self:
        """By the variance and each shift."""
        shifts = zip(*(each.shifts for each in group), strict=True)
        variance = 1 / pick(1 / each.variance for each in group)
        return cls(variance, cls.picked(shifts, pick))

    def scaled(self, factor: mpq) -> SkellamMechanism:
        return replace(self, variance=self.variance / factor**2)

    @property
    def has_noise(self) -> bool:
        return True

    def noise(self) -> tuple[str, mpq]:
        """Its variance."""
        return "variance", self.variance

    def with_noise(self, noise: mpq) -> SkellamMechanism:
        return replace(self, variance=noise)

    def expected_error(self) -> arb | None:
        """v·e^{-v}·(I_0(v) + I_1(v))."""
        if len(self.shifts) > 1:
            return None
        variance = ball_of_rational(self.variance)
        return variance * sum((variance.bessel_i(n, scaled=True) for n in (0, 1)), arb(0))


@dataclass(frozen=True, slots=True)
class SkellamPair(SumTable):
    """Skellam noise around two whole numbers; it has no greatest loss."""

    variance: mpq
    shift: int

    def size(self, digits: int) -> int:
        """As many outputs as the verifier lists."""
        return 2 * self._reach(digits) + self.shift + 1

    def _reach(self, digits: int) -> int:
        some = digits + 4
        return isqrt(int(mpq(3 * some**2, 5) + 5 * self.variance * some)) + 4 * some // 5 + 2

    def atoms(self, digits: int) -> Iterator[Atom]:
        """The losses ln P(x) - ln P(x - shift), for P centred at 0 and Q at the shift."""
        reach, shift = self._reach(digits), self.shift
        half, logs = self._half(reach, reach + shift)
        outputs = range(-reach, reach + shift + 1)
        weights = [half[abs(x)] if abs(x) <= reach else arb(0) for x in outputs]
        for x, p, q in zip(outputs, weights, reversed(weights), strict=True):
            yield Atom(p, q, logs[abs(x)] - logs[abs(x - shift)])

    def three(self, digits: int) -> Three:
        """The outputs from -n - shift to n + shift, for the n that are listed."""
        reach, shift = self._reach(digits), self.shift
        half, logs = self._half(reach, reach + 2 * shift)
        outputs = range(-reach - shift, reach + shift + 1)
        without, own = (
            [half[abs(x - at)] if abs(x - at) <= reach else arb(0) for x in outputs]
            for at in (0, shift)
        )
        return without, own, [logs[abs(x - shift)] - logs[abs(x)] for x in outputs]

    def _half(self, reach: int, most: int) -> tuple[list[arb], list[arb]]:
        """P(x) for each x from 0 to ``reach``; and ln P(x)/P(0), for each up to ``most``."""
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
        return weights, logs

    def greatest_loss(self, *, back: bool) -> None:
        """There is none."""
        del back

    @property
    def has_moments(self) -> bool:
        """No closed form is known to bound the divergences of every order."""
        return False

    @property
    def has_sampled_moments(self) -> bool:
        return False

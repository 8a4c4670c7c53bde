r"""Discrete Gaussian noise.

Source: Canonne, Kamath & Steinke, NeurIPS 2020, Theorem 4 (ρ).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isqrt
from typing import ClassVar, Final, Self

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.numbers import Number
from exactdp.mechanisms.checks import checked_shifts, checked_variance, positive
from exactdp.mechanisms.family import Pick, set_field
from exactdp.mechanisms.integers import OnIntegers
from exactdp.mechanisms.keys import Key
from exactdp.mechanisms.order import Order
from exactdp.mechanisms.pairs import Atom, Direction, common_step
from exactdp.mechanisms.sums import SumTable, Three

LEAST_RHO_OF_ERROR: Final = mpq(1, 10**8)
"""Below it, the sums of the expected error are too long."""
_ERROR_BITS: Final = 128


@dataclass(frozen=True, slots=True, init=False)
class DiscreteGaussianMechanism(OnIntegers):
    r"""Discrete Gaussian noise, P(x) ∝ e^{-x²/(2·variance)}, on integers that move by these shifts.

    Integer vectors of one L2 norm differ for this noise, so the shift of each coordinate is listed.
    """

    variance: mpq
    shifts: tuple[int, ...]
    count: int
    label: str

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

    def pair_of(self, shift: int) -> DiscreteGaussianPair:
        return DiscreteGaussianPair(self.variance, shift)

    def implied_epsilon_delta(self) -> None:
        """No ε holds without a δ."""

    def implied_rho(self) -> mpq:
        """Σ shift²/(2·variance)."""
        return sum((mpq(shift) ** 2 for shift in self.shifts), mpq(0)) / (2 * self.variance)

    def rho_estimate(self) -> mpq:
        """Its ρ."""
        return self.implied_rho()

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

    def scaled(self, factor: mpq) -> DiscreteGaussianMechanism:
        return replace(self, variance=self.variance / factor**2)

    @property
    def has_noise(self) -> bool:
        return True

    def noise(self) -> tuple[str, mpq]:
        """Its variance."""
        return "variance", self.variance

    def with_noise(self, noise: mpq) -> DiscreteGaussianMechanism:
        return replace(self, variance=noise)

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
class DiscreteGaussianPair(SumTable):
    """Discrete Gaussian noise around two whole numbers; it has no greatest loss."""

    variance: mpq
    shift: int

    def size(self, digits: int) -> int:
        """As many outputs as the verifier lists."""
        return 2 * self._reach(digits) + self.shift + 1

    def _reach(self, digits: int) -> int:
        return isqrt(int(5 * self.variance * (digits + 4))) + 2

    def atoms(self, digits: int) -> Iterator[Atom]:
        """The losses (shift² - 2·shift·x)/(2·variance), for P centred at 0 and Q at the shift."""
        reach, double, half = self._reach(digits), 2 * self.variance, self._half(digits)
        outputs = range(-reach, reach + self.shift + 1)
        weights = [half[abs(x)] if abs(x) <= reach else arb(0) for x in outputs]
        for x, p, q in zip(outputs, weights, reversed(weights), strict=True):
            yield Atom(p, q, mpq(self.shift**2 - 2 * self.shift * x) / double)

    def three(self, digits: int) -> Three:
        """The outputs from -n - shift to n + shift, for the n that are listed."""
        shift, reach, half = self.shift, self._reach(digits), self._half(digits)
        outputs = range(-reach - shift, reach + shift + 1)
        without, own = (
            [half[abs(x - at)] if abs(x - at) <= reach else arb(0) for x in outputs]
            for at in (0, shift)
        )
        return without, own, [mpq(2 * shift * x - shift**2) / (2 * self.variance) for x in outputs]

    def _half(self, digits: int) -> list[arb]:
        """P(x) for x = 0, 1, …, as if there were no more."""
        exponents = (mpq(-x * x) / (2 * self.variance) for x in range(self._reach(digits) + 1))
        terms = [ball_of_rational(each).exp() for each in exponents]
        total = terms[0] + 2 * sum(terms[1:], arb(0))
        return [term / total for term in terms]

    def greatest_loss(self, direction: Direction) -> None:
        """There is none."""
        del direction

    def rho(self) -> mpq:
        """shift²/(2·variance)."""
        return mpq(self.shift**2) / (2 * self.variance)

    def moment(self, order: arb) -> arb:
        """At most α(α - 1)·ρ."""
        return order * (order - 1) * ball_of_rational(self.rho())

    def step(self) -> mpq:
        return common_step(mpq(self.shift**2), mpq(2 * self.shift)) / (2 * self.variance)

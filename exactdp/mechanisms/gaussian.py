r"""Gaussian noise, by μ²: what a neighbour moves the answer by, squared, over the variance.

Theory of operation: all that noise reveals depends on μ² = sensitivity²/variance, a rational
wherever the deviation, the variance, μ, μ² or ρ = μ²/2 is one. An entry has μ where that is
rational, and else μ², so that each mechanism has one writing.

Sources: Dong, Roth & Su, JRSS B 84, 2022, Definition 4 (μ); Zhu, Dong & Wang, AISTATS 2022 (pairs).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING, ClassVar, Final, Self

from flint import arb, ctx
from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_below
from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, precision
from exactdp.arithmetic.numbers import Number, as_rational
from exactdp.errors import DomainError, InputError
from exactdp.mechanisms.checks import not_negative
from exactdp.mechanisms.family import (
    Attained,
    EntryShape,
    GivenBy,
    NeverFails,
    Pick,
    Sampleable,
    Symmetric,
    set_field,
)
from exactdp.mechanisms.keys import JsonEntry, Key, TextOf, counted
from exactdp.mechanisms.order import Order
from exactdp.mechanisms.pairs import CountedPair, Cut, Direction, Pair
from exactdp.mechanisms.sums import ReplacedCut, SumNoise

if TYPE_CHECKING:
    from exactdp.arithmetic.doubles import Enclosures

_BITS: Final = 256
_DIGITS: Final = 40
_KEPT: Final = 256


@dataclass(frozen=True, slots=True, init=False)
class GaussianMechanism(Sampleable, Attained, Symmetric, NeverFails):
    r"""A μ-Gaussian differentially private mechanism, ``count`` times.

    Gaussian noise of standard deviation σ on a query of L2 sensitivity s has μ = s/σ, and is
    (μ²/2)-zCDP.

    Attributes:
        mu_squared: μ² >= 0, rational.
        count: as for :class:`~exactdp.mechanisms.approximate.Mechanism`.
        label: free text.

    Raises:
        InputError: a float, or no number at all.
        DomainError: a value outside its range.

    >>> GaussianMechanism.of_noise(sigma="2", sensitivity="1").mu
    mpq(1,2)
    >>> GaussianMechanism(mu_squared="1.62")
    <GaussianMechanism: mu_squared=1.62>
    """

    mu_squared: mpq
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("mu", implies='"mu" of the mechanism without sampling'),
        Key("mu_squared", implies='"mu_squared" of the mechanism without sampling'),
        Key("gaussian_rho", implies='"gaussian_rho" of the mechanism without sampling'),
        Key("sigma", further={"sensitivity": "1"}, implies='"mu": twice the clip/sigma'),
        Key("variance", further={"sensitivity": "1"}, implies='"mu_squared": 4·clip²/variance'),
    )
    REACH_KEY: ClassVar[str] = "sensitivity"
    REACH_IS_RELATIVE: ClassVar[bool] = True

    def __init__(
        self,
        mu: Number | None = None,
        count: int = 1,
        label: str = "",
        *,
        mu_squared: Number | None = None,
    ) -> None:
        """Check and normalise the parameters, of which μ or μ² is given."""
        if (mu is None) == (mu_squared is None):
            raise InputError(
                field="mu", value="both" if mu is not None else "nothing", expected="μ, or μ²"
            )
        if mu is not None:
            square = not_negative(as_rational(mu, "mu"), "mu") ** 2
        else:
            assert mu_squared is not None
            square = not_negative(as_rational(mu_squared, "mu_squared"), "mu_squared")
        set_field(self, "mu_squared", square)
        self._counted(count, label)

    @staticmethod
    def of_noise(
        sigma: Number, sensitivity: Number, count: int = 1, label: str = ""
    ) -> GaussianMechanism:
        """The mechanism that adds noise of standard deviation ``sigma`` > 0."""
        deviation, reach = _above_0(sigma, "sigma"), _reach(sensitivity)
        return GaussianMechanism(reach / deviation, count, label)

    @staticmethod
    def of_variance(
        variance: Number, sensitivity: Number, count: int = 1, label: str = ""
    ) -> GaussianMechanism:
        """The mechanism that adds noise of a ``variance`` > 0.

        >>> GaussianMechanism.of_variance("2", sensitivity="1").mu_squared
        mpq(1,2)
        """
        spread, reach = _above_0(variance, "variance"), _reach(sensitivity)
        return GaussianMechanism(None, count, label, mu_squared=reach**2 / spread)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> GaussianMechanism:
        """By μ, μ² or ρ, or by the deviation or the variance of the noise."""
        key = next(key for key in cls.KEYS if key.name in entry)
        first, *further = key.read(entry, text_of)
        count, label = counted(entry)
        if further:
            of = cls.of_noise if key.name == "sigma" else cls.of_variance
            return of(first, further[0], count, label)
        if key.name == "mu":
            return cls(first, count, label)
        size = not_negative(as_rational(first, key.name), key.name)
        square = size if key.name == "mu_squared" else 2 * size
        return cls(None, count, label, mu_squared=square)

    def shape(self) -> EntryShape:
        """By μ where that is rational, else by μ²."""
        root = _root(self.mu_squared)
        return {"mu_squared": self.mu_squared} if root is None else {"mu": root}

    @property
    def mu(self) -> mpq:
        """μ.

        Raises:
            DomainError: it is irrational.
        """
        root = _root(self.mu_squared)
        if root is None:
            raise DomainError(
                field="mu",
                value=f"the root of {self.mu_squared}",
                expected="a rational μ",
                remedy="take mu_squared",
            )
        return root

    @property
    def given_by(self) -> GivenBy:
        return "rho-mu" if self.mu_squared else "epsilon-delta"

    def event(self) -> EntryShape:
        """The deviation of the noise; one that is irrational a little less."""
        shape = self.noise_shape(mpq(1))
        if "variance" in shape:
            with precision(_BITS):
                least = lower_end(ball_of_rational(shape["variance"]).sqrt())
            shape = {"sigma": round_below(least, _DIGITS)}
        return {**shape, "sensitivity": mpq(1)}

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """Nothing where μ is 0."""
        if self.mu_squared:
            yield self.pair(), 1

    def pair(self) -> GaussianPair:
        """Noise around two points."""
        return GaussianPair(self.mu_squared)

    def implied_epsilon_delta(self) -> None:
        """No ε holds without a δ."""

    def implied_rho(self) -> None:
        """Its μ says more."""

    def implied_mu_squared(self) -> mpq:
        return self.mu_squared

    def attained_rho(self) -> mpq:
        return self.mu_squared / 2

    def rho_estimate(self) -> mpq:
        """Its ρ."""
        return self.mu_squared / 2

    def ordering(self) -> Order:
        """By μ²."""
        return Order((type(self),), (self.mu_squared,))

    @classmethod
    def extreme(cls, group: Sequence[Self], pick: Pick) -> Self:
        """By μ²."""
        return cls(mu_squared=pick(each.mu_squared for each in group))

    def reach(self) -> mpq:
        """μ deviations of the noise; where that is irrational, 1 for noise of variance 1/μ²."""
        root = _root(self.mu_squared)
        return mpq(1) if root is None else root

    def reach_beside(self) -> str:
        return (
            "sigma=1" if _root(self.mu_squared) is not None else f"variance={1 / self.mu_squared}"
        )

    def for_group(self, times: int) -> GaussianMechanism:
        return self.scaled(mpq(times))

    def moved(self, times: mpq) -> GaussianMechanism:
        return self.scaled(times)

    def noise_shape(self, clip: mpq) -> EntryShape:
        """The deviation of the noise on a sum that a record moves by the clip, or its variance."""
        variance = clip**2 / self.mu_squared
        root = _root(variance)
        return {"variance": variance} if root is None else {"sigma": root}

    @property
    def adds_up(self) -> bool:
        return True

    def scaled(self, factor: mpq) -> GaussianMechanism:
        return replace(self, mu_squared=self.mu_squared * factor**2)

    @property
    def has_noise(self) -> bool:
        return self.mu_squared > 0

    def noise(self) -> tuple[str, mpq]:
        """The deviation over the sensitivity, or its square; none where nothing is revealed."""
        if not self.mu_squared:
            raise self.not_turned()
        root = _root(self.mu_squared)
        if root is None:
            return "the variance over the squared sensitivity", 1 / self.mu_squared
        return "noise multiplier (σ over the sensitivity)", 1 / root

    def with_noise(self, noise: mpq) -> GaussianMechanism:
        times = 1 if _root(self.mu_squared) is None else 2
        return replace(self, mu_squared=1 / noise**times)


def _above_0(value: Number, field: str) -> mpq:
    number = as_rational(value, field)
    if number <= 0:
        raise DomainError(field=field, value=str(number), expected="a rational number above 0")
    return number


def _reach(value: Number) -> mpq:
    return not_negative(as_rational(value, "sensitivity"), "sensitivity")


def _root(square: mpq) -> mpq | None:
    """The root of a rational >= 0, or None if it is irrational."""
    above, below = square.numerator, square.denominator
    root = mpq(isqrt(int(above)), isqrt(int(below)))
    return root if root**2 == square else None


@lru_cache(maxsize=_KEPT)
def _half_and_root(square: mpq, bits: int) -> tuple[arb, arb]:
    """The values of μ²/2 and μ·√2: every point of a mesh asks for them."""
    with precision(bits):
        half = ball_of_rational(square) / 2
        return half, (4 * half).sqrt()


@dataclass(frozen=True, slots=True)
class GaussianPair(Cut, SumNoise):
    """Gaussian noise around two points, by μ²; it has no greatest loss."""

    square: mpq

    def profile(self, loss: arb) -> arb:
        """Φ(μ/2 - l/μ) - e^l·Φ(-μ/2 - l/μ)."""
        p, q = self.tails(loss)
        return p - loss.exp() * q

    def cut(self, loss: arb) -> arb:
        """The loss itself."""
        return loss

    def tails(self, cut: arb) -> tuple[arb, arb]:
        """Φ(μ/2 - l/μ) and Φ(-μ/2 - l/μ)."""
        half, root = _half_and_root(self.square, ctx.prec)
        return ((cut - half) / root).erfc() / 2, ((cut + half) / root).erfc() / 2

    @property
    def is_enclosed(self) -> bool:
        return True

    def enclosed_cuts(self, losses: Enclosures) -> Enclosures:
        """The losses themselves."""
        return losses

    def enclosed_tails(self, cuts: Enclosures, *, below: bool) -> tuple[Enclosures, Enclosures]:
        """Values of Φ, at both ends of each."""
        half, root = self.square / 2, _half_and_root(self.square / 2, _BITS)[1]
        points = (cuts - half) / root, (cuts + half) / root
        p, q = ((-each if below else each).tail() for each in points)
        return p, q

    def greatest_loss(self, direction: Direction) -> None:
        """There is none."""
        del direction

    def mu_squared(self) -> mpq:
        return self.square

    def rho(self) -> mpq:
        """μ²/2."""
        return self.square / 2

    def moment(self, order: arb) -> arb:
        """α(α - 1)·μ²/2."""
        return order * (order - 1) * ball_of_rational(self.square / 2)

    def replaced(self, rate: mpq) -> Pair:
        return ReplacedGaussianPair(self.square, rate)


@dataclass(frozen=True, slots=True)
class ReplacedGaussianPair(ReplacedCut):
    """Where a sampled record is replaced, by the square of what a removal moves.

    Outputs are times that.
    """

    square: mpq
    rate: mpq

    def noise(self) -> GaussianPair:
        return GaussianPair(self.square)

    def near(self, odds: arb) -> arb:
        """Half the square and ln X, for qX² - (1 - q)(y - 1)X - yq·e^{-square} = 0."""
        square, rate = ball_of_rational(self.square), ball_of_rational(self.rate)
        rest = (1 - rate) * arb(0).max(odds - 1)
        root = (rest * rest + 4 * odds * rate * rate * (-square).exp()).sqrt()
        return square / 2 + ((rest + root) / (2 * rate)).log()

    def beyond(self, output: arb) -> tuple[arb, arb, arb]:
        """Values of Φ."""
        square = ball_of_rational(self.square)
        root = (2 * square).sqrt()
        own, without, other = (
            (each / root).erfc() / 2 for each in (output - square, output, output + square)
        )
        return own, without, other

    @property
    def is_enclosed(self) -> bool:
        return True

    def enclosed_cuts(self, losses: Enclosures) -> Enclosures:
        """Outputs, turned round for what is below 0."""
        size = losses.size()
        rest = size.expm1() * (1 - self.rate)
        with precision(_BITS):
            lowest = (-ball_of_rational(self.square)).exp() * ball_of_rational(4 * self.rate**2)
        root = (rest * rest + size.exp() * lowest).sqrt()
        found = ((rest + root) / (2 * self.rate)).log() + self.square / 2
        return found.with_signs(losses)

    def enclosed_tails(self, cuts: Enclosures, *, below: bool) -> tuple[Enclosures, Enclosures]:
        """(1 - q)N + qM, and (1 - q)N + qM', by values of Φ at both ends of each."""
        outputs, rate = -cuts if below else cuts, self.rate
        root = _half_and_root(self.square / 2, _BITS)[1]
        less, same, more = (
            (each / root).tail() for each in (outputs - self.square, outputs, outputs + self.square)
        )
        own, other = (more, less) if below else (less, more)
        return same * (1 - rate) + own * rate, same * (1 - rate) + other * rate

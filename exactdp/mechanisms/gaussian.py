r"""Gaussian noise, by μ: what a neighbour moves the answer by, over the deviation of the noise.

Sources: Dong, Roth & Su, JRSS B 84, 2022, Definition 4 (μ); Zhu, Dong & Wang, AISTATS 2022 (pairs).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.numbers import Number, as_rational
from exactdp.errors import DomainError
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


@dataclass(frozen=True, slots=True, init=False)
class GaussianMechanism(Sampleable, Attained, Symmetric, NeverFails):
    r"""A μ-Gaussian differentially private mechanism, ``count`` times.

    Gaussian noise of standard deviation σ on a query of L2 sensitivity s has μ = s/σ.

    Attributes:
        mu: μ >= 0, rational.
        count: as for :class:`~exactdp.mechanisms.approximate.Mechanism`.
        label: free text.

    Raises:
        InputError: a float, or no number at all.
        DomainError: a value outside its range.

    >>> GaussianMechanism.of_noise(sigma="2", sensitivity="1").mu
    mpq(1,2)
    """

    mu: mpq
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("mu", implies='"mu" of the mechanism without sampling'),
        Key("sigma", further={"sensitivity": "1"}, implies='"mu": twice the clip/sigma'),
    )
    REACH_KEY: ClassVar[str] = "sensitivity"
    REACH_IS_RELATIVE: ClassVar[bool] = True

    def __init__(self, mu: Number, count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters."""
        set_field(self, "mu", not_negative(as_rational(mu, "mu"), "mu"))
        self._counted(count, label)

    @staticmethod
    def of_noise(
        sigma: Number, sensitivity: Number, count: int = 1, label: str = ""
    ) -> GaussianMechanism:
        """The mechanism that adds noise of standard deviation ``sigma`` > 0."""
        deviation = as_rational(sigma, "sigma")
        if deviation <= 0:
            raise DomainError(
                field="sigma", value=str(deviation), expected="a rational number above 0"
            )
        reach = not_negative(as_rational(sensitivity, "sensitivity"), "sensitivity")
        return GaussianMechanism(reach / deviation, count, label)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> GaussianMechanism:
        """By μ, or by the deviation of the noise."""
        if "mu" in entry:
            return cls(text_of(entry["mu"]), *counted(entry))
        sigma, sensitivity = cls.KEYS[1].read(entry, text_of)
        return cls.of_noise(sigma, sensitivity, *counted(entry))

    @property
    def given_by(self) -> GivenBy:
        return "rho-mu" if self.mu else "epsilon-delta"

    def event(self) -> EntryShape:
        """The deviation of the noise."""
        return {**self.noise_shape(mpq(1)), "sensitivity": mpq(1)}

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """Nothing where μ is 0."""
        if self.mu:
            yield self.pair(), 1

    def pair(self) -> GaussianPair:
        """Noise around two points."""
        return GaussianPair(self.mu**2)

    def implied_epsilon_delta(self) -> None:
        """No ε holds without a δ."""

    def implied_rho(self) -> None:
        """Its μ says more."""

    def implied_mu(self) -> mpq:
        return self.mu

    def rho_estimate(self) -> mpq:
        """Its ρ."""
        return self.mu**2 / 2

    def ordering(self) -> Order:
        """By μ."""
        return Order((type(self),), (self.mu,))

    @classmethod
    def extreme(cls, group: Sequence[Self], pick: Pick) -> Self:
        """By μ."""
        return cls(pick(each.mu for each in group))

    def reach(self) -> mpq:
        return self.mu

    def moved(self, times: mpq) -> GaussianMechanism:
        return replace(self, mu=self.mu * times)

    def noise_shape(self, clip: mpq) -> EntryShape:
        """The deviation of the noise on a sum that a record moves by the clip."""
        return {"sigma": clip / self.mu}

    @property
    def adds_up(self) -> bool:
        return True

    def scaled(self, factor: mpq) -> GaussianMechanism:
        return replace(self, mu=self.mu * factor)

    @property
    def has_noise(self) -> bool:
        return self.mu > 0

    def noise(self) -> tuple[str, mpq]:
        """The deviation over the sensitivity; none where nothing is revealed."""
        if not self.mu:
            raise self.not_turned()
        return "sigma over the sensitivity", 1 / self.mu

    def with_noise(self, noise: mpq) -> GaussianMechanism:
        return replace(self, mu=1 / noise)


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
        half = ball_of_rational(self.square) / 2
        root = (4 * half).sqrt()  # μ·√2
        return ((cut - half) / root).erfc() / 2, ((cut + half) / root).erfc() / 2

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

r"""Laplace noise.

Sources: Dwork, McSherry, Nissim & Smith, TCC 2006; Mironov, CSF 2017, Proposition 6 (divergences).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.mechanisms.characteristic import Characteristic, LaplaceCharacteristic
from exactdp.mechanisms.checks import positive
from exactdp.mechanisms.family import (
    Attained,
    EntryShape,
    NeverFails,
    Pick,
    Sampleable,
    Symmetric,
    set_field,
)
from exactdp.mechanisms.keys import Key
from exactdp.mechanisms.order import Order
from exactdp.mechanisms.pairs import CountedPair, Cut, Direction, GreatestLoss, Pair
from exactdp.mechanisms.sums import ReplacedCut, SumNoise

_FAR: Final = 1000


@dataclass(frozen=True, slots=True, init=False)
class LaplaceMechanism(Sampleable, Attained, Symmetric, NeverFails):
    r"""Laplace noise of a scale, on a query of an L1 sensitivity: both rational, above 0.

    >>> LaplaceMechanism("2").shape()["laplace"]["scale"]
    mpq(2,1)
    """

    scale: mpq
    sensitivity: mpq
    count: int
    label: str

    REACH_KEY: ClassVar[str] = "sensitivity"
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            "laplace",
            "scale",
            {"sensitivity": "1"},
            '"epsilon": sensitivity/scale',
            means={
                "laplace": "Laplace noise",
                "scale": "the scale b of Laplace noise, e^(-|x|/b): a rational number above 0",
                "sensitivity": "the L1 sensitivity of the query: a rational number above 0",
            },
        ),
    )

    def __init__(
        self, scale: Number, sensitivity: Number = 1, count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters."""
        set_field(self, "scale", positive(scale, "scale"))
        set_field(self, "sensitivity", positive(sensitivity, "sensitivity"))
        self._counted(count, label)

    def event(self) -> EntryShape:
        return {"laplace": {"scale": self.scale / self.sensitivity, "sensitivity": mpq(1)}}

    def noise_shape(self, clip: mpq) -> EntryShape:
        return {"laplace": {"scale": clip * self.scale / self.sensitivity}}

    def pair(self) -> LaplacePair:
        return LaplacePair(self.sensitivity / self.scale)

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        yield self.pair(), 1

    def reach(self) -> mpq:
        return self.sensitivity

    def furthest(self) -> tuple[str, mpq]:
        return self.REACH_KEY, self.sensitivity

    def moved(self, times: mpq) -> LaplaceMechanism:
        return replace(self, sensitivity=times * self.sensitivity)

    def implied_epsilon_delta(self) -> tuple[ExactNumber, mpq]:
        """The sensitivity over the scale, and 0."""
        return ExactNumber(self.sensitivity / self.scale), mpq(0)

    def implied_rho(self) -> None:
        """Its ε says more."""

    def rho_estimate(self) -> mpq:
        """About ε²/2, at most ε."""
        return rho_of_greatest(self.sensitivity / self.scale)

    def ordering(self) -> Order:
        """By the sensitivity over the scale."""
        return Order(("laplace",), (self.sensitivity / self.scale,))

    def rounds_with(self) -> Hashable:
        """All Laplace noise."""
        return type(self)

    @classmethod
    def extreme(cls, group: Sequence[Self], pick: Pick) -> Self:
        """By the sensitivity over the scale."""
        return cls(1, pick(each.sensitivity / each.scale for each in group))

    def for_group(self, times: int) -> LaplaceMechanism:
        return self.moved(mpq(times))

    def scaled(self, factor: mpq) -> LaplaceMechanism:
        return replace(self, scale=self.scale / factor)

    @property
    def has_noise(self) -> bool:
        return True

    def noise(self) -> tuple[str, mpq]:
        """Its scale."""
        return "scale", self.scale

    def with_noise(self, noise: mpq) -> LaplaceMechanism:
        return replace(self, scale=noise)

    def expected_error(self) -> mpq:
        """The scale."""
        return self.scale


def rho_of_greatest(most: mpq) -> mpq:
    """About the ρ of noise whose loss is at most so much."""
    return min(most, most**2 / 2)


@dataclass(frozen=True, slots=True)
class LaplacePair(Cut, SumNoise):
    """Laplace noise: losses from -a to a, for a = sensitivity/scale."""

    most: mpq

    def profile(self, loss: arb) -> arb:
        """1 - e^{(l - a)/2} within ±a."""
        most = ball_of_rational(self.most)
        if loss >= most:
            return arb(0)
        return 1 - (loss if loss <= -most else (loss - most) / 2).exp()

    def cut(self, loss: arb) -> arb:
        """The loss itself."""
        return loss

    def tails(self, cut: arb) -> tuple[arb, arb]:
        """1 - e^{(l - a)/2}/2 and e^{-(l + a)/2}/2 within ±a."""
        most = ball_of_rational(self.most)
        if cut <= -most:
            return arb(1), arb(1)
        if cut > most:
            return arb(0), arb(0)
        return 1 - ((cut - most) / 2).exp() / 2, (-(cut + most) / 2).exp() / 2

    STATES_GREATEST: ClassVar[bool] = True

    def greatest_loss(self, direction: Direction) -> GreatestLoss:
        """The greatest, a."""
        del direction
        return GreatestLoss(ExactNumber(self.most))

    @property
    def reaches_greatest(self) -> bool:
        return True

    def moment(self, order: arb) -> arb:
        """(α - 1)a + ln((α + (α - 1)e^{-(2α - 1)a})/(2α - 1))."""
        most, double = ball_of_rational(self.most), 2 * order - 1
        inside = order + (order - 1) * (-double * most).exp()
        return (order - 1) * most + (inside / double).log()

    def characteristic(self, count: int) -> Characteristic:
        return LaplaceCharacteristic(count, self.most)

    def replaced(self, rate: mpq) -> Pair:
        return ReplacedLaplacePair(self.most, rate)


@dataclass(frozen=True, slots=True)
class ReplacedLaplacePair(ReplacedCut):
    """Where a sampled record is replaced: a = clip/scale, beyond which the ratios are constant."""

    most: mpq
    rate: mpq

    def noise(self) -> LaplacePair:
        return LaplacePair(self.most)

    def greatest(self) -> arb:
        """The ratio of the densities from a on."""
        most, rate = ball_of_rational(self.most), ball_of_rational(self.rate)
        return (1 + rate * most.expm1()) / (1 + rate * (-most).expm1())

    def profile(self, loss: arb) -> arb:
        """0 from the greatest loss on."""
        if loss >= 0 and loss.exp() >= self.greatest():
            return arb(0)
        return ReplacedCut.profile(self, loss)

    def near(self, odds: arb) -> arb:
        """(a + ln t)/2, for t = (y(1 - q + q·e^{-a}) - (1 - q))/q; far out beyond the greatest."""
        most, rate = ball_of_rational(self.most), ball_of_rational(self.rate)
        if odds >= self.greatest():
            return arb(_FAR)
        inside = (odds * (1 + rate * (-most).expm1()) - (1 - rate)) / rate
        found = (most + inside.log()) / 2 if inside > 0 else arb(0)
        return arb(0).max(most.min(found))

    def beyond(self, output: arb) -> tuple[arb, arb, arb]:
        """Values of 1/2·e^{-x}, and of 1 - 1/2·e^x."""
        most = ball_of_rational(self.most)
        own, without, other = (_tail(each) for each in (output - most, output, output + most))
        return own, without, other


def _tail(output: arb) -> arb:
    """Standard Laplace noise from there on."""
    half = (-abs(output)).exp() / 2
    return half if output >= 0 else 1 - half

r"""Mechanisms of bounded range, such as the exponential mechanism.

Sources: Dong, Durfee & Rogers, ICML 2020; Cesar & Rogers, ALT 2021, Lemmas 3.2 and 3.4 of
arXiv:2004.07223 (ρ = ε²/8).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, lower_end
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.mechanisms.approximate import GeneralizedResponse
from exactdp.mechanisms.checks import positive
from exactdp.mechanisms.family import EntryShape, NeverFails, Sampleable, Symmetric, set_field
from exactdp.mechanisms.keys import Key
from exactdp.mechanisms.order import Order
from exactdp.mechanisms.pairs import CountedPair, Curve, Direction, GreatestLoss, Pair, SameSupport


@dataclass(frozen=True, slots=True, init=False)
class BoundedRangeMechanism(Sampleable, Symmetric, NeverFails):
    r"""A mechanism of bounded range: the privacy losses of its answers lie within ε of each other.

    So is the exponential mechanism with weights e^{ε·u/(2·sensitivity)}, and report-noisy-max with
    Gumbel noise; not with Laplace or exponential noise (permute-and-flip).
    """

    epsilon: mpq
    count: int
    label: str

    IS_ABOUT_REPLACEMENT: ClassVar[bool] = True
    KEYS: ClassVar[tuple[Key, ...]] = (Key("bounded_range", implies='"epsilon": the range'),)

    def __init__(self, epsilon: Number, count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters."""
        set_field(self, "epsilon", positive(epsilon, "bounded_range"))
        self._counted(count, label)

    def shape(self) -> EntryShape:
        return {"bounded_range": self.epsilon}

    def pair(self) -> BoundedRangePair:
        """What dominates all mechanisms of the range."""
        return BoundedRangePair(self.epsilon)

    def attained_pair(self, tilt: mpq) -> Pair:
        """Two answers, one of which has the loss tilt·ε."""
        return GeneralizedResponse(self.epsilon, tilt * self.epsilon)

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        yield self.pair(), 1

    def attained(self, _relation: str, tilt: mpq) -> Iterator[CountedPair]:
        yield self.attained_pair(tilt), 1

    def gap(self) -> str:
        return "a range says less about a mechanism than its noise"

    def attained_by(self, _relation: str) -> Iterator[str]:
        yield "of those of bounded range, by generalized randomized responses"

    @property
    def has_tilt(self) -> bool:
        return True

    def implied_epsilon_delta(self) -> tuple[ExactNumber, mpq]:
        """The range, and 0."""
        return ExactNumber(self.epsilon), mpq(0)

    def implied_rho(self) -> mpq:
        """ε²/8."""
        return self.epsilon**2 / 8

    def rho_estimate(self) -> mpq:
        """ε²/8."""
        return self.implied_rho()

    def ordering(self) -> Order:
        """By the range."""
        return Order(("range",), (self.epsilon,))

    def for_group(self, times: int) -> BoundedRangeMechanism:
        """The losses of steps add up, within an interval so many times as long."""
        return self.scaled(mpq(times))

    def scaled(self, factor: mpq) -> BoundedRangeMechanism:
        return replace(self, epsilon=self.epsilon * factor)

    def promise(self) -> tuple[str, mpq]:
        """Its range."""
        return "range", self.epsilon

    def with_promise(self, size: mpq) -> BoundedRangeMechanism:
        return replace(self, epsilon=size)


@dataclass(frozen=True, slots=True)
class BoundedRangePair(SameSupport, Curve):
    """All mechanisms of bounded range."""

    epsilon: mpq

    def profile(self, loss: arb) -> arb:
        """(1 - e^{(l - ε)/2})²/(1 - e^{-ε}) within ±ε."""
        most = ball_of_rational(self.epsilon)
        if loss >= most:
            return arb(0)
        if loss <= -most:
            return 1 - loss.exp()
        root = ((loss - most) / 2).expm1()
        return root * root / -(-most).expm1()  # a power of a ball around 0 is no number

    STATES_GREATEST: ClassVar[bool] = True

    def greatest_loss(self, direction: Direction) -> GreatestLoss:
        """The range: losses come as near to it as one likes."""
        del direction
        return GreatestLoss(ExactNumber(self.epsilon))

    def tilt_at(self, loss: arb) -> mpq:
        """The one with an answer of the loss (l + ε)/2."""
        return (lower_end(loss) / self.epsilon + 1) / 2

    @property
    def has_moments(self) -> bool:
        return True

    def rho(self) -> mpq:
        """ε²/8."""
        return self.epsilon**2 / 8

    def moment(self, order: arb) -> arb:
        """At most α(α - 1)·ε²/8."""
        return order * (order - 1) * ball_of_rational(self.rho())

r"""Mechanisms by (ε, δ), of which randomized response is the worst.

Sources: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Definition 1.1 and Lemma 3.2;
Kairouz, Oh & Viswanath, IEEE Trans. Inf. Theory 63(6), 2017 (the worst case).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.comparison import floor_of, sign
from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.arithmetic.enclosures import ball, ball_of_rational
from exactdp.arithmetic.numbers import ExactNumber, Number, as_rational
from exactdp.mechanisms.checks import checked_epsilon, delta_of_mechanism
from exactdp.mechanisms.family import Attained, GivenBy, Symmetric, set_field
from exactdp.mechanisms.keys import JsonEntry, Key, TextOf, counted
from exactdp.mechanisms.pairs import (
    Atom,
    CountedPair,
    Direction,
    GreatestLoss,
    OutputTable,
    SameSupport,
    common_step,
)

parsed: Final = lru_cache(maxsize=4096)(ExactNumber.parse)
"""The number of a text, for a field: each is parsed once, and becomes one shared object."""
_PLACES: Final = 20
_FINE: Final = 1 << 64


@dataclass(frozen=True, slots=True, init=False)
class Mechanism(Attained, Symmetric):
    r"""An (ε, δ)-differentially private mechanism, ``count`` times.

    The constructor takes whatever :func:`exactdp.arithmetic.numbers.as_number` takes.

    Attributes:
        epsilon: ε >= 0, in nats.
        delta: 0 <= δ < 1, rational.
        count: how many such mechanisms, an integer from 1 to 10^18.
        label: free text.

    Raises:
        InputError: a float, or no number at all.
        DomainError: a value outside its range.

    >>> Mechanism("0.1", "1e-9", 3).epsilon
    ExactNumber(rational=mpq(1,10), logs=())
    """

    epsilon: ExactNumber
    delta: mpq
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = (Key("epsilon", further={"delta": "0"}),)

    def __init__(self, epsilon: Number, delta: Number = 0, count: int = 1, label: str = "") -> None:
        """Check and normalise the parameters."""
        set_field(self, "epsilon", checked_epsilon(epsilon))
        set_field(self, "delta", delta_of_mechanism(as_rational(delta, "delta")))
        self._counted(count, label)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> Mechanism:
        """A ledger of a million mechanisms holds few distinct numbers."""
        epsilon, delta = text_of(entry["epsilon"]), text_of(entry.get("delta", "0"))
        parameters = parsed(epsilon, "epsilon"), parsed(delta, "delta")
        return cls(*parameters, *counted(entry))

    @property
    def given_by(self) -> GivenBy:
        return "epsilon-delta"

    def failure(self) -> mpq:
        """Its δ."""
        return self.delta

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """Randomized response; nothing where ε is 0."""
        if sign(self.epsilon) > 0:
            yield RandomizedResponse(self.epsilon), 1

    def implied_epsilon_delta(self) -> tuple[ExactNumber, mpq]:
        """Its parameters."""
        return self.epsilon, self.delta

    def implied_rho(self) -> None:
        """Its ε says more."""

    def rho_estimate(self) -> mpq:
        """About ε²/2."""
        return mpq(floor_of(self.epsilon * _FINE) ** 2, 2 * _FINE**2)

    def ordering(self) -> None:
        """None: of several, the greatest ε and the greatest δ dominate them together."""

    def chain(self) -> Hashable:
        """All of them."""
        return type(self)

    def scaled(self, factor: mpq) -> Mechanism:
        return Mechanism(self.epsilon * factor, self.delta, self.count, self.label)

    def moved(self, times: mpq) -> Mechanism:
        """Its ε grows by as much."""
        return self.scaled(times)

    def promise(self) -> tuple[str, mpq]:
        """Its ε; of an irrational one a decimal near it."""
        if self.epsilon.is_rational:
            return "epsilon", self.epsilon.rational
        return "epsilon", enclose_in_decimals(self.epsilon, _PLACES)[1]

    def with_promise(self, size: mpq) -> Mechanism:
        return Mechanism(size, self.delta, self.count, self.label)


@dataclass(frozen=True, slots=True)
class RandomizedResponse(SameSupport, OutputTable):
    """The pair of randomized response."""

    epsilon: ExactNumber

    def size(self, _digits: int) -> int:
        """Two answers."""
        return 2

    def atoms(self, _digits: int) -> Iterator[Atom]:
        """The true answer and the other."""
        exact, size = self.epsilon.is_rational, ball(self.epsilon)
        less = 1 / (1 + size.exp())
        true = Atom(1 / (1 + (-size).exp()), less, self.epsilon.rational if exact else size)
        yield from (true, true.reversed())

    STATES_GREATEST: ClassVar[bool] = True

    def greatest_loss(self, direction: Direction) -> GreatestLoss:
        """Its ε; it is its own reverse."""
        del direction
        return GreatestLoss(self.epsilon)

    @property
    def has_moments(self) -> bool:
        return True

    def response(self) -> ExactNumber:
        return self.epsilon

    def moment(self, order: arb) -> arb:
        return moment_of_response(ball(self.epsilon), order)

    def step(self) -> mpq | None:
        return self.epsilon.rational if self.epsilon.is_rational else None


@dataclass(frozen=True, slots=True)
class GeneralizedResponse(SameSupport, OutputTable):
    """Two answers with the losses t and t - ε."""

    epsilon: mpq
    t: mpq

    def size(self, _digits: int) -> int:
        """Two answers."""
        return 2

    def atoms(self, _digits: int) -> Iterator[Atom]:
        """The answer of loss t and the other."""
        t, epsilon = ball_of_rational(self.t), ball_of_rational(self.epsilon)
        p = -(t - epsilon).expm1() / -(-epsilon).expm1()
        q = p * (-t).exp()
        yield Atom(p, q, self.t)
        yield Atom(1 - p, 1 - q, self.t - self.epsilon)

    STATES_GREATEST: ClassVar[bool] = True

    def greatest_loss(self, direction: Direction) -> GreatestLoss:
        return GreatestLoss(ExactNumber(self.epsilon - self.t if direction == "add" else self.t))

    def step(self) -> mpq:
        return common_step(self.t, self.epsilon)


def moment_of_response(size: arb, order: arb) -> arb:
    """(α - 1)·D_α of two answers with the losses ε and -ε."""
    tail = (-(2 * order - 1) * size).exp().log1p() - (-size).exp().log1p()
    return (order - 1) * size + tail

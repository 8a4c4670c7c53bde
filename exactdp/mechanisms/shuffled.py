r"""Gaussian noise on the sums of shuffled batches.

Rules of this file: cuts decide how near a bound comes, never whether it holds: floats will do for
them. Probabilities are balls.

Theory of operation: for an observer who is told the batch of the record, an epoch is one release of
Gaussian noise; that is the upper end. For the lower one, let all other records contribute -1, and
the one in question 1, or instead of it 0 (zeroed out) or -1 (replaced). Up to what everybody knows,
the sums of an epoch are normal with deviation σ, one of them around 2 (or around ``zeroed``, 1 or
0), which one is random, and the others around 0. Of their maximum M,

.. math:: P[M \le c] = \Phi((c-2)/\sigma)\,\Phi(c/\sigma)^{T-1},

and Q the same with ``zeroed`` for 2, whatever the sizes of the T batches are. M is cut where its
privacy loss is about half-way between two points: the loss grows with M, and is found there by
halving.

Sources: certs/SPEC.md, section 7.4; Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha & Zhang,
"Scalable DP-SGD: shuffling vs. Poisson subsampling", NeurIPS 2024, Section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import erfc, exp, log, log1p, pi, sqrt
from typing import ClassVar, Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.numbers import Number
from exactdp.arithmetic.threshold import halved
from exactdp.errors import InputError
from exactdp.mechanisms.batches import MOST_BATCHES, REACHES, norm_of_one
from exactdp.mechanisms.checks import positive, whole
from exactdp.mechanisms.family import (
    REPLACE_ONE,
    ZERO_OUT,
    EntryShape,
    Family,
    NeverFails,
    Symmetric,
    set_field,
)
from exactdp.mechanisms.gaussian import GaussianMechanism, GaussianPair
from exactdp.mechanisms.keys import JsonEntry, Key, TextOf, counted, whole_of
from exactdp.mechanisms.pairs import CountedPair, Cut, Direction, SameSupport
from exactdp.mechanisms.remainder import RemainderGaussianMechanism

ORDERS_OF_DATA: Final = ("fresh", "persistent")
_PRESENT: Final = 2
_GREATEST_LOSS: Final = 1000
_DEVIATIONS: Final = 60
_FAR: Final = 30.0
_HALVINGS: Final = 80


@dataclass(frozen=True, slots=True, init=False)
class ShuffledGaussianMechanism(Symmetric, NeverFails):
    r"""Gaussian noise on the sum of every batch, where the records are shuffled into batches.

    In each epoch every record is in one batch of so many; records have norm at most 1. ``order`` is
    ``fresh`` if each epoch shuffles anew, ``persistent`` if all have the first one's order.
    """

    sigma: mpq
    batches: int
    epochs: int
    order: str
    count: int
    label: str

    IS_IN_BATCHES: ClassVar[bool] = True
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            "shuffled",
            "",
            {"batches": None, "epochs": "1", "order": "fresh"},
            joins=("sigma",),
            others=("batch", "records"),
        ),
    )

    def __init__(
        self,
        sigma: Number,
        batches: int,
        epochs: int = 1,
        order: str = "fresh",
        count: int = 1,
        label: str = "",
    ) -> None:
        """Check and normalise the parameters."""
        set_field(self, "sigma", positive(sigma, "sigma"))
        set_field(self, "batches", whole(batches, "batches", MOST_BATCHES))
        set_field(self, "epochs", whole(epochs, "epochs", MOST_BATCHES))
        if order not in ORDERS_OF_DATA:
            raise InputError(field="order", value=order, expected=" or ".join(ORDERS_OF_DATA))
        set_field(self, "order", order)
        self._counted(count, label)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> Family:
        """Records have norm at most 1: a sensitivity is none that could be stated.

        With ``batch`` and ``records`` it says which records an epoch leaves out.
        """
        if not entry["shuffled"].keys().isdisjoint(cls.KEYS[0].others):
            return RemainderGaussianMechanism.from_entry(entry, text_of)
        norm_of_one(entry, text_of)
        batches, epochs, order = cls.KEYS[0].read(entry, text_of)
        plan = whole_of(batches, "batches"), whole_of(epochs, "epochs"), order
        return cls(text_of(entry["sigma"]), *plan, *counted(entry))

    def shape(self) -> EntryShape:
        return {"sigma": self.sigma, **self.KEYS[0].shape_of(self)}

    @property
    def neighbours(self) -> tuple[str, ...]:
        return (ZERO_OUT, REPLACE_ONE)

    def known_batch(self, relation: str) -> GaussianMechanism:
        """What it is to someone who knows the batch of the record: a release an epoch.

        A record moves its sum by at most 1 if it is zeroed out, by at most 2 if it is replaced.

        >>> ShuffledGaussianMechanism("1/2", 1000, 3).known_batch("zero-out").count
        3
        """
        reach = 2 if relation == REPLACE_ONE else 1
        return GaussianMechanism(reach / self.sigma, self.count * self.epochs, self.label)

    def with_known_batch(self, relation: str) -> GaussianMechanism:
        return self.known_batch(relation)

    def pairs(self, relation: str) -> Iterator[CountedPair]:
        """The epochs for someone who knows the batch."""
        yield GaussianPair(mpq(REACHES[relation]) ** 2 / self.sigma**2), self.epochs

    def attained(self, relation: str, _tilt: mpq) -> Iterator[CountedPair]:
        """The greatest sum of each epoch, on the worst data."""
        variance, epochs = self.sigma**2, self.epochs
        if self.order == "persistent":
            variance, epochs = variance / epochs, 1
        yield ShuffledMaxPair.of(variance, self.batches, relation), epochs

    def gap(self) -> str:
        return "what shuffling hides; above, the batch of each record is known"

    def attained_by(self, _relation: str) -> Iterator[str]:
        yield "of shuffled batches, where all other records pull one way and one the other"

    def implied_epsilon_delta(self) -> None:
        """No ε holds without a δ."""

    def implied_rho(self) -> None:
        """Only of one who is told the batch."""

    def rho_estimate(self) -> mpq:
        """About that of one who is told the batch."""
        return self.epochs / (2 * self.sigma**2)

    def ordering(self) -> None:
        """Only its equal is like it."""

    def scaled(self, factor: mpq) -> ShuffledGaussianMechanism:
        return replace(self, sigma=self.sigma / factor)

    def noise(self) -> tuple[str, mpq]:
        """Its deviation."""
        return "sigma", self.sigma

    def with_noise(self, noise: mpq) -> ShuffledGaussianMechanism:
        return replace(self, sigma=noise)


@dataclass(frozen=True, slots=True)
class ShuffledMaxPair(SameSupport, Cut):
    """The maximum of the sums of so many batches, of which one has the mean 2, or ``zeroed``."""

    variance: mpq
    batches: int
    zeroed: int

    @staticmethod
    def of(variance: mpq, batches: int, neighbouring: str) -> ShuffledMaxPair:
        """The maximum under a neighbouring relation."""
        return ShuffledMaxPair(variance, batches, _PRESENT - REACHES[neighbouring])

    def profile(self, loss: arb) -> arb:
        """P[M > c] - e^l·Q[M > c] where the loss of c is l."""
        p, q = self.tails(self.cut(loss))
        return p - loss.exp() * q

    def greatest_loss(self, direction: Direction) -> None:
        """There is none: losses grow with the greatest sum."""
        del direction

    def cut(self, loss: arb) -> arb:
        """About where the loss is so much."""
        return arb(_near(self, float(loss.mid())))

    def cuts(self, listed: tuple[int, ...], unit: mpq) -> tuple[int, ...]:
        """In units of the mesh times the variance."""
        return cuts_of(self, listed, unit)

    def at(self, cut: int, unit: mpq) -> arb:
        return ball_of_rational(cut * unit * self.variance)

    def tails(self, cut: arb) -> tuple[arb, arb]:
        """P and Q of a maximum above the cut."""
        deviation = ball_of_rational(self.variance).sqrt()
        others = _normal(cut / deviation) ** (self.batches - 1)
        p, q = (1 - _normal((cut - mean) / deviation) * others for mean in (_PRESENT, self.zeroed))
        return p, q


@lru_cache(maxsize=8)
def cuts_of(pair: ShuffledMaxPair, listed: tuple[int, ...], unit: mpq) -> tuple[int, ...]:
    """Cuts near the losses half-way between points, in units of the mesh times the variance."""
    step = unit * pair.variance
    scale = int(step.numerator) / int(step.denominator)
    width = int(unit.numerator) / int(unit.denominator)
    halves = ((here + after) * width / 2 for here, after in pairwise(listed))
    return tuple(round(_near(pair, half) / scale) for half in halves)


def _near(pair: ShuffledMaxPair, loss: float) -> float:
    """About where the loss is so much."""
    deviation = sqrt(int(pair.variance.numerator) / int(pair.variance.denominator))
    rising = _loss(deviation, pair.batches - 1, pair.zeroed)
    high = _PRESENT + 2 * _GREATEST_LOSS * deviation**2 + _DEVIATIONS * deviation
    return halved(lambda cut: rising(cut) >= loss, -high, high, _HALVINGS)[1]


def _loss(deviation: float, others: int, zeroed: int) -> Callable[[float], float]:
    """About the logarithm of the densities of M, one over the other."""

    def density(cut: float, mean: int) -> float:
        """The logarithm of φ((c - mean)/σ)·Φ(c/σ) + (T - 1)·Φ((c - mean)/σ)·φ(c/σ), up to both."""
        here, below = (cut - mean) / deviation, _log_normal((cut - mean) / deviation)
        own, rest = -here * here / 2 + _log_normal(cut / deviation), -((cut / deviation) ** 2) / 2
        if not others:
            return own
        both = sorted((own, log(others) + below + rest))
        return both[1] + log1p(exp(both[0] - both[1]))

    return lambda cut: density(cut, _PRESENT) - density(cut, zeroed)


def _log_normal(x: float) -> float:
    """About ln Φ(x)."""
    if x > -_FAR:
        return log(erfc(-x / sqrt(2)) / 2)
    return -x * x / 2 - log(-x * sqrt(2 * pi))


def _normal(x: arb) -> arb:
    r"""Φ(x)."""
    return (-x / arb(2).sqrt()).erfc() / 2

r"""Gaussian noise on the sum of a batch of a fixed size, drawn anew in each step.

Rules of this file: everything is a ball at the precision of the context; P is the law with the
record as it is.

Theory of operation: the record is in the batch with probability q = m/n, instead of another. With N
noise around 0, M and M' around 2 and 1, the pair (1 - q)N + qM, (1 - q)N + qM' is that of a record
of 1 that is zeroed out while all others are -1. No other data reveal more at any y >= 1; for y < 1
data do on which all others are 1 as well, which is a Poisson sample. Where a record is replaced,
both halves are those of a Poisson sample of twice the reach.

Sources: certs/SPEC.md, sections 7.4 and 7.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.numbers import Number
from exactdp.errors import DomainError
from exactdp.mechanisms.batches import (
    MOST_RECORDS,
    REACHES,
    GaussianOnBatches,
    norm_of_one,
)
from exactdp.mechanisms.checks import positive, whole
from exactdp.mechanisms.family import REPLACE_ONE, ZERO_OUT, set_field
from exactdp.mechanisms.gaussian import GaussianMechanism, GaussianPair
from exactdp.mechanisms.keys import JsonEntry, Key, TextOf, counted, whole_of
from exactdp.mechanisms.pairs import CountedPair, Curve, ReplaceOneEnvelope
from exactdp.mechanisms.sums import ReplacedCut

_FAR: Final = 1000


@dataclass(frozen=True, slots=True, init=False)
class FixedSizeGaussianMechanism(GaussianOnBatches):
    r"""Gaussian noise on the sum of a batch of so many records, drawn without replacement.

    Each of the ``count`` steps draws its own; records have norm at most 1. Where a record is zeroed
    out it still counts among all.

    >>> FixedSizeGaussianMechanism("1.1", 256, 60000, 14063).rate
    mpq(8,1875)
    """

    sigma: mpq
    batch: int
    records: int
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("fixed_size", "", {"batch": None, "records": None}, joins=("sigma",), in_cells=False),
    )

    def __init__(
        self, sigma: Number, batch: int, records: int, count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters."""
        set_field(self, "sigma", positive(sigma, "sigma"))
        set_field(self, "records", whole(records, "records", MOST_RECORDS))
        set_field(self, "batch", whole(batch, "batch", MOST_RECORDS))
        if self.batch >= self.records:
            raise DomainError(
                field="batch",
                value=str(batch),
                expected=f"less than all {records} records",
                remedy="write the records that there are, and how many of them are drawn",
            )
        self._counted(count, label)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> FixedSizeGaussianMechanism:
        """Records have norm at most 1: a sensitivity is none that could be stated."""
        norm_of_one(entry, text_of)
        batch, records = cls.KEYS[0].read(entry, text_of)
        plan = whole_of(batch, "batch"), whole_of(records, "records")
        return cls(text_of(entry["sigma"]), *plan, *counted(entry))

    @property
    def rate(self) -> mpq:
        """The probability that a record is in a batch."""
        return mpq(self.batch, self.records)

    @property
    def neighbours(self) -> tuple[str, ...]:
        return (ZERO_OUT, REPLACE_ONE)

    def with_known_batch(self, relation: str) -> GaussianMechanism:
        """To someone who knows which batches the record is in, that many releases at most."""
        return GaussianMechanism(REACHES[relation] / self.sigma, self.count, self.label)

    def pairs(self, relation: str) -> Iterator[CountedPair]:
        """The greater curve on either side of y = 1."""
        if relation == REPLACE_ONE:
            sample = GaussianPair(4 / self.sigma**2).on_sample(self.rate)
            assert isinstance(sample, Curve)
            yield ReplaceOneEnvelope(sample), 1
        else:
            yield DrawnPair(1 / self.sigma**2, self.rate), 1

    def attained(self, relation: str, _tilt: mpq) -> Iterator[CountedPair]:
        """All others -1."""
        if relation == REPLACE_ONE:
            yield GaussianPair(4 / self.sigma**2).on_sample(self.rate), 1
        else:
            yield DrawnPair(1 / self.sigma**2, self.rate), 1

    def gap(self) -> str:
        return "what lies between two data sets: one reveals most above y = 1, the other below"

    def attained_by(self, _relation: str) -> Iterator[str]:
        yield "of batches of a fixed size, where all other records pull one way and one the other"

    def differs_by_direction(self, relation: str) -> bool:
        return relation != REPLACE_ONE

    def rho_estimate(self) -> mpq:
        """About that of a Poisson sample of twice the reach."""
        return 2 * self.rate**2 / self.sigma**2


@dataclass(frozen=True, slots=True)
class DrawnPair(ReplacedCut):
    """Where the record is zeroed out, by μ²; outputs are times that of the noise.

    For profiles at losses below 0, the reverse of a Poisson sample; the laws are those of losses
    above 0.
    """

    square: mpq
    rate: mpq

    def noise(self) -> GaussianPair:
        return GaussianPair(self.square)

    def profile(self, loss: arb) -> arb:
        """The greater curve on either side of y = 1."""
        if loss < 0:
            sample = self.noise().on_sample(self.rate)
            assert isinstance(sample, Curve)
            return 1 - loss.exp() * (1 - sample.profile(-loss))
        p, q = self.tails(self.near(loss.exp()))
        return p - loss.exp() * q

    def near(self, odds: arb) -> arb:
        """The value of ln X, for qX²·e^{-2s} - yqX·e^{-s/2} - (1 - q)(y - 1) = 0, s the square."""
        square, rate = ball_of_rational(self.square), ball_of_rational(self.rate)
        own = rate * odds * (3 * square / 2).exp()
        rest = (1 - rate) * arb(0).max(odds - 1) * (2 * square).exp()
        return ((own + (own * own + 4 * rate * rest).sqrt()) / (2 * rate)).log()

    def cut(self, loss: arb) -> arb:
        """Where the loss is so much; what has losses below 0 is one cell, by its own loss."""
        if not loss < 0:
            return self.near(loss.exp())
        output = ball_of_rational(3 * self.square / 2)
        p, q = self.tails(output)
        return arb(-_FAR) if loss.exp() * (1 - q) < 1 - p else output

    def beyond(self, output: arb) -> tuple[arb, arb, arb]:
        """Values of Φ."""
        square = ball_of_rational(self.square)
        root = (2 * square).sqrt()
        own, without, other = (
            (each / root).erfc() / 2 for each in (output - 2 * square, output, output - square)
        )
        return own, without, other

r"""Batches of a fixed size: Gaussian noise on the sum of so many records, drawn anew in each step.

Rules of this file: as in ``pairs_of_laws``; P is the law with the record as it is, Q that with the
record zeroed out, or replaced.

Theory of operation: draw m of the other records; with probability q = m/n, then exchange one of
them for the record. Around what is not exchanged lies R; the record moves it by at most 2, its
absence by at most 1, and these two are at most 1 apart; replaced records are 2 apart, as R is from
each. For y >= 1 every event has at most

    (1 - q)(1 - y)·R + q(P - y·Q) <= sup_x -(1 - q)(y - 1)·N + q(M - y·M')

for noise N around 0, M around the greatest distance from it and M' at the greatest distance from
M: all others pull one way and the record the other. For y < 1 it is P and R that are near each
other and Q that is far from both: all others pull as the record does, a Poisson sample. Where
records are replaced both are that sample, of twice the reach.

Sources: certs/SPEC.md, sections 7.4 and 7.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from ..arithmetic.enclosures import Enclosure, exp_fixed
from ..format.meter import of_division, pay
from ..format.numbers import size
from ..format.outcomes import MalformedError
from ..format.shapes import integer, members
from ..format.strict_json import Json
from .curves import Curve, EitherWay, Normal, SampledCurve, SampledCut
from .pairs_of_laws import MAX_LOSS, Dominating, Pair
from .replaced import Replaced
from .three_laws import Batches, beyond, near, ratios

MAX_RECORDS: Final = 10**12
REPLACED: Final = "replace-one"
RELATIONS: Final = ("zero-out", REPLACED)


@dataclass(frozen=True)
class FixedSize(Batches):
    """``count`` steps with Gaussian noise of a variance on the sum of a batch."""

    rate: Fraction

    def dominating(self, relation: str) -> list[tuple[Dominating, int]]:
        """What no step exceeds."""
        if relation == REPLACED:
            return [(EitherWay(SampledCurve(self._far, self.rate)), self.count)]
        return [(Drawn(1 / self.variance, self.rate), self.count)]

    def attained(self, relation: str, _tilt: Fraction) -> list[tuple[Pair, int]]:
        """What a step has where all other records pull the other way."""
        if relation == REPLACED:
            return [(SampledCut(self._far, self.rate), self.count)]
        return [(Drawn(1 / self.variance, self.rate), self.count)]

    @property
    def _far(self) -> Normal:
        """Noise around two records that are opposite."""
        return Normal(4 / self.variance)


@dataclass(frozen=True)
class Drawn(Replaced):
    """Where the record is zeroed out, by μ²; outputs are times that of the noise.

    For ``at`` with losses below 0, the reverse of a Poisson sample; the laws are those of losses
    above 0.
    """

    square: Fraction
    rate: Fraction

    def is_unbounded(self, *, back: bool) -> bool:
        """As a sample."""
        return not back

    def at(self, loss: Enclosure, bits: int) -> Enclosure:
        """The greater curve on either side of y = 1."""
        if loss[1] < 0:
            curve: Curve = SampledCurve(Normal(self.square), self.rate)
            return curve.reversed_at(loss, bits)
        return super().at(loss, bits)

    def near(self, odds: int, bits: int) -> Fraction:
        """The output of the record and its absence, for v = (1 - q)(y - 1)/q.

        It is at least 3s/2 but for rounding, and the ratio of the densities rises from 3s/2 - ln 2
        on: only so is an output near it as good.
        """
        above, below = self.rate.numerator, self.rate.denominator
        pay(2 * of_division(2 * bits + size(self.rate)))
        return near(odds, (below - above) * (odds - (1 << bits)) // above, self.square, bits)

    def cut(self, loss: Enclosure, bits: int) -> int:
        """Where the loss is so much; what has losses below 0 is one cell, by its own loss."""
        if loss[0] >= 0:
            return super().cut(loss, bits)
        pay(8 * of_division(2 * bits))
        one, output = 1 << bits, 3 * self.square / 2
        p, q = self.tails((output.numerator << bits) // output.denominator, bits)
        if exp_fixed(loss, bits)[0] * (one - q[0]) < (one - p[0]) << bits:
            return -MAX_LOSS << bits
        return (output.numerator << bits) // output.denominator

    def beyond(self, output: Fraction, bits: int) -> tuple[Enclosure, Enclosure, Enclosure]:
        """Noise around 2, 0 and 1."""
        return beyond(output, self.square, bits)

    def ratios(self, output: Fraction, bits: int) -> tuple[Enclosure, Enclosure]:
        """Of noise around 2 and 1, to that around 0."""
        return ratios(output, self.square, bits)


def read_fixed_size(value: Json, sigma: Fraction, count: int, text: bytes) -> FixedSize:
    """The steps of an entry, whose sigma, count and bytes are known."""
    plan = members(value, ("batch", "records"), "fixed_size")
    records = integer(plan["records"], 2, MAX_RECORDS, "records")
    batch = integer(plan["batch"], 1, MAX_RECORDS, "batch")
    if batch >= records:
        raise MalformedError("a batch is not less than all records")
    return FixedSize(sigma**2, count, text, Fraction(batch, records))

r"""A mechanism on a Poisson sample, in which each record takes part with a probability.

Rules of this file: what the base can answer is asked of the base. A clip is the most that one
record moves a sum: a removal moves it by that, a replacement by twice that, and the base is about a
removal.

Sources: Zhu, Dong & Wang, AISTATS 2022, Theorem 11 (pairs); Balle, Barthe & Gaboardi, NeurIPS 2018,
Theorem 8 (ε and δ).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, Self

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import ceil_to
from exactdp.arithmetic.enclosures import ball, ball_of_rational, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.errors import InputError, InternalError, UnsupportedError, shorten
from exactdp.mechanisms.checks import checked_rate
from exactdp.mechanisms.clip import about_the_clip, checked_clip, missing_clip, removal_of
from exactdp.mechanisms.families import UNSAMPLED
from exactdp.mechanisms.family import (
    REPLACE_ONE,
    THERE_OR_NOT,
    EntryShape,
    Family,
    NeverFails,
    Pick,
    Sampleable,
    set_field,
)
from exactdp.mechanisms.gaussian import GaussianMechanism
from exactdp.mechanisms.keys import IN_BATCHES, JsonEntry, Key, TextOf, counted, listed
from exactdp.mechanisms.pairs import CountedPair, Curve, Pair, ReplaceOneEnvelope
from exactdp.mechanisms.sums import SumNoise

if TYPE_CHECKING:
    from exactdp.mechanisms.order import Order

SAMPLED_BASES: Final = tuple(each for each in UNSAMPLED if issubclass(each, Sampleable))
"""The families that may be run on a Poisson sample."""
_SHARED: Final = ("rate", "clip", "count", "label")
_BASES: Final = {key.name: base for base in SAMPLED_BASES for key in base.KEYS}
REACHES: Final = {
    key.name: base.REACH_KEY
    for base in SAMPLED_BASES
    for key in base.KEYS
    if base.REACH_KEY in key.further
}
"""The keys of noise on a sum, with what may stand in the place of a clip."""
_BITS: Final = 256
_PLACES: Final = 20


@dataclass(frozen=True, slots=True, init=False)
class SampledMechanism(NeverFails):
    r"""A mechanism on a Poisson sample: each record takes part with probability ``rate``.

    Its neighbours differ by one record that is added or removed. Where one is replaced, a range is
    about a record added, removed or replaced alike, and noise on a sum needs the ``clip``: the most
    that one record moves the sum. A removal moves it by that, a replacement by twice that. The base
    is about a removal. With a Gaussian base this is a step of DP-SGD.

    >>> step = GaussianMechanism.of_noise(sigma="1.1", sensitivity=1)
    >>> SampledMechanism(step, "256/60000", 14063).rate
    mpq(8,1875)
    """

    base: Sampleable
    rate: mpq
    clip: mpq | None
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("clip", joins=tuple(REACHES)),
        Key("rate", joins=tuple(_BASES), default="1"),
    )

    def __init__(
        self,
        base: Sampleable,
        rate: Number,
        count: int = 1,
        label: str = "",
        clip: Number | None = None,
    ) -> None:
        """Check and normalise the parameters; the base is one mechanism without a label."""
        _check_base(base, rate)
        set_field(self, "base", base)
        set_field(self, "rate", checked_rate(rate))
        set_field(
            self, "clip", None if clip is None else checked_clip(base, self.rate, clip, REACHES)
        )
        self._counted(count, label)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> Sampleable | SampledMechanism:
        """At rate 1 it is no sample."""
        rate, (count, label) = text_of(entry.get("rate", "1")), counted(entry)
        own = removal_of(entry, REACHES, text_of) if "clip" in entry else entry
        base = next((base for key, base in _BASES.items() if key in entry), None)
        batched = next((key for key in IN_BATCHES if key in entry), None)
        if base is None or batched:
            what = batched or next(key for key in entry if key not in _SHARED)
            raise not_sampled(f"{shorten(rate)} beside {what}")
        clip = text_of(entry["clip"]) if "clip" in entry else None
        try:
            known = base.from_entry({**own, "count": 1, "label": ""}, text_of)
        except InputError as error:
            raise (error if clip is None else about_the_clip(error, REACHES)) from None
        assert isinstance(known, Sampleable)
        return sampled(known, rate, count, label, clip)

    def shape(self) -> EntryShape:
        if self.clip is not None:
            return {**self.base.noise_shape(self.clip), "clip": self.clip, "rate": self.rate}
        return {**self.base.shape(), "rate": self.rate} if self._is_sample else self.base.shape()

    def event(self) -> EntryShape:
        """Beside a clip, the noise alone."""
        if self.clip is None:
            return {**self.base.event(), "rate": self.rate}
        if self.base.REACH_IS_RELATIVE:
            noise = {**self.base.event()}
            unit = noise.pop(self.base.REACH_KEY)
            return {**noise, "clip": unit, "rate": self.rate}
        own = int(self.clip) if self.base.ON_INTEGERS else mpq(1)
        return {**self.base.noise_shape(mpq(own)), "clip": own, "rate": self.rate}

    # --- between which neighbours ---------------------------------------------------------------

    @property
    def neighbours(self) -> tuple[str, ...]:
        """A table says nothing of a replacement."""
        known = self.clip is not None or self.base.IS_ABOUT_REPLACEMENT
        return (*THERE_OR_NOT, REPLACE_ONE) if known else THERE_OR_NOT

    def refused(self, relation: str) -> UnsupportedError | None:
        """Noise on a sum needs a clip where a record is replaced."""
        if relation != REPLACE_ONE or self.clip is not None or self.base.reach() is None:
            return None
        return missing_clip(self.base, self.rate)

    def between(self, relation: str) -> SampledMechanism:
        """A clip matters where a record is replaced."""
        return self if relation == REPLACE_ONE else replace(self, clip=None)

    @property
    def _is_sample(self) -> bool:
        """Whether the sample leaves anybody out, of a mechanism that reveals something."""
        return self.rate != 1 and self.base.reach() != 0

    def sampled_base(self) -> Sampleable:
        return self.base

    def furthest(self) -> tuple[str, mpq] | None:
        return self.base.furthest() if self.clip is None else ("clip", self.clip)

    def moved(self, times: mpq) -> Sampleable | SampledMechanism:
        """What reveals nothing is no sample."""
        return sampled(self.base.moved(times), self.rate, self.count, self.label)

    def unsampled(self) -> Sampleable:
        """What it is at rate 1: one that is replaced moves twice the clip.

        >>> SampledMechanism(GaussianMechanism(1), "1/2", clip=3).unsampled().mu
        mpq(2,1)
        """
        return self.base if self.clip is None else self.base.moved(mpq(2))

    # --- what it reveals ------------------------------------------------------------------------

    def pairs(self, relation: str) -> Iterator[CountedPair]:
        """The pair of the base on a sample; with a clip, that of a record that is replaced."""
        if not self._is_sample:
            yield from self.base.pairs(relation)
        elif relation == REPLACE_ONE:
            yield self._replaced(self.base.pair()), 1
        else:
            yield self.base.pair().on_sample(self.rate), 1

    def attained(self, relation: str, tilt: mpq) -> Iterator[CountedPair]:
        """What the base attains, on a sample."""
        if not self._is_sample:
            yield from self.base.attained(relation, tilt)
        elif self.clip is not None and relation == REPLACE_ONE:
            yield self._replaced(self.base.pair()), 1
        else:
            yield self.base.attained_pair(tilt).on_sample(self.rate), 1

    def _replaced(self, pair: Pair) -> Pair:
        if self.clip is not None and isinstance(pair, SumNoise):
            return pair.replaced(self.rate)
        sampled = pair.on_sample(self.rate)
        if self.base.IS_ABOUT_REPLACEMENT and isinstance(sampled, Curve):
            return ReplaceOneEnvelope(sampled)
        raise InternalError(
            field="mechanism", value=self.name, expected="a clip, where a record is replaced"
        )

    @property
    def can_be_sampled(self) -> bool:
        return True

    @property
    def sampling_rate(self) -> mpq:
        return self.rate

    @property
    def is_sampled(self) -> bool:
        return self._is_sample

    def gap(self) -> str:
        return self.base.gap()

    def attained_by(self, relation: str) -> Iterator[str]:
        yield from self.base.attained_by(relation)
        if self._is_sample and self.base.IS_ABOUT_REPLACEMENT and relation == REPLACE_ONE:
            yield "of ranges on a sample, where a record is replaced by one without influence"

    @property
    def has_tilt(self) -> bool:
        return self.base.has_tilt

    def differs_by_direction(self, relation: str) -> bool:
        """The record is in the sample of one input alone."""
        if not self._is_sample:
            return self.base.differs_by_direction(relation)
        return relation != REPLACE_ONE

    # --- what theorems make of it ---------------------------------------------------------------

    def implied_epsilon_delta(self) -> tuple[ExactNumber, mpq] | None:
        """A decimal at least ln(1 + q(e^ε - 1)), and qδ; with a clip for a record replaced."""
        known = self.base.implied_epsilon_delta()
        if known is None:
            return None
        amplified = _amplified if self.clip is None else _amplified_replaced
        return amplified(known[0], self.rate), self.rate * known[1]

    def implied_rho(self) -> mpq | None:
        return self.unsampled().implied_rho() if self.base.implied_epsilon_delta() is None else None

    def implied_mu_squared(self) -> mpq | None:
        return self.unsampled().implied_mu_squared()

    def rho_estimate(self) -> mpq:
        """About q² times that of the base."""
        return self.rate**2 * self.base.rho_estimate()

    def rounds_with(self) -> Hashable | None:
        """What the base is rounded with, on samples."""
        if self.clip is not None:
            return None
        normal = isinstance(self.base, GaussianMechanism)
        inner = type(self.base) if normal else self.base.rounds_with()
        return None if inner is None else (type(self), inner)

    @classmethod
    def extreme(cls, group: Sequence[Self], pick: Pick) -> SampledMechanism:
        """By the base and the rate."""
        bases = [each.base for each in group]
        base = type(bases[0]).extreme(bases, pick)
        return cls(base, pick(each.rate for each in group))

    # --- beside others, and what may be turned --------------------------------------------------

    def ordering(self) -> Order | None:
        known = self.base.ordering()
        return None if known is None else known.on_sample(self.rate)

    def scaled(self, factor: mpq) -> SampledMechanism:
        return replace(self, base=self.base.scaled(factor))

    @property
    def can_be_scaled(self) -> bool:
        return self.base.can_be_scaled

    @property
    def has_noise(self) -> bool:
        return self.base.has_noise

    def noise(self) -> tuple[str, mpq]:
        return self.base.noise()

    def with_noise(self, noise: mpq) -> SampledMechanism:
        return replace(self, base=self.base.with_noise(noise))

    def promise(self) -> tuple[str, mpq] | None:
        return self.base.promise()

    def with_promise(self, size: mpq) -> SampledMechanism:
        return replace(self, base=self.base.with_promise(size))


def sampled(
    base: Sampleable, rate: Number, count: int, label: str, clip: Number | None = None
) -> Sampleable | SampledMechanism:
    """The mechanism on a Poisson sample; at rate 1 the mechanism itself, ``count`` times."""
    known = checked_rate(rate)
    if clip is not None or (known != 1 and base.reach() != 0):
        return SampledMechanism(base, known, count, label, clip)
    return base.changed(count=count, label=label)


def resampled(entry: Family, rate: mpq) -> Family:
    """A mechanism that can be sampled at another rate; at 1, without any."""
    if isinstance(entry, SampledMechanism):
        whole = entry.unsampled().changed(count=entry.count, label=entry.label)
        return whole if rate == 1 else replace(entry, rate=rate)
    if isinstance(entry, Sampleable):
        return sampled(entry.without_label(), rate, entry.count, entry.label)
    raise entry.not_turned()


def _amplified(epsilon: ExactNumber, rate: mpq) -> ExactNumber:
    """A decimal at least ln(1 + q(e^ε - 1))."""
    with precision(_BITS):
        size = (ball_of_rational(rate) * ball(epsilon).expm1()).log1p()
        return ExactNumber(ceil_to(upper_end(size), _PLACES))


def _amplified_replaced(epsilon: ExactNumber, rate: mpq) -> ExactNumber:
    """A decimal at least ln((1 + q(e^ε - 1))/(1 + q(e^-ε - 1))): where one gives way to another."""
    with precision(_BITS):
        share = ball_of_rational(rate)
        ends = [(share * size.expm1()).log1p() for size in (ball(epsilon), -ball(epsilon))]
        return ExactNumber(ceil_to(upper_end(ends[0] - ends[1]), _PLACES))


# --- what is checked ----------------------------------------------------------------------------


def not_sampled(what: str) -> UnsupportedError:
    """The error of a rate beside something that cannot be sampled."""
    return UnsupportedError(
        field="rate",
        value=what,
        expected=f"a rate beside {listed(_BASES)}: what is known of others is two numbers",
        remedy="where records are added or removed, a sample at rate q of what is (ε, δ)-DP is "
        "(ln(1 + q(e^ε - 1)), qδ)-DP: write these; a table of outputs, as a pair, takes a rate",
    )


def _check_base(base: Sampleable, rate: Number) -> None:
    """See that the base is one mechanism that can be sampled, without a label."""
    if type(base) not in SAMPLED_BASES:
        raise not_sampled(f"{rate} beside {type(base).__name__}")
    if base.count != 1 or base.label:
        raise InputError(
            field="count",
            value=base.count,
            expected="a base of count 1 without a label: both are those of the sampled one",
        )
    if len(getattr(base, "shifts", (1,))) > 1:
        raise UnsupportedError(
            field="rate",
            value=str(rate),
            expected="one shift, as one sample would serve all coordinates",
            remedy="write a mechanism for each coordinate if each draws a sample of its own",
        )

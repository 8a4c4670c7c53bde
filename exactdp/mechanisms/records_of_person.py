r"""Gaussian noise on a sampled sum, of which one person has several records.

Rules of this file: everything is a ball at the precision of the context; P is the law with the
person, Q that without.

Theory of operation: each of G records is in the sample by itself with probability q, so that K of
them are, binomial of G and q, and a record moves the sum by at most the sensitivity. Given all
earlier answers the worst that they can do is to pull one way, each as far as it may: P is the mean
over K of noise around K·μ, Q is noise around 0. The ratio of their densities rises with the output,
so that outputs from a threshold on are best, and the pair is attained. Where a person's records are
replaced this is not known: those that come in depend on those that go out.

Sources: Ganesh, "Tight group-level DP guarantees for DP-SGD with sampling via mixture of Gaussians
mechanisms", arXiv:2401.10294; Schuchardt, Stoian, Kosmala & Günnemann, "Unified mechanism-specific
amplification by subsampling and group privacy amplification", NeurIPS 2024; certs/SPEC.md, 7.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from typing import ClassVar, Final

from flint import arb, ctx
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.errors import DomainError, UnsupportedError
from exactdp.mechanisms.checks import checked_rate, whole
from exactdp.mechanisms.family import (
    REPLACE_ONE,
    THERE_OR_NOT,
    Attained,
    EntryShape,
    Family,
    NeverFails,
    set_field,
)
from exactdp.mechanisms.gaussian import GaussianMechanism
from exactdp.mechanisms.keys import IN_BATCHES, JsonEntry, Key, TextOf, counted, listed, whole_of
from exactdp.mechanisms.pairs import CountedPair, Cut, Direction, GreatestLoss, SameSupport
from exactdp.mechanisms.sampled import SampledMechanism, sampled

MOST_RECORDS: Final = 1000
"""Of one person."""
_KEY: Final = "records_per_person"
_NOISE: Final = tuple(key.name for key in GaussianMechanism.KEYS)
_FAR: Final = 1000
_STEPS: Final = 200
_SPARE: Final = 20


@dataclass(frozen=True, slots=True, init=False)
class PersonInSampleMechanism(Attained, NeverFails):
    r"""Gaussian noise on the sum of a Poisson sample, of which a person has several records.

    Each record is in the sample by itself with probability ``rate``; neighbours differ by all
    records of one person.

    Attributes:
        mu_squared: the square of what one record moves the sum by, in deviations of the noise.
        rate: above 0 and below 1.
        records: of one person, from 2 to 1000.

    >>> PersonInSampleMechanism(1, "1/100", 3)
    <PersonInSampleMechanism: mu=1, rate=0.01, records_per_person=3>
    """

    mu_squared: mpq
    rate: mpq
    records: int
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = (Key(_KEY, joins=_NOISE, default="1"),)
    HAS_LEMMA: ClassVar[bool] = False
    PROTECTS: ClassVar[str] = "person"
    IS_IN_BATCHES: ClassVar[bool] = True

    def __init__(
        self, mu_squared: Number, rate: Number, records: int, count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters."""
        set_field(self, "mu_squared", GaussianMechanism(mu_squared=mu_squared).mu_squared)
        set_field(self, "rate", checked_rate(rate))
        set_field(self, "records", whole(records, _KEY, MOST_RECORDS))
        if self.rate == 1 or self.records == 1 or not self.mu_squared:
            raise DomainError(
                field=_KEY,
                value=str(records),
                expected="noise, a rate below 1, and at least 2 records",
                remedy="write what it is without: a sample, or noise as far as all records move it",
            )
        self._counted(count, label)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> Family:
        """One record is a sample; all records at rate 1 move the noise so many times as far."""
        _check_beside(entry, text_of)
        records = whole(whole_of(text_of(entry[_KEY]), _KEY), _KEY, MOST_RECORDS)
        own = {name: value for name, value in entry.items() if name not in (_KEY, "rate")}
        known = GaussianMechanism.from_entry({**own, "count": 1, "label": ""}, text_of)
        return person_in_sample(known, text_of(entry.get("rate", "1")), records, *counted(entry))

    def shape(self) -> EntryShape:
        return {**self._release().shape(), "rate": self.rate, _KEY: self.records}

    def event(self) -> EntryShape:
        """The deviation of the noise."""
        return {**self._release().event(), "rate": self.rate, _KEY: self.records}

    def _release(self) -> GaussianMechanism:
        """The noise on a sum that one record moves."""
        return GaussianMechanism(mu_squared=self.mu_squared)

    # --- between which neighbours ---------------------------------------------------------------

    @property
    def neighbours(self) -> tuple[str, ...]:
        return THERE_OR_NOT

    def refused(self, relation: str) -> UnsupportedError | None:
        """Where records are replaced nothing tight is known."""
        if relation != REPLACE_ONE:
            return None
        return UnsupportedError(
            field=_KEY,
            value=f"{self.records}, with replace-one",
            expected="add-remove-one or zero-out, in which all records of a person are there, or "
            "none: of records that are replaced no tight bound is proved",
            remedy=f"leave {_KEY} out and ask about a group of {self.records} with --group, which "
            "replaces one record after the other; or write add-remove-one",
        )

    # --- what it reveals ------------------------------------------------------------------------

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """Noise around as many records as are in the sample, and around none."""
        yield PersonPair(self.mu_squared, self.rate, self.records), 1

    def differs_by_direction(self, _relation: str) -> bool:
        return True

    @property
    def sampling_rate(self) -> mpq:
        return self.rate

    @property
    def is_sampled(self) -> bool:
        return True

    # --- what theorems make of it ---------------------------------------------------------------

    def implied_epsilon_delta(self) -> None:
        """No ε holds without a δ."""

    def implied_rho(self) -> None:
        """Its μ says as much."""

    def implied_mu_squared(self) -> mpq:
        """What it is if every record is in the sample."""
        return self.mu_squared * self.records**2

    def rho_estimate(self) -> mpq:
        """About E[K]·E[K] and E[K], times that of one record."""
        mean = self.rate * self.records
        return mean * (mean + self.rate) * self.mu_squared / 2

    # --- beside others, and what may be turned --------------------------------------------------

    def ordering(self) -> None:
        """Only its equal is like it."""

    def scaled(self, factor: mpq) -> PersonInSampleMechanism:
        return replace(self, mu_squared=self.mu_squared * factor**2)

    @property
    def has_noise(self) -> bool:
        return True

    def noise(self) -> tuple[str, mpq]:
        return self._release().noise()

    def with_noise(self, noise: mpq) -> PersonInSampleMechanism:
        return replace(self, mu_squared=self._release().with_noise(noise).mu_squared)


def person_in_sample(
    release: GaussianMechanism,
    rate: Number,
    records: int,
    count: int = 1,
    label: str = "",
) -> GaussianMechanism | SampledMechanism | PersonInSampleMechanism:
    """Gaussian noise on a sample, for a person of so many records; what it is if that is simpler.

    Args:
        release: one release without sampling, as one record moves it.
        rate: with what probability each record is in the sample.
        records: how many one person has.
        count: how often.
        label: free text.
    """
    known = checked_rate(rate)
    if records == 1:
        sample = sampled(release, known, count, label)
        assert isinstance(sample, GaussianMechanism | SampledMechanism)
        return sample
    if known == 1 or not release.mu_squared:
        return release.scaled(mpq(records)).changed(count=count, label=label)
    return PersonInSampleMechanism(release.mu_squared, known, records, count, label)


def _check_beside(entry: JsonEntry, text_of: TextOf) -> None:
    """See that all of a person's records are of a sampled sum with Gaussian noise."""
    value = text_of(entry[_KEY])
    batched = [key for key in IN_BATCHES if key in entry and key != _KEY]
    if batched or not any(key in entry for key in _NOISE):
        raise UnsupportedError(
            field=_KEY,
            value=value,
            expected=f"a rate and one of {listed(_NOISE)} beside it: several records of a person "
            "are known of sampled Gaussian noise alone",
            remedy="leave it out and ask about a group with --group",
        )
    if "clip" in entry:
        raise UnsupportedError(
            field="clip",
            value=f"beside {_KEY}",
            expected="a sensitivity: what one record moves the sum by where it is there or not",
            remedy=f"write sensitivity, {text_of(entry['clip'])}, in its place",
        )


# --- the pair -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PersonPair(SameSupport, Cut):
    """Noise around a binomial number of records, and around none, by μ² of one record.

    Outputs are times μ: one record moves them by μ², which is their variance.
    """

    square: mpq
    rate: mpq
    records: int

    def profile(self, loss: arb) -> arb:
        """P - y·Q of all outputs from the threshold on; 1 - y up to P[K = 0]."""
        cut = self.cut(loss)
        if cut <= -_FAR:
            return 1 - loss.exp()
        p, q = self.tails(cut)
        return p - loss.exp() * q

    def cut(self, loss: arb) -> arb:
        """The output of this loss; far below where there is none."""
        odds = loss.exp()
        least = self._weights()[0]
        if not odds > least:
            return arb(-_FAR)
        output = self._from_the_right(odds)
        radius = arb(2) ** (_SPARE - ctx.prec)
        for _ in range(ctx.prec):
            if self._ratio(output - radius)[0] < odds < self._ratio(output + radius)[0]:
                return arb(output.mid(), radius)
            radius *= 16
        return arb(-_FAR)

    def _from_the_right(self, odds: arb) -> arb:
        """Newton's steps for the ratio of the densities, which is convex and rises."""
        square = ball_of_rational(self.square)
        weights = self._weights()
        output = min(
            (
                ((odds / weight).log() / k + k * square / 2).mid()
                for k, weight in enumerate(weights)
                if k
            ),
            key=float,
        )
        small = arb(2) ** (_SPARE // 2 - ctx.prec)
        for _ in range(_STEPS):
            value, slope = self._ratio(output)
            step = ((value - odds) / slope).mid()
            output = (output - step).mid()
            if abs(step) < small * (1 + abs(output)):
                break
        return output

    def _ratio(self, output: arb) -> tuple[arb, arb]:
        """The ratio of the densities, and its slope."""
        square = ball_of_rational(self.square)
        parts = [
            weight * (k * (output - k * square / 2)).exp()
            for k, weight in enumerate(self._weights())
        ]
        return sum(parts, arb(0)), sum((k * part for k, part in enumerate(parts)), arb(0))

    def _weights(self) -> Sequence[arb]:
        return _binomial(self.records, self.rate, ctx.prec)

    def tails(self, cut: arb) -> tuple[arb, arb]:
        """Values of Φ."""
        if cut <= -_FAR:
            return arb(1), arb(1)
        square = ball_of_rational(self.square)
        root = (2 * square).sqrt()
        beyond = [((cut - k * square) / root).erfc() / 2 for k in range(self.records + 1)]
        weighted = (w * each for w, each in zip(self._weights(), beyond, strict=True))
        return sum(weighted, arb(0)), beyond[0]

    def greatest_loss(self, direction: Direction) -> GreatestLoss | None:
        """None with the person in P; else -ln P[K = 0], which is not reached."""
        if direction == "remove":
            return None
        return GreatestLoss(ExactNumber.ln(1 / (1 - self.rate)) * self.records)


@lru_cache(maxsize=32)
def _binomial(records: int, rate: mpq, bits: int) -> tuple[arb, ...]:
    """The probabilities of 0, 1, … records, at so many bits."""
    del bits
    own, other = ball_of_rational(rate), ball_of_rational(1 - rate)
    return tuple(comb(records, k) * own**k * other ** (records - k) for k in range(records + 1))

r"""Results: what an attack on membership gains.

Rules of this file: a lower end is rounded down and an upper end up, where they are rounded at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import scientific_above, scientific_below, short_text
from exactdp.attacks.power import RatioPoint
from exactdp.composition.answers.ends import IntervalEnd
from exactdp.composition.answers.results import EvidenceKind, ProfilePoint
from exactdp.ledger.model import Ledger
from exactdp.readable import Readable

_DIGITS = 12


def _between(lower: mpq, upper: mpq) -> str:
    return f"between {scientific_below(lower, _DIGITS)} and {scientific_above(upper, _DIGITS)}"


@dataclass(frozen=True, slots=True)
class TruePositives(Readable):
    """The greatest rate of true positives at a rate of false positives of at most ``fpr``.

    Attributes:
        fpr: the rate of false positives.
        lower_end: :attr:`lower` as a rational of gmpy2.
        upper_end: :attr:`upper` as such a rational.
        above: the point of the profile that proves the upper end; None if it is 1.
        ratio: of that point, e^ε or, in exchanged roles, its inverse.
    """

    fpr: mpq
    lower_end: mpq
    upper_end: mpq
    above: ProfilePoint | None = field(repr=False, default=None)
    ratio: mpq | None = None

    @property
    def lower(self) -> IntervalEnd:
        """Some attack on some mechanisms with these parameters finds as many."""
        return IntervalEnd(self.lower_end, up=False)

    @property
    def upper(self) -> IntervalEnd:
        """No attack finds more."""
        return IntervalEnd(self.upper_end, up=True)

    @property
    def evidence(self) -> tuple[EvidenceKind, EvidenceKind]:
        """What the lower end, which no one claim implies, and the upper end rest on."""
        return "computed", "certificate" if self.above is None else self.above.evidence

    def facts(self) -> list[tuple[str, str]]:
        """The rate."""
        within = _between(self.lower_end, self.upper_end)
        return [("", f"{within} of members are found at {short_text(self.fpr)} false positives")]


@dataclass(frozen=True, slots=True)
class RightGuesses(Readable):
    """The greatest probability that membership is guessed rightly, from a prior.

    Attributes:
        prior: the probability of membership before the attack.
        lower_end: :attr:`lower` as a rational of gmpy2.
        upper_end: :attr:`upper` as such a rational.
        point: the point of the profile that both rest on.
    """

    prior: mpq
    lower_end: mpq
    upper_end: mpq
    point: ProfilePoint = field(repr=False)

    @property
    def lower(self) -> IntervalEnd:
        """Some attack on some mechanisms with these parameters is right as often."""
        return IntervalEnd(self.lower_end, up=False)

    @property
    def upper(self) -> IntervalEnd:
        """No attack is right more often."""
        return IntervalEnd(self.upper_end, up=True)

    @property
    def evidence(self) -> EvidenceKind:
        """What the ends rest on."""
        return self.point.evidence

    def facts(self) -> list[tuple[str, str]]:
        """The probability."""
        within = _between(self.lower_end, self.upper_end)
        return [("", f"{within} of guesses are right at a prior of {short_text(self.prior)}")]


@dataclass(frozen=True, slots=True)
class Risk(Readable):
    """What an attack on membership gains.

    Attributes:
        ledger: what is attacked.
        rates: true positives, for each rate of false positives.
        guesses: right guesses, for each prior.
        gain: the profile at ε = 0, which is the advantage.
    """

    ledger: Ledger
    rates: tuple[TruePositives, ...]
    guesses: tuple[RightGuesses, ...]
    gain: RatioPoint

    @property
    def advantage(self) -> tuple[IntervalEnd, IntervalEnd]:
        """The greatest difference of true and false positives: both ends."""
        return IntervalEnd(self.gain.lower, up=False), IntervalEnd(self.gain.upper, up=True)

    @property
    def advantage_evidence(self) -> EvidenceKind:
        """What the ends of the advantage rest on."""
        return self.gain.source.evidence

    def facts(self) -> list[tuple[str, str]]:
        """Rates, guesses, and the advantage."""
        stated = [*self.rates, *self.guesses]
        within = _between(self.gain.lower, self.gain.upper)
        return [*(("", str(each)) for each in stated), ("advantage", within)]

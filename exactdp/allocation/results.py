r"""What an allocation answers: the share of each statistic, the proof, and rivals to compare with.

Rules of this file: every error is an upper end, every scale the exact one that was decided.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from gmpy2 import mpq

from exactdp.allocation.noise_errors import Accuracy
from exactdp.allocation.statistics import Statistic
from exactdp.arithmetic.decimal_text import scientific_above, short_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.ledger.model import Ledger
from exactdp.readable import Readable

_SIGNIFICANT: Final = 6
_DIGITS_OF_SCALE: Final = 8

SetBy = Literal["fixed", "target", "allocation"]
SplitBy = Literal["even"]
AllocationOutcome = Literal["found", "none"]


@dataclass(frozen=True, slots=True)
class StatisticShare:
    """What one statistic is given.

    Attributes:
        statistic: the statistic.
        scale: b of (discrete) Laplace noise, σ of (discrete) Gaussian noise.
        set_by: whether it was fixed, is what the target asks for, or was free.
        accuracy: the errors of the noise.
    """

    statistic: Statistic
    scale: mpq
    set_by: SetBy
    accuracy: Accuracy

    @property
    def weighted_error(self) -> mpq:
        """Weight times expected error, over all its answers; an upper end."""
        return self.statistic.weight * self.statistic.count * self.accuracy.expected

    @property
    def text(self) -> str:
        """The noise and the expected error, for people, rounded up."""
        scale = scientific_above(self.scale, _DIGITS_OF_SCALE)
        error = scientific_above(self.accuracy.expected, _SIGNIFICANT)
        return f"{self.statistic.family.scale_name} = {scale}, expected error at most {error}"

    @property
    def meets_target(self) -> bool:
        """Whether the target, if there is one, is certain to be met."""
        target = self.statistic.target
        return target is None or self.statistic.meets(target, self.scale)


@dataclass(frozen=True, slots=True)
class RivalSplit:
    """Another way to share the same budget.

    Attributes:
        split: "even": as much noise beside each sensitivity.
        scales: those of the statistics, in order.
        weighted_error: the sum of the weighted errors, an upper end.
    """

    split: SplitBy
    scales: tuple[mpq, ...]
    weighted_error: mpq


@dataclass(frozen=True, slots=True)
class Allocation(Readable):
    """How statistics share a budget, with the proof that they keep it.

    Attributes:
        statistics: those that share, in order, with what is fixed.
        epsilon: ε of the budget.
        delta: δ of the budget.
        confidence: that of the intervals.
        outcome: "found", or "none" if what is fixed or aimed at does not fit.
        reason: why not, or "".
        shares: what each statistic is given, in order; empty unless found.
        ledger: the noise that the upper certificate is about; (ε_i, 0) where δ is 0.
        rivals: an even split, where something was free.
        upper_certificate: the proof that the ledger composes to (ε, δ); None unless found.
        lower_certificate: the proof that noise smaller by the tolerance, of all that is free, does
            not; or, where nothing fits, that what is fixed and aimed at does not. None if neither
            is known.
    """

    statistics: tuple[Statistic, ...]
    epsilon: ExactNumber
    delta: mpq
    confidence: mpq
    outcome: AllocationOutcome
    reason: str
    shares: tuple[StatisticShare, ...]
    ledger: Ledger | None
    rivals: tuple[RivalSplit, ...]
    upper_certificate: Certificate | None = field(repr=False)
    lower_certificate: Certificate | None = field(repr=False)

    def facts(self) -> list[tuple[str, str]]:
        """The budget, and what each statistic is given."""
        budget = f"ε = {self.epsilon} at δ = {short_text(self.delta)}"
        if self.outcome == "none":
            return [("budget", budget), ("allocation", f"none: {self.reason}")]
        shares = [(share.statistic.name, share.text) for share in self.shares]
        error = scientific_above(self.weighted_error, _SIGNIFICANT)
        return [("budget", budget), *shares, ("weighted error", f"at most {error}")]

    @property
    def weighted_error(self) -> mpq:
        """Σ weight · expected error over all answers: an upper end of what was minimised."""
        return sum((share.weighted_error for share in self.shares), mpq(0))

r"""What an allocation answers: the share of each statistic, the proof, and rivals to compare with.

Rules of this file: every error is an upper end, every ε exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from gmpy2 import mpq

from exactdp.allocation.noise_errors import Accuracy
from exactdp.allocation.statistics import Statistic
from exactdp.arithmetic.decimal_text import scientific_above, scientific_below, short_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.ledger.model import Ledger
from exactdp.readable import Readable

_SIGNIFICANT: Final = 6

SetBy = Literal["fixed", "target", "allocation"]
SplitBy = Literal["even", "weighted"]
ComposedBy = Literal["basic", "optimal"]
AllocationOutcome = Literal["found", "none"]


@dataclass(frozen=True, slots=True)
class StatisticShare:
    """What one statistic is given.

    Attributes:
        statistic: the statistic.
        epsilon: ε of each of its answers, exact.
        set_by: whether it was fixed, is what the target asks for, or was free.
        accuracy: the noise and its errors at that ε.
    """

    statistic: Statistic
    epsilon: mpq
    set_by: SetBy
    accuracy: Accuracy

    @property
    def weighted_error(self) -> mpq:
        """Weight times expected error, over all its answers; an upper end."""
        return self.statistic.weight * self.statistic.count * self.accuracy.expected

    @property
    def text(self) -> str:
        """ε and the expected error, for people: the one rounded down, the other up."""
        epsilon = scientific_below(self.epsilon, _SIGNIFICANT)
        dots = "" if short_text(self.epsilon) == epsilon else "…"
        error = scientific_above(self.accuracy.expected, _SIGNIFICANT)
        return f"ε = {epsilon}{dots}, expected error at most {error}"

    @property
    def meets_target(self) -> bool:
        """Whether the target, if there is one, is certain to be met."""
        target = self.statistic.target
        return target is None or self.statistic.meets(target, self.epsilon)


@dataclass(frozen=True, slots=True)
class RivalSplit:
    """Another way to share the same budget.

    Attributes:
        split: "even" or "weighted".
        composition: "basic" or "optimal".
        epsilons: ε of each statistic, in order; None if the targets and what is fixed do not fit.
        weighted_error: the sum of the weighted errors, an upper end; None as above.
    """

    split: SplitBy
    composition: ComposedBy
    epsilons: tuple[mpq, ...] | None
    weighted_error: mpq | None


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
        ledger: the mechanisms (ε_i, δ_i) that the certificates are about.
        rivals: even and weighted splits, under basic and optimal composition.
        upper_certificate: the proof that the ledger composes to (ε, δ); None unless found.
        lower_certificate: the proof that all free ε_i, larger by the tolerance, do not; or, where
            nothing fits, that what is fixed and aimed at does not. None if nothing was free.
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

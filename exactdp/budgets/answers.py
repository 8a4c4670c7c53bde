r"""Answers about budgets: what fits, what does not, and what proves either.

Rules of this file: an end is a ledger that was decided, with its certificate.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.results import EvidenceKind
from exactdp.composition.answers.texts import delta_clause, rounded_interval_text
from exactdp.ledger.model import Ledger
from exactdp.readable import Readable

SearchOutcome = Literal["found", "none", "unbounded", "capped"]
EXCEEDED: Final = "the ledger itself already exceeds the budget"
"""Why no more of a mechanism fits: what is there is certified to break the budget."""


class DecidedEnd(Protocol):
    """A ledger that is decided, and what proves that."""

    @property
    def ledger(self) -> Ledger:
        """The ledger."""

    @property
    def evidence(self) -> EvidenceKind:
        """What it rests on: a certificate, or a computation without one."""

    def certificate(self, epsilon: ExactNumber, delta: mpq, /) -> Certificate | None:
        """An upper certificate at the budget if the ledger keeps it, else a lower one."""


@dataclass(frozen=True, slots=True)
class BudgetAnswer(Readable):
    """What both answers have: the budget, and the decisions at the two ends.

    Attributes:
        ledger: what was asked about.
        epsilon: ε of the budget.
        delta: δ of the budget.
        outcome: "found"; "none" if nothing keeps the budget; "unbounded" if everything does;
            "capped" if the largest count of the format does.
        reason: why, in words, unless found.
    """

    ledger: Ledger
    epsilon: ExactNumber
    delta: mpq
    outcome: SearchOutcome
    reason: str
    _kept: DecidedEnd | None = field(repr=False)
    _broken: DecidedEnd | None = field(repr=False)

    @property
    def fitting(self) -> Ledger | None:
        """The ledger that keeps the budget and that the upper certificate is about."""
        return None if self._kept is None else self._kept.ledger

    @property
    def exceeding(self) -> Ledger | None:
        """The ledger that does not keep it and that the lower certificate is about."""
        return None if self._broken is None else self._broken.ledger

    @property
    def evidence(self) -> EvidenceKind:
        """What it rests on: certificates, or for some end a computation without one."""
        ends = (each for each in (self._kept, self._broken) if each is not None)
        return "computed" if any(each.evidence == "computed" for each in ends) else "certificate"

    def _budget_fact(self) -> tuple[str, str]:
        return "budget", f"ε = {shortest_text(self.epsilon)} {delta_clause(self.delta)}"

    def _found(self, text: str | None) -> str:
        return f"{self.outcome}: {self.reason}" if text is None else text

    def upper_certificate(self) -> Certificate | None:
        """The proof that :attr:`fitting` composes to (ε, δ); None if nothing does."""
        return None if self._kept is None else self._kept.certificate(self.epsilon, self.delta)

    def lower_certificate(self) -> Certificate | None:
        """The proof that :attr:`exceeding` does not; None where no ledger is known to exceed it."""
        return None if self._broken is None else self._broken.certificate(self.epsilon, self.delta)


@dataclass(frozen=True, slots=True)
class ScaleAnswer(BudgetAnswer):
    """The largest c such that every ε_i, scaled by c, composes to (ε, δ).

    Attributes:
        held: the labels whose ε_i are not scaled.
        lower: a scale that keeps the budget, certified: the one to use. None unless found.
        upper: a larger one that does not, certified. None unless found.
        exact: the largest scale itself, where it is known to be a rational; it is ``lower`` then.
    """

    held: tuple[str, ...]
    lower: mpq | None = None
    upper: mpq | None = None
    exact: mpq | None = None

    def facts(self) -> list[tuple[str, str]]:
        """The budget, and the scale that it allows."""
        text = None
        if self.lower is not None and self.upper is not None:
            text = f"c ∈ {rounded_interval_text(self.lower, self.upper)}; the lower end fits"
        if self.exact is not None:
            text = f"c = {short_text(self.exact)}"
        return [self._budget_fact(), ("largest scale", self._found(text))]


@dataclass(frozen=True, slots=True)
class CountAnswer(BudgetAnswer):
    """How many more of one mechanism fit within (ε, δ).

    Attributes:
        label: that of the mechanism.
        fits: the largest number that can be added, certified as n that fit and n + 1 that do not;
            "capped" leaves out the second. None if even the ledger itself does not fit, or if any
            number does.
        exceeds: the least number that is known not to fit: ``fits`` + 1, but where ρ or a range
            leave open what lies between. None unless found.
    """

    label: str
    fits: int | None = None
    exceeds: int | None = None

    def facts(self) -> list[tuple[str, str]]:
        """The budget, and the count that it allows."""
        found = self._found(None if self.fits is None else str(self.fits))
        return [self._budget_fact(), (f"more of {self.label} that fit", found)]


@dataclass(frozen=True, slots=True)
class DialAnswer(BudgetAnswer):
    """The least noise of one mechanism, or the greatest rate, with which (ε, δ) is kept.

    Attributes:
        label: that of the mechanism.
        turned: "noise" or "rate".
        name: what the number is: "noise multiplier (σ over the sensitivity)", "scale", "variance"
            or "rate".
        fits: the number to use, certified. None if none is proved.
        exceeds: a number that is certified not to keep the budget; next to it but where ``reason``
            says what is open. None if none is known.
    """

    label: str
    turned: Literal["noise", "rate"]
    name: str
    fits: mpq | None = None
    exceeds: mpq | None = None

    def facts(self) -> list[tuple[str, str]]:
        """The budget, and the noise or rate that it allows."""
        found = self._found(None if self.fits is None else f"{self.name} {short_text(self.fits)}")
        return [self._budget_fact(), (f"{self.turned} of {self.label}", found)]

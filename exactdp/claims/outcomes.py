r"""What may become of a claim, and what one rule says of it.

Rules of this file: what a certificate shows, and what was computed without one, are told apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text
from exactdp.certificate.rule_table import RULES
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.results import EvidenceKind
from exactdp.composition.closed_forms.table import FORMULA_THEOREMS
from exactdp.ledger.model import Claim
from exactdp.readable import Readable

COMPUTED: Final = "computed, without a certificate"
"""What is said of a claim that was decided, and that no rule of certificates decides."""

ClaimOutcome = Literal[
    "holds",
    "holds-with-equality",
    "refuted",
    "not-derivable",
    "not-assessable",
    "undecided",
    "would-hold",
    "would-fail",
]

OUTCOMES: Final[dict[ClaimOutcome, str]] = {
    "holds": "holds",
    "holds-with-equality": "holds, with equality",
    "refuted": "refuted: not implied by these parameters",
    "not-derivable": "not derivable",
    "not-assessable": "not assessable from this ledger",
    "undecided": "undecided",
    "would-hold": "would hold",
    "would-fail": "would not hold",
}
DECIDED: Final = ("holds", "holds-with-equality", "refuted")
"""What a certificate shows of a claim, or else a computation."""


@dataclass(frozen=True, slots=True)
class RuleVerdict(Readable):
    """What one rule says of one claim.

    Attributes:
        rule: a formula, a rule of certificates, or a name in words.
        outcome: what becomes of the claim by it.
        least: rationals around the least that the rule gives (an ε, a ρ or a μ), if known.
        reason: more about the outcome, or "".
        certificate: what shows it; None without one.
        beside: certificates without which that one does not show it.
        mended: the upper certificate at the ε that the rule does give, where it is not the claimed.
        assumption: what the line rests on beyond the ledger, or "".
    """

    rule: str
    outcome: ClaimOutcome
    least: tuple[mpq, mpq] | None = None
    reason: str = ""
    certificate: Certificate | None = None
    mended: Certificate | None = None
    assumption: str = ""
    beside: tuple[Certificate, ...] = ()

    @property
    def evidence(self) -> EvidenceKind | None:
        """What shows it: a certificate, or a computation without one; None if neither does."""
        if self.certificate is not None:
            return "certificate"
        return None if self.outcome in ("not-assessable", "undecided") else "computed"

    @property
    def theorem(self) -> str:
        """The theorem behind it, or ""."""
        shown = RULES[self.rule].theorem.name if self.rule in RULES else ""
        return FORMULA_THEOREMS.get(self.rule, getattr(self.certificate, "theorem", shown))

    def facts(self) -> list[tuple[str, str]]:
        """The rule, and what becomes of the claim by it."""
        computed = COMPUTED if self.outcome in DECIDED and self.certificate is None else ""
        parts = (OUTCOMES[self.outcome], self.reason, computed, self.assumption)
        return [(self.rule, "; ".join(filter(None, parts)))]


def as_rounded(outcome: ClaimOutcome, reason: str, claim: Claim) -> tuple[ClaimOutcome, str]:
    """Outcome and reason of a claim that is judged with the room that its rounding leaves.

    It is not said to hold with equality, and up to where it was judged is part of the reason.
    """
    if claim.places is None or outcome not in DECIDED:
        return outcome, reason
    upto = f"judged up to {short_text(claim.within_rounding.number.rational)}"
    return "refuted" if outcome == "refuted" else "holds", "; ".join(filter(None, (upto, reason)))

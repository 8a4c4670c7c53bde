r"""Judging a ledger's own claims, each at its own δ and on its own basis.

Rules of this file: "not implied by these parameters" is not "false". A claim that rests on
amplification or on a finer structure than (ε, δ) is not assessable from a ledger of parameters
alone, and that is what is said; where the ledger holds the noise, it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.claims.attacks import decide_about_attacks
from exactdp.claims.outcomes import COMPUTED, DECIDED, OUTCOMES, ClaimOutcome, as_rounded
from exactdp.claims.sums import verdict_on_sum
from exactdp.claims.tautologies import tautology
from exactdp.claims.texts import claim_text
from exactdp.claims.verdicts import BEYOND_LIMITS
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.conversions import NOT_DERIVABLE
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Claim, Ledger


@dataclass(frozen=True, slots=True)
class Judgement:
    """What composition says of one claim.

    Attributes:
        claim: what is claimed.
        outcome: what becomes of it.
        reason: why it is not assessable or undecided, more about the outcome, or "".
        certificate: what proves or refutes it; None without one.
        beside: certificates without which that one does not.
        tautology: why the claim could not fail of this ledger; "" if it could.
    """

    claim: Claim
    outcome: ClaimOutcome
    reason: str = ""
    certificate: Certificate | None = None
    tautology: str = ""
    beside: tuple[Certificate, ...] = ()

    @property
    def claimed(self) -> str:
        """The claim in words, exactly."""
        return claim_text(self.claim, shortest_text, short_text)

    @property
    def is_computed(self) -> bool:
        """Whether the outcome was computed, and there is no certificate of it."""
        return self.outcome in DECIDED and self.certificate is None

    @property
    def outcome_text(self) -> str:
        """The outcome in words."""
        own = f"a tautology: {self.tautology}" if self.tautology else ""
        reasons = [self.reason, COMPUTED if self.is_computed else "", own]
        because = "; ".join(filter(None, reasons))
        return f"{OUTCOMES[self.outcome]}{f' ({because})' if because else ''}"

    def text(
        self, epsilon_text: Callable[[ExactNumber], str], delta_text: Callable[[mpq], str]
    ) -> str:
        """Claim and outcome in words, its numbers written by the functions given."""
        return f"claimed {claim_text(self.claim, epsilon_text, delta_text)}: {self.outcome_text}"

    def __str__(self) -> str:
        return self.text(shortest_text, short_text)


def judge(ledger: Ledger, claim: Claim, *, max_cost: int) -> Judgement:
    """Judge ``claim`` by what composition of ``ledger`` proves."""
    judged = _judged(ledger, claim, max_cost)
    return replace(judged, tautology=tautology(ledger, claim))


def _judged(ledger: Ledger, claim: Claim, max_cost: int) -> Judgement:
    stated, claim = claim, claim.within_rounding
    if ledger.given_by != "noise" and claim.basis != "composition":
        reason = f"it rests on {claim.basis.replace('-', ' ')}"
        return Judgement(stated, "not-assessable", reason)
    if claim.is_about_attacks:
        about = decide_about_attacks(ledger, claim, max_cost)
        rounded = as_rounded(about.outcome, about.reason, stated)
        return Judgement(stated, *rounded, about.certificate, beside=about.beside)
    if claim.epsilon is None:
        summed = verdict_on_sum(ledger, claim)
        rounded = as_rounded(summed.outcome, summed.reason, stated)
        return Judgement(stated, *rounded, summed.certificate)
    try:
        decided = certify(
            ledger, epsilon=claim.epsilon, delta=claim.delta or mpq(0), max_cost=max_cost
        )
    except CostLimitError as error:
        is_open = error.code == NOT_DERIVABLE
        reason = "neither derivable nor refuted" if is_open else BEYOND_LIMITS
        return Judgement(stated, "undecided", reason)
    outcome: ClaimOutcome = "refuted"
    if decided.holds:
        outcome = "holds-with-equality" if decided.equality else "holds"
    return Judgement(stated, *as_rounded(outcome, "", stated), decided.proof)

r"""Judging a ledger's own claims, each at its own δ and on its own basis.

Rules of this file: "not implied by these parameters" is not "false". A claim that rests on
amplification or on a finer structure than (ε, δ) is not assessable from the ledger alone, and
that is what is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.composition.answers import certify
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Claim, Ledger

Outcome = Literal["holds", "holds-with-equality", "refuted", "not-assessable", "undecided"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What composition says of one claim."""

    claim: Claim
    outcome: Outcome
    reason: str = ""

    @property
    def claimed(self) -> str:
        """The claim in words."""
        if self.claim.epsilon is not None:
            delta = short_text(self.claim.delta or mpq(0))
            return f"{shortest_text(self.claim.epsilon)} at δ = {delta}"
        if self.claim.rho is not None:
            return f"ρ = {self.claim.rho}"
        return f"μ = {self.claim.mu}"

    def __str__(self) -> str:
        words = {
            "holds": "holds",
            "holds-with-equality": "holds, with equality",
            "refuted": "refuted: not implied by these parameters",
            "not-assessable": "not assessable from this ledger",
            "undecided": "undecided within the limits",
        }[self.outcome]
        return f"claimed {self.claimed}: {words}{f' ({self.reason})' if self.reason else ''}"


def judge(ledger: Ledger, claim: Claim, *, max_cost: int) -> Judgement:
    """Judge ``claim`` by optimal composition of ``ledger``."""
    if claim.basis != "composition":
        return Judgement(claim, "not-assessable", f"it rests on {claim.basis.replace('-', ' ')}")
    if claim.epsilon is None:
        return Judgement(claim, "not-assessable", "ρ and μ are not yet composed")
    try:
        decided = certify(
            ledger, epsilon=claim.epsilon, delta=claim.delta or mpq(0), max_cost=max_cost
        )
    except CostLimitError:
        return Judgement(claim, "undecided")
    if not decided.holds:
        return Judgement(claim, "refuted")
    return Judgement(claim, "holds-with-equality" if decided.equality else "holds")

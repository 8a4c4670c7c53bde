r"""What is known of a claim that was decided.

Rules of this file: what was computed without a certificate is neither "proved" nor "refuted".
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    scientific_above,
    scientific_below,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.naming import rule_words, theorem_cited
from exactdp.claims.tautologies import tautology
from exactdp.composition.answers.arguments import nonnegative, probability
from exactdp.composition.answers.certify import rounded_claim
from exactdp.composition.answers.margins import Margin
from exactdp.composition.answers.results import Certified, Computed, EvidenceKind
from exactdp.ledger.model import Claim, Ledger
from exactdp.pages.facts import Fact, fact, shown
from exactdp.pages.facts.numbers import ends
from exactdp.pages.number_text import bounds_text, exact_text, grouped, rational_text
from exactdp.pages.phrases import claim_fails, claim_follows, counted

MEMBERS: Final = (
    "verdict evidence equality tautology epsilon delta places judged_up_to margin rule theorem "
    "interaction group certificate no_certificate_because"
)
_DIGITS: Final = 10
_VERDICTS: Final[dict[tuple[EvidenceKind, bool], str]] = {
    ("certificate", True): "proved",
    ("certificate", False): "refuted",
    ("computed", True): "holds",
    ("computed", False): "fails",
}
"""The word for a decision; "proved" and "refuted" are for what a certificate shows."""


@dataclass(frozen=True, slots=True)
class StatedClaim:
    """A claim (ε, δ) as it was stated, and the decimal places to which its ε was rounded."""

    epsilon: str
    delta: str
    places: int | None = None

    @property
    def number(self) -> ExactNumber:
        """The claimed ε, a number at least 0."""
        return nonnegative(self.epsilon)

    @property
    def target(self) -> mpq:
        """The claimed δ, from 0 to 1."""
        return probability(self.delta)

    @property
    def pair(self) -> tuple[ExactNumber, mpq]:
        """The ε and δ that are judged."""
        return self.judged, self.target

    @property
    def judged(self) -> ExactNumber:
        """The ε up to which the claim is judged."""
        if self.places is None:
            return self.number
        return rounded_claim(self.number, self.target, self.places)


def certified_facts(
    ledger: Ledger,
    decided: Certified,
    claim: StatedClaim,
    *written: Path,
    margin: Margin | None = None,
) -> list[Fact]:
    """The decision, by how much, what it rests on, and where its certificate is."""
    epsilon, delta = claim.number, claim.target
    paths = [str(path) for path in written]
    word = _VERDICTS[decided.evidence, decided.holds]
    found = [
        shown("claim", _claimed(decided, claim)),
        fact("verdict", word, word, _verdict(decided)),
        fact("equality", decided.equality),
        *_tautology(ledger, decided, epsilon, delta),
        fact("epsilon", shortest_text(epsilon)),
        fact("delta", short_text(delta)),
        *_rounding(claim),
        *([] if margin is None else [margin_fact(margin, holds=decided.holds)]),
    ]
    if decided.computed is not None:
        return [*found, *_computed_facts(decided.evidence, decided.computed)]
    proof = decided.certificate
    is_named = _needs_naming(ledger, proof.group)
    by = [rule_words(proof.rule)] if is_named else []
    theorem = [theorem_cited(proof.theorem)] if is_named else []
    return [
        *found,
        fact("evidence", decided.evidence),
        fact("rule", proof.rule, "by", *by),
        fact("theorem", proof.theorem, "theorem", *theorem),
        fact("interaction", proof.subject.interaction),
        fact("group", str(proof.group)),
        fact("certificate", next(iter(paths), None), "certificate", *paths),
    ]


def _rounding(claim: StatedClaim) -> list[Fact]:
    """Up to where a rounded claim was judged."""
    if claim.places is None:
        return []
    upto = shortest_text(claim.judged)
    return [
        fact("places", claim.places),
        fact("judged_up_to", upto, "judged up to", f"ε = {upto}, which rounds to the claim"),
    ]


def _tautology(ledger: Ledger, decided: Certified, epsilon: ExactNumber, delta: mpq) -> list[Fact]:
    """Why the claim could not fail, where the ledger was made from it."""
    why = tautology(ledger, Claim(epsilon, delta, "composition", "")) if decided.holds else ""
    return [fact("tautology", why, "a tautology", why)] if why and not _of_whom(decided) else []


def margin_fact(margin: Margin, *, holds: bool) -> Fact:
    """By how much a claim holds or falls short, and the end that says so."""
    if margin.of == "epsilon":
        known = ends(margin.lower, margin.upper)
        least, most = bounds_text(margin.lower, margin.upper or margin.lower)
        letter, place = "ε", "δ"
    else:
        least = scientific_below(margin.lower, _DIGITS)
        most = scientific_above(margin.upper or margin.lower, _DIGITS)
        known = {"lower": least, "upper": most}
        letter, place = "δ", "ε"
    by = scientific_below(margin.least, _DIGITS)
    enough = (
        f"{letter} ≤ {most} is enough" if holds else f"nothing below {letter} = {least} is enough"
    )
    much = f"at least {by} in {letter}: " if margin.least > 0 else ""
    label = "certified" if margin.evidence == "certificate" else "computed"
    value = {margin.of: known, "at_least": by, "evidence": margin.evidence}
    line = f"{much}{enough} at this {place} ({label})"
    return fact("margin", value, "margin" if holds else "short by", line)


def _computed_facts(evidence: str, computed: Computed) -> list[Fact]:
    return [
        fact("rule", computed.rule, "by", rule_words(computed.rule)),
        fact("evidence", evidence, "evidence", evidence),
        fact("no_certificate_because", computed.because, "no certificate", computed.because),
        fact("theorem", None),
        fact("interaction", "adaptive"),
        fact("group", "1"),
        fact("certificate", None),
    ]


def certified_sentence(decided: Certified, claim: StatedClaim) -> str:
    """Whether the claim follows."""
    claimed = _claimed(decided, claim)
    if decided.holds:
        return claim_follows(claimed, with_equality=decided.equality)
    return claim_fails(claimed)


def _claimed(decided: Certified, claim: StatedClaim) -> str:
    epsilon, delta = exact_text(claim.number), rational_text(claim.target)
    places = claim.places
    rounded = "" if places is None else f" (rounded to {counted(places, 'decimal place')})"
    return f"ε = {epsilon}{rounded} at δ = {delta}{_of_whom(decided)}"


def _of_whom(decided: Certified) -> str:
    group = 1 if decided.proof is None else decided.proof.group
    return "" if group == 1 else f" for groups of {grouped(group)}"


def _verdict(decided: Certified) -> str:
    of_whom = _of_whom(decided)
    if not decided.holds:
        return f"some composition of mechanisms with these parameters is not (ε, δ)-DP{of_whom}"
    verdict = f"every composition of mechanisms with these parameters is (ε, δ)-DP{of_whom}"
    return verdict + ("; no smaller ε is enough" if decided.equality else "")


def _needs_naming(ledger: Ledger, group: int) -> bool:
    """Whether it does not go without saying what was proved by what."""
    notions = len(ledger.pairs) < len(ledger.mechanisms)
    return notions or group > 1 or ledger.interaction == "concurrent"

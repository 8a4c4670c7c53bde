r"""What becomes of a claim about attacks on membership.

Rules of this file: a claim is decided by one claim (ε, δ), with its certificate, where one implies
it or is equivalent to it; else by the ends of :func:`exactdp.risk`, which is a computation.

Theory of operation: right guesses are exactly a δ at one ε, so that a claim about them is a claim
(ε, δ), which holds or is refuted. True positives follow from one point of the profile. One point
also shows that an attack has more of them, unless the claim is near the truth: then it takes
several, and is computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_above, round_below
from exactdp.attacks.proofs import delta_implying, delta_of_guesses, delta_refuting
from exactdp.attacks.risk import refuting_ratio, risk
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.certify import certify
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Claim, Ledger

_DIGITS = 20
_WITHOUT_LOOKING = "who guesses without looking gains more"


@dataclass(frozen=True, slots=True)
class AttackDecision:
    """What becomes of a claim.

    Attributes:
        outcome: as in :mod:`exactdp.claims.verdicts`.
        least: the ends of the least that is true, where they were found.
        reason: why it is so, or "".
        certificate: what shows it; None if it was computed.
    """

    outcome: Literal["holds", "refuted", "undecided"]
    least: tuple[mpq, mpq] | None = None
    reason: str = ""
    certificate: Certificate | None = None


def decide_about_attacks(ledger: Ledger, claim: Claim, max_cost: int) -> AttackDecision:
    """What becomes of a claim of true positives, or of right guesses."""
    try:
        if claim.prior is not None:
            return _of_guesses(ledger, claim.prior, claim.success or mpq(0), max_cost)
        return _of_rates(ledger, claim.fpr or mpq(0), claim.tpr or mpq(0), max_cost)
    except CostLimitError as error:
        return AttackDecision("undecided", reason=str(error))


def _of_guesses(ledger: Ledger, prior: mpq, success: mpq, max_cost: int) -> AttackDecision:
    epsilon, delta = delta_of_guesses(prior, success)
    if delta < 0:
        return AttackDecision("refuted", reason=_WITHOUT_LOOKING)
    decided = certify(ledger, epsilon=epsilon, delta=min(delta, mpq(1)), max_cost=max_cost)
    if not decided.holds:
        return AttackDecision("refuted", certificate=decided.proof)
    return AttackDecision("holds", certificate=decided.proof)


def _of_rates(ledger: Ledger, fpr: mpq, tpr: mpq, max_cost: int) -> AttackDecision:
    if tpr < fpr:
        return AttackDecision("refuted", reason=_WITHOUT_LOOKING)
    [found] = risk(ledger, fpr=[fpr], max_cost=max_cost).rates
    least = round_below(found.lower_end, _DIGITS), round_above(found.upper_end, _DIGITS)
    if found.lower_end > tpr:
        return AttackDecision("refuted", least, certificate=_refuting(ledger, fpr, tpr, max_cost))
    if found.upper_end > tpr:
        return AttackDecision("undecided", least, "the claim is between both ends")
    if found.ratio is None:
        return AttackDecision("holds", least)
    epsilon, delta = delta_implying(found.ratio, fpr, tpr)
    decided = certify(ledger, epsilon=epsilon, delta=min(delta, mpq(1)), max_cost=max_cost)
    return AttackDecision("holds", least, certificate=decided.proof if decided.holds else None)


def _refuting(ledger: Ledger, fpr: mpq, tpr: mpq, max_cost: int) -> Certificate | None:
    """The certificate of a claim (ε, δ) that fails, so that this one does; None if none is near."""
    ratio = refuting_ratio(ledger, fpr, tpr, max_cost=max_cost)
    if ratio is None:
        return None
    epsilon, delta = delta_refuting(ratio, fpr, tpr)
    try:
        decided = certify(ledger, epsilon=epsilon, delta=delta, max_cost=max_cost)
    except CostLimitError:
        return None
    return None if decided.holds else decided.proof

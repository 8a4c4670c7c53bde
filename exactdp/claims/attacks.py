r"""What becomes of a claim about attacks on membership.

Rules of this file: a claim is decided by one claim (ε, δ), with its certificate, where one implies
it or is equivalent to it, or by up to three of them together; else by the ends of
:func:`exactdp.risk`, which is a computation.

Theory of operation: right guesses are exactly a δ at one ε, so that a claim about them is a claim
(ε, δ), which holds or is refuted. True positives follow from one point of the profile. One point
also shows that an attack has more of them, unless the claim is near the truth: then it takes one
point that is attained and one on each side of it, which the verifier checks together. Nearer still,
or where profiles have angles, it is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_above, round_below
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.attacks.proofs import (
    claims_refuting,
    delta_implying,
    delta_of_guesses,
    delta_refuting,
)
from exactdp.attacks.risk import points_about, refuting_ratio, risk
from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.certify import certify
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Claim, Ledger

_DIGITS = 20
_TOGETHER = "by {} certificates together"
_WITHOUT_LOOKING = "who guesses without looking gains more"


@dataclass(frozen=True, slots=True)
class AttackDecision:
    """What becomes of a claim.

    Attributes:
        outcome: as in :mod:`exactdp.claims.verdicts`.
        least: the ends of the least that is true, where they were found.
        reason: why it is so, or "".
        certificate: what shows it; None if it was computed.
        beside: what shows it only together with that one.
    """

    outcome: Literal["holds", "refuted", "undecided"]
    least: tuple[mpq, mpq] | None = None
    reason: str = ""
    certificate: Certificate | None = None
    beside: tuple[Certificate, ...] = ()


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
        shown = _refuting(ledger, fpr, tpr, max_cost)
        reason = _TOGETHER.format(len(shown)) if len(shown) > 1 else ""
        return AttackDecision("refuted", least, reason, next(iter(shown), None), shown[1:])
    if found.upper_end > tpr:
        return AttackDecision("undecided", least, "the claim is between both ends")
    if found.ratio is None:
        return AttackDecision("holds", least)
    epsilon, delta = delta_implying(found.ratio, fpr, tpr)
    decided = certify(ledger, epsilon=epsilon, delta=min(delta, mpq(1)), max_cost=max_cost)
    return AttackDecision("holds", least, certificate=decided.proof if decided.holds else None)


def _refuting(ledger: Ledger, fpr: mpq, tpr: mpq, max_cost: int) -> tuple[Certificate, ...]:
    """The certificate of a claim (ε, δ) that fails, so that this one does; or several together."""
    ratio = refuting_ratio(ledger, fpr, tpr, max_cost=max_cost)
    if ratio is not None:
        return _certificates(ledger, [delta_refuting(ratio, fpr, tpr)], max_cost)
    points = points_about(ledger, fpr, max_cost=max_cost)
    return _certificates(ledger, claims_refuting(points, fpr, tpr), max_cost)


def _certificates(
    ledger: Ledger, claims: Sequence[tuple[ExactNumber, mpq]], max_cost: int
) -> tuple[Certificate, ...]:
    """Certificates that the first claim fails and the others hold; none unless there are all."""
    found: list[Certificate] = []
    for epsilon, delta in claims:
        try:
            decided = certify(ledger, epsilon=epsilon, delta=delta, max_cost=max_cost)
        except CostLimitError:
            return ()
        if decided.holds != bool(found) or decided.proof is None:
            return ()
        found.append(decided.proof)
    return tuple(found)

r"""What is known of the claims that ledgers state about themselves.

Rules of this file: what a line does not prove is said below the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    decimal_text,
    scientific_above,
    scientific_below,
    short_text,
    shortest_text,
)
from exactdp.certificate.statement import Certificate
from exactdp.claims.outcomes import COMPUTED as WITHOUT_CERTIFICATE
from exactdp.claims.outcomes import DECIDED, OUTCOMES, ClaimOutcome, RuleVerdict
from exactdp.claims.texts import claim_text
from exactdp.claims.verdicts import Audited
from exactdp.ledger.model import Ledger
from exactdp.pages.facts import COMPUTED, Fact, fact, labelled, result_of
from exactdp.pages.number_text import bounds_text, exact_text, rational_text
from exactdp.pages.phrases import (
    COMPUTED_ALONE,
    claim_fails,
    claim_follows,
    claim_open,
    claims_counted,
)
from exactdp.pages.standing import HOLDING, Opening, Standing, standing_of_outcome

_VERDICT: Final = "rule theorem outcome evidence reason assumption least gap"
_GAP_DIGITS: Final = 3
_LEAST_PLACES: Final = 12
_DIGITS: Final = 20
_TOTALS: Final[dict[ClaimOutcome, str]] = {
    "holds": "true",
    "holds-with-equality": "true",
    "refuted": "refuted",
    "not-assessable": "not assessable",
}
_NOT_DERIVABLE: Final = (
    "Not derivable: the rule does not give the claim from these parameters, which for a conversion "
    "of zCDP is proved. About the mechanisms nothing is proved: the claim may be true of them."
)
_ASSUMED: Final = (
    "Lines with an assumption settle nothing: discrete Gaussian noise, for one, is not Gaussian."
)
_TAUTOLOGY: Final = (
    "A tautology holds because the ledger was made from it: that shows nothing of the mechanisms."
)


@dataclass(frozen=True, slots=True)
class AuditedLedger:
    """A ledger with its audited claims, and the certificates that were written."""

    source: str
    ledger: Ledger
    claims: tuple[Audited, ...]
    written: tuple[str, ...] = ()

    def facts(self) -> list[Fact]:
        """The ledger and its claims, for programs."""
        found = [
            fact("file", self.source),
            fact("name", self.ledger.name),
            fact("mechanisms", self.ledger.size),
            fact("interaction", self.ledger.interaction),
            fact("claims", [result_of(claim_facts(claim)) for claim in self.claims]),
        ]
        further = [fact("certificates", list(self.written))] if self.written else []
        if unprotected := self.ledger.unprotected_quantities:
            further.append(fact("unprotected_quantities", unprotected))
        return [*found, *further]


def audit_facts(reports: Sequence[AuditedLedger], group: int) -> list[Fact]:
    """All claims, for programs; text says them one by one."""
    return [
        fact("group", str(group)),
        fact("ledgers", [result_of(each.facts()) for each in reports]),
    ]


def claim_facts(audited: Audited) -> list[Fact]:
    """A claim and what became of it, for programs."""
    claim = audited.claim
    return [
        fact("claim", claim_text(claim, shortest_text, short_text)),
        fact("basis", claim.basis),
        fact("source", claim.source),
        fact("outcome", audited.outcome),
        fact("tautology", audited.tautology),
        fact("verdicts", [result_of(row, _VERDICT) for row in verdict_rows(audited)]),
    ]


def claim_line(audited: Audited) -> str:
    """The same for people."""
    text = claim_text(audited.claim, exact_text, rational_text)
    return f"claimed {text} ({audited.claim.source}): {outcome_of(audited)}"


def outcome_of(audited: Audited) -> str:
    """What became of a claim, and why it could not have failed, if it could not."""
    because = f" (a tautology: {audited.tautology})" if audited.tautology else ""
    return f"{OUTCOMES[audited.outcome]}{because}"


def verdict_rows(audited: Audited) -> list[list[Fact]]:
    """What each rule says of a claim."""
    return [_verdict_facts(audited, verdict) for verdict in audited.verdicts]


def claim_certificates(claims: Iterable[Audited]) -> dict[str, Certificate]:
    """The certificates of claims, by what the names of their files end in.

    That is the name of the formula that judged the claim, or else of the rule of the certificate;
    with a number, where a certificate shows it together with others.
    """
    return {
        f"claim-{number}.{each.rule if ' ' in verdict.rule else verdict.rule}.{each.bound}{n}": each
        for number, claim in enumerate(claims, start=1)
        for verdict in claim.verdicts
        for each, n in (
            (verdict.certificate, ""),
            (verdict.mended, ""),
            *((each, f"-{at}") for at, each in enumerate(verdict.beside, start=1)),
        )
        if each is not None
    }


def audit_remarks(reports: Sequence[AuditedLedger]) -> Iterator[str]:
    """What lines of the tables do not prove."""
    verdicts = [each for report in reports for claim in report.claims for each in claim.verdicts]
    if any(each.outcome == "not-derivable" for each in verdicts):
        yield _NOT_DERIVABLE
    if any(each.assumption for each in verdicts):
        yield _ASSUMED
    if any(claim.tautology for report in reports for claim in report.claims):
        yield _TAUTOLOGY


def audit_opening(reports: Sequence[AuditedLedger]) -> Opening:
    """What became of the one claim, or how many of them hold."""
    claims = [claim for report in reports for claim in report.claims]
    standings = tuple(map(standing_of, claims))
    following, refuted = standings.count("proved"), standings.count("refuted")
    alone = sum(claim.outcome == "refuted" and claim.is_computed for claim in claims)
    sentence = (
        about_claim(claims[0])
        if len(claims) == 1
        else claims_counted(
            following, (refuted, alone), len(claims), len(reports), standings.count("computed")
        )
    )
    return Opening((sentence,), standings or ("unsettled",))


def standing_of(claim: Audited) -> Standing:
    """What has become of one claim."""
    return standing_of_outcome(claim.outcome, is_computed=claim.is_computed)


def about_claim(claim: Audited) -> str:
    """What has become of a claim, in a sentence."""
    text = claimed_text(claim)
    computed = f" {COMPUTED_ALONE}" if claim.is_computed else ""
    if claim.outcome in HOLDING:
        equality = claim.outcome == "holds-with-equality"
        return f"{claim_follows(text, with_equality=equality)}{computed}"
    if claim.outcome == "refuted":
        return f"{claim_fails(text)}{computed}"
    return claim_open(text, OUTCOMES[claim.outcome], _because(claim))


def claimed_text(claim: Audited) -> str:
    """What is claimed, as part of a sentence."""
    text = claim_text(claim.claim, exact_text, rational_text)
    return f"ε = {text}" if claim.claim.epsilon is not None else text


def _because(claim: Audited) -> str:
    reasons = [each.reason for each in claim.verdicts if each.reason and not each.assumption]
    return f", as {reasons[0]}" if reasons and claim.outcome == "not-assessable" else ""


def audit_total(reports: Sequence[AuditedLedger]) -> str:
    """How many claims there are, and what became of them, in one line."""
    outcomes = Counter(
        _TOTALS.get(claim.outcome, OUTCOMES[claim.outcome])
        for report in reports
        for claim in report.claims
    )
    claims, ledgers = outcomes.total(), len(reports)
    counted = f"{claims} claim{'' if claims == 1 else 's'}"
    parts = [f"{number} {outcome}" for outcome, number in sorted(outcomes.items())]
    within = f"{counted} in {ledgers} ledger{'' if ledgers == 1 else 's'}"
    return f"In all: {within}{': ' if parts else ''}{', '.join(parts)}"


def _verdict_facts(audited: Audited, verdict: RuleVerdict) -> list[Fact]:
    name = f"{verdict.rule}, {verdict.assumption}" if verdict.assumption else verdict.rule
    computed = verdict.outcome in DECIDED and verdict.evidence == COMPUTED
    reasons = verdict.reason, WITHOUT_CERTIFICATE if computed else ""
    reason = f" ({because})" if (because := "; ".join(filter(None, reasons))) else ""
    gap, least = audited.gap(verdict), verdict.least
    above = "" if gap is None else scientific_below(gap[0], _GAP_DIGITS)
    return [
        fact("rule", verdict.rule, "rule", name),
        fact("outcome", verdict.outcome, "verdict", f"{OUTCOMES[verdict.outcome]}{reason}"),
        _interval("least", least, "gives at least", _least(verdict)),
        _interval("gap", gap, "above the claim by", above),
        fact("theorem", verdict.theorem),
        fact("evidence", verdict.evidence),
        fact("reason", verdict.reason),
        fact("assumption", verdict.assumption),
    ]


def _interval(key: str, interval: tuple[mpq, mpq] | None, title: str, line: str) -> Fact:
    """What a rule gives beside its verdict, which is what a certificate shows."""
    return labelled(key, None if interval is None else _ends(*interval), COMPUTED, title, line)


def _ends(lower: mpq, upper: mpq) -> dict[str, str]:
    return {"lower": scientific_below(lower, _DIGITS), "upper": scientific_above(upper, _DIGITS)}


def _least(verdict: RuleVerdict) -> str:
    """The lower end of what the rule gives, with the places that are certain."""
    if verdict.least is None:
        return ""
    lower, upper = verdict.least
    return bounds_text(lower, upper)[0] if lower < upper else _decimal_or_floor(lower)


def _decimal_or_floor(value: mpq) -> str:
    """An exact rational, as a decimal where it is one."""
    text = short_text(value)
    return text if "/" not in text else decimal_text(_floor(value))


def _floor(value: mpq) -> mpq:
    return mpq(value * 10**_LEAST_PLACES // 1) / 10**_LEAST_PLACES

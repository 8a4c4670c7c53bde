r"""``exactdp report``: ledgers as one file of HTML that verifies itself.

Rules of this file: every certificate in the report has been verified; the file is written last,
and never over a ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import as_number
from exactdp.claims.outcomes import ClaimOutcome
from exactdp.cli.composition_options import find_ledger
from exactdp.cli.options import command
from exactdp.cli.places import check_report
from exactdp.cli.progress import working
from exactdp.cli.rendering import REFUTED, UNDECIDED, answer
from exactdp.cli.verification import claim_of, stated_claim
from exactdp.composition.answers.arguments import target_of
from exactdp.ledger.model import Claim, Ledger
from exactdp.pages.facts.report import report_facts
from exactdp.pages.findings import Findings, find
from exactdp.pages.gains import add_gains
from exactdp.pages.page import name_of, report_page
from exactdp.pages.phrases import reported
from exactdp.pages.sentences import conclude

_GIVEN: Final = "given with --claim"
_OPEN: Final[tuple[ClaimOutcome, ...]] = ("undecided", "not-derivable")


@command("report")
def report_command(
    sources: tuple[str, ...],
    *,
    inline: tuple[str, ...],
    delta: str | None,
    claims: tuple[str, ...],
    values: tuple[str, ...],
    report: Path,
    max_cost: int,
) -> int:
    """One file of HTML on ledgers: what is proved of them, with certificates and their checker.

    Exit code 1 if a claim is refuted, 3 if something is undecided, else 0.
    """
    ledgers = [
        (each, _with_values(_with_claims(ledger, claims), delta, values))
        for each, ledger in _ledgers(sources, inline)
    ]
    check_report(report, sources, "--report")
    with working("composing"):
        findings = [
            find(name_of(source), ledger, delta=delta, max_cost=max_cost, needs_delta=not claims)
            for source, ledger in ledgers
        ]
        findings = [add_gains(each, max_cost) for each in findings]
        page = report_page(findings)
    conclusions = [conclude(each) for each in findings]
    return answer(
        report_facts(findings, conclusions, report, page),
        reported(conclusions, str(report)),
        files={report: page},
        field="--report",
        code=_exit_code(findings),
    )


def _ledgers(sources: tuple[str, ...], inline: tuple[str, ...]) -> list[tuple[str | None, Ledger]]:
    """Each ledger with its file, or the mechanisms of -m."""
    if inline or not sources:
        return [(None, find_ledger(next(iter(sources), None), inline))]
    return [(each, find_ledger(each, ())) for each in sources]


def _with_claims(ledger: Ledger, claims: Sequence[str]) -> Ledger:
    """The ledger, which also claims what is given with --claim."""
    stated = [stated_claim(claim_of(each), _GIVEN) for each in claims]
    return replace(ledger, claims=(*ledger.claims, *stated))


def _with_values(ledger: Ledger, delta: str | None, values: Sequence[str]) -> Ledger:
    """The ledger, which also claims what other accountants say of it.

    Raises:
        InputError: a value is no number, or there is no δ.
    """
    if not values:
        return ledger
    at = target_of(ledger, delta)
    claims = [_claim_of(value, at) for value in values]
    return replace(ledger, claims=(*ledger.claims, *claims))


def _claim_of(value: str, delta: mpq) -> Claim:
    name, _, number = value.rpartition("=")
    source = f"{name or 'another accountant'}, given with --value"
    return Claim(as_number(number, "--value"), delta, "composition", source)


def _exit_code(findings: Sequence[Findings]) -> int:
    outcomes = [claim.outcome for each in findings for claim in each.claims]
    if "refuted" in outcomes:
        return REFUTED
    is_open = any(each.answer is None for each in findings) or not set(_OPEN).isdisjoint(outcomes)
    return UNDECIDED if is_open else 0

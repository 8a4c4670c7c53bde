r"""``exactdp audit``: a ledger's own claims under every rule that applies.

Rules of this file: it renders what the library judged; a certificate leaves this program only if
the verifier accepts it; what a line does not prove is said below the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from exactdp.claims.verdicts import audit
from exactdp.cli.composition_options import find_ledger, scoped
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import command, stem_of
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import REFUTED, UNDECIDED, Part, Prose, answer, tables
from exactdp.errors import InputError
from exactdp.pages.accepted import certificate_files
from exactdp.pages.facts.claims import (
    AuditedLedger,
    audit_facts,
    audit_opening,
    audit_remarks,
    audit_total,
    claim_certificates,
    claim_line,
    verdict_rows,
)
from exactdp.pages.phrases import heading


@command("audit", cls=ManyCommand, takes_several=True)
def audit_command(
    sources: tuple[str, ...],
    *,
    certificates: Path | None,
    plot: Path | None,
    interaction: str | None,
    group: int,
    max_cost: int,
    report: Path | None,
) -> int:
    """Check the claims that ledgers state about themselves, each at its own δ and on its own basis.

    Exit code 1 if a claim is refuted, 3 if one is neither derived nor refuted, else 0.
    """
    ledgers = [(each, scoped(find_ledger(each, ()), interaction)) for each in sources]
    _refuse_group(report, group)
    check_places(sources, certificates=certificates, plot=plot, report=report)
    with working("auditing"):
        reports = [
            AuditedLedger(source, ledger, audit(ledger, max_cost=max_cost, group=group))
            for source, ledger in ledgers
        ]
        files: dict[Path, bytes] = {}
        if certificates is not None:
            for index, each in enumerate(reports):
                made = claim_certificates(each.claims)
                found = certificate_files(certificates, stem_of(each.source), made)
                files |= found
                reports[index] = replace(each, written=tuple(map(str, found)))
        if plot is not None:
            from exactdp.cli.answer_pictures import audit_picture  # noqa: PLC0415 (few ask)

            files[plot] = audit_picture(reports, plot.suffix)
        if report is not None:
            from exactdp.pages.ledger_pages import claims_page  # noqa: PLC0415 (few ask)

            files[report] = claims_page(ledgers, max_cost, audit_opening(reports))
    known = audit_facts(reports, group)
    return answer(known, *_text(reports, group), files=files, plot=plot, code=_exit_code(reports))


def _refuse_group(report: Path | None, group: int) -> None:
    if report is not None and group > 1:
        raise InputError(
            field="--report",
            value="given",
            expected="no --group beside it, as a page is about neighbours",
            remedy="leave out one of the two; --certificates and --json know groups",
        )


def _exit_code(reports: Sequence[AuditedLedger]) -> int:
    outcomes = {claim.outcome for report in reports for claim in report.claims}
    if "refuted" in outcomes:
        return REFUTED
    return UNDECIDED if outcomes & {"not-derivable", "undecided"} else 0


def _text(reports: Sequence[AuditedLedger], group: int) -> Iterator[Part]:
    yield from audit_opening(reports).sentences
    for report in reports:
        scope = "" if group == 1 else f", claims read for groups of {group}"
        yield from ("", heading(report.ledger) + scope)
        if unprotected := report.ledger.unprotected_quantities:
            yield from ("", Prose(f"Not protected: {unprotected}"))
        if not report.claims:
            yield from ("", "states no claims: exactdp certify judges one that it does not state")
        for claim in report.claims:
            yield from ("", claim_line(claim), *tables(verdict_rows(claim)))
        yield from (f"written: {path}" for path in report.written)
    if len(reports) > 1 or any(len(report.claims) > 1 for report in reports):
        yield from ("", audit_total(reports))
    for remark in audit_remarks(reports):
        yield from ("", Prose(remark))

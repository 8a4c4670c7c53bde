r"""``exactdp audit``: a ledger's own claims under every rule that applies.

Rules of this file: it renders what the library judged; a certificate leaves this program only if
the verifier accepts it; what a line does not prove is said below the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from exactdp.claims.verdicts import audit
from exactdp.cli.claim_certificates import claim_certificates
from exactdp.cli.composition_options import (
    find_ledger,
    scoped,
)
from exactdp.cli.exit_codes import REFUTED, UNDECIDED
from exactdp.cli.files import write_together
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import (
    command,
)
from exactdp.cli.output import print_json
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import heading, picture_fact, picture_lines, points, show
from exactdp.errors import InputError
from exactdp.pages.accepted import verified
from exactdp.pages.facts import result_of, rows_of
from exactdp.pages.facts.claims import (
    AuditedLedger,
    audit_opening,
    audit_remarks,
    audit_total,
    claim_facts,
    verdict_rows,
)


@command("audit", cls=ManyCommand, takes_several=True)
def audit_command(  # noqa: PLR0913 (one argument for each option)
    sources: tuple[str, ...],
    *,
    certificates: Path | None,
    plot: Path | None,
    interaction: str | None,
    group: int,
    max_cost: int,
    report: Path | None,
    as_json: bool,
) -> int:
    """Check the claims that ledgers state about themselves, each at its own δ and on its own basis.

    Exit code 1 if a claim is refuted, 3 if one is neither derived nor refuted, else 0.
    """
    ledgers = [(each, scoped(find_ledger(each, ()), interaction)) for each in sources]
    _refuse_group(report, group)
    check_places(sources, certificates=certificates, plot=plot, report=report)
    with working("auditing", as_json=as_json):
        reports = [
            AuditedLedger(source, ledger, audit(ledger, max_cost=max_cost, group=group))
            for source, ledger in ledgers
        ]
        files: dict[Path, bytes] = {}
        if certificates is not None:
            for index, each in enumerate(reports):
                made = dict(claim_certificates(each, certificates))
                files |= {path: verified(certificate) for path, certificate in made.items()}
                reports[index] = replace(each, written=tuple(map(str, made)))
        if plot is not None:
            from exactdp.cli.answer_pictures import audit_picture  # noqa: PLC0415 (few ask)

            files[plot] = audit_picture(reports, plot.suffix)
        if report is not None:
            from exactdp.pages.ledger_pages import claims_page  # noqa: PLC0415 (few ask)

            files |= claims_page(report, ledgers, max_cost, audit_opening(reports))
    write_together(files, "--certificates")
    if as_json:
        result = {"group": str(group), "ledgers": [result_of(each.facts()) for each in reports]}
        print_json("audit", result | result_of(picture_fact(plot)))
    else:
        _show(reports, group)
        show(*picture_lines(plot))
    return _exit_code(reports)


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


def _show(reports: Sequence[AuditedLedger], group: int) -> None:
    show(*audit_opening(reports).sentences, "")
    for place, report in enumerate(reports):
        scope = "" if group == 1 else f", claims read for groups of {group}"
        show(*([""] if place else []), heading(report.ledger) + scope)
        if not report.claims:
            show("", "states no claims")
        for claim in report.claims:
            show("", rows_of(claim_facts(claim))[0][1], "", points(verdict_rows(claim)))
        show(*(f"written: {path}" for path in report.written))
    if len(reports) > 1 or any(len(report.claims) > 1 for report in reports):
        show("", audit_total(reports))
    for remark in audit_remarks(reports):
        show("", remark, prose=True)

r"""``exactdp audit``: a ledger's own claims under every rule that applies.

Rules of this file: it renders what the library judged; a certificate leaves this program only if
the verifier accepts it; what a line does not prove is said below the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    enclose_in_decimals,
)
from exactdp.certificate.statement import Certificate
from exactdp.claims.texts import claim_text
from exactdp.claims.verdicts import OUTCOMES, ClaimOutcome, audit
from exactdp.cli.composition_options import (
    find_ledger,
    scoped,
)
from exactdp.cli.exit_codes import REFUTED, UNDECIDED
from exactdp.cli.files import write_together
from exactdp.cli.many import ManyCommand
from exactdp.cli.options import (
    command,
    stem_of,
)
from exactdp.cli.output import print_json
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import heading, picture_fact, picture_lines, points, show
from exactdp.errors import InputError, shorten
from exactdp.ledger.model import Ledger
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
from exactdp.pages.number_text import exact_text, rational_text
from exactdp.pages.standing import Opening

_PLACES: Final = 30
_EXITS: Final[dict[ClaimOutcome, int]] = {
    "refuted": REFUTED,
    "not-derivable": UNDECIDED,
    "undecided": UNDECIDED,
}
_RANKS: Final = {0: 0, UNDECIDED: 1, REFUTED: 2}


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
    if report is not None:
        _refuse_group(group)
    check_places(sources, certificates=certificates, plot=plot, report=report)
    with working("auditing", as_json=as_json):
        reports = [
            AuditedLedger(source, ledger, audit(ledger, max_cost=max_cost, group=group))
            for source, ledger in ledgers
        ]
        files: dict[Path, bytes] = {}
        if certificates is not None:
            for index, each in enumerate(reports):
                made = dict(_certificates(each, certificates))
                files |= {path: verified(certificate) for path, certificate in made.items()}
                reports[index] = replace(each, written=tuple(map(str, made)))
        if plot is not None:
            files[plot] = _picture(reports, plot.suffix)
        if report is not None:
            files |= _page(report, ledgers, max_cost, audit_opening(reports))
    write_together(files, "--certificates")
    if as_json:
        result = {"group": str(group), "ledgers": [result_of(each.facts()) for each in reports]}
        print_json("audit", result | result_of(picture_fact(plot)))
    else:
        _show(reports, group)
        show(*picture_lines(plot))
    return _exit_code(reports)


def _refuse_group(group: int) -> None:
    if group > 1:
        raise InputError(
            field="--report",
            value="given",
            expected="no --group beside it, as a page is about neighbours",
            remedy="leave out one of the two; --certificates and --json know groups",
        )


def _page(
    report: Path, ledgers: Sequence[tuple[str, Ledger]], max_cost: int, head: Opening
) -> dict[Path, bytes]:
    """A page on these ledgers; at the δ of their first claim where they name no other."""
    from exactdp.pages.findings import find  # noqa: PLC0415 (few ask for a page)
    from exactdp.pages.page import name_of, report_file  # noqa: PLC0415 (as above)

    return report_file(
        report,
        [
            find(name_of(source), ledger, delta=None, max_cost=max_cost, needs_delta=False)
            for source, ledger in ledgers
        ],
        head,
    )


def _exit_code(reports: Sequence[AuditedLedger]) -> int:
    codes = [_EXITS.get(claim.outcome, 0) for report in reports for claim in report.claims]
    return max(codes, key=lambda code: _RANKS[code], default=0)


def _certificates(report: AuditedLedger, directory: Path) -> Iterator[tuple[Path, Certificate]]:
    stem = stem_of(report.source)
    for number, claim in enumerate(report.claims, start=1):
        for verdict in claim.verdicts:
            for certificate in (verdict.certificate, verdict.mended):
                if certificate is not None:
                    name = f"{stem}.claim-{number}.{certificate.rule}.{certificate.bound}.json"
                    yield directory / name, certificate


def _picture(reports: Sequence[AuditedLedger], suffix: str) -> bytes:
    """Every claim of a number above 0, and beside it what rules give."""
    from exactdp.cli.answer_pictures import (  # noqa: PLC0415 (few ask for it)
        ClaimBound,
        ClaimRow,
        claims_picture,
        look_of,
    )

    rows = []
    for report in reports:
        for audited in report.claims:
            number = audited.claimed
            most = mpq(0) if number is None else enclose_in_decimals(number, _PLACES)[1]
            if not most:
                continue
            bounds = [
                ClaimBound(verdict.rule, verdict.least[0] / most)
                for verdict in audited.verdicts
                if verdict.least is not None and not verdict.assumption
            ]
            text = claim_text(audited.claim, exact_text, rational_text)
            outcome = OUTCOMES[audited.outcome].partition(":")[0]
            title = f"{shorten(stem_of(report.source))}: {text}, {outcome}"
            rows.append(ClaimRow(title, look_of(audited.outcome), bounds))
    return claims_picture(rows, "Claims, and what rules give", suffix)


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

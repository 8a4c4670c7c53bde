r"""``--report FILE``: a report as one more file of a command.

Rules of this file: it is written together with the command's certificates, or nothing is; it takes
the place of a report, and of another file only by ``--force``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exactdp.cli.files import check_place, keep_ledger
from exactdp.cli.report.findings import Findings
from exactdp.cli.report.page import FIRST_LINE, report_page
from exactdp.cli.report.standing import Opening


def check_report(report: Path, sources: Sequence[str | None], field: str = "--report") -> None:
    """Refuse a place where no report may go, before any work.

    Raises:
        InputError: a ledger, or a file that is no report.
    """
    for source in sources:
        keep_ledger(source, report, field)
    check_place(report, FIRST_LINE, field)


def report_file(report: Path, findings: Sequence[Findings], head: Opening) -> dict[Path, bytes]:
    """The report of a command, which begins as what it prints does, and where it goes."""
    return {report: report_page(findings, head)}


def name_of(source: str | None) -> str:
    """What a page calls its ledger's file: never by its folder."""
    if source is None:
        return "ledger.json"
    return "standard input" if source == "-" else Path(source).name

r"""``--report FILE``: a report as one more file of a command.

Rules of this file: it is written together with the command's certificates, or nothing is; it takes
the place of a report, and of another file only by ``--force``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exactdp.cli.files import check_place, keep_ledger
from exactdp.pages.page import FIRST_LINE


def check_report(report: Path, sources: Sequence[str | None], field: str = "--report") -> None:
    """Refuse a place where no report may go, before any work.

    Raises:
        InputError: a ledger, or a file that is no report.
    """
    for source in sources:
        keep_ledger(source, report, field)
    check_place(report, FIRST_LINE, field)

r"""Where files of an answer go: looked at before any work.

Rules of this file: nothing that draws or writes pages is imported before it is asked for; a page
takes the place of a page, and of another file only by ``--force``.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from exactdp.cli.files import check_directory, check_file, check_place, keep_ledger
from exactdp.errors import InputError

FORMATS: Final = ("png", "svg")


def check_picture(path: Path, field: str = "--plot") -> None:
    """Refuse early a picture that could not be drawn.

    Raises:
        InputError: the suffix names no format, or matplotlib is missing.
    """
    if path.suffix.lower().lstrip(".") not in FORMATS:
        raise InputError(field=field, value=str(path), expected="a name ending in .png or .svg")
    if find_spec("matplotlib") is None:
        raise InputError(
            field=field,
            value="matplotlib is missing",
            expected="the extra plot",
            remedy="pip install 'exactdp[plot]'",
            code="missing-dependency",
        )


def check_places(
    sources: Iterable[str | None],
    *,
    certificates: Path | None = None,
    stem: str | None = None,
    table: Path | None = None,
    plot: Path | None = None,
    report: Path | None = None,
) -> None:
    """Refuse places where certificates, a table, a picture or a page could not go.

    Raises:
        InputError: there is no such place, it is a ledger's, or no picture could be drawn.
    """
    if certificates is not None:
        check_directory(certificates, "--certificates", stem)
    if plot is not None:
        check_new(sources, plot, "--plot")
        check_picture(plot)
    if table is not None:
        check_new(sources, table, "--csv")
        if plot == table:
            raise InputError(field="--plot", value=str(plot), expected="a file other than --csv")
    if report is not None:
        check_report(report, sources)


def check_new(sources: Iterable[str | None], path: Path, field: str) -> None:
    """Refuse a place for a file that is a ledger's, or none at all."""
    for source in sources:
        keep_ledger(source, path, field)
    check_file(path, field)


def check_report(report: Path, sources: Iterable[str | None], field: str = "--report") -> None:
    """Refuse a place where no page may go.

    Raises:
        InputError: a ledger, or a file that is no page.
    """
    from exactdp.pages.page import FIRST_LINE  # noqa: PLC0415 (few ask for a page)

    for source in sources:
        keep_ledger(source, report, field)
    check_place(report, FIRST_LINE, field)

r"""Where a picture goes, and whether it could be drawn at all: looked at before any work.

Rules of this file: nothing that draws is imported here.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from exactdp.cli.files import check_file, keep_ledger
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


def check_plot(plot: Path | None, sources: Iterable[str | None]) -> None:
    """Refuse early a picture that could not be drawn, or would be written over a ledger.

    Raises:
        InputError: as for :func:`check_picture`, or there is no place for it.
    """
    if plot is not None:
        for source in sources:
            keep_ledger(source, plot, "--plot")
        check_file(plot, "--plot")
        check_picture(plot)

r"""A sign of life while something takes long.

Rules of this file: on a terminal only; silent in a pipe and in ``--json``; it leaves no trace on
the screen.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def working(what: str, *, as_json: bool) -> Iterator[None]:
    """Show a spinner and the time spent while the block runs."""
    if as_json or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # noqa: PLC0415 (only a terminal needs it)
    from rich.progress import (  # noqa: PLC0415
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    shown = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with shown:
        shown.add_task(what, total=None)
        yield

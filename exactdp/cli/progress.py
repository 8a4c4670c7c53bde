r"""A sign of life while something takes long.

Rules of this file: on a terminal only; silent in a pipe and in ``--json``; it leaves no trace on
the screen.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from exactdp.composition.engines.progress import listening


@contextlib.contextmanager
def working(what: str, *, as_json: bool) -> Iterator[None]:
    """Show how far the work has come, and the time spent, while the block runs."""
    if as_json or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # noqa: PLC0415 (only a terminal needs it)
    from rich.progress import (  # noqa: PLC0415 (only a terminal needs it)
        BarColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    shown = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with shown:
        task = shown.add_task(what, total=None)
        with listening(lambda done, expected: shown.update(task, completed=done, total=expected)):
            yield

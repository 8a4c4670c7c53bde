r"""A sign of life while something takes long.

Rules of this file: on a terminal only; silent in a pipe and in ``--json``; it leaves no trace on
the screen; a bar fills once.

Theory of operation: work that reports how far it has come may be the first of several products, as
many as precision asks for, and nobody knows how many. So the bar shows the first of them, and
moves without a length while the others run.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Protocol

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
        shown.add_task(what, total=None)
        with listening(FirstPass(shown.tasks[0])):
            yield


class Bar(Protocol):
    """What is shown of the work: how much is done, and of how much if that is known."""

    completed: float
    total: float | None


class FirstPass:
    """Fills a bar with the first work that is reported, and lets it run on without a length."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._is_over = False

    def __call__(self, done: int, expected: int) -> None:
        """Show how far the first work has come; of later work, only that it goes on."""
        if self._is_over or done < self._bar.completed:
            self._is_over = True
            self._bar.total = None
            return
        self._bar.completed, self._bar.total = done, expected
        self._is_over = done >= expected

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
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Protocol

from exactdp.cli.many_options import cores
from exactdp.cli.output import wants_json
from exactdp.composition.engines.progress import listening
from exactdp.composition.engines.splitting import Mapper, use_cores

_SECONDS_BETWEEN: Final = 0.2
_CLEAR: Final = "\r\x1b[K"
_LONG: Final = 120


@contextlib.contextmanager
def working(what: str) -> Iterator[None]:
    """Show how far the work has come, and the time spent, while the block runs on all cores."""
    with _on_all_cores(), _shown(what):
        yield


@contextlib.contextmanager
def _on_all_cores() -> Iterator[None]:
    """Split large work of the block; processes start only if there is some."""
    with contextlib.ExitStack() as ends:
        started: list[Mapper] = []

        def mapper(function: Callable[[Any], Any], values: Sequence[Any], /) -> Iterable[Any]:
            if not started:
                from exactdp.many.mapping import Calls  # noqa: PLC0415 (small work does without)

                started.append(ends.enter_context(contextlib.closing(Calls(cores()))))
            return started[0](function, values)

        with use_cores(cores(), mapper):
            yield


@contextlib.contextmanager
def _shown(what: str) -> Iterator[None]:
    if wants_json() or not sys.stderr.isatty():
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


class Counting:
    """A line on a terminal: how many of how many, how many a second, and how long still.

    Args:
        total: how many there will be; None if nobody knows.
    """

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._begin = self._shown = time.monotonic()
        self._is_shown = False
        self._is_on = sys.stderr.isatty()

    def advance(self, done: int) -> None:
        """So many are done; shown a few times in a second."""
        now = time.monotonic()
        if self._is_on and now - self._shown >= _SECONDS_BETWEEN:
            self._shown, self._is_shown = now, True
            self._write(f"{_CLEAR}{counting_text(done, self._total, now - self._begin)}")

    def clear(self) -> None:
        """Leave no trace, so that something else can be written there."""
        if self._is_shown:
            self._is_shown = False
            self._write(_CLEAR)

    @staticmethod
    def _write(text: str) -> None:
        with contextlib.suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()


def counting_text(done: int, total: int | None, seconds: float) -> str:
    """How far a count has come, after so many seconds.

    >>> counting_text(500, 20000, 2.0)
    '500 of 20000, 250.0 a second, about 78 s left'
    """
    rate = done / max(seconds, 1e-9)
    of_all = "" if total is None else f" of {total}"
    left = "" if total is None or not done else f", about {_duration((total - done) / rate)} left"
    return f"{done}{of_all}, {rate:.1f} a second{left}"


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < _LONG:
        return f"{whole} s"
    return (
        f"{whole // 60} min"
        if whole < 60 * _LONG
        else f"{whole // 3600} h {whole % 3600 // 60} min"
    )


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

r"""What time it is: the one clock that limits and deadlines read, which a caller may replace.

Rules of this file: whoever counts time here asks :func:`now` or :func:`seconds`, so that time that
passes by steps, or not at all, decides as the machine's would.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Final

_A_SECOND: Final = 10**9
_CLOCK: Final[ContextVar[Callable[[], int] | None]] = ContextVar("clock", default=None)


def now() -> int:
    """Nanoseconds of the clock of the context, which is the machine's monotonic one at first."""
    clock = _CLOCK.get()
    return time.monotonic_ns() if clock is None else clock()


def seconds() -> float:
    """The same clock in seconds."""
    return now() / _A_SECOND


@contextlib.contextmanager
def reading(clock: Callable[[], int]) -> Iterator[None]:
    """Let the block read another clock.

    Args:
        clock: nanoseconds, which never fall.

    >>> with reading(lambda: 5):
    ...     now()
    5
    """
    token = _CLOCK.set(clock)
    try:
        yield
    finally:
        _CLOCK.reset(token)

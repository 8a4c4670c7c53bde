"""How far long work has come, for whoever listens; nothing is computed from it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Final

Listener = Callable[[int, int], None]
"""Called with the cells done and the cells expected in all."""

_LISTENER: Final[ContextVar[Listener | None]] = ContextVar("listener", default=None)


@contextlib.contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have ``listener`` called while the block runs."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def report(done: int, expected: int) -> None:
    """Tell the listener, if there is one."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(done, expected)

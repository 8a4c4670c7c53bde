r"""A worker: a process that answers units, one after the other, until nobody asks any more.

Rules of this file: it writes to nobody but the process that started it; it ends with that process,
by the system's signal where there is one, and else as soon as its question is done; an interrupt is
for that process to handle.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from multiprocessing.connection import Connection
from typing import Final, NoReturn

from exactdp.many.messages import Work

_PR_SET_PDEATHSIG: Final = 1


def serve(descriptor: int, parent: int) -> NoReturn:
    """Answer what comes over a socket: first the limit of memory and the work, then units."""
    _end_with(parent)
    connection: Connection[object, object] = Connection(descriptor)
    try:
        _work_for(connection)
    except (EOFError, ConnectionError, BrokenPipeError):
        os._exit(0)


def _work_for(connection: Connection[object, object]) -> NoReturn:
    first = connection.recv()
    assert isinstance(first, tuple)
    memory: int | None = first[0]
    work: Work[object, object] = first[1]
    if memory is not None:
        _limit_memory(memory)
    work.prepare()
    connection.send(None)
    while True:
        received = connection.recv()
        assert isinstance(received, tuple)
        number, units = received
        connection.send((number, [work(unit) for unit in units]))


def _end_with(parent: int) -> None:
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it had ended before the system was asked to tell
        os._exit(0)


def _limit_memory(most: int) -> None:
    import resource  # noqa: PLC0415 (not on every system)

    with contextlib.suppress(OSError, ValueError):  # a lower one is in force
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))

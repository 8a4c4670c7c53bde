r"""One measurement: time and memory of one call in a fresh process.

Rules of this file: the standard library only, as peers load it in environments of their own.

Theory of operation: a cell is a process of its own. It imports what it needs, then makes one call,
the first. Time on the wall and time of the processor (all threads) are both kept: the latter
hardly feels what else the machine does. Memory is the peak of the resident set during the call
above what was resident before it; where the system can neither reset nor read that peak, it
is the growth of the peak since the start of the process.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

Result = TypeVar("Result")

_STATUS: Final = Path("/proc/self/status")
_RESET: Final = Path("/proc/self/clear_refs")
_RESET_PEAK: Final = "5"


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds on the wall, seconds of the processor, bytes."""

    seconds: float
    cpu: float
    memory: int


def measured(call: Callable[[], Result]) -> tuple[Result, Cost]:
    """The result of ``call`` and what it cost."""
    before = _resident()
    wall, cpu = time.perf_counter(), time.process_time()
    result = call()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return result, Cost(wall, cpu, max(0, _peak() - before))


def _resident() -> int:
    """Bytes that are resident now, from where the peak is counted."""
    try:
        _RESET.write_text(_RESET_PEAK, encoding="ascii")
        return _field("VmRSS")
    except (OSError, LookupError):
        return _peak()


def _peak() -> int:
    try:
        return _field("VmHWM")
    except (OSError, LookupError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _field(name: str) -> int:
    for line in _STATUS.read_text(encoding="ascii").splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0]) * 1024
    raise LookupError(name)

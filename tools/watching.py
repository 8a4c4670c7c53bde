"""What a process and those below it take: processor time, and memory over the length of a run."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from pathlib import Path
from typing import Final

_SECONDS_BETWEEN: Final = 0.2
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_USER_TIME: Final = 11


class Watch(threading.Thread):
    """Looks at a process and those below it until it has gone.

    Attributes:
        largest: bytes of the largest process, each time it looked.
    """

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self._process = process
        self._ticks: dict[int, int] = {}
        self.largest: list[int] = []

    def run(self) -> None:
        """Look a few times in a second."""
        while Path(f"/proc/{self._process}/status").exists():
            family = family_of(self._process)
            self.largest.append(max(map(_resident, family), default=0))
            for each in family:
                self._ticks[each] = max(self._ticks.get(each, 0), _ticks_of(each))
            time.sleep(_SECONDS_BETWEEN)

    @property
    def own_seconds(self) -> float:
        """Processor time of the process itself, without those below it."""
        return self._ticks.get(self._process, 0) / _TICKS

    @property
    def seconds(self) -> float:
        """Processor time of all of them."""
        return sum(self._ticks.values()) / _TICKS

    def tenths(self) -> list[float]:
        """MiB of the largest process in each tenth of the run."""
        count = len(self.largest)
        parts = [self.largest[count * i // 10 : count * (i + 1) // 10] for i in range(10)]
        return [round(max(part, default=0) / 2**20, 1) for part in parts]


def family_of(process: int) -> list[int]:
    """A process and all below it."""
    found = [process]
    for each in found:
        for children in Path(f"/proc/{each}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found += map(int, children.read_text().split())
    return found


def _resident(process: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE
    return 0


def _ticks_of(process: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return int(fields[_USER_TIME]) + int(fields[_USER_TIME + 1])
    return 0

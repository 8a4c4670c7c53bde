"""Work for workers that is quick, and fails on demand."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from exactdp.many.messages import Answered, Content, Lost, Unit, Unread, key_of


@dataclass(frozen=True)
class Shouting:
    """Answers with the content in capitals; some contents are orders.

    ``die`` ends the worker; ``die once`` does so unless the file ``marks`` has been made; ``sleep``
    takes for ever; ``fill`` asks for more memory than there is.
    """

    marks: Path

    def prepare(self) -> None:
        """Nothing to import."""

    def __call__(self, unit: Unit) -> Content | Answered:
        if isinstance(unit, Unread):
            data = unit.source if isinstance(unit.source, bytes) else unit.source.encode()
            if data == b"unreadable":
                return Answered('"error":{}', 2)
            return Content(key_of("shout", data.lower()), data.lower())
        text = unit.data.decode()
        if text == "die" or (text.startswith("die once") and self._is_first(text)):
            os.kill(os.getpid(), signal.SIGKILL)
        if text == "sleep":
            time.sleep(600)
        if text == "fill":
            return self._fill()
        with (self.marks / "answered").open("a") as log:
            log.write(f"{text}\n")
        return Answered(f'"result":"{text.upper()}"', 0, {"@/ledger.txt": unit.data})

    def _is_first(self, text: str) -> bool:
        mark = self.marks / text
        if mark.exists():
            return False
        mark.touch()
        return True

    def _fill(self) -> Answered:
        try:
            return Answered(str(len(bytearray(2**40))), 0)
        except MemoryError:
            return Answered('"error":"memory"', 70, is_lasting=False)


class Ending:
    """Ends its worker before anything is asked."""

    def prepare(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def __call__(self, unit: Unit) -> Content | Answered:
        raise AssertionError(unit)


def refusal(lost: Lost) -> Answered:
    """What is said of a content that was lost for good."""
    return Answered(f'"error":"{lost.reason}"', 3, is_lasting=False)


def answered_once(marks: Path) -> list[str]:
    """The contents that workers have answered, in the order in which they did."""
    log = marks / "answered"
    return log.read_text().splitlines() if log.exists() else []

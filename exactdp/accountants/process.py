r"""A conversation with a program: a line in, a line out, within limits of time and memory.

Rules of this file: a program that fails, hangs, or ends is a reason without an answer, never an
exception of another kind, and it is never waited for longer than was agreed; nothing of it is left
running.

Theory of operation: the program is kept for further questions, for many accountants take a second
to load. It may also end after each answer: it is then started again for the next question. It runs
in a process group of its own, so that whatever it started ends with it.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from exactdp.errors import shorten

_LIMITED: Final = Path(__file__).with_name("limited.py")
MESSAGE: Final = 2000
"""The most characters of a message: those who maintain the program need all that it says."""
_CHUNK: Final = 2**16
_SECONDS_TO_END: Final = 1
_LONGEST_LINE: Final = 2**20
_THREADS: Final = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use.

    Attributes:
        seconds: on the wall, for one answer; loading is part of the first.
        memory: bytes of address space.
    """

    seconds: float = 60.0
    memory: int = 8 * 2**30


class NoAnswerError(Exception):
    """The program gave none; the message says why."""


class _HasEndedError(NoAnswerError):
    """The process had ended in good order after an earlier answer."""


class Conversation:
    """A program that answers lines; a context manager that ends it."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._command = command
        self._limits = limits
        self._program: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._has_answered = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def ask(self, line: str) -> str:
        """The program's answer to a line.

        Raises:
            NoAnswerError: it failed, ended, or took too long; the next question finds it started
                anew.
        """
        try:
            return self._ask(line)
        except _HasEndedError:  # after an answer, as it may: it had not yet ended when it was asked
            return self._ask(line)

    def _ask(self, line: str) -> str:
        program = self._running()
        end = time.monotonic() + self._limits.seconds
        try:
            _send(program, line.encode() + b"\n", end)
            answer = _line(program, end).decode("utf-8", "replace")
        except TimeoutError:
            self.close()
            raise NoAnswerError(f"no answer within {self._limits.seconds:g} s") from None
        except (OSError, EOFError, ValueError) as error:
            raise self._failure(error) from None
        self._has_answered = True
        return answer

    def close(self) -> None:
        """End the program and whatever it started."""
        if self._program is not None:
            with contextlib.suppress(OSError):
                os.killpg(self._program.pid, signal.SIGKILL)
            self._program.communicate()
        if self._errors is not None:
            self._errors.close()
        self._program = self._errors = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._program is not None and self._program.poll() is not None:
            self.close()
        if self._program is None:
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (close does)
            self._program = self._started(self._errors)
            self._has_answered = False
        return self._program

    def _failure(self, error: Exception) -> NoAnswerError:
        """Why there is no answer; the program is gone."""
        answered = self._has_answered
        reason, code = self._ended(error)
        return _HasEndedError(reason) if answered and not code else NoAnswerError(reason)

    def _started(self, errors: IO[bytes]) -> subprocess.Popen[bytes]:
        seconds = math.ceil(100 * self._limits.seconds) + 60  # of all answers; a last resort
        limits = [str(self._limits.memory), str(seconds)]
        threads = {f"{name}_NUM_THREADS": "1" for name in _THREADS}
        return subprocess.Popen(  # noqa: S603 (a program that the user named, no shell)
            [sys.executable, "-I", str(_LIMITED), *limits, *self._command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, **threads},
            process_group=0,
        )

    def _ended(self, error: Exception) -> tuple[str, int]:
        """Why the program is no longer there, and its exit code; its pipes are closed."""
        assert self._program is not None
        assert self._errors is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._program.wait(_SECONDS_TO_END if isinstance(error, OSError | EOFError) else 0)
        with contextlib.suppress(OSError):
            os.killpg(self._program.pid, signal.SIGKILL)
        code = self._program.wait()
        self._errors.seek(0)
        last = self._errors.read().decode("utf-8", "replace").strip().splitlines()[-1:]
        self.close()
        reason = f": {shorten(last[0], MESSAGE)}" if last else ""
        if isinstance(error, ValueError):
            return f"more than {_LONGEST_LINE} bytes without an end of line", code
        killed = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"it ended without an answer ({killed}){reason}", code


def _send(program: subprocess.Popen[bytes], data: bytes, end: float) -> None:
    """Write a line to a program that may not be reading.

    Raises:
        TimeoutError: it does not take it in time.
        OSError: it takes nothing more.
    """
    assert program.stdin is not None
    number = program.stdin.fileno()
    os.set_blocking(number, False)
    while data:
        _, ready, _ = select.select([], [number], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise TimeoutError
        data = data[os.write(number, data) :]


def _line(program: subprocess.Popen[bytes], end: float) -> bytes:
    """The next line of a program's output.

    Raises:
        TimeoutError: none came in time.
        EOFError: the output has ended.
        ValueError: it is too long.
    """
    assert program.stdout is not None
    read: bytes = b""
    number = program.stdout.fileno()
    while b"\n" not in read:
        ready, _, _ = select.select([number], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise TimeoutError
        chunk = os.read(number, _CHUNK)
        if not chunk:
            raise EOFError
        read += chunk
        if len(read) > _LONGEST_LINE:
            raise ValueError("too long")
    return read.partition(b"\n")[0]

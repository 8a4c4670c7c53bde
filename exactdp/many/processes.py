r"""Workers as processes of this machine, watched over.

Rules of this file: a reply is given once; a worker that ends, or takes too long, is replaced, and
what it had not answered is given back as lost, or sent to another; nothing is left running.

Theory of operation: each worker answers its tasks in the order in which they were sent, so that the
first that is open is the one it is at: the others go to another worker if it ends. A worker is sent
as many tasks ahead as it does in a moment, judged by what the last ones took, and never more bytes
than the socket holds: neither side then waits for the other to read.
"""

from __future__ import annotations

import contextlib
import pickle
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from os import getpid
from typing import Any, Final, Generic, TypeVar

from exactdp.errors import InternalError
from exactdp.many.messages import Lost, Work

_Unit = TypeVar("_Unit")
_Reply = TypeVar("_Reply")

_PROGRAM: Final = (
    "import sys; sys.path[:] = sys.argv[3:]; from exactdp.many.worker import serve; "
    "serve(int(sys.argv[1]), int(sys.argv[2]))"
)
_AHEAD_SECONDS: Final = 0.05
_MOST_AHEAD: Final = 32
_AHEAD_BYTES: Final = 2**15
_INERTIA: Final = 0.8
_BUSY: Final = 64
_MOST_FAILED_STARTS: Final = 20


@dataclass(frozen=True, slots=True)
class _Task:
    """Units under one number, as they are sent."""

    number: int
    size: int
    count: int
    message: bytes


class _Worker(Generic[_Reply]):
    """A process, and the tasks that it has not answered, first those sent first."""

    def __init__(self, work: Work[Any, _Reply], memory: int | None) -> None:
        ours, theirs = socket.socketpair()
        descriptor = theirs.fileno()
        command = [sys.executable, "-c", _PROGRAM, str(descriptor), str(getpid()), *sys.path]
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603 (this program, by its own interpreter)
                command, pass_fds=(descriptor,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
            )
        self.connection: Connection[Any, Any] = Connection(ours.detach())
        self.open: deque[_Task] = deque()
        self.is_ready = False
        self.since = time.monotonic()
        self._bytes = 0
        with contextlib.suppress(OSError):  # found out when it is waited for
            self.connection.send((memory, work))

    def takes(self, task: _Task, pace: float) -> bool:
        """Whether another task may be sent ahead, if one takes ``pace`` seconds."""
        if not self.open:
            return True
        ahead = min(_MOST_AHEAD, _AHEAD_SECONDS / max(pace, 1e-6))
        return len(self.open) < ahead and self._bytes + task.size <= _AHEAD_BYTES

    def send(self, task: _Task) -> None:
        """Send a task."""
        if not self.open:
            self.since = time.monotonic()
        self.open.append(task)
        self._bytes += task.size
        with contextlib.suppress(OSError):  # as above
            self.connection.send_bytes(task.message)

    def receive(self) -> tuple[_Task, list[_Reply], float] | None:
        """The next reply, to the first open task, and how long it took; None as it gets ready.

        Raises:
            EOFError, OSError: the worker has ended.
        """
        message = self.connection.recv()
        now = time.monotonic()
        seconds, self.since = now - self.since, now
        if message is None:
            self.is_ready = True
            return None
        task = self.open.popleft()
        self._bytes -= task.size
        return task, message[1], seconds

    def end(self) -> None:
        """Kill it, and wait until it is gone."""
        self.process.kill()
        self.process.wait()
        self.connection.close()


class Processes(Generic[_Unit, _Reply]):
    """So many processes; each unit may take so long.

    Args:
        work: what is done with each unit.
        jobs: how many processes.
        timeout: seconds for one unit; None for as long as it takes.
        memory: bytes of address space for each process; None for what there is.
    """

    batch = 1

    def __init__(
        self,
        work: Work[_Unit, _Reply],
        *,
        jobs: int,
        timeout: float | None = None,
        memory: int | None = None,
    ) -> None:
        self._work = work
        self._timeout = timeout
        self._memory = memory
        self._waiting: deque[_Task] = deque()
        self._pace = _AHEAD_SECONDS
        self._failed_starts = 0
        self._workers = [_Worker(work, memory) for _ in range(jobs)]

    @property
    def wanted(self) -> int:
        """See :class:`Pool`."""
        return _BUSY * len(self._workers)

    @property
    def identifiers(self) -> list[int]:
        """The workers, as the system calls them."""
        return [worker.process.pid for worker in self._workers]

    def submit(self, number: int, units: Sequence[_Unit]) -> None:
        """See :class:`Pool`."""
        message = pickle.dumps((number, tuple(units)), protocol=pickle.HIGHEST_PROTOCOL)
        self._waiting.append(_Task(number, len(message), len(units), message))
        self._send()

    def replies(self) -> list[tuple[int, list[_Reply | Lost]]]:
        """See :class:`Pool`."""
        by_connection: dict[object, int] = {
            worker.connection: place for place, worker in enumerate(self._workers)
        }
        found: list[tuple[int, list[_Reply | Lost]]] = []
        for connection in wait([each.connection for each in self._workers], self._patience()):
            found += self._received(by_connection[connection])
        found += self._overdue()
        self._send()
        return found

    def close(self) -> None:
        """See :class:`Pool`."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.end()
        self._workers = []

    def _send(self) -> None:
        for worker in sorted(self._workers, key=lambda each: len(each.open)):
            while self._waiting and worker.takes(self._waiting[0], self._pace):
                worker.send(self._waiting.popleft())

    def _received(self, place: int) -> list[tuple[int, list[_Reply | Lost]]]:
        """All that a worker has sent; or, if it has ended, that its task is lost."""
        worker = self._workers[place]
        found: list[tuple[int, list[_Reply | Lost]]] = []
        try:
            while worker.connection.poll():
                received = worker.receive()
                if received is None:
                    self._failed_starts = 0
                    continue
                task, replies, seconds = received
                self._pace = _INERTIA * self._pace + (1 - _INERTIA) * seconds
                found.append((task.number, [*replies]))
        except (EOFError, OSError):
            found += self._replaced(place, Lost("ended"))
        return found

    def _replaced(self, place: int, lost: Lost) -> list[tuple[int, list[_Reply | Lost]]]:
        """Have another worker in this place; the task that the old one was at is lost."""
        worker = self._workers[place]
        worker.end()
        if not worker.is_ready:
            self._count_failed_start(worker.process.returncode)
        self._workers[place] = _Worker(self._work, self._memory)
        first = worker.open.popleft() if worker.open and worker.is_ready else None
        self._waiting.extendleft(reversed(worker.open))
        return [] if first is None else [(first.number, [lost] * first.count)]

    def _count_failed_start(self, code: int) -> None:
        """Give up where workers end before they answer anything, again and again.

        Raises:
            InternalError: they do.
        """
        self._failed_starts += 1
        if self._failed_starts > _MOST_FAILED_STARTS:
            raise InternalError(
                field="--jobs",
                value=f"worker processes that end as they start (exit code {code})",
                expected="a machine on which they can be started",
                remedy="raise --worker-memory, or leave it out",
                code="no-workers",
            )

    def _patience(self) -> float | None:
        """Seconds until the first task may be overdue."""
        ends = [self._end_of(worker) for worker in self._workers]
        known = [end for end in ends if end is not None]
        return max(0.0, min(known) - time.monotonic()) if known else None

    def _overdue(self) -> list[tuple[int, list[_Reply | Lost]]]:
        found: list[tuple[int, list[_Reply | Lost]]] = []
        for place, worker in enumerate(self._workers):
            end = self._end_of(worker)
            if end is not None and time.monotonic() >= end and not worker.connection.poll():
                found += self._replaced(place, Lost("timeout"))
        return found

    def _end_of(self, worker: _Worker[_Reply]) -> float | None:
        if self._timeout is None or not worker.open or not worker.is_ready:
            return None
        return worker.since + self._timeout * worker.open[0].count

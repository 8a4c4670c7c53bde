r"""The file of a spend log: how it is read and appended to.

Rules of this file: nothing but whole lines is ever appended, each by one write, and none counts as
written before it is synced; what could not be appended whole is taken back; nothing in a log is
ever changed or removed but a torn last line, on request, and on record.

Theory of operation: writers are serialised by a lock on the file itself (``flock``), which the
system releases when they end, however they end. A writer reads the first line and the last two,
and so takes the same time however long the log is. A file knows its number in its file system,
which every line repeats: in a copy it is another one.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from exactdp.errors import InputError
from exactdp.spending.lines import (
    MOST_BYTES,
    BrokenLogError,
    Head,
    Header,
    broken,
    follow,
    head_of,
    header_line,
    read_header,
)

_MODE: Final = 0o644
_GLANCE: Final = 2**13


@dataclass(frozen=True, slots=True)
class State:
    """What the ends of a log say.

    Attributes:
        header: the first line.
        head: the last whole line.
        length: the bytes of all whole lines.
        torn: the bytes behind them.
        place: the number of the file in its file system, now.
    """

    header: Header
    head: Head
    length: int
    torn: bytes
    place: str

    def require_sound(self) -> None:
        """Refuse a torn log, and a copy.

        Raises:
            BrokenLogError: it is one.
        """
        if self.torn:
            raise BrokenLogError(
                field="log",
                value=f"{len(self.torn)} bytes behind the last whole line",
                expected="a log of whole lines",
                remedy="a writer was cut short; look at them, and record that they go: "
                "exactdp filter mend",
            )
        if self.place != self.head.place:
            raise BrokenLogError(
                field="log",
                value=f"file {self.place}",
                expected=f"file {self.head.place}, to which its last line was written",
                remedy="this is a copy; spend from the original. If that is gone for good: "
                "exactdp filter adopt",
            )


def create(
    path: Path, header: Header, following: Callable[[Head], Iterator[bytes]] | None = None
) -> None:
    """Make a log, if there is nothing at ``path``: all of it, or nothing.

    Args:
        path: of the file.
        header: its first line.
        following: the lines behind that, made from what it says.

    Raises:
        InputError: there is something, or it cannot be written; or what ``following`` raises.
    """
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with _refusals(path):
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)
        try:
            first = header_line(header, _place(descriptor), now())
            more = following(read_header(first)[1]) if following else ()
            _write(descriptor, b"".join([first, *more]), 0)
            os.link(unfinished, path)  # unlike a rename it replaces nothing
        finally:
            os.close(descriptor)
            unfinished.unlink()
        _sync_directory(path.parent)


@contextlib.contextmanager
def locked(path: Path, *, writing: bool) -> Iterator[int]:
    """The open file, which nobody else writes to meanwhile.

    Raises:
        InputError: it cannot be opened.
    """
    with _refusals(path):
        while True:
            descriptor = os.open(path, os.O_RDWR if writing else os.O_RDONLY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX if writing else fcntl.LOCK_SH)
                if os.path.samestat(os.fstat(descriptor), path.stat()):
                    yield descriptor
                    return
            finally:
                os.close(descriptor)


def read_ends(descriptor: int) -> State:
    """What the first line and the last two say.

    Raises:
        BrokenLogError: one of them is not what its writer left.
    """
    size = os.fstat(descriptor).st_size
    first = os.pread(descriptor, MOST_BYTES, 0)
    end = first.find(b"\n") + 1
    if not end:
        raise broken(0, "it is not a whole line")
    header, opening = read_header(first[:end])
    *lines, torn = _last_lines(descriptor, end, size)
    if len(torn) > MOST_BYTES:
        raise broken(opening.number, "what stands at the end is no line")
    head = opening
    if lines:
        before = head_of(lines[-2]) if len(lines) > 1 else opening
        head, _ = follow(header, before, lines[-1])
    return State(header, head, size - len(torn), torn, _place(descriptor))


def _last_lines(descriptor: int, end: int, size: int) -> list[bytes]:
    """At least the last two lines behind the header, if there are so many; then what is torn."""
    parts: list[bytes] = []
    for length in (_GLANCE, 4 * MOST_BYTES):
        start = max(end, size - length)
        parts = os.pread(descriptor, size - start, start).split(b"\n")
        if start > end:
            parts = parts[1:]
        if start == end or len(parts) > 2:
            break
    return [*(part + b"\n" for part in parts[:-1]), parts[-1]]


def append(descriptor: int, line: bytes, state: State) -> None:
    """Write a line behind the whole ones, and wait until it is on the disk.

    What is torn is written over; a line that records it is longer.

    Raises:
        OSError: it is not there; the log is as it was.
    """
    _write(descriptor, line, state.length, state.torn)


def _write(descriptor: int, data: bytes, length: int, behind: bytes = b"") -> None:
    """Write at ``length``, whole and synced; or leave there what was ``behind``."""
    try:
        _write_whole(descriptor, data, length)
        os.fsync(descriptor)
    except BaseException:
        os.ftruncate(descriptor, length)
        os.pwrite(descriptor, behind, length)
        os.fsync(descriptor)
        raise


def _write_whole(descriptor: int, data: bytes, length: int) -> None:
    if os.pwrite(descriptor, data, length) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def now() -> str:
    """The time, by this machine's clock; nothing rests on it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _place(descriptor: int) -> str:
    return str(os.fstat(descriptor).st_ino)


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Say what the system refuses as an error about the log."""
    try:
        yield
    except OSError as error:
        raise InputError(
            field="log",
            value=str(path),
            expected="a spend log that can be read and written"
            if not isinstance(error, FileExistsError)
            else "a new file",
            remedy=error.strerror or "",
            code="unwritable",
        ) from None

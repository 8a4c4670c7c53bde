r"""The file of a spend log: how it is read and appended to.

Rules of this file: nothing but whole lines is ever appended, each by one write, and none counts as
written before it is synced; what could not be appended whole is taken back; nothing in a log is
ever changed or removed but a torn last line, on request, and on record.

Theory of operation: writers are serialised by a lock on the file itself (``flock``), which the
system releases when they end, however they end. A writer reads the first line and the last two,
and so takes the same time however long the log is. Copies, and older bytes in the same file, are
told by what the file system keeps beside the bytes (:mod:`exactdp.spending.place`).
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
from exactdp.regular_files import require_file
from exactdp.spending.lines import (
    MOST_BYTES,
    BrokenLogError,
    Head,
    Header,
    broken,
    digest_of,
    follow,
    head_of,
    header_line,
    read_header,
)
from exactdp.spending.place import LogPlace, keep, kept, now_at, place_of

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
        place: where the file stands now.
        is_rolled_back: whether the file system knows of a later line than the last.
        restored: the line that the torn bytes are, if only its line feed is lost; else nothing.
    """

    header: Header
    head: Head
    length: int
    torn: bytes
    place: LogPlace
    is_rolled_back: bool
    restored: bytes = b""

    @property
    def is_copy(self) -> bool:
        """Whether the last line was written to another file."""
        return not is_at(self.head, self.place)

    def require_sound(self) -> None:
        """Refuse a torn log, a copy, and older bytes.

        Raises:
            BrokenLogError: it is one.
        """
        if self.torn and not self.is_copy and not self.is_rolled_back:
            raise BrokenLogError(
                field="log",
                value=f"{len(self.torn)} bytes behind the last whole line",
                expected="a log of whole lines",
                remedy="only the end of the last line is lost; put it back, on record: "
                "exactdp filter mend"
                if self.restored
                else "a writer was cut short; look at them, and record that they go: "
                "exactdp filter mend",
            )
        if self.is_copy:
            raise BrokenLogError(
                field="log",
                value=self.place.sentence(),
                expected=f"{stated_place(self.head)}, to which its last line was written",
                remedy="this is a copy; spend from the original. If that is gone for good: "
                "exactdp filter adopt",
            )
        if self.is_rolled_back:
            raise BrokenLogError(
                field="log",
                value=f"{self.head.number + 1} lines"
                + (f" and {len(self.torn)} bytes behind them" if self.torn else ""),
                expected="as many as were written to this file: the file system knows of a later "
                "line",
                remedy="an older copy was written over it, or its end was cut off; put back the "
                "lines that are missing. If they are gone for good: exactdp filter adopt",
            )


def is_at(head: Head, place: LogPlace) -> bool:
    """Whether a line was written to the file that stands there now."""
    stated = LogPlace.read(head.place)
    return stated is not None and stated.is_at(place)


def finds_older_copies(head: Head) -> str:
    """Which older copies of a log are found; see :meth:`exactdp.spending.place.LogPlace.finds`."""
    stated = LogPlace.read(head.place)
    return "none" if stated is None else stated.finds()


def stated_place(head: Head) -> str:
    """The place that a line names, in words."""
    stated = LogPlace.read(head.place)
    return "no file" if stated is None else stated.sentence()


def is_behind(head: Head, before: str, known: str | None) -> bool:
    """Whether the file system, which keeps ``known``, was told of a later line than ``head``.

    A writer that was cut short after its line was on the disk has kept ``before``, the digest of
    the line before it.
    """
    if known is None:
        stated = LogPlace.read(head.place)
        return stated is not None and stated.keeps
    return not known or known not in (head.digest, before)


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
            first = header_line(header, str(place_of(descriptor)), now())
            lines = [first, *(following(read_header(first)[1]) if following else ())]
            _write(descriptor, b"".join(lines), 0)
            _keep(descriptor, lines[-1])
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
            how = os.O_RDWR if writing else os.O_RDONLY
            descriptor = os.open(path, how | os.O_NONBLOCK)
            try:
                require_file(descriptor)
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
    head, previous = opening, ""
    if lines:
        before = head_of(lines[-2]) if len(lines) > 1 else opening
        head, _ = follow(header, before, lines[-1])
        previous = before.digest
    restored = _restored(header, head, torn)
    ends = (head_of(restored), head.digest) if restored else (head, previous)
    rolled_back = is_behind(*ends, kept(descriptor))
    return State(header, head, size - len(torn), torn, now_at(descriptor), rolled_back, restored)


def _restored(header: Header, head: Head, torn: bytes) -> bytes:
    """The line that torn bytes are with a line feed, if that may follow; its digest shows it."""
    try:
        follow(header, head, torn + b"\n")
    except BrokenLogError:
        return b""
    return torn + b"\n"


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


def append(descriptor: int, state: State, *lines: bytes) -> None:
    """Write lines behind the whole ones, wait until they are on the disk, and keep the last digest.

    What is torn is written over; a line that records it is longer.

    Raises:
        OSError: it is not there; the log is as it was.
    """
    before = kept(descriptor)
    if before not in (None, state.head.digest) and not state.is_rolled_back:
        keep(
            descriptor, state.head.digest
        )  # for a writer that was cut short: one line behind is all
        before = state.head.digest
    try:
        _write(descriptor, b"".join(lines), state.length, state.torn)
        _keep(descriptor, lines[-1])
    except BaseException:
        _put_back(descriptor, state.length, state.torn)
        if before is not None:
            keep(descriptor, before)
        raise


def _keep(descriptor: int, line: bytes) -> None:
    """Keep the digest of the last line, on the disk, where the file system does that."""
    if keep(descriptor, digest_of(line)):
        os.fsync(descriptor)


def _write(descriptor: int, data: bytes, length: int, behind: bytes = b"") -> None:
    """Write at ``length``, whole and synced; or leave there what was ``behind``."""
    try:
        _write_whole(descriptor, data, length)
        os.fsync(descriptor)
    except BaseException:
        _put_back(descriptor, length, behind)
        raise


def _put_back(descriptor: int, length: int, behind: bytes) -> None:
    os.ftruncate(descriptor, length)
    os.pwrite(descriptor, behind, length)
    os.fsync(descriptor)


def _write_whole(descriptor: int, data: bytes, length: int) -> None:
    if os.pwrite(descriptor, data, length) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def now() -> str:
    """The time, by this machine's clock; nothing rests on it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


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
            remedy=error.strerror or ""
            if not isinstance(error, FileExistsError)
            else "it exists already: name another log, or move this one away",
            code="unwritable",
        ) from None

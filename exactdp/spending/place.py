r"""Where a log stands, and what its file system keeps of it beside its bytes.

Rules of this file: what a file system cannot keep is not taken for the same; nothing of a log's
bytes is read or written here.

Theory of operation: every line repeats the place that its log was made in: the number of the file,
its file system, its time of birth, and whether the file system keeps extended attributes: four
numbers, 0 for what is not known. A copy has another number, or another birth. The digest of the
last line is also kept in an attribute of the file, set after the line is on the disk. Older bytes
in the same file are told by it: they end before the line that it names. A line more than it names
is the work of a writer that was cut short between the two. Logs of versions before this one name
the number alone, and are compared by what they name.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Final

ATTRIBUTE: Final = "user.exactdp.head"
_EMPTY_PATH: Final = 0x1000
_BIRTH: Final = 0x800
_BIRTH_AT: Final = 80
_LENGTH: Final = 256
_BILLION: Final = 10**9
_PARTS: Final = 4
_WRITTEN: Final = re.compile(r"[0-9]{1,20}(-[0-9]{1,20}-[0-9]{1,20}-[01])?", re.ASCII)
_CANNOT: Final = (errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


@dataclass(frozen=True, slots=True)
class LogPlace:
    """A place as lines have it.

    Attributes:
        file: the number of the file in its file system.
        device: the number of the file system; 0 if it is not known.
        birth: when the file was made, in nanoseconds since 1970; 0 if it is not known.
        keeps: whether the head of the log is kept in an attribute.
    """

    file: int
    device: int = 0
    birth: int = 0
    keeps: bool = False

    @classmethod
    def read(cls, text: str) -> LogPlace | None:
        """The place that a line names; None if it is none."""
        if _WRITTEN.fullmatch(text) is None:
            return None
        parts = [*map(int, text.split("-"))]
        file, device, birth, keeps = parts + [0] * (_PARTS - len(parts))
        return cls(file, device, birth, bool(keeps))

    def __str__(self) -> str:
        return f"{self.file}-{self.device}-{self.birth}-{int(self.keeps)}"

    def is_at(self, now: LogPlace) -> bool:
        """Whether a file that stands there now is the one in this place, by all that is known."""
        return (
            self.file == now.file
            and self.device in (0, now.device)
            and self.birth in (0, now.birth)
        )

    def sentence(self) -> str:
        """The place in words."""
        if not self.birth:
            return f"file {self.file}"
        born = datetime.fromtimestamp(self.birth // _BILLION, UTC).isoformat()
        return f"file {self.file}, made {born.replace('+00:00', 'Z')}"

    def finds(self) -> str:
        """Which older copies are found when they are put back: all, moved or none.

        "moved" are those that are another file; "all" those that are written over this one, too.
        """
        if self.keeps:
            return "all"
        return "moved" if self.birth else "none"


@cache
def _statx() -> Callable[..., int] | None:
    """The call of Linux that tells when a file was made, where there is one."""
    try:
        found: Callable[..., int] = ctypes.CDLL(None).statx
    except (AttributeError, OSError, TypeError):
        return None
    return found


class FileSystem:
    """What the system tells of an open file, and keeps of it."""

    def number(self, descriptor: int) -> int:
        """The number of the file in its file system."""
        return os.fstat(descriptor).st_ino

    def device(self, descriptor: int) -> int:
        """The number of the file system, the same whenever it is mounted, if it has one."""
        return os.fstatvfs(descriptor).f_fsid or os.fstat(descriptor).st_dev

    def birth(self, descriptor: int) -> int:
        """When the file was made, in nanoseconds; 0 where the system does not tell."""
        found = getattr(os.fstat(descriptor), "st_birthtime", None)
        if found is not None:
            return int(found * _BILLION)
        statx = _statx()
        if statx is None:
            return 0
        buffer = ctypes.create_string_buffer(_LENGTH)
        failed = statx(descriptor, b"", _EMPTY_PATH, _BIRTH, buffer)
        if failed or not struct.unpack_from("=I", buffer)[0] & _BIRTH:
            return 0
        seconds, rest = struct.unpack_from("=qI", buffer, _BIRTH_AT)
        return int(seconds) * _BILLION + int(rest)

    def set(self, descriptor: int, value: bytes) -> bool:
        """Keep the attribute; whether the file system does that.

        Raises:
            OSError: it does, and has no room or no leave for it.
        """
        try:
            os.setxattr(descriptor, ATTRIBUTE, value)
        except AttributeError:  # not on this system
            return False
        except OSError as error:
            if error.errno in _CANNOT:
                return False
            raise
        return True

    def get(self, descriptor: int) -> bytes | None:
        """The attribute; None without one."""
        with contextlib.suppress(OSError, AttributeError):
            return os.getxattr(descriptor, ATTRIBUTE)
        return None


system = FileSystem()


def place_of(descriptor: int) -> LogPlace:
    """Where an open file stands, and whether the file system can keep a head; open for writing."""
    keeps = kept(descriptor) is not None or keep(descriptor, "")
    return replace(now_at(descriptor), keeps=keeps)


def now_at(descriptor: int) -> LogPlace:
    """Where an open file stands, and nothing of its attribute."""
    parts = (system.number(descriptor), system.device(descriptor), system.birth(descriptor))
    return LogPlace(*parts)


def keep(descriptor: int, head: str) -> bool:
    """Keep the head of the log beside its bytes; whether the file system does that.

    Raises:
        OSError: it does, and has no room or no leave for it.
    """
    return system.set(descriptor, head.encode())


def kept(descriptor: int) -> str | None:
    """The head that was kept; None without one."""
    value = system.get(descriptor)
    return None if value is None else value.decode("ascii", "replace")

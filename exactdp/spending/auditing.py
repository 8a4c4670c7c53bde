r"""The audit of a spend log: every line again, in exact rationals.

Rules of this file: nothing is believed but the first line; a sum is made again from the parameters
of every spend. Nothing is written.

Theory of operation: what was changed, removed, added or put elsewhere breaks a digest or a sum in
some line. Whole lines missing from the end break nothing: who wants to find that keeps the digest
of a later line elsewhere, and asks for it (``head``). Times are what clocks said, and only counted.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import BinaryIO, Final

from exactdp.errors import shorten
from exactdp.spending.budget import Charge
from exactdp.spending.lines import (
    MOST_BYTES,
    BrokenLogError,
    Head,
    Header,
    follow,
    head_of,
    read_header,
)
from exactdp.spending.log import is_at, is_behind, locked, stated_place
from exactdp.spending.place import LogPlace, kept, now_at

_BUFFER: Final = 2**20
_ADOPTS: Final = b'"entry":"adopt"'
"""Only in lines that adopt: in a text its quotation marks are escaped."""


@dataclass(frozen=True, slots=True)
class Adoption:
    """A line that says that somebody went on with what was not the latest of the log.

    Attributes:
        line: its place in the file, from 1.
        in_place: whether older bytes stood in the same file; else it was a copy.
    """

    line: int
    in_place: bool

    @classmethod
    def of(cls, before: Head, head: Head) -> Adoption:
        """The adoption that a line records, from what the line before it says."""
        stood, stands = LogPlace.read(before.place), LogPlace.read(head.place)
        same = stood is not None and stands is not None and stood.is_at(stands)
        return cls(head.number + 1, same)


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found in a log.

    Attributes:
        header: its first line; None if there is none.
        head: the last line that holds.
        entries: how many lines of each kind hold.
        backwards: how often a line says that it was written before the one in front of it.
        problem: the first thing that is wrong, in words; "" if the log is as it was written.
        adoptions: when somebody went on with a copy or with older bytes.
    """

    header: Header | None
    head: Head | None
    entries: Counter[str]
    backwards: int
    problem: str
    adoptions: tuple[Adoption, ...] = ()

    @property
    def intact(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problem

    @property
    def spent(self) -> Charge | None:
        """What has been spent, as far as lines hold."""
        return None if self.head is None else self.head.spent


def audit(path: str | PathLike[str], *, head: str | None = None) -> Audit:
    """Replay a log.

    Args:
        path: of the log.
        head: the digest of a line that must be in it.

    Raises:
        InputError: the file cannot be read.
    """
    with locked(Path(path), writing=False) as descriptor:
        whole = os.fstat(descriptor)
        place, known = now_at(descriptor), kept(descriptor)
        reader = os.dup(descriptor)
    replay = _Replay()
    with os.fdopen(reader, "rb", buffering=_BUFFER) as file:
        replay.read(file, whole.st_size)
    return replay.result(place, known, head)


def adoptions(path: str | PathLike[str]) -> tuple[Adoption, ...]:
    """When somebody went on with a copy or with older bytes, as the lines of a log say.

    Raises:
        InputError: the file cannot be read, or such a line is none.
    """
    found = []
    with locked(Path(path), writing=False) as descriptor:
        reader = os.dup(descriptor)
        with os.fdopen(reader, "rb", buffering=_BUFFER) as file:
            before = b""
            for line in file:
                if before and _ADOPTS in line and line.endswith(b"\n"):
                    found.append(Adoption.of(head_of(before), head_of(line)))
                before = line
    return tuple(found)


class _Replay:
    """The lines so far."""

    def __init__(self) -> None:
        self._header: Header | None = None
        self._head: Head | None = None
        self._before = ""
        self._entries: Counter[str] = Counter()
        self._digests: set[str] = set()
        self._backwards = 0
        self._problem = ""
        self._adoptions: list[Adoption] = []

    def read(self, file: BinaryIO, left: int) -> None:
        """Every line of the first bytes, up to one that does not hold."""
        try:
            while left and not self._problem:
                line = file.readline(min(left, MOST_BYTES + 1))
                left -= len(line)
                if line.endswith(b"\n"):
                    self._take(line)
                else:
                    self._problem = f"{len(line) + left} bytes behind the last whole line"
        except BrokenLogError as error:
            self._problem = f"{error.field}: {error.value}"

    def _take(self, line: bytes) -> None:
        if self._header is None or self._head is None:
            self._header, self._head = read_header(line)
            self._digests.add(self._head.digest)
            return
        head, entry = follow(self._header, self._head, line)
        self._entries[entry] += 1
        if entry == "adopt":
            self._adoptions.append(Adoption.of(self._head, head))
        self._backwards += head.time < self._head.time
        self._digests.add(head.digest)
        self._before, self._head = self._head.digest, head

    def result(self, place: LogPlace, known: str | None, wanted: str | None) -> Audit:
        """What was found, in a file that stands there, and whether lines are missing."""
        problem = self._problem
        if self._head is None:
            problem = problem or "it is empty"
        elif not problem:
            problem = self._problem_beside(self._head, place, known)
        if not problem and wanted is not None and wanted not in self._digests:
            problem = (
                f"no line has the digest {shorten(wanted)}: lines are missing, or others are there"
            )
        counts = (self._entries, self._backwards)
        return Audit(self._header, self._head, *counts, problem, tuple(self._adoptions))

    def _problem_beside(self, head: Head, place: LogPlace, known: str | None) -> str:
        """What the file system says of a log whose lines hold."""
        if not is_at(head, place):
            to = stated_place(head)
            return f"a copy: its last line was written to {to}; this is {place.sentence()}"
        if is_behind(head, self._before, known):
            return (
                "older than it was: the file system knows of a later line than the last, so that "
                "an older copy was written over it, or its end was cut off"
            )
        return ""

r"""Files that a pattern names, in a time that grows with the folder alone, whatever the pattern.

Rules of this file: nothing is read but names; ``**`` stands for any number of folders, and enters
no symbolic link; a hidden name is matched only by a part that begins with a dot.

Theory of operation: a folder is entered once, with the set of places in the pattern at which what
leads to it may end; so that ``**/**/**`` costs what ``**`` does. A link to a folder is entered by a
part that names it, and so at most as often as the pattern has parts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import translate
from pathlib import Path
from typing import Final

from exactdp.errors import InputError

MOST_ENTRIES: Final = 10**6
_ANY: Final = "**"
_HIDDEN: Final = "."


def files_matching(
    folder: Path, pattern: str, most: int = MOST_ENTRIES, *, strange: bool = False
) -> list[str]:
    r"""The files below a folder that a pattern matches, each once and in order, relative to it.

    Args:
        folder: where to look.
        pattern: of files.
        most: how many names may be looked at.
        strange: whether what matches and is neither file nor folder is among them, and the links
            to folders that ``**`` would enter but for their being links.

    Raises:
        InputError: more than ``most`` names would have to be looked at.
    """
    names = [part for part in pattern.split("/") if part not in ("", ".")]
    pairs = zip(names, ["", *names], strict=False)
    parts = [part for part, before in pairs if not part == before == _ANY]
    search = _Search(
        [None if part == _ANY else _Part.of(part) for part in parts], pattern, most, strange=strange
    )
    return sorted(set(search.below(str(folder), "", search.with_empty({0}))))


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a pattern, other than ``**``."""

    matches: re.Pattern[str]
    names_hidden: bool

    @classmethod
    def of(cls, text: str) -> _Part:
        return cls(re.compile(translate(text)), text.startswith(_HIDDEN))

    def fits(self, name: str) -> bool:
        """Whether it stands for this name."""
        if name.startswith(_HIDDEN) and not self.names_hidden:
            return False
        return self.matches.match(name) is not None


class _Search:
    """A pattern on its way through folders."""

    def __init__(
        self, parts: Sequence[_Part | None], pattern: str, most: int, *, strange: bool
    ) -> None:
        self._strange = strange
        self._parts = parts
        self._pattern = pattern
        self._left = self._most = most

    def with_empty(self, places: set[int]) -> frozenset[int]:
        """Places in the pattern, and those behind them where ``**`` stands for nothing."""
        found = set(places)
        for place in sorted(places):
            if place < len(self._parts) and self._parts[place] is None:
                found.add(place + 1)
        return frozenset(found)

    def below(self, folder: str, path: str, places: frozenset[int]) -> Iterator[str]:
        """The files in a folder and below, where the pattern has come to these places."""
        waiting = [(folder, path, places)]
        while waiting:
            folder, path, places = waiting.pop()
            for entry in self._entries(folder):
                behind = self._behind(entry, places)
                is_meant = len(self._parts) in behind and self._counts(entry)
                if is_meant or self._would_enter(entry, places):
                    yield path + entry.name
                if behind - {len(self._parts)} and _is_folder(entry):
                    waiting.append((entry.path, f"{path}{entry.name}/", behind))

    def _counts(self, entry: os.DirEntry[str]) -> bool:
        """Whether what stands there is a file, or anything but a folder where that is asked."""
        return not _is_folder(entry) if self._strange else _is_file(entry)

    def _would_enter(self, entry: os.DirEntry[str], places: frozenset[int]) -> bool:
        """Whether ``**`` would enter what is a link to a folder."""
        if not self._strange or entry.name.startswith(_HIDDEN):
            return False
        is_open = any(each < len(self._parts) and self._parts[each] is None for each in places)
        return is_open and _is_link_to_folder(entry)

    def _behind(self, entry: os.DirEntry[str], places: frozenset[int]) -> frozenset[int]:
        """The places in the pattern behind a name."""
        behind = set()
        for place in places - {len(self._parts)}:
            part = self._parts[place]
            if part is None:
                if not entry.name.startswith(_HIDDEN) and not _is_link_to_folder(entry):
                    behind.add(place)
            elif part.fits(entry.name):
                behind.add(place + 1)
        return self.with_empty(behind)

    def _entries(self, folder: str) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    self._left -= 1
                    if self._left < 0:
                        raise InputError(
                            field="pattern",
                            value=self._pattern,
                            expected=f"at most {self._most} names to look at",
                            remedy="begin the pattern with the folder that holds the ledgers",
                        )
                    yield entry
        except OSError:  # no folder, or one that cannot be looked into: nothing is found there
            return


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_link_to_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_symlink() and _is_folder(entry)

r"""Inputs: thousands of files, folders, patterns, or JSON Lines, in an order that stays.

Rules of this file: nothing is read but the lines of standard input; a name that matches nothing
stays an input, so that its error is told in its place. A folder stands for the files in it that may
be ledgers or certificates by their names, in the order of these; what is below it is named by a
pattern, such as ``weeks/**/*.json``.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from exactdp.errors import InputError
from exactdp.many.patterns import files_matching

ENDINGS: Final = (".csv", ".json", ".xlsx", ".yaml", ".yml")
_HIDDEN: Final = (".", "~$")
"""How hidden files begin, and what spreadsheets keep beside an open workbook."""
_PATTERN: Final = frozenset("*?[")
_DIGITS: Final = 8


@dataclass(frozen=True, slots=True)
class Input:
    """One of many inputs.

    Attributes:
        name: what it is called in its line.
        place: how files begin that are made from it.
        source: the name of a file, or bytes.
    """

    name: str
    place: str
    source: str | bytes


def named_files(
    sources: Iterable[str], *, but: Sequence[str] = (), links: bool = True
) -> list[str]:
    """The files that names, folders and patterns mean; in folders, without those ending ``but``.

    Raises:
        InputError: a folder or a pattern leads to a symbolic link, or to what is no file, and
            ``links`` are not followed.
    """
    found = []
    for source in sources:
        for name in _files_of(source, tuple(but), links=links):
            if not links and name != source:
                require_no_link(_base_of(source), name)
            found.append(name)
    return found


def require_no_link(folder: str | Path, name: str | Path) -> None:
    """Refuse a file below a folder that a symbolic link leads to: it may be any file at all.

    What is there and is no file is refused as well: a pipe, a device or a socket.

    Raises:
        InputError: one does, or it is one.
    """
    path = Path(name)
    steps = [path, *path.parents]
    below = steps[: len(path.parts) - len(Path(folder).parts)]
    for step in reversed(below):
        if step.is_symlink():
            raise InputError(
                field="ledger",
                value=str(step),
                expected="a file of the folder itself, not what a symbolic link leads to",
                remedy="put the ledger there, or name the file that the link leads to",
                code="unreadable",
            )
    if below and path.exists() and not path.is_file():
        raise InputError(
            field="ledger",
            value=str(path),
            expected="a file, not a directory, a pipe, a device or a socket",
            remedy="put a file in its place, or write the pattern so that it does not match",
            code="unreadable",
        )


def inputs_of(files: Sequence[str]) -> Iterator[Input]:
    """Inputs from files; two that are called alike are told apart by where they are."""
    stems = Counter(Path(name).stem for name in files)
    for name in files:
        stem = Path(name).stem
        mark = hashlib.sha256(os.fsencode(name)).hexdigest()[:_DIGITS]
        alone = stems[stem] == 1 and stem.strip(".")
        yield Input(name, stem if alone else f"{stem}-{mark}", name)


def lines_of(stream: IO[bytes]) -> Iterator[Input]:
    """Inputs from JSON Lines; blank lines count, and are none."""
    for number, line in enumerate(stream, start=1):
        if data := line.strip():
            yield Input(f"line {number}", f"line-{number}", data)


def _files_of(source: str, but: tuple[str, ...], *, links: bool) -> list[str]:
    if "\0" not in source and Path(source).is_dir():
        with os.scandir(source) as entries:
            names = [entry.name for entry in entries if _may_be_one(entry, but, links=links)]
        return [str(Path(source, name)) for name in sorted(names)]
    if _is_pattern(source):
        base = _base_of(source)
        found = files_matching(Path(base), source.removeprefix(base), strange=not links)
        return [base + name for name in found] or [source]
    return [source]


def _base_of(source: str) -> str:
    """The folder that a pattern begins with, as it is given; or the folder that is named."""
    if not _is_pattern(source):
        return source
    first = next(index for index, letter in enumerate(source) if letter in _PATTERN)
    return source[: source.rfind("/", 0, first) + 1]


def _may_be_one(entry: os.DirEntry[str], but: tuple[str, ...], *, links: bool) -> bool:
    name = entry.name
    fits = name.casefold().endswith(ENDINGS) and not name.startswith(_HIDDEN)
    return fits and not name.endswith(but) and (entry.is_file() if links else not entry.is_dir())


def _is_pattern(source: str) -> bool:
    return not _PATTERN.isdisjoint(source) and "\0" not in source and not os.path.lexists(source)

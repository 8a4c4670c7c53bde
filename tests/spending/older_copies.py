r"""Put older copies of a spend log in its place, in every way, and say which of them are found.

The table stands in ``docs/budget.md``. A file system that keeps less than this machine's is
this one without what the other lacks; and a number that is free again is given to the next file, as
some systems do and others do not.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exactdp.errors import InputError
from exactdp.spending import place
from exactdp.spending.auditing import audit
from exactdp.spending.budget import NOTHING
from exactdp.spending.filter import Filter, init
from exactdp.spending.lines import header_line, read_header

KEPT: Final = {
    "attributes and birth": (True, True),
    "birth alone": (False, True),
    "attributes alone": (True, False),
    "neither": (False, False),
}
"""What file systems keep of a file: extended attributes, and when it was made."""


class Lesser(place.FileSystem):
    """A file system that keeps less, and gives a number again as soon as it is free."""

    def __init__(self, *, attributes: bool, births: bool, again: bool = False) -> None:
        self._attributes = attributes
        self._births = births
        self._again = again

    def number(self, descriptor: int) -> int:
        """See :class:`FileSystem`."""
        return 1 if self._again else super().number(descriptor)

    def birth(self, descriptor: int) -> int:
        """See :class:`FileSystem`."""
        return super().birth(descriptor) if self._births else 0

    def set(self, descriptor: int, value: bytes) -> bool:
        """See :class:`FileSystem`."""
        return self._attributes and super().set(descriptor, value)

    def get(self, descriptor: int) -> bytes | None:
        """See :class:`FileSystem`."""
        return super().get(descriptor) if self._attributes else None


@dataclass(frozen=True)
class Way:
    """A way of putting older bytes in the place of a log.

    Attributes:
        name: the commands.
        act: what is done to the log, beside which stand an old copy, one with all attributes.
        frees: whether the log is gone before another file is made, which may get its number.
        spends_from: the name of the file that is spent from afterwards.
    """

    name: str
    act: Callable[[Path], object]
    frees: bool = False
    spends_from: str = "w.log"


def _removed(log: Path, copy: Callable[[Path, Path], object], source: str) -> None:
    log.unlink()
    copy(log.with_name(source), log)


def _cut(log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    os.truncate(log, sum(map(len, lines[:-1])))


def _anew(log: Path) -> None:
    header, head = read_header(log.read_bytes().splitlines(keepends=True)[0])
    assert head.spent == NOTHING
    log.write_bytes(header_line(header, head.place, "2026-01-05T00:00:00.000Z"))


def _another(log: Path) -> None:
    log.unlink()
    init(log, "rho=1/2")


WAYS: Final = (
    Way("`cp old.log w.log`", lambda log: shutil.copyfile(log.with_name("old.log"), log)),
    Way("`truncate`: whole lines cut off at the end", _cut),
    Way("an editor writes other lines from the first one on, into the same file", _anew),
    Way(
        "`rm w.log`, `cp old.log w.log`",
        lambda log: _removed(log, shutil.copyfile, "old.log"),
        frees=True,
    ),
    Way("`mv old.log w.log`", lambda log: log.with_name("old.log").replace(log)),
    Way(
        "`cp w.log other.log`, and `other.log` is spent from",
        lambda log: shutil.copyfile(log, log.with_name("other.log")),
        spends_from="other.log",
    ),
    Way(
        "`rm w.log`, `cp -a all.log w.log` (`all.log` by `cp -a` as well)",
        lambda log: _removed(log, shutil.copy2, "all.log"),
        frees=True,
    ),
    Way(
        "`cp -a all.log w.log`, over the log",
        lambda log: shutil.copy2(log.with_name("all.log"), log),
    ),
    Way("`rm w.log`, `exactdp filter init w.log`", _another, frees=True),
)


@contextmanager
def system(found: place.FileSystem) -> Iterator[None]:
    """Have the block see this file system."""
    before, place.system = place.system, found
    try:
        yield
    finally:
        place.system = before


def is_found(way: Way, folder: Path) -> bool:
    """Whether the older bytes are refused, by whoever spends and by the audit; in a new folder."""
    log = folder / "w.log"
    init(log, "rho=1/2")
    Filter(log).spend(rho="1/10")
    shutil.copyfile(log, log.with_name("old.log"))
    shutil.copy2(log, log.with_name("all.log"))
    Filter(log).spend(rho="4/10")
    _wait_for_another_birth(log)
    way.act(log)
    now = log.with_name(way.spends_from)
    is_intact = audit(now).intact
    try:
        Filter(now).spend(rho="1/10")
    except InputError:
        assert not is_intact
        return True
    assert is_intact
    return False


def _wait_for_another_birth(log: Path) -> None:
    """Make files until one has another time of birth: clocks of file systems go in steps."""
    probe = log.with_name("probe")
    while _birth(log) == _birth(probe) != 0:
        probe.unlink()


def _birth(path: Path) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        return place.system.birth(descriptor)
    finally:
        os.close(descriptor)


def table() -> list[str]:
    """The table, a row for each way."""
    rows = ["| an older copy is put back | " + " | ".join(KEPT) + " |", "|---" * 5 + "|"]
    for way in WAYS:
        cells = []
        for attributes, births in KEPT.values():
            lesser = Lesser(attributes=attributes, births=births, again=way.frees)
            with tempfile.TemporaryDirectory() as folder, system(lesser):
                cells.append("found" if is_found(way, Path(folder)) else "**not found**")
        rows.append(f"| {way.name} | {' | '.join(cells)} |")
    return rows

"""Older copies of a log: what the table in docs/budgets.md says of each way is what happens."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from pathlib import Path
from typing import Final

import pytest

from exactdp.errors import InputError
from exactdp.spending import place
from exactdp.spending.auditing import audit
from exactdp.spending.filter import Filter, adopt, init
from exactdp.spending.lines import header_line, read_header, sealed
from exactdp.spending.log import locked, read_ends
from exactdp.spending.place import LogPlace
from tests.cli.running import exactdp
from tools.older_copies import KEPT, PAGE, WAYS, Lesser, Way, is_found, refreshed, system, table

FOLDERS: Final = ("/dev/shm", "/var/tmp", "/tmp", ".")  # noqa: S108 (whatever file systems there are)


def file_systems() -> list[str]:
    """A folder on each file system that can be written here."""
    found: dict[int, str] = {}
    for name in FOLDERS:
        if os.access(name, os.W_OK | os.X_OK):
            found.setdefault(os.stat(name).st_dev, name)  # noqa: PTH116 (its number alone)
    return sorted(found.values())


def said(way: Way, abilities: tuple[bool, bool]) -> bool:
    """Whether the table says that this is found."""
    [row] = [line for line in PAGE.read_text("utf-8").splitlines() if f"| {way.name} |" in line]
    cells = [cell.strip() for cell in row.strip("|").split("|")][1:]
    return cells[[*KEPT.values()].index(abilities)] == "found"


def test_the_page_has_the_table_of_what_is_found() -> None:
    page = PAGE.read_text("utf-8")
    assert refreshed(page) == page
    assert table() in page


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
@pytest.mark.parametrize("folder", file_systems())
def test_each_file_system_that_can_be_had_finds_what_the_page_says(folder: str, way: Way) -> None:
    """A number that is free may be given to another file: then more is found than is said."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        probe = Path(name) / "probe.log"
        init(probe, "rho=1")
        stands = Filter(probe).state().place
        with locked(probe, writing=True) as descriptor:
            keeps = place.place_of(descriptor).keeps
        expected = said(way, (keeps, bool(stands.birth)))
        found = is_found(way, Path(name))
    assert found >= expected
    assert found == expected or way.frees


@pytest.mark.parametrize(("attributes", "births"), [*KEPT.values()])
def test_what_is_lacking_is_said_where_a_log_is_made_and_where_it_is_audited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attributes: bool, births: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    finds = "all" if attributes else "moved" if births else "none"
    lacking = {"all": "", "moved": "no extended attributes", "none": "neither extended attributes"}
    with system(Lesser(attributes=attributes, births=births)):
        made = exactdp("filter", "init", "w.log", "--budget", "rho=1/2")
        audited = exactdp("filter", "audit", "w.log")
        kept = exactdp("filter", "audit", "w.log", "--json").result["finds_older_copies"]
        again = exactdp("filter", "init", "v.log", "--budget", "rho=1/2", "--json").result
    assert (kept, again["finds_older_copies"]) == (finds, finds)
    for answer in (made, audited):
        assert answer.code == 0
        assert lacking[finds] in answer.out
        assert ("beware" in answer.out) == (finds != "all")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "w.log"
    init(path, "rho=1/2")
    Filter(path).spend(rho="1/10")
    if not Filter(path).state().head.place.endswith("-1"):
        pytest.skip("this file system keeps no extended attributes")
    return path


def test_older_bytes_are_adopted_on_record(log: Path) -> None:
    old = log.read_bytes()
    Filter(log).spend(rho="1/10")
    log.write_bytes(old)
    with pytest.raises(InputError, match="2 lines: expected as many as were written"):
        Filter(log)
    adopt(log, reason="the disk was full of worms")
    assert Filter(log).spend(rho="1/10").number == 3
    assert audit(log).entries == {"spend": 2, "adopt": 1}
    with pytest.raises(InputError, match="this is the original"):
        adopt(log, reason="again")


def test_a_writer_that_is_cut_short_between_a_line_and_its_note_has_spent(log: Path) -> None:
    before = Filter(log).state().head.digest
    Filter(log).spend(rho="1/10")
    with locked(log, writing=True) as descriptor:
        place.keep(descriptor, before)
    assert audit(log).intact
    assert Filter(log).spend(rho="1/10").number == 3
    with locked(log, writing=False) as descriptor:
        assert place.kept(descriptor) == read_ends(descriptor).head.digest


def test_writers_that_are_cut_short_one_after_the_other_leave_a_log_that_goes_on(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line is on the disk, and the writer gone before its note, as after a kill."""

    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed("cut short")

    for number in range(2, 5):
        with monkeypatch.context() as patched:
            patched.setattr("exactdp.spending.log._keep", killed)
            patched.setattr("exactdp.spending.log._put_back", killed)
            with pytest.raises(Killed, match="cut short"):
                Filter(log).spend(rho="1/100")
        assert audit(log).intact
        assert Filter(log).state().head.number == number
    assert Filter(log).spend(rho="1/100").number == 5


@pytest.mark.parametrize("note", ["", "0" * 64, "\xff", "a digest"])
def test_a_note_that_is_no_digest_of_the_log_is_refused(log: Path, note: str) -> None:
    with locked(log, writing=True) as descriptor:
        os.setxattr(descriptor, place.ATTRIBUTE, note.encode("latin-1"))
    assert "older than it was" in audit(log).problem
    with pytest.raises(InputError, match="the file system knows of a later line"):
        Filter(log)


def test_a_note_that_is_taken_away_is_missed(log: Path) -> None:
    os.removexattr(log, place.ATTRIBUTE)
    assert "older than it was" in audit(log).problem


def test_what_cannot_be_noted_is_not_spent(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = log.read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("os.setxattr", full)
        with pytest.raises(InputError, match="No space left on device"):
            Filter(log).spend(rho="1/100")
        with pytest.raises(InputError, match="No space left on device"):
            init(log.with_name("new.log"), "rho=1")
    assert not log.with_name("new.log").exists()
    assert log.read_bytes() == before
    assert audit(log).intact


def test_a_log_of_an_earlier_version_goes_on_and_is_noted_from_its_next_line(log: Path) -> None:
    """Such a log names the number of its file alone."""
    header, head = read_header(log.read_bytes().splitlines(keepends=True)[0])
    os.removexattr(log, place.ATTRIBUTE)
    number = str(log.stat().st_ino)
    log.write_bytes(header_line(header, number, head.time))
    assert audit(log).intact
    Filter(log).spend(rho="1/10")
    old = log.read_bytes()
    Filter(log).spend(rho="1/10")
    log.write_bytes(old)
    assert "older than it was" in audit(log).problem


@pytest.mark.parametrize(
    "text", ["", "-", "1-2", "1-2-3-2", "1-2-3-4-5", "x", "1-2-3-١", "-1", "1" * 21, "1 "]
)
def test_a_place_that_no_version_writes_is_nowhere(log: Path, text: str) -> None:
    assert LogPlace.read(text) is None
    header, head = read_header(log.read_bytes().splitlines(keepends=True)[0])
    log.write_bytes(header_line(header, text, head.time))
    assert "a copy: its last line was written to no file" in audit(log).problem


def test_a_line_that_is_nested_deeper_than_python_goes_is_no_line(log: Path) -> None:
    line = json.loads(sealed({"label": "x"}))
    for deep in ("[" * 30000 + "]" * 30000, '{"a":' * 9000 + "1" + "}" * 9000):
        text = json.dumps(line | {"label": "DEEP"}).replace('"DEEP"', deep)
        log.write_bytes(log.read_bytes() + text.encode() + b"\n")
        answer = exactdp("filter", "audit", str(log))
        assert answer.code == 1
        assert exactdp("filter", "status", str(log)).code == 2

"""Older copies of a log: what the table in docs/budget.md says of each way is what happens."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from pathlib import Path
from typing import Final

import pytest
from gmpy2 import mpq

from exactdp.errors import InputError
from exactdp.spending import place
from exactdp.spending.auditing import adoptions, audit
from exactdp.spending.filter import Filter, adopt, init, mend
from exactdp.spending.lines import header_line, read_header, sealed
from exactdp.spending.log import locked, read_ends
from exactdp.spending.place import LogPlace
from tests.cli.running import exactdp
from tests.marking import each_case
from tests.spending.older_copies import KEPT, WAYS, Lesser, Way, is_found, system

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "budget.md"
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


@each_case("way", WAYS)
@each_case("folder", file_systems())
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


@pytest.mark.parametrize("is_copy", [False, True])
@pytest.mark.parametrize("cut", [1, 2, 20, 200, "line", "line and more", "two lines", "all"])
def test_whatever_is_cut_off_there_is_a_way_on_that_forgets_no_spend_in_silence(
    log: Path, cut: int | str, is_copy: bool
) -> None:
    Filter(log).spend(rho="1/20", label="the second")
    Filter(log).spend(rho="1/30")
    spent, whole = Filter(log).spent.size, log.read_bytes()
    last, one = len(whole.splitlines()[-1]) + 1, len(whole.splitlines()[-2]) + 1
    lengths = {"line": last, "line and more": last + 9, "two lines": last + one}
    lengths["all"] = last + one + 50
    os.truncate(log, len(whole) - (cut if isinstance(cut, int) else lengths[cut]))
    if is_copy:
        copy = log.with_name("copy.log")
        copy.write_bytes(log.read_bytes())
        log = copy
    told = exactdp("filter", "status", str(log))
    assert told.code == 2
    [verb] = [each for each in ("mend", "adopt") if f"exactdp filter {each}" in told.err]
    [other] = {"mend", "adopt"} - {verb}
    reason = {"mend": (), "adopt": ("--reason", "worms")}
    refused = exactdp("filter", other, str(log), *reason[other])
    assert refused.code == 2
    assert other == "mend" or "exactdp filter mend" in refused.err
    assert exactdp("filter", verb, str(log), *reason[verb]).code == 0
    audited, status = (exactdp("filter", each, str(log)) for each in ("audit", "status"))
    assert (audited.code, status.code) == (0, 0), audited.out
    assert (Filter(log).spent.size == spent) >= (verb == "mend")
    if verb == "adopt":
        how = "as a copy" if is_copy else "after older bytes were put back"
        Filter(log).spend(rho="1/100")
        for name in ("audit", "status"):
            answer = exactdp("filter", name, str(log))
            assert how in answer.lines[0]
            assert "may be missing" in answer.lines[0]
            document = exactdp("filter", name, str(log), "--json").result
            assert document["adoption"] in answer.lines[0]


def test_a_line_that_lacks_its_line_feed_alone_counts_where_nothing_is_kept_beside_it(
    tmp_path: Path,
) -> None:
    log = tmp_path / "bare.log"
    with system(Lesser(attributes=False, births=False)):
        init(log, "rho=1/2")
        Filter(log).spend(rho="1/10")
        os.truncate(log, log.stat().st_size - 1)
        assert mend(log) == b""
        assert Filter(log).spent.size == mpq(1, 10)
        assert audit(log).entries == {"spend": 1, "mend": 1}


def test_a_log_says_of_each_adoption_where_it_was(log: Path) -> None:
    assert exactdp("filter", "audit", str(log), "--json").result["adoption"] == ""
    old = log.read_bytes()
    Filter(log).spend(rho="1/10")
    log.write_bytes(old)
    adopt(log, reason='"entry":"adopt"')
    Filter(log).spend(rho="1/100", label='"entry":"adopt"')
    copy = log.with_name("copy.log")
    copy.write_bytes(log.read_bytes())
    adopt(copy, reason="burnt")
    assert adoptions(copy) == audit(copy).adoptions
    assert [(each.line, each.in_place) for each in adoptions(copy)] == [(3, True), (5, False)]
    assert "and 1 time before" in exactdp("filter", "audit", str(copy)).lines[0]


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

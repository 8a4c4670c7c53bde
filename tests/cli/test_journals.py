"""Journals that somebody else has put into a folder move no file of anybody."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from exactdp.cli import files
from exactdp.cli.files import unfinished, write_together
from tests.cli.running import exactdp, files_below

TOKEN: Final = ".exactdp-0123456789abcdef"  # noqa: S105 (of a name)
VICTIM: Final = b"all that I have"
CERTIFY: Final = ("certify", "-m", "0.1*9", "--epsilon", "0.9", "--delta", "0", "-o", "c.json")
NAMES: Final = (
    *(".exactdp-b.journal", ".exactdp-.journal", f"{TOKEN}0.journal", f"{TOKEN.upper()}.journal"),
    *(f"{TOKEN}.x.journal", f"{TOKEN[:-1]}g.journal", ".exactdp-0123456789abcde\n.journal"),
)
SOURCES: Final = (
    *("victim", f"{TOKEN}.1.tmp", f"{TOKEN}.tmp", ".exactdp-b.0.tmp", "./victim", "", ".", ".."),
    *("../victim", "/etc/hostname", f"{TOKEN}.00.tmp"),
)
TARGETS: Final = ("stolen", "other", "../stolen", "", ".", "..", "/stolen", "folder")


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def journal(source: str, target: str, old: bytes | None = b"other") -> str:
    before = "" if old is None else digest(old)
    return json.dumps([{"from": source, "name": target, "old": before, "new": digest(VICTIM)}])


@pytest.fixture(autouse=True)
def _files(place: Path) -> None:
    """Files that somebody would like to have, or to be rid of."""
    (place / "victim").write_bytes(VICTIM)
    (place / "other").write_bytes(b"other")
    (place / "folder").mkdir()
    (place.parent / "victim").write_bytes(VICTIM)


def unmoved(place: Path, before: dict[str, bytes]) -> int:
    """Ask for a certificate beside it: the exit code; whatever there was is as it was."""
    answer = exactdp(*CERTIFY)
    now = files_below(place.parent)
    assert {name: now.get(name) for name in before} == before
    assert {*now} - {*before} <= {"place/c.json"}
    assert answer.code in (0, 2), answer.err
    assert (place / "c.json").exists() == (answer.code == 0)
    (place / "c.json").unlink(missing_ok=True)
    return answer.code


@pytest.mark.parametrize("name", NAMES)
def test_a_journal_of_another_name_is_left_alone(place: Path, name: str) -> None:
    (place / name).write_text(journal("victim", "stolen", None))
    assert unmoved(place, files_below(place.parent)) == 0
    assert unfinished(place) == []


@pytest.mark.slow
def test_no_journal_moves_a_file_that_is_no_temporary_of_its_own(place: Path) -> None:
    codes = []
    for source, target in product(SOURCES, TARGETS):
        for old in (None, b"other"):
            (place / f"{TOKEN}.journal").write_text(journal(source, target, old))
            codes.append(unmoved(place, files_below(place.parent)))
    assert set(codes) == {2}


def _link(path: Path) -> None:
    path.symlink_to("victim")


def _hard_content(path: Path) -> None:
    path.write_bytes(b"not what the journal says")


@pytest.mark.parametrize("make", [_link, Path.mkdir, os.mkfifo, _hard_content, Path.touch])
def test_a_temporary_that_is_not_what_the_journal_says_is_left_alone(
    place: Path, make: Callable[[Path], None]
) -> None:
    (place / f"{TOKEN}.journal").write_text(journal(f"{TOKEN}.0.tmp", "other"))
    make(place / f"{TOKEN}.0.tmp")
    before = {name: data for name, data in files_below(place).items() if "journal" not in name}
    assert exactdp(*CERTIFY).code == 0
    now = files_below(place)
    assert {name: now.get(name) for name in before} == before


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir])
def test_a_target_that_is_no_file_is_left_alone(place: Path, make: Callable[[Path], None]) -> None:
    (place / f"{TOKEN}.journal").write_text(journal(f"{TOKEN}.0.tmp", "pipe"))
    (place / f"{TOKEN}.0.tmp").write_bytes(VICTIM)
    make(place / "pipe")
    mode = (place / "pipe").lstat().st_mode
    assert exactdp(*CERTIFY).code == 0
    assert (place / "pipe").lstat().st_mode == mode


@pytest.mark.parametrize("make", [_link, Path.mkdir, os.mkfifo])
def test_a_journal_that_is_no_regular_file_is_left_alone(
    place: Path, make: Callable[[Path], None]
) -> None:
    (place / "victim").write_text(journal(f"{TOKEN}.0.tmp", "other"))
    (place / f"{TOKEN}.0.tmp").write_bytes(VICTIM)
    make(place / f"{TOKEN}.journal")
    assert unmoved(place, files_below(place.parent)) == 0


def test_a_journal_of_another_user_is_left_alone(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / f"{TOKEN}.journal").write_text(journal(f"{TOKEN}.0.tmp", "other"))
    (place / f"{TOKEN}.0.tmp").write_bytes(VICTIM)
    before = files_below(place.parent)
    with monkeypatch.context() as patched:
        patched.setattr("os.geteuid", lambda: 4711)
        assert unmoved(place, before) == 0
    assert exactdp(*CERTIFY).code == 0
    assert (place / "other").read_bytes() == VICTIM


def temporary(process: int, machine: str = "") -> str:
    """The name of a temporary that a process of a machine has begun."""
    return f".exactdp-{machine or files._machine()}{process:08x}0123.0.tmp"


def test_what_a_killed_process_left_behind_goes_and_what_another_writes_stays(place: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    kept = [temporary(os.getpid()), temporary(ended.pid, "zzzz"), temporary(ended.pid) + "x"]
    before = {path.name for path in place.iterdir()}
    for name in (*kept, temporary(ended.pid)):
        (place / name).write_bytes(VICTIM)
    write_together({place / "one": b"1"}, "-o")
    assert {path.name for path in place.iterdir()} - before == {*kept, "one"}

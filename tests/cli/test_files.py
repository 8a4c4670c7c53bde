"""Files appear whole, or not at all, and nothing else is left behind."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path

import pytest

from exactdp.cli.files import write_together
from exactdp.errors import InputError
from tests.cli.running import exactdp, files_below

PAIR = {Path("new/deep/a.json"): b"first", Path("new/deep/b.json"): b"second"}
COMPOSE = ("compose", "-m", "0.1*9", "--delta", "1e-3", "--certificates")
CERTIFY = ("certify", "-m", "0.1*9", "--epsilon", "0.9", "--delta", "0", "-o")

as_user = pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")


def test_several_files_appear_together_with_their_directories(place: Path) -> None:
    write_together(PAIR, "here")
    assert files_below(place) == {
        "new": b"",
        "new/deep": b"",
        **{str(path): data for path, data in PAIR.items()},
    }


def _full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace", "pathlib.Path.mkdir"])
def test_a_full_disk_leaves_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    monkeypatch.setattr(step, _full)
    with pytest.raises(InputError, match="No space left on device") as caught:
        write_together(PAIR, "here")
    assert caught.value.code == "unwritable"
    assert files_below(place) == {}


def test_a_disk_that_fills_at_the_second_file_leaves_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = os.fsync, []

    def second(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 2:
            _full()
        real(descriptor)

    monkeypatch.setattr(os, "fsync", second)
    with pytest.raises(InputError, match="No space left on device"):
        write_together(PAIR, "here")
    assert files_below(place) == {}


def test_a_full_disk_is_a_sentence_and_exit_code_2(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", _full)
    answer = exactdp(*COMPOSE, "new")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "exactdp: --certificates: new/ledger.upper.json: expected a place that can be written "
        "(No space left on device)\n"
    )
    assert files_below(place) == {}


def test_an_old_file_survives_a_failure(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "c.json").write_text("old")
    monkeypatch.setattr(os, "fsync", _full)
    assert exactdp(*CERTIFY, "c.json").code == 2
    assert files_below(place) == {"c.json": b"old"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_the_renames_stops_them(
    place: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    real = os.fsync
    old = signal.signal(number, signal.default_int_handler)

    def interrupted(descriptor: int) -> None:
        signal.raise_signal(number)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", interrupted)
    try:
        with pytest.raises(KeyboardInterrupt, match=r"^$"):
            write_together(PAIR, "here")
    finally:
        signal.signal(number, old)
    assert files_below(place) == {}


def test_a_signal_during_the_renames_waits_for_both(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.replace

    def interrupted(path: Path, target: Path) -> Path:
        signal.raise_signal(signal.SIGINT)
        return real(path, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt, match=r"^$"):
        write_together(PAIR, "here")
    assert {path.name for path in place.rglob("*.json")} == {"a.json", "b.json"}
    assert len(list(place.rglob("*"))) == 4


def test_an_ignored_signal_stays_ignored(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync
    old = signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def hung_up(descriptor: int) -> None:
        signal.raise_signal(signal.SIGHUP)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", hung_up)
    try:
        write_together(PAIR, "here")
    finally:
        signal.signal(signal.SIGHUP, old)
    assert len(files_below(place)) == 4


def test_the_name_of_a_file_may_be_as_long_as_names_can_be(place: Path) -> None:
    name = "n" * 255
    assert exactdp(*CERTIFY, name).code == 0
    assert list(files_below(place)) == [name]


WRONG_PLACES = [
    ((*CERTIFY, "."), "--output: .: expected a regular file, not a directory"),
    ((*CERTIFY, "no/such"), "--output: no/such: expected a file in a directory that exists"),
    ((*CERTIFY, "file/c"), "--output: file/c: expected a place in a directory ("),
    ((*CERTIFY, "/dev/null"), "expected a regular file, not a device, a pipe or a socket"),
    ((*CERTIFY, "pipe"), "expected a regular file, not a device, a pipe or a socket"),
    ((*CERTIFY, "n" * 256), "expected a place that can be written (File name too long)"),
    ((*CERTIFY, "a\0b"), "expected a place that can be written (not a file name)"),
    ((*CERTIFY, ""), "--output: nothing: expected the name of a file or directory"),
    ((*CERTIFY, "loop"), "expected a place of its own, not a symbolic link"),
    ((*COMPOSE, "file"), "--certificates: file: expected a place in a directory ("),
    ((*COMPOSE, "file/below"), "--certificates: file/below: expected a place in a directory ("),
    (
        (*COMPOSE, "/dev/null"),
        "--certificates: /dev/null: expected a place in a directory (/dev/null",
    ),
    ((*COMPOSE, ""), "--certificates: nothing: expected the name of a file or directory"),
    (("convert", "-m", "1", "."), "FILE: .: expected a name that ends in .json or .csv"),
    (("convert", "-m", "1", "no/x.csv"), "FILE: no/x.csv: expected a file in a directory that"),
    (("convert", "-m", "1", "/", "--to", "csv"), "FILE: /: expected a regular file, not a dir"),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG_PLACES)
def test_a_wrong_place_is_refused_before_any_work(
    place: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], words: str
) -> None:
    (place / "file").write_text("old")
    (place / "loop").symlink_to("loop")
    os.mkfifo(place / "pipe")
    before = sorted(path.name for path in place.iterdir())

    def unwanted(*_: object, **__: object) -> None:
        raise AssertionError

    for name in ("compose.compose_within", "certify.decided_claim"):
        monkeypatch.setattr(f"exactdp.cli.commands.{name}", unwanted)
    answer = exactdp(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert sorted(path.name for path in place.iterdir()) == before


def test_a_write_protected_directory_is_refused_before_any_work(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    for arguments in ((*COMPOSE, "new"), (*CERTIFY, "c.json"), ("convert", "-m", "1", "x.csv")):
        answer = exactdp(*arguments)
        assert answer.code == 2
        assert "is write-protected)" in answer.err
    assert files_below(place) == {}


@as_user
def test_a_directory_without_permission_is_refused(place: Path) -> None:
    (place / "shut").mkdir(mode=0o500)
    assert exactdp(*COMPOSE, "shut/new").code == 2
    assert exactdp(*CERTIFY, "shut/c.json").code == 2


def test_an_unreadable_ledger_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "ledger.json").write_text("{}")

    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("exactdp.regular_files.require_file", forbidden)
    for arguments in (
        ("compose", "ledger.json", "--delta", "0"),
        ("explain", "ledger.json"),
        ("verify", "x", "--ledger", "ledger.json"),
    ):
        answer = exactdp(*arguments)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith("exactdp: ")
    assert "Permission denied" in exactdp("verify", "ledger.json").out


def test_a_directory_is_listed_once_for_all_that_a_run_writes_there(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, listed = Path.glob, []

    def glob(directory: Path, pattern: str) -> object:
        listed.append(directory)
        return real(directory, pattern)

    monkeypatch.setattr(Path, "glob", glob)
    (place / "there").mkdir()
    finished: set[Path] = set()
    for number in range(3):
        write_together({Path(f"there/{number}.json"): b"{}"}, "here", finished)
    assert len(listed) == 2  # for journals, and for what ended processes left
    write_together({Path("there/3.json"): b"{}"}, "here")
    assert len(listed) == 4

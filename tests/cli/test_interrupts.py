"""Interrupted at any instant, a command leaves nothing partial and says nothing ugly.

Instants are counted from when the guard of :mod:`exactdp.cli.main` stands, about 20 ms after the
process starts; what comes before is the interpreter's own start, which no program can guard.
"""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.cli.running import EXECUTABLE, files_below, hard_ledger

pytestmark = pytest.mark.slow

INSTANTS: Final = 20
MOST_ATTEMPTS: Final = 200
SEED: Final = 20261121
NAMES: Final = ["dense.lower.json", "dense.upper.json"]
COMPOSE: Final = (
    *EXECUTABLE, "compose", "../dense.csv", "--delta", "1e-6", "--certificates", "out", "--json",
)  # fmt: skip
COMMAND: Final = (*COMPOSE, "--tolerance", "1e-8")
SHORTER: Final = (*COMPOSE, "--tolerance", "1e-7")


@pytest.fixture
def ledger(place: Path) -> Path:
    """A ledger that takes some seconds to compose, beside the current directory."""
    path = place.parent / "dense.csv"
    path.write_text(hard_ledger())
    return path


def _start(command: Sequence[str] = COMMAND) -> subprocess.Popen[bytes]:
    """The command, as soon as it has set its own answer to SIGTERM."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    status = Path(f"/proc/{process.pid}/status")
    bit = 1 << (signal.SIGTERM - 1)
    while process.poll() is None:
        caught = next(line for line in status.read_text().splitlines() if "SigCgt" in line)
        if int(caught.split()[1], 16) & bit:
            break
        time.sleep(0.0005)
    return process


def _end(process: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    out, err = process.communicate(timeout=600)
    return process.returncode, out, err


def test_an_interrupt_at_any_instant_leaves_nothing(ledger: Path, place: Path) -> None:
    del ledger
    start = time.perf_counter()
    code, answer, _ = _end(_start(SHORTER))
    duration = time.perf_counter() - start
    complete = files_below(place)
    assert (code, sorted(complete)) == (0, ["out", *(f"out/{name}" for name in NAMES)])
    chance = random.Random(SEED)  # noqa: S311 (instants, not secrets)
    number = 0
    for _ in range(MOST_ATTEMPTS):
        if number == INSTANTS:
            break
        _clear(place)
        instant = chance.uniform(0, duration)
        process = _start(SHORTER)
        time.sleep(instant)
        process.send_signal(signal.SIGINT)
        code, out, err = _end(process)
        print(f"seed {SEED}, instant {number}: {instant:.3f} s of {duration:.3f} s: exit {code}")
        if code == 0:  # it was faster this time: the answer was there before the signal
            assert (out, err, files_below(place)) == (answer, b"", complete)
            continue
        assert (code, err) == (130, b"")
        assert out in (b"", answer)  # it may have been given just before
        assert files_below(place) in (({}, complete) if not out else (complete,))
        number += 1
    assert number == INSTANTS
    _clear(place)
    assert _end(_start(SHORTER)) == (0, answer, b"")
    assert files_below(place) == complete


def test_an_interrupt_while_writing_leaves_both_files_or_none(place: Path) -> None:
    """The same for a short command, where writing is a good part of the time."""
    command = (
        *EXECUTABLE, "compose", "-m", "1*9", "--delta", "0.1", "--certificates", "out", "--json",
    )  # fmt: skip
    chance = random.Random(SEED)  # noqa: S311 (instants, not secrets)
    start = time.perf_counter()
    assert _end(_start(command))[0] == 0
    duration = time.perf_counter() - start
    endings = set()
    for _ in range(3 * INSTANTS):
        _clear(place)
        process = _start(command)
        time.sleep(chance.uniform(0, duration))
        process.send_signal(signal.SIGINT)
        code, out, err = _end(process)
        endings.add(code)
        names = [path.name for path in place.rglob("*.json")]
        assert (code, err) in ((0, b""), (130, b""))
        assert not out or code == 0
        assert sorted(names) in ([], ["ledger.lower.json", "ledger.upper.json"])
        assert len(files_below(place)) == (3 if names else 0)
    print(f"seed {SEED}: exit codes {sorted(endings)}")


def test_a_termination_is_exit_code_143_and_leaves_nothing(ledger: Path, place: Path) -> None:
    del ledger
    for instant in (0.0, 0.1, 0.5, 1.0):
        process = _start()
        time.sleep(instant)
        process.send_signal(signal.SIGTERM)
        assert _end(process) == (143, b"", b"")
        assert files_below(place) == {}


def test_a_hangup_ends_the_command_unless_it_is_ignored(ledger: Path, place: Path) -> None:
    del ledger
    process = _start()
    process.send_signal(signal.SIGHUP)
    assert _end(process) == (129, b"", b"")
    assert files_below(place) == {}
    command = ("/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", *EXECUTABLE, "profile", "-m", "1*9")
    kept = _start((*command, "--epsilon", "1"))
    kept.send_signal(signal.SIGHUP)
    assert _end(kept)[0] == 0


def test_two_interrupts_are_as_good_as_one(ledger: Path, place: Path) -> None:
    del ledger
    process = _start()
    time.sleep(0.5)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
    assert _end(process) == (130, b"", b"")
    assert files_below(place) == {}


def test_a_reader_that_leaves_early_hears_nothing_more(place: Path) -> None:
    asked = (*EXECUTABLE, "compose", "-m", "1*9", "--delta", "0")
    first = subprocess.run(asked, capture_output=True, check=True).stdout.splitlines(keepends=True)
    command = " ".join((*asked, "| head -1"))
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, first[0], b"")
    assert files_below(place) == {}


def _clear(place: Path) -> None:
    for path in sorted(place.rglob("*"), reverse=True):
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink()

"""Many inputs, and everything that can go wrong with the machines that answer them."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from tests.cli.running import EXECUTABLE, GOOGLE, exactdp, files_below, hard_ledger

SEED: Final = 20261122
COMMAND: Final = (*EXECUTABLE, "compose", "week", "--jobs", "2")


@pytest.fixture
def folder(place: Path) -> Path:
    """Three hundred ledgers, no two the same."""
    return _ledgers(place / "week", 300)


def _ledgers(directory: Path, count: int) -> Path:
    directory.mkdir()
    for number in range(count):
        document = {
            "target_delta": "1e-6",
            "mechanisms": [{"epsilon": f"0.{number + 100}", "delta": "1e-9", "count": 9}],
        }
        (directory / f"{number:03}.json").write_text(json.dumps(document))
    return directory


def workers_of(process: subprocess.Popen[bytes]) -> list[int]:
    """The processes that a process has started."""
    found: list[int] = []
    for children in Path(f"/proc/{process.pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, children.read_text().split())
    return found


def kill_one(process: subprocess.Popen[bytes], chance: random.Random) -> bool:
    """Kill one of the workers, at random; False if there is none at this moment."""
    while workers := workers_of(process):
        with contextlib.suppress(ProcessLookupError):
            os.kill(chance.choice(workers), signal.SIGKILL)
            return True
    return False


def have_ended(processes: list[int]) -> bool:
    """Wait until processes are gone, or wait only to be asked for their exit codes."""
    for identifier in processes:
        status = Path(f"/proc/{identifier}/stat")
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            while status.read_text().rpartition(")")[2].split()[0] != "Z":
                time.sleep(0.01)
    return True


def read_lines(process: subprocess.Popen[bytes], count: int) -> list[bytes]:
    assert process.stdout is not None
    return [process.stdout.readline() for _ in range(count)]


@pytest.mark.slow
def test_an_interrupt_leaves_no_process_and_no_debris(folder: Path, place: Path) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen(
            (*COMMAND, "--certificates", "made"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        read_lines(process, 20)
        workers = workers_of(process)
        process.send_signal(number)
        _, err = process.communicate(timeout=600)
        assert (process.returncode, err) == (128 + number, b"")
        assert len(workers) == 2
        assert have_ended(workers)
        names = [name for name in files_below(place) if not name.startswith("week")]
        assert all(
            name == "made" or name.endswith((".upper.json", ".lower.json")) for name in names
        )
    del folder


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on_where_it_was(folder: Path, place: Path) -> None:
    expected = exactdp("compose", "week").out
    asked = (*COMMAND, "--store", "kept", "--certificates", "made")
    process = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    read_lines(process, 250)
    workers = workers_of(process)
    process.kill()
    process.communicate(timeout=600)
    assert have_ended(workers)
    again = exactdp(*asked[3:])
    whole = exactdp("compose", "week", "--certificates", "whole")
    assert again.out.replace('"made/', '"whole/') == whole.out
    assert files_below(place / "made") == files_below(place / "whole")
    assert " 0 in error" in again.err
    assert len(expected.splitlines()) == len(list(folder.iterdir()))


@pytest.mark.slow
def test_workers_killed_in_a_loop_change_no_byte(folder: Path) -> None:
    expected = exactdp("compose", str(folder.name)).out
    chance = random.Random(SEED)  # noqa: S311 (which worker, not secrets)
    process = subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines, kills = [], 0
    assert process.stdout is not None
    for number, line in enumerate(process.stdout):
        lines.append(line)
        if number % 30 == 15:
            kills += kill_one(process, chance)
    process.communicate(timeout=600)
    print(f"seed {SEED}: {kills} workers killed")
    assert (process.returncode, kills > 0) == (0, True)
    assert b"".join(lines).decode() == expected


@pytest.mark.slow
def test_a_certificate_that_cannot_be_written_is_one_error_line(place: Path) -> None:
    folder = _ledgers(place / "week", 10)
    (place / "made" / "007.upper.json").mkdir(parents=True)
    answer = exactdp("compose", folder.name, "--certificates", "made")
    documents = [json.loads(line) for line in answer.lines]
    assert [each["file"] for each in documents if "error" in each] == ["week/007.json"]
    assert documents[7]["error"]["code"] == "unwritable"
    assert answer.code == 2
    assert len(list((place / "made").glob("*.lower.json"))) == 9


@pytest.mark.slow
def test_a_disk_that_is_full_ends_the_store_and_no_answer(folder: Path, place: Path) -> None:
    """The limit of a file's size stands for a full disk: the system refuses to write more."""
    expected = exactdp("compose", folder.name).out
    limited = ("/bin/sh", "-c", 'ulimit -f 300; exec "$@"', "sh")
    done = subprocess.run(
        (*limited, *COMMAND, "--store", "kept"), capture_output=True, check=False, cwd=place
    )
    assert done.stdout.decode() == expected
    assert done.returncode == 2
    assert b"what was answered from then on is not kept" in done.stderr


@pytest.mark.slow
def test_a_reader_that_leaves_early_ends_everything(folder: Path) -> None:
    process = subprocess.Popen(COMMAND, stdout=subprocess.PIPE)
    read_lines(process, 5)
    workers = workers_of(process)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=600) == 141
    assert have_ended(workers)
    del folder


# --- clusters -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_local_cluster_gives_the_bytes_of_one_process_though_its_workers_are_killed(
    folder: Path, place: Path
) -> None:
    expected = exactdp("compose", folder.name).out
    process = subprocess.Popen(
        (*COMMAND, "--cluster", "local"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    lines = read_lines(process, 20)
    workers = [each for each in workers_of(process) if _is_of_dask(each)]
    os.kill(workers[0], signal.SIGKILL)
    assert process.stdout is not None
    lines += process.stdout
    process.communicate(timeout=300)
    assert b"".join(lines).decode() == expected
    assert have_ended(workers)
    assert len(files_below(place)) == 301


def _is_of_dask(identifier: int) -> bool:
    return b"spawn_main" in Path(f"/proc/{identifier}/cmdline").read_bytes()


@pytest.mark.slow
def test_a_poisoned_ledger_on_a_cluster_is_one_error_line(folder: Path) -> None:
    (folder / "poison.csv").write_text(hard_ledger())
    asked = ("compose", folder.name, "--delta", "1e-6", "--timeout", "2")
    done = subprocess.run(
        (*EXECUTABLE, *asked, "--jobs", "2", "--cluster", "local"), capture_output=True, check=False
    )
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["file"] for each in documents if "error" in each] == ["week/poison.csv"]
    assert (len(documents), done.returncode) == (301, 3)


@pytest.mark.slow
@pytest.mark.parametrize("address", ["nonsense://", "nonsense", "tcp://", "x:y", "bad://h:1"])
def test_what_is_no_address_is_refused_at_once(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is an extra")
    monkeypatch.setattr(distributed, "Client", None)  # nothing is waited for
    answer = exactdp("compose", GOOGLE, "--delta", "1e-6", "--cluster", address)
    assert (answer.code, answer.out) == (2, "")
    assert "expected local, or an address such as tcp://HOST:8786" in answer.err


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_a_sentence() -> None:
    program = (
        "import sys\n"
        "from exactdp.cli.main import run\n"
        "from exactdp.many import cluster\n"
        "cluster._PATIENCE = 1\n"
        "sys.exit(run(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        (sys.executable, "-c", program, "compose", "x.json", "--cluster", "tcp://127.0.0.1:1"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected the address of a Dask scheduler" in done.stderr

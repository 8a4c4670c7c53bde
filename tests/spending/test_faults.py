"""Whatever goes wrong: nothing is overspent, nothing spent is lost, every edit is found."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from gmpy2 import mpq

import exactdp
from exactdp.errors import BudgetExceeded, InputError
from exactdp.spending.auditing import audit
from exactdp.spending.filter import Filter, adopt, init, mend
from exactdp.spending.log import locked, read_ends
from tests.spending.older_copies import Lesser, system

SEED = 17
WRITER = """
import sys
from exactdp.errors import BudgetExceeded
from exactdp.spending.filter import Filter
budget = Filter(sys.argv[1])
print("ready", flush=True)
try:
    while True:
        print(budget.spend(rho=sys.argv[2]).number, flush=True)
        if len(sys.argv) > 3:
            break
except BudgetExceeded:
    print("full", flush=True)
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "week.log"
    init(path, "rho=1/2", delta="1e-6")
    return path


def writer(log: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(log), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def killed(log: Path, seconds: float) -> int:
    """Kill a writer after a while; the last line that it was told is on the disk."""
    with writer(log, "1/1000000") as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        told = [int(line) for line in process.stdout.read().splitlines() if line.isdigit()]
    return max(told, default=0)


def torn(log: Path) -> bytes:
    with locked(log, writing=False) as descriptor:
        return read_ends(descriptor).torn


def assert_killing_loses_nothing(log: Path, times: int) -> None:
    """A line may be torn where a page ends, as a kill cuts a write short: nobody was told of it."""
    chance = random.Random(SEED)  # noqa: S311 (no secret)
    for _ in range(times):
        told = killed(log, chance.random() / 20)
        if torn(log):
            mend(log)
        found = audit(log)
        assert found.intact, found.problem
        assert found.head is not None
        assert found.head.number >= told
        assert found.head.spent.size == mpq(found.entries["spend"], 10**6)


def assert_writers_never_overspend(log: Path, number: int) -> None:
    """More writers at once than there is budget for."""
    init(log, f"rho={number // 2}/100")
    processes = [writer(log, "1/100", "once") for _ in range(number)]
    spent = full = 0
    for process in processes:
        output, _ = process.communicate()
        spent += "full" not in output
        full += "full" in output
    found = audit(log)
    assert found.intact, found.problem
    assert found.entries == {"spend": number // 2}
    assert (spent, full) == (number // 2, number - number // 2)


@pytest.mark.slow
def test_a_writer_that_is_killed_loses_nothing_that_it_was_told(log: Path) -> None:
    assert_killing_loses_nothing(log, 3)


@pytest.mark.slow
def test_a_hundred_writers_that_are_killed_lose_nothing_that_they_were_told(log: Path) -> None:
    assert_killing_loses_nothing(log, 100)


@pytest.mark.slow
def test_writers_at_once_never_overspend(tmp_path: Path) -> None:
    assert_writers_never_overspend(tmp_path / "many.log", 6)


@pytest.mark.slow
def test_two_hundred_writers_at_once_never_overspend(tmp_path: Path) -> None:
    assert_writers_never_overspend(tmp_path / "many.log", 200)


def test_threads_at_once_never_overspend(log: Path) -> None:
    budget = Filter(log)

    def spend(_: int) -> bool:
        try:
            budget.spend(rho="1/100")
        except BudgetExceeded:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(spend, range(60))) == 50
    assert audit(log).intact
    assert budget.left.size == 0


def test_what_does_not_fit_leaves_every_byte_as_it_was(log: Path) -> None:
    budget = Filter(log)
    budget.spend(rho="2/5")
    before = log.read_bytes()
    with pytest.raises(BudgetExceeded, match=r"ρ = 0\.11: expected at most 0\.1"):
        budget.spend(rho="11/100")
    with pytest.raises(BudgetExceeded, match="δ = 1e-9: expected at most 0"):
        budget.spend(epsilon="1/100", delta="1e-9")
    assert log.read_bytes() == before


def _short(descriptor: int, data: bytes, place: int) -> int:
    return REAL(descriptor, data[:10], place)


def _full(descriptor: int, data: bytes, place: int) -> int:
    if data:
        raise OSError(28, "No space left on device")
    return REAL(descriptor, data, place)


REAL = os.pwrite


@pytest.mark.parametrize("write", [_short, _full])
def test_a_full_disk_spends_nothing(
    log: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[int, bytes, int], int]
) -> None:
    before = log.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr("os.pwrite", write)
        with pytest.raises(InputError, match="No space left on device"):
            Filter(log).spend(rho="1/100")
    assert log.read_bytes() == before
    assert Filter(log).spend(rho="1/100").number == 1


def test_what_is_not_synced_is_not_spent(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, calls = log.read_bytes(), []

    def fails_once(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 1:
            raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", fails_once)
        with pytest.raises(InputError, match="Input/output error"):
            Filter(log).spend(rho="1/100")
    assert log.read_bytes() == before


def test_a_log_that_cannot_be_written_spends_nothing(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = Filter(log)
    opened = os.open

    def read_only(path: str, flags: int) -> int:
        if flags & os.O_RDWR:
            raise OSError(30, "Read-only file system")
        return opened(path, flags)

    monkeypatch.setattr("os.open", read_only)
    with pytest.raises(InputError, match="Read-only file system"):
        budget.spend(rho="1/100")
    assert audit(log).entries == {}


def test_a_copy_spends_nothing_until_it_is_adopted(log: Path) -> None:
    Filter(log).spend(rho="1/100")
    copy = log.with_name("copy.log")
    copy.write_bytes(log.read_bytes())
    assert "a copy" in audit(copy).problem
    with pytest.raises(InputError, match="this is a copy"):
        Filter(copy)
    adopt(copy, reason="the disk of the original burnt")
    assert Filter(copy).spend(rho="1/100").number == 3
    assert audit(copy).entries == {"spend": 2, "adopt": 1}
    with pytest.raises(InputError, match="this is the original"):
        adopt(copy, reason="again")


def test_a_torn_last_line_is_found_and_mended_on_record(log: Path) -> None:
    Filter(log).spend(rho="1/100")
    with log.open("ab") as file:
        file.write(b'{"charge":{"del')
    with pytest.raises(InputError, match="15 bytes behind the last whole line"):
        Filter(log)
    assert "15 bytes behind the last whole line" in audit(log).problem
    assert mend(log) == b'{"charge":{"del'
    assert audit(log).intact
    assert json.loads(log.read_bytes().splitlines()[-1])["removed"] == b'{"charge":{"del'.hex()
    with pytest.raises(InputError, match="a log whose last line is torn"):
        mend(log)


def test_clocks_that_go_backwards_change_nothing(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for time_of_day in ("2026-11-02T10:00:00Z", "2026-11-01T10:00:00Z", "1970-01-01T00:00:00Z"):
        monkeypatch.setattr("exactdp.spending.filter.now", lambda text=time_of_day: text)
        Filter(log).spend(rho="1/100")
    found = audit(log)
    assert (found.intact, found.backwards) == (True, 3)
    assert Filter(log).spent.size == mpq(3, 100)


@pytest.mark.slow
def test_every_edit_is_found(log: Path) -> None:
    """Any one byte changed, any line removed but the last, doubled, or two exchanged."""
    for n in range(4):
        Filter(log).spend(rho=f"1/{100 + n}", label=f"query {n}")
    whole = log.read_bytes()
    lines = whole.splitlines(keepends=True)
    edits = [whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :] for i in range(len(whole))]
    edits += [b"".join(lines[:i] + lines[i + 1 :]) for i in range(len(lines) - 1)]
    edits += [b"".join([*lines[: i + 1], *lines[i:]]) for i in range(len(lines))]
    edits += [
        b"".join([*lines[:i], lines[i + 1], lines[i], *lines[i + 2 :]])
        for i in range(len(lines) - 1)
    ]
    assert len(edits) > 1500
    for edit in edits:
        log.write_bytes(edit)
        assert not audit(log).intact, edit
    log.write_bytes(whole)
    assert audit(log).intact


def test_missing_ends_are_found_by_a_digest_that_was_kept(tmp_path: Path) -> None:
    log = tmp_path / "bare.log"
    with system(Lesser(attributes=False, births=False)):
        init(log, "rho=1/2")
        kept = Filter(log).spend(rho="1/100").digest
        whole = log.read_bytes()
        Filter(log).spend(rho="1/100")
        assert audit(log, head=kept).intact
        log.write_bytes(whole.splitlines(keepends=True)[0])
        assert audit(log).intact
        assert "no line has the digest" in audit(log, head=kept).problem


def test_a_guarded_function_does_not_run_where_nothing_is_left(log: Path) -> None:
    ran = []
    with exactdp.filter(log) as budget:

        @budget.charged(rho="1/5")
        def query(name: str) -> str:
            ran.append(name)
            return name

        assert [query("one"), query(name="two")] == ["one", "two"]
        with pytest.raises(BudgetExceeded, match="nothing was spent"):
            query("three")
    assert ran == ["one", "two"]


def test_a_guarded_coroutine_is_charged_once_for_each_call(log: Path) -> None:
    budget = Filter(log)

    @budget.charged(rho="1/5", label="later")
    async def query() -> int:
        await asyncio.sleep(0)
        return 1

    async def all_at_once() -> list[object]:
        calls = (query(), query(), query())
        return list(await asyncio.gather(*calls, return_exceptions=True))

    answers = asyncio.run(all_at_once())
    assert sorted(type(answer).__name__ for answer in answers) == ["BudgetExceeded", "int", "int"]


def test_a_budget_is_fixed_before_the_first_spend(log: Path) -> None:
    assert exactdp.filter(log, budget="rho=0.5").budget == Filter(log).budget
    with pytest.raises(InputError, match="a budget is fixed before the first spend"):
        exactdp.filter(log, budget="rho=1")
    with pytest.raises(InputError, match="a new file"):
        init(log, "rho=1")

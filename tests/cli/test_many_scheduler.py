"""A scheduler of a cluster that is killed and started again while a run is under way."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.cli.running import EXECUTABLE, exactdp

LEDGERS: Final = 200
PROGRAM: Final = """
import sys, time
from distributed import LocalCluster
with LocalCluster(
    n_workers=1, threads_per_worker=2, scheduler_port=int(sys.argv[1]), dashboard_address=None
):
    print("ready", flush=True)
    time.sleep(3600)
"""


@contextlib.contextmanager
def cluster_at(port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A scheduler with a worker, in a group of processes that ends with the block."""
    command = (sys.executable, "-c", PROGRAM, str(port))
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            yield process
        finally:
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Scheduler and worker at once, as a machine that fails."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.slow
def test_a_scheduler_that_is_started_again_is_given_what_was_open(place: Path) -> None:
    directory = place / "week"
    directory.mkdir()
    for number in range(LEDGERS):
        mechanisms = [{"epsilon": f"0.{number + 100}", "delta": "1e-9", "count": 9}]
        document = {"target_delta": "1e-6", "mechanisms": mechanisms}
        (directory / f"{number:03}.json").write_text(json.dumps(document))
    expected = exactdp("compose", "week", "--jobs", "1").out
    port = _free_port()
    asked = ("compose", "week", "--cluster", f"tcp://127.0.0.1:{port}")
    with contextlib.ExitStack() as ends:
        first = ends.enter_context(cluster_at(port))
        run = subprocess.Popen(
            (*EXECUTABLE, *asked), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        ends.callback(run.kill)
        assert run.stdout is not None
        lines = [run.stdout.readline() for _ in range(20)]
        _kill(first)
        time.sleep(1)
        ends.enter_context(cluster_at(port))
        lines += run.stdout
        _, err = run.communicate()
    assert b"".join(lines).decode() == expected
    assert f"{LEDGERS} inputs, {LEDGERS} computed, " in err.decode()
    assert run.returncode == 0

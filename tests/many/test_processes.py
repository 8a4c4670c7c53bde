"""Processes: a worker does not outlive whoever started it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

PROGRAM: Final = """
import os, signal, sys
from pathlib import Path
from exactdp.many.messages import Content
from exactdp.many.processes import Processes
from tests.many.working import Shouting
pool = Processes(Shouting(Path(sys.argv[1])), jobs=2)
pool.submit(0, [Content("a", b"a")])
while not pool.replies():
    pass
pool.submit(1, [Content("sleep", b"sleep")])
print(*pool.identifiers, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert done.returncode == -9, done.stderr
    for identifier in done.stdout.split():
        assert _has_ended(Path(f"/proc/{identifier}/stat"))


def _has_ended(status: Path) -> bool:
    """Whether a process is gone, or waits only to be asked for its exit code."""
    while True:
        try:
            state = status.read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True

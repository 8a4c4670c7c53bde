r"""Measure how many small ledgers are composed in a second, and write ``bench/many.json``.

    python -m tools.measure_many [--ledgers N] [--jobs 1 2] [--cluster 2 4]

Ledgers are drawn from the deployments in ``ledgers``: every ε and ρ of one times k/100, with k
from 50 to 150, and the count of one mechanism raised by up to 49. Each way of running reads the
same JSON Lines and must print the same bytes. Seconds are those of the wall; processor time is
that of all processes, so that it can be compared on a machine that others use as well.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
RESULTS: Final = ROOT / "bench" / "many.json"
SEED: Final = 20261122
_PARAMETERS: Final = ("epsilon", "rho")
_SECONDS_BETWEEN: Final = 0.5


def drawn(count: int, seed: int = SEED) -> Iterator[dict[str, Any]]:
    """So many ledgers, the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 (ledgers, not secrets)
    deployments = [
        json.loads(path.read_text()) for path in sorted((ROOT / "ledgers").glob("*.json"))
    ]
    for _ in range(count):
        yield _perturbed(chance.choice(deployments), chance)


def _perturbed(ledger: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    factor = Fraction(chance.randint(50, 150), 100)
    mechanisms = [_scaled(each, factor) for each in ledger["mechanisms"]]
    raised = chance.choice(mechanisms)
    raised["count"] = int(raised.get("count", 1)) + chance.randrange(50)
    return {**ledger, "mechanisms": mechanisms, "claims": []}


def _scaled(mechanism: dict[str, Any], factor: Fraction) -> dict[str, Any]:
    scaled = dict(mechanism)
    for name in _PARAMETERS:
        with contextlib.suppress(KeyError, ValueError):  # not of this kind, or a logarithm
            scaled[name] = str(Fraction(str(mechanism[name])) * factor)
    return scaled


class _Memory(threading.Thread):
    """The largest resident memory of a process and those below it, in each half of its life."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self._process = process
        self.samples: list[int] = []

    def run(self) -> None:
        """Look every half second, until the process has gone."""
        while Path(f"/proc/{self._process}/status").exists():
            self.samples.append(
                max((_resident(each) for each in _family(self._process)), default=0)
            )
            time.sleep(_SECONDS_BETWEEN)


def _family(process: int) -> list[int]:
    found = [process]
    for each in found:
        for children in Path(f"/proc/{each}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found += map(int, children.read_text().split())
    return found


def _resident(process: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf(
            "SC_PAGE_SIZE"
        )
    return 0


def measured(lines: Path, count: int, *options: str) -> dict[str, Any]:
    """One run over the lines: rate, processor time, memory, and the digest of what it printed."""
    command = [sys.executable, "-m", "exactdp", "compose", "-", *options]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    digest = hashlib.sha256()
    with lines.open("rb") as stream:
        process = subprocess.Popen(  # noqa: S603 (this program, by its own interpreter)
            command, stdin=stream, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        memory = _Memory(process.pid)
        memory.start()
        assert process.stdout is not None
        for line in process.stdout:
            digest.update(line)
        _, summary = process.communicate()
    seconds = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    half = len(memory.samples) // 2
    return {
        "options": " ".join(options),
        "ledgers": count,
        "seconds": round(seconds, 1),
        "ledgers_per_second": round(count / seconds, 1),
        "processor_seconds": round(spent, 1),
        "processor_milliseconds_per_ledger": round(1000 * spent / count, 3),
        "largest_process_mib": [
            round(max(part, default=0) / 2**20, 1)
            for part in (memory.samples[:half], memory.samples[half:])
        ],
        "digest": digest.hexdigest(),
        "exit_code": process.returncode,
        "summary": summary.decode().strip().removeprefix("exactdp: "),
    }


def main() -> None:
    """Measure each way of running, and write what was found."""
    parser = argparse.ArgumentParser(description="Measure how many ledgers are composed a second.")
    parser.add_argument("--ledgers", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--cluster", type=int, nargs="*", default=[2, 4])
    parser.add_argument("--store", action="store_true", help="also with a store, twice")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        lines = Path(place, "ledgers.jsonl")
        with lines.open("w") as stream:
            stream.writelines(f"{json.dumps(each)}\n" for each in drawn(asked.ledgers))
        ways: list[tuple[str, ...]] = [("--jobs", str(number)) for number in asked.jobs]
        ways += [("--cluster", "local", "--jobs", str(number)) for number in asked.cluster]
        if asked.store:
            ways += [("--jobs", "2", "--store", str(Path(place, "store")))] * 2
        found = []
        for way in ways:
            found.append(measured(lines, asked.ledgers, *way))
            print(json.dumps(found[-1]), flush=True)
    if len({each["digest"] for each in found}) != 1:
        sys.exit("not every way of running printed the same bytes")
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"runs": []}
    machine = {"cores": os.cpu_count(), "python": platform.python_version()}
    runs = [*known["runs"], {"machine": machine, "load": os.getloadavg(), "ways": found}]
    RESULTS.write_text(json.dumps({"runs": runs}, indent=1).replace(str(place), "DIR") + "\n")


if __name__ == "__main__":
    main()

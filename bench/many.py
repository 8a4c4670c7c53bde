r"""Measure how many small ledgers are composed in a second, and write ``bench/many.json``.

    python -m bench.many [--ledgers N] [--jobs 1 2] [--cluster 2 4] [--certified M]

Ledgers are drawn from the deployments in ``ledgers``: every ε and ρ of one times k/100, with k
from 50 to 150, and the count of one mechanism raised by up to 49. Each way of running reads the
same JSON Lines and must print the same bytes; with certificates, M of them must write the same
files, and a run whose workers are killed must print what one does whose workers are not. Seconds
are those of the wall; processor time is that of all processes, so that it can be compared on a
machine that others use as well. A few large problems are asked on one core and on all.
``python -m tools.tables`` writes the tables of ``docs/scripting.md`` from what was found.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import platform
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final

from gmpy2 import mpq

from exactdp import compose
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.engines import bracket
from exactdp.composition.engines.splitting import LEAST_COST, map_parts, use_cores
from exactdp.many.mapping import Calls
from exactdp.mechanisms import Mechanism
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import maximum_clique
from exactdp.workloads.workload import Attribute, Query, Workload

ROOT: Final = Path(__file__).resolve().parents[1]
RESULTS: Final = ROOT / "bench" / "many.json"
SEED: Final = 20261122
_PARAMETERS: Final = ("epsilon", "rho")
_LINES_BETWEEN_KILLS: Final = 50
_MESH: Final = mpq(1, 10**4)
_BITS: Final = 160
_SECONDS_BETWEEN: Final = 0.2
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_USER_TIME: Final = 11


# --- many small ledgers ---------------------------------------------------------------------------


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


def measured(lines: Path, count: int, *options: str, kills: int = 0) -> dict[str, Any]:
    """One run over the lines: rate, processor time, memory, and the digest of what it printed.

    Args:
        lines: the ledgers.
        count: how many they are.
        options: of the command.
        kills: after so many lines a worker is killed with signal 9, again and again; 0 for never.
    """
    command = [sys.executable, "-m", "exactdp", "compose", "-", *options]
    begin = time.monotonic()
    digest = hashlib.sha256()
    chance, killed = random.Random(SEED), 0  # noqa: S311 (which worker, not secrets)
    printed = 0
    with lines.open("rb") as stream:
        process = subprocess.Popen(  # noqa: S603 (this program, by its own interpreter)
            command, stdin=stream, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        watch = Watch(process.pid)
        watch.start()
        assert process.stdout is not None
        for number, line in enumerate(process.stdout, start=1):
            digest.update(line)
            printed += len(line)
            if kills and number % kills == 0:
                with contextlib.suppress(ProcessLookupError):  # it has just been replaced
                    os.kill(chance.choice(family_of(process.pid)[1:]), signal.SIGKILL)
                    killed += 1
        _, summary = process.communicate()
    seconds = time.monotonic() - begin
    return {
        "options": " ".join(options),
        "ledgers": count,
        "seconds": round(seconds, 1),
        "ledgers_per_second": round(count / seconds, 1),
        "processor_milliseconds_per_ledger": round(1000 * watch.seconds / count, 3),
        "client_milliseconds_per_ledger": round(1000 * watch.own_seconds / count, 3),
        "largest_process_mib": watch.tenths(),
        "bytes_per_answer": round(printed / count),
        "digest": digest.hexdigest(),
        "exit_code": process.returncode,
        "killed": killed,
        "summary": summary.decode().strip().removeprefix("exactdp: "),
    }


def with_certificates(lines: Path, count: int, place: Path) -> list[dict[str, Any]]:
    """Certificates of one process, of two, of a cluster, of a store, and of that again."""
    store = ("--store", str(place / "store"))
    ways = [
        ("--jobs", "1"),
        ("--jobs", "2"),
        ("--cluster", "local", "--jobs", "2"),
        ("--jobs", "2", *store),
        ("--jobs", "2", *store),
    ]
    found = []
    for way in ways:
        made = place / "made"
        row = measured(lines, count, *way, "--certificates", str(made))
        files = sorted(made.iterdir())
        digest = hashlib.sha256()
        for path in files:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        row["certificates"] = len(files)
        row["bytes_of_certificates"] = sum(path.stat().st_size for path in files)
        row["digest_of_certificates"] = digest.hexdigest()
        found.append(row)
        print(json.dumps(row), flush=True)
        shutil.rmtree(made)
    return found


def _written(lines: Path, count: int) -> int:
    """Write so many ledgers, one a line; return how many bytes they take in canonical form."""
    size = 0
    with lines.open("w") as stream:
        for each in drawn(count):
            text = json.dumps(each)
            stream.write(f"{text}\n")
            size += len(text)
    return size


# --- large single problems ------------------------------------------------------------------------


def split(cores: int) -> list[dict[str, Any]]:
    """A row for each problem: seconds on one core and on ``cores``."""
    problems: dict[str, Callable[[], object]] = {
        "bracket of 60 distinct ε to 1e-8 (products in threads)": _wild_bracket,
        "grid of 80 000 mechanisms of four ε (products in threads)": _grid,
        "leaves of a bracket of 2000 distinct ε (in processes)": _leaves,
        "workload of 4 components, clique number (in processes)": _components,
    }
    return [{"problem": name, **_measured(ask, cores)} for name, ask in problems.items()]


def _measured(ask: Callable[[], object], cores: int) -> dict[str, Any]:
    begin = time.monotonic()
    alone = ask()
    middle = time.monotonic()
    with contextlib.closing(Calls(cores)) as calls, use_cores(cores, calls):
        together = ask()
    end = time.monotonic()
    return {
        "seconds_on_one": round(middle - begin, 2),
        "seconds_on_all": round(end - middle, 2),
        "cores": cores,
        "same": alone == together,
    }


def _epsilons(count: int) -> list[tuple[ExactNumber, int]]:
    chance = random.Random(SEED)  # noqa: S311 (parameters, not secrets)
    drawn = chance.sample(range(10**6, 3 * 10**6), count)
    return [(ExactNumber(mpq(each, 10**7)), 1) for each in drawn]


def _wild_bracket() -> object:
    ledger = [(str(epsilon), "1e-11", 1) for epsilon, _ in _epsilons(60)]
    answer = compose(ledger, delta="1e-7", method="bracket", tolerance="1e-8")
    return answer.lower_end, answer.upper_end


def _grid() -> object:
    ledger = [(f"0.0{number}", 0, 20_000) for number in (101, 103, 107, 109)]
    answer = compose(ledger, delta="1e-9", method="grid")
    return answer.lower_end, answer.upper_end


def _leaves() -> object:
    epsilons = _epsilons(2000)
    scores = partial(bracket.cells_of, mesh=_MESH, bits=_BITS, scale=_BITS + 80)
    parts = bracket.leaves(epsilons, bracket.leaf_size(epsilons))
    return map_parts(scores, parts, cost=LEAST_COST)


def _components() -> object:
    chance = random.Random(SEED)  # noqa: S311 (workloads, not secrets)
    queries = tuple(
        Query(
            Mechanism("1/10"),
            {
                3 * component + axis: Coverage.of_values(chance.sample(range(12), 5))
                for axis in range(3)
            },
        )
        for component in range(4)
        for _ in range(80)
    )
    graph = QueryGraph.of(Workload(tuple(Attribute(f"a{i}", 12) for i in range(12)), queries))
    return maximum_clique(graph)


# --- what a process takes -------------------------------------------------------------------------


class Watch(threading.Thread):
    """Looks at a process and those below it until it has gone.

    Attributes:
        largest: bytes of the largest process, each time it looked.
    """

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self._process = process
        self._ticks: dict[int, int] = {}
        self.largest: list[int] = []

    def run(self) -> None:
        """Look a few times in a second."""
        while Path(f"/proc/{self._process}/status").exists():
            family = family_of(self._process)
            self.largest.append(max(map(_resident, family), default=0))
            for each in family:
                self._ticks[each] = max(self._ticks.get(each, 0), _ticks_of(each))
            time.sleep(_SECONDS_BETWEEN)

    @property
    def own_seconds(self) -> float:
        """Processor time of the process itself, without those below it."""
        return self._ticks.get(self._process, 0) / _TICKS

    @property
    def seconds(self) -> float:
        """Processor time of all of them."""
        return sum(self._ticks.values()) / _TICKS

    def tenths(self) -> list[float]:
        """MiB of the largest process in each tenth of the run."""
        count = len(self.largest)
        parts = [self.largest[count * i // 10 : count * (i + 1) // 10] for i in range(10)]
        return [round(max(part, default=0) / 2**20, 1) for part in parts]


def family_of(process: int) -> list[int]:
    """A process and all below it."""
    found = [process]
    for each in found:
        for children in Path(f"/proc/{each}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found += map(int, children.read_text().split())
    return found


def _resident(process: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE
    return 0


def _ticks_of(process: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return int(fields[_USER_TIME]) + int(fields[_USER_TIME + 1])
    return 0


# --- the command ----------------------------------------------------------------------------------


def main() -> None:
    """Measure each way of running, and write what was found."""
    parser = argparse.ArgumentParser(description="Measure how many ledgers are composed a second.")
    parser.add_argument("--ledgers", type=int, default=10_000)
    parser.add_argument("--certified", type=int, help="so many with certificates; a tenth")
    parser.add_argument("--jobs", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--cluster", type=int, nargs="*", default=[2, 4])
    asked = parser.parse_args()
    ways: list[tuple[str, ...]] = [("--jobs", str(number)) for number in asked.jobs]
    ways += [("--cluster", "local", "--jobs", str(number)) for number in asked.cluster]
    few = asked.certified or max(1, asked.ledgers // 10)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        size = _written(place / "many.jsonl", asked.ledgers)
        _written(place / "few.jsonl", few)
        found = []
        for way in ways:
            found.append(measured(place / "many.jsonl", asked.ledgers, *way))
            print(json.dumps(found[-1]), flush=True)
        certified = with_certificates(place / "few.jsonl", few, place)
        killed = measured(place / "few.jsonl", few, "--jobs", "2", kills=_LINES_BETWEEN_KILLS)
        whole = measured(place / "few.jsonl", few, "--jobs", "1")
        print(json.dumps(killed), flush=True)
    cores = len(os.sched_getaffinity(0))
    results = {
        "machine": {"cores": cores, "python": platform.python_version()},
        "load": [round(each, 1) for each in os.getloadavg()],
        "bytes_per_ledger": round(size / asked.ledgers),
        "ways": found,
        "certified": certified,
        "killed": killed,
        "split": split(cores),
    }
    text = json.dumps(results, indent=1, ensure_ascii=False).replace(str(place), "DIR")
    RESULTS.write_text(f"{text}\n", encoding="utf-8")
    _refuse_differences(results, whole["digest"])


def _refuse_differences(results: dict[str, Any], whole: str) -> None:
    """End with a sentence if ways differ in what they printed or wrote."""
    by_kind = {
        "lines": {each["digest"] for each in results["ways"]},
        "lines with certificates": {each["digest"] for each in results["certified"]},
        "certificates": {each["digest_of_certificates"] for each in results["certified"]},
        "lines of a run whose workers were killed": {whole, results["killed"]["digest"]},
        "large problems": {str(each["same"]) for each in results["split"]} | {"True"},
    }
    for kind, found in by_kind.items():
        if len(found) > 1:
            sys.exit(f"not the same: {kind}")


if __name__ == "__main__":
    main()

r"""How well ``exactdp parallel`` keeps ``--time-limit``: ``python -m bench.limits``.

Purpose: whole processes by the clock, of workloads that are hard for want of anything in common.

Rules of this file: every query has parameters of its own. A table is printed; ``--write`` keeps
the results in ``bench/limits.json``. Nothing is asserted.

Theory of operation: what takes long depends on how parameters are given and on how queries overlap,
so that every family is asked in every shape, at sizes and limits that leave little time for each.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from bench import machine

RESULTS: Final = Path(__file__).with_suffix(".json")
SEED: Final = 15
VALUES: Final = 100
DELTA: Final = "1e-6"
CELLS: Final = ((2000, 2), (10_000, 2), (10_000, 5), (30_000, 5))
"""How many queries, and the limit in seconds."""
REFUSED: Final = 3

FAMILIES: Final[Mapping[str, Callable[[int], Mapping[str, object]]]] = {
    "ε": lambda i: {"epsilon": f"{100_000 + i * 7919 % 100_003}/100000000"},
    "ε and δ": lambda i: {
        "epsilon": f"{100_000 + i * 7919 % 100_003}/100000000",
        "delta": "1e-12",
    },
    "logarithms": lambda i: {"epsilon": f"ln({10_001 + i}/10000)"},
    "ρ": lambda i: {"rho": f"{100 + i}/1000000"},
    "μ": lambda i: {"mu": f"{100 + i}/10000"},
    "bounded range": lambda i: {"bounded_range": f"{10 + i}/10000"},
    "Laplace": lambda i: {"laplace": {"scale": f"{100 + i}/10", "sensitivity": "1"}},
    "discrete Laplace": lambda i: {"discrete_laplace": {"scale": f"{100 + i}/10", "shifts": ["1"]}},
    "discrete Gaussian": lambda i: {
        "discrete_gaussian": {"variance": f"{100 + i}/10", "shifts": ["1"]}
    },
    "Gaussian, sampled": lambda i: {"mu": f"{100 + i}/1000", "rate": f"{1 + i}/3000000"},
    "Laplace, sampled": lambda i: {
        "laplace": {"scale": f"{100 + i}/10", "sensitivity": "1"},
        "rate": f"{1 + i}/300000",
    },
}


def _windows(random: Random) -> Mapping[str, object]:
    low = random.randrange(VALUES - 10)
    return {"a": [low, low + 10]}


def _ranges(random: Random) -> Mapping[str, object]:
    return {name: sorted(random.sample(range(VALUES + 1), 2)) for name in "ab"}


SHAPES: Final[Mapping[str, Callable[[Random], Mapping[str, object]]]] = {
    "ten values of one attribute": _windows,
    "ranges of two attributes": _ranges,
}


def workload(family: str, shape: str, queries: int) -> Mapping[str, object]:
    """A workload of so many queries, no two of which have the same parameters."""
    random = Random(SEED)  # noqa: S311 (a fixed sample)
    places = [SHAPES[shape](random) for _ in range(queries)]
    listed = [{"where": where, **FAMILIES[family](i)} for i, where in enumerate(places)]
    names = sorted(set[str]().union(*places))
    return {
        "format": "exactdp-workload/1",
        "neighbouring": "add-remove-one",
        "domain": {name: {"size": VALUES + 1} for name in names},
        "queries": listed,
    }


def measured(family: str, shape: str, queries: int, limit: int) -> Mapping[str, Any]:
    """One process: how long it took by the clock, and what it said."""
    with TemporaryDirectory() as directory:
        source = Path(directory) / "workload.json"
        source.write_text(json.dumps(workload(family, shape, queries)), encoding="utf-8")
        command = (*(sys.executable, "-m", "exactdp", "parallel", str(source), "--json"),)
        options = ("--delta", DELTA, "--time-limit", str(limit))
        begin = time.perf_counter()
        done = subprocess.run((*command, *options), capture_output=True, check=False)  # noqa: S603 (our own command)
        seconds = time.perf_counter() - begin
    if done.returncode not in (0, REFUSED):
        raise RuntimeError(done.stdout.decode() + done.stderr.decode())
    result = json.loads(done.stdout).get("result", {})
    return {
        "family": family,
        "shape": shape,
        "queries": queries,
        "limit": limit,
        "seconds": round(seconds, 2),
        "refused": done.returncode == REFUSED,
        "certified": result.get("epsilon"),
    }


def records() -> Iterator[Mapping[str, Any]]:
    """Every family in every shape, at every size."""
    for family in FAMILIES:
        for shape in SHAPES:
            for queries, limit in CELLS:
                yield measured(family, shape, queries, limit)


def table(found: Sequence[Mapping[str, Any]]) -> str:
    """The table of the page; refusals are in brackets."""
    heads = " | ".join(
        f"{queries:,}, limit {limit}".replace(",", "\u202f", 1) for queries, limit in CELLS
    )
    lines = [f"| given by | queries | {heads} |", "|---" * (2 + len(CELLS)) + "|"]
    for family in FAMILIES:
        for shape in SHAPES:
            own = [each for each in found if (each["family"], each["shape"]) == (family, shape)]
            shown = (f"({e['seconds']})" if e["refused"] else f"{e['seconds']}" for e in own)
            lines.append(f"| {family} | {shape} | " + " | ".join(shown) + " |")
    return "".join(f"{line}\n" for line in lines)


def worst(found: Sequence[Mapping[str, Any]]) -> float:
    """The longest time over its limit."""
    return max(float(each["seconds"]) / int(each["limit"]) for each in found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.limits")
    parser.add_argument("--write", action="store_true", help="write the results")
    options = parser.parse_args(arguments)
    found: list[Mapping[str, Any]] = []
    for record in records():
        found.append(record)
        print(json.dumps(record, ensure_ascii=False), flush=True)
    print(table(found))
    print(f"the longest, of its limit: {worst(found):.2f}")
    if options.write:
        results = {"machine": machine.description(), "records": found}
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

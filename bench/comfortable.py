r"""Section 7.1's percentages: ``python -m bench.comfortable``.

Purpose: how the number of queries that is solved within the paper's ten seconds changes, where one
of the four quantities of its generator is not drawn uniformly.

Rules of this file: of a domain of 24 attributes with 10 to 1 000 values, as the paper's go up to
10^48 rows; one set for each number of queries, with fixed seeds; seconds are processor time, of
graph and search. What was written before is kept.

Theory of operation: the number is doubled until it fails, and then sought between, to a factor of
2^(1/4). So a change is known to about 20 %. The paper does not print its scales; here an
exponential has half of the range, and a normal distribution a deviation of a quarter.

Source: Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, "Making the Most of Parallel Composition in
Differential Privacy", PoPETs 2022, section 7.1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from bench.distributions import LIMIT, Drawn, drawn
from bench.parallel import SEED
from bench.published import ProcessorClock
from exactdp.errors import ExactDPError
from exactdp.workloads.colouring import colourings
from exactdp.workloads.composing import searched
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import maximum_clique

RESULTS: Final = Path(__file__).with_suffix(".json")
ATTRIBUTES: Final = 24
FIRST: Final = 32
MOST: Final = 8192
HOWS: Final[tuple[Drawn, ...]] = (
    ("uniform", 1.0),
    ("predicates", 0.5),
    ("values", 0.5),
    ("which attributes", 0.25),
    ("which values", 0.25),
)


def domain() -> dict[str, int]:
    """The sizes of the attributes."""
    exponents = np.random.default_rng(SEED).integers(1, 4, ATTRIBUTES)
    return {f"a{a}": 10 ** int(exponent) for a, exponent in enumerate(exponents)}


def _overlap(graph: QueryGraph, clock: ProcessorClock) -> bool:
    return searched(graph, clock).exact


def _clique(graph: QueryGraph, clock: ProcessorClock) -> bool:
    return maximum_clique(graph, clock=clock).exact


def _colouring(graph: QueryGraph, clock: ProcessorClock) -> bool:
    return bool(next(iter(colourings(graph, [1] * graph.size, clock)))) and not clock.is_over


ALGORITHMS: Final[dict[str, Callable[[QueryGraph, ProcessorClock], bool]]] = {
    "colouring": _colouring,
    "clique": _clique,
    "overlap": _overlap,
}


def solves(name: str, how: Drawn, t: int) -> bool:
    """Whether a set of t queries is solved in time."""
    workload = drawn(t, how, 0, domain())
    clock, begin = ProcessorClock(LIMIT), time.process_time()
    try:
        done = ALGORITHMS[name](QueryGraph.of(workload, clock), clock)
    except ExactDPError:
        done = False
    print(name, how, t, done, round(time.process_time() - begin, 2), file=sys.stderr, flush=True)
    return done and time.process_time() - begin < LIMIT


def comfortable(name: str, how: Drawn) -> int:
    """The most queries that are solved, of powers of the fourth root of 2."""
    step = 0
    while FIRST << step <= MOST and solves(name, how, FIRST << step):
        step += 1
    low, high = 4 * step - 4, 4 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (middle, high) if solves(name, how, round(FIRST * 2 ** (middle / 4))) else (low, middle)
        )
    return round(FIRST * 2 ** (low / 4))


def main() -> None:
    """Measure what is not known yet."""
    parser = argparse.ArgumentParser(description="Section 7.1's percentages.")
    parser.add_argument("--algorithms", nargs="*", default=list(ALGORITHMS))
    for name in parser.parse_args().algorithms:
        for how in HOWS:
            known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
            if any((each["algorithm"], each["quantity"]) == (name, how[0]) for each in known):
                continue
            record: dict[str, object] = {"algorithm": name, "quantity": how[0], "part": how[1]}
            record["queries"] = comfortable(name, how)
            known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
            known.append(record)
            text = ",\n".join(map(json.dumps, known))
            RESULTS.write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()

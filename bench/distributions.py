r"""Utility gain by how queries are drawn, Figures 7, 9 and 10: ``python -m bench.distributions``.

Purpose: what parallel composition saves on the census-like domain where one of the four quantities
of section 7.1 is not drawn uniformly.

Rules of this file: seeds are fixed; an overlap or clique that is not proved within the paper's ten
seconds, here of processor time, has no gain; what was written before is kept.

Theory of operation: a query names m' attributes, and admits a' values of each. Uniformly, m' is
from 1 to m, a' from 1 to |A|, and sets of that size are equally likely. Instead, m' and a' may be
exponential, 1 at least and redrawn above the greatest; and attributes or values may be chosen one
after another with the weights of a normal distribution about the middle. The paper does not print
its scales and deviations; here they are quarters, halves and wholes of the range, and eighths,
quarters and halves.

Source: Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, "Making the Most of Parallel Composition in
Differential Privacy", PoPETs 2022, sections 7.1 and 7.2, and appendix C.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from bench.parallel import CENSUS, SEED, TENTH
from bench.published import ProcessorClock
from exactdp.workloads.colouring import best_colouring
from exactdp.workloads.composing import searched
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import maximum_clique
from exactdp.workloads.workload import Attribute, Query, Workload

RESULTS: Final = Path(__file__).with_suffix(".json")
LIMIT: Final = 10
SETS: Final = 3
EXPONENTIAL: Final = ("predicates", "values")
"""Quantities that are counts."""
NORMAL: Final = ("which attributes", "which values")
"""Quantities that are choices."""
SCALES: Final = (0.25, 0.5, 1.0)
DEVIATIONS: Final = (0.125, 0.25, 0.5)

Drawn = tuple[str, float]
"""The quantity that is not uniform, or none, and its scale or deviation as a part of the range."""


def _count(random: np.random.Generator, most: int, scale: float | None) -> int:
    if scale is None:
        return int(random.integers(1, most + 1))
    while True:
        count = 1 + int(random.exponential(scale * most))
        if count <= most:
            return count


def _chosen(
    random: np.random.Generator, size: int, count: int, deviation: float | None
) -> list[int]:
    if deviation is None:
        return [int(i) for i in random.choice(size, count, replace=False)]
    away = (np.arange(size) - (size - 1) / 2) / (deviation * size)
    keys = -away * away / 2 + random.gumbel(size=size)  # the greatest keys: one after another
    return [int(i) for i in np.argsort(-keys)[:count]]


def drawn(t: int, how: Drawn, number: int, domain: Mapping[str, int] = CENSUS) -> Workload:
    """A set of queries over a domain, by the sizes of its attributes; else the census-like one."""
    random = np.random.default_rng((SEED, t, number))
    parts = dict.fromkeys((*EXPONENTIAL, *NORMAL)) | {how[0]: how[1]}
    sizes = list(domain.values())
    queries = []
    for _ in range(t):
        where = {}
        count = _count(random, len(sizes), parts["predicates"])
        for a in _chosen(random, len(sizes), count, parts["which attributes"]):
            admitted = _count(random, sizes[a], parts["values"])
            values = _chosen(random, sizes[a], admitted, parts["which values"])
            where[a] = Coverage.of_values(values)
        queries.append(Query(TENTH, where))
    attributes = tuple(Attribute(name, size) for name, size in domain.items())
    return Workload(attributes, tuple(queries))


def _colours(graph: QueryGraph) -> int:
    return len(best_colouring(graph))


def _clique(graph: QueryGraph) -> int | None:
    found = maximum_clique(graph, clock=ProcessorClock(LIMIT))
    return found.lower if found.exact else None


def _overlap(graph: QueryGraph) -> int | None:
    found = searched(graph, ProcessorClock(LIMIT))
    return found.lower if found.exact else None


ALGORITHMS: Final[dict[str, tuple[Callable[[QueryGraph], int | None], tuple[int, ...]]]] = {
    "overlap": (_overlap, (20, 40, 60)),
    "clique": (_clique, (20, 40, 60, 80)),
    "colouring": (_colours, (50, 100, 200)),
}


def hows() -> Iterator[Drawn]:
    """Uniform, and every other distribution."""
    yield "uniform", 1.0
    for quantity in EXPONENTIAL:
        yield from ((quantity, scale) for scale in SCALES)
    for quantity in NORMAL:
        yield from ((quantity, deviation) for deviation in DEVIATIONS)


def main() -> None:
    """Measure what is not known yet."""
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
    done = {(each["algorithm"], each["t"], each["quantity"], each["part"]) for each in known}
    for name, (answer, counts) in ALGORITHMS.items():
        for t in counts:
            for how in hows():
                if (name, t, *how) in done:
                    continue
                found = [answer(QueryGraph.of(drawn(t, how, number))) for number in range(SETS)]
                gains = [None if each is None else round(1 - each / t, 4) for each in found]
                record = {"algorithm": name, "t": t, "quantity": how[0], "part": how[1]}
                known.append(record | {"gains": gains})
                print(json.dumps(known[-1]), file=sys.stderr, flush=True)
                text = ",\n".join(map(json.dumps, known))
                RESULTS.write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()

r"""The experiments of Smith et al., PoPETs 2022, section 7, repeated: ``python -m bench.parallel``.

Purpose: how many queries exact parallel composition can take, beside a baseline in the same run.

Rules of this file: results are printed as they come and written to ``bench/parallel.json``; nothing
is asserted. Every workload is generated from a fixed seed, before the clock starts.

Theory of operation: section 7.1 draws queries over m attributes of ten values, a domain of 10^m:
each names every attribute, or a number of them drawn uniformly, and admits a number of values drawn
from a distribution: an easier generator than the paper's, whose attributes have 10^k values, k
uniform from 1 to 6, and whose queries name from 1 to m of them; ``--paper M,K`` asks that one, with
k up to K. Section 7.2 takes prefixes of income times {any, = v} on four attributes: 30 samples of
the list for each number of queries, and the whole of 3.6 million by its structure. Two baselines do
what the paper's exact algorithms do: Proposition 3 for every pair of queries, then networkx's
enumeration of maximal cliques. One looks at every attribute of a pair; the other, a courtesy, stops
at the first attribute that separates it. Section 7.3's table follows from γ and t.

Source: Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, "Making the Most of Parallel Composition in
Differential Privacy", PoPETs 2022, section 7.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from statistics import mean
from typing import Final, cast

from bench import machine
from exactdp.mechanisms import Mechanism
from exactdp.timing.clock import Clock
from exactdp.workloads.colouring import best_colouring
from exactdp.workloads.composing import searched
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.product import ProductWorkload
from exactdp.workloads.workload import Attribute, Query, Workload

RESULTS: Final = Path(__file__).with_suffix(".json")
VALUES: Final = 10
SEED: Final = 2022
DOMAINS: Final = ((20_000, 10_000, 1000, 100, 10), (10, 100))
"""Exponents of ten; the second for a quick run."""
TENTH: Final = Mechanism("1/10")
CENSUS: Final = {"income": 5000, "age": 5, "marital": 4, "race": 7, "gender": 2}

SETS: Final = 30
CENSUS_COUNTS: Final = (25, 50, 100, 200, 500, 1000, 1350, 2000)
COUNTS: Final = (25, 35, 50, 70, 100, 140, 200, 280, 400)
_PARTS: Final = ("graph seconds", "search seconds", "colouring seconds")

Draw = Callable[[Random], int]
Record = dict[str, object]
Cell = tuple[str, str, Workload, bool]
"""Section, name, workload, and whether the baselines are asked too."""

SHAPES: Final[Mapping[str, Draw]] = {
    "uniform": lambda random: random.randint(1, VALUES),
    "binomial": lambda random: max(1, sum(random.random() < 0.5 for _ in range(VALUES))),
    "geometric": lambda random: next(
        k for k in range(1, 99) if random.random() < 0.5 or k == VALUES
    ),
}
"""How many of its attribute's values a predicate admits."""


def coverages() -> list[list[Coverage]]:
    """All coverages of an attribute, by how many values they admit."""
    found: list[list[Coverage]] = [[] for _ in range(VALUES + 1)]
    for bits in range(1 << VALUES):
        values = [v for v in range(VALUES) if bits >> v & 1]
        found[len(values)].append(Coverage.of_values(values))
    return found


def wide(t: int, m: int, shape: str, *, every: bool) -> Workload:
    """Queries that name every one of m attributes, or a uniform number up to 30·√m of them."""
    random = Random(SEED)  # noqa: S311 (a fixed sample)
    known, draw = coverages(), SHAPES[shape]
    most = min(m, 30 * int(m**0.5))
    queries = []
    for _ in range(t):
        names = range(m) if every else random.sample(range(m), random.randint(1, most))
        where = {a: random.choice(known[draw(random)]) for a in names}
        queries.append(Query(TENTH, where))
    return Workload(tuple(Attribute(f"a{a}", VALUES) for a in range(m)), tuple(queries))


def census() -> ProductWorkload:
    """The whole census-like workload: 3.6 million queries."""
    prefixes = tuple(Coverage.of([(0, i)]) for i in range(1, CENSUS["income"] + 1))
    others = (
        (None, *(Coverage.of_values([v]) for v in range(size)))
        for name, size in CENSUS.items()
        if name != "income"
    )
    attributes = tuple(Attribute(name, size) for name, size in CENSUS.items())
    return ProductWorkload(attributes, (prefixes, *others), TENTH)


def as_published(t: int, m: int, most: int, seed: int) -> Workload:
    """The generator of section 7.1: m attributes of 10^k values, k uniform from 1 to ``most``."""
    random = Random(seed)  # noqa: S311 (a fixed sample)
    sizes = [10 ** random.randint(1, most) for _ in range(m)]
    queries = []
    for _ in range(t):
        names = random.sample(range(m), random.randint(1, m))
        values = {a: random.sample(range(sizes[a]), random.randint(1, sizes[a])) for a in names}
        queries.append(Query(TENTH, {a: Coverage.of_values(v) for a, v in values.items()}))
    return Workload(tuple(Attribute(f"a{a}", n) for a, n in enumerate(sizes)), tuple(queries))


def published(m: int, most: int, *, sets: int, limit: int) -> Iterator[Record]:
    """More and more queries by the paper's generator, as long as half of the sets are solved."""
    for t in COUNTS:
        found = [own(as_published(t, m, most, SEED + i), limit) for i in range(sets)]
        graphs = [
            baseline(as_published(t, m, most, SEED + i), limit, thorough=False) for i in range(sets)
        ]
        ours = [each for each in found if each["lower"] == each["upper"]]
        theirs = [each for each in graphs if "clique" in each]
        yield {
            "section": "7.1",
            "name": f"as published, m = {m}, k up to {most}",
            "t": t,
            "sets": sets,
            "limit": limit,
            "solved": len(ours),
            "baseline solved": len(theirs),
            "ends": [[each["lower"], each["upper"], each["colours"]] for each in found],
        }
        if 2 * max(len(ours), len(theirs)) < sets:
            return


def census_sets(t: int, limit: int) -> Record:
    """Thirty samples of the census-like workload: what they save, and how long it takes."""
    found = [own(census_sample(t, SEED + i), limit) for i in range(SETS)]
    overlaps = [cast("int", each["lower"]) for each in found]
    seconds = [sum(cast("float", each[part]) for part in _PARTS) for each in found]
    return {
        "section": "7.2",
        "name": "census-like, thirty samples",
        "t": t,
        "solved": sum(each["lower"] == each["upper"] for each in found),
        "overlap": {"mean": mean(overlaps), "least": min(overlaps), "most": max(overlaps)},
        "gain": {
            "mean": round(1 - mean(overlaps) / t, 4),
            "least": round(1 - max(overlaps) / t, 4),
            "most": round(1 - min(overlaps) / t, 4),
        },
        "sets with more classes": sum(each["colours"] != each["lower"] for each in found),
        "seconds": round(mean(seconds), 3),
    }


def census_sample(t: int, seed: int = SEED) -> Workload:
    """Queries drawn from the whole, one by one and with repetition."""
    random, whole = Random(seed), census()  # noqa: S311 (a fixed sample)
    queries = []
    for _ in range(t):
        drawn = [random.choice(family) for family in whole.families]
        queries.append(Query(TENTH, {a: c for a, c in enumerate(drawn) if c is not None}))
    return Workload(whole.attributes, tuple(queries))


def own(workload: Workload, limit: int) -> Record:
    """γ, exactly or enclosed, and a colouring."""
    begin = time.perf_counter()
    graph = QueryGraph.of(workload)
    built = time.perf_counter()
    most = searched(graph, Clock(limit))
    found = time.perf_counter()
    colours = len(best_colouring(graph, enough=most.lower, clock=Clock(limit)))
    return {
        "lower": most.lower,
        "upper": min(most.upper, colours),
        "colours": colours,
        "graph seconds": round(built - begin, 3),
        "search seconds": round(found - built, 3),
        "colouring seconds": round(time.perf_counter() - found, 3),
    }


def baseline(workload: Workload, limit: int, *, thorough: bool) -> Record:
    """Every pair by Proposition 3, then networkx's maximal cliques, within a time limit.

    ``thorough``: along every attribute that both name, even if one has separated them.
    """
    import networkx as nx  # noqa: PLC0415 (an extra)

    where = [
        {a: {v for lo, hi in c.ranges for v in range(lo, hi)} for a, c in query.where.items()}
        for query in workload
    ]
    disjoint = _separated if thorough else _disjoint
    begin = time.perf_counter()
    graph = nx.Graph()
    graph.add_nodes_from(range(len(where)))
    for i, one in enumerate(where):
        if time.perf_counter() - begin > limit:
            return {"seconds": "over the limit, comparing pairs"}
        graph.add_edges_from((i, j) for j in range(i) if not disjoint(one, where[j]))
    most = 0
    for clique in nx.find_cliques(graph):
        most = max(most, len(clique))
        if time.perf_counter() - begin > limit:
            return {"seconds": "over the limit, enumerating cliques"}
    return {"clique": most, "seconds": round(time.perf_counter() - begin, 3)}


def _disjoint(one: dict[int, set[int]], other: dict[int, set[int]]) -> bool:
    few, many = (one, other) if len(one) <= len(other) else (other, one)
    return any(a in many and values.isdisjoint(many[a]) for a, values in few.items())


def _separated(one: dict[int, set[int]], other: dict[int, set[int]]) -> bool:
    few, many = (one, other) if len(one) <= len(other) else (other, one)
    return sum(a in many and values.isdisjoint(many[a]) for a, values in few.items()) > 0


def records(*, quick: bool, limit: int, exponents: Sequence[int]) -> Iterator[Record]:
    """Section 7.1 for these domain sizes, and section 7.2; or the former alone."""
    cells = [_wide_cells(m, quick=quick) for m in exponents or DOMAINS[quick]]
    if not exponents:
        cells.append(_census_cells(quick=quick))
    for section, name, workload, with_baseline in chain.from_iterable(cells):
        record: Record = {"section": section, "name": name, "t": len(workload)}
        record |= {"exactdp": own(workload, limit)}
        if with_baseline:
            record["baseline"] = baseline(workload, limit, thorough=True)
            record["courteous baseline"] = baseline(workload, limit, thorough=False)
        yield record
    if not exponents:
        yield _whole_census()
        for t in (25, 200) if quick else CENSUS_COUNTS:
            yield census_sets(t, limit)


def _whole_census() -> Record:
    begin = time.perf_counter()
    whole = census()
    most, row = whole.overlap
    return {
        "section": "7.2",
        "name": "census-like, the whole",
        "t": len(whole),
        "exactdp": {"lower": most, "upper": most, "row": list(row)},
        "seconds": round(time.perf_counter() - begin, 3),
    }


def _wide_cells(m: int, *, quick: bool) -> Iterator[Cell]:
    for shape in SHAPES:
        counts = (100, 350) if quick or m < 100 else (100, 200, 350, 1000, 2000, 3500)
        for t in counts:
            if t * m <= (4 * 10**7 if shape == "uniform" else 10**6):
                name = f"10^{m}, {shape}, every attribute"
                yield "7.1", name, wide(t, m, shape, every=True), t * m <= 10**7
    for t in (25, 50, 100) if quick else (50, 100, 200):
        name = f"10^{m}, uniform, some attributes"
        yield "7.1", name, wide(t, m, "uniform", every=False), True


def _census_cells(*, quick: bool) -> Iterator[Cell]:
    for t in (25, 200) if quick else CENSUS_COUNTS:
        yield "7.2", "census-like, a sample", census_sample(t), True


def main() -> None:
    """Run, print and write."""
    parser = argparse.ArgumentParser(description="The experiments of Smith et al., section 7.")
    parser.add_argument("--quick", action="store_true", help="small workloads alone")
    parser.add_argument("--limit", type=int, default=60, help="seconds for each search")
    parser.add_argument(
        "--domain", type=int, action="append", help="section 7.1 alone, over 10^DOMAIN; repeatable"
    )
    parser.add_argument("--paper", metavar="M,K", help="the paper's generator alone")
    parser.add_argument("--sets", type=int, default=SETS, help="of --paper, for each t")
    parser.add_argument("--census", action="store_true", help="thirty sets for each t alone")
    parser.add_argument("--write", action="store_true", help="write bench/parallel.json")
    options = parser.parse_args()
    known = json.loads(RESULTS.read_text(encoding="utf-8"))["records"] if RESULTS.exists() else []
    results = {_place(record): record for record in known}
    asked = records(quick=options.quick, limit=options.limit, exponents=options.domain or ())
    if options.paper:
        m, most = map(int, options.paper.split(","))
        asked = published(m, most, sets=options.sets, limit=options.limit)
    if options.census:
        asked = (census_sets(t, options.limit) for t in CENSUS_COUNTS)
    for record in asked:
        results[_place(record)] = record
        print(json.dumps(record), file=sys.stderr, flush=True)
        if options.write:
            found = {"machine": dict(machine.description()), "limit": options.limit}
            text = json.dumps(found | {"records": list(results.values())}, indent=1)
            RESULTS.write_text(text + "\n", encoding="utf-8")


def _place(record: Record) -> tuple[object, ...]:
    """What a record is about."""
    return record["section"], record["name"], record["t"]


if __name__ == "__main__":
    main()

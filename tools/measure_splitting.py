"""Large single problems, on one core and on several: seconds of each, and that nothing differs."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable
from functools import partial
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

_SEED: Final = 20261122
_MESH: Final = mpq(1, 10**4)
_BITS: Final = 160


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
    chance = random.Random(_SEED)  # noqa: S311 (parameters, not secrets)
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
    chance = random.Random(_SEED)  # noqa: S311 (workloads, not secrets)
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

"""Components of a workload that take long are searched in processes, to the same answer."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Final

import pytest

from exactdp.composition.engines.splitting import use_cores
from exactdp.many.mapping import Calls
from exactdp.workloads import overlap
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.overlap import Heaviest, maximum_clique, maximum_overlap
from tests.workloads.workloads import workload

SEED: Final = 20261122
COMPONENTS: Final = 3


def several_components(chance: Random) -> QueryGraph:
    """Queries on pairs of attributes: those on different pairs are never disjoint."""
    queries = [
        {2 * component + axis: chance.sample(range(5), chance.randint(1, 3)) for axis in range(2)}
        for component in range(COMPONENTS)
        for _ in range(12)
    ]
    return QueryGraph.of(workload([5] * (2 * COMPONENTS), queries))


def both(graph: QueryGraph, weights: list[int]) -> list[Heaviest]:
    return [maximum_overlap(graph, weights), maximum_clique(graph, weights)]


@pytest.mark.slow
def test_components_in_processes_have_the_answer_of_one_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = Random(SEED)  # noqa: S311 (workloads, not secrets)
    graphs = [several_components(chance) for _ in range(3)]
    weights = [chance.randint(1, 9) for _ in range(graphs[0].size)]
    alone = [both(graph, weights) for graph in graphs]
    monkeypatch.setattr(overlap, "_FEW_ROUNDS", 0)
    sent: list[int] = []
    with contextlib.closing(Calls(2)) as calls:

        def mapper(function: Callable[[Any], Any], values: Sequence[Any], /) -> Iterable[Any]:
            sent.append(len(values))
            return calls(function, values)

        with use_cores(2, mapper):
            split = [both(graph, weights) for graph in graphs]
    assert split == alone
    assert sent == [COMPONENTS] * len(sent) != []


def test_a_search_that_is_interrupted_and_resumed_finds_what_it_would_have_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = several_components(Random(SEED))  # noqa: S311 (as above)
    weights = [1 + number % 7 for number in range(graph.size)]
    alone = both(graph, weights)
    monkeypatch.setattr(overlap, "_FEW_ROUNDS", 0)
    assert both(graph, weights) == alone

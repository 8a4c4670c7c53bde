r"""Case trees: colourings that may differ from case to case, for what no colouring can show.

Purpose: an upper bound as easy to check as a colouring's, which reaches γ where γ < χ: the rows are
sorted into cases by their values, and each case has classes of its own.

Rules of this file: whatever is returned keeps within the parameters that were aimed at, case by
case; which splits were chosen affects how large the tree is, never whether it holds. None stands
for: not found within the limits.

Theory of operation: a case is a workload whose coverages are narrowed to its rows, without the
queries of which nothing is left. If its colouring, heaviest classes first, has no class heavier
than what is aimed at for its position, the case is a leaf. Else its rows are split by one value of
one attribute, so that both halves lose as many queries as they can, as far as the least and the
greatest value of each query tell. The aim is what the costliest row meets, so that a tree that
is found shows the optimum.

Sources: certs/SPEC.md, section 11.18; Smith et al., PoPETs 2022, sections 5 and 6.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Final

from exactdp.timing.clock import Clock
from exactdp.workloads.colouring import Colouring, best_colouring
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.workload import MAX_SIZE, Query, Workload

_MOST_NODES: Final = 20_000
_MOST_DEPTH: Final = 400


@dataclass(frozen=True, slots=True)
class Split:
    """Two cases: rows whose value of an attribute is below a number, and the others."""

    attribute: int
    below: int


CaseTree = tuple[Split | Colouring, ...]
"""Nodes in depth-first order, the lower half of a split first; a case by its colouring."""


def colourings_of(tree: CaseTree) -> Iterator[Colouring]:
    """The colourings of the cases."""
    return (node for node in tree if not isinstance(node, Split))


def joined_classes(tree: CaseTree) -> Colouring:
    """The first classes of all cases joined, the second ones, and so on."""
    return joined_positions(colourings_of(tree))


def joined_positions(colourings: Iterable[Colouring]) -> Colouring:
    """What stands first in all of them, second, and so on; each query once."""
    joined = zip_longest(*colourings, fillvalue=())
    return tuple(tuple(dict.fromkeys(chain.from_iterable(colours))) for colours in joined)


def depth_of(tree: Sequence[object]) -> int:
    """The most splits above a case."""
    deepest, waiting = 0, [0]
    for node in tree:
        depth = waiting.pop()
        deepest = max(deepest, depth)
        if isinstance(node, Split):
            waiting += [depth + 1] * 2
    return deepest


def case_tree(
    workload: Workload, weights: Sequence[int], aim: Sequence[int], clock: Clock
) -> CaseTree | None:
    """A tree each of whose cases keeps within what is aimed at.

    Args:
        workload: queries of one notion of privacy.
        weights: integers >= 0 that grow with the queries' parameters.
        aim: the weights of the mechanisms that shall be enough.
        clock: when to stop.
    """
    aim = sorted(aim, reverse=True)
    tree: list[Split | Colouring] = []
    waiting = [(RowCase.whole(workload), 0)]
    while waiting:
        if clock.is_over or len(tree) + len(waiting) > _MOST_NODES:
            return None
        case, depth = waiting.pop()
        colouring = case.colouring(weights, aim, clock)
        if colouring is not None:
            tree.append(colouring)
            continue
        split = case.best_split()
        if split is None or depth == _MOST_DEPTH:
            return None
        tree.append(split)
        waiting += [(half, depth + 1) for half in reversed(case.halves(split))]
    return tuple(tree)


@dataclass(frozen=True, slots=True)
class RowCase:
    """The queries that rows of a case may meet, narrowed, and their numbers in the whole."""

    workload: Workload
    numbers: tuple[int, ...]

    @staticmethod
    def whole(workload: Workload) -> RowCase:
        """The case of all rows."""
        live = [i for i, query in enumerate(workload) if not query.is_contradiction]
        queries = tuple(workload.queries[i] for i in live)
        return RowCase(replace(workload, queries=queries), tuple(live))

    def colouring(
        self, weights: Sequence[int], aim: Sequence[int], clock: Clock
    ) -> Colouring | None:
        """Classes, heaviest first, none of them heavier than what is aimed at for it."""
        classes = self.classes(weights, sum(aim), clock)
        heaviest = [max(weights[i] for i in colour) for colour in classes]
        return classes if is_within(heaviest, aim) else None

    def classes(self, weights: Sequence[int], enough: int, clock: Clock) -> Colouring:
        """The best classes found, heaviest first; none better than ``enough`` are sought."""
        own = [weights[i] for i in self.numbers]
        graph = QueryGraph.of(self.workload, clock)
        found = best_colouring(graph, own, enough=enough, clock=clock)
        ordered = sorted(found, key=lambda colour: max(own[i] for i in colour), reverse=True)
        return tuple(tuple(self.numbers[i] for i in colour) for colour in ordered)

    def best_split(self) -> Split | None:
        """The split whose halves both lose most queries; None if all rows meet the same."""
        ends: dict[int, list[tuple[int, ...]]] = {}
        for query in self.workload:
            for attribute, coverage in query.where.items():
                named = ends.setdefault(attribute, [])
                named.append(tuple(end for pair in coverage.ranges for end in pair))
        splits = (
            ((min(low, high), low + high), Split(attribute, value))
            for attribute, named in ends.items()
            for value, low, high in _lost(named)
        )
        return max(splits, key=lambda found: found[0], default=(None, None))[1]

    def halves(self, split: Split) -> tuple[RowCase, RowCase]:
        """The rows below, and the others."""
        low = self._narrowed(split.attribute, Coverage.of([(0, split.below)]))
        return low, self._narrowed(split.attribute, Coverage.of([(split.below, MAX_SIZE)]))

    def _narrowed(self, attribute: int, half: Coverage) -> RowCase:
        numbered = zip(self.numbers, self.workload, strict=True)
        halved = ((i, _met(query, attribute, half)) for i, query in numbered)
        kept = [(i, query) for i, query in halved if not query.is_contradiction]
        queries = tuple(query for _, query in kept)
        return RowCase(replace(self.workload, queries=queries), tuple(i for i, _ in kept))


def is_within(weights: Sequence[int], aim: Sequence[int]) -> bool:
    """Whether as many weights are aimed at, each as great; both begin with the greatest."""
    pairs = zip(weights, aim, strict=False)
    return len(weights) <= len(aim) and all(weight <= most for weight, most in pairs)


def _met(query: Query, attribute: int, half: Coverage) -> Query:
    """What a query asks of the rows of a half."""
    if attribute not in query.where:
        return query
    return replace(query, where={**query.where, attribute: query.where[attribute].meet(half)})


def _lost(named: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, int, int]]:
    """For each value to split at, how many queries the lower half loses, and the upper.

    Of the queries that name an attribute the ends of their ranges are given.
    """
    least = sorted(ends[0] for ends in named)
    last = sorted(ends[-1] for ends in named)
    for value in sorted({end for ends in named for end in ends}):
        if least[0] < value < last[-1]:
            yield value, len(least) - bisect_left(least, value), bisect_right(last, value)

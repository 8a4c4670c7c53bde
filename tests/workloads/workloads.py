"""Small workloads, and what they are by enumerating every row: the judge of all searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, count, product
from random import Random

from hypothesis import strategies as st

from exactdp.mechanisms import Entry, Mechanism
from exactdp.timing.clock import Clock
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.workload import Attribute, Query, Workload


class PatientClock(Clock):
    """A clock that is over once it was asked so many times: time that is up at any instant."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._left = times

    @property
    def is_over(self) -> bool:
        self._left -= 1
        return self._left < 0

    def share(self, part: float) -> PatientClock:
        return PatientClock(int(self._left * part))


def stepping(step: int = 10**7) -> Callable[[], int]:
    """A clock by which so many nanoseconds pass whenever it is read: as fast on every machine."""
    reads = count()
    return lambda: step * next(reads)


PARAMETERS = [("1/10", "0"), ("1/2", "1e-3"), ("ln(2)", "0"), ("0", "1/50")]


def workload(
    sizes: Sequence[int],
    queries: Sequence[Mapping[int, Sequence[int]]],
    mechanisms: Sequence[Entry] | None = None,
) -> Workload:
    """Queries given by the values that they admit."""
    entries: Sequence[Entry] = mechanisms or [Mechanism("1/10") for _ in queries]
    return Workload(
        tuple(Attribute(f"a{i}", size) for i, size in enumerate(sizes)),
        tuple(
            Query(entry, {a: Coverage.of_values(values) for a, values in where.items()})
            for entry, where in zip(entries, queries, strict=True)
        ),
    )


def at_random(random: Random, *, most_queries: int = 9, kinds: int = 1) -> Workload:
    """A workload of up to 4 attributes of up to 4 values."""
    sizes = [random.randint(1, 4) for _ in range(random.randint(1, 4))]
    queries = [
        {
            a: [value for value in range(size) if random.random() < 0.55]
            for a, size in enumerate(sizes)
            if random.random() < 0.7
        }
        for _ in range(random.randint(0, most_queries))
    ]
    mechanisms = [Mechanism(*PARAMETERS[random.randrange(kinds)]) for _ in queries]
    return workload(sizes, queries, mechanisms)


def workloads(kinds: int = 1) -> st.SearchStrategy[Workload]:
    """Such workloads, for laws."""
    return st.randoms(use_true_random=False).map(lambda r: at_random(r, kinds=kinds))


def met_sets(workload: Workload) -> set[frozenset[int]]:
    """For every row of the domain, the queries that it meets."""
    rows = product(*(range(attribute.size) for attribute in workload.attributes))
    return {
        frozenset(i for i, query in enumerate(workload) if query.admits(dict(enumerate(row))))
        for row in rows
    }


def heaviest(sets: set[frozenset[int]], weights: Sequence[int]) -> int:
    """The weight of the heaviest set."""
    return max(sum(weights[i] for i in each) for each in sets)


def heaviest_clique(workload: Workload, weights: Sequence[int]) -> int:
    """The weight of the heaviest set of queries that overlap in pairs, over all sets."""
    live = [i for i, query in enumerate(workload) if not query.is_contradiction]
    return max(
        sum(weights[i] for i in each)
        for size in range(len(live) + 1)
        for each in combinations(live, size)
        if all(
            not workload.queries[i].disjoint(workload.queries[j]) for i, j in combinations(each, 2)
        )
    )

r"""The rule ``shares``: a workload from above, by shares of its queries in their attributes.

Rules of this file: as in ``parallel.py``. A share is an integer, so that all is exact.

Theory of operation: each query's unit is shared among the attributes that it names. A row has one
value of each attribute, and satisfies a query only if the query admits all of these values. So what
a row satisfies, times the unit, is at most the sum, over the attributes, of the shares of all
queries that admit its value there; and this at most the sum of each attribute's greatest.

Sources: certs/SPEC.md, section 11.25; Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, "Making the
Most of Parallel Composition in Differential Privacy", PoPETs 2022, Definition 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import ClassVar, Never

from ..format.meter import pay
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer
from ..format.strict_json import Json
from .domination import greatest
from .ledger import Entry
from .parallel import MAX_INDEX, WorkloadReduction, size_of
from .rule import parameter
from .workload import ADDED, Query, Workload


def _read_shares(value: Json) -> list[list[int]]:
    return [
        [integer(share, 0, MAX_INDEX, "share") for share in array(each, "shares of a query")]
        for each in array(value, "shares")
    ]


def _read_unit(value: Json) -> int:
    return integer(value, 1, MAX_INDEX, "unit")


@dataclass(frozen=True)
class Shares(WorkloadReduction):
    """From above: as many mechanisms as a row satisfies queries at most, each the greatest."""

    name: ClassVar[str] = "shares"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)
    relations: ClassVar[tuple[str, ...]] = (ADDED,)

    shares: Sequence[Sequence[int]] = parameter(_read_shares)
    unit: int = parameter(_read_unit)

    def require(self, workload: Workload) -> None:
        """A share for each clause of each query, none of which is given by its noise."""
        if "noise" in workload.families:
            raise RejectedError("is not about mechanisms given by noise")
        if [len(each) for each in self.shares] != [len(q.where) for q in workload.queries]:
            raise MalformedError("shares: not one for each clause of each query")

    def entries(self, workload: Workload) -> Iterable[Entry]:
        """The greatest of all that some row satisfies, as often as the shares allow."""
        pay(3000 * sum(map(size_of, workload.queries)))
        met = [query for query in workload.queries if _is_met(query)]
        if met:
            most = min(self._most(workload), len(met))
            yield from repeat(greatest([each.entry for each in met]), most)

    def check_given(self, workload: Workload, _premises: Sequence[Never]) -> None:
        """The shares of what some row satisfies make up the unit, unless it has no clause."""
        pay(500 * sum(map(size_of, workload.queries)))
        for i, (query, shares) in enumerate(zip(workload.queries, self.shares, strict=True)):
            if shares and _is_met(query) and sum(shares) < self.unit:
                raise RejectedError(f"the shares of query {i} are less than the unit")

    def _most(self, workload: Workload) -> int:
        """How many queries a row satisfies at most."""
        pay(3000 * sum(map(size_of, workload.queries)))
        everywhere, steps = 0, dict[int, dict[int, int]]()
        for query, shares in zip(workload.queries, self.shares, strict=True):
            if not _is_met(query):
                continue
            everywhere += not shares
            for (attribute, ranges), share in zip(sorted(query.where.items()), shares, strict=True):
                at = steps.setdefault(attribute, {})
                for low, high in ranges:
                    at[low] = at.get(low, 0) + share
                    at[high] = at.get(high, 0) - share
        heaviest = sum(map(_greatest_sum, steps.values()))
        return everywhere + heaviest // self.unit


def _is_met(query: Query) -> bool:
    """Whether some row satisfies it: each of its clauses admits a value."""
    return all(query.where.values())


def _greatest_sum(steps: dict[int, int]) -> int:
    """The greatest sum of shares at a value, from how the sum changes."""
    pay(300 * len(steps))
    most = now = 0
    for place in sorted(steps):
        now += steps[place]
        most = max(most, now)
    return most

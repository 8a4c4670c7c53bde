r"""Reductions of a workload to a ledger, and the one from below: ``rows``.

Rules of this file: a reduction concludes no bound but a ledger, and says for which kind of bound
that ledger may stand in for the workload; what it relies on is checked, and nothing else is used.

Theory of operation: adding or removing a row touches the queries that the row satisfies and no
others, all in the same direction; replacing it touches those of the old row and those of the new
one. Hence, from below, the mechanisms of all queries that the given rows satisfy compose as a
ledger does, and their worst case is one of the workload.

Sources: certs/SPEC.md, sections 8 and 11.17; Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler,
"Making the Most of Parallel Composition in Differential Privacy", PoPETs 2022.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Final, Never, TypeAlias

from ..format.meter import pay
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, increasing, integer
from ..format.strict_json import Json
from ..kernel import Form, Judgement, StandsIn
from .by_noise import REPLACED
from .ledger import ALL_FAMILIES, Entry, Ledger
from .reduction import Reduction
from .rule import parameter
from .workload import ADDED, Query, Ranges, Workload

MAX_INDEX: Final = 10**18

Row: TypeAlias = Mapping[int, int]
"""The value of each attribute that is named; of all others it is 0."""


class WorkloadReduction(Reduction[Workload]):
    """A rule that concludes that a ledger stands in for a workload."""

    form: ClassVar[Form] = Form(Workload, by=Ledger)
    families: ClassVar[frozenset[str]] = ALL_FAMILIES

    @abstractmethod
    def entries(self, workload: Workload) -> Iterable[Entry]:
        """What stands in, one mechanism after the other."""

    def conclude(self, workload: Workload, _premises: Sequence[Never]) -> Judgement:
        """The ledger of these, between the same neighbours."""
        ledger = Ledger.merged(self.entries(workload))
        return StandsIn(workload, ledger.among(workload.relation), self.kind)


def size_of(query: Query) -> int:
    """The number of clauses and ranges of a query, and 1."""
    return 1 + sum(1 + len(ranges) for ranges in query.where.values())


# --- the row of a witness -----------------------------------------------------------------------


def read_row(value: Json) -> Row:
    """A row by its values, the attributes increasing."""
    pairs = [array(each, "row") for each in array(value, "row")]
    if any(len(pair) != 2 for pair in pairs):
        raise MalformedError("row: not a pair of attribute and value")
    attributes = [integer(each, 0, MAX_INDEX, "attribute") for each, _ in pairs]
    values = [integer(each, 0, MAX_INDEX, "value") for _, each in pairs]
    return dict(zip(increasing(attributes, "the attributes of a row"), values, strict=True))


def satisfies(row: Row, query: Query) -> bool:
    """Whether a row has the values that a query asks for."""
    return all(
        any(low <= row.get(attribute, 0) < high for low, high in ranges)
        for attribute, ranges in query.where.items()
    )


def _read_rows(value: Json) -> tuple[Row, ...]:
    return tuple(read_row(each) for each in array(value, "rows"))


@dataclass(frozen=True)
class Rows(WorkloadReduction):
    """From below: the mechanisms of all queries that a row satisfies, or one of two.

    One row is added or removed; of two different ones, one replaces the other.
    """

    name: ClassVar[str] = "rows"
    kinds: ClassVar[tuple[str, ...]] = ("lower",)
    relations: ClassVar[tuple[str, ...]] = (ADDED, REPLACED)

    rows: tuple[Row, ...] = parameter(_read_rows)

    def require(self, workload: Workload) -> None:
        """Rows of this domain, as many as a neighbour changes."""
        for attribute, value in (each for row in self.rows for each in row.items()):
            if attribute >= len(workload.domain):
                raise MalformedError("row: an attribute that is not in the domain")
            if value >= workload.domain[attribute].size:
                raise MalformedError("row: a value that its attribute does not have")
        needed = 1 if workload.relation == ADDED else 2
        if len(self.rows) != needed:
            raise MalformedError(f"{len(self.rows)} rows, where a neighbour changes {needed}")
        one, other = self.rows[0], self.rows[-1]
        if needed > 1 and all(one.get(each, 0) == other.get(each, 0) for each in {*one, *other}):
            raise RejectedError("the two rows are the same")

    def entries(self, workload: Workload) -> Iterable[Entry]:
        """Found by asking every query."""
        pay(500 * len(self.rows) * sum(map(size_of, workload.queries)))
        for query in workload.queries:
            if any(satisfies(row, query) for row in self.rows):
                yield query.entry

    def check_given(self, _workload: Workload, _premises: Sequence[Never]) -> None:
        """Nothing is left to check."""


# --- queries that no row satisfies together ------------------------------------------------------


def disjoint(one: Mapping[int, Ranges], other: Mapping[int, Ranges]) -> bool:
    """Whether no row satisfies both: an attribute has no common value, or none at all."""
    for attribute, ranges in one.items():
        if not ranges or (attribute in other and not _meet(ranges, other[attribute])):
            return True
    return not all(other.values())


def _meet(one: Ranges, other: Ranges) -> bool:
    """Whether two sets have a value in common: then ranges next to each other have one."""
    return any(after[0] < before[1] for before, after in pairwise(sorted((*one, *other))))

r"""Reductions of a workload to a ledger: ``overlap-witness`` and ``parallel-colouring``.

Rules of this file: a reduction concludes no bound but a ledger, and says for which kind of bound
that ledger may stand in for the workload; what it relies on is checked, and nothing else is used.

Theory of operation: adding or removing a row touches the queries that the row satisfies and no
others. Hence, from below, the mechanisms of all queries that one given row satisfies compose as a
ledger does, and their worst case is one of the workload. From above, a row satisfies at most one
query of a class whose queries are disjoint in pairs, so that one mechanism with the greatest
parameters of the class stands for all of it.

Sources: certs/SPEC.md, section 10; Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler,
"Making the Most of Parallel Composition in Differential Privacy", PoPETs 2022.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar, Final, Never, TypeAlias, TypeVar

from ..arithmetic.signs import sign
from ..format.meter import pay
from ..format.numbers import canonical, rational_text
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer
from ..format.strict_json import Json
from ..kernel import Form, Judgement, StandsIn
from .ledger import Entry, Ledger, Mechanism, Scaled
from .reduction import Reduction
from .rule import parameter
from .workload import Conjunction, Q, Queries, Query, Ranges, Workload

MAX_INDEX: Final = 10**18

Row: TypeAlias = Mapping[int, int]
"""The value of each attribute that is named; of all others it is 0."""

Classes: TypeAlias = Sequence[Sequence[int]]
"""Queries by number, in classes."""


W = TypeVar("W", bound=Queries[Any])


class WorkloadReduction(Reduction[Workload]):
    """A rule that concludes that a ledger stands in for a workload."""

    form: ClassVar[Form] = Form(Workload, by=Ledger)


def of_pairs(sizes: Sequence[int], colour: Sequence[int]) -> int:
    """What it takes to compare any two queries of a class."""
    return 500 * len(colour) * sum(sizes[i] for i in colour)


def size_of(query: Conjunction) -> int:
    """The number of clauses and ranges of a query, and 1."""
    return 1 + sum(1 + len(ranges) for ranges in query.where.values())


def merged(entries: Iterable[Entry]) -> Ledger:
    """Equal entries merged, in the order of the format."""
    listed = list(entries)
    counts = Counter(texts for texts, _ in listed)
    return Ledger.of(
        (texts, replace(entry, count=counts[texts]))
        for texts, entry in sorted(dict(listed).items())
    )


# --- the row of a witness -----------------------------------------------------------------------


def read_row(value: Json) -> Row:
    """A row by its values, the attributes increasing."""
    row: dict[int, int] = {}
    previous = -1
    for pair in array(value, "row"):
        texts = array(pair, "row")
        if len(texts) != 2:
            raise MalformedError("row: not a pair of attribute and value")
        attribute = integer(texts[0], 0, MAX_INDEX, "attribute")
        if attribute <= previous:
            raise MalformedError("the attributes of a row are not increasing")
        previous = attribute
        row[attribute] = integer(texts[1], 0, MAX_INDEX, "value")
    return row


def require_row(row: Row, workload: Queries[Any]) -> None:
    """A row of this domain."""
    for attribute, value in row.items():
        if attribute >= len(workload.domain):
            raise MalformedError("row: an attribute that is not in the domain")
        if value >= workload.domain[attribute].size:
            raise MalformedError("row: a value that its attribute does not have")


def satisfies(row: Row, query: Conjunction) -> bool:
    """Whether a row has the values that a query asks for."""
    return all(
        any(low <= row.get(attribute, 0) < high for low, high in ranges)
        for attribute, ranges in query.where.items()
    )


def satisfying(workload: Queries[Q], *rows: Row) -> list[Q]:
    """All queries that one of these rows satisfies."""
    pay(500 * len(rows) * sum(map(size_of, workload.queries)))
    return [query for query in workload.queries if any(satisfies(row, query) for row in rows)]


@dataclass(frozen=True)
class Witness(Reduction[W]):
    """From below: the mechanisms of all queries that a row satisfies."""

    kind: ClassVar[str] = "lower"

    row: Row = parameter(read_row)

    def require(self, workload: W) -> None:
        """A row of this domain."""
        require_row(self.row, workload)

    def check_given(self, _workload: W, _premises: Sequence[Never]) -> None:
        """Nothing is left to check: every query is asked to conclude what stands in."""


@dataclass(frozen=True)
class OverlapWitness(Witness[Workload]):
    """Of mechanisms that are given by (ε, δ), by μ, and by ρ."""

    name: ClassVar[str] = "overlap-witness"
    form: ClassVar[Form] = Form(Workload, by=Ledger)

    def conclude(self, workload: Workload, _premises: Sequence[Never]) -> Judgement:
        """What stands in, found by asking every query."""
        satisfied = satisfying(workload, self.row)
        return StandsIn(workload, merged((q.texts, q.entry) for q in satisfied), self.kind)


# --- the classes of a colouring -----------------------------------------------------------------


def _read_classes(value: Json) -> Classes:
    """Classes as arrays of increasing query numbers."""
    classes: list[list[int]] = []
    for entry in array(value, "colours"):
        colour = [integer(each, 0, MAX_INDEX, "query") for each in array(entry, "colour")]
        if not colour or any(i >= j for i, j in pairwise(colour)):
            raise MalformedError("a colour is empty, or its queries are not increasing")
        classes.append(colour)
    return classes


@dataclass(frozen=True)
class Colouring(Reduction[W]):
    """From above: one mechanism for each class of queries that are disjoint."""

    kind: ClassVar[str] = "upper"

    colours: Classes = parameter(_read_classes)

    def require(self, workload: W) -> None:
        """Queries of this workload."""
        if any(colour[-1] >= workload.count for colour in self.colours):
            raise MalformedError("colours: a query that is not in the workload")
        placed: set[int] = set()
        for i in (i for colour in self.colours for i in colour):
            if i in placed:
                raise RejectedError(f"query {i} is in two colours")
            placed.add(i)

    def check_given(self, workload: W, _premises: Sequence[Never]) -> None:
        """Every query is in one class, but for contradictions; those of a class are disjoint."""
        queries = workload.queries
        sizes = [size_of(query) for query in queries]
        pay(500 * sum(sizes) + sum(map(partial(of_pairs, sizes), self.colours)))
        placed = {i for colour in self.colours for i in colour}
        for colour in self.colours:
            for position, i in enumerate(colour):
                for j in colour[:position]:
                    if not disjoint(queries[i].where, queries[j].where):
                        raise RejectedError(f"queries {j} and {i} of one colour overlap")
        for i, query in enumerate(queries):
            if i not in placed and all(query.where.values()):
                raise RejectedError(f"query {i} is in no colour")


@dataclass(frozen=True)
class ParallelColouring(Colouring[Workload]):
    """Of mechanisms that are given by (ε, δ), by μ, and by ρ."""

    name: ClassVar[str] = "parallel-colouring"
    form: ClassVar[Form] = Form(Workload, by=Ledger)

    def conclude(self, workload: Workload, _premises: Sequence[Never]) -> Judgement:
        """The greatest parameters of each class."""
        classes = ([workload.queries[i] for i in colour] for colour in self.colours)
        return StandsIn(workload, merged(map(greatest, classes)), self.kind)


def greatest(queries: Iterable[Query]) -> Entry:
    """What stands for a class of queries."""
    return greatest_of((query.texts, query.entry) for query in queries)


def greatest_of(entries: Iterable[Entry]) -> Entry:
    """The first entry of the greatest ε with the greatest δ, or the greatest μ, or ρ."""
    distinct = dict(entries)
    [notion, *others] = {notion for notion, _ in distinct}
    if others:
        raise RejectedError("the queries of a colour have parameters of different notions")
    scaled = [(texts, entry) for texts, entry in distinct.items() if isinstance(entry, Scaled)]
    if scaled:
        return max(scaled, key=lambda item: item[1].parameter)
    pairs = [entry for entry in distinct.values() if isinstance(entry, Mechanism)]
    most = pairs[0]
    for pair in pairs[1:]:
        if sign(pair.epsilon - most.epsilon) > 0:
            most = pair
    most = replace(most, delta=max(pair.delta for pair in pairs))
    return (notion, (canonical(most.epsilon), rational_text(most.delta))), most


def disjoint(one: Mapping[int, Ranges], other: Mapping[int, Ranges]) -> bool:
    """Whether no row satisfies both: an attribute has no common value, or none at all."""
    for attribute, ranges in one.items():
        if not ranges or (attribute in other and not _meet(ranges, other[attribute])):
            return True
    return not all(other.values())


def _meet(one: Ranges, other: Ranges) -> bool:
    """Whether two sets have a value in common; both increase."""
    i = j = 0
    while i < len(one) and j < len(other):
        if max(one[i][0], other[j][0]) < min(one[i][1], other[j][1]):
            return True
        if one[i][1] <= other[j][1]:
            i += 1
        else:
            j += 1
    return False

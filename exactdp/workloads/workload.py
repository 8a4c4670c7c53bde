r"""Workloads: predicate queries over a domain, each answered by a mechanism.

Purpose: what every reader produces and every bound of this package is about.

Rules of this file: values are frozen and valid once they exist; an attribute that a query does
not name is not constrained, and costs nothing: a domain may have 10^5 attributes of 10^18 values.

Theory of operation: a query is a conjunction of predicates, one for each attribute that it names,
so that the rows which satisfy it form a product of coverages. Rows lie in a set of queries
together if and only if, for every attribute, one value lies in all their coverages (Smith et al.,
the remark after Proposition 3). The mechanism of a query sees the rows that satisfy it and no
others.

The neighbouring relation is add/remove-one, where a row more or less touches the queries in which
that row lies; or replace-one, where one row leaves and another enters, so that two disjoint queries
may both see the change. Each query's parameters are stated under the relation of the workload.

Sources: Smith, Asghar, Gioiosa, Mrabet, Gaspers, Tyler, PoPETs 2022, sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.arguments import inner_probability, probability
from exactdp.errors import CostLimitError, DomainError, InputError, UnsupportedError
from exactdp.ledger.model import checked_entry
from exactdp.mechanisms import (
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Mechanism,
    Parametric,
)
from exactdp.mechanisms.entries import KEYS
from exactdp.mechanisms.family import GivenBy, given_together_by
from exactdp.mechanisms.keys import IN_BATCHES
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.plain_numbers import plain_number

MAX_QUERIES: Final = 185_363
"""Their pairs, one bit for each, fit into 4 GiB, which compositions are kept to as well."""
MAX_SIZE: Final = 10**18
NEIGHBOURING: Final = "add-remove-one"
REPLACE_ONE: Final = "replace-one"


@dataclass(frozen=True, slots=True)
class Attribute:
    """A column of the domain.

    Attributes:
        name: as queries call it.
        size: how many values it has, from 1 to 10^18; they are numbered from 0.
        values: their names in order, or empty where values are their numbers.
        numeric: whether a column of a table holds them as numbers, as it does where they are their
            numbers, or where they are listed without quotes.
    """

    name: str
    size: int
    values: tuple[str, ...] = ()
    numeric: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        """Check."""
        object.__setattr__(self, "numeric", self.numeric or not self.values)
        if not 1 <= self.size <= MAX_SIZE:
            raise DomainError(
                field="size", value=str(self.size), expected="a whole number from 1 to 10^18"
            )
        for text in (self.name, *self.values):
            if not writable(text):
                raise InputError(
                    field="values" if text in self.values else "name",
                    value=text,
                    expected="text without NUL and without lone surrogates",
                )
        if self.values and len(set(self.values)) != self.size:
            raise InputError(
                field="values", value=self.name, expected="values that differ from one another"
            )
        if self.numeric and self.values:
            self._check_numbers()

    def _check_numbers(self) -> None:
        """Refuse values of a column of numbers that are none, or one number twice."""
        known: dict[Fraction | None, str] = {None: "a number"}
        for value in self.values:
            number = plain_number(value)
            if number in known:
                raise InputError(
                    field="values",
                    value=f"{self.name}: {value} beside {known[number]}",
                    expected="numbers that differ from one another, or texts in quotes",
                    remedy="keep one of the two",
                )
            known[number] = value

    def text_of(self, value: int) -> str:
        """A value as people write it."""
        return self.values[value] if self.values else str(value)


@dataclass(frozen=True, slots=True)
class Query:
    """A conjunction of predicates, and the mechanism that answers it.

    Attributes:
        mechanism: its parameters, or its noise, and its label; its count is 1.
        where: the coverage of each attribute that is constrained, by the attribute's number.
        outside: what its predicates name that the domain does not have, as "age = 200"; no row
            has such a value, so that it changes no coverage. People should hear of it.
        is_contradiction: whether no row can satisfy it. Its answer says nothing about anybody.
    """

    mechanism: Entry
    where: Mapping[int, Coverage]
    outside: tuple[str, ...] = field(default=(), compare=False)
    is_contradiction: bool = field(init=False)

    def __post_init__(self) -> None:
        """Know the mechanism, and look for an empty coverage once: there may be many thousands."""
        checked_entry(self.mechanism)
        empty = any(coverage.is_empty for coverage in self.where.values())
        object.__setattr__(self, "is_contradiction", empty)

    @property
    def parameters(self) -> Parametric:
        """Its mechanism, if (ε, δ), ρ or μ say all that is known of it.

        Raises:
            UnsupportedError: it is given by its noise.
        """
        if not isinstance(self.mechanism, Mechanism | ConcentratedMechanism | GaussianMechanism):
            raise UnsupportedError(
                field=self.mechanism.name,
                value="a query by its noise",
                expected="queries given by epsilon and delta, rho or mu",
                remedy="exactdp parallel, or compose_parallel, answers for noise",
            )
        return self.mechanism

    def disjoint(self, other: Query) -> bool:
        """Whether no row satisfies both (Smith et al., Proposition 3)."""
        if self.is_contradiction or other.is_contradiction:
            return True
        few, many = sorted((self.where, other.where), key=len)
        return any(
            attribute in many and coverage.disjoint(many[attribute])
            for attribute, coverage in few.items()
        )

    def admits(self, row: Mapping[int, int]) -> bool:
        """Whether a row satisfies it; attributes that ``row`` does not name have value 0."""
        return all(row.get(attribute, 0) in coverage for attribute, coverage in self.where.items())


@dataclass(frozen=True, slots=True)
class Workload:
    """Queries over one domain; parameters and predicates are fixed in advance.

    Attributes:
        attributes: the domain; queries refer to them by position.
        queries: in the order of the file.
        name: a name for people.
        neighbouring: add-remove-one or replace-one; the parameters are those under it.
    """

    attributes: tuple[Attribute, ...]
    queries: tuple[Query, ...]
    name: str = ""
    neighbouring: str = NEIGHBOURING

    def __post_init__(self) -> None:
        """Check what no single part can see."""
        if not writable(self.name):
            raise InputError(
                field="name",
                value=self.name,
                expected="text without NUL and without lone surrogates",
            )
        if self.neighbouring not in (NEIGHBOURING, REPLACE_ONE):
            raise refused_neighbouring(self.neighbouring)
        if len({attribute.name for attribute in self.attributes}) != len(self.attributes):
            raise InputError(
                field="domain", value=self.name, expected="attributes of different names"
            )
        for query in self.queries:
            if query.mechanism.count != 1:
                raise InputError(
                    field="count",
                    value=str(query.mechanism.count),
                    expected="1: each query of a workload is answered once",
                    remedy="repeat the query",
                )
            check_noise(query.mechanism, self.neighbouring)

    @property
    def replaces(self) -> bool:
        """Whether neighbours differ by a row that was replaced."""
        return self.neighbouring == REPLACE_ONE

    @property
    def given_by(self) -> GivenBy:
        """What says all of the queries' mechanisms: (ε, δ) if it does of each, noise if of one."""
        return given_together_by(query.mechanism for query in self.queries)

    @property
    def parameter(self) -> str | None:
        """What all queries are given by: epsilon, rho or mu; None for noise, or where they differ.

        Without queries it is empty.
        """
        names = {query.mechanism.name for query in self.queries}
        return None if self.given_by == "noise" or len(names) > 1 else "".join(names)

    def __len__(self) -> int:
        """The number of queries, t."""
        return len(self.queries)

    def __iter__(self) -> Iterator[Query]:
        """The queries in order."""
        return iter(self.queries)

    def extended(self, queries: Iterable[Query]) -> Workload:
        """The same workload with further queries."""
        return Workload(self.attributes, (*self.queries, *queries), self.name, self.neighbouring)


def writable(text: str) -> bool:
    """Whether every format can hold a text."""
    return text.isprintable() or not any(
        letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in text
    )


def check_number(queries: int) -> None:
    """Refuse more queries than a query graph can hold.

    Raises:
        CostLimitError: there are more.
    """
    if queries > MAX_QUERIES:
        raise CostLimitError(
            field="queries",
            value=str(queries),
            expected=f"at most {MAX_QUERIES}, whose pairs fit into 4 GiB of memory",
            remedy="compose parts of the workload, each by itself",
        )


def check_noise(mechanism: Entry, relation: str) -> None:
    """Refuse queries by their noise where no rule is known of the neighbours.

    Raises:
        UnsupportedError: records are shuffled into batches, or one row replaces another.
    """
    if mechanism.IS_IN_BATCHES:
        raise refused_batches(next(key for key in IN_BATCHES if key in mechanism.shape()))
    if mechanism.neighbours == (REPLACE_ONE,):
        raise refused_reports(mechanism.name)
    if mechanism.given_by == "noise" and relation == REPLACE_ONE:
        family = mechanism.name
        raise UnsupportedError(
            field=family,
            value="a query by its noise",
            expected="rows added or removed: a row that is replaced moves two queries, or one "
            "twice, which the noise of one row says nothing of",
            remedy=f"state what its noise implies where rows are replaced: {KEYS[family].implies}; "
            "or add-remove-one",
        )


def check_delta(workload: Workload, delta: Number) -> None:
    """Refuse a δ at which noise has no ε, with what the noise implies.

    Raises:
        InputError: no rational above 0 and below 1.
    """
    noise = (each.mechanism.name for each in workload if each.mechanism.given_by == "noise")
    first = next(noise, None)
    if first is None:
        return
    try:
        inner_probability(probability(delta))
    except DomainError as error:
        raise DomainError(
            field=error.field,
            value=error.value,
            expected="a δ above 0 and below 1, where queries are given by their noise",
            remedy=f"name one, such as 1e-9, or state what its noise implies: "
            f"{KEYS[first].implies}",
        ) from None


def refused_batches(key: str) -> UnsupportedError:
    """Why a query cannot be on records that come into batches."""
    return UnsupportedError(
        field=key,
        value=f"a query on {key} batches",
        expected="queries that see the rows of their predicate: what a batch hides rests on all "
        "records, which are zeroed out or replaced, not added or removed",
        remedy="compose it with exactdp compose, in a ledger with neighbouring zero-out",
    )


def refused_reports(key: str) -> UnsupportedError:
    """Why a query cannot be on reports of all records."""
    return UnsupportedError(
        field=key,
        value="a query on reports of all records",
        expected="queries that see the rows of their predicate, which are added or removed",
        remedy="compose it with exactdp compose, in a ledger with neighbouring replace-one",
    )


def refused_neighbouring(relation: str) -> UnsupportedError:
    """Why parallel composition does not hold for another neighbouring relation."""
    return UnsupportedError(
        field="neighbouring",
        value=relation,
        expected="add-remove-one or replace-one: which queries a change can touch depends on it",
        remedy="state parameters for one of them, or compose all queries with exactdp compose",
    )


def joint_coverage(queries: Sequence[Query]) -> dict[int, Coverage] | None:
    """The coverage that queries have in common, by attribute; None if no row satisfies all.

    Source: Smith et al., the remark after Proposition 3.
    """
    common: dict[int, Coverage] = {}
    for query in queries:
        for attribute, coverage in query.where.items():
            known = common.get(attribute)
            common[attribute] = coverage if known is None else known.meet(coverage)
            if common[attribute].is_empty:
                return None
    return common


def row_in(workload: Workload, queries: Iterable[int]) -> dict[int, int]:
    """The least values of a row that meets all of ``queries``, by the attribute's number.

    Raises:
        DomainError: no row does.
    """
    together = [workload.queries[i] for i in queries]
    common = joint_coverage(together)
    if common is None:
        raise DomainError(
            field="queries", value=f"{len(together)} queries", expected="queries that one row meets"
        )
    return {a: coverage.ranges[0][0] for a, coverage in sorted(common.items())}


def met_by(workload: Workload, row: Mapping[int, int]) -> tuple[int, ...]:
    """All queries that a row meets; attributes that it does not name have value 0."""
    return tuple(i for i, query in enumerate(workload) if query.admits(row))

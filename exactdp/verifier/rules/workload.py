r"""Workloads: predicate queries as a statement's subject.

Rules of this file: every shape and range is checked here, once; attributes and values are numbers.

Theory of operation: a query is the parameters of one mechanism and, for each attribute that it
constrains, ranges of value numbers. Whether neighbours differ by a row added or removed, or by one
replaced, is two types of subjects, so that no rule about one is ever handed the other.

Sources: certs/SPEC.md, sections 10.1 and 14.1.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Final, Generic, Self, TypeAlias, TypeVar

from ..format.numbers import parse_integer
from ..format.outcomes import MalformedError, shown
from ..format.shapes import array, members, string
from ..format.strict_json import Json
from ..statement import Subject
from .ledger import Mechanism, Scaled, Texts, read_entry

_MAX_SIZE: Final = 10**18

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Half-open ranges of value numbers, increasing, neither meeting nor touching."""


@dataclass(frozen=True)
class Attribute:
    """A column: its name, how many values it has, and their names if it lists them."""

    name: str
    size: int
    values: tuple[str, ...]


@dataclass(frozen=True)
class Conjunction:
    """What each constrained attribute may be."""

    where: Mapping[int, Ranges]


@dataclass(frozen=True)
class Query(Conjunction):
    """A mechanism, and the rows that it sees."""

    texts: Texts
    entry: Mechanism | Scaled


Q = TypeVar("Q", bound=Conjunction)


@dataclass(frozen=True)
class Queries(Subject, Generic[Q]):
    """Queries over a domain, whatever their mechanisms are given by."""

    domain: tuple[Attribute, ...]
    queries: tuple[Q, ...]

    @classmethod
    def read(cls, value: Json) -> Self:
        """The workload of a statement."""
        parts = members(value, ("domain", "queries", "type"), "subject")
        domain = tuple(_read_attribute(each) for each in array(parts["domain"], "domain"))
        _check_names(attribute.name for attribute in domain)
        listed = array(parts["queries"], "queries")
        return cls(domain, tuple(cls.read_query(*_parts_of(each, domain)) for each in listed))

    @classmethod
    @abstractmethod
    def read_query(cls, where: Mapping[int, Ranges], parameters: Mapping[str, Json]) -> Q:
        """A query, from the rows that it sees and one mechanism."""

    @property
    def neighbouring(self) -> tuple[str, ...]:
        """A changed record would be two queries' at once."""
        return ("add-remove-one",)

    @property
    def count(self) -> int:
        """The number of queries, t."""
        return len(self.queries)


@dataclass(frozen=True)
class Workload(Queries[Query]):
    """Queries whose mechanisms are given by (ε, δ), by μ, and by ρ."""

    type: ClassVar[str] = "workload"

    @classmethod
    def read_query(cls, where: Mapping[int, Ranges], parameters: Mapping[str, Json]) -> Query:
        """See :class:`Queries`."""
        return Query(where, *read_entry(dict(parameters)))


@dataclass(frozen=True)
class ReplaceOneWorkload(Workload):
    """Queries over a domain, where one row leaves and another enters."""

    type: ClassVar[str] = "workload-replace-one"

    @property
    def neighbouring(self) -> tuple[str, ...]:
        """The relation that its parameters are stated under."""
        return ("replace-one",)


# --- reading ------------------------------------------------------------------------------------


def _read_attribute(value: Json) -> Attribute:
    listed = isinstance(value, dict) and "values" in value
    parts = members(value, ("name", "values" if listed else "size"), "attribute")
    name = string(parts["name"], "name")
    if not listed:
        return Attribute(name, read_size(string(parts["size"], "size")), ())
    return listed_attribute(
        name, [string(each, "value") for each in array(parts["values"], "values")]
    )


def read_size(text: str) -> int:
    """The number of an attribute's values."""
    return parse_integer(text, 1, _MAX_SIZE, "size")


def listed_attribute(name: str, values: list[str]) -> Attribute:
    """An attribute whose values have names."""
    if not values:
        raise MalformedError("an attribute without values")
    _check_names(values)
    return Attribute(name, len(values), tuple(values))


def _check_names(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise MalformedError(f"a name that stands twice in the domain: {shown(name)}")
        seen.add(name)


def _parts_of(
    value: Json, domain: tuple[Attribute, ...]
) -> tuple[Mapping[int, Ranges], Mapping[str, Json]]:
    """What a query sees, and its mechanism as an entry of a ledger, once."""
    if not isinstance(value, dict) or "where" not in value or "count" in value:
        raise MalformedError("query: not an object with where and without count")
    parameters = {key: part for key, part in value.items() if key != "where"}
    where: dict[int, Ranges] = {}
    previous = -1
    for clause in array(value["where"], "where"):
        numbers = [string(each, "clause") for each in array(clause, "clause")]
        if not numbers:
            raise MalformedError("a clause without an attribute")
        number = parse_integer(numbers[0], 0, len(domain) - 1, "attribute")
        if number <= previous:
            raise MalformedError("the attributes of a query are not increasing")
        previous = number
        where[number] = _read_ranges(numbers[1:], domain[number].size)
    return where, {**parameters, "count": "1"}


def _read_ranges(texts: list[str], size: int) -> Ranges:
    ends = [parse_integer(text, 0, size, "end of a range") for text in texts]
    if len(ends) % 2 or any(low >= high for low, high in pairwise(ends)):
        raise MalformedError("the ends of ranges are not pairs that increase")
    return tuple(zip(ends[::2], ends[1::2], strict=True))

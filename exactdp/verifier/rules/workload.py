r"""Workloads: predicate queries as a statement's subject.

Rules of this file: every shape and range is checked here, once; attributes and values are numbers.

Theory of operation: a query is the parameters of one mechanism and, for each attribute that it
constrains, ranges of value numbers. Rules say whether they are about neighbours that differ by a
row added or removed, or by one replaced; none is asked about others.

Sources: certs/SPEC.md, sections 8.1 and 8.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import ClassVar, Final, Self, TypeAlias

from ..format.numbers import parse_integer
from ..format.outcomes import MalformedError, shown
from ..format.shapes import array, increasing, members, string
from ..format.strict_json import Json
from ..statement import INTERACTIONS, UNSPECIFIED, Subject
from .by_noise import REPLACED, Noisy, neighbours_of
from .ledger import Entry, read_entry

ADDED: Final = "add-remove-one"
_MAX_SIZE: Final = 10**18
_BATCHES: Final = {
    "shuffled": "shuffled batches",
    "allocated": "allocated batches",
    "fixed_size": "batches of a fixed size",
    "records_per_person": "several records of a person",
    "factorization": "correlated noise",
    "shuffled_reports": "reports of all records",
}

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Half-open ranges of value numbers, increasing, neither meeting nor touching."""


@dataclass(frozen=True)
class Attribute:
    """A column: its name, how many values it has, and their names if it lists them."""

    name: str
    size: int
    values: tuple[str, ...]


@dataclass(frozen=True)
class Query:
    """A mechanism, and the rows that it sees: what each constrained attribute may be."""

    where: Mapping[int, Ranges]
    entry: Entry


@dataclass(frozen=True)
class Workload(Subject):
    """Queries over a domain, of which a row of the database may be there or not, or be replaced."""

    type: ClassVar[str] = "workload"
    nouns: ClassVar[tuple[str, str]] = ("query", "queries")

    domain: tuple[Attribute, ...]
    queries: tuple[Query, ...]
    relation: str = UNSPECIFIED

    @classmethod
    def read(cls, value: Json) -> Self:
        """The workload of a statement."""
        parts = members(value, ("domain", "queries", "type"), "subject")
        domain = tuple(read_attribute(each) for each in array(parts["domain"], "domain"))
        _check_names(attribute.name for attribute in domain)
        listed = array(parts["queries"], "queries")
        return cls(domain, tuple(_read_query(each, domain) for each in listed))

    @property
    def families(self) -> frozenset[str]:
        """What its mechanisms are given by."""
        return frozenset(query.entry.family for query in self.queries)

    @property
    def interactions(self) -> tuple[str, ...]:
        """Noise is drawn for one answer."""
        return INTERACTIONS[:1] if "noise" in self.families else INTERACTIONS

    @property
    def neighbouring(self) -> tuple[str, ...]:
        """What all queries have a meaning for; of noise, two queries at once are not known."""
        noise = [each.entry for each in self.queries if isinstance(each.entry, Noisy)]
        known = (ADDED,) if "noise" in self.families else (ADDED, REPLACED)
        return tuple(each for each in known if each in neighbours_of(noise))

    def among(self, neighbouring: str) -> Self:
        """No rule about one relation is asked about the other."""
        return replace(self, relation=neighbouring)

    @property
    def count(self) -> int:
        """The number of queries, t."""
        return len(self.queries)


# --- reading ------------------------------------------------------------------------------------


def read_attribute(
    value: Json, named: str | None = None, text: Callable[[Json, str], str] = string
) -> Attribute:
    """An attribute, unless it is named already with its name; ``text`` reads what it has."""
    key = "values" if isinstance(value, dict) and "values" in value else "size"
    parts = members(value, (key,) if named is not None else ("name", key), "attribute")
    name = string(parts["name"], "name") if named is None else named
    if key == "size":
        return Attribute(name, parse_integer(text(parts[key], key), 1, _MAX_SIZE, key), ())
    values = tuple(text(each, "value") for each in array(parts[key], key))
    if not values:
        raise MalformedError("an attribute without values")
    _check_names(values)
    return Attribute(name, len(values), values)


def _check_names(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise MalformedError(f"a name that stands twice in the domain: {shown(name)}")
        seen.add(name)


def _read_query(value: Json, domain: tuple[Attribute, ...]) -> Query:
    """What a query sees, and its mechanism as an entry of a ledger, once."""
    if not isinstance(value, dict) or "where" not in value or "count" in value:
        raise MalformedError("query: not an object with where and without count")
    parameters = {key: part for key, part in value.items() if key != "where"}
    where: dict[int, Ranges] = {}
    for clause in array(value["where"], "where"):
        numbers = [string(each, "clause") for each in array(clause, "clause")]
        if not numbers:
            raise MalformedError("a clause without an attribute")
        number = parse_integer(numbers[0], 0, len(domain) - 1, "attribute")
        increasing([*islice(reversed(where), 1), number], "the attributes of a query")
        where[number] = _read_ranges(numbers[1:], domain[number].size)
    entry = read_entry({**parameters, "count": "1"})
    for key, batches in _BATCHES.items():
        if key in value:
            raise MalformedError(f"a query on {batches}")
    return Query(where, entry)


def _read_ranges(texts: list[str], size: int) -> Ranges:
    ends = [parse_integer(text, 0, size, "end of a range") for text in texts]
    if len(ends) % 2 or any(low >= high for low, high in pairwise(ends)):
        raise MalformedError("the ends of ranges are not pairs that increase")
    return tuple(zip(ends[::2], ends[1::2], strict=True))

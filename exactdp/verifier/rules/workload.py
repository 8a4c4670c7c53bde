r"""Workloads: predicate queries as a statement's subject, and as a file to compare it with.

Rules of this file: every shape and range is checked here, once; two workloads are the same if
their domains and their queries are equal in order, labels aside.

Theory of operation: a query is the parameters of one mechanism and, for each attribute that it
constrains, ranges of value numbers. A file names attributes and values as people do; its reader
turns them into the same numbers, and the comparison is equality.

Sources: certs/SPEC.md, section 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from ..format.numbers import parse_integer
from ..format.outcomes import MalformedError, RejectedError, shown
from ..format.strict_json import Json, read
from ..statement import (
    Subject,
    Texts,
    array,
    ledger_entry,
    members,
    one_of,
    plain_text,
    read_mechanisms,
    string,
)
from .trees import read_trees

WORKLOAD_FORMAT: Final = "exactdp-workload/1"
NEIGHBOURING: Final = "add-remove-one"
MAX_SIZE: Final = 10**18
MAX_ATTRIBUTES: Final = 10**6
_QUERY_KEYS: Final = ("delta", "epsilon", "label", "mu", "rho")

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
    """The parameters of a mechanism, and what each constrained attribute may be."""

    texts: Texts
    where: Mapping[int, Ranges]


@dataclass(frozen=True)
class Workload:
    """Queries over a domain."""

    domain: tuple[Attribute, ...]
    queries: tuple[Query, ...]

    @property
    def count(self) -> int:
        """The number of queries, t."""
        return len(self.queries)


# --- as a subject -------------------------------------------------------------------------------


def read_subject(value: Json) -> Subject | Workload:
    """A ledger's mechanisms, interactive mechanisms, or a workload."""
    if isinstance(value, dict) and value.get("type") == "workload":
        return _read_workload(value)
    subject = members(value, ("mechanisms", "type"), "subject")
    kind = one_of(subject["type"], ("ledger", "workload", "interactive"), "subject type")
    mechanisms = array(subject["mechanisms"], "mechanisms")
    if kind == "interactive":
        return Subject((), (), (), trees=read_trees(mechanisms))
    return read_mechanisms(mechanisms)


def _read_workload(value: Json) -> Workload:
    parts = members(value, ("domain", "queries", "type"), "subject")
    domain = tuple(_read_attribute(each) for each in array(parts["domain"], "domain"))
    _check_names(attribute.name for attribute in domain)
    queries = tuple(_read_query(each, domain) for each in array(parts["queries"], "queries"))
    return Workload(domain, queries)


def _read_attribute(value: Json) -> Attribute:
    listed = isinstance(value, dict) and "values" in value
    parts = members(value, ("name", "values" if listed else "size"), "attribute")
    name = string(parts["name"], "name")
    if not listed:
        return Attribute(name, _size(string(parts["size"], "size")), ())
    return _listed(name, [string(each, "value") for each in array(parts["values"], "values")])


def _size(text: str) -> int:
    return parse_integer(text, 1, MAX_SIZE, "size")


def _listed(name: str, values: list[str]) -> Attribute:
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


def _read_query(value: Json, domain: tuple[Attribute, ...]) -> Query:
    if not isinstance(value, dict) or "where" not in value or "count" in value:
        raise MalformedError("query: not an object with where and without count")
    parameters = {key: part for key, part in value.items() if key != "where"}
    [texts] = read_mechanisms([{**parameters, "count": "1"}]).entries
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
    return Query(texts, where)


def _read_ranges(texts: list[str], size: int) -> Ranges:
    ends = [parse_integer(text, 0, size, "end of a range") for text in texts]
    if len(ends) % 2 or any(low >= high for low, high in pairwise(ends)):
        raise MalformedError("the ends of ranges are not pairs that increase")
    return tuple(zip(ends[::2], ends[1::2], strict=True))


# --- as a file ----------------------------------------------------------------------------------


def check_workload(subject: Workload, data: bytes) -> None:
    """Reject a statement that is not about the workload in this file."""
    parts = members(
        read(data), ("domain", "queries"), "workload", ("format", "name", "neighbouring")
    )
    one_of(parts.get("format", WORKLOAD_FORMAT), (WORKLOAD_FORMAT,), "workload format")
    one_of(parts.get("neighbouring", NEIGHBOURING), (NEIGHBOURING,), "neighbouring")
    string(parts.get("name", ""), "name")
    if not isinstance(parts["domain"], dict):
        raise MalformedError("domain is not an object")
    domain = tuple(_file_attribute(name, value) for name, value in parts["domain"].items())
    reader = _FileReader(domain)
    queries = tuple(reader.query(each) for each in array(parts["queries"], "queries"))
    if domain != subject.domain:
        raise RejectedError("the statement is not about this workload: another domain")
    if queries != subject.queries:
        raise RejectedError("the statement is not about this workload: other queries")


def _file_attribute(name: str, value: Json) -> Attribute:
    listed = isinstance(value, dict) and "values" in value
    parts = members(value, ("values" if listed else "size",), "attribute")
    if not listed:
        return Attribute(name, _size(plain_text(parts["size"], "size")), ())
    return _listed(name, [plain_text(each, "value") for each in array(parts["values"], "values")])


class _FileReader:
    """The queries of a file, with attributes and values by number."""

    def __init__(self, domain: tuple[Attribute, ...]) -> None:
        self._domain = domain
        self._numbers = {attribute.name: i for i, attribute in enumerate(domain)}
        self._values = [{name: i for i, name in enumerate(each.values)} for each in domain]

    def query(self, value: Json) -> Query:
        """A query of the file."""
        parts = members(value, (), "query", ("where", *_QUERY_KEYS))
        texts, _ = ledger_entry({key: parts[key] for key in _QUERY_KEYS if key in parts})
        clauses = parts.get("where", {})
        if not isinstance(clauses, dict):
            raise MalformedError("where is not an object")
        where: dict[int, Ranges] = {}
        for name, predicate in clauses.items():
            if name not in self._numbers:
                raise MalformedError(f"where: unknown attribute {shown(name)}")
            number = self._numbers[name]
            where[number] = self._ranges(number, predicate)
        return Query(texts, where)

    def _ranges(self, number: int, predicate: Json) -> Ranges:
        size = self._domain[number].size
        if isinstance(predicate, list):
            return _joined([(v, v + 1) for v in self._listed_values(number, predicate)])
        if isinstance(predicate, dict) and "not" in predicate:
            parts = members(predicate, ("not",), "predicate")
            excluded = self._listed_values(number, array(parts["not"], "not"))
            ends = [0, *(end for v in sorted(set(excluded)) for end in (v, v + 1)), size]
            return _joined(list(zip(ends[::2], ends[1::2], strict=True)))
        parts = members(predicate, ("range",), "predicate")
        limits = [plain_text(each, "range") for each in array(parts["range"], "range")]
        if len(limits) != 2:
            raise MalformedError("range is not two ends")
        low, high = (parse_integer(text, 0, size, "range") for text in limits)
        return _joined([(low, high)])

    def _listed_values(self, number: int, values: list[Json]) -> list[int]:
        attribute, names = self._domain[number], self._values[number]
        texts = [plain_text(value, "value") for value in values]
        if not attribute.values:
            return [parse_integer(text, 0, attribute.size - 1, "value") for text in texts]
        for text in texts:
            if text not in names:
                raise MalformedError(f"where: unknown value {shown(text)}")
        return [names[text] for text in texts]


def _joined(ranges: list[tuple[int, int]]) -> Ranges:
    """The union of ranges, in order; empty ones dropped, those that meet or touch joined."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if low >= high:
            continue
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return tuple(joined)

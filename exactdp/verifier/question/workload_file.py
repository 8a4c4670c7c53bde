r"""Whether a statement is about the workload in a file.

Rules of this file: two workloads are the same if their domains and their queries are equal in
order, labels aside. Every key of the format is known here; another is refused.

Theory of operation: a file names attributes and values as people do; its reader turns them into
the numbers that a statement has, and the comparison is equality.

Sources: certs/SPEC.md, sections 8.1, 8.2 and 12.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..format.numbers import parse_integer
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, members, one_of, string
from ..format.strict_json import Json, read
from ..rules.workload import Attribute, Ranges, Workload, read_attribute
from ..statement import NEIGHBOURING, Statement
from .ledger_file import any_entry
from .noise_entries import FAMILIES, OF_GAUSSIAN, plain_text

_FORMAT: Final = "exactdp-workload/1"
_DEFAULT: Final = "add-remove-one"
_GREATEST_VALUE: Final = 10**19 - 1
_QUERY_KEYS: Final = (
    *("delta", "epsilon", "label", "rate", "rho", "sensitivity"),
    *(*OF_GAUSSIAN, *FAMILIES),
)


def check_workload(subject: Workload, statement: Statement, data: bytes) -> None:
    """Reject a statement that is not about the workload in this file."""
    parts = members(
        read(data), ("domain", "queries"), "workload", ("format", "name", "neighbouring")
    )
    one_of(parts.get("format", _FORMAT), (_FORMAT,), "workload format")
    neighbouring = one_of(parts.get("neighbouring", _DEFAULT), NEIGHBOURING, "neighbouring")
    if neighbouring != statement.neighbouring:
        raise RejectedError("the statement is about another neighbouring relation")
    string(parts.get("name", ""), "name")
    if not isinstance(parts["domain"], dict):
        raise MalformedError("domain is not an object")
    listed = parts["domain"].items()
    domain = tuple(read_attribute(value, name, plain_text) for name, value in listed)
    reader = _FileReader(domain)
    queries = tuple(reader.query(each) for each in array(parts["queries"], "queries"))
    if domain != subject.domain:
        raise RejectedError("the statement is not about this workload: another domain")
    if queries != tuple((query.entry.text, query.where) for query in subject.queries):
        raise RejectedError("the statement is not about this workload: other queries")


class _FileReader:
    """The queries of a file, with attributes and values by number."""

    def __init__(self, domain: tuple[Attribute, ...]) -> None:
        self._domain = domain
        self._numbers = {attribute.name: i for i, attribute in enumerate(domain)}
        self._values = [{name: i for i, name in enumerate(each.values)} for each in domain]

    def query(self, value: Json) -> tuple[bytes, Mapping[int, Ranges]]:
        """A query of the file: its mechanism's bytes, and its clauses."""
        parts = members(value, (), "query", ("where", *_QUERY_KEYS))
        text, _ = any_entry({key: parts[key] for key in _QUERY_KEYS if key in parts})
        clauses = members(parts.get("where", {}), (), "where", self._numbers)
        numbered = ((self._numbers[name], predicate) for name, predicate in clauses.items())
        return text, {number: self._ranges(number, predicate) for number, predicate in numbered}

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
        """The numbers of those values that the domain has; no row has any other."""
        attribute, names = self._domain[number], self._values[number]
        texts = [plain_text(value, "value") for value in values]
        if attribute.values:
            return [names[text] for text in texts if text in names]
        numbers = [parse_integer(text, 0, _GREATEST_VALUE, "value") for text in texts]
        return [number for number in numbers if number < attribute.size]


def _joined(ranges: list[tuple[int, int]]) -> Ranges:
    """The union of ranges, in order; empty ones dropped, those that meet or touch joined."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ends for ends in ranges if ends[0] < ends[1]):
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return tuple(joined)

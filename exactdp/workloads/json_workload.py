r"""JSON workloads: reader and writer of ``exactdp-workload/1``.

Rules of this file: what is written can be read, and is then equal; a value that the domain does
not have is a contradiction, as Smith et al. have it (Example 1), but another spelling of one that
it has is a slip, and an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from exactdp.errors import DomainError, InputError
from exactdp.ledger.formats.fields import Texts
from exactdp.ledger.formats.json_ledger import mechanism_entry, place_in
from exactdp.ledger.formats.strict_json import Document, json_path, parse
from exactdp.ledger.schema import unknown_key
from exactdp.mechanisms.entries import mechanism_of
from exactdp.mechanisms.keys import IN_BATCHES, SHUFFLED_REPORTS
from exactdp.workloads.collations import Spellings
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.schema import FORMAT, validate
from exactdp.workloads.workload import (
    MAX_SIZE,
    NEIGHBOURING,
    REPLACE_ONE,
    Attribute,
    Query,
    Workload,
    check_noise,
    check_number,
    refused_batches,
    refused_neighbouring,
    refused_reports,
    writable,
)

_WHOLE: Final = re.compile(r"0|[1-9][0-9]{0,18}")
_Keys = list[str | int]


def read(data: bytes) -> Workload:
    """Read the bytes of a JSON workload.

    Raises:
        InputError: not strict JSON in UTF-8, or not a workload; the path is a JSON path.
        UnsupportedError: a neighbouring relation for which parallel composition does not hold.
        CostLimitError: more queries than a query graph can hold.

    >>> len(read(b'{"domain": {"age": {"size": 9}}, "queries": [{"epsilon": 1}]}'))
    1
    """
    document = parse(data)
    _check_names(document.tree)
    _refuse_batches(document.tree)
    validate(document)
    tree: dict[str, Any] = document.tree
    if (relation := tree.get("neighbouring", NEIGHBOURING)) not in (NEIGHBOURING, REPLACE_ONE):
        raise refused_neighbouring(relation).located("$.neighbouring")
    attributes = tuple(_attribute(document, name, entry) for name, entry in tree["domain"].items())
    check_number(len(tree["queries"]))
    reader = _Queries(document, attributes, relation)
    queries = tuple(reader.query(entry, index) for index, entry in enumerate(tree["queries"]))
    return Workload(attributes, queries, tree.get("name", ""), relation)


def _check_names(tree: object) -> None:
    """Refuse names that no file could hold, which a schema cannot speak of."""
    domain = tree.get("domain") if isinstance(tree, dict) else None
    for name in domain if isinstance(domain, dict) else ():
        if not writable(name):
            raise InputError(
                field="name",
                value=name,
                path="$.domain",
                expected="text without NUL and without lone surrogates",
            )


def _refuse_batches(tree: object) -> None:
    """Refuse records that are shuffled into batches, which the schema has no word for."""
    queries = tree.get("queries") if isinstance(tree, dict) else None
    for index, entry in enumerate(queries if isinstance(queries, list) else ()):
        batched = [key for key in IN_BATCHES if isinstance(entry, dict) and key in entry]
        if batched:
            error = refused_batches(batched[0])
            raise error.located(json_path(["queries", index, batched[0]]))
        if isinstance(entry, dict) and SHUFFLED_REPORTS in entry:
            error = refused_reports(SHUFFLED_REPORTS)
            raise error.located(json_path(["queries", index, SHUFFLED_REPORTS]))


def _attribute(document: Document, name: str, entry: Mapping[str, Any]) -> Attribute:
    keys: _Keys = ["domain", name]
    try:
        if "values" in entry:
            values = tuple(document.text_of(value) for value in entry["values"])
            numeric = not any(isinstance(value, str) for value in entry["values"])
            return Attribute(name, len(values), values, numeric)
        return Attribute(name, _whole(document.text_of(entry["size"]), "size"))
    except InputError as error:
        raise error.located(json_path([*keys, error.field])) from None


def _whole(text: str, field: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise InputError(
            field=field,
            value=text or "nothing",
            expected="a whole number in plain digits",
            remedy="a thousand is written 1000, not 1e3, 1000.0 or 01000",
        )
    return int(text)


class _Queries:
    """The queries of a document; equal predicates and numbers become one shared object."""

    def __init__(
        self, document: Document, attributes: tuple[Attribute, ...], relation: str
    ) -> None:
        self._document = document
        self._relation = relation
        self._text_of = document.text_of
        self._attributes = attributes
        self._numbers = {attribute.name: i for i, attribute in enumerate(attributes)}
        self._value_numbers: dict[int, dict[str, int]] = {}
        self._spellings = [Spellings(attribute.values) for attribute in attributes]
        self._shared: dict[Coverage, Coverage] = {}
        self._outside: list[str] = []

    def query(self, entry: Mapping[str, Any], index: int) -> Query:
        """The query that stands at ``index``."""
        try:
            mechanism = mechanism_of(entry, self._text_of)
            check_noise(mechanism, self._relation)
        except InputError as error:
            place = place_in(entry, error.field)
            raise error.located(json_path(["queries", index, *place])) from None
        where: dict[int, Coverage] = {}
        self._outside = []
        for name, predicate in entry.get("where", {}).items():
            keys: _Keys = ["queries", index, "where", name]
            if name not in self._numbers:
                raise unknown_key(name, "no attribute", json_path(keys), list(self._numbers))
            number = self._numbers[name]
            try:
                coverage = self._coverage(number, predicate)
            except InputError as error:
                raise error.located(json_path(keys)) from None
            where[number] = self._shared.setdefault(coverage, coverage)
        return Query(mechanism, where, tuple(self._outside))

    def _coverage(self, number: int, predicate: Any) -> Coverage:  # noqa: ANN401 (a JSON tree)
        attribute = self._attributes[number]
        if isinstance(predicate, list):
            return Coverage.of_values(self._values(number, predicate))
        if "not" in predicate:
            return Coverage.of_values(self._values(number, predicate["not"])).without(
                attribute.size
            )
        low, high = (_whole(self._text_of(end), "range") for end in predicate["range"])
        if high > attribute.size:
            raise DomainError(
                field=attribute.name,
                value=str(high),
                expected=f"ends from 0 to {attribute.size}",
            )
        return Coverage.of([(low, high)])

    def _values(self, number: int, values: list[Any]) -> list[int]:
        """The numbers of those values that the domain has; no row has any other."""
        attribute = self._attributes[number]
        texts = [self._text_of(value) for value in values]
        if not attribute.values:
            found = {text: _whole(text, attribute.name) for text in texts}
            self._outside += [
                f"{attribute.name} = {text}" for text in texts if found[text] >= attribute.size
            ]
            return [value for value in found.values() if value < attribute.size]
        if number not in self._value_numbers:
            self._value_numbers[number] = {name: i for i, name in enumerate(attribute.values)}
        known = self._value_numbers[number]
        unknown = [text for text in texts if text not in known]
        for text in unknown:
            self._require_another(number, text)
        self._outside += [f"{attribute.name} = {text}" for text in unknown]
        return [known[text] for text in texts if text in known]

    def _require_another(self, number: int, text: str) -> None:
        """Refuse another spelling of a value, which is no contradiction but a slip."""
        near = self._spellings[number].nearest(text)
        if near is not None:
            name = self._attributes[number].name
            raise InputError(
                field=name,
                value=text,
                expected=f"a value of {name} as the domain writes it, or one that is unlike them",
                remedy=f"write {near}, as the domain does",
            )


def write(workload: Workload) -> str:
    """The text of a workload as JSON: the same text for equal workloads, one query to a line."""
    texts = Texts()
    domain = {
        attribute.name: {"values": list(attribute.values)}
        if attribute.values
        else {"size": attribute.size if attribute.size < MAX_SIZE else str(attribute.size)}
        for attribute in workload.attributes
    }
    queries = [_query_entry(workload, query, texts) for query in workload]
    head = {
        "format": FORMAT,
        **({"name": workload.name} if workload.name else {}),
        "neighbouring": workload.neighbouring,
        "domain": domain,
    }
    lines = [f"  {_compact(key)}: {_compact(value)}" for key, value in head.items()]
    rows = ",\n".join(f"    {_compact(entry)}" for entry in queries)
    lines.append(f'  "queries": [\n{rows}\n  ]' if rows else '  "queries": []')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _query_entry(workload: Workload, query: Query, texts: Texts) -> dict[str, Any]:
    entry = mechanism_entry(query.mechanism, texts)
    if query.where:
        entry["where"] = {
            workload.attributes[number].name: _predicate(workload.attributes[number], coverage)
            for number, coverage in query.where.items()
        }
    return entry


def _predicate(attribute: Attribute, coverage: Coverage) -> object:
    """The shortest of the three ways to write a coverage."""
    if len(coverage.ranges) == 1 and coverage.ranges[0][1] - coverage.ranges[0][0] > 1:
        return {"range": list(coverage.ranges[0])}
    rest = coverage.without(attribute.size)
    if rest.count < coverage.count:
        return {"not": _named(attribute, rest)}
    return _named(attribute, coverage)


def _named(attribute: Attribute, coverage: Coverage) -> list[str | int]:
    return [attribute.values[value] if attribute.values else value for value in coverage]


_compact: Final = json.JSONEncoder(ensure_ascii=False).encode

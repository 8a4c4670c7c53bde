"""Every number of an answer in JSON, and what it rests on by what the schema and the answer say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import ExactDPError
from tests.cli.running import SCHEMA

STANDINGS: Final = ("given", "count")
EVIDENCE: Final = ("certificate", "computed")
_SCHEMA: Final[dict[str, Any]] = json.loads(SCHEMA.read_text())

Schemas = list[dict[str, Any]]


def unlabelled(document: Mapping[str, Any]) -> list[str]:
    """The places of numbers of a result of which nothing says what they rest on."""
    command = str(document["command"])
    schemas = [_SCHEMA["$defs"][name] for name in _results_of(command)]
    return sorted(set(_walk(document["result"], schemas, None, command)))


def is_number(value: object) -> bool:
    """Whether a value of JSON is a number, or a text that is one."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    if not isinstance(value, str) or value == "inf":
        return True
    try:
        ExactNumber.parse(value)
    except ExactDPError:
        return False
    return True


def _walk(value: object, schemas: Schemas, evidence: object, place: str) -> Iterator[str]:
    known = [*_applied(schemas)]
    if any(each.get("standing") in STANDINGS for each in known):
        return
    if isinstance(value, dict):
        said = value.get("evidence", evidence)
        for name, each in value.items():
            own = said.get(name, said) if isinstance(said, dict) else said
            yield from _walk(each, _below(known, name), own, f"{place}.{name}")
    elif isinstance(value, list):
        inner = [each["items"] for each in known if isinstance(each.get("items"), dict)]
        for each in value:
            yield from _walk(each, inner, evidence, place)
    elif is_number(value) and evidence not in EVIDENCE:
        yield place


def _results_of(command: str) -> list[str]:
    """The definitions of what a command answers."""
    return [command, "composeForGroup"] if command == "compose" else [command]


def _applied(schemas: Schemas) -> Iterator[dict[str, Any]]:
    """Schemas with all that they refer to or choose from."""
    for each in schemas:
        yield each
        chosen = [part for key in ("anyOf", "oneOf", "allOf") for part in each.get(key, [])]
        if "$ref" in each:
            chosen.append(_SCHEMA["$defs"][each["$ref"].removeprefix("#/$defs/")])
        yield from _applied(chosen)


def _below(schemas: Schemas, name: str) -> Schemas:
    found = [each["properties"][name] for each in schemas if name in each.get("properties", {})]
    if found:
        return found
    others = [each.get("additionalProperties") for each in schemas]
    return [each for each in others if isinstance(each, dict)]


def silent_places() -> list[str]:
    """Places of numbers in the results of every command that nothing around them speaks for."""
    return [place for name in answers() for place in _silent(_SCHEMA["$defs"][name], name)]


def answers() -> list[str]:
    """The definitions of what commands answer, by the branches of the schema."""
    results = [each["then"]["properties"]["result"] for each in _SCHEMA["allOf"]]
    parts = [part for each in results for part in (each, *map(each.get, ("then", "else"))) if part]
    return [part["$ref"].removeprefix("#/$defs/") for part in parts if "$ref" in part]


_NUMBERS: Final = ("number", "decimal", "end")
"""Definitions of numbers."""


def _silent(schema: Mapping[str, Any], place: str) -> Iterator[str]:
    if "standing" in schema or "evidence" in schema.get("properties", {}):
        return
    named = schema.get("$ref", "").removeprefix("#/$defs/")
    if named in _NUMBERS or schema.get("type") in ("integer", "number"):
        yield place
    elif named:
        yield from _silent(_SCHEMA["$defs"][named], place)
    for key in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(key, []):
            yield from _silent(part, place)
    if isinstance(schema.get("items"), dict):
        yield from _silent(schema["items"], place)
    for name, part in schema.get("properties", {}).items():
        yield from _silent(part, f"{place}.{name}")

r"""The published schema of workloads, and errors that say what the schema says.

Rules of this file: ``schemas/workload-1.schema.json`` is the only description of the format; what
is expected is quoted from its descriptions; one error is reported, the first in the file.

Theory of operation: the whole is only asked "valid?". If it is not, the top level is asked without
its lists, and then each attribute and each query until one is bad; errors are built for that alone.

Sources: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.formats.strict_json import Document, json_path
from exactdp.ledger.schema import Part, first_error, published, unknown_key
from exactdp.mechanisms.entries import NOTIONS

if TYPE_CHECKING:
    import jsonschema_rs

SCHEMA_PATH: Final = Path(__file__).parent / "schemas" / "workload-1.schema.json"
FORMAT: Final = "exactdp-workload/1"


def schema() -> dict[str, Any]:
    """The published schema of ``exactdp-workload/1``."""
    return published(SCHEMA_PATH)


def validate(document: Document) -> None:
    """Check a document against the published schema.

    Raises:
        InputError: it does not conform; the path is a JSON path.
    """
    found = first_error(document, SCHEMA_PATH, _parts)
    if found is not None:
        raise _input_error(document, *found)


def _parts(tree: object) -> Iterator[Part]:
    if not isinstance(tree, dict):
        yield [], "#", tree
        return
    domain, queries = tree.get("domain"), tree.get("queries")
    top = dict(tree)
    if isinstance(domain, dict):
        top["domain"] = {}
    if isinstance(queries, list):
        top["queries"] = []
    yield [], "#", top
    for name, attribute in (domain or {}).items():
        yield ["domain", name], "#/$defs/attribute", attribute
    for index, query in enumerate(queries or ()):
        where = query.get("where") if isinstance(query, dict) else None
        if isinstance(where, dict):
            yield ["queries", index], "#/$defs/query", query | {"where": {}}
            for name, predicate in where.items():
                yield ["queries", index, "where", name], "#/$defs/predicate", predicate
        else:
            yield ["queries", index], "#/$defs/query", query


def _input_error(
    document: Document,
    keys: list[str | int],
    definition: str,
    error: jsonschema_rs.ValidationError,
) -> InputError:
    inner = list(error.instance_path)
    part = schema() if definition == "#" else schema()["$defs"][definition.rpartition("/")[2]]
    value = document.tree
    for key in [*keys, *inner]:
        value = value[key]
        properties = part.get("properties", {})
        part = properties.get(key, part) if isinstance(key, str) else part
    keys = [*keys, *inner]
    known = list(part.get("properties", {}))
    unknown = [key for key in value if key not in known] if isinstance(value, dict) else []
    if unknown and known:
        shown = document.shown(value[unknown[0]])
        return unknown_key(unknown[0], shown, json_path([*keys, unknown[0]]), known, "remove it")
    if missing := getattr(error.kind, "property", None):
        return _missing_key(missing, keys, part)
    if isinstance(value, dict) and definition == "#/$defs/query" and not inner:
        given = [key for key in NOTIONS if key in value]
        if not given:
            return _missing_key("epsilon", keys, part)
        if len(given) > 1:
            return InputError(
                field=given[-1],
                value=" and ".join(given),
                path=json_path(keys),
                expected=part["description"],
                remedy=f"keep one, or write {len(given)} queries",
            )
    return InputError(
        field=shorten(str(keys[-1])) if keys else "workload",
        value=document.shown(value),
        path=json_path(keys),
        expected=part["description"],
    )


def _missing_key(key: str, keys: list[str | int], part: dict[str, Any]) -> InputError:
    return InputError(
        field=key,
        value="nothing",
        path=json_path(keys),
        expected=part["properties"].get(key, part)["description"],
        remedy=f"add the key {key}",
        code="missing-key",
    )

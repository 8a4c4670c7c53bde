r"""The published schema: validation of a ledger, and errors that say what the schema says.

Rules of this file: the file ``schemas/ledger-1.schema.json`` is the only description of the
format; what is expected is quoted from its descriptions. One error is reported, the first in
the order: top level, then mechanisms, then claims; in an object an unknown key comes first, for
it explains the missing one.

Theory of operation: jsonschema_rs validates a million mechanisms in a fraction of a second but
builds its errors eagerly, each with a copy of the instance: a million bad mechanisms take
minutes. So the whole is only asked "valid?", and if not, errors are built for the top level
without its lists, and then for the first bad entry alone.

Sources: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from exactdp.errors import InputError, InternalError, shorten
from exactdp.ledger.columns import key_of
from exactdp.ledger.formats.strict_json import Document, json_path, too_deep
from exactdp.mechanisms.keys import count_cure

if TYPE_CHECKING:
    import jsonschema_rs

SCHEMA_PATH: Final = Path(__file__).parent / "schemas" / "ledger-1.schema.json"
FORMAT: Final = "exactdp-ledger/1"

_READ_ELSEWHERE: Final = {
    "exactdp-statistics": "exactdp budget --allocate FILE",
    "exactdp-workload": "exactdp parallel FILE",
    "exactdp-interactive": "exactdp interactive FILE",
}
"""What reads other files of this project, by the beginning of their format."""
_LISTS: Final = {"mechanisms": "mechanism", "claims": "claim"}
_MOST_TELLING: Final = ("additionalProperties", "type", "required", "oneOf", "anyOf")


Part = tuple[list[str | int], str, object]
"""A part of a document: its keys, the definition that describes it, and its value."""


@cache
def published(path: Path) -> dict[str, Any]:
    """The published schema in a file."""
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def schema() -> dict[str, Any]:
    """The published schema of ``exactdp-ledger/1``."""
    return published(SCHEMA_PATH)


def validate(document: Document) -> None:
    """Check a document against the published schema.

    Raises:
        InputError: it does not conform; the path is a JSON path.
    """
    found = first_error(document, SCHEMA_PATH, _parts)
    if found is not None:
        named = document.tree.get("format") if isinstance(document.tree, dict) else None
        if isinstance(named, str) and (reader := _READ_ELSEWHERE.get(named.partition("/")[0])):
            raise InputError(
                field="format",
                value=named,
                path="$.format",
                expected=f"{FORMAT}, a ledger",
                remedy=f"this is read by {reader}",
            )
        keys, _, error = found
        raise _input_error(document, [*keys, *error.instance_path], error)


def first_error(
    document: Document, path: Path, parts: Callable[[object], Iterable[Part]]
) -> tuple[list[str | int], str, jsonschema_rs.ValidationError] | None:
    """The keys and the definition of the first part that is invalid, and its most telling error.

    Args:
        document: the document.
        path: the file of its schema.
        parts: its parts in the order in which they are told of, without the lists of others.

    Raises:
        InputError: it is nested too deeply.
    """
    validators = _validators(path)
    try:
        if validators["#"].is_valid(document.tree):
            return None
        for keys, definition, value in parts(document.tree):
            if not validators[definition].is_valid(value):
                return keys, definition, min(validators[definition].iter_errors(value), key=_rank)
    except ValueError:  # "Recursion limit reached"
        raise too_deep() from None
    raise InternalError(field="schema", value=path.name, expected="its parts invalid as the whole")


def unknown_key(
    key: str,
    value: object,
    path: str,
    allowed: list[str],
    otherwise: str = "remove it, or move it into notes",
) -> InputError:
    """The error for a key or column that the format does not know, with the nearest it knows."""
    close = get_close_matches(key.casefold(), allowed, n=1, cutoff=0.5)
    meant = [key_of(key) or "", _MEANT.get(key.casefold(), "")]
    close = [each for each in meant if each.partition(" ")[0] in allowed] or close
    return InputError(
        field=shorten(key),
        value=value,
        path=path,
        expected="one of " + ", ".join(allowed),
        remedy=f"did you mean {close[0]}?" if close else otherwise,
        code="unknown-key",
    )


_MEANT: Final = {
    "gaussian": "sigma with sensitivity",
    "geometric": "discrete_laplace",
    "epsilon": "odds (e^ε, rounded up)",
}
"""What keys of other tools are here, beside the synonyms of columns."""


@cache
def _validators(path: Path) -> jsonschema_rs.ValidatorMap:
    import jsonschema_rs  # noqa: PLC0415 (lazily: CSV and -m never need it)

    return jsonschema_rs.validator_map_for(published(path), offline=True)


def _parts(tree: object) -> Iterator[Part]:
    if not isinstance(tree, dict):
        yield [], "#", tree
        return
    lists = {key: tree[key] for key in _LISTS if isinstance(tree.get(key), list)}
    yield [], "#", {**tree, **{key: [] for key in lists}}
    for key, entries in lists.items():
        for index, entry in enumerate(entries):
            yield [key, index], f"#/$defs/{_LISTS[key]}", entry


def _rank(error: jsonschema_rs.ValidationError) -> int:
    keyword = str(error.schema_path[-1])
    if "dependentSchemas" in error.schema_path:
        return 1
    return _MOST_TELLING.index(keyword) if keyword in _MOST_TELLING else 1


def _input_error(
    document: Document, keys: list[str | int], error: jsonschema_rs.ValidationError
) -> InputError:
    value, part, path = _value_at(document.tree, keys), _described(keys), json_path(keys)
    keyword = str(error.schema_path[-1])
    if unexpected := getattr(error.kind, "unexpected", None):
        key = next(key for key in value if key in unexpected)
        shown = document.shown(value[key])
        return unknown_key(key, shown, json_path([*keys, key]), list(part["properties"]))
    if missing := getattr(error.kind, "property", None):
        return _missing_key(missing, keys)
    if keyword in ("oneOf", "anyOf"):
        own = part if keyword in part else part["dependentSchemas"][str(error.schema_path[-2])]
        alternatives = [alternative["required"][0] for alternative in own[keyword]]
        given = [key for key in alternatives if key in value]
        if not given:
            return _missing_key(alternatives[0], keys)
        return _too_many_keys(given, part["description"], path)
    return InputError(
        field=_field(keys),
        value=document.shown(value),
        path=path,
        expected=part["description"],
        remedy=_remedy(keyword, keys, value, part, document.shown(value)),
    )


def _missing_key(key: str, keys: list[str | int]) -> InputError:
    return InputError(
        field=key,
        value="nothing",
        path=json_path(keys),
        expected=_described([*keys, key])["description"],
        remedy=f"add the key {key}",
        code="missing-key",
    )


def _too_many_keys(given: list[str], expected: str, path: str) -> InputError:
    return InputError(
        field=given[-1],
        value=" and ".join(given),
        path=path,
        expected=expected,
        remedy=f"keep one, or write {len(given)} mechanisms",
    )


def _remedy(
    keyword: str, keys: list[str | int], value: object, part: dict[str, Any], shown: str
) -> str:
    if keyword == "enum" and isinstance(value, str):
        close = get_close_matches(value.casefold(), part["enum"], n=1, cutoff=0.4)
        return f"did you mean {close[0]}?" if close else ""
    if not keys and isinstance(value, list):
        return 'put it into an object: {"mechanisms": […]}'
    if _field(keys) == "count":
        return count_cure(shown)
    if part.get("type") == "string" and isinstance(value, int | float):
        return "put it in quotes"
    return ""


def _field(keys: list[str | int]) -> str:
    names = [key for key in keys if isinstance(key, str)]
    return shorten(names[-1]) if names else "ledger"


def _value_at(tree: Any, keys: list[str | int]) -> Any:  # noqa: ANN401 (a JSON tree)
    for key in keys:
        tree = tree[key]
    return tree


def _described(keys: list[str | int]) -> dict[str, Any]:
    """The part of the schema that describes the value at ``keys``; its description is its own."""
    part = schema()
    for key in keys:
        if isinstance(key, int):
            part = part["items"]
        else:
            part = part.get("properties", {}).get(key) or part["additionalProperties"]
        if "$ref" in part:
            target = schema()["$defs"][part["$ref"].rpartition("/")[2]]
            part = target | part
    return part

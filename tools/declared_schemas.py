r"""Write into the published schemas what the families declare of their keys.

    python -m tools.declared_schemas [--check]

An object that a key nests with an amount of noise is described by its key alone; so are the lists
of keys. All else in the schemas is written by hand, and stays. With ``--check`` nothing is written:
exit code 1 if a schema differs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import exactdp
from exactdp.ledger.schema import SCHEMA_PATH as LEDGER
from exactdp.mechanisms.entries import KEYS, NOTIONS
from exactdp.mechanisms.keys import Key, listed
from exactdp.workloads.schema import SCHEMA_PATH as WORKLOAD

Schema = dict[str, Any]

NESTED: Final = tuple(key for key in KEYS.values() if key.first and not key.joins)
"""Those of noise in an amount, with what else it takes."""
OUTPUT: Final = Path(exactdp.__file__).parent / "cli/schemas/output-1.schema.json"
_WIDTH: Final = 100


def of_key(key: Key, *, optional: bool) -> Schema:
    """The object of a key, of which what has a default is ``optional``."""
    first, further = str(key.first), dict(key.further)
    shown = [f"{name} where {_is_not(value)}" for name, value in further.items()]
    beside = f", and {listed(shown, 'and')}" if optional else f" and {listed(further, 'and')}"
    properties = {first: _number(key.means[first], "number")}
    for name, value in further.items():
        what, _, range_ = key.means[name].partition(":")
        default = f" (default {_plain(value)})" if optional else ""
        kind = "shifts" if isinstance(value, list) else "number"
        properties[name] = _number(f"{what}{default}:{range_}", kind)
    return {
        "description": f"{key.means[key.name]}: an object with {first}{beside}",
        "type": "object",
        "required": [first] if optional else [first, *further],
        "additionalProperties": False,
        "properties": properties,
    }


def _is_not(default: object) -> str:
    verb = "they are" if isinstance(default, list) else "it is"
    return f"{verb} not {_plain(default)}"


def _plain(default: object) -> str:
    return f"[{', '.join(default)}]" if isinstance(default, list) else str(default)


def _number(description: str, kind: str) -> Schema:
    return {"description": description, "$ref": f"#/$defs/{kind}"}


def _with_keys(properties: Schema, nested: Schema) -> Schema:
    """Properties with these in the place of the first that is nested."""
    made: Schema = {}
    for name, value in properties.items():
        if name == NESTED[0].name:
            made |= nested
        elif name not in nested:
            made[name] = value
    return made


def _mechanism(described: Schema, *, optional: bool) -> Schema:
    """The description of a mechanism with the keys as they are declared."""
    nested = {key.name: of_key(key, optional=optional) for key in NESTED}
    properties = _with_keys(described["properties"], nested)
    rate = properties["rate"]
    beside = listed(KEYS["rate"].joins)
    rate["description"] = f"{_RATE}, beside {beside}: a rational number above 0 and at most 1"
    stated = () if optional else ("sigma", "variance")
    names = [f"{name} with sensitivity" if name in stated else name for name in NOTIONS]
    opening = described["description"].partition("exactly one of ")[0]
    return {
        **described,
        "description": f"{opening}exactly one of {listed(names, 'and')}",
        "properties": properties,
        "oneOf": [{"required": [name]} for name in NOTIONS],
    }


_RATE: Final = "the probability with which each record takes part (Poisson sampling)"


def ledger(schema: Schema) -> Schema:
    """The schema of ledgers."""
    defs = schema["$defs"]
    mechanism = _mechanism(defs["mechanism"], optional=True)
    return {**schema, "$defs": {**defs, "mechanism": mechanism}}


def workload(schema: Schema) -> Schema:
    """The schema of workloads, where a query states its sensitivity."""
    defs = schema["$defs"]
    return {**schema, "$defs": {**defs, "query": _mechanism(defs["query"], optional=False)}}


def output(schema: Schema) -> Schema:
    """The schema of output, where a hunt shows what accountants were asked about."""
    for part in _parts(schema):
        if part.get("properties", {}).get(NESTED[0].name) == {"type": "object"}:
            nested: Schema = {key.name: {"type": "object"} for key in NESTED}
            part["properties"] = _with_keys(part["properties"], nested)
    return schema


def _parts(value: object) -> Iterator[Schema]:
    if isinstance(value, dict):
        yield value
    children = value.values() if isinstance(value, dict) else value
    for each in children if isinstance(value, dict | list) else ():  # type: ignore[attr-defined] # either
        yield from _parts(each)


def _lines(value: object, indent: str = "") -> str:
    """JSON of which what is short, or has nothing within, is on one line."""
    if isinstance(value, dict) and value:
        inner = ", ".join(f"{json.dumps(k)}: {_lines(v)}" for k, v in value.items())
        if len(value) == 1 and "\n" not in inner and len(inner) < _WIDTH // 2:
            return f"{{ {inner} }}"
        inside = [f"{json.dumps(k)}: {_lines(v, indent + '  ')}" for k, v in value.items()]
        return _block("{", inside, "}", indent)
    if isinstance(value, list):
        flat = f"[{', '.join(map(_lines, value))}]"
        if "\n" not in flat and len(flat) + len(indent) < _WIDTH - 10:
            return flat
        return _block("[", [_lines(each, indent + "  ") for each in value], "]", indent)
    return json.dumps(value, ensure_ascii=False)


def _block(opening: str, parts: list[str], closing: str, indent: str) -> str:
    inside = f",\n{indent}  ".join(parts)
    return f"{opening}\n{indent}  {inside}\n{indent}{closing}"


def _indented(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


SCHEMAS: Final[dict[Path, tuple[Callable[[Schema], Schema], Callable[[object], str]]]] = {
    LEDGER: (ledger, _lines),
    WORKLOAD: (workload, _lines),
    OUTPUT: (output, _indented),
}


def refreshed(path: Path) -> str:
    """A schema as the families declare it now."""
    make, write = SCHEMAS[path]
    return write(make(json.loads(path.read_text(encoding="utf-8")))) + "\n"


def main() -> int:
    """Write the schemas, or compare them; return the exit code."""
    new = {path: refreshed(path) for path in SCHEMAS}
    if "--check" in sys.argv[1:]:
        return int(any(path.read_text(encoding="utf-8") != text for path, text in new.items()))
    for path, text in new.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

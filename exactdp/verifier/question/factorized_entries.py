r"""Factorizations in a ledger file, as a statement writes them.

Rules of this file: shapes are checked, and no range, as in ``noise_entries``.

Sources: certs/SPEC.md, section 12.1.
"""

from __future__ import annotations

from typing import Final

from ..format.numbers import canonical, parse, parse_integer
from ..format.shapes import array, members, string
from ..format.strict_json import Json, Numeral

_MAX_INTEGER: Final = 10**20


def factorized_entry(value: Json) -> tuple[dict[str, Json], Json]:
    """What a statement says of a factorization, and its count as it stands."""
    keys = ("factorization", "participation", "sigma")
    parts = members(value, keys, "mechanism", ("count", "label"))
    string(parts.get("label", ""), "label")
    shape: dict[str, Json] = {
        "factorization": _factorization(parts["factorization"]),
        "participation": _participation(parts["participation"]),
        "sigma": _number(parts["sigma"]),
    }
    return shape, parts.get("count", "1")


def _factorization(value: Json) -> Json:
    optional = ("band", "blt", "from", "rows", "sqrt", "steps", "toeplitz", "tree")
    parts = members(value, (), "factorization", optional)
    shape: dict[str, Json] = {}
    for key, part in parts.items():
        if key == "blt":
            inner = members(part, ("decays", "scales"), "blt")
            shape[key] = {name: _numbers(each) for name, each in inner.items()}
        elif key == "rows":
            shape[key] = [_numbers(row) for row in array(part, "rows")]
        elif key == "toeplitz":
            shape[key] = _numbers(part)
        else:
            shape[key] = _integers(part) if key == "from" else _integer(part)
    if "sqrt" in shape:
        shape.setdefault("band", shape["sqrt"])
    if "rows" in shape:
        shape.setdefault("from", ["0"] * len(array(shape["rows"], "rows")))
    return shape


def _participation(value: Json) -> Json:
    if isinstance(value, list):
        return [_integers(each) for each in value]
    parts = members(value, (), "participation", ("apart", "every", "most"))
    return {key: _integer(part) for key, part in parts.items()}


def _text(value: Json) -> str:
    """The text of a number that may be a JSON number or a string."""
    return value.text if isinstance(value, Numeral) else string(value, "a number")


def _number(value: Json) -> Json:
    return canonical(parse(_text(value)))


def _numbers(value: Json) -> Json:
    return [_number(each) for each in array(value, "numbers")]


def _integer(value: Json) -> Json:
    return str(parse_integer(_text(value), -_MAX_INTEGER, _MAX_INTEGER, "an integer"))


def _integers(value: Json) -> Json:
    return [_integer(each) for each in array(value, "integers")]

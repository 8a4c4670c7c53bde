r"""Ledgers from tables that other libraries hold: pandas, polars, Arrow, or plain rows by name.

Rules of this file: none of these libraries is imported; a table is known by what it can do. A cell
says what it means or is refused, as in a CSV ledger; a missing one (None, NaN) is no cell. Binary
fractions are refused, for only the caller knows whether 0.1 meant one tenth. A row may also be an
entry of a JSON ledger as it stands there, with a family's parameters nested.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from math import isnan
from typing import Any, Final

from exactdp.arithmetic.numbers import as_number
from exactdp.errors import InputError
from exactdp.ledger.model import (
    ZERO_OUT,
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Ledger,
    Mechanism,
)
from exactdp.ledger.schema import unknown_key

_NOTIONS: Final = ("epsilon", "rho", "mu")
_KNOWN: Final = (*_NOTIONS, "delta", "count", "label")
_NESTED: Final = ("pair", "renyi", "shuffled")
_FAMILIES: Final = ("sigma", "laplace", "discrete_laplace", "discrete_gaussian", "bounded_range")
_OF_NOISE: Final = (*_FAMILIES, *_NESTED, "rate", "batches")
"""The keys of which a mechanism by its noise has one."""
_BESIDE_NOISE: Final = (*_OF_NOISE, "sensitivity", "shifts", "clip", "epochs", "order")
_READERS: Final[Mapping[str, dict[str, str]]] = {
    "to_dicts": {},  # polars
    "to_pylist": {},  # Arrow
    "to_dict": {"orient": "records"},  # pandas
}
_TEXTS: Final = "columns of decimals are texts or Decimal: table.astype({'epsilon': str}), or so"


def rows_of_table(value: object) -> list[Mapping[str, Any]] | None:
    """The rows of a table, each by the names of its columns; None if it is no table."""
    for method, arguments in _READERS.items():
        read: Callable[..., Any] | None = getattr(value, method, None)
        if callable(read) and (hasattr(value, "columns") or not arguments):
            return list(read(**arguments))
    if isinstance(value, list | tuple) and value and all(isinstance(v, Mapping) for v in value):
        return list(value)
    return None


def ledger_of_rows(rows: Iterable[Mapping[str, Any]]) -> Ledger:
    """The ledger of rows by name: epsilon (and delta), rho, mu or a family of noise; count, label.

    Raises:
        InputError: a row that says something else; its path is "row N".

    >>> ledger_of_rows([{"epsilon": "0.1", "count": 3}, {"rho": "1/8"}]).size
    4
    >>> ledger_of_rows([{"sigma": 2, "sensitivity": 1, "rate": "1/100", "count": 10}]).size
    10
    """
    entries: list[Entry] = []
    for number, row in enumerate(rows, 1):
        try:
            entries.append(_entry(row))
        except InputError as error:
            raise _located(error, f"row {number}") from None
    return Ledger(tuple(entries))


def _entry(row: Mapping[str, Any]) -> Entry:
    given = {str(key).strip(): value for key, value in row.items() if not _is_missing(value)}
    for key in given:
        if key not in _KNOWN and key not in _BESIDE_NOISE:
            raise unknown_key(key, key, "", [*_KNOWN, *_BESIDE_NOISE])
    if any(key in given for key in _BESIDE_NOISE):
        return _of_noise(given)
    notions = [key for key in _NOTIONS if key in given]
    if len(notions) != 1 or ("delta" in given and notions != ["epsilon"]):
        raise InputError(
            field="row",
            value=" and ".join(given) or "nothing",
            expected="epsilon (with or without delta), or rho, or mu",
        )
    count, label = given.get("count", 1), given.get("label", "")
    if notions == ["epsilon"]:
        return Mechanism(given["epsilon"], given.get("delta", 0), count, label)
    make = ConcentratedMechanism if notions == ["rho"] else GaussianMechanism
    return make(given[notions[0]], count, label)


def _of_noise(given: Mapping[str, Any]) -> Entry:
    """A mechanism by its noise: an entry of JSON, or the cells of CSV."""
    nested = any(isinstance(value, Mapping | list | tuple) for value in given.values())
    texts = {key: _texts(value) for key, value in given.items()}
    if nested:
        from exactdp.ledger.formats import json_ledger  # noqa: PLC0415 (few rows are nested)

        relation = ZERO_OUT if "shuffled" in given else "add-remove-one"
        document = {"neighbouring": relation, "mechanisms": [texts]}
        return json_ledger.read(json.dumps(document).encode()).mechanisms[0]
    from exactdp.ledger.formats import csv_ledger  # noqa: PLC0415 (few rows state noise)

    rows = [(1, [*texts]), (2, [*map(str, texts.values())])]
    return csv_ledger.read_rows(iter(rows)).mechanisms[0]


def _texts(value: object) -> object:
    """A value with texts for its numbers; a binary fraction is refused."""
    if isinstance(value, Mapping):
        return {str(key): _texts(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_texts(part) for part in value]
    return value if isinstance(value, str) else str(as_number(value, "row"))


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and isnan(value)) or str(value) == "<NA>"


def _located(error: InputError, path: str) -> InputError:
    return type(error)(
        field=error.field,
        value=error.value,
        path=path,
        expected=error.expected,
        remedy=_TEXTS if error.code == "float-refused" else error.remedy,
        code=error.code,
    )

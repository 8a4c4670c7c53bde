r"""Ledgers from tables that other libraries hold: pandas, polars, Arrow, or plain rows by name.

Rules of this file: none of these libraries is imported; a table is known by what it can do. A cell
says what it means or is refused, as in a CSV ledger; a missing one (None, NaN) is no cell. Binary
fractions are refused, for only the caller knows whether 0.1 meant one tenth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import isnan
from typing import Any, Final

from exactdp.errors import InputError
from exactdp.ledger.model import ConcentratedMechanism, Entry, GaussianMechanism, Ledger, Mechanism
from exactdp.ledger.schema import unknown_key

_NOTIONS: Final = ("epsilon", "rho", "mu")
_KNOWN: Final = (*_NOTIONS, "delta", "count", "label")
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
    """The ledger of rows by name: epsilon (and delta), rho or mu; count and label.

    Raises:
        InputError: a row that says something else; its path is "row N".

    >>> ledger_of_rows([{"epsilon": "0.1", "count": 3}, {"rho": "1/8"}]).size
    4
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
        if key not in _KNOWN:
            raise unknown_key(key, key, "", [*_KNOWN])
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

r"""Ledgers from tables that other libraries hold: pandas, polars, Arrow, or plain rows by name.

Rules of this file: none of these libraries is imported; a table is known by what it can do. Columns
mean what they mean in CSV, and a cell says what it means or is refused; a missing one (None, NaN)
is an empty cell. Binary fractions are refused, for only the caller knows whether 0.1 meant one
tenth. A row may also be an entry of a JSON ledger as it stands there, with a family's parameters
nested. A plain row has the columns that it has keys for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan
from typing import Any, Final

from exactdp.arithmetic.numbers import as_number
from exactdp.errors import InputError, shorten
from exactdp.ledger.columns import header_of
from exactdp.ledger.formats.tables import TableColumns, TableReader, TableRow
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import ZERO_OUT, Entry
from exactdp.mechanisms.keys import each_leaf

_READERS: Final[Mapping[str, dict[str, str]]] = {
    "to_dicts": {},  # polars
    "to_pylist": {},  # Arrow
    "to_dict": {"orient": "records"},  # pandas
}
_NUMBERS: Final = ("integer", "floating", "decimal", "mixed-integer", "mixed-integer-float")
_NONE: Final = ("<NA>", "NaT")
_TEXTS: Final = (
    "exactdp.written(table) has the decimals as texts; Decimal and text are taken as they are"
)


def rows_of_table(value: object) -> list[Mapping[str, Any]] | None:
    """The rows of a table, each by the names of its columns; None if it is no table."""
    for method, arguments in _READERS.items():
        read: Callable[..., Any] | None = getattr(value, method, None)
        if callable(read) and hasattr(value, "columns"):
            table = _with_index(value)
            _refuse_twice(table)
            read = getattr(table, method)
            return list(read(**arguments))
    if not isinstance(value, list | tuple) or not value:
        return None
    if all(isinstance(row, Mapping) or hasattr(row, "_asdict") for row in value):
        return [row if isinstance(row, Mapping) else row._asdict() for row in value]
    return None


def is_event(value: object) -> bool:
    """Whether an object is an event of dp-accounting's interface, or a list of some."""
    if isinstance(value, list | tuple) and not hasattr(value, "_asdict"):
        return bool(value) and all(map(is_event, value))
    return hasattr(value, "to_named_tuple") or (
        hasattr(value, "_asdict") and hasattr(value, "class_name")
    )


def _with_index(table: object) -> object:
    """The table with its index as columns, unless that only numbers the rows."""
    index, reset = getattr(table, "index", None), getattr(table, "reset_index", None)
    if not callable(reset):
        return table
    names = [name for name in getattr(index, "names", [None]) if name is not None]
    if not names and (getattr(index, "start", None), getattr(index, "step", None)) == (0, 1):
        return table
    if not names and getattr(index, "inferred_type", "") in _NUMBERS:
        raise InputError(
            field="index",
            value="an index of numbers without a name",
            path="index",
            expected="an index that numbers the rows from 0, or one with a name",
            remedy="table.reset_index(drop=True) if it numbers the rows, or "
            "table.rename_axis('count') if the rows ran so often",
        )
    try:
        return reset()
    except ValueError as error:
        raise InputError(
            field="index",
            value=", ".join(map(str, names)),
            expected=f"an index that can be columns ({shorten(str(error))})",
            remedy="rename its levels, or drop them with table.reset_index(drop=True)",
        ) from None


def _refuse_twice(table: object) -> None:
    """Refuse columns of one name, of which rows by name keep the last."""
    columns: Iterable[object] = getattr(table, "columns", ())
    names = [*map(str, getattr(table, "column_names", columns))]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                field=name,
                value="a column that stands twice",
                path=f"column {name}",
                expected="each column once",
                remedy="remove one of the two",
                code="duplicate-key",
            )


def ledger_of_rows(rows: Iterable[Mapping[str, Any]], remarks: Sequence[str] = ()) -> Ledger:
    """The ledger of rows by name, as CSV has them, or as JSON does.

    Args:
        rows: the rows.
        remarks: the names of columns that hold no parameters, whatever is in them.

    Raises:
        InputError: a row that says something else; its path is "row N", with the column.

    >>> ledger_of_rows([{"epsilon": "0.1", "count": 3}, {"rho": "1/8"}]).size
    4
    >>> ledger_of_rows([{"sigma": 2, "sensitivity": 1, "rate": "1/100", "count": 10}]).size
    10
    """
    reader = TableReader()
    known: dict[tuple[str, ...], TableColumns] = {}
    for number, row in enumerate(rows, 1):
        place = f"row {number}"
        if any(isinstance(value, Mapping | list | tuple) for value in row.values()):
            reader.add(_nested(row, place))
            continue
        names = tuple(map(str, row))
        columns = known.get(names)
        if columns is None:
            columns = known[names] = reader.columns(header_of(names, place, remarks))
        reader.row(TableRow(columns, _cells(row, columns, place), place, place))
    return reader.ledger()


def _cells(row: Mapping[str, Any], columns: TableColumns, place: str) -> list[str]:
    """The texts of a row; a binary fraction is refused where it is a parameter."""
    cells = []
    for name, key, value in zip(row, columns.header.keys, row.values(), strict=True):
        try:
            is_number = key not in ("", "label")
            text = "" if is_missing(value) else _text(value) if is_number else str(value)
        except InputError as error:
            raise _located(error, key, f"{place}, column {name}") from None
        cells.append(text)
    return cells


def _nested(row: Mapping[str, Any], place: str) -> Entry:
    """A mechanism as an entry of JSON."""
    from exactdp.ledger.formats import json_ledger  # noqa: PLC0415 (few rows are nested)

    try:
        entry = each_leaf(row, _text)
        relation = ZERO_OUT if "shuffled" in row else "add-remove-one"
        document = {"neighbouring": relation, "mechanisms": [entry]}
        return json_ledger.read(json.dumps(document).encode()).mechanisms[0]
    except InputError as error:
        raise _located(error, error.field, place) from None


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(as_number(value, "row"))


def is_missing(value: object) -> bool:
    """Whether a cell is empty: None, NaN, or what pandas has for these."""
    return value is None or (isinstance(value, float) and isnan(value)) or str(value) in _NONE


def _located(error: InputError, field: str, path: str) -> InputError:
    return type(error)(
        field=field,
        value=error.value,
        path=path,
        expected=error.expected,
        remedy=_TEXTS if error.code == "float-refused" else error.remedy,
        code=error.code,
    )

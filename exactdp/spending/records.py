r"""Records of spends that other tools kept.

Purpose: a CSV of spends; and what ledgers are read from as well: the budgets of a Tumult session
(:mod:`exactdp.ledger.formats.tumult`), the steps of smartnoise-sql and diffprivlib, and OpenDP's
descriptions (:mod:`exactdp.ledger.formats.opendp`).

Rules of this file: a record is read whole or refused, with line and field; numbers are the decimal
texts of the file.

Sources: RFC 4180 (CSV).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from typing import Final

from exactdp.errors import InputError
from exactdp.ledger.formats import pairs
from exactdp.ledger.formats.opendp import read_opendp
from exactdp.ledger.formats.recorded import Record, RecordedSpend, labelled
from exactdp.ledger.formats.strict_json import decode_utf8
from exactdp.ledger.formats.tumult import read_tumult
from exactdp.ledger.model import Mechanism
from exactdp.spending.stated import parse_spend, stated_spend

MOST_ROWS: Final = 10**6
_MARK: Final = b"\xef\xbb\xbf"


def read_record(data: bytes, format: str, *, distance: str | None = None) -> Record:  # noqa: A002 (what users say)
    r"""Read a record.

    Args:
        data: the bytes of the file.
        format: one of :data:`FORMATS`.
        distance: for ``opendp`` without a description of its filter, the d_in of all measurements.

    Raises:
        InputError: not such a record, or one that says too little.

    >>> read_record(b"time,rho\n2026-01-05,1/100\n", "csv").spends[0].label
    '2026-01-05'
    """
    if format not in FORMATS:
        raise InputError(field="--from", value=format, expected=" or ".join(FORMATS))
    if distance is not None and format != "opendp":
        raise InputError(
            field="--d-in", value=distance, expected="no distance for a record that is not opendp's"
        )
    record = read_opendp(data, distance) if format == "opendp" else _READERS[format](data)
    if len(record.spends) > MOST_ROWS:
        raise InputError(
            field="record", value=f"{len(record.spends)} spends", expected=f"at most {MOST_ROWS}"
        )
    return record


# --- a CSV of spends ----------------------------------------------------------------------------

_PARAMETERS: Final = (
    *("epsilon", "delta", "rho", "mu", "sigma", "sensitivity", "bounded_range"),
    *("count", "rate"),
)
_COLUMNS: Final = ("time", "label", "spend", *_PARAMETERS)


def _csv(data: bytes) -> Record:
    """A table with a line for each spend: its parameters, or ``spend`` as ``-m`` has it."""
    text = decode_utf8(data.removeprefix(_MARK))
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        columns = [cell.strip() for cell in next(rows, [])]
        _check_columns(columns)
        return Record([_row(columns, row, rows.line_num) for row in rows if row])
    except csv.Error as error:
        raise InputError(
            field="record",
            value=str(error),
            path=f"line {rows.line_num}",
            expected="cells quoted as in RFC 4180",
        ) from None


def _check_columns(columns: list[str]) -> None:
    for column in columns:
        if column not in _COLUMNS or columns.count(column) > 1:
            raise InputError(
                field="column",
                value=column or "an empty name",
                path="line 1",
                expected=f"each once, of {', '.join(_COLUMNS)}",
            )
    if not {"spend", *_PARAMETERS} & set(columns):
        raise InputError(
            field="record",
            value=", ".join(columns) or "nothing",
            path="line 1",
            expected="a first line that names the columns, such as time,label,epsilon,delta",
        )


def _row(columns: list[str], row: list[str], line: int) -> RecordedSpend:
    place = f"line {line}"
    if len(row) != len(columns):
        raise InputError(
            field="row", value=f"{len(row)} cells", path=place, expected=f"{len(columns)} cells"
        )
    cells = {key: cell.strip() for key, cell in zip(columns, row, strict=True) if cell.strip()}
    time, label, spend = (cells.pop(key, "") for key in ("time", "label", "spend"))
    if bool(spend) == bool(cells):
        raise InputError(
            field="row",
            value=" and ".join(["spend"] * bool(spend) + list(cells)) or "nothing",
            path=place,
            expected="parameters such as epsilon and delta, or spend, and not both",
        )
    try:
        parameters = parse_spend(spend) if spend else dict(cells)
        stated_spend(parameters)
    except InputError as error:
        raise error.located(place) from None
    return RecordedSpend(parameters, labelled(time, label, place), place)


# --- lists of pairs -----------------------------------------------------------------------------


def _pairs(data: bytes) -> Record:
    """The steps of smartnoise-sql's odometers, or diffprivlib's ``spent_budget``."""
    entries = pairs.read(data).mechanisms
    spends = []
    for number, entry in enumerate(entries, 1):
        assert isinstance(entry, Mechanism)
        parameters = {"epsilon": entry.epsilon, "delta": entry.delta, "count": entry.count}
        spends.append(RecordedSpend(parameters, entry.label, f"pair {number}"))
    return Record(spends)


_READERS: Final[Mapping[str, Callable[[bytes], Record]]] = {
    "csv": _csv,
    "tumult": read_tumult,
    "smartnoise-sql": _pairs,
    "diffprivlib": _pairs,
}
FORMATS: Final = ("csv", "opendp", "tumult", "smartnoise-sql", "diffprivlib")

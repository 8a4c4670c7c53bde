r"""Records of spends that other tools kept.

Purpose: a CSV of spends; and what ledgers are read from as well: the budgets of a Tumult session
(:mod:`exactdp.ledger.formats.tumult`), the steps of smartnoise-sql and diffprivlib, and OpenDP's
descriptions (:mod:`exactdp.ledger.formats.opendp`).

Rules of this file: a record is read whole or refused, with line and field; numbers are the decimal
texts of the file.

Sources: RFC 4180 (CSV).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from exactdp.asides import Asides
from exactdp.errors import InputError, NothingComposedError, shorten
from exactdp.ledger.columns import TableHeader, header_of
from exactdp.ledger.formats import pairs
from exactdp.ledger.formats.csv_ledger import check_width, header_row, rows_of, sign_of
from exactdp.ledger.formats.fields import count_of
from exactdp.ledger.formats.flat_cells import Beside, entry_of_cells
from exactdp.ledger.formats.opendp import read_opendp
from exactdp.ledger.formats.recorded import Record, RecordedSpend, labelled
from exactdp.ledger.formats.tables import (
    given_cells,
    located,
    unread_columns,
)
from exactdp.ledger.formats.totals import is_called_total, is_left_out, is_total
from exactdp.ledger.formats.tumult import read_tumult
from exactdp.ledger.reading import MAX_BYTES, asides_with, content_of
from exactdp.mechanisms.entries import BESIDE, mechanism_of
from exactdp.spending.dates import iso_of, named_by_time
from exactdp.spending.stated import parse_spend, spend_of

MOST_ROWS: Final = 10**6


def read_record(
    data: bytes,
    format: str,  # noqa: A002 (what users say)
    *,
    distance: str | None = None,
    remarks: Sequence[str] = (),
    budgets: str | None = None,
    decimal: str | None = None,
    split: str | None = None,
) -> Record:
    r"""Read a record.

    Args:
        data: the bytes of the file.
        format: one of :data:`FORMATS`.
        distance: for ``opendp`` without a description of its filter, the d_in of all measurements.
        remarks: the names of columns that hold no parameters, whatever is in them.
        budgets: whether Tumult's budgets were ``spent`` or ``remaining``, where they fall.
        decimal: the decimal sign of CSV; None for a point, or a comma where all numbers agree.
        split: the column of a CSV that says whose spend a row is.

    Raises:
        InputError: not such a record, or one that says too little.

    >>> read_record(b"time,rho\n2026-01-05,1/100\n", "csv").spends[0].label
    '2026-01-05'
    """
    if format not in FORMATS:
        raise InputError(field="--from", value=format, expected=" or ".join(FORMATS))
    if not data.strip():
        raise InputError(field="record", value="an empty file", expected="the spends of a tool")
    aside = asides_with(remarks, budgets, decimal, distance)
    if aside.distance is not None and format != "opendp":
        raise InputError(
            field="--d-in",
            value=aside.distance,
            expected="no distance for a record that is not opendp's",
        )
    if split is not None and format != "csv":
        raise InputError(field="--split", value=split, expected="a column of --from csv")
    if format == "csv":
        record = _csv(data, aside, split)
    elif format == "opendp":
        record = read_opendp(data, aside.distance)
    else:
        record = _READERS[format](data, aside)
    if len(record.spends) > MOST_ROWS:
        raise InputError(
            field="record", value=f"{len(record.spends)} spends", expected=f"at most {MOST_ROWS}"
        )
    return record


def record_of(source: str, format: str, split: str | None = None) -> Record:  # noqa: A002 (as above)
    """The record in a file, or on standard input for ``-``.

    Raises:
        InputError: as :func:`read_record`, or it is too large.
        NothingComposedError: it has neither a spend nor a budget.
    """
    data, name = content_of(source)
    if len(data) > MAX_BYTES:
        raise InputError(
            field="RECORD", value=name, expected=f"a file of at most {MAX_BYTES // 2**20} MiB"
        )
    read = read_record(data, format, split=split)
    if not read.spends and read.budget is None:
        raise NothingComposedError(
            field="RECORD",
            value="no spends",
            path=source,
            expected="a spend at least, or a budget",
            remedy="exactdp filter init makes a log in which nothing is spent",
        )
    return read


# --- a CSV of spends ----------------------------------------------------------------------------

_OWN: Final = ("time", "spend")
_BESIDE: Final[Beside] = {**BESIDE, "rho": ("delta",), "spend": ()}
_BY_LOSS: Final = frozenset({"epsilon", "rho"})
_ROW: Final = "parameters such as epsilon and delta, or spend, and not both"


def _csv(data: bytes, aside: Asides, split: str | None = None) -> Record:
    """A table with a line for each spend: its parameters, or ``spend`` as ``-m`` has it.

    Its columns are those of a ledger, with ``time``, by whatever name, and ``spend``; perhaps one
    that says whose each is, and no parameter whatever it holds.
    """
    remarks = (*aside.remarks, *([split] if split is not None else ()))
    sign = sign_of(data, "", remarks, aside.decimal, _OWN)
    rows, titles = rows_of(data, more=_OWN), sign.sentences
    line, found = header_row(rows, "", titles, more=("spend",))
    lines = [*rows]
    names = named_by_time(found, [cells for _, cells in lines], f"line {line}")
    titles += [f"column {shorten(old)} read as the time" for old in {*found} - {*names}]
    header = header_of(names, f"line {line}", remarks, _OWN)
    whose = None if split is None else _place_of(header, split, f"line {line}")
    spends: list[RecordedSpend] = []
    unread: dict[str, None] = {}
    for line, cells in lines:
        place = f"line {line}"
        check_width(cells, names, place)
        for at, cell in enumerate(cells):
            if not header.keys[at] and cell.strip() and at != whose:
                header.refuse_number(at, cell, place)
                unread[header.unread[at]] = None
        cells = sign.with_points(header, cells, place)  # noqa: PLW2901 (as they are read)
        if line == lines[-1][0] and _adds_up(header, cells, spends):
            titles.append(f"left out as a total: {place}")
        else:
            spends.append(_row(header, cells, place, whose))
    return Record(spends, reading=(*unread_columns(unread), *titles))


def _texts(header: TableHeader, cells: Sequence[str]) -> list[str]:
    """The cells that may call a row something."""
    return [
        cells[at]
        for at, key in enumerate(header.keys)
        if key == "label" or (not key and at not in header.free)
    ]


def _adds_up(header: TableHeader, cells: Sequence[str], spends: Sequence[RecordedSpend]) -> bool:
    """Whether the last row is called a total, and is the sum of all others in all that it says."""
    filled = {key: cells[at] for key, at in header.where.items() if cells[at].strip()}
    if "time" in filled or not is_called_total(_texts(header, cells)):
        return False
    try:
        others = [
            mechanism_of(
                {**each.parameters, "count": count_of(str(each.parameters.get("count", 1)))}
            )
            for each in spends
        ]
        return is_left_out(others, filled)
    except InputError:
        return False  # and then it is refused as a row


def _place_of(header: TableHeader, split: str, place: str) -> int:
    """The place of the column that says whose each spend is."""
    found = [at for at, name in enumerate(header.names) if name.casefold() == split.casefold()]
    if len(found) != 1:
        named = ", ".join(shorten(name) for name in header.names if name)
        raise InputError(field="--split", value=split, path=place, expected=f"one of {named}")
    return found[0]


def _row(
    header: TableHeader, cells: Sequence[str], place: str, whose: int | None = None
) -> RecordedSpend:
    where = header.where
    if any(map(is_total, _texts(header, cells))):
        raise InputError(
            field="row",
            value="a row that is called a total",
            path=place,
            expected="a spend in every row",
            remedy="remove the row if it is a total, or call it otherwise if it is a spend",
        )
    beside = _BESIDE if "epsilon" not in where else {**_BESIDE, "rho": ()}
    try:
        given = given_cells(header, [cell.strip() for cell in cells], beside)
    except InputError as error:
        raise located(error, cells, header, place) from None
    time, label, spend = (given.pop(key, "") for key in ("time", "label", "spend"))
    if not label and (at := header.label) >= 0:
        label = cells[at].strip()
    if bool(spend) == bool(given):
        raise InputError(
            field="row",
            value=" and ".join(["spend"] * bool(spend) + list(given)) or "nothing",
            path=place,
            expected=_ROW,
        )
    try:
        parameters = parse_spend(spend) if spend else _parameters(given)
        spend_of(parameters)
    except InputError as error:
        raise error.located(place) from None
    part = "" if whose is None else cells[whose].strip()
    if whose is not None and not part:
        raise InputError(
            field=header.names[whose],
            value="an empty cell",
            path=place,
            expected="whose spend it is, in every row",
        )
    return RecordedSpend(parameters, labelled(iso_of(time), label, place), place, part)


def _parameters(given: Mapping[str, str]) -> dict[str, object]:
    """The parameters of a spend, with those of a family nested as a ledger's reader nests them."""
    cells = dict(given)
    count = {"count": cells.pop("count")} if "count" in cells else {}
    is_noise = any(key in cells for key in BESIDE) and not _BY_LOSS & cells.keys()
    return {**(entry_of_cells(cells) if is_noise else cells), **count}


# --- lists of pairs -----------------------------------------------------------------------------


def _pairs(data: bytes) -> Record:
    """The steps of smartnoise-sql's odometers, or diffprivlib's ``spent_budget``."""
    entries = pairs.read(data).pairs
    spends = []
    for number, entry in enumerate(entries, 1):
        parameters = {"epsilon": entry.epsilon, "delta": entry.delta, "count": entry.count}
        spends.append(RecordedSpend(parameters, entry.label, f"pair {number}"))
    return Record(spends)


_READERS: Final[Mapping[str, Callable[[bytes, Asides], Record]]] = {
    "tumult": lambda data, aside: read_tumult(data, aside.budgets),
    "smartnoise-sql": lambda data, _: _pairs(data),
    "diffprivlib": lambda data, _: _pairs(data),
}
FORMATS: Final = ("csv", "opendp", "tumult", "smartnoise-sql", "diffprivlib")

"""The same table for every reader of one: columns by name, as each of them is given it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from exactdp.asides import Asides, saying
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.spending.records import read_record

Columns = Mapping[str, Sequence[str]]
Reader = Callable[..., tuple[Ledger, ...]]


def rows_of(columns: Columns) -> list[list[str]]:
    """The rows of a table, below its names."""
    return [list(row) for row in zip(*columns.values(), strict=True)]


def csv_text(columns: Columns, separator: str = ",") -> bytes:
    """The table as CSV."""
    page = io.StringIO()
    writer = csv.writer(page, delimiter=separator, lineterminator="\n")
    writer.writerows([[*columns], *rows_of(columns)])
    return page.getvalue().encode()


def workbook_bytes(*rows: Sequence[object]) -> bytes:
    """A workbook of one sheet with these rows; an empty text is no cell."""
    openpyxl = pytest.importorskip("openpyxl", reason="the extra xlsx is not installed")
    book: Any = openpyxl.Workbook()
    for row in rows:
        book.active.append([None if cell == "" else cell for cell in row])
    page = io.BytesIO()
    book.save(page)
    return page.getvalue()


def _of_csv(columns: Columns, **said: Any) -> Ledger:  # noqa: ANN401 (the options of read_ledger)
    return read_ledger(csv_text(columns), **said)


def _of_semicolons(columns: Columns, **said: Any) -> Ledger:  # noqa: ANN401 (as above)
    return read_ledger(b"\xef\xbb\xbf" + csv_text(columns, ";").replace(b"\n", b"\r\n"), **said)


def _of_workbook(columns: Columns, **said: Any) -> Ledger:  # noqa: ANN401 (as above)
    return read_ledger(workbook_bytes([*columns], *rows_of(columns)), **said)


def _missing(columns: Columns) -> dict[str, list[str | None]]:
    return {name: [cell or None for cell in cells] for name, cells in columns.items()}


def _of_pandas(columns: Columns, **said: Any) -> Ledger:  # noqa: ANN401 (as above)
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    return read_ledger(pandas.DataFrame(_missing(columns)), **said)


def _of_polars(columns: Columns, **said: Any) -> Ledger:  # noqa: ANN401 (as above)
    polars = pytest.importorskip("polars", reason="polars is not installed")
    return read_ledger(polars.DataFrame(_missing(columns)), **said)


def _of_arrow(columns: Columns, **said: Any) -> Ledger:  # noqa: ANN401 (as above)
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    return read_ledger(arrow.table(_missing(columns)), **said)


def _of_rows(columns: Columns, **said: Any) -> Ledger:  # noqa: ANN401 (as above)
    return read_ledger([dict(zip(columns, row, strict=True)) for row in rows_of(columns)], **said)


LEDGER_READERS: Mapping[str, Callable[..., Ledger]] = {
    "csv": _of_csv,
    "semicolons": _of_semicolons,
    "workbook": _of_workbook,
    "pandas": _of_pandas,
    "polars": _of_polars,
    "arrow": _of_arrow,
    "rows": _of_rows,
}


def spends_of(columns: Columns, remarks: Iterable[str] = ()) -> list[Mapping[str, object]]:
    """The parameters of the spends that ``filter import`` reads from the table as CSV."""
    with saying(Asides(remarks=tuple(remarks))):
        return [each.parameters for each in read_record(csv_text(columns), "csv").spends]

r"""Workbooks of spreadsheets (``.xlsx``): the reader of the one sheet that is a ledger.

Purpose: ledgers as people keep them. The sheet is the one with a column such as ``epsilon``; it is
read as the CSV of the same table is (:mod:`exactdp.ledger.formats.csv_ledger`). Other sheets are
named in the notes.

Rules of this file: a cell says what the spreadsheet shows or is refused. Nothing is dropped in
silence, no formula is evaluated, and what is unpacked or looked at is limited.

Theory of operation: spreadsheets keep numbers as doubles and take at most 15 digits. Two decimals
of 15 digits are two doubles, so that the shortest decimal of a double, if it has no more digits, is
what was typed. One with more was computed, and nobody but its author knows what it stands for. A
formula stands for the value that was kept beside it. Rows are read one by one, so that a cell in
the farthest corner costs no memory.

Sources: ECMA-376, part 1 (Office Open XML), section 18.3; Python's documentation of ``repr``.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePath
from typing import Any, Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.formats.csv_ledger import COLUMNS, names_a_notion, read_rows
from exactdp.ledger.formats.strict_json import placed
from exactdp.ledger.model import Ledger

MOST_UNPACKED: Final = 64 * 2**20
MOST_ROWS: Final = 2**20
MOST_CELLS: Final = 10**7
_DIGITS: Final = 15
_BOOK: Final = "xl/workbook.xml"
_SAVED: Final = "save it again as .xlsx, or the sheet as CSV"
_Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A sheet with cells: its name, the number of the row that names columns, and that row."""

    name: str
    line: int
    header: _Row


def read(data: bytes, name: str = "") -> Ledger:
    """Read a workbook; ``name`` is the file's, for the paths of errors.

    Raises:
        InputError: not a workbook, or not one sheet of it is a ledger; a cell that is none. The
            path is "NAME, sheet S, line N, column C".
    """
    _check_archive(data, name)
    book, written = _opened(data, name, values=True), _opened(data, name, values=False)
    try:
        sheets = [each for each in map(_sheet, book.worksheets) if each is not None]
        chosen = _chosen(sheets, name)
        place = placed(PurePath(name).name, f"sheet {shorten(chosen.name)}")
        rows = _with_formulas(book[chosen.name], written[chosen.name])
        ledger = read_rows(_rows(rows, chosen, place), place)
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 (whatever a broken workbook makes of its reader)
        raise _unreadable(name, error) from None
    finally:
        book.close()
        written.close()
    others = ", ".join(each.name for each in sheets if each is not chosen)
    notes = [ledger.notes, f"sheets that were not read: {others}" if others else ""]
    return replace(ledger, notes="\n".join(filter(None, notes)))


def _check_archive(data: bytes, name: str) -> None:
    """Refuse what is no workbook, and what would unpack to too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise _unreadable(name, error) from None
    if _BOOK not in {each.filename for each in members}:
        raise InputError(
            field="ledger",
            value=name or "an archive",
            expected="a workbook (.xlsx), if it is an archive",
            remedy=_SAVED,
        )
    if sum(each.file_size for each in members) > MOST_UNPACKED:
        raise InputError(
            field="ledger",
            value=name or "a workbook",
            expected=f"at most {MOST_UNPACKED // 2**20} MiB when it is unpacked",
            remedy="save the sheet as CSV",
            code="too-large",
        )


def _opened(data: bytes, name: str, *, values: bool) -> Any:  # noqa: ANN401 (of an extra)
    """The workbook with the values of its formulas, or with these themselves."""
    try:
        import openpyxl  # noqa: PLC0415 (an extra)
    except ModuleNotFoundError:
        raise InputError(
            field="ledger",
            value="openpyxl is not installed",
            expected="openpyxl, which reads workbooks",
            remedy="pip install 'exactdp[xlsx]', or save the sheet as CSV",
            code="not-installed",
        ) from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it names what it cannot write again
        try:
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=values)
            for sheet in book.worksheets:
                sheet.reset_dimensions()  # what the file says of them need not be true
        except Exception as error:  # noqa: BLE001 (as above)
            raise _unreadable(name, error) from None
    return book


def _sheet(sheet: Any) -> _Sheet | None:  # noqa: ANN401 (of an extra)
    """The sheet's first row below comments, or None if it has no cells."""
    for line, row in _filled(sheet):
        if not _text(row[0]).startswith("#"):
            return _Sheet(sheet.title, line, row)
    return None


def _chosen(sheets: list[_Sheet], name: str) -> _Sheet:
    """The sheet that is a ledger; the only one, whatever it is."""
    found = [each for each in sheets if names_a_notion(map(_text, each.header))]
    if not found and len(sheets) == 1:
        return sheets[0]
    if len(found) == 1:
        return found[0]
    raise InputError(
        field="ledger",
        value=", ".join(each.name for each in found or sheets) or "no cells",
        path=placed(name, "sheets"),
        expected="one sheet whose first row names a column epsilon, rho, mu or a family of noise",
        remedy="keep each ledger in a workbook of its own, or save its sheet as CSV",
    )


def _filled(sheet: Any) -> Iterator[tuple[int, _Row]]:  # noqa: ANN401 (of an extra)
    """The rows that are not empty, with their numbers.

    Raises:
        InputError: there are more rows or cells than anybody keeps.
    """
    for line, row in _limited(sheet):
        if any(_text(cell) for cell in row):
            yield line, row


def _limited(sheet: Any) -> Iterator[tuple[int, _Row]]:  # noqa: ANN401 (of an extra)
    cells = 0
    for line, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        cells += len(row)
        if line > MOST_ROWS or cells > MOST_CELLS:
            raise InputError(
                field="ledger",
                value=f"sheet {shorten(sheet.title)}",
                expected=f"at most {MOST_ROWS} rows and {MOST_CELLS} cells",
                remedy="save the sheet as CSV",
                code="too-large",
            )
        yield line, row


def _with_formulas(values: Any, formulas: Any) -> Iterator[tuple[int, _Row, _Row]]:  # noqa: ANN401 (of an extra)
    """The rows of a sheet, each with its number, its values, and what was written there."""
    pairs = zip(_limited(values), _limited(formulas), strict=True)
    return ((line, row, written) for (line, row), (_, written) in pairs)


def _rows(
    rows: Iterable[tuple[int, _Row, _Row]], chosen: _Sheet, path: str
) -> Iterator[tuple[int, list[str]]]:
    """The rows from the header on as texts, those of its columns that have names."""
    titles = [_text(cell).casefold() for cell in chosen.header]
    named = [place for place, title in enumerate(titles) if title]
    for line, row, written in rows:
        if line < chosen.line:
            continue
        for place, formula in enumerate(written):
            title = titles[place] if place < len(titles) else ""
            here = f"{path}, line {line}, column {shorten(title) or place + 1}"
            _check_cell(row[place] if place < len(row) else None, formula, title, here)
        texts = [_text(cell) for cell in row] + [""] * (len(titles) - len(row))
        if any(texts):
            yield line, [texts[place] for place in named]


def _check_cell(cell: object, written: object, title: str, path: str) -> None:
    """Refuse a cell of no column, and a parameter that the spreadsheet took for something else."""
    if cell is None and written is not None:
        raise InputError(
            field="cell",
            value=str(written),
            path=path,
            expected="a formula whose value was kept with it",
            remedy="open the file in a spreadsheet and save it, or write the value",
        )
    if not title and _text(cell):
        raise InputError(
            field="cell",
            value=_text(cell),
            path=path,
            expected="cells below the name of a column",
            remedy="name the column in the first row, or clear the cell",
        )
    if title not in COLUMNS or title == "label":
        return
    if isinstance(cell, date | datetime | time | timedelta | bool):
        raise InputError(
            field=title,
            value=_text(cell),
            path=path,
            expected="a number, where the spreadsheet has something else",
            remedy="format the cell as text and type it again: spreadsheets take 1/10 for a date",
        )
    if isinstance(cell, float) and _digits(cell) > _DIGITS:
        raise InputError(
            field=title,
            value=repr(cell),
            path=path,
            expected=f"a number that was typed, which has at most {_DIGITS} digits",
            remedy="this one was computed: write what it stands for as text, such as 1/3, "
            "or round it",
        )


def _digits(value: float) -> int:
    return len(Decimal(repr(value)).normalize().as_tuple().digits)


def _text(cell: object) -> str:
    """What a cell says; nothing if it is empty.

    >>> [_text(cell) for cell in (None, " a ", 50.0, 1e-9, True, date(2026, 1, 5))]
    ['', 'a', '50', '1E-9', 'TRUE', '2026-01-05']
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        exact = Decimal(repr(cell))
        return str(int(exact)) if exact == exact.to_integral_value() else str(exact.normalize())
    if isinstance(cell, date | datetime | time):
        return cell.isoformat().removesuffix("T00:00:00")
    return str(cell).strip()


def _unreadable(name: str, error: Exception) -> InputError:
    return InputError(
        field="ledger",
        value=name or "a workbook",
        expected=f"a workbook that can be read ({shorten(str(error) or type(error).__name__)})",
        remedy=_SAVED,
        code="unreadable",
    )

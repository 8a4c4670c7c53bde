r"""Workbooks of spreadsheets (``.xlsx``): the reader of the one sheet that is a ledger.

Purpose: ledgers as people keep them. The sheet is the one with a column such as ``epsilon``; it is
read as the CSV of the same table is (:mod:`exactdp.ledger.formats.csv_ledger`). Other sheets are
named.

Rules of this file: a cell says what the spreadsheet shows or is refused: hidden rows, merged cells
and percent are what people see otherwise. Nothing is dropped in silence, no formula is evaluated,
and what is unpacked or looked at is limited.

Theory of operation: spreadsheets keep numbers as doubles and take at most 15 digits. Two decimals
of 15 digits are two doubles, so that the shortest decimal of a double, if it has no more digits, is
what was typed. One with more was computed, and nobody but its author knows what it stands for. A
formula stands for the value that was kept beside it; one that adds up other rows of its column may
be a total (:mod:`exactdp.ledger.formats.totals`). Rows are read one by one, so that a cell in the
farthest corner costs no memory.

Sources: ECMA-376, part 1 (Office Open XML), section 18.3; Python's documentation of ``repr``.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePath
from typing import Any, Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.columns import NOTIONS, header_of, names_a_notion
from exactdp.ledger.formats.csv_ledger import MOST_TITLES, read_rows, title_of
from exactdp.ledger.formats.strict_json import placed
from exactdp.ledger.formats.totals import Formulas
from exactdp.ledger.formats.workbook_layout import (
    Layout,
    adds_up,
    adds_up_exactly,
    is_of_names,
    is_percent,
    layout_of,
)
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
    """A sheet with cells: its name, the row that names its columns, and what is above that."""

    name: str
    line: int
    header: _Row
    titles: tuple[str, ...] = ()


def read(data: bytes, name: str = "", remarks: Sequence[str] = ()) -> Ledger:
    """Read a workbook.

    Args:
        data: its bytes.
        name: the file's, for the paths of errors.
        remarks: the names of columns that hold no parameters, whatever is in them.

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
        sheet = book[chosen.name]
        table = _Table(chosen, place, layout_of(data, sheet._worksheet_path), remarks)  # noqa: SLF001 (no other way)
        rows = _with_formulas(sheet, written[chosen.name])
        ledger = read_rows(table.rows(rows), place, remarks, table.totals)
        is_hidden = sheet.sheet_state != "visible"
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 (whatever a broken workbook makes of its reader)
        raise _unreadable(name, error) from None
    finally:
        book.close()
        written.close()
    others = ", ".join(each.name for each in sheets if each is not chosen)
    sentences = [*chosen.titles, f"sheets that were not read: {others}" if others else ""]
    sentences.append(f"the sheet {chosen.name} is hidden, and was read" if is_hidden else "")
    return replace(ledger, reading=(*ledger.reading, *filter(None, sentences)))


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
    """A sheet by its row that names a parameter, or else by its first; None without cells."""
    found: list[_Sheet] = []
    for line, row in _filled(sheet):
        texts = [*map(_text, row)]
        if names_a_notion(texts):
            return _Sheet(sheet.title, line, row, tuple(title_of(s.header, s.line) for s in found))
        if found or not texts[0].startswith("#"):
            found.append(_Sheet(sheet.title, line, tuple(texts)))
            if len(found) > MOST_TITLES or len([*filter(None, texts)]) > 1:
                break
    return found[0] if found else None


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


def _with_formulas(values: Any, formulas: Any) -> Iterator[tuple[int, _Row, Any]]:  # noqa: ANN401 (of an extra)
    """The rows of a sheet, each with its number, its values, and its cells as they were written."""
    pairs = zip(_limited(values), formulas.iter_rows(), strict=True)
    return ((line, row, written) for (line, row), written in pairs)


class _Table:
    """The table of a sheet, from the row that names its columns on."""

    def __init__(self, sheet: _Sheet, path: str, layout: Layout, remarks: Sequence[str]) -> None:
        self.totals: dict[int, Formulas] = {}
        self._stated: list[int] = []
        self._sheet, self._path, self._layout = sheet, path, layout
        self._titles = [_text(cell) for cell in sheet.header]
        header = header_of(self._titles, path, remarks) if names_a_notion(self._titles) else None
        self._keys = ["" for _ in self._titles] if header is None else header.keys

    def rows(self, rows: Iterable[tuple[int, _Row, Any]]) -> Iterator[tuple[int, list[str]]]:
        """The rows as texts, those of the columns that have names.

        Raises:
            InputError: a cell does not say what the spreadsheet shows.
        """
        named = [place for place, title in enumerate(self._titles) if title]
        for line, row, written in rows:
            if line < self._sheet.line:
                continue
            texts = [_text(cell) for cell in row] + [""] * (len(self._titles) - len(row))
            if line > self._sheet.line:
                self._check_row(line, row, written, texts)
            if any(texts):
                yield line, [texts[place] for place in named]

    def _check_row(self, line: int, row: _Row, written: Any, texts: list[str]) -> None:  # noqa: ANN401 (of an extra)
        """See that the cells of a row are what a person sees; note whether it adds up others."""
        formulas = [cell.value for cell in written]
        if any(texts) or any(each is not None for each in formulas):
            self._check_layout(line, texts)
        if (found := self._formulas(line, formulas, row)) is not None:
            self.totals[line] = found
            for place, formula in enumerate(formulas[: len(texts)]):
                value = row[place] if place < len(row) else None
                texts[place] = _rounded(value) if value is not None else _text(formula)
            return
        if any(key in NOTIONS and text for key, text in zip(self._keys, texts, strict=False)):
            self._stated.append(line)
        for place, cell in enumerate(written):
            title = self._titles[place] if place < len(self._titles) else ""
            key = self._keys[place] if place < len(self._keys) else ""
            here = f"{self._path}, line {line}, column {shorten(title) or place + 1}"
            value = row[place] if place < len(row) else None
            _check_cell(value, cell.value, title, here)
            if key not in ("", "label"):
                _check_parameter(value, cell.number_format, key, here)

    def _formulas(self, line: int, formulas: Sequence[object], row: _Row) -> Formulas | None:
        """The formulas of a row whose notion, or what is there instead, adds up other rows."""
        keys = zip(self._keys, formulas, strict=False)
        filled = [at for at, (key, cell) in enumerate(keys) if key and cell is not None]
        notions = [at for at in filled if self._keys[at] in NOTIONS] or filled
        if not any(adds_up(formulas[at], line, at + 1) for at in notions):
            return None
        exact = {at for at in filled if adds_up_exactly(formulas[at], self._stated, at + 1)}
        valued = {at for at in filled if at < len(row) and row[at] is not None}
        may_be = all(at in exact or (at in valued and is_of_names(formulas[at])) for at in notions)
        return Formulas(may_be, frozenset(self._keys[at] for at in exact - valued))

    def _check_layout(self, line: int, texts: Sequence[str]) -> None:
        """Refuse a row that is hidden, and parameters that are hidden or merged."""
        if line in self._layout.rows:
            raise InputError(
                field="row",
                value=f"a hidden row ({', '.join(filter(None, texts))})",
                path=f"{self._path}, line {line}",
                expected="rows that are shown",
                remedy="show the row if its mechanism counts, and delete it if not",
            )
        for place, key in enumerate(self._keys):
            title = shorten(self._titles[place])
            here = f"{self._path}, line {line}, column {title}"
            if key and self._layout.hides_column(place + 1):
                raise InputError(
                    field=key,
                    value="a hidden column",
                    path=here,
                    expected="columns that are shown",
                    remedy="show the column, or delete it if it does not count",
                )
            if key and any(box.holds(line, place + 1) for box in self._layout.merged):
                raise InputError(
                    field=key,
                    value="a merged cell",
                    path=here,
                    expected="a cell of its own for each mechanism",
                    remedy="unmerge the cells, and write the value into each",
                )


def _check_cell(cell: object, written: object, title: str, path: str) -> None:
    """Refuse a formula without a value, and a cell of no column."""
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


def _check_parameter(cell: object, number_format: object, key: str, path: str) -> None:
    """Refuse a parameter that the spreadsheet took for something else."""
    if isinstance(cell, date | datetime | time | timedelta | bool):
        raise InputError(
            field=key,
            value=_text(cell),
            path=path,
            expected="a number, where the spreadsheet has something else",
            remedy="format the cell as text and type it again: spreadsheets take 1/10 for a date",
        )
    if isinstance(cell, float) and _digits(cell) > _DIGITS:
        raise InputError(
            field=key,
            value=repr(cell),
            path=path,
            expected=f"a number that was typed, which has at most {_DIGITS} digits",
            remedy="this one was computed: write what it stands for as text, such as 1/3, "
            "or round it",
        )
    if isinstance(cell, int | float) and is_percent(number_format):
        raise InputError(
            field=key,
            value=f"{_text(Decimal(repr(cell)) * 100)}%, a cell in percent",
            path=path,
            expected="a number that is shown as it is",
            remedy=f"format the cell as a number: {_text(cell)}",
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
    if isinstance(cell, float | Decimal):
        exact = Decimal(str(cell))
        return str(int(exact)) if exact == exact.to_integral_value() else str(exact.normalize())
    if isinstance(cell, date | datetime | time):
        return cell.isoformat().removesuffix("T00:00:00")
    return str(cell).strip()


def _rounded(value: object) -> str:
    """What a cell says whose value a spreadsheet has added up, in the digits that it shows."""
    return _text(Decimal(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value)


def _unreadable(name: str, error: Exception) -> InputError:
    return InputError(
        field="ledger",
        value=name or "a workbook",
        expected=f"a workbook that can be read ({shorten(str(error) or type(error).__name__)})",
        remedy=_SAVED,
        code="unreadable",
    )

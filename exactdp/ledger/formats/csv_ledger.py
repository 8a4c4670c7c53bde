r"""CSV ledgers: reader and writer.

Purpose: ledgers kept in spreadsheets. A line names the columns (:mod:`exactdp.ledger.columns`), in
any order; cells are separated by commas, tabs or semicolons; a line ``sep=;``, as spreadsheets
write it, may stand first, and so may a title in one cell. Lines above the header that begin with #
are comments.

Rules of this file: a cell says what it means or is refused (:mod:`exactdp.ledger.formats.tables`);
every error names line and column; what is written is read as the same ledger.

Sources: RFC 4180 (CSV); tab-separated values as spreadsheets write them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from exactdp.errors import InputError, UnsupportedError, shorten
from exactdp.ledger.columns import COLUMNS, NOTIONS, header_of, names_a_notion
from exactdp.ledger.formats.decimal_signs import DecimalSign, checked, guessed
from exactdp.ledger.formats.fields import Texts
from exactdp.ledger.formats.flat_cells import cells_of
from exactdp.ledger.formats.safe_cells import safe_cell
from exactdp.ledger.formats.strict_json import decode_utf8, placed
from exactdp.ledger.formats.tables import TableReader, TableRow
from exactdp.ledger.formats.totals import Formulas, is_total
from exactdp.ledger.model import Ledger
from exactdp.ledger.remarks import has_number, is_number
from exactdp.mechanisms.entries import BESIDE, DEFAULTS

if TYPE_CHECKING:
    from exactdp.mechanisms import Entry

TextRow = tuple[int, list[str]]
"""A row, and the number of its line."""
_ALWAYS: Final = ("label", "epsilon", "delta", "count")
_DEFAULTED: Final = {"rate": {"batches"}, "records_per_person": {"batches", "clip"}}
"""Columns that say 1 where a row has none of these."""
_SEPARATORS: Final = (",", "\t", ";")
MOST_TITLES: Final = 10
_UNNAMED: Final = (
    "name a column epsilon, or by the noise that it states: sigma, laplace, rho, mu, … "
    "(exactdp help mechanisms)"
)
_MARK: Final = b"\xef\xbb\xbf"
_HEADER: Final = "a first line that names the columns, such as label,epsilon,delta,count"
_AROUND_COMMAS: Final = (b";", b"\t", b'"')
"""One of these is in every table that has a comma within a cell."""
_QUOTED: Final = frozenset('",;\t\r\n')
_SEPARATOR_LINE: Final = re.compile(r"\A(\s*)sep=[,;\t][ \t]*(?=\r?\n)")
"""What spreadsheets write above the header, for each other."""


def read(
    data: bytes, name: str = "", remarks: Sequence[str] = (), decimal: str | None = None
) -> Ledger:
    r"""Read the bytes of a CSV ledger.

    Args:
        data: the bytes.
        name: the file's, for the paths of errors.
        remarks: the names of columns that hold no parameters, whatever is in them.
        decimal: the decimal sign; None for a point, or a comma where all numbers agree.

    Raises:
        InputError: not a CSV ledger; the path is "NAME, line N, column C".

    >>> read(b"epsilon,count\n0.1,3\n").size
    3
    """
    sign = sign_of(data, name, remarks, decimal)
    return read_rows(rows_of(data, name), name, remarks, sign=sign)


def sign_of(
    data: bytes,
    name: str,
    remarks: Sequence[str],
    decimal: str | None,
    more: Sequence[str] = (),
) -> DecimalSign:
    """The decimal sign of a table, as the user says, or as its numbers show."""
    has_commas = b"," in data and any(mark in data for mark in _AROUND_COMMAS)
    if decimal is not None or not has_commas:
        return DecimalSign(checked(decimal))
    return guessed(rows_of(data, name, more), remarks, more)


def rows_of(data: bytes, name: str = "", more: Sequence[str] = ()) -> Iterator[TextRow]:
    """The rows of CSV that are not blank, each with the number of its line.

    Args:
        data: the bytes.
        name: the file's, for the paths of errors.
        more: columns by which a header is known, beside those of ledgers.

    Raises:
        InputError: not CSV.
    """
    # Spreadsheet programs begin UTF-8 files with a byte-order mark, and need it to read them.
    text = decode_utf8(data.removeprefix(_MARK), name)
    _refuse_nul(text, name)
    text = _SEPARATOR_LINE.sub(r"\1", _without_comments(text), count=1)
    return _rows(text, _separator(text, name, more), name)


def read_rows(
    rows: Iterator[TextRow],
    name: str = "",
    remarks: Sequence[str] = (),
    totals: Mapping[int, Formulas] | None = None,
    sign: DecimalSign | None = None,
) -> Ledger:
    """The ledger of a table whose first row names the columns; each row has the number of its line.

    Args:
        rows: the rows; those above the first that names a parameter are titles.
        name: the file's, for the paths of errors.
        remarks: as for :func:`read`.
        totals: the formulas of lines that add up others, known once these have been given.
        sign: how decimals are written; None for a point.

    Raises:
        InputError: as for :func:`read`.
    """
    reader, sign = TableReader(), sign or DecimalSign()
    reader.sentences += sign.sentences
    line, names = header_row(rows, name, reader.sentences)
    columns = reader.columns(header_of(names, placed(name, f"line {line}"), remarks))
    if not columns.where.keys() & set(NOTIONS):
        raise _bad_header(",".join(names), placed(name, f"line {line}"), _UNNAMED, "epsilon")
    for line, cells in rows:
        place = placed(name, f"line {line}")
        check_width(cells, names, place)
        cells = sign.with_points(columns.header, cells, place)  # noqa: PLW2901 (as they are read)
        reader.row(TableRow(columns, cells, place, f"line {line}", (totals or {}).get(line)))
    return reader.ledger()


def header_row(
    rows: Iterator[TextRow], name: str, sentences: list[str], more: Sequence[str] = ()
) -> TextRow:
    """The row that names the columns; titles above it, of one cell each, are said.

    Raises:
        InputError: no row names a parameter before one that has several cells.
    """
    titles: list[TextRow] = []
    for line, cells in rows:
        if names_a_notion(cells, more):
            sentences += [title_of(row, at) for at, row in titles]
            return line, cells
        titles.append((line, cells))
        if len(titles) > MOST_TITLES or len([cell for cell in cells if cell.strip()]) > 1:
            break
    line, cells = titles[0] if titles else (1, [])
    place = placed(name, f"line {line}")
    if not titles:
        raise _bad_header("an empty file", place, "")
    text = ",".join(cells)
    if any(map(is_number, cells)):
        raise _bad_header(text, place, "put that line above the numbers")
    raise _bad_header(text, place, _UNNAMED, "epsilon")


def check_width(row: Sequence[str], columns: Sequence[str], path: str) -> None:
    """Refuse a row with more cells than there are columns, or fewer.

    Raises:
        InputError: it has.
    """
    if len(row) != len(columns):
        raise InputError(
            field="row",
            value=",".join(row),
            path=path,
            expected=f"{len(columns)} cells ({', '.join(columns)}), not {len(row)}",
            remedy='a cell that holds a comma stands in double quotes, and 0,1 is written "0.1"'
            if len(row) > len(columns)
            else "",
            code="bad-csv",
        )


def title_of(cells: Sequence[object], line: int) -> str:
    """What is said of a title above the names of the columns.

    Raises:
        InputError: it has a number, which may be a parameter.
    """
    text = " ".join(filter(None, (str(cell).strip() for cell in cells)))
    if has_number(text):
        raise InputError(
            field="title",
            value=text,
            path=f"line {line}",
            expected="titles without numbers, other than dates and years",
            remedy="write a parameter, such as a count, into a column of its own, which has a "
            "value in each row; begin the line with # if it is a comment",
        )
    return f"not read: the title {shorten(text)} in line {line}"


def _bad_header(value: str, path: str, remedy: str, field: str = "ledger") -> InputError:
    return InputError(field=field, value=value, path=path, expected=_HEADER, remedy=remedy)


def _rows(text: str, separator: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the number of its first line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for row in reader:
            if row and any(map(str.strip, row)):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        too_long = "field limit" in str(error)
        raise InputError(
            field="ledger",
            value=str(error),
            path=placed(name, f"line {line}"),
            expected=f"cells of at most {csv.field_size_limit()} characters"
            if too_long
            else "cells quoted as in RFC 4180",
            remedy="write the ledger as JSON"
            if too_long
            else 'double a quotation mark inside quotes (""), and close every quote',
            code="bad-csv",
        ) from None


def _without_comments(text: str) -> str:
    r"""The text with blank lines for those above the header that begin with #.

    Below it a line with # may be a mechanism with such a label, and stays.

    >>> _without_comments("# 1\n\nepsilon\n# 2\n")
    '\n\nepsilon\n# 2\n'
    """
    at, breaks = 0, 0
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        line = text[at:end].strip()
        if line and (not line.startswith("#") or _is_header(line)):
            break
        at, breaks = end, breaks + text.count("\n", at, end)
    return "\n" * breaks + text[at:]


def _is_header(line: str) -> bool:
    """Whether a line names the columns, the first perhaps ``# of runs``."""
    names = ([each.strip(' "') for each in line.split(separator)] for separator in _SEPARATORS)
    return any(map(names_a_notion, names))


def _separator(text: str, name: str, more: Sequence[str]) -> str:
    """Comma, tab or semicolon, as the line that names the columns shows, or else the first."""
    lines = ((n, line) for n, line in enumerate(io.StringIO(text), 1) if line.strip())
    first = list(islice(lines, MOST_TITLES + 1)) or [(1, "")]
    for _, line in first:
        for separator in _SEPARATORS:
            if names_a_notion((each.strip('"') for each in line.split(separator)), more):
                return separator
    number, header = first[0]
    for separator in _SEPARATORS:
        if separator in header.strip():
            return separator
    if "|" in header:
        raise InputError(
            field="ledger",
            value=header.strip(),
            path=placed(name, f"line {number}"),
            expected="cells separated by commas, tabs or semicolons",
            remedy="save the table as comma-separated or tab-separated text, "
            "with a point, not a comma, in decimals",
            code="bad-csv",
        )
    return ","


def _refuse_nul(text: str, name: str) -> None:
    position = text.find("\0")
    if position >= 0:
        before = text[:position]
        column = position - before.rfind("\n")
        raise InputError(
            field="ledger",
            value="a NUL character",
            path=placed(name, f"line {before.count(chr(10)) + 1}, character {column}"),
            expected="text",
            remedy="save the file as UTF-8 text",
            code="bad-encoding",
        )


def write(ledger: Ledger) -> str:
    """The text of a ledger's mechanisms as CSV; :func:`loses` says what else the ledger held.

    Raises:
        UnsupportedError: a mechanism does not fit into cells, or would be read as a total.

    >>> print(write(Ledger.of([("0.1", "1e-9", 3, "a, b")])), end="")
    label,epsilon,delta,count
    "a, b",0.1,1e-9,3
    """
    texts = Texts()
    for number, entry in enumerate(ledger.mechanisms):
        if is_total(entry.label) and len(ledger.mechanisms) > 1:
            raise UnsupportedError(
                field="label",
                value=entry.label,
                path=f"mechanisms[{number}].label",
                expected="labels that call no mechanism a total, as tables of CSV have such rows",
                remedy="call it otherwise, or write JSON",
            )
    rows = [_cells(entry, texts) for entry in ledger.mechanisms]
    used = {key for row in rows for key in row}
    for name in _DEFAULTED.keys() & used:
        for row in rows:  # where the column is, an empty cell is refused
            if _DEFAULTED[name].isdisjoint(row) and any(name in BESIDE.get(key, ()) for key in row):
                row.setdefault(name, DEFAULTS[name])
    columns = [key for key in COLUMNS if key in used or key in _ALWAYS]
    lines = [",".join(columns)]
    lines += [",".join(row.get(column, "") for column in columns) for row in rows]
    return "\n".join(lines) + "\n"


def _cells(entry: Entry, texts: Texts) -> dict[str, str]:
    cells = {"label": _cell(safe_cell(entry.label)), "count": str(entry.count)}
    return {**cells, **cells_of(entry, texts)}


def loses(ledger: Ledger) -> tuple[str, ...]:
    """The keys of a ledger that CSV cannot hold and :func:`write` drops.

    >>> loses(Ledger.of(["0.1"], name="demo"))
    ('name',)
    """
    empty = Ledger(())
    keys = (
        "name",
        "unit_of_privacy",
        "neighbouring",
        "interaction",
        "target_delta",
        "claims",
        "source",
        "notes",
        "empty",
    )
    return tuple(key for key in keys if getattr(ledger, key) != getattr(empty, key))


def _cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if not _QUOTED.isdisjoint(text) else text

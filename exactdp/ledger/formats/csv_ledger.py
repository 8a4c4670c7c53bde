r"""CSV ledgers: reader and writer.

Purpose: ledgers kept in spreadsheets. The first line names the columns: ``epsilon``, ``rho``,
``mu``, ``sigma`` with ``sensitivity``, or a family of noise (``laplace``, ``discrete_laplace``,
``discrete_gaussian``, ``bounded_range``), one at least; what belongs to a family (``sensitivity``,
``shifts`` such as 1+1, ``rate``; ``batches``, ``epochs`` and ``order`` beside ``sigma``);
``delta``, ``count`` and ``label``; in any order. Cells are separated by commas, tabs or
semicolons; a line ``sep=;``, as spreadsheets write it, may stand first. Whatever else a table says
of a row, such as a date, becomes a line of the ledger's notes; a column whose name speaks of
parameters is none of that, and is refused, and so are cells of a column without a name. Lines above
the header that begin with # are comments.

Rules of this file: a cell says what it means or is refused; a column that exists has a value in
every row, for an empty δ may be 0 or forgotten (but where a table has several notions, a row
has the cells of one and leaves the others' empty); every error names line and column.

Sources: RFC 4180 (CSV); tab-separated values as spreadsheets write them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from exactdp.errors import InputError, shorten
from exactdp.ledger.formats.fields import ZERO, ParameterParsers, Texts
from exactdp.ledger.formats.noise_entries import BESIDE, FLAT, cells_of, noise_of_cells
from exactdp.ledger.formats.strict_json import decode_utf8, placed
from exactdp.ledger.model import ConcentratedMechanism, GaussianMechanism, Ledger, Mechanism
from exactdp.ledger.schema import unknown_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exactdp.ledger.model import Entry

_NOTIONS: Final = ("epsilon", *BESIDE)
COLUMNS: Final = ("label", "epsilon", "delta", *BESIDE, *FLAT, "count")

_ALWAYS: Final = ("label", "epsilon", "delta", "count")
_MARK: Final = b"\xef\xbb\xbf"
_HEADER: Final = "a first line that names the columns, such as label,epsilon,delta,count"
_QUOTED: Final = frozenset('",\r\n')
_SEPARATOR_LINE: Final = re.compile(r"\A(\s*)sep=[,;\t][ \t]*(?=\r?\n)")
"""What spreadsheets write above the header, for each other."""
_EMPTY: Final = {
    "epsilon": "",
    "delta": "write 0 for a pure mechanism, or leave the column out",
    "count": "write 1, or leave the column out",
}


def read(data: bytes, name: str = "") -> Ledger:
    r"""Read the bytes of a CSV ledger; ``name`` is the file's, for the paths of errors.

    Raises:
        InputError: not a CSV ledger; the path is "NAME, line N, column C".

    >>> read(b"epsilon,count\n0.1,3\n").size
    3
    """
    # Spreadsheet programs begin UTF-8 files with a byte-order mark, and need it to read them.
    text = decode_utf8(data.removeprefix(_MARK), name)
    _refuse_nul(text, name)
    text = _SEPARATOR_LINE.sub(r"\1", _without_comments(text), count=1)
    return read_rows(_rows(text, _separator(text, name), name), name)


def read_rows(rows: Iterator[tuple[int, list[str]]], name: str = "") -> Ledger:
    """The ledger of a table whose first row names the columns; each row has the number of its line.

    Raises:
        InputError: as for :func:`read`.
    """
    line, header = next(rows, (1, []))
    columns = _columns(header, placed(name, f"line {line}"))
    notes: list[str] = []
    mechanisms = tuple(_mechanisms(rows, columns, name, notes))
    return Ledger(mechanisms, notes="\n".join(notes))


def names_a_notion(header: Iterable[str]) -> bool:
    """Whether a row names a column that a mechanism can be given by."""
    return any(cell.strip().casefold() in _NOTIONS for cell in header)


def _mechanisms(
    rows: Iterator[tuple[int, list[str]]], columns: list[str], name: str, notes: list[str]
) -> Iterator[Entry]:
    where = {column: columns.index(column) if column in columns else -1 for column in COLUMNS}
    named = {column: place for place, column in enumerate(columns) if column}
    nameless = [place for place, column in enumerate(columns) if not column]
    noted = {column: place for column, place in named.items() if column not in COLUMNS}
    is_plain = named.keys() - noted.keys() <= _PAIR_COLUMNS
    read_row = _pairs(where) if is_plain else _any_notion(where)
    for line, row in rows:
        try:
            if len(row) != len(columns):
                raise _wrong_width(row, columns)
            if nameless and (cells := [row[place] for place in nameless if row[place].strip()]):
                raise _nameless(cells[0])
            yield read_row(row)
        except InputError as error:
            raise _located(error, row, where, placed(name, f"line {line}")) from None
        if noted:
            remarks = [f"{key} {row[at].strip()}" for key, at in noted.items() if row[at].strip()]
            notes += [f"line {line}: {', '.join(remarks)}"] if remarks else []


_PAIR_COLUMNS: Final = frozenset({"label", "epsilon", "delta", "count"})
_RowReader = Callable[[list[str]], "Entry"]


def _pairs(where: dict[str, int]) -> _RowReader:
    """The reader of rows of a table whose only notion is (ε, δ)."""
    parameters = ParameterParsers()
    label, epsilon, delta, count = (where[key] for key in ("label", "epsilon", "delta", "count"))

    def read_row(row: list[str]) -> Mechanism:
        return Mechanism(
            parameters.epsilon(row[epsilon]),
            parameters.delta(row[delta]) if delta >= 0 else ZERO,
            parameters.count(row[count].strip()) if count >= 0 else 1,
            row[label] if label >= 0 else "",
        )

    return read_row


def _any_notion(where: dict[str, int]) -> _RowReader:
    """The reader of rows that each choose their notion."""
    parameters = ParameterParsers()

    def read_row(row: list[str]) -> Entry:
        cells = {key: row[place] for key, place in where.items() if place >= 0}
        label = cells.pop("label", "")
        count = parameters.count(cells.pop("count").strip()) if "count" in cells else 1
        given = {key: cell for key, cell in cells.items() if cell.strip()}
        _check_notion(given)
        if "epsilon" in given:
            delta = parameters.delta(given["delta"]) if "delta" in given else ZERO
            return Mechanism(parameters.epsilon(given["epsilon"]), delta, count, label)
        if "rho" in given:
            return ConcentratedMechanism(given["rho"], count, label)
        return noise_of_cells(given, count, label)

    return read_row


def _check_notion(given: dict[str, str]) -> None:
    """Refuse a row that does not have the cells of exactly one notion, its own first."""
    notions = [key for key in given if key in _NOTIONS]
    beside = {"delta"} if notions == ["epsilon"] else set(BESIDE.get("".join(notions), ()))
    plain = notions == ["sigma"] and not given.keys() & {"sensitivity", "clip", "batches"}
    if len(notions) != 1 or plain or not given.keys() <= {notions[0], *beside}:
        raise InputError(
            field="row",
            value=" and ".join(given) or "nothing",
            expected="epsilon (with or without delta), rho, mu, sigma with sensitivity, or a "
            "family of noise with its own columns",
            remedy="leave the other cells empty, or write a row for each mechanism",
        )


def _located(error: InputError, row: list[str], where: dict[str, int], line: str) -> InputError:
    """The error at its line and column, with a cure if the cell is empty."""
    if error.field not in where:
        return error if error.path else _placed_error(error, line)
    cell = row[where[error.field]]
    if cell.strip():
        placed_there = _placed_error(error, f"{line}, column {error.field}")
        return _with_point(placed_there, cell) if _DECIMAL_COMMA.fullmatch(cell) else placed_there
    return InputError(
        field=error.field,
        value="an empty cell",
        path=f"{line}, column {error.field}",
        expected=error.expected,
        remedy=_EMPTY.get(error.field, ""),
    )


def _with_point(error: InputError, cell: str) -> InputError:
    return InputError(
        field=error.field,
        value=error.value,
        path=error.path,
        expected=error.expected,
        remedy=f"decimals take a point: {cell.strip().replace(',', '.')}",
        code=error.code,
    )


_DECIMAL_COMMA: Final = re.compile(r"\s*\d+,\d+(?:[eE][+-]?\d+)?\s*")


def _placed_error(error: InputError, path: str) -> InputError:
    located = error.located(path)
    return located if isinstance(located, InputError) else error


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
        if line and not line.startswith("#"):
            break
        at, breaks = end, breaks + text.count("\n", at, end)
    return "\n" * breaks + text[at:]


def _separator(text: str, name: str) -> str:
    """Comma, tab or semicolon, as the first line that is not blank shows."""
    number, header = next(
        ((n, line) for n, line in enumerate(io.StringIO(text), 1) if line.strip()), (1, "")
    )
    for separator in (",", "\t", ";"):
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


def _columns(header: list[str], path: str) -> list[str]:
    """The names of the columns, checked."""
    columns = [cell.strip().casefold() for cell in header]
    if not columns:
        raise _bad_header("an empty file", path, "")
    if not any(cell[:1].isalpha() for cell in columns):
        raise _bad_header(",".join(header), path, "put that line above the numbers")
    for number, (column, cell) in enumerate(zip(columns, header, strict=True), 1):
        place = f"{path}, column {shorten(cell.strip()) or number}"
        if not column:
            continue
        if column not in COLUMNS and not _is_remark(column):
            raise unknown_key(cell.strip(), cell.strip(), place, [*COLUMNS])
        if column in columns[: number - 1]:
            raise InputError(
                field=column,
                value="a column that stands twice",
                path=place,
                expected="each column once",
                remedy="remove one of the two",
                code="duplicate-key",
            )
    if not any(notion in columns for notion in _NOTIONS):
        raise _bad_header(",".join(header), path, "name the column epsilon", field="epsilon")
    return columns


_PARAMETERS: Final = (
    *(
        "eps",
        "delta",
        "rho",
        "mu",
        "sigma",
        "sens",
        "clip",
        "rate",
        "batch",
        "epoch",
        "order",
        "count",
    ),
    *("noise", "scale", "shift", "laplace", "gauss", "sampl", "group", "size", "number"),
    *("n", "k", "e", "d", "ε", "δ", "ρ", "μ", "σ"),
)
_LIKE_A_COLUMN: Final = 0.75
_NAME: Final = re.compile(r"[^\W\d_][\w .-]{0,59}")


def _is_remark(column: str) -> bool:
    """Whether a column may stand in the notes: its name is a word that speaks of no parameter.

    >>> _is_remark("date"), _is_remark("epsilom"), _is_remark("sampling_rate"), _is_remark("")
    (True, False, False, False)
    """
    parts = re.findall(r"[^\W\d_]+", column)
    speaks = any(word in _WHOLE_WORDS or word.startswith(_LONGER) for word in parts)
    near = get_close_matches(column, COLUMNS, n=1, cutoff=_LIKE_A_COLUMN)
    return bool(_NAME.fullmatch(column)) and not speaks and (not near or column in _REMARKS)


_SHORTEST: Final = 2
_WHOLE_WORDS: Final = {"times", *(word for word in _PARAMETERS if len(word) <= _SHORTEST)}
_LONGER: Final = tuple(word for word in _PARAMETERS if len(word) > _SHORTEST)
_REMARKS: Final = ("date",)
"""Names that look like a column's and are none."""


def _bad_header(value: str, path: str, remedy: str, field: str = "ledger") -> InputError:
    return InputError(field=field, value=value, path=path, expected=_HEADER, remedy=remedy)


def _nameless(cell: str) -> InputError:
    return InputError(
        field="cell",
        value=cell.strip(),
        expected="cells below the name of a column",
        remedy="name the column in the first row, or clear the cell",
    )


def _wrong_width(row: list[str], columns: list[str]) -> InputError:
    return InputError(
        field="row",
        value=",".join(row),
        expected=f"{len(columns)} cells ({', '.join(columns)}), not {len(row)}",
        remedy='a cell that holds a comma stands in double quotes, and 0,1 is written "0.1"'
        if len(row) > len(columns)
        else "",
        code="bad-csv",
    )


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

    >>> print(write(Ledger.of([("0.1", "1e-9", 3, "a, b")])), end="")
    label,epsilon,delta,count
    "a, b",0.1,1e-9,3
    """
    texts = Texts()
    rows = [_cells(entry, texts) for entry in ledger.mechanisms]
    used = {key for row in rows for key in row}
    columns = [key for key in COLUMNS if key in used or key in _ALWAYS]
    lines = [",".join(columns)]
    lines += [",".join(row.get(column, "") for column in columns) for row in rows]
    return "\n".join(lines) + "\n"


def _cells(entry: Entry, texts: Texts) -> dict[str, str]:
    cells = {"label": _cell(entry.label), "count": str(entry.count)}
    if isinstance(entry, Mechanism):
        return {**cells, "epsilon": texts[entry.epsilon], "delta": texts[entry.delta]}
    if isinstance(entry, ConcentratedMechanism):
        return {**cells, "rho": texts[entry.rho]}
    if isinstance(entry, GaussianMechanism):
        return {**cells, "mu": texts[entry.mu]}
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
    )
    return tuple(key for key in keys if getattr(ledger, key) != getattr(empty, key))


def _cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if not _QUOTED.isdisjoint(text) else text

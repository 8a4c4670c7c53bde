r"""``exactdp results``: what a store holds."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from exactdp.cli.files import check_file
from exactdp.cli.options import command
from exactdp.cli.output import say, wants_json
from exactdp.cli.rendering import answer
from exactdp.cli.tables import Cell, Table
from exactdp.errors import InputError
from exactdp.ledger.formats.safe_cells import safe_cell
from exactdp.many.reading_store import COLUMNS, EVERYTHING, ResultFilter, Row, rows_of, sentence_on
from exactdp.pages.facts import fact
from exactdp.pages.number_text import abridged, grouped
from exactdp.pages.phrases import counted

_SHOWN = 1000


@command("results")
def results_command(
    *,
    store: Path,
    command: str | None,
    pattern: str | None,
    exit_code: int | None,
    sql: str | None,
    output: Path | None,
) -> int:
    """What the directory STORE holds, which --store of other commands has filled."""
    wanted = ResultFilter(command, pattern, exit_code)
    if sql is not None and wanted != ResultFilter():
        raise InputError(
            field="--sql", value=sql, expected="no --command, --file or --exit-code beside it"
        )
    asked = (sql, ()) if sql is not None else wanted.sql(COLUMNS if output is None else EVERYTHING)
    if output is not None:
        check_file(output, "--output")
    left_out: set[str] = set()
    found = rows_of(store, *asked, left_out=left_out)
    names, _ = next(found)
    rows = (row for _, row in found)
    if output is not None:
        files = {output: _file(output, names, rows)}
        known = [fact("columns", names), fact("written", str(output))]
        written = f"The results were written to {output}."
        code = answer(known, written, files=files, field="--output")
    else:
        kept = [[*map(_plain, row)] for row in (rows if wants_json() else islice(rows, _SHOWN))]
        more = next(rows, None) is not None
        known = [fact("columns", names), fact("rows", kept), fact("left_out", len(left_out))]
        code = answer(known, *_text(names, kept, more=more))
    if left_out:
        say(sentence_on(left_out))
    return code


def _file(path: Path, names: list[str], rows: Iterator[Row]) -> bytes:
    if path.suffix.casefold() == ".csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(map(_safe, names))
        writer.writerows([*map(_safe, row)] for row in rows)
        return text.getvalue().encode()
    from exactdp.many.parquet import parquet_of  # noqa: PLC0415 (an extra)

    return parquet_of(names, rows)


def _text(names: list[str], rows: list[list[object]], *, more: bool) -> Iterator[Cell]:
    cells = tuple(
        tuple(
            _cell(cell) if name == "file" else abridged(_cell(cell))
            for name, cell in zip(names, row, strict=True)
        )
        for row in rows
    )
    number = f"more than {grouped(len(rows))} results" if more else counted(len(rows), "result")
    yield f"The store holds {number} of those asked for."
    yield from ("", Table(tuple(names), cells))
    if more:
        yield f"and more: the first {grouped(_SHOWN)} are shown; -o writes them all"


def _safe(cell: object) -> object:
    return safe_cell(cell) if isinstance(cell, str) else cell


def _plain(cell: object) -> object:
    return cell.hex() if isinstance(cell, bytes) else cell


def _cell(cell: object) -> str:
    return "" if cell is None else str(cell)

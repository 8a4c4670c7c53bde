r"""Tables and numbers as a person reads them.

Rules of this file: a printed number is exact, or rounded in the direction that its place states;
tables are as wide as they need to be in a pipe and fold on a terminal, and no line ends in
blanks; colour never carries meaning; text from outside is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Final

from exactdp.cli.colour import coloured
from exactdp.cli.output import is_terminal, print_json, write
from exactdp.cli.tables import Cell, Table, lines_of
from exactdp.ledger.model import Ledger
from exactdp.pages.facts import Fact, fact, result_of, rows_of
from exactdp.pages.number_text import grouped

_PROSE: Final = 88


def show(*parts: Cell, prose: bool = False) -> None:
    """Print text and tables: folded on a terminal; in a pipe unlimited, or as a page if prose."""
    if prose or is_terminal():
        from exactdp.cli.folding import folded  # noqa: PLC0415 (pipes do without its library)

        write(coloured(folded(parts, _PROSE if prose else None)))
        return
    lines = chain.from_iterable(map(lines_of, parts))
    write("".join(f"{line.rstrip(' ')}\n" for line in lines))


def facts(rows: Iterable[tuple[str, Cell]]) -> Table:
    """A table of two columns: what, and how much."""
    return Table((), tuple(rows))


def columns(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """A table with a heading."""
    return Table(tuple(titles), tuple(tuple(row) for row in rows))


def answer(
    command: str, known: Iterable[Fact], *above: Cell, as_json: bool, below: Iterable[Cell] = ()
) -> None:
    """Print what is known: as one object, or as a table between what stands above and below it."""
    if as_json:
        print_json(command, result_of(known))
        return
    show(*above, *table_below(known), *below)


def table_below(known: Iterable[Fact]) -> list[Cell]:
    """A further table, after a blank line, if it has any rows."""
    rows = rows_of(known)
    return ["", facts(rows)] if rows else []


def points(rows: Iterable[Iterable[Fact]]) -> Table:
    """A table with a line for each list of facts, whose titles are the same."""
    told = [[each for each in row if each.lines] for row in rows]
    titles = [each.title for each in told[0]] if told else []
    return columns(titles, [[each.lines[0] for each in row] for row in told])


def picture_fact(plot: Path | None) -> list[Fact]:
    """Where a picture of the answer is, for programs."""
    return [] if plot is None else [fact("plot", str(plot))]


def picture_lines(plot: Path | None) -> list[Cell]:
    """The same for people, at the end."""
    return [] if plot is None else ["", f"written: {plot}"]


def heading(ledger: Ledger) -> str:
    """Name and size of a ledger, in one line."""
    parts = [f"{grouped(ledger.size)} mechanism{'' if ledger.size == 1 else 's'}"]
    if ledger.unit_of_privacy:
        parts.append(f"protecting one {ledger.unit_of_privacy}")
    size = ", ".join(parts)
    return f"{ledger.name}: {size}" if ledger.name else size

r"""Tables as data, and as lines where width is no matter.

Rules of this file: text from outside is escaped; columns start below each other on a screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, TypeAlias
from unicodedata import combining, east_asian_width

from exactdp.readable import printable

GAP: Final = "   "
"""What stands between two columns."""

Cell: TypeAlias = "str | Table"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells.

    Attributes:
        titles: what stands above the columns; without, the first column says what the second is.
        rows: texts, and tables within tables.
    """

    titles: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def lines(self) -> Iterator[str]:
        """The lines of the table where width is no matter."""
        cells = [self.titles, *self.rows] if self.titles else self.rows
        rows = [row for each in cells for row in zip_longest(*map(lines_of, each), fillvalue="")]
        widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            padded = (cell + " " * (n - _width(cell)) for cell, n in zip(row, widths, strict=True))
            yield GAP.join(padded)


def lines_of(cell: Cell) -> list[str]:
    """The lines of a text, which is one, or of a table."""
    return list(cell.lines()) if isinstance(cell, Table) else [printable(cell)]


def _width(text: str) -> int:
    """How many columns of a screen a text takes; a wide letter takes two, an accent none."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(c) in "WF" else not combining(c) for c in text)

r"""Tables and text folded to a width, in colour on a terminal: what is set with rich.

Rules of this file: it is imported where something has to be folded; a pipe does without.
"""

from __future__ import annotations

import io
import re
from typing import Final

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from exactdp.cli.output import is_terminal
from exactdp.cli.tables import GAP, Cell, Table
from exactdp.readable import printable

_NARROW: Final = 36
_PADDING: Final = (0, len(GAP), 0, 0)
_TRAILING: Final = re.compile(r"(?<! ) +((?:\x1b\[[0-9;]*m)*)$", re.MULTILINE)


def folded(part: Cell, greatest: int | None) -> str:
    """A text or table: as wide as the terminal, and never wider than ``greatest``."""
    terminal = is_terminal()
    page = io.StringIO()
    out = Console(file=page, force_terminal=terminal, highlight=False, emoji=False, markup=False)
    if terminal:  # below the least width a table would drop what does not fit
        out.width = max(_NARROW, min(out.width, greatest or out.width))
    else:
        out.width = greatest or out.width
    out.print(_grid(part) if isinstance(part, Table) else printable(part))
    return _TRAILING.sub(r"\1", page.getvalue())


def _grid(table: Table) -> Grid:
    if table.titles:
        grid = Grid(box=None, pad_edge=False, padding=_PADDING, header_style="dim")
        for title in table.titles:
            grid.add_column(printable(title), overflow="fold")
    else:
        grid = Grid.grid(padding=_PADDING)
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(overflow="fold")
    for row in table.rows:
        grid.add_row(*(_grid(c) if isinstance(c, Table) else Text(printable(c)) for c in row))
    return grid

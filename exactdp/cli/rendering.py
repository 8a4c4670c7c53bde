r"""Tables and numbers as a person reads them.

Rules of this file: a printed number is exact, or rounded in the direction that its place states;
tables are as wide as they need to be in a pipe and fold on a terminal; colour never carries
meaning.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from exactdp.arithmetic.decimal_text import shortest_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.ledger.model import Ledger

_WIDE = 1_000_000
_LONGEST_EXACT = 120


def console() -> Console:
    """Standard output: folded on a terminal, unlimited in a pipe."""
    return Console(width=None if sys.stdout.isatty() else _WIDE, highlight=False, emoji=False)


def facts(rows: Iterable[tuple[str, str]]) -> Table:
    """A table of two columns: what, and how much."""
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(Text(name), Text(value))
    return table


def columns(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """A table with a heading."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    for title in titles:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def heading(ledger: Ledger) -> str:
    """Name and size of a ledger, in one line."""
    size = f"{ledger.size:,}".replace(",", " ")
    parts = [f"{size} mechanism{'' if ledger.size == 1 else 's'}"]
    if ledger.unit_of_privacy:
        parts.append(f"protecting one {ledger.unit_of_privacy}")
    return f"{ledger.name}: {', '.join(parts)}" if ledger.name else ", ".join(parts)


def exact_text(number: ExactNumber) -> str:
    """An exact number, or how long it is if nobody would read it."""
    text = shortest_text(number)
    if len(text) > _LONGEST_EXACT:
        return f"{text[:40]}… ({len(text)} characters; --json prints them all)"
    return text

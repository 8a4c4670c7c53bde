"""Every way of changing a cell of a store, with plain SQL."""

# ruff: noqa: S608 (names of tables and columns are ours)

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exactdp.many.store import FILE

Value = str | int | bytes | None
TABLES: Final = ("question", "answer", "file", "content", "input")
_VALUES: Final[tuple[Value, ...]] = (
    *(None, "", 0, 1, -1, 2**40, b"", b"#!/bin/sh\n"),
    *("../../../pwned.pth", "/pwned.pth", "@/ledger/../../pwned.pth", "@/ledger.pth"),
    *('"result":{}', "\x1b[31m", "0" * 64),
)
_BETTER: Final = (
    *(('"failed"', '"held"'), ("refuted", "proved"), ("FAILED", "PASSED")),
    *(("does not hold", "holds"), ("1", "0"), ("9", "1")),
)


@dataclass(frozen=True)
class Mutation:
    """One column of one table, and what becomes of its cells.

    ``value`` stands in the first row, or in every row; or ``old`` is replaced by ``new``; or the
    cells of two rows are exchanged.
    """

    table: str
    column: str
    value: Value = None
    everywhere: bool = False
    old: str = ""
    new: str = ""
    swaps: bool = False

    def apply(self, store: Path) -> None:
        """Change the store; what SQLite refuses is left as it is."""
        base = sqlite3.connect(store / FILE)
        with contextlib.closing(base), contextlib.suppress(sqlite3.IntegrityError), base:
            if self.swaps:
                self._swap(base)
            elif self.old:
                base.execute(
                    f"UPDATE OR IGNORE {self.table} SET {self.column} = "
                    f"CAST(replace(CAST({self.column} AS TEXT), ?, ?) AS {self._type(base)})",
                    (self.old, self.new),
                )
            else:
                where = "" if self.everywhere else f" WHERE {self._first()}"
                base.execute(
                    f"UPDATE OR IGNORE {self.table} SET {self.column} = ?{where}", (self.value,)
                )

    def _first(self) -> str:
        return f"{self.column} = (SELECT min({self.column}) FROM {self.table})"

    def _swap(self, base: sqlite3.Connection) -> None:
        rows = base.execute(f"SELECT DISTINCT {self.column} FROM {self.table} ORDER BY 1")
        cells = [row[0] for row in rows]
        if len(cells) < 2:
            return
        base.execute(
            f"UPDATE OR REPLACE {self.table} SET {self.column} = CASE {self.column} "
            f"WHEN ? THEN ? ELSE ? END WHERE {self.column} IN (?, ?)",
            (cells[0], cells[1], cells[0], cells[0], cells[1]),
        )

    def _type(self, base: sqlite3.Connection) -> str:
        rows = base.execute("SELECT name, type FROM pragma_table_info(?)", (self.table,))
        return str(dict(rows.fetchall())[self.column])


def mutations(store: Path) -> Iterator[Mutation]:
    """Every table × every column that it has × every kind of value."""
    base = sqlite3.connect(store / FILE)
    with contextlib.closing(base):
        found = {
            table: [
                row[0] for row in base.execute("SELECT name FROM pragma_table_info(?)", (table,))
            ]
            for table in TABLES
        }
    for table, columns in found.items():
        for column in columns:
            for value in _VALUES:
                yield Mutation(table, column, value)
                yield Mutation(table, column, value, everywhere=True)
            for old, new in _BETTER:
                yield Mutation(table, column, old=old, new=new)
            yield Mutation(table, column, swaps=True)

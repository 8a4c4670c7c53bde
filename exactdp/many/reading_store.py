r"""What a store holds, as rows: by a filter, or by a question in SQL.

Rules of this file: nothing is written, whatever the question says: the file is opened for reading,
and statements that would open another are refused.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Final, TypeAlias

from exactdp.errors import InputError
from exactdp.many.store import FILE

Cell: TypeAlias = str | int | float | bytes | None
Row: TypeAlias = tuple[Cell, ...]
COLUMNS: Final = (
    "file", "command", "exit_code", "epsilon_lower", "epsilon_upper", "delta", "error",
)  # fmt: skip
"""Of the view ``result``, what a table shows."""
EVERYTHING: Final = (*COLUMNS, "version", "key", "document")
_ALLOWED: Final = frozenset(
    [sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE]
)


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """Which results are meant; None for any.

    Attributes:
        command: of this command.
        file: whose input's name matches this pattern.
        code: with this exit code.
    """

    command: str | None = None
    file: str | None = None
    code: int | None = None

    def sql(self, columns: tuple[str, ...]) -> tuple[str, tuple[Cell, ...]]:
        """A question in SQL, and what stands for its question marks."""
        tests = [
            ("command = ?", self.command),
            ("file GLOB ?", self.file),
            ("exit_code = ?", self.code),
        ]
        given = [(test, value) for test, value in tests if value is not None]
        where = f" WHERE {' AND '.join(test for test, _ in given)}" if given else ""
        text = f"SELECT {', '.join(columns)} FROM result{where} ORDER BY command, file"  # noqa: S608 (our own names)
        return text, tuple(value for _, value in given)


def results(
    store: str | PathLike[str],
    *,
    command: str | None = None,
    file: str | None = None,
    exit_code: int | None = None,
) -> list[dict[str, Cell]]:
    """What a store of many answers holds: a row for each, by the names of its columns.

    Args:
        store: the directory that ``--store`` of a command has filled.
        command: results of this command alone.
        file: of inputs whose name matches this pattern.
        exit_code: with this exit code.

    Raises:
        InputError: there is no store.
    """
    wanted = ResultFilter(command, file, exit_code)
    found = rows_of(Path(store), *wanted.sql(EVERYTHING))
    names, _ = next(found)
    return [dict(zip(names, row, strict=True)) for _, row in found]


def rows_of(
    directory: Path, sql: str, values: tuple[Cell, ...] = ()
) -> Iterator[tuple[list[str], Row]]:
    """The columns' names with each row that a question finds; first the names with no row.

    Raises:
        InputError: there is no store, or the question is none that reads.
    """
    path = directory / FILE
    if not path.is_file():
        raise InputError(
            field="STORE",
            value=str(directory),
            expected=f"a directory with a store of results ({FILE})",
            remedy="one is made with --store, as in exactdp compose FOLDER --store DIR",
        )
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as base:
            base.set_authorizer(_authorize)
            found = base.execute(sql, values)
            names = [column[0] for column in found.description or ()]
            yield names, ()
            for row in found:
                yield names, row
    except sqlite3.Error as error:
        raise InputError(
            field="--sql" if not values else "STORE",
            value=sql,
            expected=f"one SELECT over the view result or its tables ({error})",
        ) from None


def _authorize(action: int, *_: object) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY

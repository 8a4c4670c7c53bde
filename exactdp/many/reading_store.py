r"""What a store holds, as rows: by a filter, or by a question in SQL.

Rules of this file: nothing is written, whatever the question says: the file is opened for reading,
and statements that would open another are refused. A result is told only if this user's exactdp
wrote it (:mod:`exactdp.many.store_key`); what others wrote there is counted.

Theory of operation: the view that questions are about is made anew at each reading, over the
results whose tags are right. The tables below it, and a view of that name in the file, are refused.
"""

from __future__ import annotations

import json
import sqlite3
import warnings
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Final, TypeAlias

from exactdp.errors import InputError
from exactdp.many.store import FILE, RESULTS, parts_of_answer, parts_of_input, text_of
from exactdp.many.store_key import StoreKey, key_of_user

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
    left_out: set[str] = set()
    found = rows_of(Path(store), *wanted.sql(EVERYTHING), left_out=left_out)
    names, _ = next(found)
    rows = [dict(zip(names, row, strict=True)) for _, row in found]
    if left_out:
        warnings.warn(sentence_on(left_out), stacklevel=2)
    return rows


def sentence_on(left_out: Collection[str]) -> str:
    """What is said of results that others wrote."""
    number = len(left_out)
    what = "1 result was" if number == 1 else f"{number} results were"
    return (
        f"{what} not written with this user's key, or changed since, and left out: "
        "the command that fills the store computes them again"
    )


def rows_of(
    directory: Path, sql: str, values: tuple[Cell, ...] = (), *, left_out: set[str]
) -> Iterator[tuple[list[str], Row]]:
    """The columns' names with each row that a question finds; first the names with no row.

    Args:
        directory: the store.
        sql: the question.
        values: what stands for its question marks.
        left_out: takes the keys and names of what was found, and is not told.

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
            base.text_factory = text_of
            _require_tags(base, directory)
            _make_view(base, key_of_user(), left_out)
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
            expected=f"one SELECT over the view {_VIEW} ({error})",
        ) from None


_VIEW: Final = "result"
_WRITTEN: Final = "exactdp_wrote"
_FILES: Final = """(
    SELECT json_group_array(json_array(name, digest)) FROM main.file WHERE file.key = answer.key
)"""
_ONLY_OURS: Final = f"""WHERE {_WRITTEN}(
    answer.key, answer.code, answer.text, {_FILES}, answer.tag,
    input.name, question.command, question.version, question.text, input.tag
)"""


def _require_tags(base: sqlite3.Connection, directory: Path) -> None:
    for table in ("answer", "input"):
        known = base.execute("SELECT name FROM pragma_table_info(?)", (table,))
        if ("tag",) not in known.fetchall():
            raise InputError(
                field="STORE",
                value=str(directory),
                expected="a store of this version, where every answer has a tag",
                remedy="ask the same again with --store: the answers are computed once more",
            )


def _make_view(base: sqlite3.Connection, key: StoreKey, left_out: set[str]) -> None:
    """Make the view of results that this key has written."""

    def wrote(*cells: Cell) -> bool:
        name, code, text, files, tag, *about, tag_of_input = cells
        digests = sorted((str(file), str(digest)) for file, digest in json.loads(str(files)))
        answer = parts_of_answer(str(name), code, text, digests)
        ours = key.wrote(tag, *answer) and key.wrote(tag_of_input, *parts_of_input(*about, name))
        if not ours:
            left_out.add(f"{name!r} {about[0]!r}")
        return ours

    base.create_function(_WRITTEN, -1, wrote)
    base.execute("PRAGMA temp_store = MEMORY")
    base.execute(f"CREATE TEMP VIEW {_VIEW} AS {RESULTS} {_ONLY_OURS}")


def _authorize(
    action: int, table: str | None, _column: str | None, base: str | None, view: str | None
) -> int:
    """Whether a question may do this: read, and the tables through the view alone."""
    if action == sqlite3.SQLITE_READ and view is None and table != _VIEW and base == "main":
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY

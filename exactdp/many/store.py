r"""The store: answers by the content that they are about, in one file of SQLite.

Rules of this file: what is given from the store is an answer that would be given again, byte for
byte, whoever has written to the store meanwhile; a process that is killed loses at most what it had
not yet committed, and never leaves half an answer.

Theory of operation: the key is SHA-256 over question, version and content, so that nothing in the
store is ever out of date: another version, or another question, has another key. An answer has a
tag over all of it, by a key of the user's that the store does not hold
(:mod:`exactdp.many.store_key`); without the right one it is computed again, and replaced.
Certificates are kept once, by their own SHA-256. The journal is written ahead (WAL): readers never
wait.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exactdp.errors import InputError
from exactdp.many.messages import Answered
from exactdp.many.store_key import StoreKey, key_of_user

FILE: Final = "results.sqlite"
_SCHEMA: Final = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS question (
    id INTEGER PRIMARY KEY, command TEXT NOT NULL, version TEXT NOT NULL, text TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE IF NOT EXISTS answer (
    key TEXT PRIMARY KEY, question INTEGER NOT NULL REFERENCES question (id),
    code INTEGER NOT NULL, text TEXT NOT NULL, tag BLOB
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file (
    key TEXT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (key, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS content (digest TEXT PRIMARY KEY, bytes BLOB NOT NULL)
    STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS input (
    name TEXT NOT NULL, question INTEGER NOT NULL, key TEXT NOT NULL, tag BLOB,
    PRIMARY KEY (name, question)
) STRICT, WITHOUT ROWID;
CREATE VIEW IF NOT EXISTS result AS """
RESULTS: Final = """
SELECT input.name AS file, question.command AS command, question.version AS version,
       answer.code AS exit_code, answer.key AS key,
       json_extract('{' || answer.text || '}', '$.result.epsilon.lower') AS epsilon_lower,
       json_extract('{' || answer.text || '}', '$.result.epsilon.upper') AS epsilon_upper,
       json_extract('{' || answer.text || '}', '$.result.delta') AS delta,
       json_extract('{' || answer.text || '}', '$.error.code') AS error,
       '{' || answer.text || '}' AS document
FROM main.input JOIN main.answer USING (key)
JOIN main.question ON question.id = input.question
"""
_SECONDS_BETWEEN: Final = 0.5
_PATIENCE: Final = 60.0


@dataclass(frozen=True, slots=True)
class Asked:
    """The question of a run, as the store knows it."""

    command: str
    version: str
    text: str


class Store:
    """Answers to one question, in a directory.

    Args:
        directory: where it is, or is to be.
        asked: the question.
        key: what answers are tagged with; that of the user unless given.

    Attributes:
        disbelieved: how many answers had another tag, and were not given.
        remark: why the next run will not believe what this one keeps; "" where it will.

    Raises:
        InputError: the directory cannot hold a store.
    """

    def __init__(self, directory: Path, asked: Asked, key: StoreKey | None = None) -> None:
        self._directory = directory
        self._asked = asked
        self._key = key_of_user() if key is None else key
        self.remark = self._key.remark
        self.disbelieved = 0
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(directory / FILE, timeout=_PATIENCE)
            self._base.text_factory = text_of
            self._base.executescript(f"{_SCHEMA}{RESULTS};")
            self._add_tags()
            self._question = self._question_of(asked)
        except (OSError, sqlite3.Error) as error:
            raise unusable(directory, error) from None
        self._committed = time.monotonic()

    def get(self, key: str) -> Answered | None:
        """The answer of this key, if there is one that was written with the user's key.

        Raises:
            InputError: the store cannot be read.
        """
        try:
            row = self._base.execute("SELECT code, text, tag FROM answer WHERE key = ?", (key,))
            found = row.fetchone()
            files = dict(self._files(key)) if found is not None else {}
        except sqlite3.Error as error:
            raise unusable(self._directory, error) from None
        if found is None:
            return None
        code, text, tag = found
        digests = sorted((name, _digest(data)) for name, data in files.items())
        if not self._key.wrote(tag, *parts_of_answer(key, code, text, digests)):
            self.disbelieved += 1
            return None
        return Answered(text, code, files)

    def put(self, key: str, answered: Answered) -> None:
        """Keep an answer, in place of one that was not believed.

        Raises:
            InputError: the store takes nothing more.
        """
        rows = [(_digest(data), data) for data in answered.files.values()]
        digests = [(name, digest) for name, (digest, _) in zip(answered.files, rows, strict=True)]
        tag = self._key.tag(*parts_of_answer(key, answered.code, answered.text, sorted(digests)))
        try:
            self._base.execute("DELETE FROM file WHERE key = ?", (key,))
            self._base.executemany("INSERT OR REPLACE INTO content VALUES (?, ?)", rows)
            self._base.executemany(
                "INSERT INTO file VALUES (?, ?, ?)", [(key, *digest) for digest in digests]
            )
            self._base.execute(
                "INSERT OR REPLACE INTO answer (key, question, code, text, tag) "
                "VALUES (?, ?, ?, ?, ?)",
                (key, self._question, answered.code, answered.text, tag),
            )
            self._commit_now_and_then()
        except sqlite3.Error as error:
            raise unusable(self._directory, error) from None

    def name(self, name: str, key: str) -> None:
        """Note that an input has this key.

        Raises:
            InputError: the store takes nothing more.
        """
        asked = self._asked
        tag = self._key.tag(*parts_of_input(name, asked.command, asked.version, asked.text, key))
        try:
            self._base.execute(
                "INSERT OR REPLACE INTO input (name, question, key, tag) VALUES (?, ?, ?, ?)",
                (name, self._question, key, tag),
            )
        except sqlite3.Error as error:
            raise unusable(self._directory, error) from None

    def commit(self) -> None:
        """Keep for good what was put.

        Raises:
            InputError: the store takes nothing more.
        """
        try:
            self._base.commit()
        except sqlite3.Error as error:
            raise unusable(self._directory, error) from None

    def close(self) -> None:
        """Commit, and let go.

        Raises:
            InputError: the store takes nothing more.
        """
        try:
            self.commit()
        finally:
            self._base.close()

    def _add_tags(self) -> None:
        """Add what a store of an earlier version lacks; its answers are then not believed."""
        for table in ("answer", "input"):
            known = self._base.execute("SELECT name FROM pragma_table_info(?)", (table,))
            if ("tag",) not in known.fetchall():
                self._base.execute(f"ALTER TABLE {table} ADD COLUMN tag BLOB")

    def _question_of(self, asked: Asked) -> int:
        with self._base:
            self._base.execute(
                "INSERT INTO question (command, version, text) VALUES (?, ?, ?) ON CONFLICT (text) "
                "DO UPDATE SET command = excluded.command, version = excluded.version",
                (asked.command, asked.version, asked.text),
            )
        row = self._base.execute("SELECT id FROM question WHERE text = ?", (asked.text,))
        return int(row.fetchone()[0])

    def _files(self, key: str) -> Iterator[tuple[str, bytes]]:
        yield from self._base.execute(
            "SELECT name, bytes FROM file JOIN content USING (digest) WHERE key = ?", (key,)
        )

    def _commit_now_and_then(self) -> None:
        now = time.monotonic()
        if now - self._committed >= _SECONDS_BETWEEN:
            self._base.commit()
            self._committed = now


def parts_of_answer(
    key: str, code: object, text: object, files: Sequence[tuple[str, str]]
) -> tuple[object, ...]:
    """What the tag of an answer is about; ``files`` are names and digests, in order."""
    return ("answer", key, code, text, list(map(list, files)))


def parts_of_input(*values: object) -> tuple[object, ...]:
    """What the tag of an input is about: its name, command, version, question and key."""
    return ("input", *values)


def _digest(data: object) -> str:
    return hashlib.sha256(data).hexdigest() if isinstance(data, bytes) else ""


def text_of(data: bytes) -> str:
    """Text of the store, whoever wrote it."""
    return data.decode("utf-8", "surrogateescape")


def unusable(directory: Path, error: OSError | sqlite3.Error) -> InputError:
    """Why a store cannot be used, in words."""
    reason = (isinstance(error, OSError) and error.strerror) or str(error)
    return InputError(
        field="--store",
        value=str(directory),
        expected=f"a directory for a store of results ({reason})",
        code="unwritable",
    )

r"""The store: answers by the content that they are about, in one file of SQLite.

Rules of this file: what is in the store is an answer that would be given again, byte for byte; a
process that is killed loses at most what it had not yet committed, and never leaves half an answer.

Theory of operation: the key is SHA-256 over question, version and content, so that nothing in the
store is ever out of date: another version, or another question, has another key. Certificates are
kept once, by their own SHA-256. The journal is written ahead (WAL): readers never wait.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exactdp.errors import InputError
from exactdp.many.messages import Answered

FILE: Final = "results.sqlite"
_SCHEMA: Final = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS question (
    id INTEGER PRIMARY KEY, command TEXT NOT NULL, version TEXT NOT NULL, text TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE IF NOT EXISTS answer (
    key TEXT PRIMARY KEY, question INTEGER NOT NULL REFERENCES question (id),
    code INTEGER NOT NULL, text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file (
    key TEXT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (key, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS content (digest TEXT PRIMARY KEY, bytes BLOB NOT NULL)
    STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS input (
    name TEXT NOT NULL, question INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (name, question)
) STRICT, WITHOUT ROWID;
CREATE VIEW IF NOT EXISTS result AS
SELECT input.name AS file, question.command AS command, question.version AS version,
       answer.code AS exit_code, answer.key AS key,
       json_extract('{' || answer.text || '}', '$.result.epsilon.lower') AS epsilon_lower,
       json_extract('{' || answer.text || '}', '$.result.epsilon.upper') AS epsilon_upper,
       json_extract('{' || answer.text || '}', '$.result.delta') AS delta,
       json_extract('{' || answer.text || '}', '$.error.code') AS error,
       '{' || answer.text || '}' AS document
FROM input JOIN answer USING (key) JOIN question ON question.id = answer.question;
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
    """Answers to one question, in a directory; a context manager.

    Raises:
        InputError: the directory cannot hold a store.
    """

    def __init__(self, directory: Path, asked: Asked) -> None:
        self._directory = directory
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(directory / FILE, timeout=_PATIENCE)
            self._base.executescript(_SCHEMA)
            self._question = self._question_of(asked)
        except (OSError, sqlite3.Error) as error:
            raise unusable(directory, error) from None
        self._committed = time.monotonic()

    def get(self, key: str) -> Answered | None:
        """The answer of this key, if there is one.

        Raises:
            InputError: the store cannot be read.
        """
        try:
            row = self._base.execute("SELECT code, text FROM answer WHERE key = ?", (key,))
            found = row.fetchone()
            return None if found is None else Answered(found[1], found[0], dict(self._files(key)))
        except sqlite3.Error as error:
            raise unusable(self._directory, error) from None

    def put(self, key: str, answered: Answered) -> None:
        """Keep an answer.

        Raises:
            InputError: the store takes nothing more.
        """
        rows = [(_digest(data), data) for data in answered.files.values()]
        names = [
            (key, name, digest) for name, (digest, _) in zip(answered.files, rows, strict=True)
        ]
        try:
            self._base.executemany("INSERT OR IGNORE INTO content VALUES (?, ?)", rows)
            self._base.executemany("INSERT OR IGNORE INTO file VALUES (?, ?, ?)", names)
            self._base.execute(
                "INSERT OR IGNORE INTO answer VALUES (?, ?, ?, ?)",
                (key, self._question, answered.code, answered.text),
            )
            self._commit_now_and_then()
        except sqlite3.Error as error:
            raise unusable(self._directory, error) from None

    def name(self, name: str, key: str) -> None:
        """Note that an input has this key.

        Raises:
            InputError: the store takes nothing more.
        """
        try:
            self._base.execute(
                "INSERT OR REPLACE INTO input VALUES (?, ?, ?)", (name, self._question, key)
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

    def _question_of(self, asked: Asked) -> int:
        with self._base:
            self._base.execute(
                "INSERT OR IGNORE INTO question (command, version, text) VALUES (?, ?, ?)",
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


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def unusable(directory: Path, error: OSError | sqlite3.Error) -> InputError:
    """Why a store cannot be used, in words."""
    reason = (isinstance(error, OSError) and error.strerror) or str(error)
    return InputError(
        field="--store",
        value=str(directory),
        expected=f"a directory for a store of results ({reason})",
        code="unwritable",
    )

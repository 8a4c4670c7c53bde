"""Running the command line in this process, as a user would see it."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from exactdp import cli
from exactdp.cli.main import run

SCHEMA: Final = Path(cli.__file__).parent / "schemas" / "output-1.schema.json"
LEDGERS: Final = Path(cli.__file__).parents[2] / "ledgers"
GOOGLE: Final = str(LEDGERS / "google_mobility_2020_user_day.json")
EXECUTABLE: Final = (sys.executable, "-m", "exactdp")


@dataclass(frozen=True)
class Answer:
    """An exit code and what was printed."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def details(self) -> list[str]:
        """The lines below the sentence on top."""
        below = self.lines[1:]
        return below[1:] if below[:1] == [""] else below

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        document: dict[str, Any] = json.loads(self.out)
        return document

    @property
    def result(self) -> dict[str, Any]:
        result: dict[str, Any] = self.document["result"]
        return result

    @property
    def error(self) -> dict[str, str]:
        error: dict[str, str] = self.document["error"]
        return error


def exactdp(*arguments: str, stdin: bytes = b"") -> Answer:
    """Run one command."""
    out, err, given = (_stream() for _ in range(3))
    given.buffer.write(stdin)
    given.seek(0)
    old = sys.stdin
    sys.stdin = given
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(arguments)
    finally:
        sys.stdin = old
    return Answer(code, _text(out), _text(err))


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True
    )


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def files_below(directory: Path) -> dict[str, bytes]:
    """Every file and directory below, hidden ones too; a directory counts as empty bytes."""
    return {
        str(path.relative_to(directory)): path.read_bytes() if path.is_file() else b""
        for path in sorted(directory.rglob("*"))
    }


def hard_ledger() -> str:
    """Thirty ε of eight digits as CSV: few for a bracket, and on no grid; ten seconds to 1e-9."""
    rows = (f"0.{number * 104729 * 7919 % 10**8:08},1e-12,1\n" for number in range(1, 31))
    return "epsilon,delta,count\n" + "".join(rows)

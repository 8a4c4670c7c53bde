r"""``exactdp example``: the ledgers that come with exactdp, as files.

Rules of this file: a file that is there and says anything else stays, unless ``--force`` is given.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from exactdp.cli.options import command
from exactdp.cli.rendering import answer, tables
from exactdp.cli.replacing import require_new
from exactdp.pages.facts import Fact, fact, result_of
from exactdp.templates import named, shipped, title_of

_FOLDER: Final = Path("ledgers")
_FIRST: Final = "google_mobility_2020_user_day"


@command("example")
def example_command(name: str | None) -> int:
    """Write NAME, a ledger that comes with exactdp, to ledgers/NAME.json.

    Without NAME all of them are written and listed. The beginning of a name is enough.
    """
    chosen = [*shipped()] if name is None else [named(name)]
    rows = [_row(each) for each in chosen]
    written: dict[Path, bytes] = {}
    for each in chosen:
        path, data = _place(each), shipped()[each].read_bytes()
        require_new(path, data, "NAME")
        if not path.exists() or path.read_bytes() != data:
            written[path] = data
    following = _command_on(_FIRST if name is None else chosen[0])
    known = [
        fact("ledgers", [result_of(row) for row in rows]),
        fact("written", [str(path) for path in written]),
        fact("next", following),
    ]
    return answer(
        known,
        _sentence(chosen, len(written)),
        f"next: {following}",
        below=tables(rows),
        files=written,
        field="NAME",
    )


def _command_on(name: str) -> str:
    reads = "interactive" if name.startswith("interactive/") else "compose"
    return f"exactdp {reads} {_place(name)}"


def _place(name: str) -> Path:
    return _FOLDER / f"{name}.json"


def _row(name: str) -> list[Fact]:
    place, title = str(_place(name)), title_of(name)
    return [fact("file", place, "file", place), fact("name", title, "", title)]


def _sentence(chosen: list[str], written: int) -> str:
    if len(chosen) == 1:
        verb = "was written to" if written else "was there already as"
        return f"The ledger {chosen[0]} {verb} {_place(chosen[0])}."
    there = len(chosen) - written
    already = f", and {there} were there already" if there else ""
    return f"{written} files were written to {_FOLDER}{already}."

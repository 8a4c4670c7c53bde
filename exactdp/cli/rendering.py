r"""Tables and numbers as a person reads them.

Rules of this file: a printed number is exact, or rounded in the direction that its place states;
tables are as wide as they need to be in a pipe and fold on a terminal, and no line ends in
blanks; colour never carries meaning; text from outside is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from exactdp.cli.colour import coloured
from exactdp.cli.files import write_together
from exactdp.cli.output import is_terminal, print_json, wants_json, write
from exactdp.cli.tables import Cell, Table, lines_of
from exactdp.pages.facts import Fact, FactTable, result_of, table_of

_PROSE: Final = 88
REFUTED: Final = 1
UNDECIDED: Final = 3
"""Exit codes of commands that answered, but for 0."""


class Prose(NamedTuple):
    """What is folded as a page is, in a pipe as well."""

    cell: Cell


Part: TypeAlias = "Cell | Prose"


def show(*parts: Part) -> None:
    """Print text and tables: folded on a terminal; in a pipe unlimited, but for prose."""
    write("".join(map(_text_of, parts)))


def _text_of(part: Part) -> str:
    greatest = None
    if isinstance(part, Prose):
        part, greatest = part.cell, _PROSE
    if greatest is not None or is_terminal():
        from exactdp.cli.folding import folded  # noqa: PLC0415 (pipes do without its library)

        return coloured(folded(part, greatest))
    return "".join(f"{line.rstrip(' ')}\n" for line in lines_of(part))


def answer(
    known: Sequence[Fact],
    *above: Part,
    below: Iterable[Part] = (),
    files: Mapping[Path, bytes] | None = None,
    field: str = "--certificates",
    members: str = "",
    plot: Path | None = None,
    code: int = 0,
) -> int:
    """Write files, then print what is known.

    Args:
        known: the facts, as one object of JSON or as a table.
        *above: what stands above the table.
        below: what stands below it.
        files: what is written first, all of it or nothing.
        field: the option that says where.
        members: the order of the keys in JSON, where it is not that of the facts.
        plot: where a picture of the answer is.
        code: the exit code.

    Returns: the exit code.
    """
    write_together(files or {}, field)
    if wants_json():
        drawn = {} if plot is None else {"plot": str(plot)}
        print_json(result_of(known, members) | drawn)
    else:
        drawn_below = [] if plot is None else ["", f"written: {plot}"]
        show(*above, *tables(known), *below, *drawn_below)
    return code


def tables(*known: FactTable) -> list[Cell]:
    """Tables, each after a blank line; those without rows are left out."""
    found = [Table(*table_of(each)) for each in known]
    return [cell for each in found if each.rows for cell in ("", each)]

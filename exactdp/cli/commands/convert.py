r"""``exactdp convert``: ledgers between the formats of several tools.

Rules of this file: what a format cannot hold is said; what it cannot express is refused.
"""

from __future__ import annotations

from pathlib import Path

from exactdp.cli.composition_options import find_ledger
from exactdp.cli.files import check_file
from exactdp.cli.options import command
from exactdp.cli.output import is_terminal, say, wants_json, write
from exactdp.cli.rendering import answer
from exactdp.errors import InputError
from exactdp.ledger.reading import FORMATS, READERS, loses, write_ledger
from exactdp.pages.facts import fact
from exactdp.pages.phrases import counted
from exactdp.readable import printable


@command("convert")
def convert_command(
    paths: tuple[str, ...],
    *,
    inline: tuple[str, ...],
    from_format: str | None,
    to_format: str | None,
) -> int:
    """Convert a ledger between formats; without FILE, to standard output."""
    source, output = _source_and_output(paths, inline)
    chosen = _format(to_format, output)
    if output is not None:
        check_file(output, "FILE")
    if from_format is not None and from_format not in READERS:
        raise InputError(field="--from", value=from_format, expected=" or ".join(READERS))
    ledger = find_ledger(source, inline, from_format)
    text = write_ledger(ledger, chosen)
    dropped = loses(ledger, chosen)
    if dropped and not wants_json():
        name = chosen.upper() if chosen == "csv" else chosen
        say(f"{name} cannot hold {', '.join(dropped)}; left out")
    if output is None and not wants_json():
        lines = map(printable, text.split("\n"))
        write("\n".join(lines) if is_terminal() else text)
        return 0
    known = [
        fact("format", chosen),
        fact("output", None if output is None else str(output)),
        fact("dropped", list(dropped)),
        fact("mechanisms", ledger.size),
        fact("text", text if output is None else None),
    ]
    subject = f"A ledger of {counted(ledger.size, 'mechanism')}"
    files = {} if output is None else {output: text.encode()}
    sentence = f"{subject} was written to {output} as {chosen}."
    return answer(known, sentence, files=files, field="FILE")


def _source_and_output(
    paths: tuple[str, ...], inline: tuple[str, ...]
) -> tuple[str | None, Path | None]:
    """LEDGER and FILE; with -m there is only a FILE, and ``-`` for it is standard output."""
    source, *rest = (None, *paths) if inline or not paths else paths
    if len(rest) > 1:
        raise InputError(
            field="argument",
            value=rest[1],
            expected="LEDGER and FILE, and nothing more" if not inline else "-m and one FILE",
            code="usage",
        )
    output = rest[0] if rest else None
    return source, None if output in (None, "-") else Path(str(output))


def _format(to_format: str | None, output: Path | None) -> str:
    ending = "" if output is None else output.suffix.lower().lstrip(".")
    chosen = to_format or ending
    if chosen in (FORMATS if to_format else ("json", "csv")):
        return chosen
    if to_format is not None:
        raise InputError(field="--to", value=to_format, expected=" or ".join(FORMATS))
    raise InputError(
        field="FILE",
        value="nothing" if output is None else str(output),
        expected="a name that ends in .json or .csv",
        remedy=f"or name the format with --to: {', '.join(FORMATS)}",
    )

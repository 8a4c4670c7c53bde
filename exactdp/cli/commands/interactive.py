r"""``exactdp interactive``: the privacy loss of interactive mechanisms, and what proves it.

Rules of this file: it renders what the library answered; a certificate leaves this program only
if the verifier accepts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exactdp.cli.options import command
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, tables
from exactdp.errors import CostLimitError, InputError
from exactdp.interaction.answers import MOST_CERTIFIED, Examination, examine
from exactdp.interaction.reading import read_mechanism
from exactdp.pages.accepted import certificate_files, certificates_of
from exactdp.pages.facts.interaction import (
    SHOWN_ENDS,
    end_facts,
    interaction_facts,
    interaction_sentence,
    simulated,
)
from exactdp.pages.number_text import grouped
from exactdp.verifier.format.strict_json import MAX_BYTES


@command("interactive")
def interactive_command(sources: tuple[str, ...], *, delta: str, certificates: Path | None) -> int:
    """The exact privacy loss of interactive mechanisms, used concurrently if they are several.

    Each MECHANISM is a file in the format exactdp-interactive/1, or - for standard input. The
    mechanisms are shown to be randomized response, post-processed.
    """
    if sources.count("-") > 1:
        raise InputError(
            field="-",
            value="standard input, twice",
            expected="one file at most from standard input",
        )
    check_places([], certificates=certificates)
    mechanisms = [read_mechanism(source) for source in sources]
    with working("composing"):
        found = examine(mechanisms, delta=delta)
        simulation = simulated(found)
        files = {} if certificates is None else _files(found, certificates, sources)
    ends = simulation or []
    more = len(ends) - SHOWN_ENDS
    rest = [f"and {grouped(more)} more ends; --json prints them all"] if more > 0 else []
    return answer(
        interaction_facts(found, simulation, [*files]),
        interaction_sentence(found),
        below=[*tables(end_facts(ends)), *rest],
        files=files,
    )


def _files(found: Examination, directory: Path, sources: Sequence[str]) -> dict[Path, bytes]:
    """Where the certificates go, and their verified bytes."""
    if not found.certifiable:
        size = "too many" if found.whole is None else grouped(found.whole.root.size)
        raise InputError(
            field="--certificates",
            value=f"{size} histories",
            expected=f"at most {grouped(MOST_CERTIFIED)} histories, and 64 rounds, to certify",
            remedy="leave out --certificates, or compose fewer mechanisms",
        )
    stem = "-".join("mechanism" if source == "-" else Path(source).stem for source in sources)
    made = certificates_of(found)
    most = max((len(each.to_bytes()) for each in made.values()), default=0)
    if most > MAX_BYTES:
        raise CostLimitError(
            field="--certificates",
            value=f"{grouped(most)} bytes",
            expected=f"a certificate of at most {grouped(MAX_BYTES)} bytes",
            remedy="leave out --certificates, or use probabilities of fewer digits",
        )
    return certificate_files(directory, stem, made)

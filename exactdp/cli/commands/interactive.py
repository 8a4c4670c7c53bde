r"""``exactdp interactive``: the privacy loss of interactive mechanisms, and what proves it.

Rules of this file: it renders what the library answered; a certificate leaves this program only
if the verifier accepts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exactdp.certificate.statement import Certificate
from exactdp.cli.files import write_together
from exactdp.cli.options import command
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, points
from exactdp.cli.tables import Cell
from exactdp.errors import CostLimitError, InputError
from exactdp.interaction.answers import MOST_CERTIFIED, Examination, examine
from exactdp.interaction.reading import read_mechanism
from exactdp.pages.accepted import verified
from exactdp.pages.facts.interaction import (
    SHOWN_ENDS,
    SimulatedEnds,
    end_facts,
    interaction_facts,
    interaction_sentence,
    simulated,
)
from exactdp.pages.number_text import (
    grouped,
)
from exactdp.verifier.format.strict_json import MAX_BYTES


@command("interactive")
def interactive_command(
    sources: tuple[str, ...], *, delta: str, certificates: Path | None, as_json: bool
) -> int:
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
    with working("composing", as_json=as_json):
        found = examine(mechanisms, delta=delta)
        simulation = simulated(found)
        files = {} if certificates is None else _files(found, certificates, sources)
    write_together(files, "--certificates")
    answer(
        "interactive",
        interaction_facts(found, simulation, [*files]),
        interaction_sentence(found),
        as_json=as_json,
        below=[] if simulation is None else _table(simulation),
    )
    return 0


def _table(simulation: SimulatedEnds) -> list[Cell]:
    more = len(simulation) - SHOWN_ENDS
    rest = [f"and {grouped(more)} more ends; --json prints them all"] if more > 0 else []
    return ["", points(end_facts(simulation)), *rest]


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
    made = {"upper": found.upper_certificate(), "lower": found.lower_certificate()}
    return {
        directory / f"{stem}.{bound}.json": _of_limited_size(certificate)
        for bound, certificate in made.items()
        if certificate is not None
    }


def _of_limited_size(certificate: Certificate) -> bytes:
    """The verified bytes, unless probabilities of many digits make them too many."""
    size = len(certificate.to_bytes())
    if size > MAX_BYTES:
        raise CostLimitError(
            field="--certificates",
            value=f"{grouped(size)} bytes",
            expected=f"a certificate of at most {grouped(MAX_BYTES)} bytes",
            remedy="leave out --certificates, or use probabilities of fewer digits",
        )
    return verified(certificate)

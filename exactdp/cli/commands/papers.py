r"""``exactdp papers``: the papers' own algorithms, labelled.

Rules of this file: it says what an algorithm answers, what its paper promises and what is
certified, each under its own name; a certificate leaves only if the verifier accepts it; no
mathematics.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from exactdp.cli.composition_options import (
    find_ledger,
)
from exactdp.cli.exit_codes import REFUTED
from exactdp.cli.files import check_directory, write_together
from exactdp.cli.options import command, stem_of
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, heading
from exactdp.pages.facts import listed
from exactdp.pages.facts.papers import run_algorithm

if TYPE_CHECKING:
    pass


@command("papers")
def papers_command(  # noqa: PLR0913 (one argument for each option)
    algorithm: str,
    source: str | None,
    inline: tuple[str, ...],
    *,
    delta: str | None,
    eta: str | None,
    t: str | None,
    epsilon: str | None,
    tolerance: str,
    certificates: Path | None,
    max_cost: int,
    as_json: bool,
) -> int:
    """Run an algorithm as its paper has it, and certify what is true of its answer.

    mv18 is the journal's, mv16 that of the proceedings, poster the poster's in its two readings.
    Exit code 1 if the algorithm calls an ε enough that is certified not to be.
    """
    ledger = find_ledger(source, inline)
    if certificates is not None:
        check_directory(certificates, "--certificates")
    with working("composing", as_json=as_json):
        report = run_algorithm(
            algorithm,
            ledger,
            delta=delta,
            eta=eta,
            t=t,
            epsilon=epsilon,
            tolerance=tolerance,
            max_cost=max_cost,
        )
    files = {}
    if certificates is not None:
        stem = stem_of(source)
        files = {
            certificates / f"{stem}.{name}.json": data for name, data in report.certificates.items()
        }
    write_together(files, "--certificates")
    answer(
        "papers",
        [*report.facts, *listed("certificates", "certificates", [*files])],
        report.sentence,
        "",
        heading(ledger),
        as_json=as_json,
    )
    return REFUTED if report.refuted else 0

r"""``exactdp papers``: the papers' own algorithms, labelled.

Rules of this file: it says what an algorithm answers, what its paper promises and what is
certified, each under its own name; a certificate leaves only if the verifier accepts it; no
mathematics.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from exactdp.cli.composition_options import find_ledger
from exactdp.cli.options import command, stem_of
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import REFUTED, answer
from exactdp.pages.facts import listed
from exactdp.pages.facts.papers import MEMBERS, run_algorithm
from exactdp.pages.phrases import heading


@command("papers")
def papers_command(
    algorithm: str,
    source: str | None,
    inline: tuple[str, ...],
    *,
    certificates: Path | None,
    **asked: Any,  # noqa: ANN401 (what the library is asked)
) -> int:
    """Run an algorithm as its paper has it, and certify what is true of its answer.

    mv18 is the journal's, mv16 that of the proceedings, poster the poster's in its two readings,
    table their dynamic programming over rationals, which is exact where every ε is a multiple.
    Exit code 1 if the algorithm calls an ε enough that is certified not to be.
    """
    ledger, stem = find_ledger(source, inline), stem_of(source)
    check_places([], certificates=certificates)
    with working("composing"):
        report = run_algorithm(algorithm, ledger, **asked)
    files = {
        certificates / f"{stem}.{name}.json": data
        for name, data in report.certificates.items()
        if certificates is not None
    }
    known = [*report.facts, *listed("certificates", "certificates", [*files])]
    code = REFUTED if report.refuted else 0
    head = report.sentence, "", heading(ledger)
    return answer(known, *head, files=files, members=MEMBERS, code=code)

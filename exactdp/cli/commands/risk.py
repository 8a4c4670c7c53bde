r"""``exactdp risk``: what an attack on membership gains.

Rules of this file: it renders what the library answered and computes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exactdp.attacks.proofs import prove_risk
from exactdp.attacks.risk import power_curve, risk
from exactdp.cli.composition_options import find_ledger
from exactdp.cli.options import command, stem_of
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, tables
from exactdp.composition.answers.point_proofs import PointProofs
from exactdp.pages.accepted import certificate_files
from exactdp.pages.facts import listed
from exactdp.pages.facts.risk import (
    printed_ends,
    risk_certificates,
    risk_facts,
    risk_rows,
    risk_sentence,
)
from exactdp.pages.phrases import heading


@command("risk")
def risk_command(  # noqa: PLR0913 (one argument for each option)
    source: str | None,
    inline: tuple[str, ...],
    *,
    fpr: tuple[str, ...],
    prior: tuple[str, ...],
    tolerance: str | None,
    certificates: Path | None,
    plot: Path | None,
    max_cost: int,
) -> int:
    """What an attack on membership gains at most: true positives, right guesses, advantage.

    The attack knows all of the data but whether one record is in it, and may call either of two
    neighbouring inputs the one with the member. Some data, and some mechanisms with these
    parameters, let it gain what stands at the lower ends.
    """
    ledger = find_ledger(source, inline)
    check_places([source], certificates=certificates, plot=plot)
    files: dict[Path, bytes] = {}
    proofs: Sequence[PointProofs] = ()
    with working("composing"):
        found = risk(
            ledger, fpr=fpr or None, prior=prior or None, tolerance=tolerance, max_cost=max_cost
        )
        if certificates is not None:
            proofs = prove_risk(found, printed_ends(found), max_cost)
            made = risk_certificates(found, proofs)
            files = certificate_files(certificates, stem_of(source), made)
        written = listed("certificates", "written", [*files])
        if plot is not None:
            from exactdp.cli.power_picture import power_picture  # noqa: PLC0415 (few ask)

            curve = power_curve(ledger, tolerance=tolerance, max_cost=max_cost)
            files[plot] = power_picture(curve, heading(ledger), plot.suffix)
    rows = risk_rows(found, proofs)
    return answer(
        [*risk_facts(found, rows), *(each.for_programs for each in written)],
        risk_sentence(found, rows),
        "",
        heading(ledger),
        below=tables(rows, written),
        files=files,
        field="--plot" if certificates is None else "--certificates",
        plot=plot,
    )

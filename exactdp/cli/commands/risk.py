r"""``exactdp risk``: what an attack on membership gains.

Rules of this file: it renders what the library answered and computes nothing.
"""

from __future__ import annotations

from pathlib import Path

from exactdp.attacks.risk import power_curve, risk
from exactdp.cli.composition_options import find_ledger
from exactdp.cli.options import command
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer, tables
from exactdp.pages.facts.risk import risk_facts, risk_rows, risk_sentence
from exactdp.pages.phrases import heading


@command("risk")
def risk_command(
    source: str | None,
    inline: tuple[str, ...],
    *,
    fpr: tuple[str, ...],
    prior: tuple[str, ...],
    tolerance: str | None,
    plot: Path | None,
    max_cost: int,
) -> int:
    """What an attack on membership gains at most: true positives, right guesses, advantage.

    The attack knows all of the data but whether one record is in it, and may call either of two
    neighbouring inputs the one with the member. Some data, and some mechanisms with these
    parameters, let it gain what stands at the lower ends.
    """
    ledger = find_ledger(source, inline)
    check_places([source], plot=plot)
    files: dict[Path, bytes] = {}
    with working("composing"):
        found = risk(
            ledger, fpr=fpr or None, prior=prior or None, tolerance=tolerance, max_cost=max_cost
        )
        if plot is not None:
            from exactdp.cli.power_picture import power_picture  # noqa: PLC0415 (few ask)

            curve = power_curve(ledger, tolerance=tolerance, max_cost=max_cost)
            files = {plot: power_picture(curve, heading(ledger), plot.suffix)}
    rows = risk_rows(found)
    return answer(
        risk_facts(found, rows),
        risk_sentence(found, rows),
        "",
        heading(ledger),
        below=tables(rows),
        files=files,
        field="--plot",
        plot=plot,
    )

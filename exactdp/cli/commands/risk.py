r"""``exactdp risk``: what an attack on membership gains.

Rules of this file: it renders what the library answered and computes nothing.
"""

from __future__ import annotations

from exactdp.attacks.risk import risk
from exactdp.cli.composition_options import find_ledger
from exactdp.cli.options import command
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
    max_cost: int,
) -> int:
    """What an attack on membership gains at most: true positives, right guesses, advantage.

    The attack knows all of the data but whether one record is in it, and may call either of two
    neighbouring inputs the one with the member. Some data, and some mechanisms with these
    parameters, let it gain what stands at the lower ends.
    """
    ledger = find_ledger(source, inline)
    with working("composing"):
        found = risk(
            ledger, fpr=fpr or None, prior=prior or None, tolerance=tolerance, max_cost=max_cost
        )
    rows = risk_rows(found)
    return answer(
        risk_facts(found, rows), risk_sentence(found, rows), "", heading(ledger), below=tables(rows)
    )

r"""``exactdp explain``: what a certificate shows, in plain words."""

from __future__ import annotations

import click

from exactdp.cli.explanations.certificates import explain
from exactdp.cli.options import (
    inline_option,
    json_option,
    max_cost_option,
)
from exactdp.cli.verification import question_of
from exactdp.verifier import DEFAULT_MAX_COST as VERIFIER_MAX_COST


@click.command("explain")
@click.argument("file", metavar="CERT")
@click.option("--ledger", metavar="LEDGER", help="Check that the statement is about this ledger.")
@inline_option("Check that it is about these mechanisms; may be repeated.")
@max_cost_option(VERIFIER_MAX_COST, "Refuse a certificate that costs more")
@json_option
def explain_command(
    file: str,
    *,
    ledger: str | None,
    inline: tuple[str, ...],
    max_cost: int,
    as_json: bool,
) -> int:
    """Say in plain words what a certificate claims, from what, and how it was checked."""
    question = question_of(
        files=[file], ledger=ledger, inline=inline, claim=None, max_cost=max_cost
    )
    return explain(file, question, as_json=as_json)

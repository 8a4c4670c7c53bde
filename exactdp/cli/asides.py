r"""Options that say what a file does not: columns of remarks, and what Tumult's budgets are.

Rules of this file: what a reader of a table did not read is said on standard error and in JSON,
whatever the command (:func:`exactdp.cli.output.print_json`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import click

from exactdp.asides import asides, saying
from exactdp.cli.output import hear
from exactdp.cli.replacing import Command


def _remarks(ctx: click.Context, _option: click.Parameter, names: tuple[str, ...]) -> None:
    ctx.with_resource(saying(replace(asides(), remarks=names, tell=hear)))


def _budgets(ctx: click.Context, _option: click.Parameter, budgets: str | None) -> None:
    ctx.with_resource(saying(replace(asides(), budgets=budgets)))


_OPTIONS: Final = (
    click.option(
        "--remark",
        multiple=True,
        metavar="NAME",
        expose_value=False,
        callback=_remarks,
        help="A column of the table that is no parameter, though it has numbers; may be repeated.",
    ),
    click.option(
        "--spent",
        "budgets",
        flag_value="spent",
        expose_value=False,
        callback=_budgets,
        help="Tumult's budgets are what queries cost.",
    ),
    click.option(
        "--remaining",
        "budgets",
        flag_value="remaining",
        expose_value=False,
        callback=_budgets,
        help="Tumult's budgets are what was left: first all of it, then after each query.",
    ),
)


def aside_options(command: Command) -> Command:
    """Let a command that reads ledgers be told what these do not say."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command

r"""Options that say what a file does not: columns of remarks, and what Tumult's budgets are.

Rules of this file: what a reader of a table did not read is said on standard error and in JSON,
whatever the command (:func:`exactdp.cli.output.print_json`).
"""

from __future__ import annotations

from dataclasses import replace

import click

from exactdp.asides import asides, saying
from exactdp.cli.output import hear


def keep_remarks(ctx: click.Context, _option: click.Parameter, names: tuple[str, ...]) -> None:
    """Let what is read know which columns are remarks."""
    ctx.with_resource(saying(replace(asides(), remarks=names, tell=hear)))


def keep_budgets(ctx: click.Context, _option: click.Parameter, budgets: str | None) -> None:
    """Let what is read know what Tumult's budgets are."""
    ctx.with_resource(saying(replace(asides(), budgets=budgets)))

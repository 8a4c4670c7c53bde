r"""Options that several commands share, and how a ledger is found from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from exactdp.composition.answers import DEFAULT_TOLERANCE
from exactdp.composition.engines import METHODS
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import InputError
from exactdp.ledger.formats.inline import ledger_of_inline
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger

_Command = TypeVar("_Command", bound=Callable[..., Any])


def ledger_options(command: _Command) -> _Command:
    """LEDGER, or mechanisms on the command line."""
    command = click.option(
        "-m",
        "--mechanism",
        "inline",
        multiple=True,
        metavar="EPS[,DELTA][*COUNT]",
        help="A mechanism, instead of LEDGER; may be repeated.",
    )(command)
    return click.argument("source", metavar="LEDGER", required=False)(command)


def engine_options(command: _Command) -> _Command:
    """How to compose: method and limits."""
    command = click.option(
        "--method", metavar="|".join(METHODS), help="Force an engine (default: the cheapest)."
    )(command)
    return click.option(
        "--max-cost",
        type=click.IntRange(min=1),
        default=DEFAULT_MAX_COST,
        show_default="2e11",
        help="Refuse work predicted to cost more (about nanoseconds).",
    )(command)


def tolerance_option(meaning: str) -> Callable[[_Command], _Command]:
    """The width of the printed interval."""
    return click.option(
        "--tolerance", default=DEFAULT_TOLERANCE, show_default=True, metavar="T", help=meaning
    )


def json_option(command: _Command) -> _Command:
    """One JSON object instead of text."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON object.")(command)


def find_ledger(source: str | None, inline: tuple[str, ...]) -> Ledger:
    """The ledger that LEDGER or the options -m state.

    Raises:
        InputError: neither or both are given, or they cannot be read.
    """
    if source is not None and inline:
        raise InputError(
            field="LEDGER",
            value=source,
            expected="either LEDGER or -m, not both",
            remedy="write the mechanisms of -m into the ledger",
        )
    if inline:
        return ledger_of_inline(inline)
    if source is None:
        raise InputError(
            field="LEDGER",
            value="nothing",
            expected="a file, - for standard input, or mechanisms with -m",
            remedy="for example: exactdp compose -m '0.1,1e-9*50' --delta 1e-6",
        )
    return read_ledger(source)


def stem_of(source: str | None) -> str:
    """What files made from this ledger are called."""
    if source in (None, "-"):
        return "ledger"
    return Path(str(source)).stem

r"""Options that several commands share, and how a ledger is found from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from exactdp.arithmetic.numbers import as_rational
from exactdp.composition.answers import DEFAULT_TOLERANCE
from exactdp.composition.engines.engine import METHODS
from exactdp.composition.engines.planner import DEFAULT_MAX_COST
from exactdp.errors import DomainError, InputError
from exactdp.ledger.formats.inline import ledger_of_inline, parse_inline
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger

_Command = TypeVar("_Command", bound=Callable[..., Any])

_GREATEST_COST: Final = 10**30
_CERTIFICATE_KEYS: Final = ("cost", "derivation", "digest", "statement")


def ledger_options(command: _Command) -> _Command:
    """LEDGER, or mechanisms on the command line."""
    command = inline_option("A mechanism, instead of LEDGER; may be repeated.")(command)
    return click.argument("source", metavar="LEDGER", required=False)(command)


def inline_option(meaning: str) -> Callable[[_Command], _Command]:
    """Mechanisms on the command line."""
    return click.option(
        "-m",
        "--mechanism",
        "inline",
        multiple=True,
        metavar="EPS[,DELTA][*COUNT]",
        help=meaning,
    )


def engine_options(command: _Command) -> _Command:
    """How to compose: method and limits."""
    command = click.option(
        "--method", metavar="|".join(METHODS), help="Force an engine (default: the cheapest)."
    )(command)
    return max_cost_option(DEFAULT_MAX_COST, "Refuse work predicted to cost more")(command)


def max_cost_option(default: int, meaning: str) -> Callable[[_Command], _Command]:
    """A limit of work."""
    return click.option(
        "--max-cost",
        metavar="N",
        default=f"{default:.0e}".replace("e+", "e"),
        show_default=True,
        callback=_cost,
        help=f"{meaning} (about nanoseconds).",
    )


def _cost(_context: click.Context, _option: click.Parameter, text: str) -> int:
    cost = as_rational(text, "--max-cost")
    if cost.denominator != 1 or not 1 <= cost <= _GREATEST_COST:
        raise DomainError(
            field="--max-cost", value=text, expected="a whole number from 1 to 1e30, such as 1e12"
        )
    return int(cost)


def path_of(_context: click.Context, option: click.Parameter, text: str | None) -> Path | None:
    """The path that an option names.

    Raises:
        InputError: it names none.
    """
    if text in ("", "-"):
        raise InputError(
            field=option.opts[-1],
            value=text or "nothing",
            expected="the name of a file or directory",
            remedy="" if not text else "standard output is for the answer",
        )
    return None if text is None else Path(text)


def anytime_options(command: _Command) -> _Command:
    """How long to refine, and whether to say how the answer was found."""
    command = click.option(
        "--time-limit",
        type=click.IntRange(min=1),
        metavar="SECONDS",
        help="Give the best certain interval that fits into so much time.",
    )(command)
    return click.option(
        "--explain", is_flag=True, help="Show the choice of method, predicted and actual cost."
    )(command)


def tolerance_option(meaning: str) -> Callable[[_Command], _Command]:
    """The width of the printed interval."""
    return click.option(
        "--tolerance", default=DEFAULT_TOLERANCE, show_default=True, metavar="T", help=meaning
    )


def certificates_option(meaning: str) -> Callable[[_Command], _Command]:
    """Where certificates go."""
    return click.option("--certificates", callback=path_of, metavar="DIR", help=meaning)


def delta_option(command: _Command) -> _Command:
    """The global δ."""
    return click.option(
        "--delta", metavar="D", help="The global δ (default: the ledger's target_delta)."
    )(command)


def json_option(command: _Command) -> _Command:
    """One JSON object instead of text."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON object.")(command)


def find_ledger(
    source: str | None, inline: tuple[str, ...], from_format: str | None = None
) -> Ledger:
    """The ledger that LEDGER, in the format named or in one it shows, or the options -m state.

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
    try:
        return read_ledger(source, from_format)
    except InputError as error:
        raise _with_cure(error, source) from None


def _with_cure(error: InputError, source: str) -> InputError:
    """The error, with what the user probably meant."""
    if error.code == "unknown-key" and error.field in _CERTIFICATE_KEYS:
        expected, cure = "a ledger", "this is a certificate: see exactdp verify and exactdp explain"
    elif error.code == "unreadable" and "exists" in error.expected and _is_mechanism(source):
        expected, cure = error.expected, f"a mechanism is given with -m: -m '{source}'"
    else:
        return error
    return InputError(
        field=error.field,
        value=error.value,
        path=error.path,
        expected=expected,
        remedy=cure,
        code=error.code,
    )


def _is_mechanism(text: str) -> bool:
    try:
        parse_inline(text)
    except InputError:
        return False
    return True


def stem_of(source: str | None) -> str:
    """What files made from this ledger are called."""
    if source in (None, "-"):
        return "ledger"
    return Path(str(source)).stem

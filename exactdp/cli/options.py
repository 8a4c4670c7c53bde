r"""Options that commands of every kind share.

Rules of this file: nothing of the engine is imported before a value asks for it, as ``verify`` does
without it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from exactdp.cli.replacing import Command, force_option
from exactdp.errors import DomainError, InputError

Decorator = Callable[[Command], Command]

_GREATEST_COST: Final = 10**30


class _Cost(click.ParamType):  # type: ignore[type-arg]  # generic in new versions alone
    """A limit of work, with a default."""

    name = "N"

    def __init__(self, default: int) -> None:
        self.default = default
        self.default_text = f"{default:.0e}".replace("e+", "e")

    def convert(
        self, value: object, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> int:
        """The whole number that is meant, such as 1e12.

        Raises:
            DomainError: it is none, or out of range.
        """
        if value == self.default_text:
            return self.default
        from exactdp.arithmetic.numbers import as_rational  # noqa: PLC0415 (rule of this file)

        cost = as_rational(value, "--max-cost")
        if cost.denominator != 1 or not 1 <= cost <= _GREATEST_COST:
            raise DomainError(
                field="--max-cost",
                value=str(value),
                expected="a whole number from 1 to 1e30, such as 1e12",
            )
        return int(cost)


class _Place(click.ParamType):  # type: ignore[type-arg]  # as above
    """A file or directory to write to."""

    name = "PATH"

    def convert(
        self, value: object, param: click.Parameter | None, _ctx: click.Context | None
    ) -> Path:
        """The path that is meant.

        Raises:
            InputError: it is none.
        """
        if value in ("", "-"):
            raise InputError(
                field=param.opts[-1] if param is not None else "",
                value=str(value) or "nothing",
                expected="the name of a file or directory",
                remedy="standard output is for the answer" if value else "",
            )
        return Path(str(value))


PLACE: Final = _Place()


OTHER_NOTIONS: Final = (
    "Under other privacy definitions: rho=RHO[*COUNT], mu=MU[*COUNT]. By noise, with the keys of "
    "docs/ledgers.md: laplace=SCALE or sigma=SIGMA (with sensitivity=, 1 by default), "
    "discrete_gaussian=VARIANCE (with shifts=1+1, 1 by default), bounded_range=EPS and others; on "
    "a Poisson sample with rate=, such as sigma=1.1,rate=256/60000*14063, where clip= may stand "
    "for sensitivity= and shifts=."
)


def inline_option(meaning: str) -> Callable[[Command], Command]:
    """Mechanisms on the command line."""
    return click.option(
        "-m",
        "--mechanism",
        "inline",
        multiple=True,
        metavar="EPS[,DELTA][*COUNT]",
        help=f"{meaning} {OTHER_NOTIONS}",
    )


def max_cost_option(default: int, meaning: str) -> Callable[[Command], Command]:
    """A limit of work."""
    kind = _Cost(default)
    return click.option(
        "--max-cost",
        type=kind,
        metavar="N",
        default=kind.default_text,
        show_default=True,
        help=f"{meaning} (about nanoseconds).",
    )


def output_option(meaning: str, default: str | None = None) -> Callable[[Command], Command]:
    """Where the answer is written, beside what is printed."""
    option = click.option(
        "-o",
        "--output",
        type=PLACE,
        default=default,
        show_default=default is not None,
        metavar="FILE" if default is None else "DIR",
        help=meaning,
    )
    return lambda command: force_option(option(command))


def required_output_option(meaning: str) -> Callable[[Command], Command]:
    """As :func:`output_option`, where there is no answer without it."""
    option = click.option("-o", "--output", type=PLACE, required=True, metavar="FILE", help=meaning)
    return lambda command: force_option(option(command))


def certificates_option(meaning: str, default: str | None = None) -> Callable[[Command], Command]:
    """Where certificates go."""
    option = click.option(
        "--certificates",
        type=PLACE,
        default=default,
        show_default=default is not None,
        metavar="DIR",
        help=meaning,
    )
    return lambda command: force_option(option(command))


def report_option(command: Command) -> Command:
    """Where a report goes."""
    option = click.option(
        "--report",
        type=PLACE,
        metavar="FILE",
        help="Write a report here: a page of HTML that verifies itself.",
    )
    return force_option(option(command))


def json_option(command: Command) -> Command:
    """One JSON object instead of text."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON object.")(command)


def stem_of(source: str | None) -> str:
    """What files are called that are made from this ledger or workload."""
    return "ledger" if source in (None, "-") else Path(str(source)).stem


def plot_option(meaning: str) -> Callable[[Command], Command]:
    """A picture of the answer."""
    option = click.option(
        "--plot", type=PLACE, metavar="FILE", help=f"{meaning}: FILE.png or .svg."
    )
    return lambda command: force_option(option(command))

r"""Options that name accountants, and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

import click

from exactdp.crosscheck.accountants import Accountant, chosen
from exactdp.crosscheck.process import Limits
from exactdp.errors import InputError

_Command = TypeVar("_Command", bound=Callable[..., Any])

_GIB: Final = 2**30


def accountant_options(*, timeout: float) -> Callable[[_Command], _Command]:
    """Which accountants, where they are, and what they may use."""
    options: list[Callable[[_Command], _Command]] = [
        click.option(
            "--accountant",
            "names",
            multiple=True,
            metavar="NAME",
            help="PACKAGE or PACKAGE/SETTING, or the NAME of a --program.",
        ),
        click.option(
            "--python",
            "pythons",
            multiple=True,
            metavar="PACKAGE=PATH",
            help="The interpreter that has this package; may be repeated.",
        ),
        click.option(
            "--program",
            "programs",
            multiple=True,
            metavar="NAME=COMMAND",
            help="An accountant of your own that speaks the protocol; may be repeated.",
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(min=0.1),
            default=timeout,
            show_default=True,
            metavar="SECONDS",
            help="Give up an answer after so long.",
        ),
        click.option(
            "--memory",
            type=click.FloatRange(min=0.01),
            default=8.0,
            show_default=True,
            metavar="GIB",
            help="Address space that an accountant may use.",
        ),
    ]

    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def accountants_of(
    names: Iterable[str], pythons: Iterable[str], programs: Iterable[str]
) -> tuple[Accountant, ...]:
    """The accountants that the options name.

    Raises:
        InputError: an unknown name, or an option that is no pair.
    """
    return chosen(
        tuple(names),
        pythons=_pairs(pythons, "--python", "PACKAGE=PATH"),
        programs=_pairs(programs, "--program", "NAME=COMMAND"),
    )


def limits_of(timeout: float, memory: float) -> Limits:
    """What an accountant may use."""
    return Limits(timeout, int(memory * _GIB))


def _pairs(texts: Iterable[str], option: str, expected: str) -> Mapping[str, str]:
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise InputError(field=option, value=text, expected=expected)
        pairs[name] = value
    return pairs

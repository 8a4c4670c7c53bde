r"""Options that name accountants; what they mean is said in :mod:`exactdp.cli.accountants`.

Rules of this file: it imports no accountants, as not everyone who may name them does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

from exactdp.errors import InputError

_Command = TypeVar("_Command", bound=Callable[..., Any])


def accountant_options(*, timeout: float) -> Callable[[_Command], _Command]:
    """Which accountants, where they are, and what they may use."""
    names = click.option(
        "--accountant",
        "names",
        multiple=True,
        metavar="NAME",
        help="PACKAGE or PACKAGE/SETTING, or the NAME of a --program.",
    )
    places = accountant_places(timeout=timeout)
    return lambda command: names(places(command))


def accountant_places(*, timeout: float) -> Callable[[_Command], _Command]:
    """Where accountants are, and what they may use."""
    options: list[Callable[[_Command], _Command]] = [
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


def pythons_of(texts: Iterable[str]) -> Mapping[str, str]:
    """What ``--python`` says: for each package, the interpreter that has it."""
    return _pairs(texts, "--python", "PACKAGE=PATH")


def programs_of(texts: Iterable[str]) -> Mapping[str, str]:
    """What ``--program`` says: for each name, a command line."""
    return _pairs(texts, "--program", "NAME=COMMAND")


def _pairs(texts: Iterable[str], option: str, expected: str) -> Mapping[str, str]:
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise InputError(field=option, value=text, expected=expected)
        pairs[name] = value
    return pairs

r"""Mistakes on the command line, as errors that read like all others.

Rules of this file: name what was typed, what would have been right, and the nearest thing that
exists.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Final

import click

from exactdp.cli.commands import COMMANDS, GROUPS
from exactdp.errors import InputError, shorten

_REFUSED: Final = re.compile(r"'?(.*?)'? is not ", re.DOTALL)
_ELSEWHERE: Final = {
    "--from": "a file of another tool becomes a ledger first: exactdp convert --from FORMAT FILE "
    "ledger.json",
    "--group": "compose, profile, certify, bounds and audit answer for groups",
    **dict.fromkeys(
        ("--sample-rate", "--sampling-rate", "--sampling-probability"),
        "dpsgd calls it --rate, other commands write -m sigma=1.1,rate=0.01*1000",
    ),
    "--target-epsilon": "exactdp budget -m 'sigma=1,rate=0.01*1000' --epsilon E --delta D "
    "--noise-of '#1' finds the least noise; --epsilon of dpsgd is a claim",
    "--claim": "a claim is --epsilon E --delta D here",
    "--sigma": "dpsgd calls it --noise-multiplier, other commands write -m sigma=1.1",
    "--drop-last": "--loader shuffled is drop_last=True, --loader shuffled-keep-last is "
    "drop_last=False",
}
"""What to do instead of an option that other commands have."""
_NEEDED: Final = {
    "exactdp dpsgd --delta": "for example --delta 1e-5",
    "exactdp filter spend --mechanism": "for example -m 0.1 or -m rho=1/100",
    "exactdp certify --delta": "where a claim names no δ, exactdp profile --epsilon says which δ "
    "holds with it",
    "exactdp filter import --from": "csv is a table, such as a spreadsheet's",
    "exactdp report --report": "for example --report page.html",
}
"""How to go on without an option that a command needs."""
_FILES: Final = {
    "exactdp dpsgd": "a training in a file is composed by exactdp compose FILE, and a claim about "
    "it judged by exactdp certify FILE",
}
"""What reads a file that a command does not take."""
_EXTRA: Final = re.compile(r"Got unexpected extra arguments? \((.*)\)", re.DOTALL)


class Commands(click.Group):
    """A group whose commands are imported when they are called, the nearest name suggested."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names, in the order of their table."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"exactdp.cli.commands.{cmd_name}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names.

        Raises:
            InputError: there is no such command.
        """
        if args and args[0] not in COMMANDS:
            raise InputError(
                field="command",
                value=args[0],
                expected=_listed(list(COMMANDS)),
                remedy=nearest(args[0], list(COMMANDS)) or "see exactdp --help",
                code="usage",
            )
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            _refuse_repeated(click.Context(command, ctx, name), rest)
        return name, command, rest

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What each command is for, in groups; none is imported for that."""
        longest = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(longest), text) for name, text in commands.items()])


def usage_error(error: click.UsageError, arguments: Sequence[str]) -> InputError:
    """What was wrong with the command line ``arguments``."""
    context = error.ctx
    command = _command(context, arguments)
    remedy = f"see {command} --help"
    field, value, expected = "command line", "", error.format_message().rstrip(".")
    if isinstance(error, click.NoSuchOption):
        field, value = "option", error.option_name
        expected = f"an option of {command}"
        remedy = (
            _misplaced(value, context)
            or _ELSEWHERE.get(value)
            or nearest(value, _options(context))
            or remedy
        )
    elif isinstance(error, click.MissingParameter) and error.param is not None:
        field, value = _name(error.param), "nothing"
        expected = f"a value, which {command} needs"
        remedy = _NEEDED.get(f"{command} {field}", remedy)
    elif isinstance(error, click.BadOptionUsage):
        field, value = error.option_name, "nothing"
        if "does not take" in expected:
            value, expected = "a value", "no value after it"
        else:
            expected = "a value after it"
    elif isinstance(error, click.BadParameter) and error.param is not None:
        field, expected = _name(error.param), _expected(error)
        found = _REFUSED.match(error.message)
        value = found[1] if found else "this value"
    elif extra := _EXTRA.match(expected):
        field, value = "argument", extra[1]
        expected = f"no more arguments ({shorten(_usage(context))})"
        remedy = _FILES.get(command, remedy)
    return InputError(
        field=shorten(field),
        value=value or "not understood",
        expected=expected if value else shorten(expected),
        remedy=remedy,
        code="usage",
    )


def _refuse_repeated(context: click.Context, arguments: list[str]) -> None:
    """Refuse an option that takes one value and stands there twice: one would be dropped.

    Raises:
        InputError: there is one.
    """
    try:
        _, _, order = context.command.make_parser(context).parse_args(list(arguments))
    except click.UsageError:
        return  # said when the command is called
    for option in order:
        is_single = isinstance(option, click.Option) and not (option.multiple or option.is_flag)
        if is_single and order.count(option) > 1:
            raise InputError(
                field=_name(option),
                value=f"given {order.count(option)} times",
                expected="one value",
                remedy=f"see {context.command_path} --help",
                code="usage",
            )


def _command(context: click.Context | None, arguments: Sequence[str]) -> str:
    """The command meant, as its user calls it; not every error of click knows it."""
    known = context.command_path if context else "exactdp"
    if arguments and arguments[0] in COMMANDS:
        called = f"exactdp {arguments[0]}"
        return known if known.startswith(f"{called} ") else called
    return known


def _expected(error: click.BadParameter) -> str:
    """What would have been right, for a choice or a whole number; else click's own words."""
    kind = error.param.type if error.param is not None else None
    if isinstance(kind, click.Choice):
        return _listed(list(kind.choices))
    if not isinstance(kind, click.IntRange):
        return shorten(error.message)
    if kind.max is None:
        return f"a whole number at least {kind.min}, in plain digits"
    return f"a whole number from {kind.min} to {kind.max}, in plain digits"


def _name(parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Option):
        return parameter.opts[-1]
    return parameter.metavar or str(parameter.name)


def _options(context: click.Context | None) -> list[str]:
    if context is None:
        return []
    options = [name for each in context.command.params for name in each.opts]
    return [name for name in options if name.startswith("--")]


def _misplaced(option: str, context: click.Context | None) -> str:
    """A cure for an option of a command that stands before the command."""
    if context is None or not isinstance(context.command, click.Group):
        return ""
    for name in context.command.list_commands(context):
        command = context.command.get_command(context, name)
        if command and any(option in parameter.opts for parameter in command.params):
            return f"it stands after the command, as in exactdp {name} … {option}"
    return ""


def _usage(context: click.Context | None) -> str:
    if context is None:
        return ""
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def nearest(word: str, known: list[str]) -> str:
    """A question after the nearest of the words that are known, if one is near."""
    close = get_close_matches(word.casefold(), known, n=1, cutoff=0.65)
    return f"did you mean {close[0]}?" if close else ""


def _listed(names: list[str]) -> str:
    return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)

r"""Write the page of the manual, ``exactdp.1``, from the commands themselves.

python tools/man_page.py [-o FILE]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

import exactdp
from exactdp.cli.application import exactdp_command
from exactdp.cli.commands import COMMANDS

_NAME: Final = "exactdp.1"
_HEAD: Final = """\
.TH EXACTDP 1 "" "exactdp {version}" "User Commands"
.SH NAME
exactdp \\- optimal composition of differential privacy: exact, certain, certified
.SH SYNOPSIS
.B exactdp
.I COMMAND
[OPTIONS] [ARGUMENTS]
.SH COMMANDS
"""
_FOOT: Final = """\
.SH EXIT STATUS
0 done, 1 refuted or rejected, 2 bad input, 3 undecided within limits, 70 internal error, 130
interrupted. With several files the worst counts.
.SH ENVIRONMENT
.TP
.B NO_COLOR
If set, verdicts are not coloured.
"""


def page() -> str:
    """The text of the page."""
    context = click.Context(
        exactdp_command, info_name="exactdp", **exactdp_command.context_settings
    )
    lines = [_HEAD.format(version=exactdp.__version__)]
    for name in COMMANDS:
        command = exactdp_command.get_command(context, name)
        assert command is not None
        lines += _command(command, click.Context(command, context, name))
    return "".join([*lines, _FOOT])


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f".SS {_escaped(usage)}\n"
    yield f"{_escaped(' '.join((command.help or '').split()))}\n"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield f".TP\n.B {_escaped(record[0])}\n{_escaped(' '.join(record[1].split()))}\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _command(below, click.Context(below, context, name))


def _escaped(text: str) -> str:
    """Text that the formatter takes as text: no line begins with a request."""
    shown = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{shown}" if shown.startswith((".", "'")) else shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page; return the exit code."""
    parser = argparse.ArgumentParser(description="Write the page of the manual.")
    parser.add_argument("-o", "--output", type=Path, default=Path(_NAME))
    parser.parse_args(arguments).output.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

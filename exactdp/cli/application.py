r"""The command ``exactdp``: its subcommands, and how one of them is run."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import Final

import click

import exactdp
from exactdp.cli.output import write
from exactdp.cli.usage import Commands, usage_error

_PAGES: Final = frozenset({"-h", "--help", "--version"})
_MORE: Final = (
    "exactdp help COMMAND says what a command takes, exactdp help mechanisms how a mechanism is "
    "written after -m. Exit codes: 0 done, 1 refuted or rejected, 2 bad input, 3 undecided within "
    "limits, 70 internal error, 130 interrupted."
)


def invoke(arguments: list[str]) -> int:
    """Run the command that ``arguments`` name.

    Returns: the exit code.

    Raises:
        ExactDPError: the command cannot answer.
        BrokenPipeError: the reader of standard output has gone.
    """
    if arguments[:1] == ["help"]:
        from exactdp.cli.topics import MECHANISMS, mechanisms_page, page_of  # noqa: PLC0415 (few ask)

        if arguments[1:] == [MECHANISMS]:
            write(mechanisms_page())
            return 0
        arguments = page_of(arguments[1:])
    if _PAGES.isdisjoint(arguments):
        return _invoke(arguments)
    page = io.StringIO()  # click prints help by itself; this way it fails as all answers do
    with contextlib.redirect_stdout(page):
        code = _invoke(arguments)
    write(page.getvalue())
    return code


def _invoke(arguments: list[str]) -> int:
    try:
        return int(exactdp_command.main(arguments, "exactdp", standalone_mode=False) or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stderr.write(f"{error.format_message()}\n")
        return error.exit_code
    except click.UsageError as error:
        raise usage_error(error, arguments) from None
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except SystemExit as error:
        if error.code == 0:  # click's answer to a shell that asks how a word goes on
            return 0
        raise BrokenPipeError from None  # click's answer to a reader that has gone


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=_MORE,
)
@click.version_option(exactdp.__version__, prog_name="exactdp", message="%(prog)s %(version)s")
def exactdp_command() -> None:
    """Optimal composition of differential privacy: exact, certain, certified."""

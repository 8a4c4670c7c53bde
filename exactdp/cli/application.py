r"""The command ``exactdp``: its subcommands, and how one of them is run."""

from __future__ import annotations

import contextlib
import io
import sys

import click

import exactdp
from exactdp.cli.commands.audit import audit_command
from exactdp.cli.commands.bounds import bounds_command
from exactdp.cli.commands.budget import budget_command
from exactdp.cli.commands.certify import certify_command
from exactdp.cli.commands.compose import (
    compose_command,
)
from exactdp.cli.commands.convert import convert_command
from exactdp.cli.commands.crosscheck import crosscheck_command
from exactdp.cli.commands.explain import explain_command
from exactdp.cli.commands.hunt import hunt_command
from exactdp.cli.commands.interactive import interactive_command
from exactdp.cli.commands.parallel import parallel_command
from exactdp.cli.commands.partition import partition_command
from exactdp.cli.commands.profile import profile_command
from exactdp.cli.commands.verify import verify_command
from exactdp.cli.output import write
from exactdp.cli.usage import Commands, usage_error

_PAGES = frozenset({"-h", "--help", "--version"})
_EXITS = (
    "Exit codes: 0 done, 1 refuted or rejected, 2 bad input, 3 undecided within limits, "
    "70 internal error, 130 interrupted."
)


def invoke(arguments: list[str]) -> int:
    """Run the command that ``arguments`` name.

    Returns: the exit code.

    Raises:
        ExactDPError: the command cannot answer.
        BrokenPipeError: the reader of standard output has gone.
    """
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
    except SystemExit:  # click's answer to a reader that has gone
        raise BrokenPipeError from None


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=_EXITS,
)
@click.version_option(exactdp.__version__, prog_name="exactdp", message="%(prog)s %(version)s")
def exactdp_command() -> None:
    """Optimal composition of differential privacy: exact, certain, certified."""


exactdp_command.add_command(compose_command)
exactdp_command.add_command(profile_command)
exactdp_command.add_command(certify_command)
exactdp_command.add_command(audit_command)
exactdp_command.add_command(bounds_command)
exactdp_command.add_command(budget_command)
exactdp_command.add_command(parallel_command)
exactdp_command.add_command(partition_command)
exactdp_command.add_command(interactive_command)
exactdp_command.add_command(crosscheck_command)
exactdp_command.add_command(hunt_command)
exactdp_command.add_command(verify_command)
exactdp_command.add_command(explain_command)
exactdp_command.add_command(convert_command)

r"""The commands: arguments in, one answer out.

Rules of this file: a command reads its input, asks the library one question, and renders the
answer; whatever it writes has been verified first, and is written last.
"""

from __future__ import annotations

import contextlib
import io
import sys
import time
from pathlib import Path

import click

import exactdp
from exactdp.arithmetic.numbers import as_rational
from exactdp.audit.claims import judge
from exactdp.cli.auditing import audit_command
from exactdp.cli.bounds import bounds_command
from exactdp.cli.budget import budget_command
from exactdp.cli.certifying import certify_command
from exactdp.cli.composing import (
    certificate_files,
    composition_json,
    profile_json,
    profile_rows,
    show_composition,
    show_profile,
)
from exactdp.cli.converting import convert_command
from exactdp.cli.crosschecking import crosscheck_command
from exactdp.cli.files import check_directory, write_together
from exactdp.cli.grouping import compose_for_group, refuse_together
from exactdp.cli.hunting import hunt_command
from exactdp.cli.interactive import interactive_command
from exactdp.cli.interleaving import (
    interleaving_of,
    one_theorem,
    profile_theorem,
    scope_options,
    scoped,
)
from exactdp.cli.options import (
    anytime_options,
    certificates_option,
    delta_option,
    engine_options,
    find_ledger,
    inline_option,
    json_option,
    ledger_options,
    max_cost_option,
    stem_of,
    tolerance_option,
)
from exactdp.cli.output import print_json, write
from exactdp.cli.papers import (
    PAPER_METHODS,
    check_paper_options,
    compose_by_paper,
    deliver,
    paper_options,
)
from exactdp.cli.parallel import parallel_command
from exactdp.cli.partition import partition_command
from exactdp.cli.progress import working
from exactdp.cli.usage import Commands, usage_error
from exactdp.cli.verifying import question_of, verify_files
from exactdp.conversion import groups
from exactdp.conversion.answers import compose, profile
from exactdp.verifier import DEFAULT_MAX_COST as VERIFIER_MAX_COST

_REFUTED = 1
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


@exactdp_command.command("compose", short_help="The least ε for a δ.")
@ledger_options
@delta_option
@tolerance_option("The greatest width of the interval, in nats.")
@certificates_option("Write NAME.upper.json and NAME.lower.json here.")
@scope_options
@engine_options
@anytime_options
@paper_options
@json_option
def compose_command(  # noqa: PLR0913 (one argument for each option)
    source: str | None,
    inline: tuple[str, ...],
    *,
    delta: str | None,
    tolerance: str,
    certificates: Path | None,
    interaction: str | None,
    theorem: str | None,
    group: int,
    method: str | None,
    max_cost: int,
    eta: str | None,
    t: str | None,
    epsilon: str | None,
    time_limit: int | None,
    explain: bool,
    as_json: bool,
) -> int:
    """The least ε for a δ, as an interval that provably contains it."""
    ledger = scoped(find_ledger(source, inline), interaction, theorem)
    if certificates is not None:
        check_directory(certificates, "--certificates")
    if group > 1:
        refuse_together(
            "--group",
            str(group),
            method=method,
            eta=eta,
            t=t,
            epsilon=epsilon,
            time_limit=time_limit,
            explain=explain,
        )
        return compose_for_group(
            ledger,
            group,
            delta=delta,
            tolerance=tolerance,
            theorem=one_theorem(ledger, theorem),
            certificates=certificates,
            stem=stem_of(source),
            max_cost=max_cost,
            as_json=as_json,
        )
    check_paper_options(method, eta=eta, t=t, epsilon=epsilon)
    if method in PAPER_METHODS:
        refuse_together("--method", method, theorem=theorem)
        with working("composing", as_json=as_json):
            report = compose_by_paper(
                ledger,
                delta=delta,
                method=method,
                eta=eta,
                t=t,
                epsilon=epsilon,
                tolerance=tolerance,
                max_cost=max_cost,
            )
        return deliver(
            ledger, report, certificates=certificates, stem=stem_of(source), as_json=as_json
        )
    with working("composing", as_json=as_json):
        begin = time.perf_counter_ns()
        answer = compose(
            ledger,
            delta=delta,
            tolerance=tolerance,
            method=method,
            max_cost=max_cost,
            time_limit=time_limit,
        )
        nanoseconds = time.perf_counter_ns() - begin
        judgements = [judge(ledger, claim, max_cost=max_cost) for claim in ledger.claims]
        said = interleaving_of(ledger, theorem, answer.delta, answer.method)
        stem = stem_of(source)
        files = {} if certificates is None else certificate_files(answer, certificates, stem, said)
    write_together(files, "--certificates")
    written = [str(path) for path in files]
    spent = nanoseconds if explain else None
    if as_json:
        print_json("compose", composition_json(answer, judgements, written, spent, said))
    else:
        show_composition(answer, judgements, written, spent, said)
    return 0


@exactdp_command.command("profile", short_help="The privacy profile: δ for each ε.")
@ledger_options
@click.option("--epsilon", multiple=True, required=True, metavar="E", help="ε; may be repeated.")
@tolerance_option("The greatest width of each interval, relative to its lower end.")
@scope_options
@engine_options
@json_option
def profile_command(  # noqa: PLR0913 (one argument for each option)
    source: str | None,
    inline: tuple[str, ...],
    *,
    epsilon: tuple[str, ...],
    tolerance: str,
    interaction: str | None,
    theorem: str | None,
    group: int,
    method: str | None,
    max_cost: int,
    as_json: bool,
) -> int:
    """The privacy profile: δ for each ε, as intervals that provably contain it."""
    ledger = scoped(find_ledger(source, inline), interaction, theorem)
    with working("composing", as_json=as_json):
        if group > 1:
            refuse_together("--group", str(group), method=method)
            points = groups.profile(
                ledger, group, epsilon=epsilon, tolerance=tolerance, max_cost=max_cost
            )
        else:
            points = profile(
                ledger, epsilon=epsilon, tolerance=tolerance, method=method, max_cost=max_cost
            )
        named = profile_theorem(ledger, theorem, points)
    rows = profile_rows(points, as_rational(tolerance, "tolerance"))
    if as_json:
        print_json("profile", profile_json(ledger, rows, group, named))
    else:
        show_profile(ledger, rows, group, named)
    return 0


exactdp_command.add_command(certify_command)
exactdp_command.add_command(audit_command)
exactdp_command.add_command(bounds_command)
exactdp_command.add_command(budget_command)
exactdp_command.add_command(parallel_command)
exactdp_command.add_command(partition_command)
exactdp_command.add_command(interactive_command)
exactdp_command.add_command(crosscheck_command)
exactdp_command.add_command(hunt_command)


@exactdp_command.command("verify", short_help="Check certificates with the standalone verifier.")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--ledger", metavar="LEDGER", help="Check that the statement is about this ledger.")
@inline_option("Check that it is about these mechanisms; may be repeated.")
@click.option("--claim", metavar="EPS,DELTA", help="Check that it settles this claim.")
@max_cost_option(VERIFIER_MAX_COST, "Refuse certificates that cost more")
@json_option
def verify_command(
    files: tuple[str, ...],
    *,
    ledger: str | None,
    inline: tuple[str, ...],
    claim: str | None,
    max_cost: int,
    as_json: bool,
) -> int:
    """Check certificates with the standalone verifier; one verdict line for each FILE."""
    question = question_of(
        files=files, ledger=ledger, inline=inline, claim=claim, max_cost=max_cost
    )
    return verify_files(files, question, as_json=as_json)


@exactdp_command.command("explain", short_help="Say in plain words what a certificate shows.")
@click.argument("file", metavar="CERT")
@click.option("--ledger", metavar="LEDGER", help="Check that the statement is about this ledger.")
@inline_option("Check that it is about these mechanisms; may be repeated.")
@max_cost_option(VERIFIER_MAX_COST, "Refuse a certificate that costs more")
@json_option
def explain_command(
    file: str,
    *,
    ledger: str | None,
    inline: tuple[str, ...],
    max_cost: int,
    as_json: bool,
) -> int:
    """Say in plain words what a certificate claims, from what, and how it was checked."""
    from exactdp.cli.explaining import explain  # noqa: PLC0415 (only this command needs it)

    question = question_of(
        files=[file], ledger=ledger, inline=inline, claim=None, max_cost=max_cost
    )
    return explain(file, question, as_json=as_json)


exactdp_command.add_command(convert_command)

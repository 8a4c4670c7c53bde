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
from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.arithmetic.numbers import as_number, as_rational
from exactdp.audit.claims import judge
from exactdp.certificate.statement import THEOREMS
from exactdp.cli.bounds import bounds_command
from exactdp.cli.budget import budget_command
from exactdp.cli.composing import (
    certificate_files,
    composition_json,
    profile_json,
    profile_rows,
    show_composition,
    show_profile,
    verified,
)
from exactdp.cli.converting import convert_command
from exactdp.cli.crosschecking import crosscheck_command
from exactdp.cli.files import check_directory, check_file, keep_ledger, write_together
from exactdp.cli.hunting import hunt_command
from exactdp.cli.interactive import interactive_command
from exactdp.cli.options import (
    anytime_options,
    engine_options,
    find_ledger,
    inline_option,
    json_option,
    ledger_options,
    max_cost_option,
    path_of,
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
from exactdp.cli.rendering import exact_text, facts, heading, rational_text, show
from exactdp.cli.usage import Commands, usage_error
from exactdp.cli.verifying import question_of, verify_files
from exactdp.composition.answers import Certified
from exactdp.conversion.answers import certify, compose, profile
from exactdp.ledger.model import Ledger, Mechanism
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
@click.option("--delta", metavar="D", help="The global δ (default: the ledger's target_delta).")
@tolerance_option("The greatest width of the interval, in nats.")
@click.option(
    "--certificates",
    callback=path_of,
    metavar="DIR",
    help="Write NAME.upper.json and NAME.lower.json here.",
)
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
    ledger = find_ledger(source, inline)
    if certificates is not None:
        check_directory(certificates, "--certificates")
    check_paper_options(method, eta=eta, t=t, epsilon=epsilon)
    if method in PAPER_METHODS:
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
        files = certificate_files(answer, certificates, stem_of(source)) if certificates else {}
    write_together(files, "--certificates")
    written = [str(path) for path in files]
    spent = nanoseconds if explain else None
    if as_json:
        print_json("compose", composition_json(answer, judgements, written, spent))
    else:
        show_composition(answer, judgements, written, spent)
    return 0


@exactdp_command.command("profile", short_help="The privacy profile: δ for each ε.")
@ledger_options
@click.option("--epsilon", multiple=True, required=True, metavar="E", help="ε; may be repeated.")
@tolerance_option("The greatest width of each interval, relative to its lower end.")
@engine_options
@json_option
def profile_command(
    source: str | None,
    inline: tuple[str, ...],
    *,
    epsilon: tuple[str, ...],
    tolerance: str,
    method: str | None,
    max_cost: int,
    as_json: bool,
) -> int:
    """The privacy profile: δ for each ε, as intervals that provably contain it."""
    ledger = find_ledger(source, inline)
    with working("composing", as_json=as_json):
        points = profile(
            ledger, epsilon=epsilon, tolerance=tolerance, method=method, max_cost=max_cost
        )
    rows = profile_rows(points, as_rational(tolerance, "tolerance"))
    if as_json:
        print_json("profile", profile_json(ledger, rows))
    else:
        show_profile(ledger, rows)
    return 0


@exactdp_command.command("certify", short_help="Prove or refute a claim (ε, δ).")
@ledger_options
@click.option("--epsilon", required=True, metavar="E", help="The claimed ε.")
@click.option("--delta", required=True, metavar="D", help="The claimed δ.")
@click.option(
    "-o",
    "--output",
    callback=path_of,
    metavar="FILE",
    help="Write the certificate here.",
)
@engine_options
@json_option
def certify_command(  # noqa: PLR0913 (one argument for each option)
    source: str | None,
    inline: tuple[str, ...],
    *,
    epsilon: str,
    delta: str,
    output: Path | None,
    method: str | None,
    max_cost: int,
    as_json: bool,
) -> int:
    """Prove or refute a claim (ε, δ); exit code 0 if proved, 1 if refuted."""
    ledger = find_ledger(source, inline)
    if output is not None:
        check_file(output, "--output")
        keep_ledger(source, output, "--output")
    with working("deciding", as_json=as_json):
        decided = certify(ledger, epsilon=epsilon, delta=delta, method=method, max_cost=max_cost)
        data = verified(decided.certificate)
    if output is not None:
        write_together({output: data}, "--output")
    written = None if output is None else str(output)
    if as_json:
        print_json("certify", _certified_json(decided, epsilon, delta, written))
    else:
        _show_certified(ledger, decided, (epsilon, delta), written)
    return 0 if decided.holds else _REFUTED


def _certified_json(
    decided: Certified, epsilon: str, delta: str, written: str | None
) -> dict[str, object]:
    return {
        "verdict": "proved" if decided.holds else "refuted",
        "equality": decided.equality,
        "epsilon": shortest_text(as_number(epsilon, "epsilon")),
        "delta": short_text(as_rational(delta, "delta")),
        "rule": decided.certificate.rule,
        "certificate": written,
    }


def _show_certified(
    ledger: Ledger, decided: Certified, claim: tuple[str, str], written: str | None
) -> None:
    epsilon = exact_text(as_number(claim[0], "epsilon"))
    delta = rational_text(as_rational(claim[1], "delta"))
    if decided.holds:
        verdict = "every composition of mechanisms with these parameters is (ε, δ)-DP"
        verdict += "; no smaller ε is enough" if decided.equality else ""
    else:
        verdict = "some composition of mechanisms with these parameters is not (ε, δ)-DP"
    rows = [
        ("claim", f"ε = {epsilon} at δ = {delta}"),
        ("proved" if decided.holds else "refuted", verdict),
    ]
    if any(not isinstance(each, Mechanism) for each in ledger.mechanisms):
        rule = decided.certificate.rule
        rows.append(("by", f"{rule} ({THEOREMS[rule]})"))
    if written is not None:
        rows.append(("certificate", written))
    show(heading(ledger), "", facts(rows))


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

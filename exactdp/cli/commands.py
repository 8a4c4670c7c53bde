r"""The commands: arguments in, one answer out.

Rules of this file: a command reads its input, asks the library one question, and renders the
answer; whatever it writes has been verified first.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

import exactdp
from exactdp.arithmetic.decimal_text import (
    decimal_text,
    places_within,
    scientific_above,
    scientific_below,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber, as_rational
from exactdp.audit.claims import Judgement, judge
from exactdp.certificate.statement import Certificate
from exactdp.cli.files import write_together
from exactdp.cli.options import (
    engine_options,
    find_ledger,
    json_option,
    ledger_options,
    stem_of,
    tolerance_option,
)
from exactdp.cli.output import print_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import columns, console, exact_text, facts, heading
from exactdp.composition.answers import Composition, certify, compose, profile
from exactdp.errors import InputError, InternalError
from exactdp.ledger.reading import FORMATS, csv_loses, read_ledger, write_ledger
from exactdp.verifier import verify_bytes
from exactdp.verifier.__main__ import main as verifier_main

_REFUTED = 1


def invoke(arguments: list[str]) -> int:
    """Run the command that ``arguments`` name.

    Returns: the exit code.

    Raises:
        ExactDPError: the command cannot answer.
    """
    try:
        return int(exactdp_command.main(arguments, "exactdp", standalone_mode=False) or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stderr.write(f"{error.format_message()}\n")
        return error.exit_code
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "exactdp"
        raise InputError(
            field="command line",
            value=" ".join(arguments),
            expected=f"a command that parses ({error.format_message().rstrip('.')})",
            remedy=f"see {command} --help",
            code="usage",
        ) from None
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 refuted or rejected, 2 bad input, 3 undecided within limits.",
)
@click.version_option(exactdp.__version__, prog_name="exactdp")
def exactdp_command() -> None:
    """Optimal composition of differential privacy: exact, certain, certified."""


@exactdp_command.command("compose")
@ledger_options
@click.option("--delta", metavar="D", help="The global δ (default: the ledger's target_delta).")
@tolerance_option("The greatest width of the interval, in nats.")
@click.option(
    "--certificates",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write NAME.upper.json and NAME.lower.json here.",
)
@engine_options
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
    as_json: bool,
) -> int:
    """The least ε for a δ, as an interval that provably contains it."""
    ledger = find_ledger(source, inline)
    with working("composing", as_json=as_json):
        answer = compose(ledger, delta=delta, tolerance=tolerance, method=method, max_cost=max_cost)
        written = _write_certificates(answer, certificates, stem_of(source))
        judgements = [judge(ledger, claim, max_cost=max_cost) for claim in ledger.claims]
    if as_json:
        print_json("compose", _composition_json(answer, judgements, written))
    else:
        _print_composition(answer, judgements, written)
    return 0


def _write_certificates(answer: Composition, directory: Path | None, stem: str) -> list[str]:
    if directory is None:
        return []
    made = {"upper": answer.upper_certificate(), "lower": answer.lower_certificate()}
    _make_directory(directory)
    contents = {
        directory / f"{stem}.{bound}.json": _verified(certificate)
        for bound, certificate in made.items()
        if certificate is not None
    }
    write_together(contents)
    return [str(path) for path in contents]


def _make_directory(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            field="--certificates",
            value=str(directory),
            expected=f"a directory that can be made ({error.strerror})",
        ) from None


def _verified(certificate: Certificate) -> bytes:
    """The bytes of a certificate that the verifier accepts.

    Raises:
        InternalError: it does not, which is a bug of ours.
    """
    data = certificate.to_bytes()
    verdict = verify_bytes(data, max_cost=max(certificate.cost, 1))
    if verdict.status != "accepted":
        raise InternalError(
            field="certificate",
            value=verdict.line,
            expected="a certificate that the verifier accepts",
            remedy="nothing was written; this is a bug in exactdp, please report it",
        )
    return data


def _composition_json(
    answer: Composition, judgements: list[Judgement], written: list[str]
) -> dict[str, object]:
    ends = {
        "lower": "inf" if answer.lower is None else decimal_text(answer.lower),
        "upper": "inf" if answer.upper is None else decimal_text(answer.upper),
    }
    result: dict[str, object] = {
        "epsilon": ends,
        "exact": None if answer.exact is None else shortest_text(answer.exact),
        "delta": short_text(answer.delta),
        "feasible": answer.feasible,
        "mechanisms": answer.ledger.size,
        "method": answer.method,
        "basic_epsilon": shortest_text(answer.basic_epsilon),
        "least_feasible_delta": answer.least_feasible_delta,
        "least_feasible_delta_ends": _least_feasible_ends(answer),
        "claims": [
            {"claim": judgement.claimed, "outcome": judgement.outcome, "reason": judgement.reason}
            for judgement in judgements
        ],
    }
    if written:
        result["certificates"] = written
    return result


def _least_feasible_ends(answer: Composition) -> dict[str, str]:
    lower, upper = answer.least_feasible_delta_ends
    return {"lower": scientific_below(lower, 20), "upper": scientific_above(upper, 20)}


def _print_composition(
    answer: Composition, judgements: list[Judgement], written: list[str]
) -> None:
    out = console()
    out.print(heading(answer.ledger), markup=False)
    rows: list[tuple[str, str]] = [("at δ", short_text(answer.delta))]
    if answer.upper is None or answer.lower is None:
        ends = _least_feasible_ends(answer)
        rows += [
            ("optimal composition", "infeasible: no finite ε is enough"),
            ("least feasible δ", answer.least_feasible_delta),
            ("  at least", ends["lower"]),
            ("  at most", ends["upper"]),
        ]
    else:
        if answer.exact is not None:
            rows.append(("optimal composition", f"ε = {exact_text(answer.exact)}"))
        if answer.lower != answer.upper:
            rows += [
                (
                    "" if answer.exact else "optimal composition",
                    f"ε ≥ {decimal_text(answer.lower)}",
                ),
                ("", f"ε ≤ {decimal_text(answer.upper)}"),
            ]
        rows.append(("basic composition", f"ε = {exact_text(answer.basic_epsilon)}"))
    rows += [("claim" if not i else "", str(each)) for i, each in enumerate(judgements)]
    rows += [("certificate", path) for path in written]
    out.print(facts(rows))


@exactdp_command.command("profile")
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
    """The privacy profile: δ for each ε."""
    ledger = find_ledger(source, inline)
    with working("composing", as_json=as_json):
        points = profile(
            ledger, epsilon=epsilon, tolerance=tolerance, method=method, max_cost=max_cost
        )
    digits = places_within(as_rational(tolerance, "tolerance")) + 2
    rows = [
        (
            shortest_text(point.epsilon),
            scientific_below(point.lower, digits),
            scientific_above(point.upper, digits),
        )
        for point in points
    ]
    if as_json:
        entries = [
            {"epsilon": epsilon_text, "delta": {"lower": lower, "upper": upper}}
            for epsilon_text, lower, upper in rows
        ]
        print_json("profile", {"profile": entries, "mechanisms": ledger.size})
    else:
        out = console()
        out.print(heading(ledger), markup=False)
        out.print(columns(["ε", "δ at least", "δ at most"], rows))
    return 0


@exactdp_command.command("certify")
@ledger_options
@click.option("--epsilon", required=True, metavar="E", help="The claimed ε.")
@click.option("--delta", required=True, metavar="D", help="The claimed δ.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
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
    with working("deciding", as_json=as_json):
        decided = certify(ledger, epsilon=epsilon, delta=delta, method=method, max_cost=max_cost)
        data = _verified(decided.certificate)
    if output is not None:
        write_together({output: data})
    verdict = "proved" if decided.holds else "refuted"
    if as_json:
        print_json(
            "certify",
            {
                "verdict": verdict,
                "equality": decided.equality,
                "epsilon": shortest_text(ExactNumber.parse(epsilon, "epsilon")),
                "delta": short_text(as_rational(delta, "delta")),
                "rule": decided.certificate.rule,
                "certificate": None if output is None else str(output),
            },
        )
    else:
        out = console()
        rows = [
            ("claim", f"ε = {epsilon} at δ = {delta}"),
            (verdict, _certify_words(holds=decided.holds, equality=decided.equality)),
        ]
        if output is not None:
            rows.append(("certificate", str(output)))
        out.print(heading(ledger), markup=False)
        out.print(facts(rows))
    return 0 if decided.holds else _REFUTED


def _certify_words(*, holds: bool, equality: bool) -> str:
    if not holds:
        return "some composition of mechanisms with these parameters is not (ε, δ)-DP"
    least = "; no smaller ε is enough" if equality else ""
    return f"every composition of mechanisms with these parameters is (ε, δ)-DP{least}"


@exactdp_command.command("verify")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--ledger", metavar="LEDGER", help="Check that the statement is about this ledger.")
@click.option("--claim", metavar="EPS,DELTA", help="Check that it settles this claim.")
@click.option("--max-cost", metavar="N", help="Refuse certificates that cost more.")
@json_option
def verify_command(
    files: tuple[str, ...],
    *,
    ledger: str | None,
    claim: str | None,
    max_cost: str | None,
    as_json: bool,
) -> int:
    """Check certificates with the standalone verifier."""
    arguments = ["--json"] if as_json else []
    for option, value in (("--ledger", ledger), ("--claim", claim), ("--max-cost", max_cost)):
        if value is not None:
            arguments.append(f"{option}={value}")
    return verifier_main([*arguments, "--", *files])


@exactdp_command.command("convert")
@click.argument("source", metavar="LEDGER")
@click.argument("output", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
@click.option(
    "--to", "to_format", type=click.Choice(FORMATS), help="The format (default: by FILE's ending)."
)
@json_option
def convert_command(
    source: str, output: Path | None, *, to_format: str | None, as_json: bool
) -> int:
    """Convert a ledger between JSON and CSV; without FILE, to standard output."""
    ledger = read_ledger(source)
    chosen = to_format or _format_of(output)
    text = write_ledger(ledger, chosen)
    dropped = csv_loses(ledger) if chosen == "csv" else ()
    if dropped:
        sys.stderr.write(f"exactdp: CSV cannot hold {', '.join(dropped)}; left out\n")
    if output is not None:
        write_together({output: text.encode()})
    if as_json:
        print_json(
            "convert",
            {
                "format": chosen,
                "output": None if output is None else str(output),
                "dropped": list(dropped),
                "mechanisms": ledger.size,
                "text": text if output is None else None,
            },
        )
    elif output is None:
        sys.stdout.write(text)
    return 0


def _format_of(output: Path | None) -> str:
    ending = "" if output is None else output.suffix.lower().lstrip(".")
    if ending not in FORMATS:
        raise InputError(
            field="FILE",
            value="nothing" if output is None else str(output),
            expected="a name that ends in .json or .csv",
            remedy="or name the format with --to json or --to csv",
        )
    return ending


@exactdp_command.command("explain")
@click.argument("file", metavar="CERT")
@json_option
def explain_command(file: str, *, as_json: bool) -> int:
    """Say in plain words what a certificate claims, from what, and how it was checked."""
    from exactdp.cli.explaining import explain  # noqa: PLC0415 (only this command needs it)

    return explain(file, as_json=as_json)

r"""``exactdp budget``: what a budget (ε, δ) allows.

Rules of this file: it renders what the library answered; the scale to use is the lower end, rounded
down; a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource
from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    decimal_text,
    floor_to,
    places_within,
    short_text,
    shortest_text,
)
from exactdp.budget.budget import (
    DEFAULT_TOLERANCE,
    CountAnswer,
    ScaleAnswer,
    largest_count,
    largest_scale,
)
from exactdp.cli.certificates import verified
from exactdp.cli.composition_options import (
    engine_options,
    find_ledger,
    ledger_options,
    tolerance_option,
)
from exactdp.cli.files import check_directory, write_together
from exactdp.cli.options import certificates_option, json_option, stem_of
from exactdp.cli.output import print_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import (
    Rows,
    abridged,
    exact_text,
    facts,
    grouped,
    heading,
    rational_text,
    show,
)
from exactdp.errors import InputError
from exactdp.ledger.reading import write_ledger

ScaleOrCount = ScaleAnswer | CountAnswer


@click.command("budget")
@ledger_options
@click.option("--epsilon", required=True, metavar="E", help="ε of the budget.")
@click.option("--delta", metavar="D", help="δ of the budget (default: the ledger's target_delta).")
@click.option(
    "--hold", multiple=True, metavar="LABEL", help="Leave these as they are; may be repeated."
)
@click.option("--count-of", metavar="LABEL", help="Ask how many more of these fit instead.")
@tolerance_option(
    "The greatest width of the interval for the scale; relative to it below 1.", DEFAULT_TOLERANCE
)
@certificates_option("Write NAME.upper.json, NAME.lower.json and the ledger NAME.fits.json here.")
@engine_options
@json_option
def budget_command(  # noqa: PLR0913 (one argument for each option)
    source: str | None,
    inline: tuple[str, ...],
    *,
    epsilon: str,
    delta: str | None,
    hold: tuple[str, ...],
    count_of: str | None,
    tolerance: str,
    certificates: Path | None,
    method: str | None,
    max_cost: int,
    as_json: bool,
) -> int:
    """The largest factor for every ε_i with which the ledger keeps the budget (E, D).

    With --count-of: how many more of one mechanism fit.
    """
    if count_of is not None:
        _check_count_only()
    ledger = find_ledger(source, inline)
    if certificates is not None:
        check_directory(certificates, "--certificates", stem_of(source))
    answer: ScaleOrCount
    with working("searching", as_json=as_json):
        if count_of is None:
            answer = largest_scale(
                ledger,
                epsilon=epsilon,
                delta=delta,
                hold=hold,
                tolerance=tolerance,
                method=method,
                max_cost=max_cost,
            )
        else:
            answer = largest_count(
                ledger,
                label=count_of,
                epsilon=epsilon,
                delta=delta,
                method=method,
                max_cost=max_cost,
            )
        files = {} if certificates is None else _files(answer, certificates, stem_of(source))
    write_together(files, "--certificates")
    written = [str(path) for path in files]
    if as_json:
        print_json("budget", _json(answer, written))
    else:
        _show(answer, written)
    return 0


def _check_count_only() -> None:
    """Refuse the options that speak of a scale beside --count-of."""
    reasons = {
        "hold": "a count leaves every ε_i as it is",
        "tolerance": "a count is a whole number",
    }
    context = click.get_current_context()
    for name, reason in reasons.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise InputError(
                field=f"--{name}",
                value="given",
                expected=f"no --{name} beside --count-of",
                remedy=reason,
                code="usage",
            )


def _files(answer: ScaleOrCount, directory: Path, stem: str) -> dict[Path, bytes]:
    """Where the certificates and the ledger that fits go; only those that exist."""
    made = {"upper": answer.upper_certificate(), "lower": answer.lower_certificate()}
    files = {
        directory / f"{stem}.{bound}.json": verified(certificate)
        for bound, certificate in made.items()
        if certificate is not None
    }
    if answer.fitting is not None:
        files[directory / f"{stem}.fits.json"] = write_ledger(answer.fitting).encode()
    return files


def _json(answer: ScaleOrCount, written: Sequence[str]) -> dict[str, object]:
    """The result of ``budget --json``."""
    result: dict[str, object] = {
        "epsilon": shortest_text(answer.epsilon),
        "delta": short_text(answer.delta),
        "mechanisms": answer.ledger.size,
        "outcome": answer.outcome,
        "reason": answer.reason,
    }
    if isinstance(answer, ScaleAnswer):
        ends = _ends(answer)
        result["scale"] = None if ends is None else dict(zip(("lower", "upper"), ends, strict=True))
        result["exact"] = None if answer.exact is None else short_text(answer.exact)
        result["held"] = list(answer.held)
    else:
        result["count"] = None if answer.fits is None else {"fits": answer.fits}
        result["count_of"] = answer.label
    if written:
        result["certificates"] = list(written)
    return result


def _ends(answer: ScaleAnswer) -> tuple[str, str] | None:
    """Decimals of which the first fits and the second does not; None unless found."""
    if answer.lower is None or answer.upper is None:
        return None
    places = places_within(answer.upper - answer.lower)
    lower = answer.lower if answer.exact is None else floor_to(answer.lower, places)
    return decimal_text(lower), decimal_text(answer.upper)


def _show(answer: ScaleOrCount, written: Sequence[str]) -> None:
    """The table of ``budget``."""
    budget = f"ε = {exact_text(answer.epsilon)} at δ = {rational_text(answer.delta)}"
    rows: Rows = [("budget", budget)]
    rows += _scale_rows(answer) if isinstance(answer, ScaleAnswer) else _count_rows(answer)
    rows += [("written" if not i else "", path) for i, path in enumerate(written)]
    show(heading(answer.ledger), "", facts(rows))


def _scale_rows(answer: ScaleAnswer) -> Rows:
    rows: Rows = [("held" if not i else "", label) for i, label in enumerate(answer.held)]
    ends = _ends(answer)
    if ends is None:
        return [*rows, ("largest scale", f"{answer.outcome}: {answer.reason}")]
    texts = [f"c ≥ {ends[0]}, which fits: use this one", f"c < {ends[1]}, which does not"]
    if answer.exact is not None:
        exact = mpq(answer.exact)
        texts = [f"c = {abridged(short_text(exact))} exactly", *texts]
    return [*rows, *(("largest scale" if not i else "", text) for i, text in enumerate(texts))]


def _count_rows(answer: CountAnswer) -> Rows:
    rows: Rows = [("mechanism", answer.label)]
    if answer.fits is None:
        return [*rows, ("more that fit", f"{answer.outcome}: {answer.reason}")]
    total = grouped(answer.ledger.size + answer.fits)
    rows.append(("more that fit", f"{grouped(answer.fits)} ({total} mechanisms in all)"))
    end = f"{grouped(answer.fits + 1)} more do not fit"
    return [*rows, ("", answer.reason if answer.outcome == "capped" else end)]

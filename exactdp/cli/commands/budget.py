r"""``exactdp budget``: what a budget (ε, δ) allows.

Rules of this file: it renders what the library answered; the scale to use is the lower end, rounded
down; a certificate leaves this program only if the verifier accepts it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

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
from exactdp.budgets.answers import BudgetAnswer, CountAnswer, DialAnswer, ScaleAnswer
from exactdp.budgets.api import budget
from exactdp.cli.composition_options import (
    find_ledger,
)
from exactdp.cli.files import check_directory, write_together
from exactdp.cli.options import command, stem_of
from exactdp.cli.output import print_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import facts, heading, show
from exactdp.errors import InputError
from exactdp.ledger.reading import write_ledger
from exactdp.pages.accepted import verified
from exactdp.pages.number_text import Rows, abridged, grouped
from exactdp.pages.phrases import budget_text, budget_unkept, count_kept, dial_kept, scale_kept


@command("budget")
def budget_command(  # noqa: PLR0913 (one argument for each option)
    source: str | None,
    inline: tuple[str, ...],
    *,
    epsilon: str | None,
    deltas: tuple[str, ...],
    hold: tuple[str, ...],
    count_of: str | None,
    noise_of: str | None,
    rate_of: str | None,
    allocate: str | None,
    fix: tuple[str, ...],
    without: tuple[str, ...],
    confidence: str | None,
    tolerance: str | None,
    certificates: Path | None,
    method: str | None,
    max_cost: int,
    as_json: bool,
) -> int:
    """The largest factor for every mechanism with which the ledger keeps the budget (E, D).

    The factor is that of every ε_i and μ; of a ρ it is the square, and noise is divided by it.

    With --count-of: how many more of one mechanism fit. LABEL may be #N, the N-th mechanism.

    A table and a list of Rényi divergences have no factor: they stay as they are. A ledger of
    nothing else is asked how often more it may be run.

    With --allocate: how much of the budget each statistic of a file gets, and how accurate it is.
    """
    _check_question(allocate=allocate, count_of=count_of, noise_of=noise_of, rate_of=rate_of)
    if allocate is not None:
        from exactdp.cli.allocating import (  # noqa: PLC0415 (the other questions need none of it)
            AllocationRequest,
            run_allocation,
        )

        return run_allocation(
            AllocationRequest(
                source=allocate,
                epsilon=epsilon,
                deltas=deltas,
                fix=fix,
                without=without,
                confidence=confidence,
                tolerance=tolerance,
                max_cost=max_cost,
                certificates=certificates,
                as_json=as_json,
            )
        )
    epsilon, delta = _budget(epsilon, deltas)
    ledger = find_ledger(source, inline)
    if certificates is not None:
        check_directory(certificates, "--certificates", stem_of(source))
    with working("searching", as_json=as_json):
        answer = budget(
            ledger,
            epsilon=epsilon,
            delta=delta,
            hold=hold,
            count_of=count_of,
            noise_of=noise_of,
            rate_of=rate_of,
            tolerance=tolerance,
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


_WITHOUT: Final[Mapping[str, Mapping[str, str]]] = {
    "allocate": {
        "source": "the statistics are in the file after --allocate",
        "inline": "the statistics are in the file after --allocate",
        "hold": "a statistic keeps its ε with --fix NAME=E",
        "method": "each split has the engine that fits it",
    },
    "count_of": {
        "hold": "a count leaves every mechanism as it is",
        "tolerance": "a count is a whole number",
    },
    "noise_of": {"hold": "the others stay as they are"},
    "rate_of": {"hold": "the others stay as they are"},
}


_GREATEST: Final = ("epsilon", "rho", "range", "rate")
_SHOWN: Final = {"source": "LEDGER", "inline": "-m"}


def _is_given(name: str) -> bool:
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def _refuse_words_of_statistics() -> None:
    """Refuse options that speak of statistics where there are none."""
    for name in ("fix", "without", "confidence"):
        if _is_given(name):
            raise InputError(
                field=f"--{name}",
                value="given",
                expected=f"--allocate FILE beside --{name}",
                code="usage",
            )


def _budget(epsilon: str | None, deltas: tuple[str, ...]) -> tuple[str, str | None]:
    """The one ε and the one δ of a budget for a ledger."""
    if epsilon is None:
        raise _bad_budget("--epsilon", "nothing", "a value, which exactdp budget needs")
    if len(deltas) > 1:
        raise _bad_budget("--delta", f"given {len(deltas)} times", "one value")
    return epsilon, deltas[0] if deltas else None


def _bad_budget(option: str, value: str, expected: str) -> InputError:
    return InputError(
        field=option,
        value=value,
        expected=expected,
        remedy="see exactdp budget --help",
        code="usage",
    )


def _check_question(**labels: str | None) -> None:
    """Refuse two questions at once, and one beside an option that it has no use for."""
    given = [name for name, label in labels.items() if label is not None]
    if "allocate" not in given:
        _refuse_words_of_statistics()
    if not given:
        return
    option = f"--{given[0].replace('_', '-')}"
    if len(given) > 1:
        raise InputError(
            field=option,
            value=labels[given[0]],
            expected=f"one of {option} and --{given[1].replace('_', '-')}",
            code="usage",
        )
    for name, reason in _WITHOUT[given[0]].items():
        if _is_given(name):
            shown = _SHOWN.get(name, f"--{name}")
            raise InputError(
                field=shown,
                value="given",
                expected=f"no {shown} beside {option}",
                remedy=reason,
                code="usage",
            )


def _files(answer: BudgetAnswer, directory: Path, stem: str) -> dict[Path, bytes]:
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


def _json(answer: BudgetAnswer, written: Sequence[str]) -> dict[str, object]:
    """The result of ``budget --json``."""
    result: dict[str, object] = {
        "epsilon": shortest_text(answer.epsilon),
        "delta": short_text(answer.delta),
        "mechanisms": answer.ledger.size,
        "outcome": answer.outcome,
        "reason": answer.reason,
        "evidence": answer.evidence,
    }
    if isinstance(answer, ScaleAnswer):
        ends = _ends(answer)
        result["scale"] = None if ends is None else dict(zip(("lower", "upper"), ends, strict=True))
        result["exact"] = None if answer.exact is None else short_text(answer.exact)
        result["held"] = list(answer.held)
    elif isinstance(answer, CountAnswer):
        fits = answer.fits
        exceeds = {} if answer.exceeds is None else {"exceeds": answer.exceeds}
        result["count"] = None if fits is None else {"fits": fits, **exceeds}
        result["count_of"] = answer.label
    elif isinstance(answer, DialAnswer):
        result["turned"] = {
            "what": answer.turned,
            "number": answer.name,
            "of": answer.label,
            "fits": None if answer.fits is None else short_text(answer.fits),
            "exceeds": None if answer.exceeds is None else short_text(answer.exceeds),
        }
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


def _show(answer: BudgetAnswer, written: Sequence[str]) -> None:
    """The table of ``budget``."""
    budget = budget_text(answer.epsilon, answer.delta)
    rows: Rows = [("budget", budget)]
    if isinstance(answer, ScaleAnswer):
        rows += _scale_rows(answer)
    elif isinstance(answer, CountAnswer):
        rows += _count_rows(answer)
    elif isinstance(answer, DialAnswer):
        rows += _dial_rows(answer)
    if answer.evidence == "computed":
        rows.append(("evidence", "computed: no certificate shows it"))
    rows += [("written" if not i else "", path) for i, path in enumerate(written)]
    show(_sentence(answer, budget), "", heading(answer.ledger), "", facts(rows))


def _sentence(answer: BudgetAnswer, budget: str) -> str:
    """What fits into the budget, or that nothing is the most that does."""
    if isinstance(answer, CountAnswer) and answer.fits is not None:
        return count_kept(answer.label, answer.fits, budget)
    if isinstance(answer, DialAnswer) and answer.fits is not None:
        setting = f"{answer.name} = {short_text(answer.fits)}"
        return dial_kept(answer.label, setting, budget)
    ends = _ends(answer) if isinstance(answer, ScaleAnswer) else None
    if ends is not None:
        return scale_kept(answer.ledger.size, budget, ends)
    what = "largest scale" if isinstance(answer, ScaleAnswer) else "number"
    return budget_unkept(what, budget, f"{answer.outcome}, as {answer.reason}")


def _scale_rows(answer: ScaleAnswer) -> Rows:
    rows: Rows = [("held" if not i else "", label) for i, label in enumerate(answer.held)]
    ends = _ends(answer)
    if ends is None:
        return [*rows, ("largest scale", f"{answer.outcome}: {answer.reason}")]
    texts = [f"c ≥ {ends[0]}, which fits: use this one", f"c < {ends[1]}, which does not"]
    if answer.reason:
        texts.append(answer.reason)
    if answer.exact is not None:
        exact = mpq(answer.exact)
        texts = [f"c = {abridged(short_text(exact))} exactly", *texts]
    return [*rows, *(("largest scale" if not i else "", text) for i, text in enumerate(texts))]


def _count_rows(answer: CountAnswer) -> Rows:
    rows: Rows = [("mechanism", answer.label)]
    if answer.fits is None:
        return [*rows, ("more that fit", f"{answer.outcome}: {answer.reason}")]
    total = grouped(answer.fitting.size if answer.fitting else answer.ledger.size)
    rows.append(("more that fit", f"{grouped(answer.fits)} ({total} mechanisms in all)"))
    if answer.exceeds is None:
        return [*rows, ("", answer.reason)]
    rows.append(("", f"{grouped(answer.exceeds)} more do not fit"))
    return [*rows, ("", answer.reason)] if answer.reason else rows


def _dial_rows(answer: DialAnswer) -> Rows:
    rows: Rows = [("mechanism", answer.label)]
    is_greatest = answer.name in _GREATEST
    title = f"greatest {answer.name}" if is_greatest else "least noise"
    if answer.fits is None:
        return [*rows, (title, f"{answer.outcome}: {answer.reason}")]
    fits = f"{answer.name} = {short_text(answer.fits)}, which fits: use this one"
    rows.append((title, fits))
    if answer.exceeds is not None:
        rows.append(("", f"{answer.name} = {short_text(answer.exceeds)}, which does not"))
    return [*rows, ("", answer.reason)] if answer.reason else rows

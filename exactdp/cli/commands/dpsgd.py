r"""``exactdp dpsgd``: what a plan of DP-SGD promises, and what holds if its loader shuffles.

Rules of this file: it renders what the library answered and computes nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text, short_text
from exactdp.cli.files import check_directory, write_together
from exactdp.cli.options import command
from exactdp.cli.output import print_json
from exactdp.cli.progress import working
from exactdp.cli.rendering import facts, show
from exactdp.pages.accepted import verified
from exactdp.pages.number_text import bounds_text, grouped, rational_text
from exactdp.pages.phrases import nothing_promised, promise_of, promised
from exactdp.pages.standing import Opening, Standing
from exactdp.training.promises import TrainingAnswer, dpsgd

_STEM: Final = "dpsgd"
_SAMPLED: Final = (
    "Sampled: each example enters each batch by itself; examples are added or removed; both ends "
    "are certified."
)
_SHUFFLED: Final = (
    "Shuffled: each example is in one batch of an epoch, shuffled anew; an example's gradient is "
    "zeroed out; both ends are certified. From above the batch of the example is known; from "
    "below stand the worst training data, where all other examples pull one way."
)
_NAMED: Final = "The loader named here shuffles: the second line is what holds of it."


def _files(answer: TrainingAnswer, directory: Path, loader: str) -> dict[Path, bytes]:
    """The certificates of the loader's ends, as far as there are any."""
    meant = answer.sampled if loader == "poisson" else answer.shuffled
    stem = _STEM if loader == "poisson" else f"{_STEM}-{_stem(answer)}"
    made = {f"{stem}.upper.json": meant.upper_certificate()}
    if loader == "poisson" or answer.refuted:
        made[f"{stem}.lower.json"] = meant.lower_certificate()
    return {
        directory / name: verified(certificate)
        for name, certificate in made.items()
        if certificate is not None
    }


@command("dpsgd")
def dpsgd_command(  # noqa: PLR0913 (one argument for each option)
    *,
    batch: int,
    examples: int,
    noise: str,
    epochs: int,
    delta: str,
    loader: str,
    tolerance: str,
    certificates: Path | None,
    report: Path | None,
    as_json: bool,
) -> int:
    """What a plan of DP-SGD promises: ε for Poisson-sampled batches, and for shuffled ones."""
    if certificates is not None:
        check_directory(certificates, "--certificates", _STEM)
    if report is not None:
        from exactdp.cli.places import check_report  # noqa: PLC0415 (few ask for a page)

        check_report(report, [])
    with working("composing", as_json=as_json):
        answer = dpsgd(
            batch=batch,
            examples=examples,
            noise=noise,
            epochs=epochs,
            delta=delta,
            tolerance=tolerance,
        )
        files = {} if certificates is None else _files(answer, certificates, loader)
        written = [str(path) for path in files]
        if report is not None:
            files |= _page(report, answer, loader)
    write_together(files, "--certificates")
    if as_json:
        print_json("dpsgd", _json(answer, loader, written))
    else:
        _show(answer, loader, written)
    return 0


def _stem(answer: TrainingAnswer) -> str:
    return "shuffled" if answer.shuffled.ledger.is_noisy else "known-batch"


def _page(report: Path, answer: TrainingAnswer, loader: str) -> dict[Path, bytes]:
    from exactdp.pages.page import report_file  # noqa: PLC0415 (as above)
    from exactdp.pages.training import training_findings  # noqa: PLC0415 (few ask for a page)

    return report_file(report, training_findings(answer, loader), _head(answer, loader))


def _json(answer: TrainingAnswer, loader: str, written: list[str]) -> dict[str, object]:
    plan, upper = answer.plan, answer.shuffled.upper_end
    return {
        "loader": loader,
        "delta": short_text(answer.sampled.delta),
        "steps": str(plan.steps),
        "rate": str(plan.rate),
        "noise": str(plan.noise),
        "poisson": {
            "lower": _end(answer.sampled.lower_end),
            "upper": _end(answer.sampled.upper_end),
        },
        "shuffled": {
            "lower": decimal_text(answer.refuted),
            "upper": _end(upper),
            "batches": str(plan.batches),
            "epochs": str(plan.epochs),
            "neighbouring": "zero-out",
        },
        "certificates": written,
    }


def _end(value: mpq | None) -> str:
    return "inf" if value is None else decimal_text(value)


def _show(answer: TrainingAnswer, loader: str, written: list[str]) -> None:
    plan = answer.plan
    rows = [
        ("at δ", rational_text(answer.sampled.delta)),
        (
            "batches sampled (Poisson)",
            _interval(answer.sampled.lower_end, answer.sampled.upper_end),
        ),
        ("batches shuffled", _interval(answer.refuted, answer.shuffled.upper_end)),
    ]
    rows += [("certificate", path) for path in written]
    title = (
        f"DP-SGD: {grouped(plan.steps)} steps, batches of {grouped(plan.batch)} out of "
        f"{grouped(plan.examples)}, noise {rational_text(plan.noise)}"
    )
    sentence, finding = _head(answer, loader).sentences
    named = [_NAMED] if loader == "shuffled" else []
    show(sentence, "", title, "", facts(rows), "", finding, "", _SAMPLED, _SHUFFLED, *named)


def _head(answer: TrainingAnswer, loader: str) -> Opening:
    """What the plan promises with the loader that is meant, and whether shuffling keeps as much."""
    meant = answer.sampled if loader == "poisson" else answer.shuffled
    batches = "sampled (Poisson)" if loader == "poisson" else "shuffled"
    sentence = nothing_promised(meant.delta)
    if meant.upper_end is not None:
        subject = f"This training, if its batches are {batches}, is"
        sentence = promised(subject, promise_of(meant.upper_end, meant.delta))
    promise: Standing = "infeasible" if meant.upper_end is None else "proved"
    finding = (
        "A loader that shuffles does not keep what sampling promises: on some training data its ε "
        f"is at least {decimal_text(answer.refuted)}."
        if answer.shuffling_breaks
        else "It is not shown here that shuffling keeps less than sampling promises, nor as much."
    )
    return Opening(
        (sentence, finding), (promise, "refuted" if answer.shuffling_breaks else "unsettled")
    )


def _interval(lower: mpq | None, upper: mpq | None) -> str:
    if lower is None or upper is None:
        return "no finite ε" if upper is None else f"ε ≤ {bounds_text(upper, upper)[1]}"
    least, most = bounds_text(lower, upper)
    return f"{least} ≤ ε ≤ {most}"

r"""``exactdp dpsgd``: what a plan of DP-SGD promises, and what holds if its loader shuffles.

Rules of this file: it renders what the library answered and computes nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from exactdp.cli.files import write_together
from exactdp.cli.options import command
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer
from exactdp.pages.accepted import verified
from exactdp.pages.facts.training import plan_heading, training_facts, training_opening
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
    check_places([], certificates=certificates, stem=_STEM, report=report)
    with working("composing", as_json=as_json):
        found = dpsgd(
            batch=batch,
            examples=examples,
            noise=noise,
            epochs=epochs,
            delta=delta,
            tolerance=tolerance,
        )
        files = {} if certificates is None else _files(found, certificates, loader)
        written = [*files]
        if report is not None:
            files |= _page(report, found, loader)
    write_together(files, "--certificates")
    sentence, finding = training_opening(found, loader).sentences
    named = [_NAMED] if loader == "shuffled" else []
    answer(
        "dpsgd",
        training_facts(found, loader, written),
        sentence,
        "",
        plan_heading(found),
        as_json=as_json,
        below=["", finding, "", _SAMPLED, _SHUFFLED, *named],
    )
    return 0


def _stem(answer: TrainingAnswer) -> str:
    return "shuffled" if answer.shuffled.ledger.is_noisy else "known-batch"


def _page(report: Path, answer: TrainingAnswer, loader: str) -> dict[Path, bytes]:
    from exactdp.pages.page import report_file  # noqa: PLC0415 (as above)
    from exactdp.pages.training import training_findings  # noqa: PLC0415 (few ask for a page)

    return report_file(report, training_findings(answer, loader), training_opening(answer, loader))

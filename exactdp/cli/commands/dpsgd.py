r"""``exactdp dpsgd``: what a plan of DP-SGD promises, and what holds if its loader shuffles.

Rules of this file: it renders what the library answered and computes nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from exactdp.cli.options import command
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import answer
from exactdp.pages.accepted import certificate_files, certificates_of
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
) -> int:
    """What a plan of DP-SGD promises: ε for Poisson-sampled batches, and for shuffled ones."""
    check_places([], certificates=certificates, stem=_STEM, report=report)
    with working("composing"):
        found = dpsgd(
            batch=batch,
            examples=examples,
            noise=noise,
            epochs=epochs,
            delta=delta,
            tolerance=tolerance,
        )
        files: dict[Path, bytes] = {}
        if certificates is not None:
            files = _certificates(found, certificates)
        written = [*files]
        if report is not None:
            from exactdp.pages.training import training_page  # noqa: PLC0415 (few ask)

            files[report] = training_page(found, loader)
    sentence, finding = training_opening(found, loader).sentences
    named = [_NAMED] if loader == "shuffled" else []
    return answer(
        training_facts(found, loader, written),
        sentence,
        "",
        plan_heading(found),
        below=["", finding, "", _SAMPLED, _SHUFFLED, *named],
        files=files,
    )


def _certificates(answer: TrainingAnswer, directory: Path) -> dict[Path, bytes]:
    """The certificates of both loaders' ends, as far as there are any."""
    files = certificate_files(directory, _STEM, certificates_of(answer.sampled))
    made = certificates_of(answer.shuffled)
    if not answer.refuted:
        made.pop("lower", None)
    return files | certificate_files(directory, f"{_STEM}-{answer.shuffled_as}", made)

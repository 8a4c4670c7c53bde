r"""``exactdp dpsgd``: what a plan of DP-SGD promises, by how its loader draws batches.

Rules of this file: it renders what the library answered and computes nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from exactdp.cli.options import command
from exactdp.cli.places import check_places
from exactdp.cli.progress import working
from exactdp.cli.rendering import REFUTED, UNDECIDED, answer
from exactdp.errors import InputError
from exactdp.pages.accepted import certificate_files, certificates_of
from exactdp.pages.facts.training import (
    checking_remark,
    plan_heading,
    training_facts,
    training_opening,
    training_remarks,
)
from exactdp.training.promises import LoaderAnswer, dpsgd

_STEM: Final = "dpsgd"
_LONG: Final = "composing (shuffled batches take up to minutes; --tolerance 0.3 less)"
_CODES: Final = {None: 0, "proved": 0, "refuted": REFUTED, "undecided": UNDECIDED}


@command("dpsgd")
def dpsgd_command(  # noqa: PLR0913 (one argument for each option)
    *,
    batch: int | None,
    examples: int | None,
    rate: str | None,
    noise: str | None,
    phases: tuple[str, ...],
    epochs: int | None,
    steps: int | None,
    delta: str,
    loader: str,
    all_loaders: bool,
    epsilon: str | None,
    tolerance: str | None,
    max_batch: int | None,
    records_per_person: int,
    certificates: Path | None,
    report: Path | None,
) -> int:
    """What a plan of DP-SGD promises: ε for the loader, or for each way to draw batches.

    With --epsilon, exit code 1 if it is refuted, 3 if it is neither proved nor refuted.
    """
    if max_batch is not None and (certificates or report):
        raise InputError(
            field="--max-batch",
            value="beside --certificates or --report",
            expected="an answer alone: no certificate is about samples that are cut",
        )
    check_places([], certificates=certificates, stem=_STEM, report=report)
    with working(_LONG if all_loaders or loader == "shuffled" else "composing"):
        found = dpsgd(
            batch_size=batch,
            dataset_size=examples,
            rate=rate,
            noise_multiplier=noise,
            epochs=epochs,
            steps=steps,
            delta=delta,
            loader=loader,
            all_loaders=all_loaders,
            epsilon=epsilon,
            tolerance=tolerance,
            max_batch=max_batch,
            records_per_person=records_per_person,
            phases=phases,
        )
        files: dict[Path, bytes] = {}
        if certificates is not None:
            for each in found.every:
                files |= _certificates(each, certificates)
        written = [*files]
        if report is not None:
            from exactdp.pages.training import training_page  # noqa: PLC0415 (few ask)

            files[report] = training_page(found)
    first, *sentences = training_opening(found).sentences
    others = [part for each in sentences for part in ("", each)]
    longer = checking_remark(found) if files else ""
    return answer(
        training_facts(found, written),
        first,
        "",
        plan_heading(found),
        below=[*others, "", *training_remarks(found), *([longer] if longer else [])],
        files=files,
        code=_CODES[found.outcome],
    )


def _certificates(found: LoaderAnswer, directory: Path) -> dict[Path, bytes]:
    """The certificates of a loader's ends, as far as there are any."""
    made = certificates_of(found.interval)
    if found.is_known_batch:
        made.pop("lower", None)
    stem = _STEM if found.loader == "poisson" else f"{_STEM}-{found.drawn_as}"
    return certificate_files(directory, stem, made)

r"""What is known of a plan of DP-SGD: for sampled batches, and for shuffled ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text
from exactdp.pages.facts import Fact, fact, labelled, shown
from exactdp.pages.facts.numbers import delta_fact, ends
from exactdp.pages.number_text import bounds_text, grouped, rational_text
from exactdp.pages.phrases import nothing_promised, promise_of, promised, standing_text
from exactdp.pages.standing import Opening, Standing
from exactdp.training.promises import TrainingAnswer


def training_facts(answer: TrainingAnswer, loader: str, written: Sequence[Path]) -> list[Fact]:
    """The least ε of both ways to draw batches."""
    plan, sampled, upper = answer.plan, answer.sampled, answer.shuffled.upper_end
    paths = [str(path) for path in written]
    shuffled = {
        **ends(answer.refuted, upper),
        "batches": str(plan.batches),
        "epochs": str(plan.epochs),
        "neighbouring": "zero-out",
    }
    return [
        fact("loader", loader),
        delta_fact(sampled.delta),
        fact("steps", str(plan.steps)),
        fact("rate", str(plan.rate)),
        fact("noise", str(plan.noise)),
        labelled(
            "poisson",
            ends(sampled.lower_end, sampled.upper_end),
            sampled.evidence,
            "batches sampled (Poisson)",
            _interval(sampled.lower_end, sampled.upper_end),
        ),
        labelled(
            "shuffled",
            shuffled,
            answer.shuffled.evidence,
            "batches shuffled",
            _interval(answer.refuted, upper),
        ),
        fact("certificates", paths),
        *(shown("certificate", path) for path in paths),
    ]


def plan_heading(answer: TrainingAnswer) -> str:
    """The plan in one line."""
    plan = answer.plan
    return (
        f"DP-SGD: {grouped(plan.steps)} steps, batches of {grouped(plan.batch)} out of "
        f"{grouped(plan.examples)}, noise {rational_text(plan.noise)}"
    )


def training_opening(answer: TrainingAnswer, loader: str) -> Opening:
    """What the plan promises with the loader that is meant, and whether shuffling keeps as much."""
    meant = answer.sampled if loader == "poisson" else answer.shuffled
    batches = "sampled (Poisson)" if loader == "poisson" else "shuffled"
    sentence = nothing_promised(meant.delta)
    if meant.upper_end is not None:
        subject = f"this training, if its batches are {batches}"
        standing = standing_text(meant.lower_end, meant.upper_end, meant.delta, meant.evidence)
        sentence = promised(subject, promise_of(meant.upper_end, meant.delta), standing)
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

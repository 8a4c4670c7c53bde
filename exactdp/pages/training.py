r"""The report of ``exactdp dpsgd``: two ways to draw batches, each a ledger of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text
from exactdp.composition.answers.results import Composition
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.pages.accepted import certificates_of
from exactdp.pages.facts import Fact, shown
from exactdp.pages.facts.training import training_opening
from exactdp.pages.findings import Detail, Findings, Mark, band_of, proofs_of
from exactdp.pages.number_text import grouped, rational_text
from exactdp.pages.page import report_page
from exactdp.pages.phrases import promise_of
from exactdp.pages.standing import Standing
from exactdp.training.promises import TrainingAnswer

_SAMPLED: Final = (
    "Each example enters each batch by itself; neighbouring inputs differ by one example that is "
    "added or removed."
)
_SHUFFLED: Final = (
    "The examples are shuffled into batches, anew in each epoch; neighbouring inputs differ in one "
    "example, whose gradient is zeroed out. From above the batch of the example is known; from "
    "below, on training data where all other examples pull one way, ε is at least {lower}."
)


def training_page(answer: TrainingAnswer, loader: str) -> bytes:
    """The page on a plan, first for the loader that is meant."""
    return report_page(training_findings(answer, loader), training_opening(answer, loader))


def training_findings(answer: TrainingAnswer, loader: str) -> list[Findings]:
    """What is known of a plan: first for the loader that is meant."""
    lower = decimal_text(answer.refuted)
    sampled = _findings("dpsgd.json", answer, answer.sampled, _SAMPLED)
    shuffled = _findings(
        "dpsgd-shuffled.json", answer, answer.shuffled, _SHUFFLED.format(lower=lower)
    )
    shuffled = replace(shuffled, marks=tuple(_promises(answer)))
    return [sampled, shuffled] if loader == "poisson" else [shuffled, sampled]


def _promises(answer: TrainingAnswer) -> Iterator[Mark]:
    """What shuffled batches are said to keep: their own ε, and that of sampled ones."""
    if answer.shuffled.upper_end is not None:
        yield _mark("the plan with shuffled batches", answer.shuffled.upper_end, answer, "proved")
    if answer.sampled.upper_end is not None:
        found: Standing = "refuted" if answer.shuffling_breaks else "unsettled"
        yield _mark("the plan with sampled batches", answer.sampled.upper_end, answer, found)


def _mark(name: str, epsilon: mpq, answer: TrainingAnswer, standing: Standing) -> Mark:
    delta = answer.sampled.delta
    written = "ε = {} at δ = {}".format(*promise_of(epsilon, delta))
    return Mark(name, written, epsilon, delta, standing)


def _findings(file: str, answer: TrainingAnswer, composed: Composition, remark: str) -> Findings:
    ledger = composed.ledger
    proofs = proofs_of(file.removesuffix(".json"), certificates_of(composed), ledger=ledger)
    band = band_of(ledger, composed, (), DEFAULT_MAX_COST)
    plan = Detail("The plan of training", "As it was given", _plan_facts(answer), (remark,))
    return Findings(file, ledger, composed, "", band, (), proofs, details=(plan,))


def _plan_facts(answer: TrainingAnswer) -> list[Fact]:
    plan = answer.plan
    return [
        shown("training examples", grouped(plan.examples)),
        shown("batch size", grouped(plan.batch)),
        shown("epochs", grouped(plan.epochs)),
        shown("steps", grouped(plan.steps)),
        shown("noise multiplier", rational_text(plan.noise)),
    ]

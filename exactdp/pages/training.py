r"""The report of ``exactdp dpsgd``: ways to draw batches, each a ledger of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gmpy2 import mpq

from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.pages.accepted import certificates_of
from exactdp.pages.facts import Fact, shown
from exactdp.pages.facts.training import DRAWN, phase_text, training_opening
from exactdp.pages.findings import Detail, Findings, Mark, band_of, proofs_of
from exactdp.pages.number_text import grouped, rational_text
from exactdp.pages.page import report_page
from exactdp.pages.phrases import promise_of
from exactdp.pages.standing import Standing
from exactdp.training.plans import TrainingPlan
from exactdp.training.promises import LoaderAnswer, TrainingAnswer


def training_page(answer: TrainingAnswer) -> bytes:
    """The page on a plan, first for the loader that is meant."""
    return report_page(training_findings(answer), training_opening(answer))


def training_findings(answer: TrainingAnswer) -> list[Findings]:
    """What is known of a plan: first for the loader that is meant."""
    return [_findings(answer, each) for each in (answer.asked, *answer.others)]


def _promises(answer: TrainingAnswer, found: LoaderAnswer) -> Iterator[Mark]:
    """What batches are said to keep: their own ε, and that of sampled ones."""
    if found.upper is not None:
        yield _mark(f"the plan, {found.loader}", found.upper, answer, "proved")
    sampled = {each.loader: each.upper for each in answer.every}.get("poisson")
    if sampled is not None:
        standing: Standing = "refuted" if found in answer.breaking else "unsettled"
        yield _mark("the plan with sampled batches", sampled, answer, standing)


def _mark(name: str, epsilon: mpq, answer: TrainingAnswer, standing: Standing) -> Mark:
    written = "ε = {} at δ = {}".format(*promise_of(epsilon, answer.delta))
    return Mark(name, written, epsilon, answer.delta, standing)


def _findings(answer: TrainingAnswer, found: LoaderAnswer) -> Findings:
    composed, ledger = found.interval, found.interval.ledger
    stem = "dpsgd" if found.loader == "poisson" else f"dpsgd-{found.loader}"
    proofs = proofs_of(stem, certificates_of(composed), ledger=ledger)
    band = band_of(ledger, composed, (), DEFAULT_MAX_COST)
    plan = Detail(
        "The plan of training",
        "As it was given",
        _plan_facts(answer, found),
        (DRAWN[found.loader],),
    )
    known = Findings(f"{stem}.json", ledger, composed, "", band, (), proofs, details=(plan,))
    if found.loader == "poisson":
        return known
    return replace(known, marks=tuple(_promises(answer, found)))


def _size_facts(plan: TrainingPlan) -> list[Fact]:
    """How large batches are, or how likely an example enters one."""
    if plan.is_by_rate:
        return [shown("rate", rational_text(plan.rate))]
    return [
        shown("training examples", grouped(plan.examples)),
        shown("batch size", grouped(plan.batch)),
    ]


def _plan_facts(answer: TrainingAnswer, found: LoaderAnswer) -> list[Fact]:
    if len(answer.phases) > 1:
        return [
            shown(f"phase {place}", phase_text(answer, each))
            for place, each in enumerate(answer.phases, 1)
        ]
    plan = answer.plan
    return [
        *_size_facts(plan),
        *([] if plan.epochs is None else [shown("epochs", grouped(plan.epochs))]),
        shown("steps", grouped(plan.steps_by(found.loader))),
        shown("noise multiplier", rational_text(plan.noise)),
    ]

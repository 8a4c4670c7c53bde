r"""What is known of a plan of DP-SGD, by how its batches are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text, short_text, shortest_text
from exactdp.pages.facts import Fact, fact, labelled, shown
from exactdp.pages.facts.numbers import delta_fact, ends
from exactdp.pages.number_text import bounds_text, grouped, rational_text
from exactdp.pages.phrases import (
    budget_text,
    counted,
    nothing_promised,
    promise_of,
    promised,
    standing_text,
)
from exactdp.pages.standing import Opening, Standing
from exactdp.training.plans import IN_EPOCHS, LOADERS, Loader, TrainingPlan
from exactdp.training.promises import LoaderAnswer, TrainingAnswer
from exactdp.training.truncated import Truncation

BATCHES: Final[dict[Loader, str]] = {
    "poisson": "sampled (Poisson)",
    "allocated": "allocated",
    "shuffled": "shuffled",
    "shuffled-keep-last": "shuffled, the last kept",
    "fixed-size": "of a fixed size",
}
"""How batches are drawn, after "batches" and after "its batches are"."""
DRAWN: Final[dict[Loader, str]] = {
    "poisson": (
        "Sampled: each example enters each batch by itself; examples are added or removed; both "
        "ends are certified."
    ),
    "allocated": (
        "Allocated: each example draws its batch of each epoch by itself; examples are added or "
        "removed; both ends are certified."
    ),
    "shuffled": (
        "Shuffled: all examples are shuffled anew in each epoch and cut into full batches, the "
        "rest is left out (drop_last=True: not PyTorch's default); an example's gradient is "
        "zeroed out; both ends are certified, the lower one on training data where all other "
        "examples pull one way. If no example is left out, the upper end takes the batch of each "
        "as known."
    ),
    "shuffled-keep-last": (
        "Shuffled, the last kept: all examples are shuffled anew in each epoch and cut into "
        "batches, the last of which may be shorter, as in PyTorch's default (drop_last=False); an "
        "example's gradient is zeroed out; both ends are certified. From above the batch of the "
        "example is known; from below stand the worst training data, where all other examples "
        "pull one way. With drop_last=True only the upper end holds."
    ),
    "fixed-size": (
        "Of a fixed size: each step draws its batch anew, without replacement; an example's "
        "gradient is zeroed out; both ends are certified, the lower one on the worst training "
        "data, where all other examples pull one way."
    ),
}
_BOTH_ENDS: Final = "both ends are certified"
_UPPER_END: Final = (
    "the losses are too many for a mesh, so the batch of the example is taken as known: the upper "
    "end is certified, and nothing is said from below."
)
_NO_END: Final = "no finite ε holds at this δ."
_LONG_CHECK: Final = (
    "Checking certificates of shuffled batches takes minutes, and up to ten times the usual "
    "--max-cost of exactdp verify."
)
_NEIGHBOURING: Final[dict[Loader, dict[str, str]]] = {
    "poisson": {},
    "allocated": {"neighbouring": "add-remove-one"},
    "shuffled": {"neighbouring": "zero-out"},
    "shuffled-keep-last": {"neighbouring": "zero-out"},
    "fixed-size": {"neighbouring": "zero-out"},
}
_OUTCOMES: Final[dict[str, str]] = {
    "proved": "The claim {} holds",
    "refuted": "The claim {} does not hold",
    "undecided": "The claim {} is neither proved nor refuted",
}
_STANDINGS: Final[dict[str, Standing]] = {
    "proved": "proved",
    "refuted": "refuted",
    "undecided": "unsettled",
}


def training_facts(answer: TrainingAnswer, written: Sequence[Path]) -> list[Fact]:
    """The least ε of each way to draw batches that was asked for."""
    plan = answer.plan
    paths = [str(path) for path in written]
    found = {each.loader: each for each in answer.every}
    return [
        fact("loader", answer.asked.loader),
        delta_fact(answer.delta),
        fact("steps", str(answer.steps_by(answer.asked.loader))),
        *_phase_facts(answer),
        *_person_facts(plan),
        *(_loader_fact(answer, loader, found.get(loader)) for loader in LOADERS),
        *_claim_facts(answer),
        fact("certificates", paths),
        *(shown("certificate", path) for path in paths),
    ]


def _phase_facts(answer: TrainingAnswer) -> Iterator[Fact]:
    """The rate and the noise, or those of each phase."""
    loader = answer.asked.loader
    phases = [{"rate": str(each.rate), "noise": str(each.noise)} for each in answer.phases]
    one = phases[0] if len(phases) == 1 else dict.fromkeys(phases[0])
    yield from (fact(key, value) for key, value in one.items())
    if len(phases) > 1:
        steps = [{"steps": str(each.steps_by(loader))} for each in answer.phases]
        yield fact("phases", [{**a, **b} for a, b in zip(steps, phases, strict=True)])


def _person_facts(plan: TrainingPlan) -> Iterator[Fact]:
    if plan.records_per_person > 1:
        yield fact("records_per_person", str(plan.records_per_person))


def _loader_fact(answer: TrainingAnswer, loader: Loader, found: LoaderAnswer | None) -> Fact:
    key = loader.replace("-", "_")
    if found is None:
        return fact(key, None)
    plan = answer.plan
    epochs = {}
    if loader in IN_EPOCHS and len(answer.phases) == 1:
        batches = plan.batches_of(loader)
        epochs = {"batches": str(batches), "epochs": str(plan.epochs_of(batches))}
    known = {**ends(found.lower, found.upper), **epochs, **_NEIGHBOURING[loader]}
    if found.truncation is not None:
        known["max_batch"] = str(found.truncation.most)
        known["longer_sample"] = short_text(found.truncation.tail)
    text = _interval(found.lower, found.upper)
    return labelled(key, known, found.evidence, f"batches {BATCHES[loader]}", text)


def _claim_facts(answer: TrainingAnswer) -> Iterator[Fact]:
    if answer.claim is not None and answer.outcome is not None:
        claimed = {"epsilon": shortest_text(answer.claim), "outcome": answer.outcome}
        title, claim = f"claim {answer.outcome}", budget_text(answer.claim, answer.delta)
        yield labelled("claim", claimed, answer.asked.evidence, title, claim)


def steps_text(plan: TrainingPlan, loader: Loader) -> str:
    """How often a loader has noise added, and how it cuts epochs, if it does."""
    steps = counted(plan.steps_by(loader), "step")
    if loader not in IN_EPOCHS:
        return steps
    batches = plan.batches_of(loader)
    epochs = counted(plan.epochs_of(batches), "epoch")
    return f"{steps} ({epochs} of {counted(batches, 'batch', 'batches')})"


def plan_heading(answer: TrainingAnswer) -> str:
    """The plan in one line, phase by phase."""
    phases = "; then ".join(phase_text(answer, each) for each in answer.phases)
    return f"DP-SGD: {phases}{_people(answer.plan)}"


def phase_text(answer: TrainingAnswer, plan: TrainingPlan) -> str:
    """A phase; several loaders need not take equally many steps in an epoch."""
    long = steps_text(plan, answer.asked.loader)
    if answer.others and plan.epochs is not None:
        long = counted(plan.epochs, "epoch")
    return f"{long}, {batches_text(plan)}, noise {rational_text(plan.noise)}"


def batches_text(plan: TrainingPlan) -> str:
    """How large batches are, or how likely an example enters one."""
    if plan.is_by_rate:
        return f"batches at rate {rational_text(plan.rate)}"
    return f"batches of {grouped(plan.batch)} out of {grouped(plan.examples)}"


def _people(plan: TrainingPlan) -> str:
    many = plan.records_per_person
    return "" if many == 1 else f", people of at most {counted(many, 'example')}"


def training_remarks(answer: TrainingAnswer) -> Iterator[str]:
    """How each loader draws its batches, and about whom its ends are."""
    for each in answer.every:
        drawn = DRAWN[each.loader] if each.truncation is None else _truncated(each.truncation)
        drawn = drawn.replace("examples are added or removed", _differing(answer.plan))
        opening = drawn.partition(_BOTH_ENDS)[0]
        if each.upper is None:
            yield opening + _NO_END
        else:
            yield opening + _UPPER_END if each.is_known_batch else drawn


def checking_remark(answer: TrainingAnswer) -> str:
    """What the verifier is to be allowed for certificates of these loaders; empty for nothing."""
    long = any(each.loader == "shuffled" and not each.is_known_batch for each in answer.every)
    return _LONG_CHECK if long else ""


def _differing(plan: TrainingPlan) -> str:
    """By what neighbours differ."""
    many = plan.records_per_person
    whose = "examples" if many == 1 else f"all examples of a person, at most {grouped(many)},"
    return f"{whose} are added or removed"


def _truncated(truncation: Truncation) -> str:
    """Of samples that keep at most so many."""
    return (
        "Sampled, cut where it is long: each example enters each batch by itself, and of more than "
        f"{grouped(truncation.most)} the rest is left out; examples are added or removed; the ends "
        "are computed from certified ones of samples that keep all, as a step draws more with a "
        f"probability of at most {short_text(truncation.tail)} in all."
    )


def training_opening(answer: TrainingAnswer) -> Opening:
    """What becomes of the claim, what the plan promises, and which loaders keep less."""
    parts = [*_about_the_claim(answer), _promise(answer), *_about_others(answer)]
    sentences, standings = zip(*parts, strict=True)
    return Opening(sentences, standings)


def _about_the_claim(answer: TrainingAnswer) -> Iterator[tuple[str, Standing]]:
    if answer.claim is None or answer.outcome is None:
        return
    claimed = _OUTCOMES[answer.outcome].format(budget_text(answer.claim, answer.delta))
    open_end = "" if answer.outcome != "undecided" else f", {_why_open(answer)}"
    drawn = f"{claimed} of this training, if its batches are {BATCHES[answer.asked.loader]}"
    if (answer.outcome, answer.asked.loader) == ("refuted", "shuffled-keep-last"):
        drawn += " (drop_last=False)"
    yield f"{drawn}{open_end}.", _STANDINGS[answer.outcome]


def _why_open(answer: TrainingAnswer) -> str:
    if answer.asked.loader in _WITH_A_GAP or answer.asked.is_known_batch:
        return "as its ends leave a gap"
    return "as it lies between its ends: a smaller --tolerance may settle it"


_WITH_A_GAP: Final = ("shuffled", "shuffled-keep-last", "fixed-size")


def _promise(answer: TrainingAnswer) -> tuple[str, Standing]:
    meant, delta = answer.asked, answer.delta
    if meant.upper is None:
        return nothing_promised(delta), "infeasible"
    subject = f"this training, if its batches are {BATCHES[meant.loader]}"
    standing = standing_text(meant.lower, meant.upper, delta, meant.evidence)
    found: Standing = "proved" if meant.evidence == "certificate" else "computed"
    return promised(subject, promise_of(meant.upper, delta), standing), found


def _about_others(answer: TrainingAnswer) -> Iterator[tuple[str, Standing]]:
    """Which loaders are shown not to keep what sampling promises, where both were asked for."""
    if not answer.others:
        return
    for each in answer.breaking:
        least = "∞" if each.lower is None else decimal_text(each.lower)
        yield f"{_LOSERS[each.loader]} what sampling promises: {_ON_SOME_DATA} {least}.", "refuted"
    if _SHUFFLING.isdisjoint(each.loader for each in answer.breaking):
        yield _NOT_SHOWN, "unsettled"


_SHUFFLING: Final = frozenset({"shuffled", "shuffled-keep-last"})
_LOSERS: Final[dict[Loader, str]] = {
    "allocated": "Batches that are allocated do not keep",
    "shuffled": "A loader that shuffles, and drops the last (drop_last=True), does not keep",
    "shuffled-keep-last": "A loader that shuffles (drop_last=False) does not keep",
    "fixed-size": "Batches of a fixed size do not keep",
}
_ON_SOME_DATA: Final = "on some training data ε is at least"
_NOT_SHOWN: Final = (
    "It is not shown here that shuffling keeps less than sampling promises, nor as much."
)


def _interval(lower: mpq | None, upper: mpq | None) -> str:
    if not lower or upper is None:
        return "no finite ε" if upper is None else f"ε ≤ {bounds_text(upper, upper)[1]}"
    least, most = bounds_text(lower, upper)
    return f"{least} ≤ ε ≤ {most}"

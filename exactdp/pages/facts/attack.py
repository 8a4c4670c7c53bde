r"""What is known of what the outcome of an attack rejects.

Rules of this file: a claim is rejected at a level, or not; of no ε it is said that it holds.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    decimal_text,
    scientific_above,
    short_text,
    shortest_text,
)
from exactdp.attacks.attack import Attack
from exactdp.attacks.experiment import ManyRuns, OneRun
from exactdp.composition.answers.results import EvidenceKind
from exactdp.pages.facts import COMPUTED, Fact, fact, labelled
from exactdp.pages.number_text import delta_of, epsilon_of, exact_text, grouped, rational_text
from exactdp.pages.phrases import outcome_rejects

_DIGITS: Final = 10
_OF_REPLACING: Final = (
    "the ledger is about one record replaced by another: an experiment in which canaries are in or "
    "out does not speak of it"
)
_VERDICTS: Final = {True: "rejected", False: "not-rejected", None: "no-claim"}


def attack_facts(found: Attack, ledger: str | None, *, certified: bool = False) -> list[Fact]:
    """The verdict, the design, and the numbers behind it."""
    design = "one-run" if isinstance(found.experiment, OneRun) else "many-runs"
    return [
        fact("verdict", _VERDICTS[found.rejected]),
        fact("design", design),
        fact("outcome", _counts(found.experiment), "outcome", *_counted(found.experiment)),
        fact("level", short_text(found.level), "at level", rational_text(found.level)),
        *([] if ledger is None else [fact("ledger", ledger, "claimed", f"the ledger {ledger}")]),
        *_another_relation(found),
        *_claimed(found),
        *_measured(found),
        *_through(found, "certificate" if certified else COMPUTED),
        *_turning(found),
        _evidence(found, certified=certified),
    ]


def _evidence(found: Attack, *, certified: bool) -> Fact:
    if certified:
        text = "certificate of what is rejected; the other numbers are computed"
        if found.ledger is not None:
            text = (
                "certificates that the ledger keeps this claim, and that it is rejected; the other "
                "numbers are computed"
            )
        return fact("evidence", "certificate", "evidence", text)
    return fact("evidence", "computed", "evidence", "computed, without a certificate")


def attack_sentence(found: Attack) -> str:
    """What is rejected, and what that means."""
    level = rational_text(found.level)
    if found.ledger is not None:
        return outcome_rejects("that the ledger describes what was attacked", level, found.rejected)
    delta = delta_of(found.delta or mpq(0), up=False)
    if found.epsilon is not None:
        claim = f"the claim ε = {epsilon_of(found.epsilon, up=False)} and δ = {delta}"
        return outcome_rejects(claim, level, found.rejected)
    if found.rejected_up_to is None:
        return outcome_rejects(f"any ε with δ = {delta}", level, False)
    most = decimal_text(found.rejected_up_to)
    return outcome_rejects(f"each ε up to {most} with δ = {delta}", level, True)


def _counts(experiment: ManyRuns | OneRun) -> dict[str, object]:
    """The counts, as the file has them."""
    if isinstance(experiment, OneRun):
        counts: dict[str, object] = {
            name: getattr(experiment, name) for name in ("canaries", "guesses", "right")
        }
        choices = "guess_counts"
    else:
        sides = {"members": experiment.members, "others": experiment.others}
        counts = {
            name: dict(zip(("runs", "found"), each, strict=True)) for name, each in sides.items()
        }
        choices = "thresholds"
    return counts if experiment.choices == 1 else {**counts, choices: experiment.choices}


def _counted(experiment: ManyRuns | OneRun) -> list[str]:
    """The counts in words."""
    if isinstance(experiment, OneRun):
        right, guesses = grouped(experiment.right), grouped(experiment.guesses)
        first = (
            f"one run, {grouped(experiment.canaries)} canaries: {right} of {guesses} guesses right"
        )
        which = "numbers of guesses"
    else:
        (runs, found), (other, false) = experiment.members, experiment.others
        first = (
            f"found: {grouped(found)} of {grouped(runs)} members, "
            f"{grouped(false)} of {grouped(other)} others"
        )
        which = "tests"
    more = [] if experiment.choices == 1 else [f"the best of {grouped(experiment.choices)} {which}"]
    return [first, *more]


def _claimed(found: Attack) -> list[Fact]:
    facts = []
    if found.epsilon is not None:
        text = exact_text(found.epsilon)
        facts.append(fact("epsilon", shortest_text(found.epsilon), "claimed", f"ε = {text}"))
    if found.delta is not None:
        facts.append(fact("delta", short_text(found.delta), "at δ", rational_text(found.delta)))
    return facts


def _another_relation(found: Attack) -> list[Fact]:
    """Why the experiment does not speak of a ledger that is about other neighbours."""
    if found.ledger is None or found.ledger.neighbouring != "replace-one":
        return []
    return [fact("beware", _OF_REPLACING, "beware", _OF_REPLACING)]


def _measured(found: Attack) -> list[Fact]:
    """What the counts give, each but with its share of the level."""
    facts = []
    if found.rates is not None:
        p, q = map(decimal_text, found.rates)
        facts += [
            fact("tpr", p, "true positives at least", p),
            fact("fpr", q, "false positives at most", q),
        ]
    if found.power is not None:
        most = scientific_above(found.power, _DIGITS)
        facts.append(fact("allowed", most, "true positives allowed", most))
    if found.p_value is not None:
        most = scientific_above(found.p_value, _DIGITS)
        facts.append(fact("p_value", most, "p-value at most", most))
    return facts


def _through(found: Attack, evidence: EvidenceKind) -> list[Fact]:
    """Which claim, that a ledger keeps, is rejected."""
    if found.by is None:
        return []
    epsilon, delta = found.by
    claim = {"epsilon": shortest_text(epsilon), "delta": short_text(delta)}
    text = f"ε = {exact_text(epsilon)} and δ = {short_text(delta)}"
    return [labelled("by", claim, evidence, "kept and rejected", text)]


def _turning(found: Attack) -> list[Fact]:
    if found.delta is None:
        return []
    up_to, since = (
        None if end is None else decimal_text(end)
        for end in (found.rejected_up_to, found.not_rejected_from)
    )
    return [
        fact(
            "rejected_up_to", up_to, "rejected up to", *([] if up_to is None else [f"ε = {up_to}"])
        ),
        fact(
            "not_rejected_from", since, "not rejected", *([] if since is None else [f"ε = {since}"])
        ),
    ]

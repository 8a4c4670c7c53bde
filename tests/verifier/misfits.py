"""Certificates whose steps are well formed one by one and do not fit together, all of them.

A rule is about one type of subject and rests on premises of certain forms. Each certificate here
ends in a rule that is used where it is about something else, or on a premise of which it knows
nothing. All are put together from accepted certificates: a statement about each type of subject;
no premise, or every beginning of a derivation about any of them; and every rule with the parameters
that it has in an example. Which of these fit is for the verifier's tables to say, so that a new
rule, or a new type of subject, is covered as soon as ``certs/accept`` has an example of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeVar

from exactdp.verifier.kernel import Form
from exactdp.verifier.rules import RULES
from exactdp.verifier.subjects import SUBJECTS
from tests.verifier import handmade

Certificate = dict[str, Any]
Step = dict[str, Any]

Key = TypeVar("Key")
Value = TypeVar("Value")

CLAUSE = "does not fit"
NOTIONS = ("rho", "mu")
CLAIMED = ("epsilon", "delta", *NOTIONS)


@dataclass(frozen=True)
class Misfit:
    """A certificate whose last step does not fit, and one where its rule does."""

    name: str
    rule: str
    subject: str
    premise: Form | None
    of_its_subject: bool
    """Whether the premise, if there is one, is from a derivation about the stated subject."""
    certificate: Certificate
    repaired: Certificate


def misfits(accepted: Mapping[str, Certificate]) -> Iterator[Misfit]:
    """Every rule on every subject and premise that it has nothing to say about."""
    plain = (each for each in accepted.values() if "epsilon" in each["statement"])
    abouts = _first((_subject_and_kind(each), each) for each in plain)
    uses = _first((s["rule"], (s, each)) for each in accepted.values() for s in each["derivation"])
    for rule, (step, example) in uses.items():
        kind = _subject_and_kind(example)[1]
        statements = {
            subject: abouts.get((subject, kind), about)
            for (subject, of_kind), about in abouts.items()
            if of_kind in ("upper", "rejected")
        }
        sources = statements | {
            f"mechanisms-in-{notion}": each
            for notion in NOTIONS
            for each in accepted.values()
            if notion in each["statement"]
        }
        for subject, source in product(statements, sources):
            for name, beginning in _beginnings(sources[source], alone=source == subject):
                if not _fits(rule, subject, beginning):
                    own = source == subject
                    yield Misfit(
                        f"{subject}{name if own else f'-after-{source}{name}'}-{rule}",
                        rule,
                        subject,
                        form_of(beginning),
                        own,
                        _together(statements[subject], beginning, step, example),
                        example,
                    )


def _first(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, Value]:
    """The first value of each key."""
    found: dict[Key, Value] = {}
    for key, value in pairs:
        found.setdefault(key, value)
    return found


def _subject_and_kind(example: Certificate) -> tuple[str, str]:
    return example["statement"]["subject"]["type"], example["statement"]["kind"]


def _beginnings(about: Certificate, *, alone: bool) -> Iterator[tuple[str, list[Step]]]:
    """Each step as a premise, with those before it; and no premise."""
    steps = about["derivation"]
    if alone:
        yield "", []
    for end, step in enumerate(steps, 1):
        yield f"-after-{step['rule']}", steps[:end]


def _fits(rule: str, subject: str, beginning: list[Step]) -> bool:
    """Whether a rule is about this subject, given the steps before it, by what it declares."""
    declared, premise = RULES[rule], form_of(beginning)
    stated = Form(SUBJECTS[subject], notion=declared.form.notion)
    if premise is None:
        return not declared.premises and declared.form == stated
    if premise.by is not None and not declared.premises:
        return declared.form == Form(premise.by) and stated == Form(premise.subject)
    return declared.premises == (premise,) and declared.form == stated


def form_of(steps: list[Step]) -> Form | None:
    """What the last of these steps concludes, each of which rests on the one before it."""
    form: Form | None = None
    for step in steps:
        carried = form is not None and form.by is not None
        form = Form(form.subject) if form is not None and carried else RULES[step["rule"]].form
    return form


def _together(
    about: Certificate, beginning: list[Step], step: Step, example: Certificate
) -> Certificate:
    """A step of an example, on a subject and premises of another."""
    parameters = step["parameters"]
    premises = [str(len(beginning) - 1)] if beginning else []
    claim = about["statement"] | {"theorem": example["statement"]["theorem"]}
    if "bound" in parameters:
        claim = {key: value for key, value in claim.items() if key not in ("epsilon", "delta")}
        claim |= {key: parameters[key] for key in CLAIMED if key in parameters}
        claim |= {"kind": parameters["bound"], "group": parameters.get("group", "1")}
    steps = [*beginning, {**step, "premises": premises}]
    return handmade.sealed(claim, steps)

"""Certificates whose steps are well formed one by one and do not fit together, all of them.

A rule is about one type of subject and rests on premises of certain types. Each certificate here
ends in a rule that is used where it is about something else, or on premises of which it knows
nothing. All are put together from accepted certificates: a statement about each type of subject,
every beginning of a derivation about it as premise, or none, and every rule with the parameters
that it has in an example. Which of these fit is for the verifier's tables to say, so that a new
rule, or a new type of subject, is covered as soon as ``certs/accept`` has an example of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Misfit:
    """A certificate whose last step does not fit, and one where its rule does."""

    name: str
    certificate: Certificate
    repaired: Certificate


def misfits(accepted: Mapping[str, Certificate]) -> Iterator[Misfit]:
    """Every rule on every subject and premise that it has nothing to say about."""
    abouts = _first((_subject_and_kind(each), each) for each in accepted.values())
    subjects = sorted({subject for subject, _ in abouts})
    uses = _first((s["rule"], (s, each)) for each in accepted.values() for s in each["derivation"])
    for rule, (step, example) in uses.items():
        for subject in subjects:
            kind = _subject_and_kind(example)[1]
            about = abouts.get((subject, kind)) or abouts[subject, "upper"]
            for name, beginning in _beginnings(about["derivation"]):
                if not _fits(rule, subject, beginning):
                    certificate = _together(about, beginning, step, example)
                    yield Misfit(f"{subject}{name}-{rule}", certificate, example)


def _first(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, Value]:
    """The first value of each key."""
    found: dict[Key, Value] = {}
    for key, value in pairs:
        found.setdefault(key, value)
    return found


def _subject_and_kind(example: Certificate) -> tuple[str, str]:
    return example["statement"]["subject"]["type"], example["statement"]["kind"]


def _beginnings(steps: list[Step]) -> Iterator[tuple[str, list[Step]]]:
    """No premise; and each step as a premise, with those before it."""
    yield "", []
    for end, step in enumerate(steps, 1):
        yield f"-after-{step['rule']}", steps[:end]


def _fits(rule: str, subject: str, beginning: list[Step]) -> bool:
    """Whether a rule is about this subject, given the steps before it, by what it declares."""
    stated = Form(SUBJECTS[subject].subject)
    declared = RULES[rule]
    if not beginning:
        return not declared.premises and declared.form == stated
    premise = _form(beginning)
    carried = not declared.premises and declared.form == Form(premise.by)
    return carried or (declared.premises == (premise,) and declared.form == stated)


def _form(steps: list[Step]) -> Form:
    """What the last of these steps concludes, each of which rests on the one before it."""
    form: Form | None = None
    for step in steps:
        declared = RULES[step["rule"]].form
        form = Form(form.subject) if form is not None and form.by is not None else declared
    assert form is not None
    return form


def _together(
    about: Certificate, beginning: list[Step], step: Step, example: Certificate
) -> Certificate:
    """A step of an example, on a subject and premises of another."""
    parameters = step["parameters"]
    premises = [str(len(beginning) - 1)] if beginning else []
    claim = about["statement"] | {"theorem": example["statement"]["theorem"]}
    if "bound" in parameters:
        claim |= {key: parameters[key] for key in ("epsilon", "delta")}
        claim |= {"kind": parameters["bound"], "group": parameters.get("group", "1")}
    steps = [*beginning, {**step, "premises": premises}]
    return handmade.sealed(claim, steps, int(about["cost"]) + int(example["cost"]))

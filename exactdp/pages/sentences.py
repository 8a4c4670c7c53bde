r"""The first sentence of a report: what is proved, what is refuted, and what that does not mean.

Rules of this file: plain English for readers who know no mathematics; a number is rounded so that
its sentence stays true; a colour is that of all claims, or of none where they differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.results import Composition
from exactdp.mechanisms.family import GivenBy
from exactdp.pages.facts.claims import about_claim, standing_of
from exactdp.pages.findings import Findings, Mark
from exactdp.pages.number_text import delta_of, epsilon_of
from exactdp.pages.phrases import (
    COMPUTED_ALONE,
    TAKEN_AS_GIVEN,
    mechanisms_of,
    nothing_promised,
    promise_of,
    promised,
    standing_text,
)
from exactdp.pages.standing import (
    HEADWORDS,
    Opening,
    Standing,
    standing_of_answer,
)

_ELSEWHERE: Final = (
    "It speaks of this {kind} alone. What else was done with the same data is not in it, and adds "
    "to what stands here."
)
_NOISE_AS_GIVEN: Final = (
    "That the mechanisms add this very noise, to what changes by no more than is stated, and that "
    "they were fixed in advance, is taken as given: no certificate of composition can show it."
)
_NO_LEAK: Final = (
    "Refuted does not mean that anybody's data has come out. It means that the parameters in this "
    "ledger do not bear the promise: mechanisms with these very parameters exist that break it."
)
_NOT_FALSE: Final = (
    "Not settled does not mean false. It means that what is in this ledger, or what this program "
    "knows, neither proves the promise nor refutes it."
)
_NO_RUNNING: Final = (
    "Proved is what follows from the parameters. That a program keeps them, or was run as the "
    "ledger says, no calculation can show."
)
_NO_CERTIFICATE: Final = (
    "Computed means that this program finds it so, with certain rounding. No certificate shows it, "
    "and no other program has checked it."
)
_NO_EPSILON: Final = (
    "Infeasible means that no finite ε is promised at this δ. At a greater δ there may be one."
)
_WHOEVER: Final = "This holds whatever the outcome, and whatever else is known."
_ATTITUDE: Final[dict[Standing, str]] = {
    "proved": _NO_RUNNING,
    "refuted": _NO_LEAK,
    "computed": _NO_CERTIFICATE,
    "infeasible": _NO_EPSILON,
    "unsettled": _NOT_FALSE,
}


_AS_GIVEN: Final[dict[GivenBy, str]] = {
    "epsilon-delta": TAKEN_AS_GIVEN,
    "rho-mu": TAKEN_AS_GIVEN,
    "noise": _NOISE_AS_GIVEN,
}
_KEPT_BY: Final = "Not (ε, δ)-DP for any ε below {least}, which is attained by {attained_by}."
_LESS: Final[dict[GivenBy, str]] = {
    "epsilon-delta": "No promise below ε = {least} at δ = {delta} follows from these parameters: "
    "some mechanisms that keep them would break it.",
    "rho-mu": _KEPT_BY,
    "noise": _KEPT_BY,
}


@dataclass(frozen=True, slots=True)
class Conclusion(Opening):
    """What a report concludes of a ledger: a head, with its limits.

    Attributes:
        limits: what its sentences do not say.
    """

    limits: tuple[str, ...]


def conclude(findings: Findings, head: Opening | None = None) -> Conclusion:
    """The conclusion of what was found.

    Args:
        findings: what is known of a ledger.
        head: how the command's answer begins, if it is about this ledger alone.
    """
    standings = _standings(findings) if head is None else head.standings
    sentences = (
        *map(about_claim, findings.claims),
        *map(_about_mark, findings.marks),
        *_about_answer(findings),
    )
    subject = findings.subject
    given = _AS_GIVEN[findings.ledger.given_by] if subject is None else subject.given
    elsewhere = _ELSEWHERE.format(kind="ledger" if subject is None else subject.kind)
    first = () if head is None else head.sentences
    attitudes = (_ATTITUDE[each] for each in HEADWORDS if each in standings)
    return Conclusion(
        (*first, *(each for each in sentences if each not in first)),
        standings,
        (*attitudes, given, elsewhere),
    )


def _standings(findings: Findings) -> tuple[Standing, ...]:
    """What has become of all that is claimed; of the answer, where nothing is."""
    claims = tuple(map(standing_of, findings.claims))
    claimed = (*claims, *(each.standing for each in findings.marks))
    return claimed or (standing_of_answer(findings.answer),)


def _about_mark(mark: Mark) -> str:
    given = f"The number that {mark.name} gives, {mark.text},"
    if mark.standing == "proved":
        return f"{given} is true."
    if mark.standing == "refuted":
        return f"{given} is too small: it does not follow from what is in this ledger."
    return f"{given} is neither proved nor refuted."


# --- the least ε --------------------------------------------------------------------------------


def _about_answer(findings: Findings) -> Iterator[str]:
    answer = findings.answer
    if answer is None:
        yield f"The least ε was not computed: {findings.refusal}."
        return
    delta = delta_of(answer.delta, up=True)
    if answer.evidence == "computed":
        yield COMPUTED_ALONE
    if answer.upper_end is None:
        yield nothing_promised(answer.delta)
        return
    subject = findings.subject
    opening = mechanisms_of(answer.ledger) if subject is None else subject.opening
    standing = standing_text(answer.lower_end, answer.upper_end, answer.delta, answer.evidence)
    yield promised(opening, promise_of(answer.upper_end, answer.delta), standing)
    yield _WHOEVER
    yield _about_less(answer, delta)


def _about_less(answer: Composition, delta: str) -> str:
    lower = answer.lower_end or mpq(0)
    if not lower:
        return "Nothing below is shown to be too little."
    least = epsilon_of(ExactNumber(lower), up=False)
    less = _LESS[answer.ledger.given_by]
    return less.format(least=least, delta=delta, attained_by=answer.attained_by)

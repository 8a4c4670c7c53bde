"""What a certificate about interactive mechanisms says, in plain words."""

from __future__ import annotations

from typing import Final

LIMITS: Final = (
    "That a program answers with these probabilities, and that the two inputs are neighbours, is "
    "taken as given: a certificate knows of numbers alone."
)
POST_PROCESSING: Final = (
    "The certificate writes out a mechanism that never sees the input: only what randomized "
    "response, with an ε and the δ that the claim allows, says about it. Its probabilities were "
    "added up, exactly, for each history of questions and answers: they are those of the "
    "mechanisms. So nobody learns more than randomized response tells."
)


def claim(privacy: str, *, upper: bool) -> str:
    """The claim, with the privacy that it is about in words."""
    if upper:
        return f"Whatever is asked, and in whatever order, the whole is {privacy}."
    return (
        "Someone who asks the right questions tells the two inputs apart so well that the whole is "
        f"not {privacy}."
    )


def subject(count: int) -> str:
    """So many mechanisms."""
    many = count > 1
    return (
        f"{count} interactive mechanism{'s' if many else ''}, written out with the probability of "
        "each answer on each of two neighbouring inputs"
        f"{'; any of them may be asked next, at any time' if many else ''}."
    )


def adversary(*, every: bool) -> str:
    """How an adversary was checked, against every ε or one."""
    excess = (
        "The event of those outcomes that one input excludes is, on the other, likelier than the "
        "δ claimed."
        if every
        else "The event of those outcomes whose odds exceed e^ε was formed. Its probability on one "
        "input exceeds e^ε times that on the other by more than the δ claimed."
    )
    return (
        "The certificate says what to ask after each history. The probabilities of all outcomes "
        f"were computed exactly. {excess}"
    )

r"""What certificates about experiments, and of what is written out, say in words.

Rules of this file: a claim is rejected at a level; of no ε it is said that it holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.pages.number_text import exact_text, grouped

TAKEN_AS_GIVEN_OF_EXPERIMENTS: Final = (
    "That the runs were independent, that the test and the level were fixed before them, and that "
    "nothing else was counted, is taken as given: a certificate knows of numbers alone."
)


def rejection_sentence(privacy: str, subject: Mapping[str, Any]) -> str:
    """What is rejected, and at what level."""
    level = exact_text(ExactNumber.parse(subject["level"]))
    return (
        f"That a mechanism is {privacy} is rejected by this outcome, at level {level}. Of "
        "experiments of this design with such mechanisms the test rejects at most that share. It "
        "is not said that some ε holds with a probability."
    )


def _experiment_sentence(subject: Mapping[str, Any]) -> str:
    """What was counted, and of how many tests."""
    if "canaries" in subject:
        canaries, guesses, right, choices = (
            grouped(int(subject[key])) for key in ("canaries", "guesses", "right", "guess_counts")
        )
        return (
            f"One run with {canaries} canaries, each in by a coin of its own: {right} of {guesses} "
            f"guesses were right; this number of guesses is the best of {choices}."
        )
    (found, runs), (false, others) = (
        (grouped(int(subject[key]["found"])), grouped(int(subject[key]["runs"])))
        for key in ("members", "others")
    )
    return (
        f"An attack found {found} of {runs} members, and took {false} of {others} others for one; "
        f"its test is the best of {grouped(int(subject['thresholds']))}."
    )


def written_out(subject: Mapping[str, Any]) -> str:
    """An experiment, or interactive mechanisms."""
    if subject["type"] == "experiment":
        return _experiment_sentence(subject)
    return _trees_sentence(len(subject["mechanisms"]))


def _trees_sentence(count: int) -> str:
    many = count > 1
    return (
        f"{count} interactive mechanism{'s' if many else ''}, written out with the probability of "
        "each answer on each of two neighbouring inputs"
        f"{'; any of them may be asked next, at any time' if many else ''}."
    )

r"""What has become of each thing that was asked, and how an answer begins.

Rules of this file: a command prints the first sentence of its :class:`Opening`, and its page begins
with the same one; the words and the colour of a page follow from the head's standings alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from exactdp.accountants.verdicts import AnswerVerdict
    from exactdp.composition.answers.results import Composition

Standing = Literal["proved", "computed", "refuted", "infeasible", "unsettled"]
Whole = Literal["proved", "computed", "refuted", "infeasible", "unsettled", "mixed"]
"""Of several things: what has become of all of them, where that is the same."""
HEADWORDS: Final[dict[Standing, str]] = {
    "proved": "Proved",
    "computed": "Computed",
    "refuted": "Refuted",
    "infeasible": "Infeasible",
    "unsettled": "Not settled",
}
HOLDING: Final = ("holds", "holds-with-equality")
"""What a claim has come to if it is proved, or computed without a certificate."""


@dataclass(frozen=True, slots=True)
class Opening:
    """How an answer begins, in a terminal and on a page.

    Attributes:
        sentences: what is known, the most important first: the first line of a command.
        standings: what has become of each thing that was asked; at least one.
    """

    sentences: tuple[str, ...]
    standings: tuple[Standing, ...]

    @property
    def standing(self) -> Whole:
        """What has become of all things, where it is the same; else mixed."""
        first, *others = set(self.standings)
        return "mixed" if others else first

    @property
    def counts(self) -> list[tuple[Standing, int]]:
        """How many there are of each standing that there is."""
        return counts_of(self.standings)

    @property
    def headword(self) -> str:
        """The standing in a word, or how many there are of each.

        >>> Opening((), ("proved", "refuted", "proved")).headword
        '2 proved, 1 refuted'
        """
        if self.standing != "mixed":
            return HEADWORDS[self.standing]
        return ", ".join(f"{number} {HEADWORDS[each].lower()}" for each, number in self.counts)


def standing_of_outcome(outcome: str, *, is_computed: bool = False) -> Standing:
    """What has become of a claim, by the outcome of its audit: what is computed is not proved."""
    if outcome in HOLDING:
        return "computed" if is_computed else "proved"
    return "refuted" if outcome == "refuted" else "unsettled"


def standing_of_verdict(verdict: AnswerVerdict) -> Standing | None:
    """What has become of an accountant's promise; None of what is no promise, or not comparable."""
    if verdict.standing == "judged" and not verdict.refutes:
        return "computed" if verdict.evidence == "computed" else "proved"
    if verdict.refutes:
        return "refuted"
    return "unsettled" if verdict.standing == "open" else None


def standing_of_answer(answer: Composition | None) -> Standing:
    """Whether an ε was found, or none is enough; without an answer neither."""
    if answer is None:
        return "unsettled"
    if not answer.feasible:
        return "infeasible"
    return "proved" if answer.evidence == "certificate" else "computed"


def counts_of(standings: Sequence[Standing]) -> list[tuple[Standing, int]]:
    """How many there are of each standing that there is, in the order of :data:`HEADWORDS`."""
    return [(each, standings.count(each)) for each in HEADWORDS if each in standings]

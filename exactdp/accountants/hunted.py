r"""What a hunt brings: a case or none, and what came of the questions to each accountant.

Rules of this file: that no answer could be judged is told apart from that no case was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from exactdp.accountants.checking import Checked
from exactdp.accountants.partners import MetamorphicPartner
from exactdp.accountants.protocol import AccountantQuestion
from exactdp.accountants.verdicts import STANDINGS, AnswerOutcome, AnswerVerdict
from exactdp.readable import Readable


@dataclass(frozen=True, slots=True)
class Case:
    """A ledger and a δ at which an accountant is refuted.

    Attributes:
        question: what was asked.
        checked: what was answered, with the verdict, and its certificate if there is one.
        seed: of the search that found it; None for a corner, or a ledger that was given.
        is_given: whether the hunt began at a ledger that was given.
    """

    question: AccountantQuestion
    checked: Checked
    seed: int | None
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class Searched:
    """How often each outcome came of the questions to an accountant."""

    accountant: str
    outcomes: Mapping[AnswerOutcome, int]

    @property
    def questions(self) -> int:
        """How many different ones were asked."""
        return sum(self.outcomes.values())

    @property
    def judged(self) -> int:
        """How many answers were promises that could be judged; of no finite ε there are none."""
        promised = {each: n for each, n in self.outcomes.items() if "infeasible" not in each}
        return sum(n for each, n in promised.items() if STANDINGS[each] in ("accused", "judged"))


@dataclass(frozen=True, slots=True)
class Hunted(Readable):
    """What a hunt has brought.

    Attributes:
        case: the smallest case, or None.
        searched: what came of the questions to each accountant, in turn; one with a case is last.
        complete: whether the case was shrunk as far as it goes.
        last: the last verdict that was not sound, where there is no case: why nothing was found.
        partner: the case asked in a second form; None without one.
    """

    case: Case | None
    searched: tuple[Searched, ...]
    complete: bool
    last: AnswerVerdict | None = None
    partner: MetamorphicPartner | None = None

    @property
    def questions(self) -> int:
        """How many different ones were asked."""
        return sum(each.questions for each in self.searched)

    @property
    def judged(self) -> int:
        """How many answers were promises that could be judged."""
        return sum(each.judged for each in self.searched)

    @property
    def found(self) -> str:
        """What the search has brought, in words."""
        if self.case is not None:
            return "a case"
        if self.judged:
            return "nothing; that proves nothing"
        return "nothing, for no answer could be judged"

    def facts(self) -> list[tuple[str, str]]:
        """What was asked, and what was found."""
        asked = [("questions", str(self.questions)), ("judged", str(self.judged))]
        if self.case is None:
            return [*asked, ("found", self.found)]
        return [*asked, ("ledger", str(self.case.question.ledger)), *self.case.checked.facts()]

r"""A second form of the same question: n copies written out, against one mechanism with count n.

Rules of this file: both forms are about the same mechanisms, so that two numbers that differ are
two answers to one question; equal numbers show nothing, and neither does a refusal. Numbers that
differ by less than accountants round off are equal.

Theory of operation: a metamorphic relation. Both answers may be upper bounds, so that their being
different refutes neither; but who maintains an accountant sees without a theorem where to look.
Where a count is above a hundred, it is written as a hundred groups that add up to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from gmpy2 import mpq

from exactdp.accountants.accountants import Accountant
from exactdp.accountants.process import Conversation
from exactdp.accountants.protocol import AccountantAnswer, AccountantQuestion
from exactdp.accountants.verdicts import LEAST_GAPS
from exactdp.mechanisms import Entry

_MOST_COPIES: Final = 100


@dataclass(frozen=True, slots=True)
class MetamorphicPartner:
    """The same question in its second form, and both answers.

    Attributes:
        entries: how many groups the mechanisms were written as.
        answer: to the second form.
        first: to the first.
    """

    entries: int
    answer: AccountantAnswer
    first: AccountantAnswer

    @property
    def outcome(self) -> PartnerOutcome:
        """How the second answer compares with the first."""
        if self.answer.state != "answered":
            return "no-number"
        of_epsilon, of_delta = LEAST_GAPS
        near = _near(self.answer.epsilon, self.first.epsilon, lambda _: of_epsilon) and _near(
            self.answer.delta, self.first.delta, lambda number: of_delta * abs(number)
        )
        return "same" if near else "different"


PartnerOutcome = Literal["same", "different", "no-number"]


def _near(second: mpq | str | None, first: mpq | str | None, allowed: Callable[[mpq], mpq]) -> bool:
    """Whether two numbers are the same but for rounding; what is no number is compared as it is."""
    if isinstance(first, mpq) and isinstance(second, mpq):
        return abs(second - first) <= allowed(first)
    return second == first


def partner_of(question: AccountantQuestion) -> AccountantQuestion | None:
    """The second form of a question; None where no mechanism has a count above 1.

    >>> from exactdp.ledger.model import Ledger
    >>> asked = AccountantQuestion(Ledger.of([("1", 0, 3)]), delta=0)
    >>> [each.count for each in partner_of(asked).ledger]
    [1, 1, 1]
    """
    written = tuple(each for m in question.ledger.mechanisms for each in _copies(m))
    if len(written) == len(question.ledger.mechanisms):
        return None
    return replace(question, ledger=replace(question.ledger, mechanisms=written), events=None)


def _copies(mechanism: Entry) -> Iterator[Entry]:
    parts = min(mechanism.count, _MOST_COPIES)
    each, more = divmod(mechanism.count, parts)
    for number in range(parts):
        yield mechanism.times(each + (number < more))


def ask_partner(
    accountant: Accountant,
    conversation: Conversation,
    question: AccountantQuestion,
    first: AccountantAnswer,
) -> MetamorphicPartner | None:
    """Ask the second form of a question that was answered; None where there is none."""
    partner = partner_of(question)
    if partner is None:
        return None
    answer = accountant.ask(partner, conversation)
    return MetamorphicPartner(len(partner.ledger.mechanisms), answer, first)

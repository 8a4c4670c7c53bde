r"""Hunt from a ledger that is given: ask an accountant about it, and make it small if it fails.

Rules of this file: every question is one that is smaller than the last case; a case counts only if
a certificate or a computation refutes it; what is left when time ends is a case as well.

Theory of operation: groups are left out one by one, then counts are lowered, to 1, by half, and by
one; whatever still refutes the accountant is kept, until nothing smaller does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gmpy2 import mpq

from exactdp.accountants.accountants import Accountant
from exactdp.accountants.checking import Checked
from exactdp.accountants.hunted import Case, Hunted, Searched
from exactdp.accountants.hunting import is_case, not_installed
from exactdp.accountants.partners import ask_partner
from exactdp.accountants.process import Conversation, Limits
from exactdp.accountants.protocol import AccountantQuestion
from exactdp.accountants.verdicts import AnswerOutcome, AnswerVerdict, Truth, judge
from exactdp.errors import InputError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Entry
from exactdp.timing.reading import seconds as read

_COST_OF_A_CASE: Final = 10**9


def hunt_from(
    accountant: Accountant,
    ledger: Ledger,
    *,
    seconds: float,
    limits: Limits,
    least_gap: mpq | None = None,
) -> Hunted:
    """Ask about a ledger at its own δ; what is refuted is made small for at most ``seconds``.

    Args:
        accountant: whom to ask.
        ledger: of mechanisms of any notion, with a target_delta.
        seconds: after which nothing smaller is looked for.
        limits: of one answer.
        least_gap: how much too small the ε must be at least; relative where the gap is in δ. None
            stands for that from which on somebody is accused.

    Raises:
        InputError: the accountant is not installed, or the ledger states no δ.
        UnsupportedError: the ledger holds what no rule composes.
    """
    if ledger.target_delta is None:
        raise InputError(
            field="target_delta",
            value="nothing",
            expected="a ledger that states the δ at which an accountant is asked",
        )
    end = read() + seconds
    if ledger.given_by == "epsilon-delta":
        ledger = replace(ledger, mechanisms=ledger.approximate(), neighbouring="unspecified")
    bare = Ledger(
        ledger.mechanisms, target_delta=ledger.target_delta, neighbouring=ledger.neighbouring
    )
    with accountant.conversation(limits) as conversation:
        shrinking = _Shrinking(accountant, conversation, least_gap)
        case = shrinking.case_of(bare)
        if case is None:
            return Hunted(None, (shrinking.searched,), complete=True, last=shrinking.last)
        complete = True
        while complete and (smaller := shrinking.smaller(case, end)) is not case:
            case, complete = smaller, read() <= end
        answer = case.checked.answer
        partner = ask_partner(accountant, conversation, case.question, answer)
    return Hunted(case, (shrinking.searched,), complete, partner=partner)


class _Shrinking:
    """Questions asked so far."""

    def __init__(
        self, accountant: Accountant, conversation: Conversation, least_gap: mpq | None
    ) -> None:
        self._accountant = accountant
        self._conversation = conversation
        self._least_gap = least_gap
        self._outcomes: Counter[AnswerOutcome] = Counter()
        self.last: AnswerVerdict | None = None

    @property
    def searched(self) -> Searched:
        """What came of the questions so far."""
        return Searched(self._accountant.name, dict(self._outcomes))

    def case_of(self, ledger: Ledger) -> Case | None:
        """The case that a ledger is, or None."""
        question = AccountantQuestion(ledger, delta=ledger.target_delta)
        answer = self._accountant.ask(question, self._conversation)
        verdict = judge(answer, Truth(question, max_cost=_COST_OF_A_CASE))
        if verdict.outcome == "not-installed":
            raise not_installed(self._accountant)
        self._outcomes[verdict.outcome] += 1
        if not is_case(verdict, self._least_gap):
            self.last = self.last if verdict.outcome == "sound" else verdict
            return None
        checked = Checked(self._accountant.name, answer, verdict)
        return Case(question, checked, seed=None, is_given=True)

    def smaller(self, case: Case, end: float) -> Case:
        """A smaller case; the same one if there is none, or no time."""
        for ledger in _smaller_ledgers(case.question.ledger):
            if read() > end:
                break
            found = self.case_of(ledger)
            if found is not None:
                return found
        return case


def _smaller_ledgers(ledger: Ledger) -> Iterator[Ledger]:
    """Ledgers without one of the groups, and with one of the counts lowered."""
    groups = ledger.mechanisms
    if len(groups) > 1:
        for index in range(len(groups)):
            yield replace(ledger, mechanisms=groups[:index] + groups[index + 1 :])
    for index, group in enumerate(groups):
        for count in sorted({1, group.count // 2, group.count - 1}):
            if 1 <= count < group.count:
                yield replace(ledger, mechanisms=_with_count(groups, index, count))


def _with_count(groups: tuple[Entry, ...], index: int, count: int) -> tuple[Entry, ...]:
    return (*groups[:index], groups[index].times(count), *groups[index + 1 :])

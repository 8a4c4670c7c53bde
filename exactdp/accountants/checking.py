r"""Crosscheck: one question, asked of many accountants, and the verdict on each.

Rules of this file: accountants are asked one after the other, each in a process of its own that is
gone before the next is asked; what one of them does cannot touch another.

Theory of operation: an accountant is first asked as its users would, with the nearest doubles. If
its answer is refuted, it is asked again with every double rounded against the accusation, and that
answer is the one that counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from exactdp.accountants.accountants import Accountant, install_command
from exactdp.accountants.process import Limits
from exactdp.accountants.protocol import AccountantAnswer
from exactdp.accountants.verdicts import AnswerVerdict, Truth, judge
from exactdp.readable import Readable


@dataclass(frozen=True, slots=True)
class Checked(Readable):
    """An accountant, what it said, and what becomes of it."""

    accountant: str
    answer: AccountantAnswer
    verdict: AnswerVerdict

    def facts(self) -> list[tuple[str, str]]:
        """Who was asked, and the verdict."""
        return [("accountant", self.accountant), *self.verdict.facts()]


def crosscheck(
    truth: Truth, accountants: Iterable[Accountant], limits: Limits
) -> Iterator[Checked]:
    """Ask each accountant the question of ``truth``, and judge what it says."""
    for accountant in accountants:
        with accountant.conversation(limits) as conversation:
            answer = accountant.ask(truth.question, conversation, against=False)
            verdict = judge(answer, truth)
            if verdict.is_refuted:
                answer = accountant.ask(truth.question, conversation)
                verdict = _confirmed(judge(answer, truth))
        if verdict.outcome == "not-installed":
            verdict = AnswerVerdict("not-installed", install_command(accountant))
        yield Checked(accountant.name, answer, verdict)


def _confirmed(verdict: AnswerVerdict) -> AnswerVerdict:
    """The verdict on the second answer; without a claim it neither confirms nor clears."""
    if verdict.epsilon is None and not verdict.is_refuted:
        return AnswerVerdict(
            "undecided", f"refuted, but not for the harder question: {verdict.message}"
        )
    return verdict


def checked_values(
    truth: Truth, values: Iterable[tuple[str, AccountantAnswer]]
) -> Iterator[Checked]:
    """The verdicts on answers that are there already."""
    for name, answer in values:
        yield Checked(name, answer, judge(answer, truth))

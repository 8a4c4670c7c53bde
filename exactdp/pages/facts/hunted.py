r"""What is known after a search for a ledger on which an accountant under-reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq

from exactdp.accountants.hunted import Case, Hunted, Searched
from exactdp.accountants.partners import MetamorphicPartner
from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.ledger.formats.fields import Texts
from exactdp.ledger.formats.json_ledger import mechanism_entry
from exactdp.ledger.model import Ledger
from exactdp.pages.facts import Fact, fact, listed, result_of, shown
from exactdp.pages.facts.accountants import (
    claim_text,
    describe,
    neighbouring_fact,
    verdict_facts,
)
from exactdp.pages.facts.numbers import delta_fact
from exactdp.pages.maintainers import answer_text, found_by, partner_text
from exactdp.pages.number_text import grouped, rational_text
from exactdp.pages.phrases import counted

_CASE: Final = "accountant mechanisms delta neighbouring fixed_size seed partner files"
_BATCHES: Final = "batches of a fixed size, where a record is replaced: one pair of their inputs"


def hunt_facts(
    hunted: Hunted, seeds: Sequence[int], written: Sequence[str], timeout: float
) -> list[Fact]:
    """Who was searched and what came of it, and the case that was found."""
    lines = [f"{each.accountant}: {_outcomes(each)}" for each in hunted.searched]
    return [
        fact("searched", [_searched(each) for each in hunted.searched], "accountant", *lines),
        fact("seeds", list(seeds)),
        fact("questions", hunted.questions),
        fact("judged", hunted.judged),
        fact("complete", hunted.complete),
        *(
            _nothing_facts(hunted, timeout)
            if hunted.case is None
            else _found_facts(hunted, hunted.case, written)
        ),
    ]


def hunt_sentence(hunted: Hunted) -> str:
    """What was found, or that nothing was."""
    names, case = ", ".join(each.accountant for each in hunted.searched), hunted.case
    asked, judged = counted(hunted.questions, "question"), counted(hunted.judged, "answer")
    if case is not None:
        claims = claim_text(case.checked.verdict, delta=case.question.delta)
        mechanisms = counted(case.question.ledger.size, "mechanism")
        name = case.checked.accountant
        return f"The accountant {name} says {claims} of {mechanisms}, which is false."
    if not hunted.judged:
        return f"Nothing was checked: {asked} to {names} brought no answer that can be judged."
    return f"No ledger was found, by {judged} to {asked}, on which {names} says what is false."


def mechanism_facts(ledger: Ledger) -> list[list[Fact]]:
    """The mechanisms of a case, each in a line."""
    if ledger.given_by == "epsilon-delta":
        return [
            [
                fact("epsilon", shortest_text(each.epsilon), "ε", shortest_text(each.epsilon)),
                fact("delta", short_text(each.delta), "δ", rational_text(each.delta)),
                fact("count", each.count, "count", grouped(each.count)),
            ]
            for each in ledger.approximate()
        ]
    from exactdp.pages.shares import parameters_of  # noqa: PLC0415 (only for noise)

    texts = Texts()
    return [
        [
            shown("mechanism", parameters_of(each)),
            *(fact(key, value) for key, value in mechanism_entry(each, texts).items()),
            fact("count", each.count, "count", grouped(each.count)),
        ]
        for each in ledger.mechanisms
    ]


def _nothing_facts(hunted: Hunted, timeout: float) -> list[Fact]:
    found = [fact("found", None, "found", hunted.found)]
    if hunted.last is not None:
        found.append(shown("the last doubt", describe(hunted.last)))
    if not hunted.judged and not any("undecided" in each.outcomes for each in hunted.searched):
        found.append(shown("try", f"--timeout with more than {timeout:g} seconds for an answer"))
    return found


def _found_facts(hunted: Hunted, case: Case, written: Sequence[str]) -> list[Fact]:
    """The case in words; for programs all of it is one object."""
    question, verdict = case.question, case.checked.verdict
    delta, partner = question.delta or mpq(0), hunted.partner
    certificate = None if verdict.certificate is None else written[0]
    known = [
        delta_fact(delta),
        neighbouring_fact(question.ledger),
        fact(
            "fixed_size",
            question.fixed_size,
            "stands for",
            *([_BATCHES] if question.fixed_size else []),
        ),
        shown("claims", claim_text(verdict, delta=question.delta)),
        fact(
            "accountant",
            result_of(verdict_facts(case.checked, certificate, delta=None)),
            "verdict",
            describe(verdict),
        ),
        fact("mechanisms", [result_of(row) for row in mechanism_facts(question.ledger)]),
        fact("seed", case.seed),
        _partner_fact(partner),
        *listed("files", "written", written),
    ]
    shrunk = "" if hunted.complete else " (time ended the shrinking)"
    told = [shown(each.title, *each.lines) for each in known]
    return [fact("found", result_of(known, _CASE), "found", f"by {found_by(case)}{shrunk}"), *told]


def _partner_fact(partner: MetamorphicPartner | None) -> Fact:
    if partner is None:
        return fact("partner", None)
    answer = answer_text(partner.answer)
    value = {"entries": partner.entries, "outcome": partner.outcome, "answer": answer}
    return fact("partner", value, "its partner", partner_text(partner))


def _searched(searched: Searched) -> dict[str, object]:
    outcomes = {str(outcome): number for outcome, number in searched.outcomes.items()}
    return {"accountant": searched.accountant, "outcomes": outcomes}


def _outcomes(searched: Searched) -> str:
    """How many questions were asked, and what came of them."""
    listing = ", ".join(f"{grouped(n)} {outcome}" for outcome, n in searched.outcomes.items())
    asked = counted(searched.questions, "question")
    return f"{asked} ({listing})" if listing else "no question"

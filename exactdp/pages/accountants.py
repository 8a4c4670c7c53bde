r"""The report of ``exactdp crosscheck``: what accountants say, beside the certified interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from gmpy2 import mpq

from exactdp.accountants.protocol import AccountantQuestion
from exactdp.accountants.verdicts import AnswerVerdict
from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.certificate.statement import Certificate
from exactdp.pages.findings import Detail, Findings, Mark, find, proofs_of
from exactdp.pages.standing import standing_of_verdict

_PLACES: Final = 20


@dataclass(frozen=True, slots=True)
class AccountantRow:
    """What is shown of an accountant.

    Attributes:
        name: who it is.
        claim: the number that it gives, or "".
        outcome: what becomes of it, in words.
        verdict: the same for programs.
    """

    name: str
    claim: str
    outcome: str
    verdict: AnswerVerdict


def accountant_findings(
    file: str, question: AccountantQuestion, rows: Iterable[AccountantRow], max_cost: int
) -> Findings:
    """What is known of a ledger, and of the numbers that accountants give for it."""
    shown = list(rows)
    found = find(
        file,
        question.ledger,
        delta=question.delta,
        max_cost=max_cost,
        needs_delta=False,
        others=[row.verdict.epsilon for row in shown],
    )
    made: dict[str, Certificate] = {
        f"accountant-{number}.lower": row.verdict.certificate
        for number, row in enumerate(shown, start=1)
        if row.verdict.certificate is not None
    }
    known = {each.data for each in found.proofs}
    proofs = proofs_of(found.stem, made, ledger=question.ledger)
    cells = tuple((row.name, row.claim, row.outcome) for row in shown)
    return replace(
        found,
        marks=tuple(mark for row in shown for mark in _marks(row)),
        details=(
            Detail(
                "Accountants",
                "What each says, and the verdict",
                ("accountant", "claims", "verdict"),
                cells,
            ),
        ),
        proofs=(*found.proofs, *(each for each in proofs if each.data not in known)),
    )


def _marks(row: AccountantRow) -> list[Mark]:
    """The number that is judged; what is no number stands in the table alone."""
    epsilon, delta = row.verdict.epsilon, row.verdict.delta
    standing = standing_of_verdict(row.verdict)
    if standing is None or epsilon is None or delta is None:
        return []
    place = enclose_in_decimals(epsilon, _PLACES)[1]
    return [Mark(row.name, row.claim, place, max(delta, mpq(0)), standing)]

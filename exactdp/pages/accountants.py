r"""The report of ``exactdp crosscheck``: what accountants say, beside the certified interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gmpy2 import mpq

from exactdp.accountants.checking import Checked
from exactdp.accountants.protocol import AccountantQuestion
from exactdp.accountants.values import VALUE
from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.certificate.statement import Certificate
from exactdp.pages.facts.accountants import claim_text, verdict_facts
from exactdp.pages.findings import Detail, Findings, Mark, find, proofs_of
from exactdp.pages.page import name_of, report_page
from exactdp.pages.standing import Opening, standing_of_verdict

_PLACES: Final = 20


def accountants_page(
    source: str | None,
    question: AccountantQuestion,
    rows: Sequence[Checked],
    max_cost: int,
    head: Opening,
) -> bytes:
    """A page on a ledger, and on the numbers that accountants give for it."""
    return report_page([accountant_findings(name_of(source), question, rows, max_cost)], head)


def accountant_findings(
    file: str, question: AccountantQuestion, rows: Sequence[Checked], max_cost: int
) -> Findings:
    """What is known of a ledger, and of the numbers that accountants give for it."""
    found = find(
        file,
        question.ledger,
        delta=question.delta,
        max_cost=max_cost,
        needs_delta=False,
        others=[row.verdict.epsilon for row in rows],
    )
    made: dict[str, Certificate] = {
        f"accountant-{number}.lower": row.verdict.certificate
        for number, row in enumerate(rows, start=1)
        if row.verdict.certificate is not None
    }
    known = {each.data for each in found.proofs}
    proofs = proofs_of(found.stem, made, ledger=question.ledger)
    return replace(
        found,
        marks=tuple(mark for row in rows for mark in _marks(row)),
        details=(
            Detail(
                "Accountants",
                "What each says, and the verdict",
                [verdict_facts(row, None, delta=None) for row in rows],
            ),
        ),
        proofs=(*found.proofs, *(each for each in proofs if each.data not in known)),
    )


def _name_of(row: Checked) -> str:
    """Who gives the number."""
    return "a tool without a name" if row.accountant == VALUE else row.accountant


def _marks(row: Checked) -> list[Mark]:
    """The number that is judged; what is no number stands in the table alone."""
    epsilon, delta = row.verdict.epsilon, row.verdict.delta
    standing = standing_of_verdict(row.verdict)
    if standing is None or epsilon is None or delta is None:
        return []
    place = enclose_in_decimals(epsilon, _PLACES)[1]
    claim = claim_text(row.verdict, delta=None)
    return [Mark(_name_of(row), claim, place, max(delta, mpq(0)), standing)]

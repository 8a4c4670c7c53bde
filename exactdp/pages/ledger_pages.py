r"""The pages of ``compose``, ``certify`` and ``audit``: one finding for each ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from exactdp.certificate.statement import Certificate
from exactdp.composition.answers.proving import Proofs
from exactdp.composition.answers.results import Composition
from exactdp.ledger.model import Ledger
from exactdp.pages.facts import Fact
from exactdp.pages.findings import Detail, find
from exactdp.pages.page import name_of, report_page
from exactdp.pages.standing import Opening
from exactdp.timing.clock import Clock


def composition_page(
    source: str | None,
    answer: Composition,
    proofs: Proofs[Certificate],
    max_cost: int,
    clock: Clock,
    head: Opening,
) -> bytes:
    """A page on a ledger whose answer and certificates are known."""
    found = find(
        name_of(source),
        answer.ledger,
        delta=answer.delta,
        max_cost=max_cost,
        known=answer,
        proofs=proofs,
        clock=clock,
    )
    return report_page([found], head)


def claim_page(
    source: str | None, ledger: Ledger, *, head: Opening, known: Sequence[Fact], max_cost: int
) -> bytes:
    """A page on a ledger and one claim about it, in place of the others, as it was decided."""
    [claim] = ledger.claims
    found = find(name_of(source), ledger, delta=claim.delta, max_cost=max_cost)
    detail = Detail("The claim", "As it was decided", known)
    return report_page([replace(found, details=(*found.details, detail))], head)


def claims_page(ledgers: Sequence[tuple[str, Ledger]], max_cost: int, head: Opening) -> bytes:
    """A page on these ledgers; at the δ of their first claim where they name no other."""
    found = [
        find(name_of(source), ledger, delta=None, max_cost=max_cost, needs_delta=False)
        for source, ledger in ledgers
    ]
    return report_page(found, head)

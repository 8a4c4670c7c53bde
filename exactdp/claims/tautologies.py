r"""Which claims could not have failed: a ledger that was made from a claim shows nothing of it.

Rules of this file: a claim is a tautology only if it is the parameter of the ledger's one
mechanism, or if the ledger's source says of it that something in the ledger was chosen so that it
comes out, as ``"derived_from_claim": "CLAIM: what was chosen"`` with the claim in the words that
audits write, without its rounding. A tautology holds; it is only no finding.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.arithmetic.numbers import Number, as_number
from exactdp.claims.texts import claim_text
from exactdp.ledger.model import Claim, Ledger
from exactdp.mechanisms import Entry

DERIVED: Final = "derived_from_claim"
_OWN: Final = "it is the parameter of the ledger's one mechanism"


def tautology(ledger: Ledger, claim: Claim) -> str:
    """Why ``claim`` could not fail of ``ledger``; "" if it could.

    >>> from exactdp import Mechanism
    >>> tautology(Ledger((Mechanism("1/2"),)), Claim("1/2", None, "composition", ""))
    "it is the parameter of the ledger's one mechanism"
    """
    if claim.basis != "composition":
        return ""
    of_claim, _, chosen = ledger.said_of_source(DERIVED).partition(": ")
    if chosen and of_claim == claim_text(replace(claim, places=None), shortest_text, short_text):
        return chosen
    alone = ledger.size == 1 and _states(ledger.mechanisms[0], claim)
    return _OWN if alone else ""


def _states(entry: Entry, claim: Claim) -> bool:
    """Whether a mechanism is given by what is claimed."""
    claimed: dict[str, Number | None] = {"rho": claim.rho, "mu": claim.mu, "epsilon": claim.epsilon}
    if claim.epsilon is not None:
        claimed["delta"] = claim.delta or mpq(0)
    known = {key: as_number(value, key) for key, value in claimed.items() if value is not None}
    given = entry.shape()
    return given.keys() == known.keys() and all(
        as_number(value, key) == known[key] for key, value in given.items()
    )

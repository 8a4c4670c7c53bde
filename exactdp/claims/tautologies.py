r"""Which claims could not have failed: a ledger that was made from a claim shows nothing of it.

Rules of this file: a claim is a tautology only if it is the parameter of the ledger's one
mechanism, or if the ledger's source says of it that something in the ledger was chosen so that it
comes out, as ``"derived_from_claim": "CLAIM: what was chosen"`` with the claim in the words that
audits write. A tautology holds; it is only no finding.
"""

from __future__ import annotations

from typing import Final

from exactdp.arithmetic.decimal_text import short_text, shortest_text
from exactdp.arithmetic.numbers import ExactNumber, as_number
from exactdp.claims.texts import claim_text
from exactdp.ledger.model import Claim, Ledger
from exactdp.mechanisms import ConcentratedMechanism, Entry, GaussianMechanism, Mechanism

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
    if chosen and of_claim == claim_text(claim, shortest_text, short_text):
        return chosen
    alone = ledger.size == 1 and _states(ledger.mechanisms[0], claim)
    return _OWN if alone else ""


def _states(entry: Entry, claim: Claim) -> bool:
    """Whether a mechanism is given by what is claimed."""
    if isinstance(entry, Mechanism) and claim.epsilon is not None:
        return entry.epsilon == claim.epsilon and entry.delta == (claim.delta or 0)
    if isinstance(entry, ConcentratedMechanism) and claim.rho is not None:
        return as_number(claim.rho, "rho") == ExactNumber(entry.rho)
    if isinstance(entry, GaussianMechanism) and claim.mu is not None:
        return as_number(claim.mu, "mu") == as_number(entry.mu, "mu")
    return False

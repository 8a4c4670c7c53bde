r"""What an attack gains, as a part of a report: right guesses from even odds, and the advantage.

Rules of this file: both rest on the profile at ε = 0, which the report has no certificate of, and
are marked as computed; what would cost too much is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from exactdp.attacks.risk import PRIOR, risk
from exactdp.composition.answers.point_proofs import PointProofs
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.pages.facts.risk import risk_rows, risk_sentence
from exactdp.pages.findings import Detail, Findings

_UNPROVED: Final = PointProofs({}, ("lower", "upper"))
_MORE: Final = (
    "exactdp risk says the same of other priors and of rates of false positives, with certificates."
)


def add_gains(found: Findings, max_cost: int) -> Findings:
    """The findings, with what an attack on membership gains unless that would cost more."""
    return replace(found, details=(*found.details, *_gains_of(found.ledger, max_cost)))


def _gains_of(ledger: Ledger, max_cost: int) -> Iterator[Detail]:
    try:
        found = risk(ledger, prior=[PRIOR], max_cost=max_cost)
    except CostLimitError:
        return
    rows = risk_rows(found, [_UNPROVED, _UNPROVED])
    remarks = risk_sentence(found, rows), _MORE
    yield Detail("What an attack gains", "Right guesses and advantage", rows, remarks)

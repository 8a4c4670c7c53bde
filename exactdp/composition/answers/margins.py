r"""By how much a decided claim holds, or falls short: the least ε at its δ, or δ at its ε.

Rules of this file: a margin is a lower bound, of ends that are certain; it is looked for where that
costs little, and is no part of the decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.answers.results import EvidenceKind
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger

MOST_COST: Final = 2 * 10**9
"""A margin is worth about two seconds."""
_TOLERANCES: Final = (None, "1e-3", "1e-2")
PLACES: Final = 60
"""Decimal places at which a claimed ε is enclosed."""


@dataclass(frozen=True, slots=True)
class Margin:
    """What holds beside a claim.

    Attributes:
        of: whether it is about ``epsilon`` or ``delta``.
        lower: nothing below this end is enough.
        upper: this end is enough; None where no finite one is known.
        least: by how much the claim holds, or falls short, at least.
        evidence: what the ends rest on.
    """

    of: str
    lower: mpq
    upper: mpq | None
    least: mpq
    evidence: EvidenceKind


def margin_of(
    ledger: Ledger, epsilon: ExactNumber, delta: mpq, *, holds: bool, max_cost: int
) -> Margin | None:
    """By how much a claim (ε, δ) holds, or falls short; None where that would cost too much.

    Args:
        ledger: what it is about.
        epsilon: the claimed ε.
        delta: the claimed δ.
        holds: what was decided.
        max_cost: refuse work predicted to cost more.

    >>> ledger = Ledger.of([("0.1", 0, 12)])
    >>> margin_of(ledger, ExactNumber(mpq(2)), mpq(0), holds=True, max_cost=MOST_COST).least
    mpq(4,5)
    """
    below, above = enclose_in_decimals(epsilon, PLACES)
    limit = min(max_cost, MOST_COST)
    for tolerance in _TOLERANCES:
        try:
            found = compose(ledger, delta=delta, tolerance=tolerance, max_cost=limit)
        except CostLimitError:
            continue
        if found.lower_end is None or found.upper_end is None:
            return None if holds else _of_delta(ledger, epsilon, delta, limit)
        least = below - found.upper_end if holds else found.lower_end - above
        ends = found.lower_end, found.upper_end
        return Margin("epsilon", *ends, max(least, mpq(0)), found.evidence)
    return None


def _of_delta(ledger: Ledger, epsilon: ExactNumber, delta: mpq, max_cost: int) -> Margin | None:
    """What a claim lacks whose δ no finite ε reaches."""
    try:
        [point] = profile(ledger, epsilon=[epsilon], max_cost=max_cost)
    except CostLimitError:
        return None
    least = max(point.lower_end - delta, mpq(0))
    return Margin("delta", point.lower_end, point.upper_end, least, point.evidence)

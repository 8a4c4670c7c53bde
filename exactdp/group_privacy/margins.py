r"""By how much a decided claim about groups holds, or falls short, in ε.

Rules of this file: as in :mod:`exactdp.composition.answers.margins`; where neighbours alone refute
a claim, their lower end is what it falls short of.
"""

from __future__ import annotations

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.margins import MOST_COST, PLACES, Margin
from exactdp.errors import CostLimitError
from exactdp.group_privacy.answers import compose_for_groups
from exactdp.ledger.model import Ledger


def margin_for_groups(
    ledger: Ledger, group: int, epsilon: ExactNumber, delta: mpq, *, holds: bool, max_cost: int
) -> Margin | None:
    """By how much a claim (ε, δ) about groups holds, or falls short; None where none is known.

    Args:
        ledger: what it is about.
        group: g >= 2.
        epsilon: the claimed ε.
        delta: the claimed δ.
        holds: what was decided.
        max_cost: refuse work predicted to cost more.

    >>> ledger = Ledger.of([("0.1", 0, 12)])
    >>> margin_for_groups(
    ...     ledger, 2, ExactNumber(mpq(3)), mpq(0), holds=True, max_cost=MOST_COST
    ... ).least
    mpq(3,5)
    """
    try:
        found = compose_for_groups(ledger, group, delta=delta, max_cost=min(max_cost, MOST_COST))
    except CostLimitError:
        return None
    if found.lower is None or found.upper is None:
        return None
    below, above = enclose_in_decimals(epsilon, PLACES)
    upper = enclose_in_decimals(found.upper, PLACES)[1]
    least = below - upper if holds else found.lower - above
    return Margin("epsilon", found.lower, upper, max(least, mpq(0)), found.evidence)

r"""``exactdp.certify``: a claim (ε, δ), proved or refuted, with a certificate either way."""

from __future__ import annotations

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.composition.answers.approaches import answering
from exactdp.composition.answers.arguments import (
    LedgerLike,
    ledger_of,
    nonnegative,
    probability,
)
from exactdp.composition.answers.results import Certified
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.ledger.model import Claim


def certify(
    ledger: LedgerLike,
    *,
    epsilon: Number,
    delta: Number,
    places: int | None = None,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Certified:
    r"""Prove or refute "every composition is (ε, δ)-DP", with a certificate either way.

    Args:
        ledger: as for :func:`exactdp.compose`.
        epsilon: the claimed ε >= 0, in nats.
        delta: the claimed δ in [0, 1].
        places: the decimal places to which ε was rounded: it is judged up to the greatest number
            that rounds to it; None for ε as it stands.
        method: as for :func:`exactdp.compose`.
        max_cost: as for :func:`exactdp.compose`.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: undecided within the limits, or, with ρ, neither derivable by the rules
            nor refuted.

    >>> certify([("0.1", 0, 12)], epsilon="1.2", delta=0).holds
    True
    """
    ledger = ledger_of(ledger)
    claimed, target = nonnegative(epsilon), probability(delta)
    if places is not None:
        claimed = rounded_claim(claimed, target, places)
    return answering(ledger, method, max_cost).certify(claimed, target)


def rounded_claim(epsilon: ExactNumber, delta: mpq, places: int) -> ExactNumber:
    """The greatest ε that rounds to the claimed one.

    Raises:
        InputError: ε has more decimal places than that.
    """
    stated = Claim(epsilon, delta, "composition", "as it was published", places=places)
    return stated.within_rounding.number

r"""``exactdp.certify``: a claim (ε, δ), proved or refuted, with a certificate either way."""

from __future__ import annotations

from exactdp.arithmetic.numbers import Number
from exactdp.composition.answers.approaches import answering
from exactdp.composition.answers.arguments import (
    LedgerLike,
    ledger_of,
    nonnegative,
    probability,
)
from exactdp.composition.answers.results import Certified
from exactdp.composition.planner import DEFAULT_MAX_COST


def certify(
    ledger: LedgerLike,
    *,
    epsilon: Number,
    delta: Number,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Certified:
    r"""Prove or refute "every composition is (ε, δ)-DP", with a certificate either way.

    Args:
        ledger: as for :func:`exactdp.compose`.
        epsilon: the claimed ε >= 0, in nats.
        delta: the claimed δ in [0, 1].
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
    return answering(ledger, method, max_cost).certify(claimed, target)

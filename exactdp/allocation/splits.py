r"""Scaling proportions to a budget: under basic composition, and under the certified optimum.

Rules of this file: what falls below the ε that it must have is held there, and the others are
scaled again; every ε that comes out is rational.

Theory of operation: holding one more statistic only lowers the scale of the others, so that
whatever is held stays below its floor, and the rounds end with the number of statistics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from exactdp.allocation.statistics import Statistic
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.budgets.answers import ScaleAnswer
from exactdp.budgets.budget import largest_scale
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism


@dataclass(frozen=True, slots=True)
class Party:
    """A statistic, and the ε below which it may not fall.

    Attributes:
        statistic: the statistic.
        floor: what its target asks for; 0 without one.
        held: the ε that it has in any case, or None if it takes part in the sharing.
    """

    statistic: Statistic
    floor: mpq
    held: mpq | None


@dataclass(frozen=True, slots=True)
class Scaled:
    """The largest multiple of proportions that keeps a budget.

    Attributes:
        epsilons: ε of each party; None if even what is held does not fit.
        pinned: the places of the parties that are at their floors.
        answer: what the search for the scale found.
    """

    epsilons: tuple[mpq, ...] | None
    pinned: frozenset[int]
    answer: ScaleAnswer


def ledger_of_parties(parties: Sequence[Party], epsilons: Sequence[mpq]) -> Ledger:
    """The mechanisms (ε_i, δ_i) that the statistics are, labelled by their names."""
    return Ledger(
        tuple(
            Mechanism(
                ExactNumber(epsilon),
                party.statistic.delta,
                party.statistic.count,
                party.statistic.name,
            )
            for party, epsilon in zip(parties, epsilons, strict=True)
        )
    )


def scaled_to_sum(
    parties: Sequence[Party], sizes: Sequence[mpq], total: mpq
) -> tuple[mpq, ...] | None:
    """The largest multiple of ``sizes`` whose ε add up to ``total``; None if floors do not fit."""
    pinned = {i: party.held for i, party in enumerate(parties) if party.held is not None}
    counts = [party.statistic.count for party in parties]
    while True:
        free = [i for i in range(len(parties)) if i not in pinned]
        rest = total - sum((counts[i] * held for i, held in pinned.items()), mpq(0))
        if rest < 0 or (free and not rest):
            return None
        whole = sum((counts[i] * sizes[i] for i in free), mpq(0))
        scale = rest / whole if free else mpq(0)
        fallen = {i: parties[i].floor for i in free if scale * sizes[i] < parties[i].floor}
        if not fallen:
            return tuple(
                pinned[i] if i in pinned else scale * sizes[i] for i in range(len(parties))
            )
        pinned |= fallen


def scaled_to_optimum(
    parties: Sequence[Party],
    sizes: Sequence[mpq],
    *,
    epsilon: ExactNumber,
    delta: mpq,
    tolerance: Number,
    max_cost: int,
) -> Scaled:
    """The largest multiple of ``sizes`` that composes to (ε, δ), by the certified optimum.

    Raises:
        CostLimitError: undecided within the limits.
    """
    pinned = {i: party.held for i, party in enumerate(parties) if party.held is not None}
    while True:
        start = [pinned.get(i, size) for i, size in enumerate(sizes)]
        answer = largest_scale(
            ledger_of_parties(parties, start),
            epsilon=epsilon,
            delta=delta,
            hold=[parties[i].statistic.name for i in sorted(pinned)],
            tolerance=tolerance,
            max_cost=max_cost,
        )
        floors = frozenset(i for i in pinned if parties[i].held is None)
        if answer.outcome == "unbounded":  # nothing is free, and all fits
            return Scaled(tuple(start), floors, answer)
        scale = answer.lower
        if not scale:
            return Scaled(None, floors, answer)
        free = [i for i in range(len(parties)) if i not in pinned]
        fallen = {i: parties[i].floor for i in free if scale * sizes[i] < parties[i].floor}
        if not fallen:
            found = (pinned.get(i, scale * size) for i, size in enumerate(sizes))
            return Scaled(tuple(found), floors, answer)
        pinned |= fallen

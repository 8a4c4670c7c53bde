r"""Parameters of queries as composition sees them: integer weights, and ledgers of colours.

Rules of this file: weights only steer searches, so that they may be rounded; what is composed is
exact. A class of disjoint queries counts as one mechanism with the greatest ε and the greatest δ in
it, or the greatest ρ, or the greatest μ; a class never mixes these notions.

Theory of operation: one row lies in at most one query of a class. Whichever it is, that query's
mechanism is (max ε, max δ)-DP, and the answers of all others have the same distribution with and
without the row, given the answers before. So the whole workload is at most as bad as one such
mechanism for each class (Smith et al., Theorem 2), composed adaptively. Where one row replaces
another, each of the two lies in at most one query of a class: all but one of its queries are within
the second greatest parameters, so that the two greatest stand for the class.

Sources: Smith et al., PoPETs 2022, sections 3 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key, lru_cache
from itertools import pairwise
from math import lcm
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare, floor_of
from exactdp.arithmetic.enclosures import ball, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Mechanism,
    Parametric,
)
from exactdp.mechanisms.multiset import merged
from exactdp.workloads.colouring import Colouring
from exactdp.workloads.domination import dominating
from exactdp.workloads.workload import Workload

_FINE: Final = 1 << 64
_NEAR_BITS: Final = 128
_WIDEST: Final = 1 << 256


def composable(entry: Parametric) -> mpq | ExactNumber:
    """What adds up in the simplest composition theorem of a notion: ε, ρ or μ²."""
    if isinstance(entry, ConcentratedMechanism):
        return entry.rho
    if isinstance(entry, GaussianMechanism):
        return entry.mu_squared
    return entry.epsilon if entry.epsilon.logs else entry.epsilon.rational


def loss_weights(workload: Workload) -> list[int]:
    """Integers >= 0 in proportion to what adds up: exactly if that is rational, else about.

    Of several notions of privacy, and of noise, that is about a ρ.
    """
    if workload.parameter is None:
        return [about_rho(query.mechanism) for query in workload]
    losses = [composable(query.parameters) for query in workload]
    rationals = [loss for loss in losses if not isinstance(loss, ExactNumber)]
    scale = lcm(*{int(loss.denominator) for loss in rationals})
    if len(rationals) < len(losses) or scale > _WIDEST:
        scale = _FINE
    known: dict[mpq | ExactNumber, int] = {}
    for loss in losses:
        if loss not in known:
            number = loss if isinstance(loss, ExactNumber) else ExactNumber(loss)
            known[loss] = floor_of(number * scale)
    return [known[loss] for loss in losses]


def adds_up(workload: Workload, delta: mpq) -> bool:
    """Whether OptComp at δ is the sum of the ε, and the weights are in proportion to them.

    It is at δ = 0 for pure mechanisms: basic composition is optimal there.
    """
    entries = [query.mechanism for query in workload]
    losses = [
        each.epsilon.rational
        for each in entries
        if isinstance(each, Mechanism) and not each.delta and not each.epsilon.logs
    ]
    if len(losses) < len(entries) or delta:
        return False
    weights, whole = loss_weights(workload), sum(losses)
    weight_of_all = sum(weights)
    return all(
        weight * whole == loss * weight_of_all for weight, loss in zip(weights, losses, strict=True)
    )


def about_rho(entry: Entry) -> int:
    """About the ρ of a mechanism, in units of 2^-64; of what has no ρ, about what would cost so."""
    return floor_of(ExactNumber(entry.rho_estimate() * _FINE))


def ledger_of_colours(workload: Workload, colouring: Colouring) -> Ledger:
    """One mechanism for each class, with the greatest parameters in it; or two, for two rows."""
    entries = [query.mechanism for query in workload]
    ranks = _ranks(entries)
    listed = [_greatest([entries[i] for i in colour], ranks) for colour in colouring]
    if workload.replaces:
        stated = [query.parameters for query in workload]
        several = ([stated[i] for i in colour] for colour in colouring if len(colour) > 1)
        listed += [_second(colour, ranks) for colour in several]
    return Ledger(merged(listed), neighbouring=workload.neighbouring, empty=True)


def ledger_of_positions(workload: Workload, positions: Colouring) -> Ledger:
    """One mechanism for each position, with the greatest parameters of what stands there."""
    entries = [query.mechanism for query in workload]
    ranks = _ranks(entries)
    listed = [_greatest([entries[i] for i in position], ranks) for position in positions]
    return Ledger(merged(listed), neighbouring=workload.neighbouring, empty=True)


_Ranks = dict[ExactNumber, int]


def _ranks(entries: Sequence[Entry]) -> _Ranks:
    """The order of all ε in value; normal forms of one value have one rank."""
    return _ranked(frozenset(each.epsilon for each in entries if isinstance(each, Mechanism)))


@lru_cache(maxsize=1)
def _ranked(epsilons: frozenset[ExactNumber]) -> _Ranks:
    if not any(epsilon.logs for epsilon in epsilons):
        return {e: rank for rank, e in enumerate(sorted(epsilons, key=lambda e: e.rational))}
    with precision(_NEAR_BITS):
        balls = {epsilon: ball(epsilon) for epsilon in epsilons}
    nearly_sorted = sorted(epsilons, key=lambda epsilon: upper_end(balls[epsilon]))
    if all(balls[one] < balls[other] for one, other in pairwise(nearly_sorted)):
        return {epsilon: rank for rank, epsilon in enumerate(nearly_sorted)}
    ranks: _Ranks = {}
    rank, previous = 0, None
    for epsilon in sorted(nearly_sorted, key=cmp_to_key(compare)):
        rank += previous is not None and compare(previous, epsilon) < 0
        ranks[epsilon], previous = rank, epsilon
    return ranks


def _second(entries: Sequence[Parametric], ranks: _Ranks) -> Entry:
    """The greatest guarantee without the first that has the greatest; δ is that of the whole."""
    most = _greatest(entries, ranks)
    first = next(i for i, entry in enumerate(entries) if _as_great(entry, most))
    second = _greatest([*entries[:first], *entries[first + 1 :]], ranks)
    if isinstance(second, Mechanism) and isinstance(most, Mechanism):
        return Mechanism(second.epsilon, most.delta)
    return second


def _as_great(entry: Entry, most: Entry) -> bool:
    """Whether an entry has the greatest parameters; of (ε, δ) that is said of ε."""
    if isinstance(entry, Mechanism) and isinstance(most, Mechanism):
        return entry.epsilon == most.epsilon
    return entry.without_label() == most.without_label()


def _greatest(entries: Sequence[Entry], ranks: _Ranks) -> Entry:
    """The mechanism whose guarantee every one of ``entries`` meets: the first of the greatest ε."""
    pairs = [entry for entry in entries if isinstance(entry, Mechanism)]
    if len(pairs) < len(entries):
        return dominating(entries)
    epsilon = max((entry.epsilon for entry in pairs), key=ranks.__getitem__)
    return Mechanism(epsilon, max(entry.delta for entry in pairs))

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

from collections.abc import Iterable, Sequence
from functools import cmp_to_key
from math import lcm
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare, floor_of
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import InternalError
from exactdp.ledger.model import (
    ConcentratedMechanism,
    GaussianMechanism,
    Ledger,
    Mechanism,
    Parametric,
)
from exactdp.parallel.colouring import Colouring
from exactdp.parallel.workload import Workload

_FINE: Final = 1 << 64
_WIDEST: Final = 1 << 256


def composable(entry: Parametric) -> mpq | ExactNumber:
    """What adds up in the simplest composition theorem of a notion: ε, ρ or μ²."""
    if isinstance(entry, ConcentratedMechanism):
        return entry.rho
    if isinstance(entry, GaussianMechanism):
        return entry.mu * entry.mu
    return entry.epsilon if entry.epsilon.logs else entry.epsilon.rational


def loss_weights(workload: Workload) -> list[int]:
    """Integers >= 0 in proportion to what adds up: exactly if that is rational, else about.

    Of several notions of privacy that is about a ρ: ε²/2, μ²/2 or ρ.
    """
    if len({type(query.mechanism) for query in workload}) > 1:
        return [_about_rho(query.mechanism) for query in workload]
    losses = [composable(query.mechanism) for query in workload]
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
    return all(
        weight * whole == loss * sum(weights) for weight, loss in zip(weights, losses, strict=True)
    )


def _about_rho(entry: Parametric) -> int:
    if isinstance(entry, ConcentratedMechanism):
        return floor_of(ExactNumber(entry.rho * _FINE))
    if isinstance(entry, GaussianMechanism):
        return floor_of(ExactNumber(entry.mu * entry.mu / 2 * _FINE))
    return floor_of(entry.epsilon * _FINE) ** 2 // (2 * _FINE)


def ledger_of_colours(workload: Workload, colouring: Colouring) -> Ledger:
    """One mechanism for each class, with the greatest parameters in it; or two, for two rows."""
    entries = [query.mechanism for query in workload]
    ranks = _ranks(entries)
    classes = [[entries[i] for i in colour] for colour in colouring]
    listed = [_greatest(colour, ranks) for colour in classes]
    if workload.replaces:
        listed += [_second(colour, ranks) for colour in classes if len(colour) > 1]
    return Ledger(merged(listed), neighbouring=workload.neighbouring)


def ledger_of_positions(workload: Workload, positions: Colouring) -> Ledger:
    """One mechanism for each position, with the greatest parameters of what stands there."""
    entries = [query.mechanism for query in workload]
    ranks = _ranks(entries)
    listed = [_greatest([entries[i] for i in position], ranks) for position in positions]
    return Ledger(merged(listed), neighbouring=workload.neighbouring)


def merged(entries: Iterable[Parametric]) -> tuple[Parametric, ...]:
    """Equal parameters as one entry with a count, without labels."""
    counts: dict[Parametric, int] = {}
    for entry in entries:
        unlabelled = bare(entry)
        counts[unlabelled] = counts.get(unlabelled, 0) + entry.count
    return tuple(bare(entry, count) for entry, count in counts.items())


def bare(entry: Parametric, count: int = 1) -> Parametric:
    """The parameters of an entry, so many times and without its label."""
    if isinstance(entry, ConcentratedMechanism):
        return ConcentratedMechanism(entry.rho, count)
    if isinstance(entry, GaussianMechanism):
        return GaussianMechanism(entry.mu, count)
    return Mechanism(entry.epsilon, entry.delta, count)


_Ranks = dict[ExactNumber, int]


def _ranks(entries: Sequence[Parametric]) -> _Ranks:
    """The order of all ε in value; normal forms of one value have one rank."""
    epsilons = {entry.epsilon for entry in entries if isinstance(entry, Mechanism)}
    ranks: _Ranks = {}
    rank, previous = 0, None
    for epsilon in sorted(epsilons, key=cmp_to_key(compare)):
        rank += previous is not None and compare(previous, epsilon) < 0
        ranks[epsilon], previous = rank, epsilon
    return ranks


def _second(entries: Sequence[Parametric], ranks: _Ranks) -> Parametric:
    """The greatest guarantee without the first that has the greatest; δ is that of the whole."""
    most = _greatest(entries, ranks)
    first = next(i for i, entry in enumerate(entries) if composable(entry) == composable(most))
    second = _greatest([*entries[:first], *entries[first + 1 :]], ranks)
    if isinstance(second, Mechanism) and isinstance(most, Mechanism):
        return Mechanism(second.epsilon, most.delta)
    return second


def _greatest(entries: Sequence[Parametric], ranks: _Ranks) -> Parametric:
    """The mechanism whose guarantee every one of ``entries`` meets: the first of the greatest ε."""
    pairs = [entry for entry in entries if isinstance(entry, Mechanism)]
    gaussian = [entry for entry in entries if isinstance(entry, GaussianMechanism)]
    concentrated = [entry for entry in entries if isinstance(entry, ConcentratedMechanism)]
    if pairs and not gaussian and not concentrated:
        epsilon = max((entry.epsilon for entry in pairs), key=ranks.__getitem__)
        return Mechanism(epsilon, max(entry.delta for entry in pairs))
    if gaussian and not concentrated and not pairs:
        return max(gaussian, key=lambda entry: entry.mu)
    if concentrated and not pairs and not gaussian:
        return max(concentrated, key=lambda entry: entry.rho)
    raise InternalError(field="colouring", value="a class", expected="one notion of privacy")

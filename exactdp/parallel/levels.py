r"""Ledgers of many different mechanisms by their noise, rounded to few: less private, and more.

Rules of this file: that each mechanism is dominated by the one that stands for it above, and
dominates the one that does below, is checked.

Theory of operation: mechanisms of one family are ordered by numbers that rise with what they reveal
(:mod:`exactdp.parallel.domination`). Of a group of them the greatest of each number makes one that
dominates all, and the least one that all dominate. Groups are ranges of about their ρ. Those by
their ρ and μ add up and need no rounding; discrete Gaussian noise of two variances has no order,
and mechanisms known by their range alone take long however few are different.

Source: ``certs/SPEC.md``, section 15.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, assert_never, cast

from gmpy2 import mpq

from exactdp.answers.rounded import near_ranges, rounded_ledgers
from exactdp.errors import InternalError
from exactdp.ledger.model import (
    ConcentratedMechanism,
    Entry,
    GaussianMechanism,
    Ledger,
    Mechanism,
)
from exactdp.ledger.noise import (
    BoundedRangeMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    LaplaceMechanism,
    PairMechanism,
    RenyiMechanism,
    SampledBase,
    SampledMechanism,
    ShuffledGaussianMechanism,
)
from exactdp.parallel.domination import are_between
from exactdp.parallel.parameters import about_rho, bare, merged
from exactdp.timing.deadlines import ask

_SUMS: Final = (ConcentratedMechanism, GaussianMechanism)
_Pick = Callable[[Iterable[mpq]], mpq]


def different_noise(ledger: Ledger) -> int:
    """How many different mechanisms a composition by noise looks at one by one."""
    return len({bare(each) for each in ledger.mechanisms if not isinstance(each, _SUMS)})


def rounded_noise(ledger: Ledger, levels: int) -> tuple[Ledger, Ledger]:
    """The ledger with mechanisms that reveal no more, and with ones that reveal no less.

    Args:
        ledger: any mechanisms.
        levels: how many different ones there shall be at most by their noise, but for families
            that have no order and one of each other; and how many different ε.
    """
    families: dict[object, list[Entry]] = {}
    for each in merged(ledger.mechanisms):
        families.setdefault(_family(each), []).append(each)
    own = max(1, levels // max(1, len(families)))
    lesser: list[Entry] = []
    greater: list[Entry] = []
    for family, entries in families.items():
        ask()
        for group in [entries] if family is None else _groups(entries, own):
            low, high = ([*group], [*group]) if family is None else _ends(group)
            lesser += low
            greater += high
    lowered, raised = (replace(ledger, mechanisms=merged(side)) for side in (lesser, greater))
    return rounded_ledgers(lowered, levels)[0], rounded_ledgers(raised, levels)[1]


def _family(entry: Entry) -> object:
    """What mechanisms of one order have in common; None of those that are left as they are."""
    match entry:
        case LaplaceMechanism():
            return type(entry)
        case DiscreteLaplaceMechanism():
            return type(entry), len(entry.shifts)
        case DiscreteGaussianMechanism():
            return type(entry), entry.variance, len(entry.shifts)
        case SampledMechanism():
            inner = GaussianMechanism if isinstance(entry.base, _SUMS) else _family(entry.base)
            return inner and (type(entry), inner)
        case (
            Mechanism()
            | ConcentratedMechanism()
            | GaussianMechanism()
            | BoundedRangeMechanism()
            | PairMechanism()
            | ShuffledGaussianMechanism()
            | RenyiMechanism()
        ):
            return None
        case _:
            assert_never(entry)


def _groups(entries: Sequence[Entry], levels: int) -> list[Sequence[Entry]]:
    ranked = sorted(((mpq(about_rho(each)), i) for i, each in enumerate(entries)))
    listed = [entries[i] for _, i in ranked]
    ranges = near_ranges([rho for rho, _ in ranked], [each.count for each in listed], levels)
    return [listed[first:end] for first, end in ranges]


def _ends(group: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    """One mechanism for all, as often as they are, on each side."""
    if len(group) == 1:
        return [*group], [*group]
    count = sum(each.count for each in group)
    low, high = _extreme(group, min), _extreme(group, max)
    if not are_between(low, group, high):
        raise InternalError(field="noise", value="rounded", expected="both ends around each")
    return [bare(low, count)], [bare(high, count)]


def _extreme(group: Sequence[Entry], pick: _Pick) -> Entry:
    """The mechanism whose numbers, which rise with what it reveals, are picked from the group's."""
    laplace = [each for each in group if isinstance(each, LaplaceMechanism)]
    if laplace:
        return LaplaceMechanism(1, pick(each.sensitivity / each.scale for each in laplace))
    noisy = [each for each in group if isinstance(each, DiscreteLaplaceMechanism)]
    if noisy:
        shifts = zip(*(each.shifts for each in noisy), strict=True)
        return DiscreteLaplaceMechanism(
            1 / pick(1 / each.scale for each in noisy), [int(pick(map(mpq, own))) for own in shifts]
        )
    sampled = [each for each in group if isinstance(each, SampledMechanism)]
    if sampled:
        base = _extreme([each.base for each in sampled], pick)
        rate = pick(each.rate for each in sampled)
        return SampledMechanism(cast("SampledBase", base), rate)
    gaussian = [each for each in group if isinstance(each, GaussianMechanism)]
    if gaussian:
        return GaussianMechanism(pick(each.mu for each in gaussian))
    discrete = [each for each in group if isinstance(each, DiscreteGaussianMechanism)]
    own_shifts = zip(*(each.shifts for each in discrete), strict=True)
    return DiscreteGaussianMechanism(
        discrete[0].variance, [int(pick(map(mpq, own))) for own in own_shifts]
    )

r"""Ledgers of many different mechanisms by their noise, rounded to few: less private, and more.

Rules of this file: that each mechanism is dominated by the one that stands for it above, and
dominates the one that does below, is checked.

Theory of operation: mechanisms of one family are ordered by numbers that rise with what they reveal
(:mod:`exactdp.workloads.domination`). Of a group of them the greatest of each number makes one that
dominates all, and the least one that all dominate. Groups are ranges of about their ρ. Those by
their ρ and μ add up and need no rounding; discrete Gaussian noise of two variances has no order,
and mechanisms known by their range alone take long however few are different.

Source: ``certs/SPEC.md``, section 7.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gmpy2 import mpq

from exactdp.composition.answers.rounded import near_ranges, rounded_ledgers
from exactdp.errors import InternalError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import (
    Entry,
)
from exactdp.mechanisms.multiset import merged
from exactdp.timing.deadlines import ask
from exactdp.workloads.domination import are_between
from exactdp.workloads.parameters import about_rho


def different_noise(ledger: Ledger) -> int:
    """How many different mechanisms a composition by noise looks at one by one."""
    return len({each.without_label() for each in ledger.mechanisms if not each.adds_up})


def rounded_noise(ledger: Ledger, levels: int) -> tuple[Ledger, Ledger]:
    """The ledger with mechanisms that reveal no more, and with ones that reveal no less.

    Args:
        ledger: any mechanisms.
        levels: how many different ones there shall be at most by their noise, but for families
            that have no order and one of each other; and how many different ε.
    """
    families: dict[object, list[Entry]] = {}
    for each in merged(ledger.mechanisms):
        families.setdefault(each.rounds_with(), []).append(each)
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
    kind = type(group[0])
    low, high = kind.extreme(group, min), kind.extreme(group, max)
    if not are_between(low, group, high):
        raise InternalError(field="noise", value="rounded", expected="both ends around each")
    return [low.without_label(count)], [high.without_label(count)]

r"""Cells: the sets of coverages, or of queries, that one value of an attribute is in.

Rules of this file: work depends on the ends of ranges that are written down, never on the size of
an attribute; every step asks the clock.

Theory of operation: a sweep over the ends of all ranges. Between two ends the set is constant; it
can be maximal only where something has just opened and something closes next. Where all coverages
are ranges it is: what closes there is in no later set, and what has just opened in no earlier one.

Sources: Smith et al., PoPETs 2022, section 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from exactdp.timing.clock import Clock
from exactdp.workloads.bitsets import Bitset, bitset, members
from exactdp.workloads.coverage import Coverage

_FEW_CELLS: Final = 1000

Coverages = dict[Coverage, list[int]]
"""Distinct coverages of an attribute, and the queries that have them."""


def are_ranges(coverages: Iterable[Coverage]) -> bool:
    """Whether each is one range."""
    return all(len(coverage.ranges) == 1 for coverage in coverages)


def maximal_cells(
    coverages: Sequence[Coverage], clock: Clock | None = None
) -> list[tuple[int, Bitset]]:
    """Values, each with the set of coverages that hold it; no set contains another.

    Raises:
        TimeIsUpError: the clock says so.

    >>> maximal_cells([Coverage.of([(0, 5)]), Coverage.of([(3, 9)]), Coverage.of([(8, 9)])])
    [(3, 3), (8, 6)]
    """
    clock = clock or Clock()
    peaks = _peaks(coverages, [[k] for k in range(len(coverages))], clock)
    return _in_order(peaks) if are_ranges(coverages) else _maximal(peaks, clock)


def held_cells(coverages: Coverages, clock: Clock) -> list[tuple[int, Bitset]]:
    """Values, each with the set of queries whose coverage holds it; no set contains another.

    Raises:
        TimeIsUpError: the clock says so.
    """
    named = list(coverages.values())
    if are_ranges(coverages):
        return _in_order(_peaks(coverages, named, clock))
    held = []
    for value, ks in maximal_cells(list(coverages), clock):
        clock.ask()
        held.append((value, bitset(chain.from_iterable(named[k] for k in members(ks)))))
    return held


def _peaks(
    coverages: Iterable[Coverage], named: Sequence[Sequence[int]], clock: Clock
) -> dict[Bitset, int]:
    """The sets that something has just joined and something is about to leave, with a value."""
    opening: dict[int, list[int]] = {}
    closing: dict[int, list[int]] = {}
    for coverage, own in zip(coverages, named, strict=True):
        for low, high in coverage.ranges:
            opening.setdefault(low, []).extend(own)
            closing.setdefault(high, []).extend(own)
    peaks: dict[Bitset, int] = {}
    current, start, grown = 0, 0, False
    for end in sorted(opening.keys() | closing.keys()):
        clock.ask()
        closed, opened = bitset(closing.get(end, ())), bitset(opening.get(end, ()))
        if closed and grown:
            peaks.setdefault(current, start)
            grown = False
        current = current & ~closed | opened
        if opened:
            start, grown = end, True
    return peaks


def _in_order(peaks: Mapping[Bitset, int]) -> list[tuple[int, Bitset]]:
    return [(value, held) for held, value in peaks.items()]


def _maximal(peaks: dict[Bitset, int], clock: Clock) -> list[tuple[int, Bitset]]:
    """The sets that no other contains, with their values, in the order of the values."""
    cells = sorted(peaks, key=int.bit_count, reverse=True)
    choose = _not_contained if len(cells) <= _FEW_CELLS else _not_contained_of_many
    kept = choose(cells, clock)
    return sorted((peaks[cell], cell) for cell in kept)


def _not_contained(cells: Iterable[Bitset], clock: Clock) -> list[Bitset]:
    """The sets, larger ones first, that no other contains."""
    kept: list[Bitset] = []
    for cell in cells:
        clock.ask()
        if all(cell & ~other for other in kept):
            kept.append(cell)
    return kept


def _not_contained_of_many(cells: Iterable[Bitset], clock: Clock) -> list[Bitset]:
    """The same in less time for many: which sets hold a member is a set itself."""
    kept: list[Bitset] = []
    holding: dict[int, Bitset] = {}
    for cell in cells:
        clock.ask()
        containing = (1 << len(kept)) - 1
        for k in members(cell):
            containing &= holding.get(k, 0)
            if not containing:
                break
        if not containing:
            for k in members(cell):
                holding[k] = holding.get(k, 0) | 1 << len(kept)
            kept.append(cell)
    return kept

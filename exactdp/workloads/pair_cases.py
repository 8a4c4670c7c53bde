r"""Case trees of two rows: what either row meets, case by case, where one replaces the other.

Purpose: an upper bound as easy to check as classes that count twice, which reaches what the queries
of the costliest two rows cost where those say more.

Rules of this file: as in :mod:`exactdp.workloads.cases`.

Theory of operation: a case is a case of the row that leaves and one of the row that enters, each
with classes of its own. A query that is a class of its own in both counts once. If the classes are
not heavier than what is aimed at, position by position, this is a leaf; else the rows of the side
whose classes are heavier are split. Where both rows are settled, what is left is what they meet, so
that a tree always exists that shows what the queries of the heaviest two rows weigh.

Source: certs/SPEC.md, section 11.18.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exactdp.timing.clock import Clock
from exactdp.workloads.cases import RowCase, Split, is_within, joined_positions
from exactdp.workloads.colouring import Colouring
from exactdp.workloads.workload import Workload

_MOST_NODES = 20_000
_MOST_DEPTH = 400


@dataclass(frozen=True, slots=True)
class PairSplit(Split):
    """Two cases by a value of the row that enters, or of the one that leaves."""

    enters: bool


@dataclass(frozen=True, slots=True)
class PairCase:
    """The classes of either row; at each position those of one row, or one query for both."""

    leaving: Colouring
    entering: Colouring

    @property
    def positions(self) -> Colouring:
        """What stands at each position, for either row."""
        return joined_positions((self.leaving, self.entering))


PairTree = tuple[PairSplit | PairCase, ...]
"""Nodes in depth-first order, the lower half of a split first."""


def cases_of(tree: PairTree) -> Iterator[PairCase]:
    """The cases."""
    return (node for node in tree if isinstance(node, PairCase))


def positions_of(tree: PairTree) -> Colouring:
    """What stands first in all cases, second, and so on."""
    return joined_positions(case.positions for case in cases_of(tree))


def pair_tree(
    workload: Workload, weights: Sequence[int], aim: Sequence[int], clock: Clock
) -> PairTree | None:
    """A tree of two rows each of whose cases keeps within what is aimed at.

    Args:
        workload: queries of one notion of privacy.
        weights: integers >= 0 that grow with the queries' parameters.
        aim: the weights of the mechanisms that shall be enough.
        clock: when to stop.
    """
    aim = sorted(aim, reverse=True)
    tree: list[PairSplit | PairCase] = []
    whole = _Side.of(RowCase.whole(workload), weights, clock)
    waiting = [((whole, whole), 0)]
    while waiting:
        if clock.is_over or len(tree) + len(waiting) > _MOST_NODES:
            return None
        (leaving, entering), depth = waiting.pop()
        case = _together(leaving, entering, weights, aim)
        if case is not None:
            tree.append(case)
            continue
        split = _best_split(leaving, entering)
        if split is None or depth == _MOST_DEPTH:
            return None
        tree.append(split)
        cases = (entering if split.enters else leaving).case.halves(split)
        for half in (_Side.of(each, weights, clock) for each in reversed(cases)):
            sides = (leaving, half) if split.enters else (half, entering)
            waiting.append((sides, depth + 1))
    return tuple(tree)


@dataclass(frozen=True, slots=True)
class _Side:
    """A case of one row, its classes, and what they weigh."""

    case: RowCase
    classes: Colouring
    weight: int

    @staticmethod
    def of(case: RowCase, weights: Sequence[int], clock: Clock) -> _Side:
        classes = case.classes(weights, 0, clock)
        return _Side(case, classes, sum(max(weights[i] for i in colour) for colour in classes))


def _together(
    leaving: _Side, entering: _Side, weights: Sequence[int], aim: Sequence[int]
) -> PairCase | None:
    """The classes of both, heaviest first, if these are not heavier than what is aimed at."""
    common = {each for each in leaving.classes if len(each) == 1} & set(entering.classes)
    pairs: list[tuple[tuple[int, ...], tuple[int, ...]]]
    pairs = [(each, each) for each in sorted(common)]
    pairs += [(each, ()) for each in leaving.classes if each not in common]
    pairs += [((), each) for each in entering.classes if each not in common]
    weighed = [(max(weights[i] for i in one or other), one, other) for one, other in pairs]
    weighed.sort(key=lambda each: each[0], reverse=True)
    if not is_within([weight for weight, _, _ in weighed], aim):
        return None
    return PairCase(tuple(one for _, one, _ in weighed), tuple(other for _, _, other in weighed))


def _best_split(leaving: _Side, entering: _Side) -> PairSplit | None:
    """A split of the side whose classes are heavier, or of the other if its rows meet the same."""
    sides = [(leaving, False), (entering, True)]
    for side, enters in sorted(sides, key=lambda each: each[0].weight, reverse=True):
        split = side.case.best_split()
        if split is not None:
            return PairSplit(split.attribute, split.below, enters)
    return None

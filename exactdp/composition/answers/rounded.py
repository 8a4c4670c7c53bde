r"""Optimal composition of many different ε, enclosed by that of few: they are rounded both ways.

Purpose: a certain interval in a part of the time, where the composition itself would not fit.

Rules of this file: that each ε lies within the two that stand for it is checked.

Theory of operation: an (ε, δ)-DP mechanism is (ε', δ)-DP for every greater ε', so that optimal
composition does not fall where an ε grows, and not rise where one falls. With every ε raised to the
greatest of its group it is an upper end, and with every one lowered to the least a lower end.
Groups are ranges of values, and the one is cut that rounding would move the sum of its ε most in.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from heapq import heappush, heapreplace
from typing import Final, NamedTuple

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import floor_log10, places_within, power_of_ten
from exactdp.arithmetic.enclosures import ball, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.composition.answers.arguments import LedgerLike, ledger_and_delta, width_for
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.optimal import optimal_evidence
from exactdp.composition.answers.results import Composition
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.composition.problem import Problem
from exactdp.composition.solver import Solver
from exactdp.errors import InternalError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism

_BITS: Final = 128
_LITTLE: Final = mpq(1, 10**5)
"""The part of the sum of all ε that is lost to tolerance, where rounding loses more."""
_OPEN: Final = "as narrow as the time limit allowed; ε are rounded to few different ones"


class _Point(NamedTuple):
    """An ε between two rationals, equal where it is one."""

    high: mpq
    low: mpq
    epsilon: ExactNumber


def different_epsilons(ledger: Ledger) -> int:
    """How many different ε the mechanisms have that are given by (ε, δ)."""
    return len({each.epsilon for each in ledger.pairs})


def compose_rounded(
    ledger: LedgerLike,
    *,
    levels: int,
    delta: Number | None = None,
    tolerance: Number | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Composition:
    """The least ε for a δ of mechanisms given by (ε, δ), each ε rounded to one of few.

    Its certificates are those of the ledger as it is: they take the time that this saves.

    Args:
        ledger: mechanisms given by (ε, δ).
        levels: to how many different ε they are rounded at most; at least 1.
        delta: the global δ in [0, 1].
        tolerance: as for :func:`exactdp.compose`; how far rounding moves the ends is beside it.
        max_cost: refuse work predicted to cost more, for each end.

    Raises:
        CostLimitError: the work would exceed the limits.

    >>> many = [(f"{i}/1000", 0, 1) for i in range(1, 301)]
    >>> rounded = compose_rounded(many, levels=20, delta="1e-6")
    >>> exact = compose(many, delta="1e-6")
    >>> rounded.lower_end < exact.lower_end < exact.upper_end < rounded.upper_end
    True
    >>> rounded.complete
    False
    """
    ledger, target = ledger_and_delta(ledger, delta)
    width = width_for(ledger, tolerance)
    problem = Problem.of(ledger)
    coarse = max(width, little_beside(problem.total_epsilon))
    lowered, raised = rounded_ledgers(ledger, levels)
    above = compose(raised, delta=target, tolerance=coarse, max_cost=max_cost)
    below = above
    if lowered != raised:
        below = compose(lowered, delta=target, tolerance=coarse, max_cost=max_cost)
    solver = Solver(problem, max_cost=max_cost, tolerance=coarse)
    return replace(
        above,
        ledger=ledger,
        lower_end=below.lower_end,
        exact=None,
        complete=below.lower_end == above.upper_end,
        _evidence=optimal_evidence(ledger, target, solver, places_within(coarse) + 1, _OPEN),
    )


def little_beside(total: ExactNumber) -> mpq:
    """A power of ten that is little beside the sum of all ε; 0 where that is."""
    with precision(_BITS):
        sum_of_all = upper_end(ball(total))
    return power_of_ten(floor_log10(sum_of_all * _LITTLE)) if sum_of_all > 0 else mpq(0)


def rounded_ledgers(ledger: Ledger, levels: int) -> tuple[Ledger, Ledger]:
    """The ledger with each ε lowered, and with each raised, to one of at most so many.

    Mechanisms that are not given by (ε, δ) stay as they are.
    """
    lowered, raised = _rounding(ledger, levels)
    return _with_epsilons(ledger, lowered), _with_epsilons(ledger, raised)


_Rounding = dict[ExactNumber, mpq]


def _rounding(ledger: Ledger, levels: int) -> tuple[_Rounding, _Rounding]:
    """For each ε one at most as great, and one at least."""
    counts: dict[ExactNumber, int] = {}
    for each in ledger.pairs:
        counts[each.epsilon] = counts.get(each.epsilon, 0) + each.count
    with precision(_BITS):
        points = sorted(map(_point, counts), key=lambda point: point[:2])
    lowered: _Rounding = {}
    raised: _Rounding = {}
    values = [point.high for point in points]
    for first, end in near_ranges(values, [counts[point.epsilon] for point in points], levels):
        group = points[first:end]
        low, high = min(point.low for point in group), group[-1].high
        for point in group:
            _check(low <= point.low <= point.high <= high)
            lowered[point.epsilon], raised[point.epsilon] = low, high
    return lowered, raised


def _point(epsilon: ExactNumber) -> _Point:
    if not epsilon.logs:
        return _Point(epsilon.rational, epsilon.rational, epsilon)
    about = ball(epsilon)
    return _Point(upper_end(about), max(mpq(0), lower_end(about)), epsilon)


def near_ranges(values: Sequence[mpq], counts: Sequence[int], levels: int) -> list[tuple[int, int]]:
    """Ranges of rising values, from a first to before an end, at most so many, at least 1.

    Each time the one is cut that moves the sum of all values most when they are made equal.
    """
    sums = [0]
    for count in counts:
        sums.append(sums[-1] + count)

    def ranked(first: int, end: int) -> tuple[mpq, int, int]:
        moved = (values[end - 1] - values[first]) * (sums[end] - sums[first])
        return -moved, first, end

    groups = [ranked(0, len(values))] if values else []
    while groups and len(groups) < levels and groups[0][0] < 0:
        _, first, end = groups[0]
        middle = bisect_left(values, (values[first] + values[end - 1]) / 2, first + 1, end - 1)
        heapreplace(groups, ranked(first, middle))
        heappush(groups, ranked(middle, end))
    return [(first, end) for _, first, end in groups]


def _with_epsilons(ledger: Ledger, epsilons: _Rounding) -> Ledger:
    counts: dict[tuple[mpq, mpq], int] = {}
    for each in ledger.pairs:
        key = epsilons[each.epsilon], each.delta
        counts[key] = counts.get(key, 0) + each.count
    entries = (Mechanism(epsilon, delta, count) for (epsilon, delta), count in counts.items())
    pairs = set(ledger.pairs)
    others = (each for each in ledger.mechanisms if each not in pairs)
    return replace(ledger, mechanisms=(*entries, *others))


def _check(holds: bool) -> None:
    if not holds:
        raise InternalError(field="epsilon", value="rounded", expected="both ends around each ε")

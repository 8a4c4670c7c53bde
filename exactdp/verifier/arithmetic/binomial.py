r"""Binomial laws in fixed point, as far as they matter.

Rules of this file: weights are from below, and sum to at most 1.

Theory of operation: the likeliest number weighs 1, and all others by the ratios of neighbours,
which fall away from it; then all are divided by a sum from above. What each step rounds away is at
most one unit more than before, and what lies beyond the last is less than a geometric series.

Sources: certs/SPEC.md, section 7.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import Final, NamedTuple

from ..format.meter import of_division, of_product, pay
from ..format.numbers import size
from .enclosures import ceil_div

_GUARD: Final = 40


class Row(NamedTuple):
    """Weights of consecutive numbers from below, times 2^bits."""

    first: int
    weights: Sequence[int]


def binomial(trials: int, chance: Fraction, bits: int) -> Row:
    """Weights of Bin(trials, chance)."""
    above, below = chance.numerator, chance.denominator - chance.numerator
    if not above:
        return Row(0, [1 << bits])
    mode = min(trials, (trials + 1) * above // chance.denominator)
    work = bits + _GUARD + 2 * trials.bit_length()
    spread = trials * above * below // chance.denominator**2 + 1
    reach = isqrt(2 * work * spread) + work
    pay(min(reach, trials + 1) * 2 * (1000 + of_division(work) + of_product(work + size(chance))))
    upper, more = _side(trials - mode, mode, (above, below), (work, bits, reach))
    lower, less = _side(mode, trials - mode, (below, above), (work, bits, reach))
    total = (1 << work) + sum(upper) + sum(lower) + more + less
    weights = [*reversed(lower), 1 << work, *upper]
    return Row(mode - len(lower), [(weight << bits) // total for weight in weights])


def _side(
    left: int, done: int, chances: tuple[int, int], limits: tuple[int, int, int]
) -> tuple[list[int], int]:
    """The weights on one side, and at most what rounding took from them and lies beyond."""
    (above, below), (work, bits, reach) = chances, limits
    weight, found, lost = 1 << work, list[int](), 0
    for i in range(min(left, reach)):
        ratio = (left - i) * above, (done + i + 1) * below
        weight = weight * ratio[0] // ratio[1]
        lost += i + 1
        found.append(weight)
        if weight >> 2 * (work - bits) == 0:
            break
    i = len(found)
    above, below = (left - i) * above, (done + i + 1) * below
    if above:
        lost += ceil_div((weight + i) * above, below - above) if above < below else 1 << 2 * work
    return found, lost

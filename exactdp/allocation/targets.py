r"""How much noise an accuracy target allows, and how much an ε that is decided already asks for.

Rules of this file: a target is certain to be met at the scale that is answered, and that scale is
the greatest to a millionth of itself; an ε at its δ is certified to be kept.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from exactdp.allocation.fitting import SharedBudget, fitted_alone
from exactdp.allocation.statistics import GREATEST, AccuracyTarget, Statistic
from exactdp.arithmetic.decimal_text import round_above, round_below
from exactdp.errors import DomainError

_DIGITS: Final = 7
_DIGITS_OF_RATIO: Final = 15
_WIDTH: Final = mpq(1, 10**6)


def scale_of_epsilon(statistic: Statistic, epsilon: mpq, max_cost: int) -> mpq:
    """The least scale, as its digits allow, at which each answer is (ε, δ_i)-DP."""
    if statistic.family.is_pure:
        return round_above(statistic.sensitivity / epsilon, _DIGITS_OF_RATIO)
    return fitted_alone(statistic, SharedBudget.of(epsilon, statistic.delta, None, max_cost))


def greatest_scale_for(statistic: Statistic, target: AccuracyTarget) -> mpq:
    """A scale at which the error is certain to be within the target, hardly below the greatest.

    Raises:
        DomainError: no noise of a size that is allowed meets the target, or all does.
    """
    low = high = mpq(1)
    while not statistic.meets(target, low):
        low, high = low / 4, low
        if low < 1 / GREATEST:
            raise _out_of_reach(statistic)
    if low == high:
        while statistic.meets(target, high):
            low, high = high, high * 4
            if high > GREATEST:
                raise _out_of_reach(statistic)
    while high - low > low * _WIDTH:
        middle = round_below((low + high) / 2, _DIGITS + 1)
        if statistic.meets(target, middle):
            low = middle
        else:
            high = middle
    return low


def _out_of_reach(statistic: Statistic) -> DomainError:
    return DomainError(
        field="target",
        value=statistic.name,
        expected="an error that noise of some scale from 1e-12 to 1e12 keeps",
    )

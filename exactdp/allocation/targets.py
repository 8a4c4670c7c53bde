r"""How much ε an accuracy target asks for.

Rules of this file: the target is certain to be met at the ε that is answered; that ε is the least
one to a millionth of itself.

Theory of operation: errors grow with the scale of the noise, and the scale falls with ε. The
greatest scale that meets the target is found first, then the least ε at which it is private enough:
two searches by halving, each deciding by certain ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gmpy2 import mpq

from exactdp.allocation.statistics import GREATEST, AccuracyTarget, Statistic
from exactdp.arithmetic.decimal_text import round_above, round_below
from exactdp.errors import DomainError

_DIGITS: Final = 7
_WIDTH: Final = mpq(1, 10**6)


def least_epsilon_for(statistic: Statistic, target: AccuracyTarget) -> mpq:
    """A decimal ε at which the error is certain to be within the target, hardly above the least.

    Raises:
        DomainError: no noise of a size that is allowed meets the target.
    """
    family = statistic.family

    def is_exact_enough(scale: mpq) -> bool:
        return family.error(scale, target.confidence) <= target.error

    scale = _last(is_exact_enough, statistic)

    def is_too_little(epsilon: mpq) -> bool:
        return not family.suffices(scale, epsilon, statistic.delta, statistic.sensitivity)

    epsilon = round_above(_last(is_too_little, statistic) * (1 + _WIDTH), _DIGITS)
    step = _WIDTH
    while not statistic.meets(target, epsilon):
        epsilon = round_above(epsilon * (1 + step), _DIGITS)
        step *= 2
    return epsilon


def _last(holds: Callable[[mpq], bool], statistic: Statistic) -> mpq:
    """About the greatest value at which ``holds``, which is true up to some value."""
    low = high = mpq(1)
    while not holds(low):
        low, high = low / 4, low
        if low < 1 / GREATEST:
            raise _out_of_reach(statistic)
    if low == high:
        while holds(high):
            low, high = high, high * 4
            if high > GREATEST:
                raise _out_of_reach(statistic)
    while high - low > low * _WIDTH:
        middle = round_below((low + high) / 2, _DIGITS + 1)
        if holds(middle):
            low = middle
        else:
            high = middle
    return low


def _out_of_reach(statistic: Statistic) -> DomainError:
    return DomainError(
        field="target",
        value=statistic.name,
        expected="an error that noise of some ε from 1e-12 to 1e12 keeps",
    )

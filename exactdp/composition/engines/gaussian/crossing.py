r"""Where a falling bound of δ meets a limit.

Rules of this file: the function decides, and is asked at every end that is returned; floats only
guess where to ask next.

Theory of operation: the Illinois variant of false position on the logarithm of the bound, which
is nearly a parabola in ε: an end that stays twice has its value halved, so that both ends move.

Source: Dowell & Jarratt, BIT 11, 1971.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, log1p
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import floor_log10, floor_to

_LEAST: Final = 2**-10
_TINY: Final = 2.0**-1000
_FAR: Final = 2.0**20


def crossing(bound: Callable[[mpq], mpq], limit: mpq, width: mpq) -> tuple[mpq, mpq]:
    """Rationals low <= high at most ``width`` apart, with bound(low) > limit >= bound(high).

    Args:
        bound: a function of ε >= 0 that falls below ``limit`` in the end.
        limit: what it shall not exceed, > 0.
        width: how near the ends shall be, > 0.

    Returns: (0, 0) if bound(0) <= limit.
    """
    places = max(0, -floor_log10(width)) + 1
    low, low_value = mpq(0), _log_ratio(bound(mpq(0)), limit)
    if low_value <= 0:
        return mpq(0), mpq(0)
    high = mpq(1)
    while (high_value := _log_ratio(bound(high), limit)) > 0:
        low, low_value, high = high, high_value, 2 * high
    stayed = 0  # 1 after the low end moved last, -1 after the high end did
    while high - low > width:
        share = min(max(low_value / (low_value - high_value), _LEAST), 1 - _LEAST)
        middle = floor_to(low + (high - low) * mpq(*share.as_integer_ratio()), places)
        if not low < middle < high:
            middle = (low + high) / 2
        value = _log_ratio(bound(middle), limit)
        if value > 0:
            low, low_value = middle, value
            high_value = high_value / 2 if stayed > 0 else high_value
            stayed = 1
        else:
            high, high_value = middle, value
            low_value = low_value / 2 if stayed < 0 else low_value
            stayed = -1
    return low, high


def _log_ratio(value: mpq, limit: mpq) -> float:
    """About ln(value/limit), positive if and only if value > limit."""
    if value <= 0:
        return -_FAR
    excess = (value - limit) / limit
    if 2 * abs(excess) < 1:
        about = log1p(int(excess.numerator) / int(excess.denominator))
    else:
        ratio = value / limit
        about = log(int(ratio.numerator)) - log(int(ratio.denominator))
    return max(about, _TINY) if value > limit else min(about, -_TINY)

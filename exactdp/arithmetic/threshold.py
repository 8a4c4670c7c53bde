r"""Thresholds: where a condition begins to hold, by halving.

Rules of this file: the condition holds from some point on and never before it; who asks sees to
that. Whatever is found is as certain as what the condition says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from gmpy2 import mpq

N = TypeVar("N", float, mpq)


def threshold(holds: Callable[[int], bool], low: int, high: int) -> tuple[int, int]:
    """Neighbouring whole numbers, at the first of which it does not hold and at the second it does.

    Args:
        holds: the condition.
        low: where it does not hold, or one below all that is looked at.
        high: where it holds, or one above all that is looked at.

    >>> threshold(lambda n: n * n >= 50, 0, 100)
    (7, 8)
    """
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return low, high


def halved(holds: Callable[[N], bool], low: N, high: N, times: int) -> tuple[N, N]:
    """The ends around a threshold after so many halvings; ends as for :func:`threshold`.

    >>> halved(lambda x: x * x >= 2, 1.0, 2.0, 3)
    (1.375, 1.5)
    """
    for _ in range(times):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return low, high

r"""Refinement: nearer and nearer answers, until one is near enough or the time is over.

Rules of this file: the first answer is there whatever it takes, unless the context stops it. A
nearer one that does not end in time is stopped, and the one before stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from gmpy2 import mpq

from exactdp.errors import CostLimitError
from exactdp.timing.deadlines import stop_after
from exactdp.timing.reading import seconds as read

_COARSE: Final = mpq(1, 10)

T = TypeVar("T")


def refine(first: T, finer: Callable[[T], T | None]) -> T:
    """The last of nearer and nearer answers.

    Args:
        first: an answer.
        finer: the answer after another; None where that is near enough, or none is nearer.
    """
    found = first
    while (nearer := finer(found)) is not None:
        found = nearer
    return found


def refine_within(answer: Callable[[mpq], T], tolerance: mpq, seconds: float | None) -> T:
    """As near as the time allows: the tolerance is a tenth of the last as long as there is time.

    Args:
        answer: what is answered at a tolerance.
        tolerance: the least.
        seconds: the time for all answers; None where the least tolerance is to be answered.
    """
    if seconds is None:
        return answer(tolerance)
    end = read() + seconds

    def finer(found: tuple[mpq, T]) -> tuple[mpq, T] | None:
        if found[0] <= tolerance or read() >= end:
            return None
        stage = max(tolerance, found[0] / 10)
        try:
            with stop_after(end - read()):
                return stage, answer(stage)
        except CostLimitError:
            return None

    coarse = max(tolerance, _COARSE)
    return refine((coarse, answer(coarse)), finer)[1]

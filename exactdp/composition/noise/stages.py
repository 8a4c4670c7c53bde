r"""Answers within a time: nearer and nearer, as long as there is some left.

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


def refine_within(answer: Callable[[mpq], T], tolerance: mpq, seconds: float | None) -> T:
    """As near as the time allows: the tolerance is a tenth of the last as long as there is time.

    Args:
        answer: what is answered at a tolerance.
        tolerance: the least.
        seconds: the time for all answers; None where the least tolerance is to be answered.
    """
    if seconds is None:
        return answer(tolerance)
    end, stage = read() + seconds, max(tolerance, _COARSE)
    found = answer(stage)
    while stage > tolerance and read() < end:
        stage = max(tolerance, stage / 10)
        try:
            with stop_after(end - read()):
                found = answer(stage)
        except CostLimitError:
            break
    return found

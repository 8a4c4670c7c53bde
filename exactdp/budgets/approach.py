r"""About where a dial leaves a budget, by guesses alone.

Rules of this file: nothing here is certain, and nothing certain rests on it; floats serve to guess.

Theory of operation: the least ε of a ledger is nearly a power of the number on its dial. The line
through the last two places, in logarithms, meets the logarithm of the budget's ε where the next one
is. Places far from the boundary are looked at roughly.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from typing import Final

from gmpy2 import mpq

from exactdp.budgets.guess import about

_ROUGH: Final = mpq(1, 100)
_NEAR_ENOUGH: Final = 1 / 50
_MOST_GUESSES: Final = 8
_LEAST_POWER: Final = 1 / 8
_FAR: Final = 30.0
_SIZES: Final = (1e-6, 1e6)


def approached(
    start: mpq,
    epsilon: float,
    power: float,
    nearly: Callable[[mpq, mpq], mpq | None],
    rounded: Callable[[float], tuple[mpq, mpq]],
) -> tuple[mpq, mpq] | None:
    """About where ε of the budget is needed, with the step of the multiples that are looked at.

    None where that is not known at once, or where guesses do not settle.

    Args:
        start: a place to begin with.
        epsilon: about ε of the budget.
        power: of which power of the number ε is thought to be: 1, or -1 where it falls.
        nearly: about the ε that a place needs, at a tolerance.
        rounded: a multiple near a number, and the step.

    >>> approached(mpq(4), 9.0, 1.0, lambda x, _: x * x, lambda x: (mpq(round(x)), mpq(1)))
    (mpq(3,1), mpq(1,1))
    """
    if not _SIZES[0] < epsilon < _SIZES[1]:
        return None
    at, slope, tolerance, before = start, power, _ROUGH, None
    for _ in range(_MOST_GUESSES):
        near = nearly(at, tolerance)
        if near is None or near <= 0:
            return None
        here = log(about(at)), log(about(near) / epsilon)
        if before is not None and here[0] != before[0]:
            found = (here[1] - before[1]) / (here[0] - before[0])
            slope = found if found / power > _LEAST_POWER else power
        before = here
        moved, step = rounded(exp(here[0] - max(-_FAR, min(here[1] / slope, _FAR))))
        fine = min(_ROUGH, step / moved * rational(epsilon))
        if abs(moved - at) <= step and tolerance <= fine:
            return moved, step
        if abs(here[1]) < _NEAR_ENOUGH:
            tolerance = fine
        at = moved
    return None


def rational(number: float) -> mpq:
    """A double as the rational that it is."""
    return mpq(*number.as_integer_ratio())

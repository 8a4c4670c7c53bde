r"""The privacy profile around an answer, as many certain intervals as a picture has use for.

Rules of this file: it asks the library; where the picture ends depends on the answer and the
claims alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import ceil_to, enclose_in_decimals, floor_log10
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.composition.answers.results import ProfilePoint
from exactdp.ledger.model import Ledger
from exactdp.pages.band import Band
from exactdp.timing.clock import Clock

_POINTS: Final = 64
_DIGITS: Final = 3  # of the step from point to point, which are in a table as well
_TOLERANCE: Final = "1e-3"
_ROOM: Final = mpq(5, 4)
_FARTHEST: Final = 4
_PLACES: Final = 12
_LEVELS: Final = 7
_LEVEL_WIDTH: Final = "1e-2"
_TENTH: Final = mpq(1, 10)


def profile_band(
    ledger: Ledger,
    least: mpq,
    claimed: Iterable[ExactNumber],
    *,
    max_cost: int,
    time_limit: float | None = None,
) -> tuple[ProfilePoint, ...]:
    """The profile from ε = 0 to beyond an answer and claims, unless these are far away.

    Args:
        ledger: what is composed.
        least: the ε of the answer; 0 if there is none.
        claimed: the ε of the claims.
        max_cost: the limit of work.
        time_limit: seconds for all points; None for none.

    Raises:
        CostLimitError: it would cost more.
    """
    known = [least, *(enclose_in_decimals(each, _PLACES)[1] for each in claimed)]
    top = max(known)
    top = min(top, _FARTHEST * least or top) or mpq(1)
    step = top * _ROOM / _POINTS
    step = ceil_to(step, max(0, _DIGITS - 1 - floor_log10(step)))
    places = {step * place for place in range(_POINTS + 1)}
    places |= {each for each in known if each < top * _ROOM}
    return profile(
        ledger,
        epsilon=sorted(places),
        tolerance=_TOLERANCE,
        max_cost=max_cost,
        time_limit=time_limit,
    )


def band_by_levels(below: Ledger, above: Ledger, delta: mpq, clock: Clock) -> Band | None:
    """The least ε at some δ: where noise is given, a δ is quicker to ask for than an ε.

    Args:
        below: what the lower edge is composed of.
        above: what the upper edge is composed of.
        delta: the δ of the answer, which is among the levels.
        clock: the time limit; there is no band where it is over too soon.
    """
    found = []
    for level in levels_around(delta):
        ends = []
        for ledger in dict.fromkeys((below, above)):
            seconds = whole_seconds(clock.left)
            if seconds == 0:
                return None
            ends.append(compose(ledger, delta=level, tolerance=_LEVEL_WIDTH, time_limit=seconds))
        if ends[0].lower_end is not None and ends[-1].upper_end is not None:
            found.append((level, ends[0].lower_end, ends[-1].upper_end))
    return Band.by_delta(found)


def levels_around(delta: mpq) -> list[mpq]:
    """Powers of ten from 1/10 to below a δ, and that δ, the greatest first."""
    exponents = 1
    while _TENTH**exponents > delta > 0:
        exponents += 1
    last = exponents + 2
    stride = -(-last // _LEVELS)
    levels = {_TENTH**exponent for exponent in range(1, last + 1, stride)}
    return sorted(levels | ({delta} if 0 < delta < 1 else set()), reverse=True)


def whole_seconds(seconds: float | None) -> int | None:
    """Whole seconds; None without a limit."""
    return None if seconds is None else int(seconds)

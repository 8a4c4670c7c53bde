r"""The privacy profile around an answer, as many certified intervals as a picture has use for.

Rules of this file: it asks the library; where the picture ends depends on the answer and the
claims alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from gmpy2 import mpq

from exactdp.answers.profile import profile
from exactdp.answers.results import ProfilePoint
from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.ledger.model import Ledger

_POINTS: Final = 64
_TOLERANCE: Final = "1e-3"
_ROOM: Final = mpq(5, 4)
_FARTHEST: Final = 4
_PLACES: Final = 12


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
    places = {top * _ROOM * place / _POINTS for place in range(_POINTS + 1)}
    places |= {each for each in known if each < top * _ROOM}
    return profile(
        ledger,
        epsilon=sorted(places),
        tolerance=_TOLERANCE,
        max_cost=max_cost,
        time_limit=time_limit,
    )

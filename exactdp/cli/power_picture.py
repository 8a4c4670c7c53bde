r"""What an attack gains as a picture: the trade-off function, between its ends.

Rules of this file: what is drawn was certified before; numbers become floats for the eye alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq

from exactdp.attacks.results import TruePositives
from exactdp.cli.plotting import trade_off_picture

_CORNERS: Final = ((mpq(0), mpq(1)), (mpq(1), mpq(0)))


def power_picture(curve: Sequence[TruePositives], title: str, suffix: str) -> bytes:
    """Below the lowest line no attack gets; the one above it, some attack reaches."""
    first, last = _CORNERS
    low = [(rate.fpr, 1 - rate.upper_end) for rate in curve]
    high = [(rate.fpr, 1 - rate.lower_end) for rate in curve]
    functions = {
        "nothing learned": _CORNERS,
        "attained, by some attack": [first, *high, last],
        "guaranteed, for every attack": [*low, last],
    }
    return trade_off_picture(functions, title, suffix)

r"""Numbers as a column holds them: one value, whatever its spelling.

Rules of this file: what is not a number in every database is none.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

NUMBER: Final = re.compile(
    r"-?(?=\.?[0-9])(?P<digits>[0-9]{0,1000}(?:\.[0-9]{0,1000})?)(?:[eE][+-]?[0-9]{1,3})?"
)


def plain_number(text: str) -> Fraction | None:
    """The number that a text is in every database, such as -3, 0.5, .5, 5. or 1e6; else None.

    >>> plain_number("1.50"), plain_number("1_0"), plain_number("1/2")
    (Fraction(3, 2), None, None)
    """
    return Fraction(text) if NUMBER.fullmatch(text) else None

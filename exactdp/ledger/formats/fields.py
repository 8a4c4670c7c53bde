r"""Fields: from the text of a parameter to its value and back, for all formats alike.

Rules of this file: a text is parsed once; a ledger of a million mechanisms holds few distinct
numbers, and each becomes one shared object.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from exactdp.arithmetic.decimal_text import shortest_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import InputError
from exactdp.mechanisms.checks import MAX_COUNT
from exactdp.mechanisms.keys import count_cure

if TYPE_CHECKING:
    from gmpy2 import mpq

ZERO: Final = ExactNumber.parse("0")
_COUNT: Final = re.compile(r"[1-9][0-9]{0,18}")


@lru_cache(maxsize=4096)
def count_of(text: str) -> int:
    """A count from plain digits.

    Raises:
        InputError: a sign, a point, an exponent, a leading zero, 0, or more than 10^18.

    >>> count_of("1440")
    1440
    """
    if not _COUNT.fullmatch(text) or int(text) > MAX_COUNT:
        raise InputError(
            field="count",
            value=text or "nothing",
            expected="a whole number from 1 to 10^18, in plain digits",
            remedy=count_cure(text),
        )
    return int(text)


class Texts(dict[object, str]):
    """The shortest exact texts of numbers, in the number grammar, each made once.

    >>> Texts()[ExactNumber.parse("0.000000001")]
    '1e-9'
    """

    def __missing__(self, number: ExactNumber | mpq) -> str:
        """The text of a number that has not been asked for before."""
        exact = number if isinstance(number, ExactNumber) else ExactNumber(number)
        text = self[number] = shortest_text(exact)
        return text

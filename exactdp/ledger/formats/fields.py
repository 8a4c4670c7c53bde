r"""Fields: from the text of a parameter to its value and back, for all formats alike.

Rules of this file: a text is parsed once; a ledger of a million mechanisms holds few distinct
numbers, and each becomes one shared object.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from exactdp.arithmetic.decimal_text import shortest_text
from exactdp.arithmetic.number_grammar import number_cure
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import InputError
from exactdp.mechanisms.checks import MAX_COUNT

if TYPE_CHECKING:
    from gmpy2 import mpq

ZERO: Final = ExactNumber.parse("0")
_COUNT: Final = re.compile(r"[1-9][0-9]{0,18}")


class ParameterParsers:
    """Parsers of ε, δ and counts that remember what they have parsed."""

    def __init__(self) -> None:
        self._epsilons: dict[str, ExactNumber] = {}
        self._deltas: dict[str, ExactNumber] = {}
        self._counts: dict[str, int] = {}

    def epsilon(self, text: str) -> ExactNumber:
        """The number that ``text`` denotes."""
        number = self._epsilons.get(text)
        if number is None:
            number = self._epsilons[text] = ExactNumber.parse(text, "epsilon")
        return number

    def delta(self, text: str) -> ExactNumber:
        """The number that ``text`` denotes; the mechanism sees to it that it is rational."""
        number = self._deltas.get(text)
        if number is None:
            number = self._deltas[text] = ExactNumber.parse(text, "delta")
        return number

    def count(self, text: str) -> int:
        """The count that ``text`` denotes."""
        count = self._counts.get(text)
        if count is None:
            count = self._counts[text] = count_of(text)
        return count


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


def count_cure(text: str) -> str:
    """What to write instead of a count in another notation; empty where nobody can know.

    >>> count_cure("1e3"), count_cure("52.0"), count_cure("052"), count_cure("1 000")
    ('write 1000', 'write 52', 'write 52', 'write 1000')
    """
    for written in (text, *number_cure(text).split()):
        try:
            number = ExactNumber.parse(written, "count")
        except InputError:
            continue
        if number.is_rational and number.rational.denominator == 1:
            return f"write {number}" if 1 <= number.rational <= MAX_COUNT else ""
    return ""


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

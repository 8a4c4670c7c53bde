r"""Exact parameters as doubles and back, in the accountant's favour.

Rules of this file: an accusation rests on a question at least as hard as what the ledger says (ε_i
and δ_i rounded up, the global δ or ε down), and an answer is read as the greatest number that its
text can mean. So an answer that is refuted for the ledger is refuted for the question that was
asked, whichever way its text is read, and no verdict rests on rounding.

Sources: IEEE 754-2019 (binary64).
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.enclosures import ball, lower_end, precision
from exactdp.arithmetic.numbers import ExactNumber, as_rational
from exactdp.errors import DomainError

_BITS: Final = 1200  # more than any double has before or after the point


def double_near(number: ExactNumber) -> float:
    """The double nearest to ``number`` >= 0, as a user would pass it.

    >>> double_near(ExactNumber.parse("0.3"))
    0.3
    """
    if number.is_rational:
        value = number.rational
    else:
        with precision(_BITS):
            value = lower_end(ball(number))
    try:
        return max(0.0, int(value.numerator) / int(value.denominator))
    except OverflowError:
        return math.nextafter(math.inf, 0.0)


def double_above(number: ExactNumber, field: str) -> float:
    """The least double not below ``number`` >= 0.

    Raises:
        DomainError: there is none.

    >>> double_above(ExactNumber.parse("0.3"), "epsilon")
    0.30000000000000004
    """
    value = double_near(number)
    while compare(_exact_number(value), number) < 0:
        value = math.nextafter(value, math.inf)
        if math.isinf(value):
            raise DomainError(
                field=field, value=str(number), expected="a number in the range of doubles"
            )
    return value


def double_below(number: ExactNumber) -> float:
    """The greatest double not above ``number`` >= 0.

    >>> double_below(ExactNumber.parse("0.1"))
    0.09999999999999999
    """
    value = double_near(number)
    while compare(_exact_number(value), number) > 0:
        value = math.nextafter(value, 0.0)
    return value


def exact_text_of(value: float, number: ExactNumber, side: int) -> str:
    """A text of the double ``value`` on one side of ``number`` even where it is read exactly.

    Args:
        value: the least double not below ``number``, or the greatest one not above it.
        number: what it stands for.
        side: 1 in the former case, -1 in the latter.
    """
    text = repr(value)
    reading = ExactNumber(mpq(Fraction(text)))
    return text if compare(reading, number) * side >= 0 else str(Decimal(value))


def greatest_reading(text: str) -> mpq:
    """The greater of a finite decimal and the double nearest to it.

    Raises:
        InputError: no number, or one of too many digits.

    >>> greatest_reading("0.1") > mpq(1, 10), greatest_reading("0.3") == mpq(3, 10)
    (True, True)
    """
    exact = as_rational(text, "answer")
    double = float(text)
    return exact if math.isinf(double) else max(exact, mpq(Fraction(double)))


def _exact_number(value: float) -> ExactNumber:
    return ExactNumber(mpq(Fraction(value)))

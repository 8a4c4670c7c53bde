r"""Ends of certified intervals as Python callers have them: numbers that are texts as well.

Rules of this file: an end is the very rational that its text says. Who asks for a float, or for a
number of digits, has it rounded outward: an upper end up, a lower one down. Floats are compared by
their exact value; in arithmetic they are refused, as their sums are not certain.

Theory of operation: JSON has texts, and no number that is exact. So an end is a ``str``, the one
that ``--json`` prints: encoders of JSON, tables and every function of this package take it as it
is. In arithmetic and comparisons it is its value, on either side of an integer, a fraction, a
decimal or a number of gmpy2; what comes out is a rational of gmpy2. Engines calculate with the
rationals themselves.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Self

from gmpy2 import mpq, mpz

from exactdp.arithmetic.decimal_text import decimal_text, short_text
from exactdp.composition.answers.texts import exact_fraction

if TYPE_CHECKING:
    _Text = mpq  # no class inherits from gmpy2's, so type checkers are told what an end stands for
else:
    _Text = str

_DIGITS: Final = 50


_Operation = Callable[[Any, Any], Any]


def _compared(operation: _Operation) -> _Operation:
    """A comparison of the value with any exact number, or a float."""

    def compared(self: IntervalEnd, other: object) -> object:
        value = _exactly(other, floats=True)
        return NotImplemented if value is None else operation(self.exact, value)

    return compared


def _both_ways(operation: _Operation) -> tuple[_Operation, _Operation]:
    """Arithmetic of the value with any exact number, on its left and on its right."""

    def on_the_left(self: IntervalEnd, other: object) -> object:
        value = _exactly(other)
        return NotImplemented if value is None else operation(self.exact, value)

    def on_the_right(self: IntervalEnd, other: object) -> object:
        value = _exactly(other)
        return NotImplemented if value is None else operation(value, self.exact)

    return on_the_left, on_the_right


class IntervalEnd(_Text):
    """An end of an interval, exactly: a text for JSON, a rational in arithmetic.

    >>> import json
    >>> upper = IntervalEnd(mpq(51, 20), up=True)
    >>> print(upper, upper > 2.5, upper + 1, 1 - upper)
    2.55 True 71/20 -31/20
    >>> json.dumps({"upper": upper})
    '{"upper": "2.55"}'
    >>> f"{upper:.1f}", f"{IntervalEnd(mpq(51, 20), up=False):.1f}", upper == mpq(51, 20)
    ('2.6', '2.5', True)
    >>> round(upper, 1), round(IntervalEnd(mpq(51, 20), up=False), 1), round(upper)
    (IntervalEnd('2.6'), IntervalEnd('2.5'), IntervalEnd('3'))
    """

    __slots__ = ("_exact", "_up")
    _exact: mpq
    _up: bool

    def __new__(cls, value: mpq, *, up: bool) -> Self:
        """The text of ``value``, which knows its value and which side of an interval it is."""
        end = _Text.__new__(cls, _text_of(value))
        end._exact, end._up = value, up  # noqa: SLF001 (its own, which is being made)
        return end

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles are made again from the value."""
        return _end_of, (self._exact, self._up)

    @property
    def exact(self) -> mpq:
        """The value as a rational of gmpy2."""
        return self._exact

    @property
    def numerator(self) -> mpz:
        """The numerator of the value, in lowest terms."""
        return self._exact.numerator

    @property
    def denominator(self) -> mpz:
        """The denominator of the value, in lowest terms."""
        return self._exact.denominator

    def __mpq__(self) -> mpq:
        """The value, as gmpy2 asks for it."""
        return self._exact

    def __float__(self) -> float:
        exact = exact_fraction(self._exact)
        nearest = float(exact)
        if Fraction(nearest) >= exact if self._up else Fraction(nearest) <= exact:
            return nearest
        return math.nextafter(nearest, math.inf if self._up else -math.inf)

    def __round__(self, digits: int | None = None) -> IntervalEnd:
        """So many decimals, rounded outward: what was certain stays so."""
        power = mpq(10) ** (digits or 0)
        scaled = exact_fraction(self._exact * power)
        whole = math.ceil(scaled) if self._up else math.floor(scaled)
        return IntervalEnd(mpq(whole) / power, up=self._up)

    def __int__(self) -> int:
        return int(self._exact)

    def __bool__(self) -> bool:
        return bool(self._exact)

    def __repr__(self) -> str:
        return f"IntervalEnd({_text_of(self._exact)!r})"

    def __str__(self) -> str:
        return _text_of(self._exact)

    def __format__(self, specification: str) -> str:
        """The text; rounded outward where a number of digits is asked for."""
        if specification[-1:] not in tuple("eEfFgGn%"):
            return format(str(self), specification)
        rounding = ROUND_CEILING if self._up else ROUND_FLOOR
        with localcontext(prec=_DIGITS + len(str(self)), rounding=rounding):
            return format(Decimal(int(self.numerator)) / int(self.denominator), specification)

    def __hash__(self) -> int:
        return hash(self._exact)

    def __eq__(self, other: object) -> bool:
        value = _exactly(other, floats=True)
        return value is not None and self._exact == value

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __neg__(self) -> mpq:
        return -self._exact

    def __abs__(self) -> mpq:
        return abs(self._exact)

    __lt__, __le__ = _compared(operator.lt), _compared(operator.le)
    __gt__, __ge__ = _compared(operator.gt), _compared(operator.ge)
    __add__, __radd__ = _both_ways(operator.add)
    __sub__, __rsub__ = _both_ways(operator.sub)
    __mul__, __rmul__ = _both_ways(operator.mul)
    __truediv__, __rtruediv__ = _both_ways(operator.truediv)


def _end_of(value: mpq, up: bool) -> IntervalEnd:
    return IntervalEnd(value, up=up)


def _text_of(value: mpq) -> str:
    """A decimal where there is one, else a fraction: what ``--json`` prints."""
    try:
        return decimal_text(value)
    except ValueError:
        return short_text(value)


def _exactly(number: object, *, floats: bool = False) -> mpq | None:
    """The value of an exact number, and of a float if ``floats``; None of anything else."""
    if isinstance(number, IntervalEnd):
        return number.exact
    if isinstance(number, float) and floats and math.isfinite(number):
        return mpq(Fraction(number))
    if isinstance(number, Decimal):
        return mpq(Fraction(number)) if number.is_finite() else None
    return mpq(number) if isinstance(number, int | Fraction | mpq | mpz) else None

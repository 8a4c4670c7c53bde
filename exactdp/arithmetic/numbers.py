r"""Exact numbers: the parameters of mechanisms, and the exact answers.

Purpose: hold and print numbers of the grammar of ``certs/SPEC.md``, section 2: a rational plus a
sum of rational multiples of natural logarithms of rationals. They are parsed by
:mod:`exactdp.arithmetic.number_grammar`.

Rules of this file: no float enters; printing is lossless and in the same grammar.

Theory of operation: a number is kept in the normal form of the specification, a purely
syntactic one (``ln(4)`` and ``2*ln(2)`` stay different). Whether two numbers are equal in value
is the business of :mod:`exactdp.arithmetic.comparison`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from operator import index
from typing import Final, SupportsIndex, TypeAlias

import flint
from gmpy2 import mpq, mpz

from exactdp.arithmetic.number_grammar import checked_size, terms_of, type_of_numbers
from exactdp.errors import DomainError, InputError

_MAX_ODDS_BITS: Final = 2**22


@dataclass(frozen=True, slots=True)
class ExactNumber:
    r"""A number :math:`c_0 + \sum_j c_j \ln r_j` with rational :math:`c_j`, in normal form.

    Equality and hashing compare normal forms, not values; use
    :func:`exactdp.arithmetic.comparison.compare` for values.

    Attributes:
        rational: c_0.
        logs: pairs (c_j, r_j) with c_j != 0 and 1 < r_1 < r_2 < …

    >>> print(ExactNumber.parse("1/4 + 2*ln(3) - ln(3)"))
    1/4 + ln(3)
    """

    rational: mpq
    logs: tuple[tuple[mpq, mpq], ...] = ()

    @staticmethod
    def of(value: int | mpq | mpz | Fraction) -> ExactNumber:
        """The rational number ``value``."""
        return ExactNumber(mpq(value))

    @staticmethod
    def ln(ratio: int | mpq | Fraction) -> ExactNumber:
        """The natural logarithm of a rational ``ratio`` > 0."""
        return ExactNumber.combine(mpq(0), [(mpq(1), mpq(ratio))])

    @staticmethod
    def parse(text: str, field: str = "number") -> ExactNumber:
        """Read a number of the grammar.

        Raises:
            InputError: not of the grammar, or too large; the message points at the place.
        """
        if _SHORT_DECIMAL.fullmatch(text):  # nearly all numbers of a long ledger
            whole, _, places = text.partition(".")
            return ExactNumber(mpq(int(whole + places), _POWERS_OF_TEN[len(places)]))
        if _SHORT_FRACTION.fullmatch(text):  # and nearly all others
            above, _, below = text.partition("/")
            return ExactNumber(mpq(int(above), int(below)))
        number = ExactNumber.combine(*terms_of(text, field))
        for coefficient, _ in number.logs:
            checked_size(coefficient, field)
        return number

    @staticmethod
    def combine(rational: mpq, terms: Iterable[tuple[mpq, mpq]]) -> ExactNumber:
        """The normal form of ``rational`` plus the sum of c·ln(r) over the pairs (c, r)."""
        coefficients: dict[mpq, mpq] = {}
        for coefficient, ratio in terms:
            if ratio < 1:
                coefficient, ratio = -coefficient, 1 / ratio  # noqa: PLW2901 (the normal form)
            if ratio != 1:
                coefficients[ratio] = coefficients.get(ratio, mpq(0)) + coefficient
        logs = tuple((c, r) for r, c in sorted(coefficients.items()) if c)
        return ExactNumber(rational, logs)

    @property
    def is_rational(self) -> bool:
        """Whether the normal form holds no logarithm."""
        return not self.logs

    def __add__(self, other: ExactNumber) -> ExactNumber:
        if not self.logs and not other.logs:
            return ExactNumber(self.rational + other.rational)
        return ExactNumber.combine(self.rational + other.rational, self.logs + other.logs)

    def __neg__(self) -> ExactNumber:
        return ExactNumber(-self.rational, tuple((-c, r) for c, r in self.logs))

    def __sub__(self, other: ExactNumber) -> ExactNumber:
        return self + (-other)

    def __mul__(self, factor: int | mpq) -> ExactNumber:
        if not factor:
            return ExactNumber(mpq(0))
        return ExactNumber(self.rational * factor, tuple((c * factor, r) for c, r in self.logs))

    __rmul__ = __mul__

    def __str__(self) -> str:
        parts = [str(self.rational)] if self.rational or not self.logs else []
        for coefficient, ratio in self.logs:
            size = abs(coefficient)
            term = f"ln({ratio})" if size == 1 else f"{size}*ln({ratio})"
            if parts:
                parts.append(f" - {term}" if coefficient < 0 else f" + {term}")
            else:
                parts.append(f"-{term}" if coefficient < 0 else term)
        return "".join(parts)

    def rational_odds(self) -> mpq | None:
        r"""The exact rational :math:`e^x`, or None where x has a rational part or fractions.

        >>> ExactNumber.parse("2*ln(3) - ln(2)").rational_odds()
        mpq(9,2)
        """
        if self.rational or any(c.denominator != 1 for c, _ in self.logs):
            return None
        size = sum(
            abs(int(c)) * (r.numerator.bit_length() + r.denominator.bit_length())
            for c, r in self.logs
        )
        if size > _MAX_ODDS_BITS:
            return None
        odds = mpq(1)
        for coefficient, ratio in self.logs:
            odds *= ratio ** int(coefficient)
        return odds


Number: TypeAlias = (
    str | int | Fraction | Decimal | mpz | mpq | flint.fmpq | ExactNumber | SupportsIndex
)
"""What stands for an exact number: a text such as "0.1", "1/3" or "ln(3)", an integer of any kind
(numpy's too), a rational. No float: 0.1 may mean one tenth or the double nearest to it."""


def as_number(value: object, field: str) -> ExactNumber:
    """An exact number from anything that a Python caller may pass for one.

    Accepts str (of the grammar), int, Fraction, Decimal, gmpy2's and python-flint's integers and
    rationals, numpy's integers, and ExactNumber. A float is refused: 0.1 may mean one tenth or the
    double nearest to it, and only the caller knows.

    Raises:
        InputError: a float, a NaN, an infinity, or anything else.

    >>> as_number("ln(3/2)", "epsilon") == ExactNumber.ln(Fraction(3, 2))
    True
    """
    if isinstance(value, ExactNumber):
        return value
    if isinstance(value, str):
        return ExactNumber.parse(str(value), field)  # of a subclass as well
    if isinstance(value, bool):
        raise InputError(field=field, value=value, expected=type_of_numbers)
    if isinstance(value, int | Fraction | type(mpz()) | type(mpq())):
        return ExactNumber(checked_size(mpq(value), field))
    integer = integer_of(value)
    if integer is not None:
        return ExactNumber(checked_size(mpq(integer), field))
    if isinstance(value, flint.fmpq):
        return ExactNumber(checked_size(mpq(int(value.p), int(value.q)), field))
    if isinstance(value, Decimal):
        return ExactNumber.parse(str(value), field)
    if isinstance(value, float):
        raise InputError(
            field=field,
            value=f"float {value!r}",
            expected="an exact number",
            remedy=_float_cures(value),
            code="float-refused",
        )
    raise InputError(field=field, value=type(value).__name__, expected=type_of_numbers)


def integer_of(value: object) -> int | None:
    """The integer that an object stands for, as numpy's do; None for anything else, and booleans.

    >>> integer_of(flint.fmpz(3)), integer_of(0.5), integer_of(True)
    (3, None, None)
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    try:
        return index(value)
    except TypeError:  # numpy's booleans and arrays
        return None


def as_rational(value: object, field: str) -> mpq:
    """As :func:`as_number`, for parameters that must be rational (every δ is).

    Raises:
        InputError: as for :func:`as_number`, or the number holds a logarithm.
    """
    number = as_number(value, field)
    if not number.is_rational:
        raise DomainError(field=field, value=str(number), expected="a rational number")
    return number.rational


def _float_cures(value: float) -> str:
    if not isfinite(value):
        return "no exact number stands for it"
    shown = float.__repr__(value)
    return f"exactdp.written({shown}) is the decimal '{shown}'; Fraction({shown}) is the double"


_SHORT_DECIMAL: Final = re.compile(r"(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?")
_SHORT_FRACTION: Final = re.compile(r"(?:0|[1-9][0-9]{0,17})/[1-9][0-9]{0,17}")
_POWERS_OF_TEN: Final = [10**places for places in range(19)]

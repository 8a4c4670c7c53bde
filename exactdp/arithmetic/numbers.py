r"""Exact numbers: the parameters of mechanisms, and the exact answers.

Purpose: parse, hold and print numbers of the grammar of ``certs/SPEC.md``, section 2: a rational
plus a sum of rational multiples of natural logarithms of rationals.

Rules of this file: no float enters; no integer is built before its size is known to be within
limits; printing is lossless and in the same grammar.

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
from typing import Final

import flint
from gmpy2 import mpq, mpz

from exactdp.errors import DomainError, InputError

MAX_BITS: Final = 2**16
MAX_CHARACTERS: Final = 50_000
_MAX_ODDS_BITS: Final = 2**22
_BITS_PER_DIGIT: Final = 3.33

type_of_numbers = "a number such as 0.1, 1/10, 1e-9, 2^-40, ln(3/2) or 1/4 + ln(2)"


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
        return _Parser(text, field).number()

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
        return ExactNumber(_within_limits(mpq(value), field))
    integer = integer_of(value)
    if integer is not None:
        return ExactNumber(_within_limits(mpq(integer), field))
    if isinstance(value, flint.fmpq):
        return ExactNumber(_within_limits(mpq(int(value.p), int(value.q)), field))
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
    double = Fraction(value)
    if value == 0.1:
        return "pass '0.1' for one tenth, Fraction(0.1) for the double"
    return f"pass '{value!r}' for the decimal, Fraction({value!r}) for the double ({double})"


def _within_limits(value: mpq, field: str) -> mpq:
    if value.numerator.bit_length() > MAX_BITS or value.denominator.bit_length() > MAX_BITS:
        raise _too_large(field, f"a rational of more than {MAX_BITS} bits")
    return value


def _too_large(field: str, value: str) -> InputError:
    return InputError(
        field=field,
        value=value,
        expected=f"at most {MAX_BITS} bits (about 19 700 digits) above and below the fraction bar",
        code="too-large",
    )


_TOKEN = re.compile(
    r"""[ \t]*(?:
      (?P<decimal>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<ln>ln)
    | (?P<symbol>[-+*/^()])
    )""",
    re.VERBOSE,
)
_DIGITS = re.compile(r"[0-9]+")
_SHORT_DECIMAL = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?")
_SHORT_FRACTION = re.compile(r"[0-9]{1,18}/[1-9][0-9]{0,17}")
_POWERS_OF_TEN = [10**places for places in range(19)]


class _Parser:
    """A recursive-descent parser; one method for each line of the grammar."""

    def __init__(self, text: str, field: str) -> None:
        self._text = text
        self._field = field
        if len(text) > MAX_CHARACTERS:
            raise InputError(
                field=field,
                value=text,
                expected=f"at most {MAX_CHARACTERS} characters",
                code="too-large",
            )
        self._position = 0
        self._start = 0
        self._kind: str | None = None
        self._symbol = ""
        self._advance()

    def number(self) -> ExactNumber:
        rational = mpq(0)
        terms: list[tuple[mpq, mpq]] = []
        sign = self._sign() or 1
        while True:
            coefficient, ratio = self._term()
            if ratio is None:
                rational += sign * coefficient
            else:
                terms.append((sign * coefficient, ratio))
            next_sign = self._sign()
            if next_sign is None:
                break
            sign = next_sign
        if self._kind is not None:
            self._reject_trailing(after_log=ratio is not None)
        return ExactNumber.combine(_within_limits(rational, self._field), terms)

    def _term(self) -> tuple[mpq, mpq | None]:
        if self._kind == "ln":
            return mpq(1), self._log()
        coefficient = self._rational()
        if self._symbol == "*":
            self._advance()
            return coefficient, self._log()
        return coefficient, None

    def _log(self) -> mpq:
        if self._kind != "ln":
            raise self._error("ln(…) after *", "write a product of two rationals as one rational")
        self._advance()
        self._expect("(")
        start = self._start
        ratio = self._rational()
        if ratio <= 0:
            self._start = start
            raise self._error("a logarithm of a number above 0")
        self._expect(")")
        return ratio

    def _rational(self) -> mpq:
        if self._kind != "decimal":
            raise self._error(type_of_numbers)
        start, text = self._start, self._symbol
        self._advance()
        if self._symbol in ("/", "^") and self._kind == "symbol":
            operator = self._symbol
            if not _DIGITS.fullmatch(text):
                raise self._error(f"whole numbers around {operator}")
            self._advance()
            negative = operator == "^" and self._sign() == -1
            if self._kind != "decimal" or not _DIGITS.fullmatch(self._symbol):
                raise self._error(f"a whole number after {operator}")
            second = self._symbol
            self._advance()
            if operator == "/":
                return self._quotient(text, second, start)
            return self._power(text, second, start, negative=negative)
        return self._decimal(text)

    def _quotient(self, above: str, below: str, start: int) -> mpq:
        denominator = self._integer(below)
        if not denominator:
            self._start = start
            raise self._error("a denominator other than 0")
        return mpq(self._integer(above), denominator)

    def _power(self, base_text: str, exponent_text: str, start: int, *, negative: bool) -> mpq:
        base = self._integer(base_text)
        if base <= 1:
            if negative and not base:
                self._start = start
                raise self._error("a base other than 0")
            return mpq(base) if exponent_text.strip("0") else mpq(1)
        if len(exponent_text.lstrip("0")) > 7:
            raise _too_large(self._field, self._text)
        exponent = int(exponent_text)
        if exponent * (base.bit_length() - 1) > MAX_BITS:
            raise _too_large(self._field, self._text)
        power = mpq(base**exponent)
        return _within_limits(1 / power if negative else power, self._field)

    def _decimal(self, text: str) -> mpq:
        mantissa, _, exponent_text = text.lower().partition("e")
        whole, _, fraction = mantissa.partition(".")
        digits = self._integer((whole + fraction).lstrip("0") or "0")
        if len(exponent_text.lstrip("+-0")) > 7:
            if not digits:
                return mpq(0)
            raise _too_large(self._field, self._text)
        exponent = int(exponent_text or "0") - len(fraction)
        if not digits:
            return mpq(0)
        if abs(exponent) * _BITS_PER_DIGIT > 2 * MAX_BITS:
            raise _too_large(self._field, self._text)
        scale = mpz(10) ** abs(exponent)
        return _within_limits(
            mpq(digits, scale) if exponent < 0 else mpq(digits * scale), self._field
        )

    def _integer(self, text: str) -> mpz:
        if len(text.lstrip("0")) * _BITS_PER_DIGIT > MAX_BITS + 64:
            raise _too_large(self._field, self._text)
        return mpz(text)

    def _sign(self) -> int | None:
        if self._symbol in ("+", "-") and self._kind == "symbol":
            sign = 1 if self._symbol == "+" else -1
            self._advance()
            return sign
        return None

    def _expect(self, symbol: str) -> None:
        if self._symbol != symbol:
            raise self._error(f"'{symbol}'")
        self._advance()

    def _advance(self) -> None:
        match = _TOKEN.match(self._text, self._position)
        if match is None:
            self._start = (
                self._position
                + len(self._text[self._position :])
                - len(self._text[self._position :].lstrip(" \t"))
            )
            self._kind, self._symbol = (None, "") if self._start == len(self._text) else ("?", "?")
            return
        self._kind = match.lastgroup
        self._symbol = match.group(match.lastgroup or 0)
        self._start = match.end() - len(self._symbol)
        self._position = match.end()

    def _reject_trailing(self, *, after_log: bool) -> None:
        if after_log and self._symbol in ("*", "/"):
            raise self._error(
                "the multiplier before ln",
                "write 2*ln(3), or 1/2*ln(3), with the multiplier first; "
                "-m 'ln(3)*2' means two mechanisms of ln(3)",
            )
        raise self._error(type_of_numbers)

    def _error(self, expected: str, remedy: str = "") -> InputError:
        place = f"character {self._start + 1}"
        if self._start >= len(self._text):
            place = "the end"
        value = self._text if self._text.strip() else f"{self._text!r} (empty)"
        return InputError(
            field=self._field,
            value=value,
            expected=f"{expected} (at {place})",
            remedy=remedy,
            code="bad-number",
        )

r"""Exact numbers: the grammar, the normal form and the canonical text.

Rules of this file: sizes are checked before integers are built; nothing here is rounded;
Python's limit on the digits of ``int`` and ``str`` is neither reached nor changed.

Theory of operation: a number is a rational plus a sum of rational multiples of logarithms of
rationals. Its normal form merges terms of equal argument and writes every argument above 1. Two
normal forms may denote one value (``ln(4)`` and ``2*ln(2)``); that is decided in ``enclosures``.

Sources: certs/SPEC.md, section 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from .outcomes import MalformedError, shown

MAX_BITS: Final = 2**16
MAX_TOTAL_BITS: Final = 2**17
MAX_LOGARITHMS: Final = 1000
MAX_CHARACTERS: Final = 50_000

_MAX_DIGITS: Final = 19_729  # as many as 2^(2^16) has
_CHUNK: Final = 640  # the least limit that Python can be given for int() and str()


@dataclass(frozen=True)
class Number:
    r"""The normal form of :math:`c_0 + \sum_j c_j \ln r_j`.

    ``rational`` is c_0, and ``logs`` holds the pairs (c_j, r_j), with 1 < r_1 < r_2 < ….
    """

    rational: Fraction
    logs: tuple[tuple[Fraction, Fraction], ...] = ()

    @property
    def size(self) -> int:
        """The bits of all its rationals together."""
        return size(self.rational) + sum(size(c) + size(r) for c, r in self.logs)

    @property
    def terms(self) -> int:
        """1, and the number of its logarithms."""
        return 1 + len(self.logs)

    def __sub__(self, other: Number) -> Number:
        return linear([(1, self), (-1, other)])

    def scaled(self, factor: int | Fraction) -> Number:
        """This number times ``factor``."""
        return linear([(factor, self)])


def linear(terms: Iterable[tuple[int | Fraction, Number]]) -> Number:
    """The normal form of the sum of factor times number over the terms."""
    rationals: list[Fraction] = []
    logs: list[tuple[Fraction, Fraction]] = []
    for factor, number in terms:
        rationals.append(factor * number.rational)
        logs += [(factor * c, r) for c, r in number.logs]
    return normal_form(rationals, logs)


def normal_form(rationals: Sequence[Fraction], logs: Iterable[tuple[Fraction, Fraction]]) -> Number:
    """The number with these rational terms and these terms c·ln(r), given as pairs (c, r)."""
    terms = sorted(
        (_upright(c, r) for c, r in logs if c and r != 1), key=lambda term: term[1]
    )  # sorted and not hashed: an input may have all its hashes equal
    merged: list[tuple[Fraction, list[Fraction]]] = []
    for c, r in terms:
        if merged and merged[-1][0] == r:
            merged[-1][1].append(c)
        else:
            merged.append((r, [c]))
    sums = ((_sum(coefficients), r) for r, coefficients in merged)
    return Number(_sum(rationals), tuple((c, r) for c, r in sums if c))


def _upright(c: Fraction, r: Fraction) -> tuple[Fraction, Fraction]:
    """The same term with an argument above 1."""
    return (-c, 1 / r) if r < 1 else (c, r)


def _sum(values: Sequence[Fraction]) -> Fraction:
    """The sum, in pairs: a running sum would meet its growing denominator at every step."""
    if len(values) <= 2:
        return sum(values, Fraction(0))
    half = len(values) // 2
    return _sum(values[:half]) + _sum(values[half:])


def size(value: Fraction) -> int:
    """The bits of a rational, above and below the fraction bar together."""
    return value.numerator.bit_length() + value.denominator.bit_length()


# --- text ---------------------------------------------------------------------------------------


def canonical(number: Number) -> str:
    """The canonical text of a normal form."""
    text = rational_text(number.rational) if number.rational or not number.logs else ""
    for c, r in number.logs:
        factor = "" if abs(c) == 1 else f"{rational_text(abs(c))}*"
        plus, minus = (" + ", " - ") if text else ("", "-")
        text += f"{minus if c < 0 else plus}{factor}ln({rational_text(r)})"
    return text


def rational_text(value: Fraction) -> str:
    """``n`` or ``n/d`` in lowest terms."""
    above = integer_text(value.numerator)
    return above if value.denominator == 1 else f"{above}/{integer_text(value.denominator)}"


def integer_text(value: int) -> str:
    """The decimal digits of an integer of any size."""
    if value < 0:
        return f"-{integer_text(-value)}"
    digits = value.bit_length() * 30103 // 100000 + 1  # not too few: log10(2) < 0.30103
    if digits <= _CHUNK:
        return str(value)
    half = digits // 2
    high, low = divmod(value, 10**half)
    head = integer_text(high) if high else ""
    return head + integer_text(low).rjust(half, "0") if head else integer_text(low)


def integer_from(digits: str) -> int:
    """The integer that a string of ASCII digits of any length denotes."""
    if len(digits) <= _CHUNK:
        return int(digits)
    half = len(digits) // 2
    high: int = integer_from(digits[:-half]) * 10**half
    return high + integer_from(digits[-half:])


def parse(text: str) -> Number:
    """Read a number of the grammar."""
    if len(text) > MAX_CHARACTERS:
        raise MalformedError(f"a number of more than {MAX_CHARACTERS} characters")
    return _Reader(text).number()


def parse_canonical(text: str) -> Number:
    """Read a number that must be its own canonical text."""
    number = parse(text)
    if canonical(number) != text:
        raise MalformedError(f"not a canonical number: {shown(text)}")
    return number


def parse_integer(text: str, least: int, most: int, what: str) -> int:
    """Read the canonical text of an integer of a range."""
    number = parse_canonical(text)
    value = number.rational.numerator
    if number != Number(Fraction(value)) or not least <= value <= most:
        raise MalformedError(f"{what} is not an integer from {least} to {most}: {shown(text)}")
    return value


_SIGN = re.compile(r"[ \t]*([+-])")
_TIMES = re.compile(r"[ \t]*\*")
_LN = re.compile(r"[ \t]*ln[ \t]*\(")
_CLOSE = re.compile(r"[ \t]*\)")
_END = re.compile(r"[ \t]*\Z")
_RATIONAL = re.compile(
    r"""[ \t]*(?:
      (?P<above>[0-9]+) [ \t]* / [ \t]* (?P<below>[0-9]+)
    | (?P<base>[0-9]+) [ \t]* \^ [ \t]* (?P<sign>[+-]?) [ \t]* (?P<power>[0-9]+)
    | (?P<whole>[0-9]*) (?: \. (?P<fraction>[0-9]+) )? (?: [eE] (?P<exponent>[+-]?[0-9]+) )?
    )""",
    re.VERBOSE,
)


class _Reader:
    """A cursor over a text; one method for each line of the grammar."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._bits = 0

    def number(self) -> Number:
        rationals: list[Fraction] = []
        logs: list[tuple[Fraction, Fraction]] = []
        sign = self._take(_SIGN)
        while True:
            factor = Fraction(-1 if sign and sign[1] == "-" else 1)
            coefficient, argument = self._term()
            if argument is None:
                rationals.append(factor * coefficient)
            else:
                logs.append((factor * coefficient, argument))
            if len(logs) > MAX_LOGARITHMS:
                raise self._error(f"more than {MAX_LOGARITHMS} logarithms")
            sign = self._take(_SIGN)
            if sign is None:
                break
        self._need(_END)
        return normal_form(rationals, logs)

    def _term(self) -> tuple[Fraction, Fraction | None]:
        if self._take(_LN):
            return Fraction(1), self._argument()
        coefficient = self._rational()
        if self._take(_TIMES):
            self._need(_LN)
            return coefficient, self._argument()
        return coefficient, None

    def _argument(self) -> Fraction:
        argument = self._rational()
        if not argument:
            raise self._error("ln(0)")
        self._need(_CLOSE)
        return argument

    def _rational(self) -> Fraction:
        parts = self._need(_RATIONAL).groupdict()
        if parts["above"] is not None:
            return self._ratio(self._integer(parts["above"]), self._integer(parts["below"]))
        if parts["base"] is not None:
            power = self._power(self._integer(parts["base"]), parts["power"])
            return self._ratio(1, power) if parts["sign"] == "-" else self._ratio(power, 1)
        fraction, exponent = parts["fraction"] or "", parts["exponent"] or "0"
        if not parts["whole"] and not fraction:
            raise self._error("no number")
        mantissa = self._integer(parts["whole"] + fraction)
        if not mantissa:
            return Fraction(0)
        if len(exponent.lstrip("+-0")) > 7:
            raise self._error("too large a number")
        places = int(exponent) - len(fraction)
        scale = self._power(10, str(abs(places)))
        return self._ratio(mantissa, scale) if places < 0 else self._ratio(mantissa * scale, 1)

    def _integer(self, digits: str) -> int:
        significant = digits.lstrip("0")
        if len(significant) > _MAX_DIGITS:
            raise self._error("too large a number")
        return integer_from(significant or "0")

    def _power(self, base: int, exponent: str) -> int:
        if base <= 1:
            return base if exponent.strip("0") else 1
        significant = exponent.lstrip("0") or "0"
        if len(significant) > 7 or int(significant) * (base.bit_length() - 1) > MAX_BITS:
            raise self._error("too large a number")
        power: int = base ** int(significant)
        return power

    def _ratio(self, above: int, below: int) -> Fraction:
        """The fraction, if its parts and all parts so far keep within the limits."""
        if not below:
            raise self._error("a division by 0")
        self._bits += above.bit_length() + below.bit_length()
        if max(above.bit_length(), below.bit_length()) > MAX_BITS or self._bits > MAX_TOTAL_BITS:
            raise self._error("too large a number")
        return Fraction(above, below)

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._position)
        if match is not None:
            self._position = match.end()
        return match

    def _need(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = self._take(pattern)
        if match is None:
            raise self._error("not a number")
        return match

    def _error(self, what: str) -> MalformedError:
        return MalformedError(f"{what}: {shown(self._text)} (at character {self._position + 1})")

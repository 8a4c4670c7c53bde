r"""Exact numbers: the normal form, and its canonical text.

Rules of this file: sizes are checked before integers are built; nothing here is rounded;
Python's limit on the digits of ``int`` and ``str`` is neither reached nor changed.

Theory of operation: a number is a rational plus a sum of rational multiples of logarithms of
rationals. Its normal form merges terms of equal argument and writes every argument above 1. Two
normal forms may denote one value (``ln(4)`` and ``2*ln(2)``); that is decided in ``signs``. There
is one reader, of the grammar; in a certificate a number must besides be its own canonical text.

Sources: certs/SPEC.md, section 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Final, TypeVar

from .meter import of_division, pay, remembered
from .outcomes import MalformedError, shown

T = TypeVar("T")

MAX_BITS: Final = 2**16
MAX_TOTAL_BITS: Final = 2**17
MAX_LOGARITHMS: Final = 1000
MAX_CHARACTERS: Final = 50_000

MAX_DIGITS: Final = 19_729  # as many as 2^(2^16) has
_SHORT: Final = 640  # the least limit that Python can be given for int()
_MAX_EXPONENT_DIGITS: Final = 7

_DECIMAL: Final = r"(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_RATIONAL: Final = rf"(?:0|[1-9][0-9]*)\^[+-]?[0-9]+|{_DECIMAL}(?:/{_DECIMAL})?"
_TERM: Final = re.compile(
    rf"(?P<sign>[+-])?(?:(?:(?P<factor>{_RATIONAL})\*)?ln\((?P<argument>{_RATIONAL})\)"
    rf"|(?P<alone>{_RATIONAL}))"
)
_INSIDE: Final = re.compile(r"[0-9A-Za-z.][ \t]+[0-9A-Za-z.]|[eE][+-]?[ \t]")
"""White space within a decimal or a word: everywhere else it says nothing."""


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
        pay(2000 * number.terms + of_division(number.size))
        rationals.append(factor * number.rational)
        logs += [(factor * c, r) for c, r in number.logs]
    return normal_form(rationals, logs)


def normal_form(rationals: Sequence[Fraction], logs: Iterable[tuple[Fraction, Fraction]]) -> Number:
    """The number with these rational terms and these terms c·ln(r), given as pairs (c, r)."""
    terms = sorted(
        (_upright(c, r) for c, r in logs if c and r != 1), key=lambda term: term[1]
    )  # sorted and not hashed: an input may have all its hashes equal
    merged = groupby(terms, key=lambda term: term[1])
    sums = ((_sum(c for c, _ in same), r) for r, same in merged)
    return Number(_sum(rationals), tuple((c, r) for c, r in sums if c))


def _upright(c: Fraction, r: Fraction) -> tuple[Fraction, Fraction]:
    """The same term with an argument above 1."""
    return (-c, 1 / r) if r < 1 else (c, r)


def in_pairs(operation: Callable[[T, T], T], values: Iterable[T], empty: T) -> T:
    """All values joined, in pairs: what is joined one by one meets what has grown at every step."""
    level = list(values)
    while len(level) > 1:
        rest = level[len(level) - len(level) % 2 :]
        level = [*map(operation, level[::2], level[1::2]), *rest]
    return level[0] if level else empty


def _sum(values: Iterable[Fraction]) -> Fraction:
    return in_pairs(_plus, values, Fraction(0))


def _plus(one: Fraction, other: Fraction) -> Fraction:
    pay(1000 + 4 * of_division(size(one) + size(other)))
    return one + other


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
    return str(Decimal(value))


def integer_from(digits: str) -> int:
    """The integer that a string of ASCII digits of any length denotes."""
    return int(digits) if len(digits) <= _SHORT else int(Decimal(digits))


# --- reading ------------------------------------------------------------------------------------


@remembered(256)
def parse_canonical(text: str) -> Number:
    """Read a number that must be its own canonical text; remembered, as ledgers repeat theirs."""
    number = parse(text)
    if canonical(number) != text:
        raise MalformedError(f"not a canonical number: {shown(text)}")
    return number


def parse(text: str) -> Number:
    """Read a number of the grammar."""
    if len(text) > MAX_CHARACTERS:
        raise MalformedError(f"a number of more than {MAX_CHARACTERS} characters")
    apart = _INSIDE.search(text)  # then it stays, and is of no term
    try:
        return _parsed(text if apart else text.replace(" ", "").replace("\t", ""))
    except MalformedError as error:
        raise MalformedError(f"{error}: {shown(text)}") from None


def _parsed(text: str) -> Number:
    """The sum of the terms, each but the first with its sign."""
    rationals: list[Fraction] = []
    logs: list[tuple[Fraction, Fraction]] = []
    at = bits = 0
    while not at or at < len(text):
        term = _TERM.match(text, at)
        if term is None or (at and not term["sign"]):
            rest = f" (at {shown(text[at:]) or 'its end'})" if at else ""
            raise MalformedError(f"not a number{rest}")
        at = term.end()
        values = [_rational(part) for part in term.group("factor", "argument", "alone") if part]
        bits += sum(above.bit_length() + below.bit_length() for above, below in values)
        if bits > MAX_TOTAL_BITS:
            raise MalformedError("too large a number")
        factor = Fraction(*values[0]) if term["factor"] or term["alone"] else Fraction(1)
        factor = -factor if term["sign"] == "-" else factor
        if term["alone"]:
            rationals.append(factor)
            continue
        logs.append((factor, Fraction(*values[-1])))
        if not logs[-1][1]:
            raise MalformedError("ln(0)")
        if len(logs) > MAX_LOGARITHMS:
            raise MalformedError(f"more than {MAX_LOGARITHMS} logarithms")
    if len(rationals) > 1 and not logs:
        raise MalformedError("not a number (a sum without a logarithm)")
    number = normal_form(rationals, logs)
    for value in (number.rational, *(c for c, _ in number.logs)):
        _kept(value.numerator, value.denominator)
    return number


def _rational(text: str) -> tuple[int, int]:
    """What stands above and below the bar of a rational, before it is reduced."""
    base, caret, exponent = text.partition("^")
    over, _, under = text.partition("/")
    if caret:
        power = _power(_integer(base), exponent)
        above, below = (1, power) if exponent.startswith("-") else (power, 1)
    else:
        (above, below), (second, first) = _decimal(over), _decimal(under or "1")
        above, below = above * first, below * second
    if not below:
        raise MalformedError("a division by 0")
    return _kept(above, below)


def _decimal(text: str) -> tuple[int, int]:
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, fraction = mantissa.partition(".")
    value, size_of = _integer(whole + fraction), exponent.lstrip("+-0") or "0"
    if not value:
        return 0, 1
    if len(size_of) > _MAX_EXPONENT_DIGITS:
        raise MalformedError("too large a number")
    places = (-1 if exponent.startswith("-") else 1) * int(size_of) - len(fraction)
    scale = _power(10, str(abs(places)))
    return _kept(value, scale) if places < 0 else _kept(value * scale, 1)


def _power(base: int, exponent: str) -> int:
    """The base to the size of an exponent."""
    digits = exponent.lstrip("+-0") or "0"
    if base <= 1:
        return 1 if digits == "0" else base
    if len(digits) > _MAX_EXPONENT_DIGITS or int(digits) * (base.bit_length() - 1) > MAX_BITS:
        raise MalformedError("too large a number")
    power: int = base ** int(digits)
    return power


def _integer(text: str) -> int:
    digits = text.lstrip("0") or "0"
    if len(digits) > MAX_DIGITS:
        raise MalformedError("too large a number")
    return integer_from(digits)


def _kept(above: int, below: int) -> tuple[int, int]:
    """The two parts of a fraction, if each keeps within the limit."""
    if max(above.bit_length(), below.bit_length()) > MAX_BITS:
        raise MalformedError("too large a number")
    return above, below


def parse_integer(text: str, least: int, most: int, what: str) -> int:
    """Read the canonical text of an integer of a range."""
    number = parse_canonical(text)
    value = number.rational.numerator
    if number.logs or number.rational.denominator != 1 or not least <= value <= most:
        raise MalformedError(f"{what} is not an integer from {least} to {most}: {shown(text)}")
    return value

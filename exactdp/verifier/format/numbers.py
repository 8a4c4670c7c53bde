r"""Exact numbers: the normal form, and its canonical text.

Rules of this file: sizes are checked before integers are built; nothing here is rounded;
Python's limit on the digits of ``int`` and ``str`` is neither reached nor changed.

Theory of operation: a number is a rational plus a sum of rational multiples of logarithms of
rationals. Its normal form merges terms of equal argument and writes every argument above 1. Two
normal forms may denote one value (``ln(4)`` and ``2*ln(2)``); that is decided in ``enclosures``.

Sources: certs/SPEC.md, section 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final, TypeVar

from .meter import of_division, pay, remembered
from .outcomes import MalformedError, shown

T = TypeVar("T")

MAX_BITS: Final = 2**16
MAX_TOTAL_BITS: Final = 2**17
MAX_LOGARITHMS: Final = 1000
MAX_CHARACTERS: Final = 50_000

MAX_DIGITS: Final = 19_729  # as many as 2^(2^16) has
_CHUNK: Final = 640  # the least limit that Python can be given for int()
_TERM: Final = re.compile(
    r"(-?) ([0-9]+(?:/[1-9][0-9]*)?)? (?: \*? ln\( ([1-9][0-9]*(?:/[1-9][0-9]*)?) \) )?", re.VERBOSE
)


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
    if len(digits) <= _CHUNK:
        return int(digits)
    half = len(digits) // 2
    high: int = integer_from(digits[:-half]) * 10**half
    return high + integer_from(digits[-half:])


@remembered(256)
def parse_canonical(text: str) -> Number:
    """Read a number that must be its own canonical text: only that decides what is one.

    A ledger repeats its numbers; a text's hash cannot be foreseen.
    """
    if len(text) > MAX_CHARACTERS:
        raise MalformedError(f"a number of more than {MAX_CHARACTERS} characters")
    rationals: list[Fraction] = []
    logs: list[tuple[Fraction, Fraction]] = []
    bits = 0
    for written in text.replace(" - ", " + -").split(" + "):
        term = _TERM.fullmatch(written)
        if term is None:
            raise MalformedError(f"not a canonical number: {shown(text)}")
        values = [_rational(digits) for digits in term.groups()[1:] if digits]
        bits += sum(map(size, values))
        c = values[0] if term[2] else Fraction(1)
        if term[3]:
            logs.append((-c if term[1] else c, values[-1]))
        else:
            rationals.append(-c if term[1] else c)
        if bits > MAX_TOTAL_BITS or len(logs) > MAX_LOGARITHMS:
            raise MalformedError(f"too large a number: {shown(text)}")
    number = normal_form(rationals, logs)
    if canonical(number) != text:
        raise MalformedError(f"not a canonical number: {shown(text)}")
    return number


def _rational(text: str) -> Fraction:
    above, _, below = text.partition("/")
    if max(len(above), len(below)) > MAX_DIGITS:
        raise MalformedError(f"too large a number of digits: {shown(text)}")
    n, d = integer_from(above), integer_from(below) if below else 1
    if max(n.bit_length(), d.bit_length()) > MAX_BITS:
        raise MalformedError(f"too large a number: {shown(text)}")
    return Fraction(n, d)


def parse_integer(text: str, least: int, most: int, what: str) -> int:
    """Read the canonical text of an integer of a range."""
    number = parse_canonical(text)
    value = number.rational.numerator
    if number.logs or number.rational.denominator != 1 or not least <= value <= most:
        raise MalformedError(f"{what} is not an integer from {least} to {most}: {shown(text)}")
    return value

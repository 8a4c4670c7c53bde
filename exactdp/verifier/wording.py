r"""The sentence of an accepted statement.

Rules of this file: a printed number is exact, or rounded so that the sentence follows from the
statement: up for an ``upper`` bound, down for a ``lower`` one.

Sources: certs/SPEC.md, section 13.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from .arithmetic.enclosures import enclose
from .format.numbers import Number, canonical, integer_text
from .statement import Statement

_EXACT_DIGITS: Final = 17
_ROUNDED_DIGITS: Final = 11
_CANONICAL_CHARACTERS: Final = 40
_BITS: Final = 256


def sentence(statement: Statement, nouns: tuple[str, str]) -> str:
    """What an accepted statement says, in a line; ``nouns`` are for one mechanism, or many."""
    bound = statement.bound
    up = bound.kind == "upper"
    delta = decimal_text(bound.delta, up=up)
    count = statement.subject.count
    many = nouns[count != 1]
    groups = "" if bound.group == 1 else f", groups of {bound.group}"
    of_whom = f"{count} {many} ({bound.kind}, {statement.interaction}{groups})"
    if bound.epsilon is None:
        return f"no finite ε at δ = {delta} for {of_whom}"
    if bound.kind == "underivable":
        end = number_text(bound.epsilon, up=False)
        return (
            f"{statement.theorem} gives no ε ≤ {end} at δ = {delta} for {of_whom}; a formula only"
        )
    relation = "≤" if up else ">"
    return f"ε {relation} {number_text(bound.epsilon, up=up)} at δ = {delta} for {of_whom}"


def number_text(number: Number, *, up: bool) -> str:
    """A short text of a number >= 0: exact if possible, else rounded up or down."""
    if not number.logs:
        return decimal_text(number.rational, up=up)
    text = canonical(number)
    if len(text) <= _CANONICAL_CHARACTERS:
        return text
    low, high = enclose(number, _BITS)
    return decimal_text(Fraction(high if up else max(low, 0), 1 << _BITS), up=up)


def decimal_text(value: Fraction, *, up: bool) -> str:
    """A decimal of at most 17 significant digits if exact, else of 11, rounded up or down."""
    if not value:
        return "0"
    exponent = _exponent(value)
    mantissa, rest = _divided(value, _EXACT_DIGITS - 1 - exponent)
    if not rest:
        return _notation(mantissa, exponent - _EXACT_DIGITS + 1)
    mantissa, rest = _divided(value, _ROUNDED_DIGITS - 1 - exponent)
    return _notation(mantissa + (up and rest > 0), exponent - _ROUNDED_DIGITS + 1)


def _exponent(value: Fraction) -> int:
    """The greatest e with 10^e <= value, for value > 0."""
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    exponent = (bits - 1) * 30103 // 100000 - 1  # at most a little too small
    while _divided(value, -exponent - 1)[0]:
        exponent += 1
    return exponent


def _divided(value: Fraction, places: int) -> tuple[int, int]:
    """value·10^places as an integer, rounded down, and a remainder that is 0 if that is exact."""
    scale: int = 10 ** abs(places)
    if places >= 0:
        return divmod(value.numerator * scale, value.denominator)
    return divmod(value.numerator, value.denominator * scale)


def _notation(mantissa: int, exponent: int) -> str:
    """mantissa·10^exponent, in the shorter of plain and scientific notation."""
    digits = integer_text(mantissa)
    significant = digits.rstrip("0")
    exponent += len(digits) - len(significant)
    point = len(significant) + exponent  # digits before the decimal point
    rest = significant[1:]
    scientific = f"{significant[0]}{'.' if rest else ''}{rest}e{point - 1}"
    if not -_EXACT_DIGITS <= point <= 2 * _EXACT_DIGITS:
        return scientific
    if exponent >= 0:
        plain = significant + "0" * exponent
    elif point > 0:
        plain = f"{significant[:point]}.{significant[point:]}"
    else:
        plain = f"0.{'0' * -point}{significant}"
    return plain if len(plain) <= len(scientific) else scientific

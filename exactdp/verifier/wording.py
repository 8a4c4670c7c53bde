r"""The sentence of an accepted statement.

Rules of this file: a printed number is exact, or rounded so that the sentence follows from the
statement: up for an ``upper`` bound, down for a ``lower`` one.

Sources: certs/SPEC.md, section 13.
"""

from __future__ import annotations

import decimal
from fractions import Fraction
from typing import Final

from .arithmetic.enclosures import enclose
from .format.numbers import Number, canonical
from .statement import Statement

_EXACT_DIGITS: Final = 17
_ROUNDED_DIGITS: Final = 11
_CANONICAL_CHARACTERS: Final = 40
_BITS: Final = 256
_NOTIONS: Final = {"rho": ("ρ", "zCDP"), "mu": ("μ", "Gaussian DP")}


def sentence(statement: Statement) -> str:
    """What an accepted statement says, in a line."""
    bound = statement.bound
    up = bound.kind == "upper"
    delta = decimal_text(bound.delta, up=up)
    count = statement.subject.count
    many = statement.subject.nouns[count != 1]
    groups = "" if bound.group == 1 else f", groups of {bound.group}"
    of_whom = f"{count} {many} ({bound.kind}, {statement.interaction}{groups})"
    if bound.epsilon is None:
        return f"no finite ε at δ = {delta} for {of_whom}"
    end = number_text(bound.epsilon, up=up)
    if bound.notion:
        letter, meaning = _NOTIONS[bound.notion]
        return f"{letter} {'≤' if up else '>'} {end} ({meaning}) for {of_whom}"
    if bound.kind == "underivable":
        return (
            f"{statement.theorem} gives no ε ≤ {end} at δ = {delta} for {of_whom}; a formula only"
        )
    if bound.kind == "rejected":
        level = decimal_text(statement.subject.level, up=True)
        return f"ε = {end} at δ = {delta} is rejected at level {level} by an outcome of {of_whom}"
    return f"ε {'≤' if up else '>'} {end} at δ = {delta} for {of_whom}"


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
    rounding = decimal.ROUND_CEILING if up else decimal.ROUND_FLOOR
    most = decimal.MIN_EMIN, decimal.MAX_EMAX
    context = decimal.Context(_EXACT_DIGITS, rounding, *most, traps=[])
    parts = [decimal.Decimal(part) for part in value.as_integer_ratio()]
    found = context.divide(*parts)  # rounded once, and flagged if not exact
    if context.flags[decimal.Inexact]:
        context.prec = _ROUNDED_DIGITS
        found = context.divide(*parts)
    short = found.normalize(context)
    return min(f"{short:f}", f"{short:e}".replace("+", ""), key=len)

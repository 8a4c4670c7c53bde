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
from .statement import EVERY, Statement

_EXACT_DIGITS: Final = 17
_ROUNDED_DIGITS: Final = 11
_CANONICAL_CHARACTERS: Final = 40
_BITS: Final = 256
_AT: Final = "{end} at δ = {delta}"
_SAID: Final = {
    "upper": f"ε ≤ {_AT} for {{whom}}",
    "lower": f"ε > {_AT} for {{whom}}",
    "every": "no finite ε at δ = {delta} for {whom}",
    "underivable": f"{{theorem}} gives no ε ≤ {_AT} for {{whom}}; a formula only",
    "rejected": f"ε = {_AT} is rejected at level {{level}} by an outcome of {{whom}}",
    "rho": "ρ {order} {end} (zCDP) for {whom}",
    "mu": "μ {order} {end} (Gaussian DP) for {whom}",
}
"""By the kind of bound; for every ε, or by the notion."""


def sentence(statement: Statement) -> str:
    """What an accepted statement says, in a line."""
    bound, subject, up = statement.bound, statement.subject, statement.bound.kind == "upper"
    many = f"{subject.count} {subject.nouns[subject.count != 1]}"
    groups = "" if bound.group == 1 else f", groups of {bound.group}"
    return _SAID[EVERY if bound.epsilon is None else bound.notion or bound.kind].format(
        end=bound.epsilon and number_text(bound.epsilon, up=up),
        order="≤" if up else ">",
        delta=decimal_text(bound.delta, up=up),
        level=decimal_text(subject.level, up=True),
        theorem=statement.theorem,
        whom=f"{many} ({bound.kind}, {statement.interaction}{groups})",
    )


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

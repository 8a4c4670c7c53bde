r"""Answers as a person reads them, and as other programs take them.

Rules of this file: a lower end is rounded down and an upper end up, where they are rounded at
all; a decimal or a fraction that is handed out is exact.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    decimal_text,
    scientific_above,
    scientific_below,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber

INFEASIBLE: Final = "no finite ε is enough"
_DIGITS: Final = 12


def interval_text(lower: mpq, upper: mpq) -> str:
    """An interval of decimals, with as many places at one end as at the other.

    >>> interval_text(mpq(1, 2), mpq(3, 4)), interval_text(mpq(1), mpq(1))
    ('[0.50, 0.75]', '[1, 1]')
    """
    ends = decimal_text(lower).partition("."), decimal_text(upper).partition(".")
    places = max(len(fraction) for _, _, fraction in ends)
    point = "." if places else ""
    texts = (f"{whole}{point}{fraction:0<{places}}" for whole, _, fraction in ends)
    return f"[{', '.join(texts)}]"


def rounded_interval_text(lower: mpq, upper: mpq) -> str:
    """An interval of any rationals, rounded outward where their decimals are long.

    >>> rounded_interval_text(mpq(1, 3), mpq(1, 2))
    '[0.333333333333, 0.5]'
    """
    return f"[{scientific_below(lower, _DIGITS)}, {scientific_above(upper, _DIGITS)}]"


def epsilon_text(lower: mpq | None, upper: mpq | None, exact: ExactNumber | None) -> str:
    """What is known of the least ε."""
    if lower is None or upper is None:
        return INFEASIBLE
    if exact is not None and lower == upper:
        return f"ε = {shortest_text(exact)}"
    within = f"ε ∈ {interval_text(lower, upper)}"
    return within if exact is None else f"ε = {shortest_text(exact)}, {within}"


def delta_clause(delta: mpq) -> str:
    """At which δ."""
    return f"at δ = {short_text(delta)}"


def exact_decimal(value: mpq) -> Decimal:
    """A decimal of the same value, for a rational that has one.

    >>> exact_decimal(mpq(5, 8))
    Decimal('0.625')
    """
    return Decimal(decimal_text(value))


def exact_fraction(value: mpq) -> Fraction:
    """A fraction of the same value."""
    return Fraction(int(value.numerator), int(value.denominator))

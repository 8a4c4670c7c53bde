r"""Tails of the normal distribution, and rationals, enclosed in integers.

Rules of this file: as in ``enclosures``.

Theory of operation: with r of ``normal``, Φ(-v) = e^{-v²/2}·r(v) for v >= 0, else 1 - Φ(v).

Sources: certs/SPEC.md, section 6.5.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ..format.meter import of_division, pay
from ..format.numbers import size
from .enclosures import Enclosure, ceil_shift, enclose_exact, exp_fixed
from .normal import beside, signed_tail

_GUARD: Final = 40


def upper_tail(scaled: Fraction, square: Fraction, bits: int) -> Enclosure:
    """Φ(-v) for v = scaled/μ of any sign, and μ² = ``square`` > 0."""
    work = bits + _GUARD
    pay(8 * of_division(2 * work + size(scaled) + size(square)))
    factor_low, factor_high = exp_fixed(enclose_exact(-scaled * scaled / square / 2, work), work)
    low, high = 0, 1
    if factor_high > 1:  # else it is at most 1, as r is at most 1/2
        enough = beside(factor_high, work)
        low, high = signed_tail(abs(scaled), square, enough)
        low, high = max(0, factor_low * low >> enough), ceil_shift(factor_high * high, enough)
    if scaled < 0:
        low, high = (1 << work) - high, (1 << work) - low
    return low >> _GUARD, ceil_shift(high, _GUARD)

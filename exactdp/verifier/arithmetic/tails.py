r"""Tails of the normal distribution, and rationals, enclosed in integers.

Rules of this file: as in ``enclosures``.

Theory of operation: with r of ``normal``, Φ(-v) = e^{-v²/2}·r(v) for v >= 0, else 1 - Φ(v).

Sources: certs/SPEC.md, section 6.5.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Final

from ..format.meter import of_division, pay
from ..format.numbers import size
from .enclosures import Enclosure, ceil_shift, enclose_exact, exp_fixed
from .normal import scaled_tail

_GUARD: Final = 40


def upper_tail(scaled: Fraction, square: Fraction, bits: int) -> Enclosure:
    """Φ(-v) for v = scaled/μ of any sign, and μ² = ``square`` > 0."""
    work = bits + _GUARD
    pay(8 * of_division(2 * work + size(scaled) + size(square)))
    value = scaled * scaled / square
    least, most = enclose_exact(-value / 2, work)
    factor_low, factor_high = exp_fixed((least, most), work)
    low, high = 0, 1
    if factor_high > 1:  # else it is at most 1, as r is at most 1/2
        v = isqrt((value.numerator << 2 * work) // value.denominator)  # v <= |v|·2^work < v + 2
        low, high = scaled_tail(v, work)
        low = max(0, factor_low * (low - 1) >> work)  # r falls by at most half of that
        high = ceil_shift(factor_high * high, work)
    if scaled < 0:
        low, high = (1 << work) - high, (1 << work) - low
    return low >> _GUARD, ceil_shift(high, _GUARD)

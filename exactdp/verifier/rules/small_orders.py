r"""Rényi divergences of sampled Gaussian noise at orders between 1 and 2, for the rule ``moments``.

Rules of this file: a divergence is from above, times α - 1 and 2^bits.

Theory of operation: with R = P/Q of normal laws μ apart, M = 1 - q + qR and x = α - 1 in (0, 1),

.. math:: E_Q M^{1+x} = (1 - q) E_Q M^x + q E_P M^x.

The first mean is at most 1, by Jensen's inequality. As :math:`(a + b)^x - b^x` is at most both a^x
and x·a·b^{x-1}, so at most the root of their product, the second is at most

.. math:: q^x e^{x(1+x)\mu^2/2} + \min(1, \sqrt{x} q^{-(1-x)/2} e^{-(1-x^2)\mu^2/8}).

Source: certs/SPEC.md, section 11.14.
"""

from __future__ import annotations

from fractions import Fraction

from ..arithmetic.enclosures import enclose_exact
from ..format.meter import of_division, pay
from ..format.numbers import size
from .conversion import logarithm, times


def exponents_below_two(square: Fraction, rate: Fraction, alpha: Fraction, bits: int) -> list[int]:
    """Three numbers whose exponentials add up to at least E_Q M^α; 1 < α < 2."""
    pay(40 * of_division(bits + size(square) + size(rate) + size(alpha)))
    x = alpha - 1
    without, there = logarithm(1 - rate, bits)[1], logarithm(rate, bits)
    moved = times(there, x)[1] + enclose_exact(x * alpha * square / 2, bits)[1]
    held = times(logarithm(x, bits), Fraction(1, 2))[1] + times(there, (x - 1) / 2)[1]
    held += enclose_exact((x * x - 1) * square / 8, bits)[1]
    return [without, there[1] + moved, there[1] + min(0, held)]

r"""Gaussian DP: the exact privacy profile of Gaussian noise, and its inverse.

Rules of this file: ends are certain, and both are about mechanisms: the profile is that of the
Gaussian mechanism itself. Discrete Gaussian noise is another mechanism.

Theory of operation: with a = ε/μ - μ/2, b = ε/μ + μ/2 and Φ the normal distribution function,

.. math:: G_\mu(\epsilon) = \Phi(-a) - e^\epsilon \Phi(-b), \qquad -\infty < \epsilon < \infty.

It falls with ε, by at most as much as ε rises.

Sources: Balle & Wang, ICML 2018, Theorem 8; Dong, Roth & Su, J. R. Stat. Soc. B 84(1), 2022,
Corollary 2.13 of arXiv:1905.02383.
"""

from __future__ import annotations

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import ceil_to, floor_to, places_within
from exactdp.arithmetic.enclosures import (
    Ends,
    ball,
    ball_of_rational,
    bits_of,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber, Number, as_number, as_rational
from exactdp.composition.engines.gaussian.crossing import crossing
from exactdp.errors import DomainError

_GUARD_BITS = 32
_MOST_BITS = 100_000


def profile_ball(square: mpq, epsilon: arb, bits: int) -> arb:
    """G_μ(ε) for μ² = ``square`` > 0, to an absolute error of about 2^-bits.

    The precision of the context should be at least ``bits``.
    """
    half = ball_of_rational(square) / 2
    root = (4 * half).sqrt()  # μ·√2
    a, b = (epsilon - half) / root, (epsilon + half) / root
    if a > 0 and a**2 > bits:  # G_μ(ε) <= Φ(-a·√2) <= e^{-a²}/2
        return arb(0, arb(2) ** -bits)
    return (a.erfc() - epsilon.exp() * b.erfc()) / 2


def profile(square: mpq, epsilon: ExactNumber, tolerance: mpq) -> Ends:
    """Ends of G_μ(ε), to a relative width; ``square`` = μ² > 0 and ε >= 0.

    Where G_μ(ε) is below 2^-100000 the lower end is 0.
    """
    bits = 2 * bits_of(1 / tolerance) + _GUARD_BITS
    while True:
        with precision(bits):
            value = profile_ball(square, ball(epsilon), bits)
            low, high = max(mpq(0), lower_end(value)), upper_end(value)
        if high - low <= tolerance * low or bits > _MOST_BITS:
            return low, high
        bits *= 2


def least_epsilon_of(square: mpq, allowed: arb, tolerance: mpq) -> Ends:
    """Decimals around the ε >= 0 at which G_μ(ε) = Δ > 0, for a ball of Δ."""
    places = places_within(tolerance) + 1
    bits = bits_of(1 / lower_end(allowed)) + 2 * bits_of(1 / tolerance) + _GUARD_BITS

    def ends(epsilon: mpq) -> Ends:
        with precision(bits):
            value = profile_ball(square, ball_of_rational(epsilon), bits)
            return lower_end(value), upper_end(value)

    low, high = crossing(lambda epsilon: ends(epsilon)[1], lower_end(allowed), tolerance / 4)
    if ends(low)[0] <= upper_end(allowed):
        low = mpq(0)  # G_μ(0) is at most Δ
    return floor_to(low, places), ceil_to(high, places)


def least_epsilon(mu: Number, delta: Number, tolerance: Number = "1e-12") -> Ends:
    r"""Ends of the least ε at which a μ-GDP mechanism is (ε, δ)-DP; 0 < δ < 1.

    >>> low, high = least_epsilon("1", "1e-5")
    >>> print(float(low))
    4.37717...
    """
    size, target = as_rational(mu, "mu"), as_rational(delta, "delta")
    if size < 0:
        raise DomainError(field="mu", value=str(size), expected="a rational number at least 0")
    if not 0 < target < 1:
        raise DomainError(field="delta", value=str(target), expected="a rational above 0, below 1")
    if not size:
        return mpq(0), mpq(0)
    with precision(bits_of(1 / target) + _GUARD_BITS):
        allowed = ball_of_rational(target)
    return least_epsilon_of(size**2, allowed, as_rational(tolerance, "tolerance"))


def delta(mu: Number, epsilon: Number, tolerance: Number = "1e-12") -> Ends:
    r"""Ends of the least δ at which a μ-GDP mechanism is (ε, δ)-DP, to a relative tolerance.

    >>> low, high = delta("1", "1")
    >>> print(float(low))
    0.126936...
    """
    size = as_rational(mu, "mu")
    if size <= 0:
        raise DomainError(field="mu", value=str(size), expected="a rational number above 0")
    return profile(size**2, as_number(epsilon, "epsilon"), as_rational(tolerance, "tolerance"))

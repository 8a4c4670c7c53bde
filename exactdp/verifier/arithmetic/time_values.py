r"""What a slight Gaussian mechanism adds to a divergence, between two quadratics: their transforms.

Rules of this file: integers at b bits, and the units that each may be off.

Theory of operation: at a distance u from the threshold a mechanism with μ = s adds the time value
c(u) = E(1 - e^{-u-N})_+ - (1 - e^{-u})_+, which divided by s² and by the density of u + N at 0 is
at least 1/2 - 0.15568·v, and at most κ·(1 - v/2 + 0.07666·v²), v = u²/s². The transforms of these
over that of the noise are polynomials K in W = s²(z + 1/2)², as v has the moments 1 + W and
3 + 6W + W².

Sources: certs/SPEC.md, section 11.7.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ..format.numbers import size

_PER_UNIT: Final = 10**5
_TANGENT: Final = (34432, -15568, 0)
_PARABOLA: Final = (72998, -4004, 7666)


def kappa(noise: Fraction) -> Fraction:
    """1/(1 - s²/12)."""
    return 1 / (1 - noise**2 / 12)


class Kernel:
    """1/q - s²K(s²(q + 1/4)), and s²q/2: what does not depend on the mechanisms.

    With Gaussian mechanisms (SPEC 11.7) M²(q - a(a + 1))/2 is added to the latter.

    Args:
        tilt, step, noise: a, d and s, as SPEC 11.7 has them.
        variance: M², of the privacy loss of Gaussian mechanisms.
        lower: which of the two polynomials K is.
        bits: of precision.
    """

    def __init__(
        self,
        *,
        tilt: Fraction,
        step: Fraction,
        noise: Fraction,
        variance: Fraction,
        lower: bool,
        bits: int,
    ) -> None:
        square = noise**2
        self._bits = bits
        self.size = 4 * sum(map(size, (tilt, step, noise, variance)))
        """The bits of what is divided, beside those of precision and of a point."""
        self._unit = tilt.denominator * step.denominator  # q is of integers over its square
        self._tilt = tilt.numerator * step.denominator
        self._step = step.numerator * tilt.denominator
        self._below = square.denominator * variance.denominator
        self._square = square.numerator * variance.denominator
        self._variance = variance.numerator * square.denominator
        factor = kappa(noise) * square if lower else square
        above, below = factor.numerator, factor.denominator * _PER_UNIT
        self._terms = [(above * c << bits) // below for c in (_PARABOLA if lower else _TANGENT)]

    def at(self, n: int) -> tuple[int, int, int, int, int]:
        """(c, s, e, g, h) with c - i·s the one, off by at most e units, and h + i·g the other.

        G and h are from below and less than a unit off.
        """
        bits, unit_, tilt, t = self._bits, self._unit, self._tilt, n * self._step
        re, im = tilt * (tilt + unit_) - t * t, t * (2 * tilt + unit_)
        norm, whole = re * re + im * im, unit_ * unit_
        above, below = self._square, self._below * whole
        swept = (im * (above + self._variance) << bits) // below
        decay = (re * above - t * t * self._variance << bits) // below
        x = ((re * above << bits) // below) + ((above * whole << bits) // (4 * below))
        y = (im * above << bits) // below
        first, second, third = self._terms
        x2, y2 = x * x - y * y >> bits, 2 * x * y >> bits
        real = first + (second * x + third * x2 >> bits)
        imaginary = second * y + third * y2 >> bits
        size = (abs(x) + abs(y) >> bits) + 1
        blurred = 8 + 2 * size + size * size
        along, across = (re * whole << bits) // norm, (im * whole << bits) // norm
        return along - real, across + imaginary, blurred, swept >> 1, decay >> 1

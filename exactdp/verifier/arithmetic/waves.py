r"""Characteristic functions of noise: Laplace, and discrete Laplace of a shift.

Rules of this file: as in ``circle``; what bounds a modulus is from above, what makes it small from
below.

Theory of operation: under the first hypothesis P the privacy loss L of noise has
E_P e^{aL} = e^{al}·H(θ)/H(1/2), with l the greatest loss, θ = a + 1/2 and

    Laplace:            H(w) = 1 + e^{-2wl} + (1 - e^{-2wl})/(2w),
    discrete Laplace:   H(w) = 1 + e^{-2wl} + (1 - x)(e^{-2wr} - e^{-2wl})/(1 - e^{-2wr}),

r = 1/scale, x = e^{-r}, l = rs; for randomized response H(w) = 1 + e^{-2wl}. With w = θ + it,
φ(t) = e^{itl}·H(w)/H(θ) is the sum of an outer part, that of the losses ±l, which is as for
randomized response, and of an inner one. Where that is at most B/H(θ) in modulus,

    |φ(t)| <= (W + B)/H(θ)·√(1 - k·sin² tl),   W = 1 + v,   k = 4v/(W(W + B)),   v = e^{-2θl}.

Sources: certs/SPEC.md, section 11.7.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Final

from ..format.meter import of_product, pay
from ..format.outcomes import RejectedError
from .circle import Point, times
from .enclosures import Enclosure, ceil_div, enclose_exact, exp_fixed

_HALF: Final = Fraction(1, 2)


@dataclass(frozen=True)
class Wave(ABC):
    """The noise of ``count`` mechanisms."""

    count: int

    @property
    @abstractmethod
    def loss(self) -> Fraction:
        """The greatest loss l."""

    @property
    def turns(self) -> tuple[Fraction, ...]:
        """What t is multiplied by in the angles that the factor is made of; l is the first."""
        return (self.loss,)

    @property
    def blur(self) -> int:
        """Bits that an inner part loses."""
        return 0

    @abstractmethod
    def height(self, rate: Fraction, bits: int) -> Enclosure:
        """H(rate) - 1, for a rate of at least 1/2."""

    @abstractmethod
    def tilted(self, theta: Fraction, step: Fraction, bits: int) -> Tilted:
        """The factor φ at the points nd."""


class Tilted(ABC):
    """The factor of one mechanism, at so many bits."""

    def __init__(self, wave: Wave, theta: Fraction, bits: int) -> None:
        self.wave = wave
        self.bits = bits
        self.one = 1 << bits
        self.odds = _power_of_e(-2 * theta * wave.loss, bits)
        low, high = wave.height(theta, bits)
        self.whole = low + self.one, high + self.one

    def factor(self, n: int, units: Sequence[Point]) -> Point:
        """φ(nd), for points of the circle at the angles nd·turn."""
        outer, inner = _slanted(units[0], self.odds, self.bits, 1), self.inner(n, units)
        low, high = self.whole
        re, im = ((a + b << self.bits) // low for a, b in zip(outer[:2], inner[:2], strict=True))
        # the whole is at least 1, and what is divided by it is at most as large
        return re, im, outer[2] + inner[2] + high - low + 3

    def squeeze(self, n: int, bits: int) -> int:
        """K times 2^bits, from below, for all points from n on."""
        above = 1 + self.one + self.odds[1]
        return (4 * self.odds[0] << self.bits + bits) // (above * (above + self.most(n)))

    def damping(self, n: int) -> int:
        """(W + B)/H(θ) at n, and so beyond it, from above."""
        above = self.one + self.odds[1] + self.most(n)
        return min(self.one, ceil_div(above << self.bits, self.whole[0]))

    @abstractmethod
    def inner(self, n: int, units: Sequence[Point]) -> Point:
        """The inner part, times H(θ)."""

    def most(self, _n: int) -> int:
        """B from above, of all points from n on: what is not the outer part at 0."""
        return self.whole[1] - self.one - self.odds[0]


@dataclass(frozen=True)
class Laplace(Wave):
    """Losses from -a to a, a = sensitivity/scale."""

    most: Fraction

    @property
    def loss(self) -> Fraction:
        """The greatest loss a."""
        return self.most

    def height(self, rate: Fraction, bits: int) -> Enclosure:
        """Bounds of v + (1 - v)/(2b), which does not fall with v."""
        one = 1 << bits
        low, high = _power_of_e(-2 * rate * self.most, bits)
        above, below = rate.denominator, 2 * rate.numerator
        return low + (one - low) * above // below, high + ceil_div((one - high) * above, below)

    def tilted(self, theta: Fraction, step: Fraction, bits: int) -> Tilted:
        """See :class:`Wave`."""
        return _TiltedLaplace(self, theta, step, bits)


class _TiltedLaplace(Tilted):
    def __init__(self, wave: Laplace, theta: Fraction, step: Fraction, bits: int) -> None:
        super().__init__(wave, theta, bits)
        self._unit = theta.denominator * step.denominator
        self._theta = theta.numerator * step.denominator
        self._step = step.numerator * theta.denominator

    def inner(self, n: int, units: Sequence[Point]) -> Point:
        """(1 - e^{-2wa})e^{ita}/(2w), and 1/(2w) = (θ - it)/(2(θ² + t²)), at most 1."""
        re, im, err = _slanted(units[0], self.odds, self.bits, -1)
        theta, t = self._theta, n * self._step
        norm = 2 * (theta * theta + t * t)
        across = (im * theta - re * t) * self._unit // norm
        return (re * theta + im * t) * self._unit // norm, across, err + 2

    def most(self, n: int) -> int:
        """The bound W/(2|w|), if that is less."""
        theta, t = self._theta, n * self._step
        above = (self.one + self.odds[1]) * self._unit
        return min(super().most(n), ceil_div(above, 2 * isqrt(theta * theta + t * t)))


@dataclass(frozen=True)
class DiscreteLaplace(Wave):
    """Losses (s - 2j)·r for j from 0 to a shift s of at least 2, r = 1/scale."""

    unit: Fraction
    shift: int

    @property
    def loss(self) -> Fraction:
        """The greatest loss rs."""
        return self.unit * self.shift

    @property
    def turns(self) -> tuple[Fraction, ...]:
        """Both rs and r."""
        return self.loss, self.unit

    @property
    def blur(self) -> int:
        """The bits of 1/(1 - e^{-r}), twice."""
        return 2 * (1 / self.unit).__ceil__().bit_length()

    def height(self, rate: Fraction, bits: int) -> Enclosure:
        """Of the two parts; at 1/2 they are e^{-r} together."""
        one, odds = 1 << bits, _power_of_e(-self.unit, bits)
        if rate == _HALF:
            return odds
        low, high = _power_of_e(-2 * rate * self.unit, bits)
        least, most = _power_of_e(-2 * rate * self.loss, bits)
        if high >= one:
            raise RejectedError("too few digits for so large a scale")
        inside = max(0, low - most) * (one - odds[1]) // (one - low)
        return least + inside, most + ceil_div((high - least) * (one - odds[0]), one - high)

    def tilted(self, theta: Fraction, step: Fraction, bits: int) -> Tilted:
        """See :class:`Wave`."""
        return _TiltedSteps(self, theta, step, bits)


class _TiltedSteps(Tilted):
    def __init__(self, wave: DiscreteLaplace, theta: Fraction, _step: Fraction, bits: int) -> None:
        super().__init__(wave, theta, bits)
        odds = _power_of_e(-wave.unit, bits)
        self._within = _power_of_e(-2 * theta * wave.unit * (wave.shift - 1), bits)
        self._each = _power_of_e(-2 * theta * wave.unit, bits)
        self._gap = self.one - self._each[1]
        self._weight = (self.one - odds[1]) * self._each[0] >> bits
        self._spread = odds[1] - odds[0] + self._each[1] - self._each[0] + 2

    def inner(self, _n: int, units: Sequence[Point]) -> Point:
        """(1 - x)·v·A/B of modulus at most 1, A and B the sines of w·r(s - 1) and w·r."""
        bits, (c, s, err) = self.bits, units[1]
        re, im, over = _slanted(times(units[0], (c, -s, err), bits), self._within, bits, -1)
        x, y, under = _slanted(units[1], self._each, bits, -1)
        norm, gap = x * x + y * y, self._gap - under
        if gap <= under:
            raise RejectedError("too few digits for so large a scale")
        along = self._weight * (re * x + im * y) // norm
        across = self._weight * (im * x - re * y) // norm
        # |x + iy| is at least the gap, and more than a third of the weight, which 1 - v bounds
        lost = ceil_div((under + 4 * self._spread) * self.one, gap)
        return along, across, 3 * over + lost + 2


def _slanted(unit: Point, odds: Enclosure, bits: int, sign: int) -> Point:
    """(1 + v)·cos + i(1 - v)·sin; with the signs of v exchanged for -1."""
    re, im, err = unit
    one, part = 1 << bits, sign * odds[0]
    return re * (one + part) >> bits, im * (one - part) >> bits, 2 * err + odds[1] - odds[0] + 2


def tight(one: Point, other: Point, bits: int) -> Point:
    """The product of two points, whose error is the less the smaller they are."""
    a, b, e = one
    c, d, f = other
    first, second = isqrt(a * a + b * b) + 1, isqrt(c * c + d * d) + 1
    error = (first * f + second * e + e * f >> bits) + 3
    return (a * c - b * d) >> bits, (a * d + b * c) >> bits, error


def tight_power(point: Point, exponent: int, bits: int) -> Point:
    """A point multiplied by itself, for exponent >= 1, as in :func:`tight`."""
    pay(2 * exponent.bit_length() * (1000 + 6 * of_product(bits)))
    result = point
    for bit in f"{exponent:b}"[1:]:
        result = tight(result, result, bits)
        if bit == "1":
            result = tight(result, point, bits)
    return result


def _power_of_e(exponent: Fraction, bits: int) -> Enclosure:
    """The exponential of a rational of at most 0, at most 1."""
    low, high = exp_fixed(enclose_exact(exponent, bits), bits)
    return low, min(high, 1 << bits)

r"""Noise as a factor of a characteristic function: Laplace, and discrete Laplace of a shift.

Rules of this file: everything is a ball at the precision of the context.

Theory of operation: under the first hypothesis P the privacy loss L of noise has
E_P e^{(b-1/2)L} = e^{(b-1/2)l}·H(b)/H(1/2), with l the greatest loss and

    Laplace:            H(w) = 1 + e^{-2wl} + (1 - e^{-2wl})/(2w),
    discrete Laplace:   H(w) = 1 + e^{-2wl} + (1 - x)(e^{-2wr} - e^{-2wl})/(1 - e^{-2wr}),

r = 1/scale, x = e^{-r}, l = rs for a shift s; for randomized response H(w) = 1 + e^{-2wl}. Tilted,
φ(t) = e^{itl}·H(w)/H(θ) with w = θ + it. The first two terms are randomized response; with B(t) for
a bound of the third,

    |φ(t)| <= (W + B)/H(θ)·√(1 - k·sin² tl),   W = 1 + v,   k = 4v/(W(W + B)),   v = e^{-2θl},

by Jensen's inequality for the root.

Source: certs/SPEC.md, 11.7.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from flint import acb, arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, double_of
from exactdp.mechanisms.float_losses import FloatDiscreteLaplace, FloatLaplace, FloatLaw


@dataclass(frozen=True, slots=True)
class Characteristic(ABC):
    """The noise of ``count`` mechanisms."""

    count: int

    @property
    @abstractmethod
    def loss(self) -> mpq:
        """The greatest loss l."""

    @property
    @abstractmethod
    def in_floats(self) -> FloatLaw:
        """To guess with."""

    @abstractmethod
    def inner(self, w: acb) -> acb:
        """The third term of H(w)."""

    @property
    def is_continuous(self) -> bool:
        """Whether there is noise between any two losses."""
        return False

    def most(self, theta: arb, _t: arb) -> arb:
        """B from t on, by its value at 0."""
        return self.inner(acb(theta)).real

    def whole(self, w: acb) -> acb:
        """H(w), for a real part of w of at least 1/2."""
        return 1 + (-2 * w * ball_of_rational(self.loss)).exp() + self.inner(w)

    def height(self, rate: arb) -> arb:
        """H of a real."""
        return self.whole(acb(rate)).real

    def log_moment(self, theta: arb, other: arb) -> arb:
        """The logarithm of E e^{(other - θ)L} tilted by θ - 1/2, for ``other`` or its opposite."""
        b = abs(other)
        moved = (b - theta) * ball_of_rational(self.loss)
        return moved + (self.height(b) / self.height(theta)).log()

    def factor(self, theta: arb, t: arb) -> acb:
        """φ(t) of one mechanism."""
        turned = acb(arb(0), t * ball_of_rational(self.loss)).exp()
        return turned * self.whole(acb(theta, t)) / self.height(theta)

    def squeeze(self, theta: arb, t: arb) -> arb:
        """K of all points from t on."""
        odds = (-2 * theta * ball_of_rational(self.loss)).exp()
        return 4 * odds / ((1 + odds) * (1 + odds + self.most(theta, t)))

    def damping(self, theta: arb, t: arb) -> arb:
        """(W + B)/H(θ) from t on."""
        odds = (-2 * theta * ball_of_rational(self.loss)).exp()
        return (1 + odds + self.most(theta, t)) / self.height(theta)


@dataclass(frozen=True, slots=True)
class LaplaceCharacteristic(Characteristic):
    """Laplace noise: losses from -l to l."""

    greatest: mpq

    @property
    def is_continuous(self) -> bool:
        return True

    @property
    def loss(self) -> mpq:
        return self.greatest

    @property
    def in_floats(self) -> FloatLaw:
        return FloatLaplace(double_of(self.greatest), float(self.count))

    def inner(self, w: acb) -> acb:
        return (1 - (-2 * w * ball_of_rational(self.greatest)).exp()) / (2 * w)

    def most(self, theta: arb, t: arb) -> arb:
        """W/(2|w|), if that is less."""
        outer = 1 + (-2 * theta * ball_of_rational(self.greatest)).exp()
        return self.inner(acb(theta)).real.min(outer / (2 * (theta * theta + t * t).sqrt()))


@dataclass(frozen=True, slots=True)
class DiscreteLaplaceCharacteristic(Characteristic):
    """Discrete Laplace noise: losses (s - 2j)·r for j from 0 to a shift s."""

    unit: mpq
    shift: int

    @property
    def loss(self) -> mpq:
        return self.unit * self.shift

    @property
    def in_floats(self) -> FloatLaw:
        return FloatDiscreteLaplace(double_of(self.unit), self.shift, float(self.count))

    def inner(self, w: acb) -> acb:
        unit = ball_of_rational(self.unit)
        each, odds = (-2 * w * unit).exp(), (-2 * w * unit * self.shift).exp()
        return -(-unit).expm1() * (each - odds) / (1 - each)

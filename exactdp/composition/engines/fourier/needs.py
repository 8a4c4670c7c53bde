r"""What a Fourier bracket is made with, and how small |φ| must be at a point to be passed over.

Rules of this file: needs are bounds from above, and never fall short of the truth.

Theory of operation: see ``spectrum``, whose points are passed over by these needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, lower_end
from exactdp.mechanisms.characteristic import Characteristic

_SETTLED: Final = mpq(101, 100)
_BITS_OF_A_NAT: Final = mpq(14426950408, 10**10)  # log2(e), from below


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a Fourier bracket is made with.

    Attributes:
        tilt: a > 0.
        noise: s, from 0 to 1; 0 only beside Gaussian mechanisms.
        step: d > 0.
        last: the last point that is looked at; beyond it the noise is small, s·last·d >= √6, if
            there is any.
        near: points below this are evaluated.
        cut: |φ(t)|·w(t) <= 2^-cut at every point from ``near`` on that is not evaluated.
        factors: the indices of the groups that bound |φ|.
        left, right: exponents of Chernoff's inequality; left >= tilt + 1, right > 0.
        square: M², of the Gaussian mechanisms in the ledger.
    """

    tilt: mpq
    noise: mpq
    step: mpq
    last: int
    near: int
    cut: int
    factors: tuple[int, ...]
    left: mpq
    right: mpq
    square: mpq = mpq(0)  # noqa: RUF009 (a number, which nothing changes)

    @property
    def variance(self) -> mpq:
        """Of all normal variables, those of the ledger and N."""
        return self.noise**2 + self.square


class Damping:
    """Bits of what |φ| has beside the outer losses of noise: of -log2, and they do not fall."""

    def __init__(self, characteristics: Sequence[Characteristic], parameters: Parameters) -> None:
        self._characteristics = characteristics
        self._parameters = parameters
        self._known = (0, 0)

    def at(self, n: int) -> int:
        """At n, or at a point an eighth before."""
        if self._characteristics and 8 * n > 9 * self._known[0]:
            self._known = (n, self._computed(n))
        return self._known[1]

    def _computed(self, n: int) -> int:
        t = ball_of_rational(n * self._parameters.step)
        theta = ball_of_rational(self._parameters.tilt) + arb(0.5)
        parts = (each.count * each.damping(theta, t).log() for each in self._characteristics)
        return max(0, int(lower_end(-sum(parts, arb(0)) / arb.const_log2()) // 1))


class Needs:
    """How small |φ| must be at a point to be passed over, in bits of -log2|φ|²."""

    def __init__(self, parameters: Parameters, damping: Damping) -> None:
        self._parameters = parameters
        self._damping = damping
        self._known = (mpq(0), 0)

    def at(self, n: int) -> int:
        """2(cut + log2(w(t))), rounded up, or what it is at a t a little smaller."""
        if n > self._known[0] * _SETTLED:
            self._known = (mpq(n), self._computed(n))
        return self._known[1]

    def _computed(self, n: int) -> int:
        parameters = self._parameters
        t, variance = n * parameters.step, parameters.variance
        weight = weight_at(parameters, t) ** 2
        whole = weight.numerator.bit_length() - weight.denominator.bit_length() + 1
        whole -= 2 * self._damping.at(n)
        return max(0, 2 * parameters.cut + whole - int(variance * t * t * _BITS_OF_A_NAT // 1))


def weight_at(parameters: Parameters, t: mpq) -> mpq:
    """At least what stands beside φψ at t, of either end; e^{-s²t²/4} times this falls."""
    square = parameters.noise**2
    far = square * ((parameters.tilt + mpq(1, 2)) ** 2 + t**2)
    return 1 / t**2 + kappa_of(parameters.noise) * square * (75 + 16 * far + 8 * far**2) / 100


def kappa_of(noise: mpq) -> mpq:
    """How much c(u) exceeds s²·g(u)·J at most."""
    return 1 / (1 - noise**2 / 12)

r"""Privacy losses in floats, to guess with: randomized response, and noise.

Rules of this file: nothing here is certain, and nothing certain rests on it.

Theory of operation: tilted by θ - 1/2, a loss L of greatest value l has E e^{uL} = M(θ + u)/M(θ)
with M(b) = e^{bl}·H(b), an even function of b; mean and variance are derivatives of ln M.
:mod:`exactdp.mechanisms.characteristic` has H, and how |φ| is bounded.
"""

from __future__ import annotations

import cmath
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cosh, exp, expm1, log, log1p, sin, tanh
from typing import Final

_FLAT: Final = 300.0
_RATIO: Final = 1.01
_STEP: Final = 1e-3
_TINY: Final = 1e-300
_ANY_VALUE: Final = 1e-12


class FloatLaw(ABC):
    """``count`` mechanisms with a greatest loss ``loss``."""

    loss: float
    count: float

    @abstractmethod
    def height(self, theta: float) -> float:
        """The logarithm of M(θ)/M(1/2)."""

    @abstractmethod
    def mean(self, theta: float) -> float:
        """The mean of the tilted loss."""

    @abstractmethod
    def variance(self, theta: float) -> float:
        """The variance of the tilted loss."""

    @abstractmethod
    def log_modulus(self, theta: float, t: float) -> float:
        """About ln|φ(t)|."""

    @abstractmethod
    def squeeze(self, theta: float) -> float:
        """K, of which |φ|² is at most 1 - k·sin²(tl), and less by ``damping``."""

    def damping(self, _theta: float) -> float:
        """The logarithm of what |φ| is besides, far out."""
        return 0.0


@dataclass(frozen=True, slots=True)
class FloatResponse(FloatLaw):
    """Randomized response."""

    loss: float
    count: float

    def height(self, theta: float) -> float:
        return _log_cosh(theta * self.loss) - _log_cosh(self.loss / 2)

    def mean(self, theta: float) -> float:
        return self.loss * tanh(theta * self.loss)

    def variance(self, theta: float) -> float:
        return (self.loss / cosh(min(_FLAT, theta * self.loss))) ** 2

    def log_modulus(self, theta: float, t: float) -> float:
        squeeze = 1 - tanh(theta * self.loss) ** 2
        return log1p(-squeeze * sin(t * self.loss) ** 2) / 2

    def squeeze(self, theta: float) -> float:
        return 1 / cosh(min(_FLAT, theta * self.loss)) ** 2


class _FloatNoise(FloatLaw):
    """Noise, by H."""

    @abstractmethod
    def whole(self, w: complex) -> complex:
        """H(w)."""

    def _log_moment(self, b: float) -> float:
        b = max(abs(b), _ANY_VALUE)
        return b * self.loss + log(self.whole(complex(b)).real)

    def height(self, theta: float) -> float:
        return self._log_moment(theta) - self._log_moment(0.5)

    def _around(self, theta: float) -> tuple[float, float, float, float]:
        step = _STEP * max(theta, 1.0)
        below, at, above = (self._log_moment(theta + part * step) for part in (-1, 0, 1))
        return below, at, above, step

    def mean(self, theta: float) -> float:
        below, _, above, step = self._around(theta)
        return (above - below) / (2 * step)

    def variance(self, theta: float) -> float:
        below, at, above, step = self._around(theta)
        return max(_TINY, (above - 2 * at + below) / step**2)

    def log_modulus(self, theta: float, t: float) -> float:
        share = abs(self.whole(complex(theta, t))) / self.whole(complex(theta)).real
        return log(max(_TINY, share))

    def _outer(self, theta: float) -> tuple[float, float]:
        """V, and 1 + v: what the losses ±l have of H."""
        odds = exp(-2 * theta * self.loss)
        return odds, 1 + odds


@dataclass(frozen=True, slots=True)
class FloatLaplace(_FloatNoise):
    """Laplace noise."""

    loss: float
    count: float

    def whole(self, w: complex) -> complex:
        odds = cmath.exp(-2 * w * self.loss)
        return 1 + odds + (1 - odds) / (2 * w)

    def squeeze(self, theta: float) -> float:
        """As where the inner part has fallen off."""
        odds, outer = self._outer(theta)
        return 4 * odds / outer**2

    def damping(self, theta: float) -> float:
        return log(self._outer(theta)[1] / self.whole(complex(theta)).real)


@dataclass(frozen=True, slots=True)
class FloatDiscreteLaplace(_FloatNoise):
    """Discrete Laplace noise of a shift: the greatest loss is ``steps`` times ``unit``."""

    unit: float
    steps: int
    count: float

    @property
    def loss(self) -> float:  # type: ignore[override]
        """The greatest loss."""
        return self.unit * self.steps

    def whole(self, w: complex) -> complex:
        odds, each = cmath.exp(-2 * w * self.loss), cmath.exp(-2 * w * self.unit)
        return 1 + odds - expm1(-self.unit) * (each - odds) / (1 - each)

    def squeeze(self, theta: float) -> float:
        odds, outer = self._outer(theta)
        return 4 * odds / (outer * self.whole(complex(theta)).real)


def gathered(laws: Iterable[FloatLaw]) -> list[FloatLaw]:
    """The same sum of losses, and nearly the same law, with losses that differ by a percent."""
    bins: dict[tuple[type[FloatLaw], int], tuple[float, float]] = {}
    others: list[FloatLaw] = []
    for law in laws:
        if isinstance(law, FloatDiscreteLaplace):
            others.append(law)
            continue
        place = type(law), int(log(law.loss) / log(_RATIO) // 1)
        weight, number = bins.get(place, (0.0, 0.0))
        bins[place] = weight + law.loss * law.count, number + law.count
    simple: Sequence[FloatLaw] = [
        (FloatLaplace if kind is FloatLaplace else FloatResponse)(weight / number, number)
        for (kind, _), (weight, number) in bins.items()
    ]
    return [*simple, *others]


def _log_cosh(value: float) -> float:
    return abs(value) + log1p(expm1(-2 * abs(value)) / 2)

r"""How far noise leads astray: the scale that (ε, δ) asks for, and the errors that it causes.

Rules of this file: what a person is told is certain: a scale is enough for its (ε, δ), an error is
an upper end. Methods that give floats serve to search, and nothing certain rests on them.

Theory of operation: a statistic answers a query of one number, which moves by at most the
sensitivity s between neighbours. With :math:`\epsilon, \delta` given,

- *Laplace* noise has scale b = s/ε, :math:`E|Y| = b`, :math:`P(|Y| > t) = e^{-t/b}`;
- *discrete Laplace* noise, :math:`P(x) \propto a^{|x|}` with :math:`a = e^{-\epsilon/s}`, has
  :math:`E|Y| = 2a/(1-a^2)` and :math:`P(|Y| > t) = 2a^{t+1}/(1+a)`;
- *Gaussian* noise has the least σ with :math:`G_{s/\sigma}(\epsilon) \le \delta`,
  :math:`E|Y| = \sigma\sqrt{2/\pi}`, :math:`P(|Y| > t) = \mathrm{erfc}(t/(\sigma\sqrt 2))`;
- *discrete Gaussian* noise, :math:`P(x) \propto e^{-x^2/(2\sigma^2)}`, is as private as the worst
  of the shifts 1, …, s: :math:`P(Y \le t) - e^\epsilon P(Y \le t - j) \le \delta` with
  :math:`t = \lfloor j/2 - \sigma^2\epsilon/j \rfloor` for each shift j. Its errors are sums.

Sources: Dwork, McSherry, Nissim & Smith, TCC 2006; Ghosh, Roughgarden & Sundararajan, STOC 2009;
Balle & Wang, ICML 2018, Theorem 8; Canonne, Kamath & Steinke, NeurIPS 2020, Theorem 7.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import erfc, exp, pi, sinh, sqrt
from statistics import NormalDist
from typing import ClassVar, Final

from flint import arb
from gmpy2 import mpq

from exactdp.allocation.discrete_gaussian import DiscreteGaussianSums
from exactdp.arithmetic.decimal_text import round_above, round_below
from exactdp.arithmetic.enclosures import (
    ball_of_rational,
    bits_of,
    precision,
    upper_end,
)
from exactdp.arithmetic.threshold import halved
from exactdp.budgets.guess import about
from exactdp.composition.engines.gaussian.curve import profile_ball
from exactdp.errors import CostLimitError

_BITS: Final = 160
_DIGITS: Final = 8
DIGITS_OF_ERRORS: Final = 8
_DIGITS_OF_SCALE: Final = 15
_BISECTIONS: Final = 60
_LARGEST_FLOAT_EPSILON: Final = 600.0
_STEP: Final = mpq(1, 10**8)
_COARSE_STEP: Final = mpq(1, 10**5)
_REMEMBERED: Final = 1000
_FIRST_STEP: Final = mpq(1, 10**4)
MOST_DEVIATION: Final = 5000


@dataclass(frozen=True, slots=True)
class Accuracy:
    """What the noise of a statistic is, and how far its answers go astray.

    Attributes:
        scale: b of (discrete) Laplace noise, σ of (discrete) Gaussian noise; it is enough.
        expected: E|Y|, rounded up.
        within: the half-width of an interval that holds the truth with the confidence asked for,
            rounded up.
    """

    scale: mpq
    expected: mpq
    within: mpq


class NoiseFamily(ABC):
    """One way to draw noise, for statistics with their own (ε, δ)."""

    name: ClassVar[str]
    scale_name: ClassVar[str]
    needs_delta: ClassVar[bool]
    is_discrete: ClassVar[bool]

    @abstractmethod
    def scale(self, epsilon: mpq, delta: mpq, sensitivity: mpq) -> mpq:
        """A scale that is (ε, δ)-DP, as small as its digits allow."""

    @abstractmethod
    def suffices(self, scale: mpq, epsilon: mpq, delta: mpq, sensitivity: mpq) -> bool:
        """Whether the noise of this scale is certain to be (ε, δ)-DP."""

    @abstractmethod
    def expected(self, scale: mpq) -> mpq:
        """E|Y|, rounded up."""

    @abstractmethod
    def within(self, scale: mpq, confidence: mpq) -> mpq:
        """A t with P(|Y| <= t) >= ``confidence``, as small as its digits allow."""

    @abstractmethod
    def slope(self, epsilon: float, delta: float, sensitivity: float) -> tuple[float, float]:
        """About E|Y| at ε, and by how much it falls for each unit of ε."""

    def error(self, scale: mpq, confidence: mpq | None) -> mpq:
        """The half-width for a confidence, or E|Y| if that is None; rounded up."""
        return self.expected(scale) if confidence is None else self.within(scale, confidence)

    def accuracy(self, epsilon: mpq, delta: mpq, sensitivity: mpq, confidence: mpq) -> Accuracy:
        """The scale and both errors, all certain."""
        scale = self.scale(epsilon, delta, sensitivity)
        errors = (self.expected(scale), self.within(scale, confidence))
        return Accuracy(scale, *(round_above(each, DIGITS_OF_ERRORS) for each in errors))


class _NoiseOfScale(NoiseFamily):
    """Noise of scale s/ε, continuous or discrete, for which δ is 0."""

    scale_name = "b"
    needs_delta = False

    def scale(self, epsilon: mpq, delta: mpq, sensitivity: mpq) -> mpq:  # noqa: ARG002 (its δ is 0)
        """See :class:`NoiseFamily`."""
        return round_above(sensitivity / epsilon, _DIGITS_OF_SCALE)

    def suffices(self, scale: mpq, epsilon: mpq, delta: mpq, sensitivity: mpq) -> bool:  # noqa: ARG002 (as above)
        """See :class:`NoiseFamily`."""
        return sensitivity <= scale * epsilon


class LaplaceNoise(_NoiseOfScale):
    """Laplace noise of scale s/ε."""

    name = "laplace"
    is_discrete = False

    def expected(self, scale: mpq) -> mpq:
        """See :class:`NoiseFamily`; exact."""
        return scale

    def within(self, scale: mpq, confidence: mpq) -> mpq:
        """See :class:`NoiseFamily`."""
        with precision(_BITS + bits_of(1 / (1 - confidence))):
            return upper_end(-ball_of_rational(1 - confidence).log() * ball_of_rational(scale))

    def slope(self, epsilon: float, delta: float, sensitivity: float) -> tuple[float, float]:  # noqa: ARG002 (as above)
        """See :class:`NoiseFamily`."""
        return sensitivity / epsilon, sensitivity / epsilon**2


class DiscreteLaplaceNoise(_NoiseOfScale):
    """Discrete Laplace (geometric) noise of scale s/ε."""

    name = "discrete_laplace"
    is_discrete = True

    def expected(self, scale: mpq) -> mpq:
        """See :class:`NoiseFamily`."""
        with precision(_BITS + bits_of(1 / scale) + bits_of(scale)):
            return upper_end(1 / ball_of_rational(1 / scale).sinh())

    def within(self, scale: mpq, confidence: mpq) -> mpq:
        """See :class:`NoiseFamily`."""
        miss = 1 - confidence
        with precision(_BITS + bits_of(1 / miss) + bits_of(scale) + bits_of(1 / scale)):
            ratio = (-ball_of_rational(1 / scale)).exp()
            logarithm = (ball_of_rational(miss) * (1 + ratio) / 2).log()
            steps = upper_end(-logarithm * ball_of_rational(scale))
        return max(mpq(0), mpq(-(-steps // 1)) - 1)

    def slope(self, epsilon: float, delta: float, sensitivity: float) -> tuple[float, float]:  # noqa: ARG002 (as above)
        """See :class:`NoiseFamily`."""
        size = min(epsilon / sensitivity, _LARGEST_FLOAT_EPSILON / 2)
        error = 1 / sinh(size)
        return error, error * sqrt(1 + error**2) / sensitivity


class GaussianNoise(NoiseFamily):
    """Gaussian noise of the least σ that is (ε, δ)-DP."""

    name = "gaussian"
    scale_name = "σ"
    needs_delta = True
    is_discrete = False

    def scale(self, epsilon: mpq, delta: mpq, sensitivity: mpq) -> mpq:
        """See :class:`NoiseFamily`."""
        ratio = mpq(*_largest_mu(about(epsilon), about(delta)).as_integer_ratio())
        return _enough(
            round_above(sensitivity / ratio, _DIGITS),
            lambda sigma: self.suffices(sigma, epsilon, delta, sensitivity),
            _STEP,
        )

    def suffices(self, scale: mpq, epsilon: mpq, delta: mpq, sensitivity: mpq) -> bool:
        """See :class:`NoiseFamily`."""
        return _gaussian_delta(sensitivity / scale, epsilon, delta) <= delta

    def expected(self, scale: mpq) -> mpq:
        """See :class:`NoiseFamily`."""
        with precision(_BITS):
            return upper_end((2 / arb.pi()).sqrt() * ball_of_rational(scale))

    def within(self, scale: mpq, confidence: mpq) -> mpq:
        """See :class:`NoiseFamily`."""
        return scale * _quantile(1 - confidence)

    def slope(self, epsilon: float, delta: float, sensitivity: float) -> tuple[float, float]:
        """See :class:`NoiseFamily`."""
        mu = _largest_mu(epsilon, delta)
        epsilon = min(epsilon, _LARGEST_FLOAT_EPSILON)
        behind = exp(epsilon) * erfc((epsilon / mu + mu / 2) / sqrt(2)) / 2
        density = exp(-((mu / 2 - epsilon / mu) ** 2) / 2) / sqrt(2 * pi)
        error = sqrt(2 / pi) * sensitivity / mu
        return error, error / mu * behind / density if density else 0.0


class DiscreteGaussianNoise(NoiseFamily):
    """Discrete Gaussian noise of the least σ that is (ε, δ)-DP for every shift up to s."""

    name = "discrete_gaussian"
    scale_name = "σ"
    needs_delta = True
    is_discrete = True

    def scale(self, epsilon: mpq, delta: mpq, sensitivity: mpq) -> mpq:
        """See :class:`NoiseFamily`.

        Raises:
            CostLimitError: σ would be above 5000, where the sums become long.
        """
        return _discrete_sigma(self, epsilon, delta, sensitivity)

    def suffices(self, scale: mpq, epsilon: mpq, delta: mpq, sensitivity: mpq) -> bool:
        """See :class:`NoiseFamily`.

        Raises:
            CostLimitError: σ is above 5000, where the sums become long.
        """
        if scale > MOST_DEVIATION:
            raise _too_wide(about(scale))
        sums = DiscreteGaussianSums(scale**2, _BITS + bits_of(1 / delta))
        shifts = range(int(sensitivity), 0, -1)
        return all(sums.delta(each, epsilon) <= delta for each in shifts)

    def expected(self, scale: mpq) -> mpq:
        """See :class:`NoiseFamily`."""
        return DiscreteGaussianSums(scale**2, _BITS).expected()

    def within(self, scale: mpq, confidence: mpq) -> mpq:
        """See :class:`NoiseFamily`."""
        sums = DiscreteGaussianSums(scale**2, _BITS + bits_of(1 / (1 - confidence)))
        return mpq(sums.quantile(1 - confidence))

    def slope(self, epsilon: float, delta: float, sensitivity: float) -> tuple[float, float]:
        """See :class:`NoiseFamily`; taken from Gaussian noise, which is near."""
        return GaussianNoise().slope(epsilon, delta, sensitivity)


FAMILIES: Final[dict[str, NoiseFamily]] = {
    family.name: family
    for family in (
        LaplaceNoise(),
        DiscreteLaplaceNoise(),
        GaussianNoise(),
        DiscreteGaussianNoise(),
    )
}


def _enough(start: mpq, suffices: Callable[[mpq], bool], step: mpq) -> mpq:
    """The first of ``start`` and what lies a step, two, four, … above it that suffices."""
    value = start
    while not suffices(value):
        value = round_above(value * (1 + step), _DIGITS)
        step *= 2
    return value


def _largest_mu(epsilon: float, delta: float) -> float:
    """About the largest μ at which Gaussian noise is (ε, δ)-DP."""
    low, high = 0.0, 1.0
    while _normal_delta(high, epsilon) <= delta:
        low, high = high, 2 * high
    low, high = halved(lambda mu: _normal_delta(mu, epsilon) > delta, low, high, _BISECTIONS)
    return low or high


def _normal_delta(mu: float, epsilon: float) -> float:
    """About G_μ(ε)."""
    epsilon = min(epsilon, _LARGEST_FLOAT_EPSILON)
    above = erfc((epsilon / mu - mu / 2) / sqrt(2))
    return (above - exp(epsilon) * erfc((epsilon / mu + mu / 2) / sqrt(2))) / 2


def _gaussian_delta(mu: mpq, epsilon: mpq, delta: mpq) -> mpq:
    """An upper end of G_μ(ε), near it where it is not far below ``delta``."""
    bits = bits_of(1 / delta) + _BITS
    with precision(bits + bits_of(epsilon)):
        return upper_end(profile_ball(mu**2, ball_of_rational(epsilon), bits))


@lru_cache(_REMEMBERED)
def _quantile(miss: mpq) -> mpq:
    """A decimal z with P(|N(0, 1)| > z) <= ``miss``."""
    guess = -NormalDist().inv_cdf(max(about(miss) / 2, 1e-300))

    def suffices(z: mpq) -> bool:
        with precision(_BITS + bits_of(1 / miss)):
            return upper_end((ball_of_rational(z) / arb(2).sqrt()).erfc()) <= miss

    return _enough(round_above(mpq(*guess.as_integer_ratio()), _DIGITS), suffices, _STEP)


@lru_cache(_REMEMBERED)
def _discrete_sigma(
    family: DiscreteGaussianNoise, epsilon: mpq, delta: mpq, sensitivity: mpq
) -> mpq:
    """The least σ that the digits allow, by halving; it is asked for more than once."""
    guess = sensitivity / mpq(*_largest_mu(about(epsilon), about(delta)).as_integer_ratio())
    if guess > MOST_DEVIATION:
        raise _too_wide(about(guess))
    low = high = round_above(guess, _DIGITS)
    step = _FIRST_STEP
    while not family.suffices(high, epsilon, delta, sensitivity):
        low, high, step = high, round_above(high * (1 + step), _DIGITS), 2 * step
    if low == high:
        while family.suffices(low, epsilon, delta, sensitivity):
            low, high, step = round_below(low / (1 + step), _DIGITS), low, 2 * step
    while high - low > high * _COARSE_STEP:
        middle = round_above((low + high) / 2, _DIGITS)
        if family.suffices(middle, epsilon, delta, sensitivity):
            high = middle
        else:
            low = middle
    return high


def _too_wide(sigma: float) -> CostLimitError:
    return CostLimitError(
        field="noise",
        value=f"discrete Gaussian noise with σ near {sigma:.0f}",
        expected=f"σ at most {MOST_DEVIATION}",
        remedy="count in larger units, or take noise gaussian, which is as good at that size",
    )

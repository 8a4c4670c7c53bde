r"""How far noise leads astray: what is drawn at a scale, and the errors that it causes.

Rules of this file: an error is an upper end. What the noise reveals is not said here: its entry in
a ledger says that.

Theory of operation: a statistic answers a query of one number, which moves by at most the
sensitivity between neighbours.

- *Laplace* noise of scale b has :math:`E|Y| = b`, :math:`P(|Y| > t) = e^{-t/b}`;
- *discrete Laplace* noise, :math:`P(x) \propto a^{|x|}` with :math:`a = e^{-1/b}`, has
  :math:`E|Y| = 2a/(1-a^2)` and :math:`P(|Y| > t) = 2a^{t+1}/(1+a)`;
- *Gaussian* noise of deviation σ has :math:`E|Y| = \sigma\sqrt{2/\pi}`,
  :math:`P(|Y| > t) = \mathrm{erfc}(t/(\sigma\sqrt 2))`;
- *discrete Gaussian* noise, :math:`P(x) \propto e^{-x^2/(2\sigma^2)}`, has errors that are sums.

Whole numbers that move by less reveal no more: both discrete laws are log-concave, so that the best
test is a threshold, and what it tells grows with the shift.

Sources: Dwork, McSherry, Nissim & Smith, TCC 2006; Ghosh, Roughgarden & Sundararajan, STOC 2009;
Canonne, Kamath & Steinke, NeurIPS 2020.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from math import pi, sqrt
from statistics import NormalDist
from typing import ClassVar, Final

from flint import arb
from gmpy2 import mpq

from exactdp.allocation.discrete_gaussian import DiscreteGaussianSums
from exactdp.arithmetic.decimal_text import round_above
from exactdp.arithmetic.enclosures import (
    ball_of_rational,
    bits_of,
    precision,
    upper_end,
)
from exactdp.budgets.guess import about
from exactdp.errors import CostLimitError
from exactdp.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
)
from exactdp.mechanisms.checks import MOST_VARIANCE

_BITS: Final = 160
_DIGITS: Final = 8
DIGITS_OF_ERRORS: Final = 8
_STEP: Final = mpq(1, 10**8)
_REMEMBERED: Final = 1000
MOST_DEVIATION: Final = 5000


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How far answers with noise of a scale go astray.

    Attributes:
        expected: E|Y|, rounded up.
        within: the half-width of an interval that holds the truth with the confidence asked for,
            rounded up.
    """

    expected: mpq
    within: mpq


class NoiseFamily(ABC):
    """One way to draw noise.

    Attributes:
        name: as files call it.
        scale_name: what its scale is called: b or σ.
        is_pure: whether its scale follows from an ε without a δ.
        is_discrete: whether it is drawn on whole numbers.
        adds_up: whether many, of any scales, are as easy to compose as one.
        about_error: about E|Y| at a scale of 1, or at a large one over that.
    """

    name: ClassVar[str]
    scale_name: ClassVar[str]
    is_pure: ClassVar[bool]
    is_discrete: ClassVar[bool]
    adds_up: ClassVar[bool] = False
    about_error: ClassVar[float]

    @abstractmethod
    def entry(self, scale: mpq, sensitivity: mpq, count: int, label: str) -> Entry:
        """Noise of this scale, as a ledger has it."""

    @abstractmethod
    def expected(self, scale: mpq) -> mpq:
        """E|Y|, rounded up."""

    @abstractmethod
    def within(self, scale: mpq, confidence: mpq) -> mpq:
        """A t with P(|Y| <= t) >= ``confidence``, as small as its digits allow."""

    def error(self, scale: mpq, confidence: mpq | None) -> mpq:
        """The half-width for a confidence, or E|Y| if that is None; rounded up."""
        return self.expected(scale) if confidence is None else self.within(scale, confidence)

    def accuracy(self, scale: mpq, confidence: mpq) -> Accuracy:
        """Both errors, certain."""
        errors = (self.expected(scale), self.within(scale, confidence))
        return Accuracy(*(round_above(each, DIGITS_OF_ERRORS) for each in errors))


class LaplaceNoise(NoiseFamily):
    """Laplace noise of scale b."""

    name = "laplace"
    scale_name = "b"
    is_pure = True
    is_discrete = False
    about_error = 1.0

    def entry(self, scale: mpq, sensitivity: mpq, count: int, label: str) -> Entry:
        """See :class:`NoiseFamily`."""
        return LaplaceMechanism(scale, sensitivity, count, label)

    def expected(self, scale: mpq) -> mpq:
        """See :class:`NoiseFamily`; exact."""
        return scale

    def within(self, scale: mpq, confidence: mpq) -> mpq:
        """See :class:`NoiseFamily`."""
        with precision(_BITS + bits_of(1 / (1 - confidence))):
            return upper_end(-ball_of_rational(1 - confidence).log() * ball_of_rational(scale))


class DiscreteLaplaceNoise(NoiseFamily):
    """Discrete Laplace (geometric) noise of scale b."""

    name = "discrete_laplace"
    scale_name = "b"
    is_pure = True
    is_discrete = True
    about_error = 1.0

    def entry(self, scale: mpq, sensitivity: mpq, count: int, label: str) -> Entry:
        """See :class:`NoiseFamily`."""
        return DiscreteLaplaceMechanism(scale, [int(sensitivity)], count, label)

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


class GaussianNoise(NoiseFamily):
    """Gaussian noise of deviation σ."""

    name = "gaussian"
    scale_name = "σ"
    is_pure = False
    is_discrete = False
    adds_up = True
    about_error = sqrt(2 / pi)

    def entry(self, scale: mpq, sensitivity: mpq, count: int, label: str) -> Entry:
        """See :class:`NoiseFamily`."""
        return GaussianMechanism.of_noise(scale, sensitivity, count, label)

    def expected(self, scale: mpq) -> mpq:
        """See :class:`NoiseFamily`."""
        with precision(_BITS):
            return upper_end((2 / arb.pi()).sqrt() * ball_of_rational(scale))

    def within(self, scale: mpq, confidence: mpq) -> mpq:
        """See :class:`NoiseFamily`."""
        return scale * _quantile(1 - confidence)


class DiscreteGaussianNoise(NoiseFamily):
    """Discrete Gaussian noise whose terms are those of deviation σ."""

    name = "discrete_gaussian"
    scale_name = "σ"
    is_pure = False
    is_discrete = True
    about_error = sqrt(2 / pi)

    def entry(self, scale: mpq, sensitivity: mpq, count: int, label: str) -> Entry:
        """See :class:`NoiseFamily`.

        Raises:
            CostLimitError: σ is above 10^6, beyond what is composed.
        """
        if scale**2 > MOST_VARIANCE:
            raise _too_wide(scale)
        return DiscreteGaussianMechanism(scale**2, [int(sensitivity)], count, label)

    def expected(self, scale: mpq) -> mpq:
        """See :class:`NoiseFamily`.

        Raises:
            CostLimitError: σ is above 5000, where the sums become long.
        """
        return self._sums(scale, _BITS).expected()

    def within(self, scale: mpq, confidence: mpq) -> mpq:
        """See :class:`NoiseFamily`.

        Raises:
            CostLimitError: as above.
        """
        bits = _BITS + bits_of(1 / (1 - confidence))
        return mpq(self._sums(scale, bits).quantile(1 - confidence))

    def _sums(self, scale: mpq, bits: int) -> DiscreteGaussianSums:
        if scale > MOST_DEVIATION:
            raise _too_wide(scale)
        return DiscreteGaussianSums(scale**2, bits)


FAMILIES: Final[dict[str, NoiseFamily]] = {
    family.name: family
    for family in (
        LaplaceNoise(),
        DiscreteLaplaceNoise(),
        GaussianNoise(),
        DiscreteGaussianNoise(),
    )
}


def _too_wide(sigma: mpq) -> CostLimitError:
    return CostLimitError(
        field="noise",
        value=f"discrete Gaussian noise with σ near {about(sigma):.0f}",
        expected=f"σ at most {MOST_DEVIATION}",
        remedy="count in larger units, or take noise gaussian, which is as good at that size",
    )


@lru_cache(_REMEMBERED)
def _quantile(miss: mpq) -> mpq:
    """A decimal z with P(|N(0, 1)| > z) <= ``miss``."""
    guess = -NormalDist().inv_cdf(max(about(miss) / 2, 1e-300))
    z, step = round_above(mpq(*guess.as_integer_ratio()), _DIGITS), _STEP
    with precision(_BITS + bits_of(1 / miss)):
        while upper_end((ball_of_rational(z) / arb(2).sqrt()).erfc()) > miss:
            z, step = round_above(z * (1 + step), _DIGITS), 2 * step
    return z

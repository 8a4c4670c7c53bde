r"""Guessing where a family of ledgers leaves a budget (ε, δ).

Rules of this file: nothing here is certain, and nothing certain rests on it; floats serve to guess.

Theory of operation: the privacy loss of many mechanisms is nearly normal; a randomized response
adds ε·tanh(ε/2) to its mean and ε²/cosh²(ε/2) to its variance. The approximation knows the shape
of the problem, and how far it is off is learnt: where OptComp has been enclosed, the difference is
kept, and taken as linear around the last two places. Once these are near each other, the straight
line between them is enough, and has more digits than floats.

Source: Dong, Roth & Su, "Gaussian differential privacy", J. R. Stat. Soc. B 84(1), 2022 (normal
limits of composed privacy losses).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, Protocol

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball, ball_of_rational, bits_of, lower_end, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.arithmetic.threshold import halved
from exactdp.composition.problem import Problem

_BITS: Final = 192
_BITS_OF_A_FLOAT: Final = 64
_BISECTIONS: Final = 60
_NEAR: Final = 1000
_GREATEST: Final = 1e300
_GREATEST_EPSILON: Final = 1e150

RoughEpsilons = Sequence[tuple[float, float]]


class Shape(Protocol):
    """About how demanding the ledgers of a family are."""

    def moments(self, at: mpq) -> tuple[float, float]:
        """About the mean and the variance of the privacy loss at ``at``."""

    def log_no_failure(self, at: mpq, /) -> arb:
        """About Σ ln(1 - δ_i) at ``at``."""


class Guess:
    """Where the boundary probably is: the normal approximation, corrected by what was learnt."""

    def __init__(self, shape: Shape, epsilon: ExactNumber, delta: mpq) -> None:
        self._shape = shape
        with precision(_BITS):
            self._epsilon = float(ball(epsilon))
            self._log_kept = (-ball_of_rational(delta)).log1p()
        self.size = mpq(*min(self._epsilon, _GREATEST).as_integer_ratio())
        self._exact = epsilon
        self._errors: list[tuple[float, float]] = []
        self._optima: list[tuple[mpq, mpq]] = []

    def learn(self, at: mpq, optimum: mpq) -> None:
        """Keep by how much the approximation is off at ``at``, where OptComp is about ``optimum``.

        It must not be 0: that would be a bound only.
        """
        self._optima.append((at, optimum))
        with precision(_BITS):
            self._learn(at, about(optimum), self._allowed(at))

    def learn_slack(self, at: mpq, slack: mpq) -> None:
        """As :meth:`learn`, from Δ - D(e^ε) for the ε of the budget."""
        self._optima.clear()
        with precision(_BITS):
            self._learn(at, self._epsilon, self._allowed(at) - ball_of_rational(slack))

    def _learn(self, at: mpq, epsilon: float, divergence: arb) -> None:
        if divergence > 0:
            self._errors.append((about(at), epsilon - self._least_epsilon(at, divergence)))

    def between(self, low: mpq, high: mpq, step: mpq) -> mpq:
        """About the last multiple of ``step`` from ``low`` on that keeps the budget."""
        straight = self._straight(step)
        if straight is not None and low < straight < high:
            return down_to(straight, step)
        first, last = 0, int((high - low) // step)
        with precision(_BITS):
            while last - first > 1:
                middle = (first + last) // 2
                if self._keeps(low + middle * step):
                    first = middle
                else:
                    last = middle
        return low + first * step

    def _straight(self, step: mpq) -> mpq | None:
        """Where the line through the last two optima meets ε, if they are near each other."""
        if len(self._optima) < 2:
            return None
        (before, other), (place, optimum) = self._optima[-2:]
        if abs(place - before) * _NEAR > place or optimum == other:
            return None
        with precision(_BITS + bits_of(place / step)):
            missing = lower_end(ball(self._exact)) - optimum
        return place + missing * (place - before) / (optimum - other)

    def _keeps(self, at: mpq) -> bool:
        allowed = self._allowed(at)
        epsilon = self._epsilon - self._error(about(at))
        return bool(_normal_divergence(*self._shape.moments(at), epsilon) <= allowed.mid())

    def _error(self, at: float) -> float:
        if not self._errors:
            return 0.0
        place, error = self._errors[-1]
        if len(self._errors) == 1:
            return error
        before, other = self._errors[-2]
        reach = 2 * abs(place - before)
        if not reach:
            return error
        distance = min(max(at - place, -reach), reach)
        return error + (error - other) / (place - before) * distance

    def _allowed(self, at: mpq) -> arb:
        """About Δ."""
        return -(self._log_kept - self._shape.log_no_failure(at)).expm1()

    def _least_epsilon(self, at: mpq, allowed: arb) -> float:
        """The ε at which the approximation has the divergence ``allowed``; it may be negative."""
        mean, variance = self._shape.moments(at)
        reach = max(mean, sqrt(variance), 1e-300)
        while reach < _GREATEST and not (
            _normal_divergence(mean, variance, mean + reach) <= allowed.mid()
            and _normal_divergence(mean, variance, mean - reach) >= allowed.mid()
        ):
            reach *= 2

        def is_enough(epsilon: float) -> bool:
            return not _normal_divergence(mean, variance, epsilon) > allowed.mid()

        return halved(is_enough, mean - reach, mean + reach, _BISECTIONS)[1]


def down_to(value: mpq, step: mpq) -> mpq:
    """The greatest multiple of ``step`` not above ``value``."""
    return mpq(value // step) * step


def about(value: mpq) -> float:
    """The double next to ``value``, or an infinity; for guesses."""
    with precision(_BITS_OF_A_FLOAT):
        return float(ball_of_rational(value))


def rho_within(epsilon: ExactNumber, delta: mpq) -> mpq:
    """About the ρ that the conversion of Bun and Steinke allows, for a δ from 0 to 1, not at these.

    >>> print(f"{float(rho_within(ExactNumber(mpq(1)), mpq(1, 10**6))):.4f}")
    0.0175
    """
    with precision(_BITS):
        size, digits = ball(epsilon), -ball_of_rational(delta).log()
        root = size / ((digits + size).sqrt() + digits.sqrt())
        return lower_end(root * root)


def _normal_divergence(mean: float, variance: float, epsilon: float) -> arb:
    r"""About :math:`E \max(0, 1 - e^{\epsilon - L})` for a normal L, at the context's precision."""
    excess = arb(mean) - epsilon
    if variance <= 0:
        return (-(-excess).expm1()).mid().max(arb(0))
    deviation = arb(variance).sqrt()
    other = (arb(variance) / 2 - excess).exp() * _normal(excess / deviation - deviation)
    return (_normal(excess / deviation) - other).mid().max(arb(0))


def _normal(value: arb) -> arb:
    """The distribution function of the standard normal law."""
    return (-value / arb(2).sqrt()).erfc() / 2


def rough(problem: Problem) -> RoughEpsilons:
    """The positive ε of a problem and their counts, as floats."""
    with precision(_BITS_OF_A_FLOAT):
        return [
            (min(float(ball(epsilon)), _GREATEST_EPSILON), float(count))
            for epsilon, count in problem.epsilons
        ]


def moments(epsilons: RoughEpsilons, scale: float) -> tuple[float, float]:
    """About the mean and the variance of the privacy loss, every ε multiplied by ``scale``."""
    mean = variance = 0.0
    for epsilon, count in epsilons:
        size = min(scale * epsilon, _GREATEST_EPSILON)
        bias = float((arb(size) / 2).tanh())  # the same on every machine, unlike math.tanh
        mean += count * size * bias
        variance += count * size * size * (1 - bias * bias)
    return mean, variance

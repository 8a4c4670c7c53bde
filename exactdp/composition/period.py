r"""The parameters of ``grid-fourier``: a tilt, a period, and how much of it is evaluated.

Rules of this file: floats guess; whatever they guess, a certificate shows what it shows, or is
rejected. None stands for mechanisms that the rule does not fit.

Theory of operation: the tilt makes the privacy loss vary around ε. The period is so long that what
Chernoff's inequality leaves of the others is small beside the slack; a point is passed over where
the bound of its value is. Points that are not passed over are counted as the rule counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cosh, exp, expm1, inf, log, log1p, pi, sin, sqrt, tanh
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball, ball_of_rational, lower_end, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.arithmetic.threshold import halved
from exactdp.certificate.prediction import size_of
from exactdp.composition.engines.grid import Grid
from exactdp.composition.precision import digits_for

_NODES: Final = 1024
_AT_ONCE: Final = 4
_SHARE: Final = 3.0  # of the logarithm of the slack: a twentieth of it for each error
_STEPS: Final = 100
_LEAST_MEAN: Final = 1.5  # of the bound at a point, in units of what is needed there
_MOST_POINTS: Final = 2_000_000
_SPARE_VALUES: Final = 4
_FLAT: Final = 300.0  # where a hyperbolic cosine is beyond floats, nearly


@dataclass(frozen=True)
class _Floats:
    """Mechanisms on a grid, in floats: pairs (a, ε) and counts."""

    unit: float
    groups: Sequence[tuple[int, float, int]]

    def mean(self, tilt: float) -> float:
        """The mean of the privacy loss under the tilt a."""
        return sum(count * e * tanh((tilt + 0.5) * e) for _, e, count in self.groups)

    def deviation(self, tilt: float) -> float:
        """Its standard deviation."""
        return sqrt(sum(count * e * e * _squeeze((tilt + 0.5) * e) for _, e, count in self.groups))

    def tilt_at(self, x: float) -> float:
        """The tilt a under which the loss varies around x, not much below its deviation's."""
        low, high = 0.0, 1.0
        while self.mean(high) < x and high < 1 / self.unit:
            high *= 2
        _, high = halved(lambda tilt: self.mean(tilt) >= x, low, high, _STEPS)
        return max(high, 2 / max(self.deviation(0.0), self.unit))

    def log_scale(self, tilt: float, x: float) -> float:
        """The logarithm of C·e^{-ax}·H, for the least loss at x itself or next to it."""
        theta = tilt + 0.5
        log_c = sum(c * (_log_cosh(theta * e) - _log_cosh(e / 2)) for _, e, c in self.groups)
        series = -1 / expm1(-2 * self.unit * tilt) + 1 / expm1(-2 * self.unit * (tilt + 1))
        return log_c - tilt * x + log(series)

    def log_aliases(self, tilt: float, x: float) -> float:
        """The logarithm of 1 + G."""
        factors = (
            count * (2 * tilt * e + log1p(exp(-(4 * tilt + 1) * e)) - log1p(exp(-e)))
            for _, e, count in self.groups
        )
        return log(2) + max(0.0, sum(factors) - 2 * tilt * x)


def parameters(grid: Grid, epsilon: ExactNumber, delta: mpq, slack: mpq) -> dict[str, str] | None:
    """Parameters by which the rule shows that D(e^ε) is on its side of Δ, by this slack."""
    with precision(64):
        unit, x = float(ball(grid.unit)), float(ball(epsilon))
        log_slack = float(ball_of_rational(slack).log())
    floats = _Floats(unit, [(a, a * unit, count) for a, count in grid.multiples])
    if not 0 < unit < inf or not grid.span < 2**60:
        return None
    tilt, a = _rounded(floats.tilt_at(x))
    log_scale = floats.log_scale(a, x)
    cut = max(1, int(log_scale - log_slack + _SHARE) + 1)
    squeezed = [(count * _squeeze((a + 0.5) * e), a_i) for a_i, e, count in floats.groups]
    period = (floats.log_aliases(a, x) - log_slack + _SHARE) / a
    points = int(period / (2 * unit)) + 2 | 1
    if sum(weight for weight, _ in squeezed) / 2 < _LEAST_MEAN * 2 * cut or points > _MOST_POINTS:
        return None
    values = _not_small(sorted(squeezed, reverse=True), points, 2.0 * cut * (1 + 1e-9) + 1e-3)
    with precision(64):
        relative = lower_end(ball_of_rational(slack) / arb(log_scale).exp())
        relative = min(relative, slack * 2 ** size_of(delta))
    return {
        "cut": str(cut),
        "digits": str(digits_for(relative, len(floats.groups) * (values + 1))),
        "points": str(points),
        "tilt": str(tilt),
        "unit": str(grid.unit),
        "values": str(values + _SPARE_VALUES),
    }


def _not_small(weights: Sequence[tuple[float, int]], points: int, need: float) -> int:
    """How many points of half a period are not shown to be small."""
    sines = [sin(pi * j / _NODES) ** 2 for j in range(_NODES + 1)]
    squares = [min(pair) for pair in pairwise(sines)]
    alive: Sequence[int] = range(1, points // 2 + 1)
    sums = [0.0] * len(alive)
    for index, (weight, a) in enumerate(weights):
        sums = [
            known + weight * squares[n * a % points * _NODES // points]
            for n, known in zip(alive, sums, strict=True)
        ]
        if index % _AT_ONCE == _AT_ONCE - 1 or index == len(weights) - 1:
            alive = [n for n, known in zip(alive, sums, strict=True) if known < need]
            sums = [known for known in sums if known < need]
    return len(alive)


def _squeeze(angle: float) -> float:
    """1 - tanh²."""
    return 1 / cosh(min(angle, _FLAT)) ** 2


def _log_cosh(angle: float) -> float:
    return angle + log1p(exp(-2 * angle)) - log(2)


def _rounded(value: float) -> tuple[mpq, float]:
    """A rational of few digits near a positive float, as it is and as a float."""
    scale = 64
    while value * scale < 64:
        scale *= 2
    whole = round(value * scale)
    return mpq(whole, scale), whole / scale

r"""Guessing the parameters of a Fourier bracket: tilt, period, noise.

Rules of this file: nothing here is certain, and nothing certain rests on it; floats serve to guess.

Theory of operation: with a = θ - 1/2 and K(θ) = Σ ln cosh(θε_i) the divergence at ε = x is about
exp(K(θ) - K(1/2) - ax)/(a(a + 1)σ√(2π) + 1), where σ² = K''(θ), and x = K'(θ) makes the tilted loss
vary around x. The period of the trapezoid rule must be so long that the loss leaves it with a small
probability on either side, by Chernoff's inequality. Many ε are gathered into a few hundred values.
A Gaussian mechanism is guessed at as what it is the limit of: very many randomized responses.

Sources: Butler, "Saddlepoint Approximations with Applications", 2007, sections 1.2 and 2.1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import asin, ceil, erfc, exp, expm1, hypot, log, log1p, pi, sin, sqrt, tanh
from typing import Final

from exactdp.arithmetic.threshold import halved
from exactdp.composition.engines.fourier.sweep import BLOCK, GRADES
from exactdp.mechanisms.float_losses import FloatLaw, FloatResponse
from exactdp.timing.deadlines import ask

MOST_NEAR: Final = 20_000
MOST_FAR: Final = 100_000
MOST_FACTORS: Final = 256
_LAST_INDEX: Final = 10**4
"""Of the groups that a certificate may name, the last."""
_BISECTIONS: Final = 60
_SPARE: Final = 8
_MOST_WEIGHT: Final = 8.0
_MOST_CUT: Final = 10_000
_FACTOR_COST: Final = 1500
_POINT_COST: Final = 50_000
"""Nanoseconds for each factor of a point, and for its share in some 25 sums."""
_NOISE_COST: Final = 20_000
_CELL_COST: Final = 2.4
_TURNED: Final = 0.15
_MOST_STRIDE: Final = 256.0
_TABLE_COST: Final = 10**6
_BLOCK_COST: Final = 70_000
"""Nanoseconds for a block of a sweep, beside those for its cells."""
_HALVINGS: Final = 9
"""How often a block around an aligned place is halved, about."""
_SIDES: Final = 4
"""Blocks of each size that an aligned place keeps, about: measured on counts from 10^4 to 10^5."""
_FEW_ALIGNED: Final = 1024.0
"""Fewer aligned places take too little time to be counted."""
_SPARE_BLOCKS: Final = 2
_ALWAYS_ALLOWED: Final = 2**18
"""A sweep may look at so many blocks, and at so many times what is foreseen besides."""
_MOST_THETA: Final = 1e6
_FLAT: Final = 300.0
_TINY: Final = 1e-300
_LEAST_TILT: Final = 0.3
_SHARES: Final = (1.0, 0.7, 0.5, 0.35, 0.25, 0.17)
_ANGLES: Final = tuple(sin((2 * j + 1) * pi / 64) ** 2 for j in range(32))
_GRID: Final = 1.25
_GAP: Final = 0.38566
_LEAST_REACH: Final = 2.5
_MOST_BLUR: Final = 2.0**42
_PER_ROOT: Final = 2.0**14


@dataclass(frozen=True, slots=True)
class Saddle:
    """Where a bracket stands.

    Attributes:
        tilt: a = θ - 1/2.
        slope: about how fast ln D falls at x.
        near: x, about OptComp, or the ε that was asked for.
        deviation: σ of the tilted loss.
        mean_hinge: about E h(L - x), of which D is a multiple.
    """

    tilt: float
    slope: float
    near: float
    deviation: float
    mean_hinge: float


def adding_gaussian(groups: Sequence[FloatLaw], root: float) -> list[FloatLaw]:
    """Groups whose law is nearly that of these and a Gaussian mechanism of μ = ``root`` >= 0."""
    limit = [FloatResponse(root / _PER_ROOT, _PER_ROOT**2)] if root else []
    return [*groups, *limit]


def saddles_of_divergence(groups: Sequence[FloatLaw], log_divergence: float) -> list[Saddle]:
    """Some tilts for OptComp at Δ, for ln Δ: the one at which D is about Δ, and lower ones."""
    theta = _bisected(lambda theta: _estimate(groups, theta)[2] - log_divergence)
    return _saddles(groups, theta, log_divergence)


def saddles_of_epsilon(groups: Sequence[FloatLaw], epsilon: float) -> list[Saddle]:
    """Some tilts for D at ε: the one at which the loss varies around it, and lower ones."""
    theta = _bisected(lambda theta: epsilon - _estimate(groups, theta)[0])
    return _saddles(groups, theta, _estimate(groups, theta)[2])


def _saddles(groups: Sequence[FloatLaw], theta: float, log_divergence: float) -> list[Saddle]:
    near, variance, _ = _estimate(groups, theta)
    least = min(_MOST_THETA, _LEAST_TILT / sqrt(max(variance, _TINY)))
    slope = max(theta - 0.5, least)
    tilts = sorted({max(share * slope, least) for share in _SHARES})
    return [_saddle(groups, near, log_divergence, tilt, slope) for tilt in tilts]


def least_period(groups: Sequence[FloatLaw], saddle: Saddle, log_allowed: float) -> float:
    """The period at which the loss goes astray with a probability of about e^log_allowed."""
    slopes, log_moment = (_left_slopes(saddle), _right_slopes(saddle)), _log_moments(groups, saddle)
    exponents = (
        [(slope, log_moment(-slope)) for slope in slopes[0]],
        [(slope, log_moment(slope)) for slope in slopes[1]],
    )
    ends = [min((moment - log_allowed) / slope for slope, moment in side) for side in exponents]
    return max(*ends, 4 * saddle.deviation)


def best_slopes(groups: Sequence[FloatLaw], saddle: Saddle, period: float) -> tuple[float, float]:
    """The exponents of Chernoff's inequality to the left and to the right for a period."""
    log_moment = _log_moments(groups, saddle)

    def left(slope: float) -> float:
        return log_moment(-slope) - slope * period

    def right(slope: float) -> float:
        return log_moment(slope) - slope * period

    return min(_left_slopes(saddle), key=left), min(_right_slopes(saddle), key=right)


def _bisected(excess: Callable[[float], float]) -> float:
    """A θ > 1/2 at which a falling function is about 0."""
    low, high = 0.5 + 1e-9, 2.0
    while excess(high) > 0 and high < _MOST_THETA:
        low, high = high, 2 * high

    def is_beyond(theta: float) -> bool:
        ask()
        return excess(theta) <= 0

    return halved(is_beyond, low, high, _BISECTIONS)[1]


def _estimate(groups: Sequence[FloatLaw], theta: float) -> tuple[float, float, float]:
    """About x, σ² and ln D at a tilt."""
    near = sum(law.count * law.mean(theta) for law in groups)
    variance = sum(law.count * law.variance(theta) for law in groups)
    tilt = theta - 0.5
    height = sum(law.count * law.height(theta) for law in groups)
    hinge = tilt * (tilt + 1) * sqrt(2 * pi * max(variance, _TINY)) + 1
    return near, variance, height - tilt * near - log(hinge)


def _saddle(
    groups: Sequence[FloatLaw], near: float, log_divergence: float, tilt: float, slope: float
) -> Saddle:
    theta = tilt + 0.5
    variance = sum(law.count * law.variance(theta) for law in groups)
    height = sum(law.count * law.height(theta) for law in groups)
    hinge = max(_TINY, exp(min(0.0, log_divergence + tilt * near - height)))
    return Saddle(tilt, slope, near, sqrt(max(variance, _TINY)), hinge)


def _left_slopes(saddle: Saddle) -> list[float]:
    return [(saddle.tilt + 1) * (1 + part / 8) for part in range(24)]


def _right_slopes(saddle: Saddle) -> list[float]:
    return [2.0 ** (part / 4) / saddle.deviation for part in range(-12, 24)]


def _log_moments(groups: Sequence[FloatLaw], saddle: Saddle) -> Callable[[float], float]:
    """About ln E e^{slope·(L - x)} under the tilt, for a slope."""
    theta = saddle.tilt + 0.5
    heights = [law.height(theta) for law in groups]

    def log_moment(slope: float) -> float:
        ask()
        parts = zip(groups, heights, strict=True)
        moment = sum(law.count * (law.height(theta + slope) - at) for law, at in parts)
        return moment - slope * saddle.near

    return log_moment


@dataclass(frozen=True, slots=True)
class Falling:
    """What falls by itself far out, whatever randomized responses do.

    Attributes:
        noise: s.
        root: μ of the Gaussian mechanisms in the ledger; 0 for none.
    """

    noise: float
    root: float = 0.0

    def log_weight(self, t: float) -> float:
        """The logarithm of t² times what a spectrum counts of |φ(t)| at most."""
        square = (self.noise * t) ** 2
        factor = log1p(square * (0.75 + 0.16 * square + 0.08 * square**2))
        return factor - (square + (self.root * t) ** 2) / 2

    def tail_start(self, log_allowed: float) -> float:
        """About the t beyond which this alone leaves e^log_allowed of the integral."""
        width = hypot(self.noise, self.root)
        reach = _LEAST_REACH
        while self.log_weight(reach / width) + log(width) + log(reach / pi) > log_allowed:
            reach *= 1.02
        return reach / width


@dataclass(frozen=True, slots=True)
class Decay:
    """How ln|φ| is distributed far out, where the phases are as good as independent.

    Attributes:
        mean: of -ln|φ|, which is Σ c·ln(2/(1 + tanh θε)).
        variance: of ln|φ|.
    """

    mean: float
    variance: float

    @staticmethod
    def of(groups: Sequence[FloatLaw], theta: float) -> Decay:
        """The decay of all mechanisms together."""
        mean = variance = 0.0
        for law in groups:
            squeeze = law.squeeze(theta)
            logs = [log1p(-squeeze * square) / 2 for square in _ANGLES]
            average = sum(logs) / len(logs)
            mean -= law.count * (average + law.damping(theta))
            variance += law.count**2 * sum((value - average) ** 2 for value in logs) / len(logs)
        return Decay(mean, max(variance, _TINY))

    def above(self, log_value: float) -> float:
        """About how often ln|φ| is above a value."""
        return _upper_tail((log_value + self.mean) / sqrt(self.variance))

    def mass_below(self, log_value: float) -> float:
        """About the mean of |φ| where it is not above e^log_value."""
        high = -self.mean + self.variance / 2
        part = _upper_tail((self.variance - self.mean - log_value) / sqrt(self.variance))
        return exp(min(_FLAT, high)) * part


def _upper_tail(value: float) -> float:
    return erfc(value / sqrt(2)) / 2


def left_out(decay: Decay, first: float, last: float, falling: Falling, log_mark: float) -> float:
    """About (1/π)∫|φ|w where |φ|w is at most e^log_mark, w as in :class:`Falling` over t²."""
    total, t = 0.0, first
    while t < last:
        weight = falling.log_weight(t)
        total += decay.mass_below(log_mark + 2 * log(t) - weight) * exp(weight) / t * (_GRID - 1)
        t *= _GRID
    return total / pi


def evaluated(decay: Decay, first: float, last: float, falling: Falling, log_mark: float) -> float:
    """About how long |φ|w is above e^log_mark."""
    total, t = 0.0, first
    while t < last:
        mark = log_mark + 2 * log(t) - falling.log_weight(t)
        total += decay.above(mark) * t * (_GRID - 1)
        t *= _GRID
    return total


@dataclass(frozen=True, slots=True)
class Aim:
    """Parameters, guessed.

    Attributes:
        saddle: the tilt, and what is known about it.
        noise: s; 0 beside Gaussian mechanisms of at least as much noise.
        step: d.
        last: the last point.
        near: where |φ| first is small.
        cut: of the evaluated points.
        far: about how many points are evaluated beyond ``near``.
        factors: how many groups there are to bound |φ|.
        groups: how many groups there are.
        characteristics: how many kinds of noise.
        stride: about how many points of the sweep share a cell.
        blur: Σ c/tanh θε, by which a check of points far out multiplies its roundings.
        aligned: about how many blocks of the sweep are halved where the losses align with points.
    """

    saddle: Saddle
    noise: float
    step: float
    last: int
    near: int
    cut: int
    far: float
    factors: int
    groups: int
    characteristics: int
    stride: float
    blur: float
    aligned: float

    @staticmethod
    def of(
        bins: Sequence[FloatLaw],
        alike: Sequence[FloatLaw],
        sizes: tuple[int, int],
        saddle: Saddle,
        mesh: float,
        root: float = 0.0,
    ) -> Aim:
        """Guess parameters for a tilt and a mesh, with a Gaussian mechanism of μ = ``root``.

        Of ``bins``, which gather what is nearly alike, only what is quite ``alike`` can align.
        """
        ask()
        noise = mesh / ((saddle.slope + 1) * _GAP) ** 0.5
        falling = Falling(0.0 if root >= noise else noise, root)
        together = adding_gaussian(bins, root)
        allowed = log(mesh * mesh * saddle.slope * saddle.mean_hinge / _SPARE)
        step = 2 * pi / least_period(together, saddle, allowed - log(2))
        reach = max(falling.tail_start(allowed - log(4)), 16 * step)
        decay = Decay.of(bins, saddle.tilt + 0.5)
        near = near_points(together, saddle, step, allowed)
        strict = log(reach) - allowed - GRADES * log(2)
        cut = ceil(strict / log(2))
        first = near * step
        while cut < _MOST_CUT and (
            left_out(decay, first, reach, falling, -cut * log(2)) > exp(allowed)
        ):
            ask()
            cut += 1
        far = evaluated(decay, first, reach, falling, -cut * log(2)) / step
        factors = min(sum(sizes), MOST_FACTORS)
        square = sum(law.count * law.loss**2 for law in bins) / sum(law.count for law in bins)
        stride = min(_MOST_STRIDE, max(1.0, _TURNED / (sqrt(square) * step)))
        last = ceil(reach / step)
        theta = saddle.tilt + 0.5
        responses = [law for law in bins if isinstance(law, FloatResponse)]
        blur = sum(law.count / tanh(theta * law.loss) for law in responses)
        aligned = aligned_blocks(alike, theta, step, last, cut)
        few = saddle, falling.noise, step, last, near, cut, far, factors
        return Aim(*few, *sizes, stride, blur, aligned)

    @property
    def fits(self) -> bool:
        """Whether the loss is spread around x, and few points must be evaluated, as a check can."""
        few = self.near < MOST_NEAR and self.far < MOST_FAR
        return few and self.saddle.slope < _MOST_THETA / 2 and self.blur < _MOST_BLUR

    @property
    def cost(self) -> float:
        """About how many nanoseconds it takes."""
        each = self.groups * _FACTOR_COST + self.characteristics * _NOISE_COST + _POINT_COST
        values = (self.near + self.far) * each
        return (
            values
            + self.last / self.stride * self.factors * _CELL_COST
            + self.factors * _TABLE_COST
            + self.aligned * (_BLOCK_COST + self.factors * BLOCK * _CELL_COST)
        )

    @property
    def most_blocks(self) -> int:
        """The sweep is given up beyond so many blocks."""
        blocks = self.last / self.stride / BLOCK + self.aligned
        return _ALWAYS_ALLOWED + int(min(_SPARE_BLOCKS * blocks, 1e12))


def aligned_blocks(
    groups: Sequence[FloatLaw], theta: float, step: float, last: int, cut: int
) -> float:
    """About how many blocks are halved around points where no group makes |φ| small.

    Groups that do so by themselves, all but near the multiples of π/ε, leave what is near such
    multiples for all of them: the sweep comes down to single points there.
    """
    bits = (cut + GRADES) * 2 * log(2)
    strong = []
    for law in groups:
        window = _window(law, theta, bits)
        if window < 1:
            strong.append((law.loss * step / pi, window))
    if not strong:
        return 0.0
    turn, window = min(strong, key=lambda each: each[0])
    rare = 1.0
    for other, share in strong:
        if other != turn:
            rare *= min(1.0, share + window * other / turn)
    places, width = last * turn * rare, window / turn
    if places < _FEW_ALIGNED:
        return 0.0
    sizes = [BLOCK * 2.0**level for level in range(_HALVINGS)]
    return sum(min(last / size, _SIDES * places * (1 + width / size)) for size in sizes)


def _window(law: FloatLaw, theta: float, bits: float) -> float:
    """In which part of a turn a group alone does not make |φ|² smaller than e^-bits."""
    squeeze = law.squeeze(theta)
    square = -expm1(-bits / law.count)
    if square >= squeeze:
        return 1.0
    return 2 * asin(sqrt(square / squeeze)) / pi


def near_points(groups: Sequence[FloatLaw], saddle: Saddle, step: float, log_allowed: float) -> int:
    """Where |φ| first is small enough, as a number of points; ``MOST_NEAR`` if nowhere near."""
    theta, n = saddle.tilt + 0.5, 2
    while n < MOST_NEAR:
        ask()
        t = n * step
        value = log_modulus(groups, theta, t) - log(t)
        if t * saddle.deviation > 2 and value < log_allowed - 2:
            return n
        n += max(1, n // 50)
    return MOST_NEAR


def log_modulus(groups: Sequence[FloatLaw], theta: float, t: float) -> float:
    """About ln|φ(t)|."""
    return sum(law.count * law.log_modulus(theta, t) for law in groups)


def best_factors(groups: Sequence[FloatLaw], theta: float, t: float) -> tuple[int, ...]:
    """Groups that do much to make |φ| small, early and late: some of each size of ε."""
    if len(groups) <= MOST_FACTORS:
        return tuple(range(len(groups)))
    named = range(min(len(groups), _LAST_INDEX + 1))
    order = sorted(named, key=lambda i: (groups[i].loss, groups[i].count))
    weights = [
        min(_MOST_WEIGHT, law.count * law.squeeze(theta) * min(1.0, (law.loss * t) ** 2))
        for law in (groups[index] for index in order)
    ]
    total, reached, chosen = sum(weights) / MOST_FACTORS, 0.0, []
    for index, weight in zip(order, weights, strict=True):
        if (reached + weight) // total > reached // total:
            chosen.append(index)
        reached += weight
    return tuple(sorted(chosen))

r"""Laws at a tilt, in doubles, each with what it may err by; and meshes that grow coarser.

Rules of this file: nothing is left out that a bound needs, or there is none
(:class:`TooRoughError`); how likely losses are, which tilt is good, and when a mesh grows coarser
are guesses in doubles on which nothing rests.

Theory of operation: weights w_j of losses j·u become t_j = w_j·e^{λu(j-c)}/M, which sum to about 1.
On a mesh k times coarser each loss is split between two points, as dots are, or rounded, as scores
are; both are sums with weights at least 0 of the t_j.

Source: docs/guarantees.md, Doubles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, inf, isfinite, log, log2, sqrt
from typing import Final

import numpy as np
from flint import arb, fmpz
from gmpy2 import mpq
from numpy.typing import NDArray

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.arithmetic.transforms import ROUNDING, UNDERFLOW, Reals, powers

LEAST_ERROR: Final = 128 * ROUNDING
"""Relative, of a tilted weight: its rounding, two powers, and the division by M."""
SPARE: Final = 1 + 2.0**-20
"""What covers the roundings of a bound of an error itself."""
GREATEST: Final = 600.0
_MOST_BITS: Final = 900
_NORMAL: Final = 2.0**-1000
"""To which tilted weights are raised, so that none is below the true one by its underflow."""
_MOST_COUNT: Final = 2**40
_STEPS: Final = 60
_NEAR: Final = 1e-3
_MOST_TILT: Final = 10_000.0
_PARTS: Final = 8
_PARTS_LEFT: Final = (4, 16, 64, 256, 1024)
_SHARE: Final = 0.04
_WIDE: Final = 14.0
_LONG: Final = 2.0**15
MOST_CELLS: Final = 2**22


class TooRoughError(ArithmeticError):
    """Doubles do not say it well enough."""


@dataclass(frozen=True)
class MeshLaw:
    """What one mechanism weighs, rounded down to doubles' reach: exact integers over a scale.

    Attributes:
        cells: losses in units, rising.
        weights: of these, within 4u relatively.
        total: what they sum to, exactly, but for these roundings.
        count: how many such mechanisms there are.
    """

    cells: NDArray[np.int64]
    weights: Reals
    total: mpq
    count: int

    @staticmethod
    def of(pairs: Sequence[tuple[int, fmpz]], scale: fmpz, count: int) -> MeshLaw:
        """The sums of weights by their losses.

        Raises:
            TooRoughError: a weight is beyond doubles.
        """
        summed: dict[int, int] = {}
        for j, weight in pairs:
            if weight > 0:
                summed[j] = summed.get(j, 0) + int(weight)
        whole = int(scale)
        if not summed or count > _MOST_COUNT:
            raise TooRoughError("no weight, or too many mechanisms")
        if whole.bit_length() > _MOST_BITS:
            raise TooRoughError("weights of too many digits")
        cells = sorted(summed)
        if cells[-1] - cells[0] >= MOST_CELLS:
            raise TooRoughError("losses too far apart")
        divisor = float(whole)
        weights = np.array([float(summed[j]) for j in cells]) / divisor
        total = mpq(sum(summed.values()), whole)
        return MeshLaw(np.array(cells, np.int64), weights, total, count)

    def moments(self, tilt: float) -> tuple[float, float, float]:
        """About ln Σ w·e^{tilt·j}, and the mean and the variance of the tilted losses."""
        scaled = tilt * self.cells
        highest = float(scaled.max())
        shares = self.weights * np.exp(scaled - highest)
        whole = float(shares.sum())
        if not whole > 0:
            return -inf, float(self.cells[-1]), 0.0
        mean = pairwise_sum(shares * self.cells) / whole
        square = pairwise_sum(shares * (self.cells - mean) ** 2) / whole
        return highest + log(whole), mean, square


def tilt_for(
    laws: Sequence[MeshLaw], unit: float, excess: Callable[[float, float, float], float]
) -> float:
    """About the λ at which a function of λ, K and K' that falls with λ is 0; from 0 on."""

    def at(tilt: float) -> float:
        found = [(law.moments(tilt * unit), law.count) for law in laws]
        whole = sum(count * each[0] for each, count in found)
        slope = sum(count * each[1] for each, count in found) * unit
        return excess(tilt, whole, slope)

    low, high = 0.0, 1.0
    if at(low) <= 0:
        return 0.0
    while high < _MOST_TILT and at(high) > 0:
        low, high = high, 2 * high
    for _ in range(_STEPS):
        if high - low <= _NEAR * 16 * high:
            break
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle) > 0 else (low, middle)
    return low


def rounded_tilt(tilt: float) -> mpq:
    """A tilt with few digits near another one: neighbours share it."""
    if tilt * _PARTS < 1:
        return mpq(0)
    step = 2.0 ** floor(log2(tilt)) / _PARTS
    return mpq(Fraction(round(tilt / step) * step))


@dataclass(frozen=True)
class TiltedLaw:
    """A law at a tilt: about t_j at j - c.

    Attributes:
        offsets: the values of j - c, rising.
        weights: about t_j.
        centre: c.
        log: ln M.
        count: how many such laws there are.
        noise: what all weights together may err by, beside :data:`LEAST_ERROR` relatively.
        lost: what all weights together may lack elsewhere.
    """

    offsets: NDArray[np.int64]
    weights: Reals
    centre: int
    log: arb
    count: int
    noise: float = 0.0
    lost: float = 0.0

    @staticmethod
    def of(law: MeshLaw, rate: arb) -> TiltedLaw:
        """The law, tilted by a ball of λu."""
        centre = round(law.moments(float(rate))[1])
        offsets = law.cells - centre
        if float(rate) * max(int(offsets[-1]), 0) > GREATEST:
            raise TooRoughError
        weights = np.maximum(law.weights * _factors(offsets, rate), _NORMAL)
        whole = pairwise_sum(weights)
        if not (isfinite(whole) and whole > 2.0**-500):
            raise TooRoughError
        return TiltedLaw(offsets, weights / whole, centre, arb(whole).log(), law.count)

    @cached_property
    def mean(self) -> float:
        """About the mean of the offsets."""
        return pairwise_sum(self.weights * self.offsets)

    @cached_property
    def variance(self) -> float:
        """About their variance."""
        return pairwise_sum(self.weights * (self.offsets - self.mean) ** 2)

    @property
    def span(self) -> int:
        """How many cells there are from the first to the last."""
        return int(self.offsets[-1] - self.offsets[0]) + 1

    @cached_property
    def mass(self) -> float:
        """At least the sum of all t_j, and of what the weights err by."""
        return (pairwise_sum(self.weights) + self.noise + self.lost) * SPARE

    def generated(self, rate: arb) -> arb:
        """A ball of Σ t_j·e^{rate·(j-c)}, of a law that is no composition."""
        furthest = abs(float(rate)) * float(np.abs(self.offsets[[0, -1]]).max())
        if furthest > GREATEST:
            raise TooRoughError
        found = pairwise_sum(self.weights * _factors(self.offsets, rate))
        error = 2 * LEAST_ERROR + 2 * len(self.offsets) * ROUNDING
        return arb(found) * (1 + arb(0, error)) + arb(0, UNDERFLOW)

    def coarser(self, stage: Stage, unit: mpq, rate: arb, count: int) -> TiltedLaw:
        """On a coarser mesh: split between points as dots are from above, rounded as scores are."""
        times, rests = stage.times, range(stage.times)
        place, rest = np.divmod(self.offsets + self.centre, times)
        step = -(-ball_of_rational(times * unit)).expm1()
        if stage.above:
            shares = [-(-ball_of_rational(each * unit)).expm1() / step for each in rests]
        else:
            shares = [arb(int(2 * each >= times)) for each in rests]
        listed = zip(rests, shares, strict=True)
        moved = [((1 - s) * (-rate * r).exp(), s * (rate * (times - r)).exp()) for r, s in listed]
        stay, rise = (np.array([float(each[k]) for each in moved])[rest] for k in (0, 1))
        first = int(place[0])
        length = int(place[-1]) - first + 2
        weights = np.zeros(length)
        weights += np.bincount(place - first, self.weights * stay, length)
        weights += np.bincount(place - first + 1, self.weights * rise, length)
        most = double_above((rate * times).exp())
        centre = round(self.centre / times)
        return TiltedLaw(
            np.arange(first - centre, first - centre + length),
            weights,
            centre,
            self.log + rate * (self.centre - centre * times),
            count,
            (self.noise + (2 * times + 16) * ROUNDING * self.mass) * most,
            self.lost * most,
        )


@dataclass(frozen=True)
class Stage:
    """A mesh that grows coarser once so many parts are left to compose.

    Attributes:
        parts: how many; 1 for a mesh that stays.
        times: how much coarser.
        above: whether losses are split, as dots are, or rounded, as scores are.
    """

    parts: int
    times: int
    above: bool

    @staticmethod
    def of(laws: Sequence[TiltedLaw], unit: float, tolerance: float, *, above: bool) -> Stage:
        """About what takes the least work, where that costs a small part of the tolerance."""
        spread = _WIDE * sqrt(sum(each.count * each.variance for each in laws))
        span, count = max(each.span for each in laws), sum(each.count for each in laws)
        best, least = Stage(1, 1, above), float(power_of_two(max(span, spread)))
        for parts in _PARTS_LEFT:
            coarser = sqrt(_SHARE * tolerance / parts) / unit
            if parts * 2 > count or coarser < 2 or spread < _LONG:
                break
            times = 1 << (int(coarser).bit_length() - 1)
            work = power_of_two(max(span, spread / sqrt(parts))) + power_of_two(spread / times)
            if work < least:
                best, least = Stage(parts, times, above), float(work)
        return best


def _factors(offsets: NDArray[np.int64], rate: arb) -> Reals:
    """The values of e^{rate·offset}."""
    above, below = max(int(offsets[-1]), 0), max(-int(offsets[0]), 0)
    rising, falling = powers(rate, above + 1), powers(-rate, below + 1)
    with np.errstate(under="ignore"):
        return np.where(
            offsets >= 0, rising[np.maximum(offsets, 0)], falling[np.maximum(-offsets, 0)]
        )


def power_of_two(length: float) -> int:
    """The least power of 2 that is at least this."""
    return 1 << max(1, ceil(length) - 1).bit_length()


def pairwise_sum(values: Reals) -> float:
    """The sum, by pairs: no product of vectors, for libraries of these start threads."""
    return float(values.sum())


def double_above(value: arb) -> float:
    """A double at least this.

    Raises:
        TooRoughError: there is none.
    """
    if not value.is_finite():
        raise TooRoughError
    return float(value.upper()) * (1 + 4 * ROUNDING) + UNDERFLOW

r"""Many mechanisms at once in doubles, with a proved bound: one transform for each law.

Rules of this file: an end is an enclosure, or there is none (:class:`TooRough`); how likely losses
are, and which tilt is good, are guesses in doubles on which nothing rests.

Theory of operation: weights w_j of losses j·u are tilted to t_j = w_j·e^{λu(j-c)}/M, so that they
sum to about 1 and the composed ones lie about the ε that is asked for. Then

.. math:: (w^{*T})_s = M^T e^{-\lambda u(s - Tc)} (t^{*T})_s,

and t^{*T} is the inverse transform of the product of powers. A transform has an error of at most E
at every frequency; that of the product is at most Π(|φ_i| + E_i)^{T_i}·Σ T_i(E_i/(|φ_i| + E_i) + κ),
κ = √8·u for each product; its mean over all frequencies, and what the inverse transform adds, bound
the error of every cell. A sum from a threshold on counts a cell k steps above it e^{-λuk} times, so
that errors stay small beside it for every δ. What lies beyond the N cells of the transform comes
back into them: Chernoff's bound of it is added, or taken away.

Source: docs/parallel.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, exp, floor, inf, isfinite, log, sqrt
from typing import Final

import numpy as np
from flint import arb, fmpz
from gmpy2 import mpq
from numpy.typing import NDArray

from exactdp.arithmetic.enclosures import ball_of_rational, double_of, precision, upper_end
from exactdp.arithmetic.transforms import (
    ROUNDING,
    UNDERFLOW,
    Complexes,
    Reals,
    powers,
    relative_error,
    restored,
    transformed,
)
from exactdp.timing.deadlines import ask

_BITS: Final = 160
_LEAST_ERROR: Final = 128 * ROUNDING
"""Relative, of a tilted weight: its rounding, two powers, and the division by M."""

_OF_A_PRODUCT: Final = 3 * ROUNDING
_SPARE: Final = 1 + 2.0**-20
"""What covers the roundings of a bound of an error itself."""

_BEYOND: Final = 12.0
"""What lies beyond the cells is about this many powers of e below the tolerance."""

_RATES: Final = (0.5, 1.0, 2.0, 4.0, 6.0, 8.0, 11.0, 16.0)
_GREATEST: Final = 600.0
_MOST_CELLS: Final = 2**22
_MOST_COUNT: Final = 2**40
_STEPS: Final = 60
_NEAR: Final = 1e-3
_MOST_TILT: Final = 10_000.0
_PARTS: Final = 8
_MOST_ROUGH: Final = 0.01
_OF_A_CELL: Final = 500
_PARTS_LEFT: Final = (4, 16, 64, 256, 1024)
_SHARE: Final = 0.04
_WIDE: Final = 14.0
_NARROW: Final = 32
_LONG: Final = 2.0**15
_WELL: Final = 1000.0


class TooRough(ArithmeticError):
    """Doubles do not say it well enough."""


@dataclass(frozen=True)
class Law:
    """What one mechanism weighs, rounded down to doubles' reach: exact integers over a scale.

    Attributes:
        cells: losses in units, rising.
        weights: of these, within 3u relatively.
        total: what they sum to, exactly.
        count: how many such mechanisms there are.
    """

    cells: NDArray[np.int64]
    weights: Reals
    total: mpq
    count: int

    @staticmethod
    def of(pairs: Sequence[tuple[int, fmpz]], scale: fmpz, count: int) -> Law:
        """The sums of weights by their losses.

        Raises:
            TooRough: a weight is beyond doubles.
        """
        summed: dict[int, int] = {}
        for j, weight in pairs:
            if weight > 0:
                summed[j] = summed.get(j, 0) + int(weight)
        whole = int(scale)
        if not summed or whole.bit_length() > 900 or count > _MOST_COUNT:
            raise TooRough
        cells = sorted(summed)
        divisor = float(whole)
        weights = np.array([float(summed[j]) for j in cells]) / divisor
        total = mpq(sum(summed.values()), whole)
        return Law(np.array(cells, np.int64), weights, total, count)

    def moments(self, tilt: float) -> tuple[float, float, float]:
        """About ln Σ w·e^{tilt·j}, and the mean and the variance of the tilted losses."""
        scaled = tilt * self.cells
        highest = float(scaled.max())
        shares = self.weights * np.exp(scaled - highest)
        whole = float(shares.sum())
        if not whole > 0:
            return -inf, float(self.cells[-1]), 0.0
        mean = _sum(shares * self.cells) / whole
        square = _sum(shares * (self.cells - mean) ** 2) / whole
        return highest + log(whole), mean, square


def tilt_for(laws: Sequence[Law], unit: float, excess: Callable[[float, float, float], float]) -> float:
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
    step = 2.0 ** floor(log(tilt, 2)) / _PARTS
    return mpq(round(tilt / step) * step)


@dataclass(frozen=True)
class _Tilted:
    """A law at a tilt: about t_j at j - c.

    Attributes:
        offsets: the values of j - c, rising.
        weights: about t_j.
        centre: c.
        log: ln M.
        count: how many such laws there are.
        noise: what all weights together may err by, beside :data:`_LEAST_ERROR` relatively.
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
    def of(law: Law, rate: arb) -> _Tilted:
        """The law, tilted by a ball of λu."""
        centre = round(law.moments(float(rate))[1])
        offsets = law.cells - centre
        if float(rate) * max(int(offsets[-1]), 0) > _GREATEST:
            raise TooRough
        weights = law.weights * _factors(offsets, rate)
        whole = _sum(weights)
        if not (isfinite(whole) and whole > 2.0**-500):
            raise TooRough
        return _Tilted(offsets, weights / whole, centre, arb(whole).log(), law.count)

    @cached_property
    def mean(self) -> float:
        """About the mean of the offsets."""
        return _sum(self.weights * self.offsets)

    @cached_property
    def variance(self) -> float:
        """About their variance."""
        return _sum(self.weights * (self.offsets - self.mean) ** 2)

    @property
    def span(self) -> int:
        """How many cells there are from the first to the last."""
        return int(self.offsets[-1] - self.offsets[0]) + 1

    @cached_property
    def mass(self) -> float:
        """At least the sum of all t_j, and of what the weights err by."""
        return (_sum(self.weights) + self.noise + self.lost) * _SPARE

    def generated(self, rate: arb) -> arb:
        """A ball of Σ t_j·e^{rate·(j-c)}, of a law that is no composition."""
        furthest = abs(float(rate)) * float(np.abs(self.offsets[[0, -1]]).max())
        if furthest > _GREATEST:
            raise TooRough
        found = _sum(self.weights * _factors(self.offsets, rate))
        error = 2 * _LEAST_ERROR + 2 * len(self.offsets) * ROUNDING
        return arb(found) * (1 + arb(0, error)) + arb(0, UNDERFLOW)

    def coarser(self, stage: Stage, unit: mpq, rate: arb, count: int) -> _Tilted:
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
        weights = np.bincount(place - first, self.weights * stay, length)
        weights += np.bincount(place - first + 1, self.weights * rise, length)
        most = double_above((rate * times).exp())
        centre = round(self.centre / times)
        return _Tilted(
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
    def of(laws: Sequence[_Tilted], unit: float, tolerance: float, *, above: bool) -> Stage:
        """About what takes the least work, where that costs a small part of the tolerance."""
        spread = _WIDE * sqrt(sum(each.count * each.variance for each in laws))
        span, count = max(each.span for each in laws), sum(each.count for each in laws)
        best, least = Stage(1, 1, above), float(_power_of_two(max(span, spread)))
        for parts in _PARTS_LEFT:
            coarser = sqrt(_SHARE * tolerance / parts) / unit
            if parts * 2 > count or coarser < 2 or spread < _LONG:
                break
            times = 1 << (int(coarser).bit_length() - 1)
            work = _power_of_two(max(span, spread / sqrt(parts))) + _power_of_two(spread / times)
            if work < least:
                best, least = Stage(parts, times, above), float(work)
        return best


def _factors(offsets: NDArray[np.int64], rate: arb) -> Reals:
    """The values of e^{rate·offset}."""
    above, below = max(int(offsets[-1]), 0), max(-int(offsets[0]), 0)
    rising, falling = powers(rate, above + 1), powers(-rate, below + 1)
    with np.errstate(under="ignore"):
        return np.where(offsets >= 0, rising[np.maximum(offsets, 0)], falling[np.maximum(-offsets, 0)])


@dataclass(frozen=True)
class Sums:
    """What stands above a threshold: a common factor, and sums in doubles with their errors."""

    factor: arb
    plain: float
    discounted: float
    weight: float
    """What an error of 1 in every cell makes of the plain sum."""
    discounted_weight: float
    missing: float
    """What has left the cells."""
    returned: float
    """What has come back into those from the threshold on."""

    def error(self, whole: Whole, share: arb) -> arb:
        """What the plain sum less ``share`` times the discounted one may lack, but the factor."""
        of_cells = arb(self.weight) - share * arb(self.discounted_weight)
        both = abs(self.plain) + abs(self.discounted)
        weights = self.weight + self.discounted_weight
        rounded = whole.relative * (both + whole.error * weights)
        return (whole.error * of_cells).upper() + arb(rounded * 1.001 + self.missing)


@dataclass(frozen=True)
class Reach:
    """Where a composition is: its first and last cell, and at most what lies below and above."""

    first: int
    last: int
    below: float
    above: float

    @staticmethod
    def of(laws: Sequence[_Tilted], depth: float) -> Reach:
        """The reach of laws that are no compositions, by Chernoff's bound.

        Args:
            laws: the laws.
            depth: about minus the logarithm of what may lie on either side.
        """
        centre = sum(each.count * each.centre for each in laws)
        deviation = sqrt(sum(each.count * each.variance for each in laws))
        low, below = _edge(laws, -1, deviation, depth)
        high, above = _edge(laws, 1, deviation, depth)
        return Reach(centre - low, centre + high, below, above)

    def coarser(self, stage: Stage, parts: int, rate: arb) -> Reach:
        """The same where the losses of so many parts are moved by less than a step each."""
        factor = double_above((rate * stage.times * parts).exp())
        first, last = self.first // stage.times - parts, -(-self.last // stage.times) + parts
        return Reach(first, last, self.below * factor, self.above * factor)


def _edge(
    laws: Sequence[_Tilted], sign: int, deviation: float, depth: float
) -> tuple[int, float]:
    """How far losses reach from the centre on a side, and at most what lies beyond."""
    furthest = sum(each.count * int(max(sign * each.offsets[[0, -1]])) for each in laws)
    best, chosen = float(furthest), 0.0
    for rate in (each / deviation for each in _RATES if deviation > 0 and furthest > _NARROW):
        if any(rate * float(max(sign * each.offsets[[0, -1]])) > _GREATEST for each in laws):
            break
        with np.errstate(under="ignore"):
            whole = sum(
                each.count * log(_sum(each.weights * np.exp(sign * rate * each.offsets)))
                for each in laws
            )
        if (reach := (whole + depth) / rate) < best:
            best, chosen = reach, rate
    if not chosen:
        return furthest, 0.0
    edge = ceil(best)
    rate = arb(sign * chosen)
    logs = (each.count * each.generated(rate).log() for each in laws)
    return edge, double_above((sum(logs, arb(0)) - arb(chosen) * edge).exp())


class Whole:
    """The composition of laws, at a tilt.

    Raises:
        TooRough: doubles do not reach so far.
    """

    def __init__(self, laws: Sequence[_Tilted], mesh: tuple[mpq, mpq], reach: Reach) -> None:
        """Compose.

        Args:
            laws: the laws.
            mesh: the unit, and λ, at least 0.
            reach: where the composition is.
        """
        self.unit, self.tilt = mesh
        self._laws, self._reach = laws, reach
        with precision(_BITS):
            self._rate = ball_of_rational(self.tilt * self.unit)
            self.centre = sum(each.count * each.centre for each in laws)
            self._scale = sum((each.count * each.log for each in laws), arb(0))
        between = reach.last - reach.first + 1
        length = max(between, *(each.span for each in laws), 2)
        if length > _MOST_CELLS:
            raise TooRough
        self.length = _power_of_two(length)
        ask(self.length * _OF_A_CELL)
        self.first = reach.first - (self.length - between) // 2
        mass = exp(min(_GREATEST, sum(each.count * log(each.mass) for each in laws)))
        self._lost = sum(each.count * each.lost for each in laws) * mass * 2
        values, self.error = self._composed()
        self.values = np.roll(values, -((self.first - self.centre) % self.length))

    @staticmethod
    def of(
        laws: Sequence[Law],
        mesh: tuple[mpq, mpq],
        tolerance: mpq,
        *,
        above: bool,
        stage: Stage | None = None,
    ) -> tuple[Whole, Stage]:
        """The composition of laws, on a mesh that may grow coarser, and at which stage.

        Args:
            laws: the laws.
            mesh: the unit, and λ.
            tolerance: of the answer.
            above: whether losses are split between points, or rounded.
            stage: when it grows coarser; None where that is to be chosen.
        """
        unit, tilt = mesh
        near = double_of(tolerance)
        depth = _BEYOND - log(near)
        with precision(_BITS):
            rate = ball_of_rational(tilt * unit)
            tilted = [_Tilted.of(law, rate) for law in laws]
            stage = stage or Stage.of(tilted, double_of(unit), near, above=above)
            reach = Reach.of(tilted, depth)
            if stage.parts == 1:
                return Whole(tilted, mesh, reach), stage
            shared = [replace(each, count=each.count // stage.parts) for each in tilted]
            shared = [each for each in shared if each.count]
            inner = Whole(shared, mesh, Reach.of(shared, depth + log(stage.parts)))
            listed = [inner.as_law().coarser(stage, unit, rate, stage.parts)]
            for each in tilted:
                if left := each.count % stage.parts:
                    listed.append(each.coarser(stage, unit, rate, left))
            reach = reach.coarser(stage, sum(each.count for each in listed), rate)
        return Whole(listed, (unit * stage.times, tilt), reach), stage

    def as_law(self) -> _Tilted:
        """This as one law, to be composed again."""
        reach = self._reach
        weights = self.values[reach.first - self.first : reach.last + 1 - self.first]
        offsets = np.arange(reach.first, reach.last + 1) - self.centre
        noise = len(weights) * self.error
        lost = 2 * (self._reach.below + self._reach.above) + self._lost
        kept = np.maximum(weights, 0.0)
        return _Tilted(offsets, kept, self.centre, self._scale, 1, noise, lost)

    # --- the composition ----------------------------------------------------------------------

    def _composed(self) -> tuple[Reals, float]:
        """Cells by their offset from the centre, modulo the length, and what each errs by."""
        length = self.length
        spectrum = np.ones(length // 2 + 1, np.complex128)
        worst = 0.0
        greatest, share = np.ones(length // 2 + 1), np.zeros(length // 2 + 1)
        for each in self._laws:
            cells = np.zeros(length)
            cells[each.offsets % length] = each.weights
            near = (relative_error(length) + 1.1 * _LEAST_ERROR) * each.mass + each.noise
            near = near * _SPARE + length * UNDERFLOW
            law = transformed(cells)
            spectrum *= _power(law, each.count)
            moduli = np.sqrt(law.real**2 + law.imag**2) * (1 + 8 * ROUNDING) + near
            greatest *= _power(moduli, each.count)
            share += each.count * (near / moduli + _OF_A_PRODUCT)
            worst += each.count * (near + _OF_A_PRODUCT)
        if worst > _MOST_ROUGH:
            raise TooRough
        of_powers = 2 * _sum(greatest * share) / length
        moduli = np.abs(spectrum)
        of_inverse = relative_error(length) * 2 * float(moduli.sum()) / length
        values = restored(spectrum)
        error = (of_powers * 1.02 + of_inverse) * _SPARE + UNDERFLOW
        if not isfinite(error):
            raise TooRough
        return values, error

    # --- sums -----------------------------------------------------------------------------------

    @cached_property
    def _falling(self) -> tuple[Reals, Reals]:
        """The values of e^{-λuk}, and those times e^{-uk}."""
        with precision(_BITS):
            step = ball_of_rational(self.unit)
            count = 2 * self.length
            return powers(-self._rate, count), powers(-self._rate - step, count)

    def above(self, threshold: int) -> Sums:
        """The weights of losses from a threshold on."""
        end = self.first + self.length
        if not self.first - self.length < threshold < end:
            raise TooRough
        start = max(threshold, self.first)
        cells = self.values[start - self.first :]
        plain, discounted = (
            each[start - threshold : start - threshold + len(cells)] for each in self._falling
        )
        with precision(_BITS):
            factor = (self._scale - self._rate * (threshold - self.centre)).exp()
            far = double_above((-self._rate * (end - threshold)).exp())
        lost = self._reach.below if threshold < self.first else 0.0
        return Sums(
            factor,
            _sum(cells * plain),
            _sum(cells * discounted),
            float(plain.sum()),
            float(discounted.sum()),
            lost + self._reach.above * far + self._lost,
            self._reach.below + self._reach.above + self._lost,
        )

    def likely(self) -> tuple[int, int]:
        """The first and the last cell that stand well out of the errors."""
        found = np.flatnonzero(self.values > _WELL * self.error)
        if not len(found):
            raise TooRough
        return self.first + int(found[0]), self.first + int(found[-1])

    def listed(self, first: int, last: int) -> Reals:
        """About the weights of these cells, over what :meth:`above` has as a factor at the first."""
        return self.values[first - self.first : last + 1 - self.first] * self._falling[0][: last + 1 - first]

    @property
    def relative(self) -> float:
        """What sums in doubles err by relatively."""
        return (2 * self.length + 256) * ROUNDING


def _sum(values: Reals) -> float:
    """The sum, by pairs: no product of vectors, for libraries of these start threads."""
    return float(values.sum())


def double_above(value: arb) -> float:
    """A double at least this.

    Raises:
        TooRough: there is none.
    """
    if not value.is_finite():
        raise TooRough
    return float(value.upper()) * (1 + 4 * ROUNDING) + UNDERFLOW


def _power_of_two(length: float) -> int:
    """The least power of 2 that is at least this."""
    return 1 << max(1, ceil(length) - 1).bit_length()


def _power(values: NDArray, count: int) -> NDArray:
    """The power of each value, by squares."""
    found = values.copy()
    with np.errstate(under="ignore"):
        for bit in bin(count)[3:]:
            found *= found
            if bit == "1":
                found *= values
    return found

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
from dataclasses import dataclass
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
    """A law at a tilt: t_j at j - c."""

    offsets: NDArray[np.int64]
    weights: Reals
    centre: int
    whole: float
    """M, exactly this double."""
    count: int

    @staticmethod
    def of(law: Law, tilt: arb) -> _Tilted:
        """The law, tilted by a ball of λu."""
        centre = round(law.moments(float(tilt))[1])
        offsets = law.cells - centre
        most = max(int(offsets[-1]), 0)
        if float(tilt) * most > _GREATEST:
            raise TooRough
        weights = law.weights * _factors(offsets, tilt)
        whole = float(weights.sum())
        if not (isfinite(whole) and whole > 2.0**-500):
            raise TooRough
        return _Tilted(offsets, weights / whole, centre, whole, law.count)

    def generated(self, rate: arb) -> arb:
        """A ball of Σ t_j·e^{rate·(j-c)}, if t are the tilted weights themselves."""
        if abs(float(rate)) * float(np.abs(self.offsets).max()) > _GREATEST:
            raise TooRough
        found = _sum(self.weights * _factors(self.offsets, rate))
        error = 2 * _LEAST_ERROR + 2 * len(self.offsets) * ROUNDING
        return arb(found) * (1 + arb(0, error)) + arb(0, UNDERFLOW)


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


class Whole:
    """The composition of laws, at a tilt.

    Raises:
        TooRough: doubles do not reach so far.
    """

    def __init__(self, laws: Sequence[Law], unit: mpq, tilt: mpq, tolerance: mpq) -> None:
        """Compose.

        Args:
            laws: the laws.
            unit: the mesh.
            tilt: λ, at least 0.
            tolerance: about how large errors beside the sums may be.
        """
        self.tilt, self.unit = tilt, unit
        self._depth = _BEYOND - log(double_of(tolerance))
        with precision(_BITS):
            self._rate = ball_of_rational(tilt * unit)
            self._laws = [_Tilted.of(law, self._rate) for law in laws]
            self.centre = sum(each.count * each.centre for each in self._laws)
            logs = (each.count * arb(each.whole).log() for each in self._laws)
            self._scale = sum(logs, arb(0))
            first, last, self._below, self._above = self._window()
        spans = (int(each.offsets[-1] - each.offsets[0]) + 1 for each in self._laws)
        length = max(last - first + 1, *spans, 2)
        if length > _MOST_CELLS:
            raise TooRough
        self.length = 1 << (length - 1).bit_length()
        self.first = first - (self.length - (last - first + 1)) // 2
        values, self.error = self._composed()
        self.values = np.roll(values, -((self.first - self.centre) % self.length))

    # --- where the composed losses are --------------------------------------------------------

    def _window(self) -> tuple[int, int, float, float]:
        """The cells from the first to the last, and at most what lies below and above them."""
        spread = sum(
            each.count * _sum(each.weights * (each.offsets - _sum(each.weights * each.offsets)) ** 2)
            for each in self._laws
        )
        least = sum(each.count * int(each.offsets[0]) for each in self._laws)
        most = sum(each.count * int(each.offsets[-1]) for each in self._laws)
        if spread == 0 or most - least < 64:
            return self.centre + least, self.centre + most, 0.0, 0.0
        low, below = self._edge(-1, sqrt(spread), -least)
        high, above = self._edge(1, sqrt(spread), most)
        return self.centre - low, self.centre + high, below, above

    def _edge(self, sign: int, deviation: float, most: int) -> tuple[int, float]:
        """How far losses reach on a side, and at most what lies beyond."""
        best, chosen = float(most), 0.0
        for rate in _RATES:
            scaled = sign * rate / deviation
            whole = 0.0
            for each in self._laws:
                steps = scaled * each.offsets
                if float(steps.max()) > _GREATEST:
                    break
                whole += each.count * log(_sum(each.weights * np.exp(np.maximum(steps, -_GREATEST))))
            else:
                reach = (whole + self._depth) / (rate / deviation)
                if reach < best:
                    best, chosen = reach, rate / deviation
        if not chosen:
            return most, 0.0
        edge = ceil(best)
        rate = arb(sign * chosen)
        logs = (each.count * each.generated(rate).log() for each in self._laws)
        beyond = (sum(logs, arb(0)) - arb(chosen) * edge).exp()
        return edge, double_above(beyond)

    # --- the composition ----------------------------------------------------------------------

    def _composed(self) -> tuple[Reals, float]:
        """Cells by their offset from the centre, modulo the length, and what each errs by."""
        length = self.length
        spectrum = np.ones(length // 2 + 1, np.complex128)
        greatest, share = np.ones(length // 2 + 1), np.zeros(length // 2 + 1)
        for each in self._laws:
            cells = np.zeros(length)
            cells[each.offsets % length] = each.weights
            near = relative_error(length) + 1.1 * _LEAST_ERROR
            near += length * UNDERFLOW
            law = transformed(cells)
            spectrum *= _power(law, each.count)
            moduli = np.sqrt(law.real**2 + law.imag**2) * (1 + 8 * ROUNDING) + near
            greatest *= _power(moduli, each.count)
            share += each.count * (near / moduli + _OF_A_PRODUCT)
        count = sum(each.count for each in self._laws)
        if count * (near + _OF_A_PRODUCT) > 0.01:
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
        lost = self._below if threshold < self.first else 0.0
        return Sums(
            factor,
            _sum(cells * plain),
            _sum(cells * discounted),
            float(plain.sum()),
            float(discounted.sum()),
            lost + self._above * far,
            self._below + self._above,
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
    """A double at least this."""
    return float(value.upper()) * (1 + 4 * ROUNDING) + UNDERFLOW


def _power(values: NDArray, count: int) -> NDArray:
    """The power of each value, by squares."""
    found = values.copy()
    with np.errstate(under="ignore"):
        for bit in bin(count)[3:]:
            found *= found
            if bit == "1":
                found *= values
    return found

r"""D on a grid from one period of its characteristic function: a finite sum, with few terms.

Rules of this file: a value is an integer with the error it may have, at b bits; what is not
evaluated is shown to be small, or else evaluated. The parameters decide whether a proof goes
through, never what it proves.

Theory of operation: with losses (A - 2s)·u, a tilt a > 0, θ = a + 1/2 and an odd number M of points
t_n = πn/(uM), the mean of φ(t_n)·H_n over n is a sum over the periods 2uM of E_Q h(L - x), whose
terms are positive; all of it, and what Chernoff's inequality leaves of the other periods, are ends
of D. H_n is a sum of two geometric series, and |H_n| <= H_0:

    H_n/H_0 = e^{-it_n·l}·(λ + (1 - λ)ζ)·(1 - ρ)/(1 - ρζ)·(1 - σ)/(1 - σζ),    ζ = e^{-2πin/M},

with l = x + w the least loss that is at least x, ρ = e^{-2ua}, σ = e^{-2u(a+1)},
λ = P/(P + R), P = e^{-aw} - e^{-(a+1)w} and R = ρ·e^{-(a+1)w} - σ·e^{-aw}. All factors are points
of the unit disc.

Sources: certs/SPEC.md, sections 6.6 and 11.9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import isqrt
from typing import Final

from ..format.meter import of_division, pay, remembered
from ..format.numbers import Number, linear
from ..format.outcomes import RejectedError
from .circle import Point, of_times, power, slant_of, slanted, times, unit
from .enclosures import (
    Enclosure,
    ceil_div,
    enclose,
    enclose_pi,
    exp_fixed,
    exp_floating,
    fixed_power,
)
from .scaled import Scaled, fixed, power_of_ratio, scaled_product

_NODES: Final = 1024
_SQUARE_BITS: Final = 32
_WEIGHT_BITS: Final = 20
_AT_ONCE: Final = 4
_LEAST_GAP: Final = 2**48  # far above what a point of the circle is off by, for points below 2^31


@dataclass(frozen=True)
class Grid:
    """Mechanisms with ε = a·unit, by a; the sum of all a; and the place s of the least loss."""

    unit: Number
    mechanisms: Mapping[int, int]
    span: int
    top: int


@dataclass(frozen=True)
class Period:
    """The parameters of the rule, as SPEC 11.9 has them."""

    tilt: Fraction
    points: int
    cut: int
    values: int


class PeriodicSum:
    """D at e^x of the mechanisms on a grid, from above and from below."""

    def __init__(self, grid: Grid, period: Period, x: Number, bits: int) -> None:
        self._grid = grid
        self._period = period
        self._x = x
        self._bits = bits
        self._one = 1 << bits
        theta = period.tilt + Fraction(1, 2)
        self._odds = self._exponentials(Fraction(1))
        self._tilted = self._exponentials(2 * theta)

    def ends(self, fine: int) -> Enclosure:
        """D(e^x) at ``fine`` bits."""
        bits, scale = self._bits, self._scale()
        total, error = self._sum()
        left_out = self._exponential(Number(Fraction(self._period.cut)))[1]
        above = max(0, ceil_div(total + error, self._period.points) + left_out)
        below = max(0, (total - error) // self._period.points - left_out)
        low, high = fixed(scaled_product(scale, (below, above, -bits), bits), fine)
        return low - self._aliases(fine), high

    # --- what the mechanisms are ----------------------------------------------------------------

    def _exponential(self, number: Number) -> Enclosure:
        """The exponential of the opposite of a number >= 0."""
        low, high = enclose(number, self._bits)
        return exp_fixed((-high, -low), self._bits)

    def _exponentials(self, factor: Fraction) -> dict[int, Enclosure]:
        """e^{-factor·ε} by a."""
        base = self._exponential(self._grid.unit.scaled(factor))
        return {a: fixed_power(base, a, self._bits) for a in self._grid.mechanisms}

    # --- the sum --------------------------------------------------------------------------------

    def _sum(self) -> tuple[int, int]:
        """Σ φ(t_n)·H_n/H_0 over the evaluated points of a period, and its error.

        Factors of one count are raised together.
        """
        turns = _Turns(2 * self._period.points, self._bits)
        slants = {a: slant_of(odds, self._bits) for a, odds in self._tilted.items()}
        alike: dict[int, list[int]] = {}
        for a, count in self._grid.mechanisms.items():
            alike.setdefault(count, []).append(a)
        total, error = self._one, 0  # that of n = 0
        of_a_point = 12 * of_division(2 * self._bits) + (2 * len(slants) + 16) * of_times(
            self._bits
        )
        for n in self._remaining(slants):
            pay(of_a_point)
            product = self._weight(n, turns)
            for count, multiples in alike.items():
                together: Point = (self._one, 0, 0)
                for a in multiples:
                    factor = slanted(turns.point(n * a), slants[a], self._bits)
                    together = times(together, factor, self._bits)
                product = times(product, power(together, count, self._bits), self._bits)
            total, error = total + 2 * product[0], error + 2 * product[2]
        return total, error

    def _remaining(self, slants: Mapping[int, Enclosure]) -> Sequence[int]:
        """The points from 1 to (M - 1)/2 at which |φ| is not shown to be at most e^{-cut}."""
        one, shift = self._one, 2 * self._bits - _WEIGHT_BITS
        weights = [
            (count * max(0, one**2 - slants[a][1] ** 2) >> shift, a)
            for a, count in self._grid.mechanisms.items()
        ]
        found = _not_small(sorted(weights, reverse=True), self._period.points, self._period.cut)
        if len(found) > self._period.values:
            raise RejectedError("more points to evaluate than stated")
        return found

    def _weight(self, n: int, turns: _Turns) -> Point:
        """H_n/H_0."""
        bits, grid = self._bits, self._grid
        away = turns.point(-n * (grid.span - 2 * grid.top))
        zeta = turns.point(-2 * n)
        low, high = self._share
        re, im, err = zeta
        rest = self._one - low
        mixed = low + (rest * re >> bits), rest * im >> bits, err + 2 * (high - low) + 3
        result = times(away, mixed, bits)
        for ratio in self._ratios:
            result = times(result, self._resolvent(ratio, zeta), bits)
        return result

    def _resolvent(self, ratio: Enclosure, zeta: Point) -> Point:
        """(1 - ρ)/(1 - ρζ), of modulus at most 1, as |1 - ρζ| >= 1 - ρ."""
        bits, one = self._bits, self._one
        low, high = ratio
        re, im, err = zeta
        real, imaginary = one - (low * re >> bits), -(low * im >> bits)
        off, gap = err + high - low + 2, one - high
        norm = real**2 + imaginary**2
        above = gap * one
        error = ceil_div(off + high - low << bits, gap - off) + 2
        return above * real // norm, -above * imaginary // norm, error

    # --- geometric series -----------------------------------------------------------------------

    @cached_property
    def _ratios(self) -> tuple[Enclosure, Enclosure]:
        """ρ and σ."""
        a = self._period.tilt
        step = self._grid.unit.scaled(Fraction(2))
        rho, sigma = self._exponential(step.scaled(a)), self._exponential(step.scaled(a + 1))
        if self._one - rho[1] < _LEAST_GAP:
            raise RejectedError("too few digits for a geometric series")
        return rho, sigma

    @cached_property
    def _starts(self) -> tuple[Enclosure, Enclosure]:
        """e^{-aw} and e^{-(a+1)w}."""
        a, loss = self._period.tilt, self._grid.span - 2 * self._grid.top
        beyond = linear([(loss, self._grid.unit), (-1, self._x)])
        return self._exponential(beyond.scaled(a)), self._exponential(beyond.scaled(a + 1))

    @cached_property
    def _share(self) -> Enclosure:
        """λ."""
        bits = self._bits
        (first, second), (rho, sigma) = self._starts, self._ratios
        p_low, p_high = max(0, first[0] - second[1]), first[1] - second[0]
        r_low = max(0, (rho[0] * second[0] >> bits) - ceil_div(sigma[1] * first[1], self._one))
        r_high = ceil_div(rho[1] * second[1], self._one) - (sigma[0] * first[0] >> bits)
        if p_low + r_low <= 0:
            raise RejectedError("too few digits for the least loss")
        low = (p_low << bits) // (p_low + max(0, r_high))
        return low, min(self._one, ceil_div(max(0, p_high) << bits, max(0, p_high) + r_low))

    @cached_property
    def _first(self) -> Enclosure:
        """H_0 = e^{-aw}/(1 - ρ) - e^{-(a+1)w}/(1 - σ)."""
        bits, one = self._bits, self._one
        (first, second), (rho, sigma) = self._starts, self._ratios
        low = (first[0] << bits) // (one - rho[0]) - ceil_div(second[1] << bits, one - sigma[1])
        high = ceil_div(first[1] << bits, one - rho[1]) - (second[0] << bits) // (one - sigma[0])
        return max(0, low), high

    # --- scales ---------------------------------------------------------------------------------

    @cached_property
    def _distance(self) -> Number:
        """Σε - x."""
        return linear([(self._grid.span, self._grid.unit), (-1, self._x)])

    def _scale(self) -> Scaled:
        """C·e^{-ax}·H_0."""
        low, high = self._first
        moved = self._moved(self._distance.scaled(self._period.tilt), self._tilted)
        return scaled_product(moved, (low, high, -self._bits), self._bits)

    def _moved(self, number: Number, above: Mapping[int, Enclosure]) -> Scaled:
        """The exponential of a number, times ∏((1 + v)/(1 + e^{-ε})) for v of ``above``."""
        bits = self._bits
        low, high, shift = exp_floating(enclose(number, bits), bits)
        product: Scaled = (low, high, shift - bits)
        for a, count in self._grid.mechanisms.items():
            ratio = power_of_ratio(above[a], self._odds[a], count, bits)
            product = scaled_product(product, ratio, bits)
        return product

    def _aliases(self, fine: int) -> int:
        """(1 + G)/(e^{aR} - 1) from above at ``fine`` bits, R = 2uM."""
        a, period = self._period.tilt, self._grid.unit.scaled(Fraction(2 * self._period.points))
        away = self._exponential(period.scaled(a))[1]
        number = linear([(2, self._distance.scaled(a)), (-1, period.scaled(a))])
        of_sum = fixed(self._moved(number, self._exponentials(4 * a + 1)), fine)[1]
        low, high, exponent = exp_floating(enclose(period.scaled(-a), self._bits), self._bits)
        of_one = fixed((low, high, exponent - self._bits), fine)[1]
        return ceil_div((of_sum + of_one) * self._one, self._one - away)


class _Turns:
    """The points e^{2πij/m} for all j, as products of two of some 2·√m that are kept."""

    def __init__(self, whole: int, bits: int) -> None:
        self._whole = whole
        self._bits = bits
        pay(4 * isqrt(whole) * of_times(bits))
        self._size = 1 << whole.bit_length() // 2
        pi_low, pi_high = enclose_pi(bits)
        one = unit((2 * pi_low // whole, ceil_div(2 * pi_high, whole)), bits)
        self._small = _powers(one, self._size, bits)
        self._large = _powers(power(one, self._size, bits), whole // self._size + 1, bits)

    def point(self, j: int) -> Point:
        """e^{2πij/m}."""
        large, small = divmod(j % self._whole, self._size)
        return times(self._large[large], self._small[small], self._bits)


def _powers(point: Point, number: int, bits: int) -> list[Point]:
    """1 and the powers of a point, so many together."""
    found = [(1 << bits, 0, 0)]
    for _ in range(number - 1):
        found.append(times(found[-1], point, bits))
    return found


def _not_small(weights: Sequence[tuple[int, int]], points: int, cut: int) -> list[int]:
    """The n from 1 to (points - 1)/2 where Σ k·sin²(πna/points) is not shown to be 2·cut.

    Args:
        weights: pairs (k times 2^20 from below, a).
        points: M.
        cut: of the modulus of a product whose squared factors are at most e^{-k·sin²}.
    """
    squares = _squares()
    alive: Sequence[int] = range(1, points // 2 + 1)
    pay(20 * len(alive))
    sums = [0] * len(alive)
    need = 2 * cut << _WEIGHT_BITS + _SQUARE_BITS
    for index, (weight, a) in enumerate(weights):
        pay(300 * len(alive))
        sums = [
            known + weight * squares[n * a % points * _NODES // points]
            for n, known in zip(alive, sums, strict=True)
        ]
        if index % _AT_ONCE == _AT_ONCE - 1 or index == len(weights) - 1:
            alive = [n for n, known in zip(alive, sums, strict=True) if known < need]
            sums = [known for known in sums if known < need]
    return list(alive)


@remembered(1)
def _squares() -> list[int]:
    """At most sin²(πp) for j/1024 <= p <= (j + 1)/1024, j = 0…1023, times 2^32."""
    bits = 80
    low, high = enclose_pi(bits)
    points = _powers(unit((low // _NODES, high // _NODES + 1), bits), _NODES + 1, bits)
    squares = [max(0, im - err) ** 2 >> 2 * bits - _SQUARE_BITS for _, im, err in points]
    return [min(pair) for pair in pairwise(squares)]

r"""Dots: a privacy profile as that of a finite pair of laws, with losses on a mesh.

Rules of this file: weights are from below, and what is missing from 1 stands at an infinite loss.
A loss is moved up only, or split so that the profile does not fall; a mere score may move anywhere.

Theory of operation: a profile h(y) = sup_S P(S) - y·Q(S), y >= 0, is convex, does not rise, and
h(0) = 1. Below the points (0, 1) and (y_j, v_j) with y_j = e^{ju} for some j = a…b, it lies below
the lines that join them, and these are the profile of the finite pair that has the losses ju with

    w_j = c_{i-j}·(v_i - v_j) + (1 + c_{j-h})·(v_h - v_j),   c_n = 1/(e^{nu} - 1),
    w_a = c_{i-a}·(v_i - v_a) + 1 - v_a,   w_b = (1 + c_{b-h})·(v_h - v_b),

h and i the j before and after, and the rest of 1 at an infinite loss. A weight that is counted at
an infinite loss instead adds max(0, 1 - y·e^{-ju}) <= 1 less than itself, so that each w_j may be
replaced by any less, 0 even.

An atom of loss L between ju and (j + 1)u is split so that the mean of e^{-loss} stays, or falls:
this is the same curve through the same points.

Sources: certs/SPEC.md, sections 11.5 and 11.6; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi,
"Connect the dots", PoPETs 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from math import isqrt
from typing import TypeAlias

from ..format.meter import of_division, of_product, pay
from ..format.numbers import size
from .enclosures import Enclosure, ceil_div, ceil_shift, enclose_exact, exp_fixed
from .weights import Terms

Losses: TypeAlias = dict[int, int]
"""Weights from below by their losses, in units."""

Window: TypeAlias = tuple[int, int]
"""The first and the last loss that is kept, in units."""

_Point: TypeAlias = tuple[int, int]
"""A loss in units, and the value of a profile there from above."""


@dataclass(frozen=True)
class Mesh:
    """Losses that are multiples of a unit; weights times 10^digits, all else times 2^bits."""

    unit: Fraction
    digits: int
    bits: int

    @property
    def scale(self) -> int:
        """What a weight of 1 is."""
        scale: int = 10**self.digits
        return scale

    def coarser(self, times: int) -> Mesh:
        """The mesh of every so many points."""
        return Mesh(self.unit * times, self.digits, self.bits)

    def loss(self, j: int) -> Enclosure:
        """The loss ju."""
        return enclose_exact(j * self.unit, self.bits)

    def odds(self, j: int) -> Enclosure:
        """y_j."""
        return exp_fixed(self.loss(j), self.bits)

    def weight(self, value: int) -> int:
        """A probability from below as a weight; negative ones are 0."""
        return max(0, value * self.scale >> self.bits)

    def slope(self, step: int) -> Enclosure:
        """The c of a step above."""
        pay(2 * of_division(2 * self.bits))
        one = 1 << self.bits
        low, high = self.odds(step)
        return (one << self.bits) // (high - one), ceil_div(one << self.bits, low - one)


@dataclass(frozen=True)
class Points:
    """The points at which a pair is looked at: sections of equal steps, in units."""

    first: int
    sections: tuple[tuple[int, int], ...]
    """For each the step, and the last point."""

    @property
    def last(self) -> int:
        """The greatest."""
        return self.sections[-1][1]

    @property
    def window(self) -> Window:
        """The least and the greatest."""
        return self.first, self.last

    @property
    def count(self) -> int:
        """How many there are."""
        ends = [self.first, *(last for _, last in self.sections)]
        gaps = zip(ends, self.sections, strict=False)
        return 1 + sum((last - first) // step for first, (step, last) in gaps)

    def listed(self) -> list[int]:
        """All of them, in order."""
        pay(100 * self.count)
        found = [self.first]
        for step, last in self.sections:
            found += range(found[-1] + step, last + 1, step)
        return found


def dots(values: Sequence[Enclosure], points: Points, mesh: Mesh) -> Losses:
    """The weights w_j from below, for enclosures of the values v_j at the points."""
    listed = points.listed()
    pay(len(listed) * (2000 + 6 * of_product(mesh.bits)))
    slopes = {step: mesh.slope(step) for step, _ in points.sections}
    gaps = [slopes[after - here] for here, after in pairwise(listed)]
    weights = [0] * len(listed)
    weights[0] = (1 << mesh.bits) - values[0][1]
    for at, slope in enumerate(gaps):
        here, after = values[at : at + 2]
        weights[at] += _scaled(after[0] - here[1], slope, mesh)
        drop = here[0] - after[1]
        weights[at + 1] += drop + _scaled(drop, slope, mesh)
    found = {j: mesh.weight(weight) for j, weight in zip(listed, weights, strict=True)}
    return {j: weight for j, weight in found.items() if weight}


def hull(values: Sequence[int], points: Points, mesh: Mesh) -> Losses:
    """The weights of the lines of the lower hull of (0, 1) and the points (y_j, v_j), any v_j <= 1.

    A point is left out unless its weight between its neighbours is surely not below 0.
    """
    pay(points.count * (4000 + 16 * of_product(mesh.bits)))
    slope = cache(mesh.slope)
    kept: list[_Point] = []
    for point in zip(points.listed(), accumulate(values, min), strict=True):
        while kept and _between(kept[-2] if kept[1:] else None, kept[-1], point, slope, mesh) < 0:
            kept.pop()
        kept.append(point)
    found: Losses = {}
    for before, here, after in zip([None, *kept], kept, [*kept[1:], None], strict=False):
        _add(found, here[0], mesh.weight(_between(before, here, after, slope, mesh)))
    return found


def _between(
    before: _Point | None,
    here: _Point,
    after: _Point | None,
    slope: Callable[[int], Enclosure],
    mesh: Mesh,
) -> int:
    """The w_j above from below, for points next to it; for the first and the last, for one."""
    j, value = here
    if before is None:
        weight = (1 << mesh.bits) - value
    else:
        drop = before[1] - value
        weight = drop + _scaled(drop, slope(j - before[0]), mesh)
    if after is None:
        return weight
    return weight + _scaled(after[1] - value, slope(after[0] - j), mesh)


def _scaled(value: int, slope: Enclosure, mesh: Mesh) -> int:
    """From below: c times a value."""
    return value * slope[value < 0] >> mesh.bits


def split(atoms: Iterable[tuple[Fraction, int]], mesh: Mesh) -> Losses:
    """Atoms, each a loss from above and a weight, split between the multiples next to the loss."""
    one = 1 << mesh.bits
    v_high = exp_fixed((-mesh.loss(1)[1], -mesh.loss(1)[0]), mesh.bits)[1]
    found: Losses = {}
    for loss, weight in atoms:
        pay(6 * of_division(mesh.bits + size(loss) + size(mesh.unit)))
        j = loss // mesh.unit
        rest = enclose_exact(loss - j * mesh.unit, mesh.bits)[1]
        moved = min(weight, ceil_div(weight * one_minus_exp(rest, mesh.bits), one - v_high))
        _add(found, j + 1, moved)
        _add(found, j, weight - moved)
    return found


def one_minus_exp(x: int, bits: int) -> int:
    """1 - e^{-x} from above, for x >= 0: x - x^2/2 + x^3/6 - …, up to a term that is added.

    The remainder of the series has the sign of its first term, which is subtracted.
    """
    if x.bit_length() > bits - isqrt(bits) // 2:  # the series would be long
        return (1 << bits) - exp_fixed((-x, -x), bits)[0]
    pay(4 * isqrt(bits) * of_product(bits))
    low = high = total = x
    n = 1
    while high > 1 or not n % 2:
        n += 1
        low = (low * x >> bits) // n
        high = ceil_div(ceil_shift(high * x, bits), n)
        total += high if n % 2 else -low
    return total


def nearest(loss: Fraction, mesh: Mesh) -> int:
    """The multiple of the unit next to a loss."""
    return int((2 * loss + mesh.unit) // (2 * mesh.unit))


def coarsened(weights: Mapping[int, int], times: int, mesh: Mesh) -> Losses:
    """Weights on the mesh, split between the points of the mesh ``times`` coarser."""
    pay(len(weights) * (1000 + 2 * of_product(4 * mesh.digits)))
    coarse = mesh.coarser(times)
    atoms = ([(rest * mesh.unit, mesh.scale)] for rest in range(times))
    shares = [split(atom, coarse).get(1, 0) for atom in atoms]
    found: Losses = {}
    for j, weight in weights.items():
        whole, rest = divmod(j, times)
        moved = min(weight, ceil_div(weight * shares[rest], mesh.scale))
        _add(found, whole + 1, moved)
        _add(found, whole, weight - moved)
    return found


def rounded(weights: Mapping[int, int], times: int) -> Losses:
    """Scores on the mesh, each replaced by the nearest on the mesh ``times`` coarser."""
    pay(500 * len(weights))
    found: Losses = {}
    for j, weight in weights.items():
        _add(found, (2 * j + times) // (2 * times), weight)
    return found


def within(weights: Mapping[int, int], window: Window, *, cut: bool) -> Losses:
    """What is below the window raised to its first loss; what is above cut off, or its last."""
    pay(300 * len(weights))
    first, last = window
    found = {j: weight for j, weight in weights.items() if weight and first <= j <= last}
    _add(found, first, sum(weight for j, weight in weights.items() if j < first))
    if not cut:
        _add(found, last, sum(weight for j, weight in weights.items() if j > last))
    return found


def places(weights: Mapping[int, int], highest: int) -> Terms:
    """The weights that are not 0, counted from the highest loss down."""
    pay(300 * len(weights))
    return {highest - j: weight for j, weight in weights.items() if weight}


def _add(weights: Losses, j: int, weight: int) -> None:
    if weight:
        weights[j] = weights.get(j, 0) + weight

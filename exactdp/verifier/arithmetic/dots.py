r"""Dots: a privacy profile as that of a finite pair of laws, with losses on a mesh.

Rules of this file: weights are from below, and what is missing from 1 stands at an infinite loss.
A loss is moved up only, or split so that the profile does not fall; a mere score may move anywhere.

Theory of operation: a profile h(y) = sup_S P(S) - y·Q(S), y >= 0, is convex, does not rise, and
h(0) = 1. Below the points (0, 1) and (y_j, v_j) with y_j = e^{ju}, j = a…b, it lies below the lines
that join them, and these are the profile of the finite pair that has the losses ju with

    w_j = c·(v_{j+1} - 2·v_j + v_{j-1}) - (v_j - v_{j-1}),   c = 1/(e^u - 1),
    w_a = c·(v_{a+1} - v_a) + 1 - v_a,   w_b = (1 + c)·(v_{b-1} - v_b),

and the rest of 1 at an infinite loss. A weight that is counted at an infinite loss instead adds
max(0, 1 - y·e^{-ju}) <= 1 less than itself, so that each w_j may be replaced by any less, 0 even.

An atom of loss L between ju and (j + 1)u is split so that the mean of e^{-loss} stays, or falls:
this is the same curve through the same points.

Sources: certs/SPEC.md, sections 13.4 and 13.5; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi,
"Connect the dots", PoPETs 2022.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from .enclosures import Enclosure, ceil_div, exp_fixed
from .tails import enclose_exact
from .weights import Terms

Losses: TypeAlias = dict[int, int]
"""Weights from below by their losses, in units."""

Window: TypeAlias = tuple[int, int]
"""The first and the last loss that is kept, in units."""


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

    @cached_property
    def slope(self) -> Enclosure:
        """The c above."""
        one = 1 << self.bits
        low, high = self.odds(1)
        return (one << self.bits) // (high - one), ceil_div(one << self.bits, low - one)


def dots(values: Sequence[Enclosure], first: int, mesh: Mesh) -> Losses:
    """The weights w_j from below, for enclosures of at least two values v_j from ``first`` on."""
    weights = {first: _below(values[0], values[1], mesh) + (1 << mesh.bits) - values[0][1]}
    inner = zip(values, values[1:], values[2:], strict=False)
    for j, (before, here, after) in enumerate(inner, first + 1):
        weights[j] = _below_second(before, here, after, mesh) - here[1] + before[0]
    before, here = values[-2:]
    drop = before[0] - here[1]
    weights[first + len(values) - 1] = drop + _scaled(drop, mesh)
    listed = {j: mesh.weight(weight) for j, weight in weights.items()}
    return {j: weight for j, weight in listed.items() if weight}


def _below(here: Enclosure, after: Enclosure, mesh: Mesh) -> int:
    """From below: c·(v_{j+1} - v_j)."""
    return _scaled(after[0] - here[1], mesh)


def _below_second(before: Enclosure, here: Enclosure, after: Enclosure, mesh: Mesh) -> int:
    """From below: c·(v_{j+1} - 2·v_j + v_{j-1})."""
    return _scaled(after[0] - 2 * here[1] + before[0], mesh)


def _scaled(value: int, mesh: Mesh) -> int:
    """From below: c times a value."""
    low, high = mesh.slope
    return value * (low if value >= 0 else high) >> mesh.bits


def split(atoms: Iterable[tuple[Fraction, int]], mesh: Mesh) -> Losses:
    """Atoms, each a loss from above and a weight, split between the multiples next to the loss."""
    one = 1 << mesh.bits
    v_high = exp_fixed((-mesh.loss(1)[1], -mesh.loss(1)[0]), mesh.bits)[1]
    found: Losses = {}
    for loss, weight in atoms:
        j = loss // mesh.unit
        rest = enclose_exact(loss - j * mesh.unit, mesh.bits)[1]
        gap = one - exp_fixed((-rest, -rest), mesh.bits)[0] if rest else 0
        moved = min(weight, ceil_div(weight * gap, one - v_high))
        _add(found, j + 1, moved)
        _add(found, j, weight - moved)
    return found


def coarsened(weights: Mapping[int, int], times: int, mesh: Mesh) -> Losses:
    """Weights on the mesh, split between the points of the mesh ``times`` coarser."""
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
    found: Losses = {}
    for j, weight in weights.items():
        _add(found, (2 * j + times) // (2 * times), weight)
    return found


def within(weights: Mapping[int, int], window: Window, *, cut: bool) -> Losses:
    """What is below the window raised to its first loss; what is above cut off, or its last."""
    first, last = window
    found: Losses = {}
    for j, weight in weights.items():
        if j <= last or not cut:
            _add(found, min(max(j, first), last), weight)
    return found


def places(weights: Mapping[int, int], highest: int) -> Terms:
    """The weights that are not 0, counted from the highest loss down."""
    return {highest - j: weight for j, weight in weights.items() if weight}


def _add(weights: Losses, j: int, weight: int) -> None:
    if weight:
        weights[j] = weights.get(j, 0) + weight

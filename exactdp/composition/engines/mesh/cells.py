r"""Weights of losses on a mesh: from curves and tables, their products, and coarser meshes.

Rules of this file: weights are integers from below, times 10^digits; for a bound from above a loss
is moved up only, or split so that the profile does not fall, and what is missing stands at an
infinite loss; for one from below a score may be any function of the outputs.

Sources: certs/SPEC.md, sections 11.5 and 11.6; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi,
"Connect the dots", PoPETs 2022.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from flint import arb, ctx, fmpz, fmpz_poly
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import (
    ball_of_rational,
    double_of,
    lower_end,
    precision,
    upper_end,
)
from exactdp.composition.engines.mesh.divergences import hull
from exactdp.mechanisms.pairs import Atom, Curve, Cut, Direction, OutputTable, Pair
from exactdp.timing.deadlines import ask, asking

Window = tuple[int, int]
"""The first and the last loss, in units."""

Weighted = list[tuple[int, fmpz]]
"""Losses in units, or scores, each with a weight; one may be there more than once."""

_NEXT: Final = fmpz_poly([0, 1])
_CELL_COST: Final = 200
_VALUE_COST: Final = 100_000
"""Nanoseconds for a cell of a product, and for a value of a profile, at least."""


@dataclass(frozen=True, slots=True)
class Points:
    """The points of the mesh at which a law is looked at: sections of equal steps."""

    first: int
    sections: tuple[tuple[int, int], ...]
    """For each the step, and the last point."""

    @staticmethod
    def of(window: Window) -> Points:
        """All points of a window."""
        return Points(window[0], ((1, window[1]),))

    @property
    def last(self) -> int:
        """The greatest."""
        return self.sections[-1][1]

    @property
    def window(self) -> Window:
        """The least and the greatest."""
        return self.first, self.last

    @property
    def length(self) -> int:
        """How many points of the mesh there are from the least to the greatest."""
        return self.last - self.first + 1

    @property
    def count(self) -> int:
        """How many there are."""
        ends = pairwise([self.first, *(last for _, last in self.sections)])
        gaps = zip(ends, self.sections, strict=True)
        return 1 + sum((last - first) // step for (first, last), (step, _) in gaps)

    def listed(self) -> list[int]:
        """All of them, in order."""
        found = [self.first]
        for step, last in self.sections:
            found += range(found[-1] + step, last + 1, step)
        return found

    def by_outputs(self, direction: Direction) -> list[int]:
        """All of them by rising outputs, those of which come last with P and Q exchanged."""
        return [-j for j in reversed(self.listed())] if direction == "add" else self.listed()

    def parameter(self) -> list[str]:
        """As the format has it."""
        if [step for step, _ in self.sections] == [1]:
            return [str(self.first), str(self.last)]
        return [str(self.first), *(str(each) for section in self.sections for each in section)]


@dataclass(frozen=True)
class LossMesh:
    """Losses that are multiples of ``unit``, and the digits of weights."""

    unit: mpq
    digits: int

    @cached_property
    def scale(self) -> fmpz:
        """What a weight of 1 is."""
        return fmpz(10) ** self.digits

    def coarser(self, times: int) -> LossMesh:
        """Every so many points."""
        return LossMesh(self.unit * times, self.digits)

    def loss(self, j: int) -> arb:
        """The loss j·unit."""
        return ball_of_rational(j * self.unit)

    def weight(self, value: arb) -> fmpz:
        """A probability from below."""
        floor = (value * self.scale).lower().floor().unique_fmpz()
        return fmpz(0) if floor is None else max(fmpz(0), floor)


@dataclass(frozen=True)
class Cells:
    """Weights of consecutive losses from ``first`` on."""

    first: int
    weights: fmpz_poly

    @cached_property
    def values(self) -> list[fmpz]:
        """The weights, listed."""
        return self.weights.coeffs()

    @staticmethod
    def of(pairs: Iterable[tuple[int, fmpz]]) -> Cells:
        """The sums of weights by their losses."""
        listed = [(j, weight) for j, weight in pairs if weight != 0]
        if not listed:
            return Cells(0, fmpz_poly([]))
        first = min(j for j, _ in listed)
        values = [fmpz(0)] * (max(j for j, _ in listed) - first + 1)
        for j, weight in listed:
            values[j - first] += weight
        return Cells(first, fmpz_poly(values))

    @staticmethod
    def at(first: int, weights: Sequence[fmpz]) -> Cells:
        """Weights of consecutive losses, without the zeros that they begin with."""
        zeros = next((at for at, weight in enumerate(weights) if weight != 0), len(weights))
        return Cells(first + zeros, fmpz_poly(weights[zeros:]))

    @property
    def length(self) -> int:
        """How many losses there are from the first to the last."""
        return int(self.weights.degree()) + 1

    @property
    def last(self) -> int:
        """The last loss."""
        return self.first + self.length - 1

    def pairs(self) -> list[tuple[int, fmpz]]:
        """Losses and weights."""
        return list(enumerate(self.values, self.first))

    def variance(self) -> float:
        """About the variance of the losses, in units, by W'(1) and W''(1) of their polynomial W."""
        slope = self.weights.derivative()
        total, first, second = (int(each(1)) for each in (self.weights, slope, slope.derivative()))
        mean = mpq(first, total or 1)
        return max(0.0, double_of(mpq(second, total or 1) + mean - mean**2))

    def times(self, other: Cells, mesh: LossMesh) -> Cells:
        """The product, rounded down."""
        ask((self.length + other.length) * _CELL_COST)
        return Cells(self.first + other.first, (self.weights * other.weights) // mesh.scale)

    def within(self, window: Window, *, cut: bool) -> Cells:
        """What is below the window at its first loss; what is above cut off, or at its last."""
        first, last = window
        values = self.values
        start, end = max(0, first - self.first), max(0, last + 1 - self.first)
        missing = max(0, min(self.first, last + 1) - first)
        kept = [fmpz(0)] * missing + values[start:end]
        kept += [fmpz(0)] * (last + 1 - first - len(kept))
        kept[0] += sum(values[:start], fmpz(0))
        if not cut:
            kept[-1] += sum(values[end:], fmpz(0))
        return Cells.at(first, kept)

    def without_tails(self, lost: fmpz) -> Cells:
        """What is left if each end loses at most so much."""
        first, last = self.window(lost)
        return Cells.at(first, self.values[first - self.first : last + 1 - self.first])

    def window(self, lost: fmpz) -> Window:
        """What is left if each end may lose so much."""
        above = _room(reversed(self.values), lost)
        return self.first + _room(self.values, lost), self.last - above

    def coarser(self, times: int, mesh: LossMesh, *, above: bool) -> Cells:
        """On the mesh ``times`` coarser: split, or rounded as scores are."""
        step = -(-mesh.loss(times)).expm1()
        start = self.first // times
        values = [fmpz(0)] * (self.first - start * times) + self.values
        total = fmpz_poly([])
        for rest in range(times):
            weights = fmpz_poly(values[rest::times])
            if above and rest:
                share = -(-mesh.loss(rest)).expm1() / step
                scaled = min(fmpz(int(upper_end(share * mesh.scale)) + 1), mesh.scale)
                moved = -((-scaled * weights) // mesh.scale)
            else:
                moved = weights if 2 * rest >= times else fmpz_poly([])
            total += weights - moved + _NEXT * moved
        return Cells.at(start, total.coeffs())


def _room(values: Iterable[fmpz], lost: fmpz) -> int:
    """How many of the values sum to at most so much, but not all."""
    total, passed = fmpz(0), -1
    for each in values:
        total += each
        passed += 1
        if total > lost:
            break
    return max(0, passed)


# --- one mechanism ------------------------------------------------------------------------------


def connect_the_dots(law: Pair, points: Points, mesh: LossMesh, direction: Direction) -> Cells:
    """A pair on the mesh that dominates the law, or its reverse."""
    return Cells.of(dots(law, points, mesh, direction))


def dots(law: Pair, points: Points, mesh: LossMesh, direction: Direction) -> Weighted:
    """The losses of that pair, with their weights."""
    ask()
    if isinstance(law, OutputTable):
        atoms = ((atom.loss, mesh.weight(atom.p)) for atom in atoms_of(law, mesh, direction))
        cells = (split(loss, weight, mesh) for loss, weight in atoms if loss is not None)
        pairs = Cells.of(pair for each in cells for pair in each)
        return pairs.within(points.window, cut=True).pairs()
    weights = connect_the_dots_of_curve(law, points, mesh, direction)
    return [(j, mesh.weight(weight)) for j, weight in weights]


def connect_the_dots_of_curve(
    law: Curve, points: Points, mesh: LossMesh, direction: Direction
) -> list[tuple[int, arb]]:
    """The weights of the lines between the values at the points, or of their lower hull."""
    listed = points.listed()
    values = [law.value_at(j * mesh.unit, direction) for j in asking(listed, _VALUE_COST)]
    if not law.IS_CONVEX:
        return hull(list(zip(listed, values, strict=True)), mesh.loss)
    slopes = {step: 1 / mesh.loss(step).expm1() for step, _ in points.sections}
    weights = [1 - values[0]] + [arb(0)] * (len(listed) - 1)
    for at, (here, after) in enumerate(pairwise(listed)):
        drop, slope = values[at] - values[at + 1], slopes[after - here]
        weights[at] -= slope * drop
        weights[at + 1] += drop + slope * drop
    return list(zip(listed, weights, strict=True))


def value(law: Curve, loss: arb, direction: Direction) -> arb:
    """The profile at a loss, or that of the reverse, 1 - y + y·h(1/y)."""
    if direction == "remove":
        return law.profile(loss)
    return 1 - loss.exp() * (1 - law.profile(-loss))


def atoms_of(law: OutputTable, mesh: LossMesh, direction: Direction) -> list[Atom]:
    """The outputs, with P and Q exchanged where a record is added."""
    return [atom.reversed() if direction == "add" else atom for atom in law.atoms(mesh.digits)]


def split(
    loss: mpq | arb, weight: fmpz, mesh: LossMesh
) -> tuple[tuple[int, fmpz], tuple[int, fmpz]]:
    """A weight between the two multiples of the unit next to its loss."""
    high = upper_end(loss) if isinstance(loss, arb) else loss
    j = int(high // mesh.unit)
    rest = high - j * mesh.unit
    if not rest:
        return (j + 1, fmpz(0)), (j, weight)
    share = (-ball_of_rational(rest)).expm1() / _whole_step(mesh.unit, ctx.prec)
    most = (share * weight).upper().ceil().unique_fmpz()
    moved = weight if most is None else min(weight, most)
    return (j + 1, moved), (j, weight - moved)


@lru_cache(maxsize=8)
def _whole_step(unit: mpq, bits: int) -> arb:
    """The value of e^-unit - 1."""
    with precision(bits):
        return (-ball_of_rational(unit)).expm1()


def scores(law: Pair, points: Points, mesh: LossMesh, direction: Direction) -> tuple[Cells, Cells]:
    """P and Q of scores near losses, within the window."""
    p, q = scored(law, points, mesh, direction)
    return Cells.of(p), Cells.of(q)


def scored(
    law: Pair, points: Points, mesh: LossMesh, direction: Direction
) -> tuple[Weighted, Weighted]:
    """The scores, with their weights under P and under Q."""
    ask()
    if isinstance(law, OutputTable):
        return _scores_of_atoms(atoms_of(law, mesh, direction), points.window, mesh)
    if not isinstance(law, Cut):
        raise TypeError(type(law).__name__)
    listed = points.by_outputs(direction)
    inner = (law.tails(cut) for cut in _cuts(law, listed, mesh))
    tails = [(arb(1), arb(1)), *inner, (arb(0), arb(0))]
    found: tuple[list[tuple[int, fmpz]], list[tuple[int, fmpz]]] = ([], [])
    for j, (here, after) in zip(listed, pairwise(tails), strict=True):
        for law_of, at, beyond in zip(found, here, after, strict=True):
            law_of.append((-j if direction == "add" else j, mesh.weight(at - beyond)))
    p, q = found
    return (q, p) if direction == "add" else (p, q)


def _cuts(law: Cut, listed: Sequence[int], mesh: LossMesh) -> Iterator[arb]:
    """Where the outputs are cut: near the losses half-way between points."""
    named = law.cuts(tuple(listed), mesh.unit)
    if named is None:
        halves = (ball_of_rational((j + i) * mesh.unit / 2) for j, i in pairwise(listed))
        yield from (law.cut(half) for half in halves)
    else:
        yield from (law.at(cut, mesh.unit) for cut in named)


def _scores_of_atoms(
    atoms: Iterable[Atom], window: Window, mesh: LossMesh
) -> tuple[Weighted, Weighted]:
    first, last = window
    p: list[tuple[int, fmpz]] = []
    q: list[tuple[int, fmpz]] = []
    for atom in atoms:
        score = last if atom.p > 0 else first
        if atom.loss is not None:
            low = lower_end(atom.loss) if isinstance(atom.loss, arb) else atom.loss
            score = min(max(int((2 * low + mesh.unit) // (2 * mesh.unit)), first), last)
        p.append((score, mesh.weight(atom.p)))
        q.append((score, mesh.weight(atom.q)))
    return p, q

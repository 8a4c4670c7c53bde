r"""Weights of losses on a mesh: from curves and tables, their products, and coarser meshes.

Rules of this file: weights are integers from below, times 10^digits; for a bound from above a loss
is moved up only, or split so that the profile does not fall, and what is missing stands at an
infinite loss; for one from below a score may be any function of the outputs.

Sources: certs/SPEC.md, sections 13.4 and 13.5; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi,
"Connect the dots", PoPETs 2022.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from flint import arb, fmpz, fmpz_poly
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, upper_end
from exactdp.losses.laws import Atom, Curve, Cut, NoiseLaw, OutputTable

Window = tuple[int, int]
"""The first and the last loss, in units."""


@dataclass(frozen=True, slots=True)
class LossMesh:
    """Losses that are multiples of ``unit``, and the digits of weights."""

    unit: mpq
    digits: int

    @property
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


@dataclass(frozen=True, slots=True)
class Cells:
    """Weights of consecutive losses from ``first`` on."""

    first: int
    weights: fmpz_poly

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
        return list(enumerate(self.weights.coeffs(), self.first))

    def variance(self) -> float:
        """About the variance of the losses, in units."""
        total = float(self.weights(1)) or 1.0
        shares = [(j, float(weight) / total) for j, weight in self.pairs()]
        mean = sum(j * share for j, share in shares)
        return sum((j - mean) ** 2 * share for j, share in shares)

    def times(self, other: Cells, mesh: LossMesh) -> Cells:
        """The product, rounded down."""
        return Cells(self.first + other.first, (self.weights * other.weights) // mesh.scale)

    def within(self, window: Window, *, cut: bool) -> Cells:
        """What is below the window at its first loss; what is above cut off, or at its last."""
        first, last = window
        values = self.weights.coeffs()
        below = sum(values[: max(0, first - self.first)], fmpz(0))
        above = sum(values[max(0, last + 1 - self.first) :], fmpz(0))
        kept = self.pairs()[max(0, first - self.first) : max(0, last + 1 - self.first)]
        return Cells.of([*kept, (first, below), (last, fmpz(0) if cut else above)])

    def window(self, lost: fmpz) -> Window:
        """What is left if each end may lose so much."""
        values = self.weights.coeffs()
        return self.first + _room(values, lost), self.last - _room(values[::-1], lost)

    def coarser(self, times: int, mesh: LossMesh, *, above: bool) -> Cells:
        """On the mesh ``times`` coarser: split, or rounded as scores are."""
        if not above:
            return Cells.of(((2 * j + times) // (2 * times), weight) for j, weight in self.pairs())
        step = -(-mesh.loss(times)).expm1()
        shares = [-(-mesh.loss(rest)).expm1() / step for rest in range(times)]
        scaled = [
            int(upper_end(share * mesh.scale)) + 1 if i else 0 for i, share in enumerate(shares)
        ]
        found: list[tuple[int, fmpz]] = []
        for j, weight in self.pairs():
            whole, rest = divmod(j, times)
            moved = min(weight, -(-weight * scaled[rest] // mesh.scale))
            found += [(whole + 1, moved), (whole, weight - moved)]
        return Cells.of(found)


def _room(values: Sequence[fmpz], lost: fmpz) -> int:
    """How many of the values sum to at most so much."""
    total = fmpz(0)
    for index, value in enumerate(values):
        total += value
        if total > lost:
            return index
    return max(0, len(values) - 1)


# --- one mechanism ------------------------------------------------------------------------------


def dots(law: NoiseLaw, window: Window, mesh: LossMesh, *, back: bool) -> Cells:
    """A pair on the mesh that dominates the law, or with ``back`` its reverse."""
    if isinstance(law, OutputTable):
        atoms = ((atom.loss, mesh.weight(atom.p)) for atom in _atoms(law, mesh, back=back))
        cells = (split(loss, weight, mesh) for loss, weight in atoms if loss is not None)
        return Cells.of(pair for each in cells for pair in each).within(window, cut=True)
    first, last = window
    values = [value(law, mesh.loss(j), back=back) for j in range(first, last + 1)]
    slope = 1 / mesh.loss(1).expm1()
    weights = [slope * (values[1] - values[0]) + 1 - values[0]]
    for before, here, after in zip(values, values[1:], values[2:], strict=False):
        weights.append(slope * (after - 2 * here + before) - (here - before))
    weights.append((1 + slope) * (values[-2] - values[-1]))
    return Cells.of((j, mesh.weight(w)) for j, w in enumerate(weights, first))


def value(law: Curve, loss: arb, *, back: bool) -> arb:
    """The profile at a loss, or that of the reverse, 1 - y + y·h(1/y)."""
    if not back:
        return law.profile(loss)
    return 1 - loss.exp() * (1 - law.profile(-loss))


def _atoms(law: OutputTable, mesh: LossMesh, *, back: bool) -> list[Atom]:
    return [atom.reversed() if back else atom for atom in law.atoms(mesh.digits)]


def split(
    loss: mpq | arb, weight: fmpz, mesh: LossMesh
) -> tuple[tuple[int, fmpz], tuple[int, fmpz]]:
    """A weight between the two multiples of the unit next to its loss."""
    high = upper_end(loss) if isinstance(loss, arb) else loss
    j = int(high // mesh.unit)
    rest = ball_of_rational(high - j * mesh.unit)
    share = (-rest).expm1() / (-mesh.loss(1)).expm1()
    moved = (
        min(weight, fmpz(int(-(-upper_end(share * weight) // 1))))
        if high != j * mesh.unit
        else fmpz(0)
    )
    return (j + 1, moved), (j, weight - moved)


def scores(law: NoiseLaw, window: Window, mesh: LossMesh, *, back: bool) -> tuple[Cells, Cells]:
    """P and Q of scores near losses, within the window."""
    if isinstance(law, OutputTable):
        return _scores_of_atoms(_atoms(law, mesh, back=back), window, mesh)
    if not isinstance(law, Cut):
        raise TypeError(type(law).__name__)
    first, last = (-window[1], -window[0]) if back else window
    halves = (ball_of_rational((2 * j + 1) * mesh.unit / 2) for j in range(first, last))
    inner = (law.tails(law.cut(half)) for half in halves)
    tails = [(arb(1), arb(1)), *inner, (arb(0), arb(0))]
    found: tuple[list[tuple[int, fmpz]], list[tuple[int, fmpz]]] = ([], [])
    for j, (here, after) in enumerate(pairwise(tails), first):
        for listed, at, beyond in zip(found, here, after, strict=True):
            listed.append((-j if back else j, mesh.weight(at - beyond)))
    p, q = (Cells.of(each) for each in found)
    return (q, p) if back else (p, q)


def _scores_of_atoms(atoms: Iterable[Atom], window: Window, mesh: LossMesh) -> tuple[Cells, Cells]:
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
    return Cells.of(p), Cells.of(q)

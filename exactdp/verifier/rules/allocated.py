r"""Allocated batches: each record is in one of T batches, drawn for it by itself.

Rules of this file: as in ``pairs_of_laws``; P is the law of the T answers with the record, Q that
without it. Where ratios are looked at comes from the certificate, and decides only how close a
bound is.

Theory of operation: under Q the batches are alike, and P mixes what the record makes of each of
them, so that P/Q is the mean of T independent W = dP₀/dQ₀ of one batch, of which E(W - w)₊ is the
profile of that batch at w. From above, W is replaced by one with values on a mesh, by the second
differences of that profile: a spread that keeps the mean, so that no E(ΣW/T - y)₊ falls, and sums
stay on the mesh. From below, the answers of each batch are cut into cells with the points of the
mesh as scores; the cells of the total score are answers that some mechanism gives.

Sources: certs/SPEC.md, sections 7.4 and 7.5; Feldman & Shenfeld, "Privacy amplification by random
allocation", arXiv:2502.08202.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeVar, cast

from ..arithmetic.dots import Losses, Mesh, Points
from ..arithmetic.enclosures import Enclosure, bits_for, ceil_div, enclose_ln
from ..arithmetic.products import product
from ..format.meter import of_division, pay
from ..format.numbers import size
from ..format.outcomes import RejectedError
from ..format.shapes import integer, members
from ..format.strict_json import Json
from .curves import Cut
from .pairs_of_laws import MAX_LOSS, Dominating, Pair, log_of, opposite
from .tables import Atom, Table

MAX_BATCHES: Final = 10**9
MAX_EPOCHS: Final = 10**9
_FINER: Final = 15
_GUARD: Final = 40

L = TypeVar("L", bound=Dominating | Pair)


@dataclass(frozen=True)
class Ratios:
    """Values of W, or scores, and of sums of them, in multiples of a unit."""

    unit: Fraction
    points: Points
    """Of one W; from 0 on, as those of sums."""

    sums: Points

    def gathered(self, weights: Losses, *, spread: bool) -> Losses:
        """Sums at their points: each spread between two, so that the mean stays, or at the nearer.

        Weights are from below; what is beyond the last point is lost.
        """
        listed = self.sums.listed()
        pay(1000 * (len(weights) + len(listed)))
        found: Losses = dict.fromkeys(listed, 0)
        after = 1
        for j, weight in sorted(weights.items()):
            while listed[after] < j:
                after += 1
            low, high = listed[after - 1 : after + 1]
            if spread:
                found[high] += weight * (j - low) // (high - low)
                found[low] += weight * (high - j) // (high - low)
            else:
                found[high if 2 * j > low + high else low] += weight
        return {j: weight for j, weight in found.items() if weight}


_UNTOLD: Final = Ratios(Fraction(1), Points(0, ((1, 1),)), Points(0, ((1, 1),)))
"""Until a plan says where."""


@dataclass(frozen=True)
class Allocated(Table):
    """The batches of an epoch, each a draw of one pair of laws."""

    one: Cut
    batches: int
    ratios: Ratios = _UNTOLD

    def is_unbounded(self, *, back: bool) -> bool:
        """As one batch."""
        return self.one.is_unbounded(back=back)

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """The values of the mean of T spread W: those of a pair that dominates."""
        ratios, digits, bits = self._fine(mesh)
        sums = _power(self._spread(ratios, digits, bits), self.batches, ratios, digits)
        q = ratios.gathered(sums, spread=True)
        pay(len(q) * (1000 + of_division(4 * bits + size(ratios.unit))))
        p = {j: int(weight * j * ratios.unit / self.batches) for j, weight in q.items()}
        return self._listed((p, q), ratios, digits, mesh.bits)

    def scores(self, points: Points, mesh: Mesh, *, back: bool) -> tuple[Losses, Losses]:
        """The cells of all total scores."""
        ratios, digits, bits = self._fine(mesh)
        p, q = self._cells(ratios, digits, bits)
        others = _power(q, self.batches - 1, ratios, digits)
        with_record, without = (
            ratios.gathered(_product(others, each, ratios, digits), spread=False) for each in (p, q)
        )
        atoms = self._listed((with_record, without), ratios, digits, mesh.bits)
        return Cells(tuple(atoms)).scores(points, mesh, back=back)

    def _fine(self, mesh: Mesh) -> tuple[Ratios, int, int]:
        """Where W is looked at, at how many digits and bits."""
        digits = mesh.digits + _FINER
        unit = self.ratios.unit
        return self.ratios, digits, bits_for(digits) + _GUARD + size(unit)

    def _spread(self, ratios: Ratios, digits: int, bits: int) -> Losses:
        """The weights of W on the mesh, from below: differences of the slopes of its profile."""
        listed = ratios.points.listed()
        pay(len(listed) * (4000 + 8 * of_division(4 * bits)))
        one, unit, scale = 1 << bits, ratios.unit, 10**digits
        values = [(one, one), *(self.one.at(_ln(j * unit, bits), bits) for j in listed[1:])]
        falls: list[Enclosure] = [(scale, scale)]
        for (here, after), (low, high) in zip(pairwise(values), pairwise(listed), strict=True):
            above, below = scale * unit.denominator, (high - low) * unit.numerator << bits
            least, most = here[0] - after[1], here[1] - after[0]
            falls.append((least * above // below, ceil_div(most * above, below)))
        falls.append((0, 0))
        weights = (before[0] - after[1] for before, after in pairwise(falls))
        return {j: weight for j, weight in zip(listed, weights, strict=True) if weight > 0}

    def _cells(self, ratios: Ratios, digits: int, bits: int) -> tuple[Losses, Losses]:
        """P and Q of one batch, cut half-way between points, from below."""
        listed = ratios.points.listed()
        pay(len(listed) * (4000 + 8 * of_division(4 * bits)))
        one = 1 << bits
        least = -MAX_LOSS << bits
        tails = [((one, one), (one, one))]
        for here, after in pairwise(listed):
            least = max(least, _ln((here + after) * ratios.unit / 2, bits)[0])
            tails.append(self.one.tails(least, bits))
        tails.append(((0, 0), (0, 0)))
        p: Losses = {}
        q: Losses = {}
        for j, (at, beyond) in zip(listed, pairwise(tails), strict=True):
            p[j], q[j] = (
                max(0, (low - high) * 10**digits >> bits)
                for (low, _), (_, high) in zip(at, beyond, strict=True)
            )
        return p, q

    def _listed(
        self, weights: tuple[Losses, Losses], ratios: Ratios, digits: int, bits: int
    ) -> list[Atom]:
        """The sums as outputs; that of 0 has an infinite loss, where it is one of Q alone."""
        (p, q), unit, scale = weights, ratios.unit / self.batches, 10**digits
        pay((len(p) + len(q)) * (4000 + 4 * of_division(4 * bits + size(unit))))
        atoms = []
        for j in sorted({*p, *q}):
            own, other = ((each.get(j, 0) << bits) // scale for each in (p, q))
            loss = log_of(j * unit if j else unit / 2, bits) if own or j else None
            atoms.append(Atom(own, other, loss))
        return atoms


@dataclass(frozen=True)
class Cells(Table):
    """Outputs that are listed, with losses as scores."""

    listed: tuple[Atom, ...]

    def atoms(self, mesh: Mesh) -> list[Atom]:  # noqa: ARG002 (of every mesh)
        """The listed ones."""
        return list(self.listed)


def _ln(value: Fraction, bits: int) -> Enclosure:
    """The logarithm of a rational above 0."""
    return enclose_ln(value, bits) if value >= 1 else opposite(enclose_ln(1 / value, bits))


def _power(weights: Losses, count: int, ratios: Ratios, digits: int) -> Losses:
    """The sum of so many independent values, from below; what is beyond the last sum is lost."""
    whole = weights
    for bit in bin(count)[3:]:
        whole = _product(whole, whole, ratios, digits)
        if bit == "1":
            whole = _product(whole, weights, ratios, digits)
    return {j: weight for j, weight in whole.items() if j <= ratios.sums.last}


def _product(one: Losses, other: Losses, ratios: Ratios, digits: int) -> Losses:
    if not one or not other:
        raise RejectedError("no weight of a sum of ratios is left")
    first, weights = product([one, other], digits)
    pay(300 * len(weights))
    last = ratios.sums.last
    return {j: weight for j, weight in enumerate(weights, first) if weight and j <= last}


def with_ratios(listed: Sequence[tuple[L, int]], ratios: Sequence[Ratios]) -> list[tuple[L, int]]:
    """The pairs of laws, allocated batches each with its ratios."""
    needed = sum(isinstance(pair, Allocated) for pair, _ in listed)
    if needed != len(ratios):
        raise RejectedError(f"{len(ratios)} lists of ratios, for {needed} allocations")
    following = iter(ratios)
    return [(_with(pair, following), count) for pair, count in listed]


def _with(pair: L, ratios: Iterator[Ratios]) -> L:
    if not isinstance(pair, Allocated):
        return pair
    return cast("L", replace(pair, ratios=next(ratios)))


def read_allocated(value: Json, one: Cut) -> tuple[tuple[Allocated, int], ...]:
    """The epochs of an entry, by the laws of one batch."""
    plan = members(value, ("batches", "epochs"), "allocated")
    batches = integer(plan["batches"], 2, MAX_BATCHES, "batches")
    return ((Allocated(one, batches), integer(plan["epochs"], 1, MAX_EPOCHS, "epochs")),)

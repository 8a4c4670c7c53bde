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

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, Final

from ..arithmetic.dots import Losses, Mesh, Points
from ..arithmetic.enclosures import Enclosure, bits_for, enclose_ln
from ..format.meter import of_division, pay
from ..format.numbers import size
from ..format.outcomes import MalformedError
from ..format.shapes import array, integer, members
from ..format.strict_json import Json
from .curves import Cut
from .pairs_of_laws import MAX_LOSS, log_of, opposite
from .points import read_mesh_unit, read_points
from .sums_of_laws import gathered, power, spread, times
from .tables import Atom, Table

MAX_BATCHES: Final = 10**9
MAX_EPOCHS: Final = 10**9
_FINER: Final = 15
_GUARD: Final = 40


@dataclass(frozen=True)
class Ratios:
    """Values of W, or scores, and of sums of them, in multiples of a unit."""

    unit: Fraction
    points: Points
    """Of one W; from 0 on, as those of sums."""

    sums: Points

    def gathered(self, weights: Losses, *, spread: bool) -> Losses:
        """Sums at their points; what is beyond the last point is lost."""
        return gathered(self.up_to_last(weights), self.sums.listed(), spread=spread)

    def up_to_last(self, weights: Losses) -> Losses:
        """Without what is beyond the last sum."""
        pay(200 * len(weights))
        return {j: weight for j, weight in weights.items() if j <= self.sums.last}


_UNTOLD: Final = Ratios(Fraction(1), Points(0, ((1, 1),)), Points(0, ((1, 1),)))
"""Until a plan says where."""


@dataclass(frozen=True)
class Allocated(Table):
    """The batches of an epoch, each a draw of one pair of laws."""

    one: Cut
    batches: int
    told: Ratios = _UNTOLD
    told_by: ClassVar[str] = "ratios"

    def is_unbounded(self, *, back: bool) -> bool:
        """As one batch."""
        return self.one.is_unbounded(back=back)

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """The values of the mean of T spread W: those of a pair that dominates."""
        ratios, digits, bits = self._fine(mesh)
        one = self._spread(ratios, digits, bits)
        sums = power(one, self.batches, digits, ratios.up_to_last)
        q = ratios.gathered(sums, spread=True)
        pay(len(q) * (1000 + of_division(4 * bits + size(ratios.unit))))
        p = {j: int(weight * j * ratios.unit / self.batches) for j, weight in q.items()}
        return self._listed((p, q), ratios, digits, mesh.bits)

    def scores(self, points: Points, mesh: Mesh, *, back: bool) -> tuple[Losses, Losses]:
        """The cells of all total scores."""
        ratios, digits, bits = self._fine(mesh)
        p, q = self._cells(ratios, digits, bits)
        others = power(q, self.batches - 1, digits, ratios.up_to_last)
        with_record, without = (
            ratios.gathered(times(others, each, digits), spread=False) for each in (p, q)
        )
        atoms = self._listed((with_record, without), ratios, digits, mesh.bits)
        return Cells(tuple(atoms)).scores(points, mesh, back=back)

    def _fine(self, mesh: Mesh) -> tuple[Ratios, int, int]:
        """Where W is looked at, at how many digits and bits."""
        digits = mesh.digits + _FINER
        unit = self.told.unit
        return self.told, digits, bits_for(digits) + _GUARD + size(unit)

    def _spread(self, ratios: Ratios, digits: int, bits: int) -> Losses:
        """The weights of W on the mesh, from below: differences of the slopes of its profile."""
        listed = ratios.points.listed()
        pay(len(listed) * (4000 + 8 * of_division(4 * bits)))
        one, unit = 1 << bits, ratios.unit
        values = [(one, one), *(self.one.at(_ln(j * unit, bits), bits) for j in listed[1:])]
        return spread(values, listed, unit, digits, bits)

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


def read_allocated(value: Json, one: Cut) -> tuple[tuple[Allocated, int], ...]:
    """The epochs of an entry, by the laws of one batch."""
    plan = members(value, ("batches", "epochs"), "allocated")
    batches = integer(plan["batches"], 2, MAX_BATCHES, "batches")
    return ((Allocated(one, batches), integer(plan["epochs"], 1, MAX_EPOCHS, "epochs")),)


def read_ratios(value: Json) -> Ratios:
    """A mesh of ratios, with its points from 0 on."""
    parts = members(value, ("points", "sums", "unit"), "ratios")
    points, sums = (read_points(array(parts[key], key)) for key in ("points", "sums"))
    if points.first or sums.first:
        raise MalformedError("ratios, or their sums, do not begin at 0")
    return Ratios(read_mesh_unit(parts["unit"]), points, sums)

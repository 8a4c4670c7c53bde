r"""Randomized responses gathered: all answers of a few groups as one pair of laws.

Rules of this file: weights are from below; the loss of the opposite answers is the opposite, ends
and all, so that a score is a function of the answers.

Theory of operation: groups of mechanisms are gathered into leaves. The atoms of a leaf are the
numbers of untruthful answers in each of its groups, with their weight and their privacy loss
L = Σ(c_i - 2j_i)·ε_i. That is one pair of laws, the product of those of its groups, and its losses
are moved to the mesh once, however many mechanisms there are. Q exchanges truthful and untruthful:
it gives an atom what P gives the opposite one.

Sources: certs/SPEC.md, sections 7.4, 11.5 and 11.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ..arithmetic.dots import Losses, Mesh, Points, nearest, split, within
from ..arithmetic.enclosures import enclose
from ..format.meter import of_division, of_product, pay
from ..format.numbers import Number, size
from .fixed_point import exact_block
from .ledger import Group
from .pairs_of_laws import Dominating, Ends, Pair

_Atom: TypeAlias = tuple[int, Ends]
"""A weight from below, and its loss."""


def leaves(groups: Sequence[Group], most: int) -> list[list[Group]]:
    """The groups in their order, gathered while a leaf has at most so many atoms."""
    gathered: list[list[Group]] = []
    atoms = most + 1
    for group in groups:
        listed = group[1] + 1
        if atoms * listed > most:
            gathered.append([])
            atoms = 1
        gathered[-1].append(group)
        atoms *= listed
    return gathered


@dataclass(frozen=True)
class Leaf(Dominating, Pair):
    """Some groups of randomized responses together, which are their own reverse."""

    groups: tuple[Group, ...]

    def dots(self, points: Points, mesh: Mesh, *, back: bool) -> Losses:
        """The atoms split between points of the mesh."""
        del back
        atoms = ((most, weight) for weight, (_, most) in self._atoms(mesh))
        return within(split(atoms, mesh), points.window, cut=True)

    def scores(self, points: Points, mesh: Mesh, *, back: bool) -> tuple[Losses, Losses]:
        """The multiple next to the loss; opposite answers have opposite scores."""
        del back
        atoms = self._atoms(mesh)
        pay(len(atoms) * (2000 + 2 * of_division(len(self.groups) * mesh.bits)))
        p: Losses = {}
        for weight, (least, most) in atoms:
            score = nearest(least, mesh) if least >= 0 else -nearest(-most, mesh)
            p[score] = p.get(score, 0) + weight
        q = {-score: weight for score, weight in p.items()}
        return within(p, points.window, cut=False), within(q, points.window, cut=False)

    def _atoms(self, mesh: Mesh) -> list[_Atom]:
        """Every choice of a number of untruthful answers for each group."""
        atoms: list[_Atom] = [(mesh.scale, (Fraction(0), Fraction(0)))]
        wide = of_product(4 * mesh.digits) + of_division(len(self.groups) * mesh.bits)
        for epsilon, count in self.groups:
            ends = _ends(epsilon, mesh)
            choices = [
                (weight, *_multiple(count - 2 * j, ends))
                for j, weight in exact_block(epsilon, count, mesh.digits).items()
            ]
            pay(len(atoms) * len(choices) * (3000 + 2 * wide))
            atoms = [
                (weight * chosen // mesh.scale, (least + low, most + high))
                for weight, (least, most) in atoms
                for chosen, low, high in choices
            ]
        return atoms


def _ends(epsilon: Number, mesh: Mesh) -> Ends:
    """The ε, or ends of it; a rational that is short itself, so that losses on the mesh stay."""
    if not epsilon.logs and size(epsilon.rational) <= mesh.bits:
        return epsilon.rational, epsilon.rational
    low, high = enclose(epsilon, mesh.bits)
    return Fraction(low, 1 << mesh.bits), Fraction(high, 1 << mesh.bits)


def _multiple(times: int, ends: Ends) -> Ends:
    low, high = ends
    return (times * low, times * high) if times > 0 else (times * high, times * low)

r"""Mechanisms that are (ε, δ)-DP for several pairs of ε and δ: the table that dominates them all.

Rules of this file: a value is an enclosure by rationals, a point where it is exact; what enclosures
leave open is rejected.

Theory of operation: a profile h of such a mechanism is at most δ at y = e^ε, and so is the reverse,
1 - y + y·h(1/y): h is at most 1 - (1 - δ)/y at 1/y. It is convex, h(0) = 1, and it does not rise:
it lies below the lower convex hull of these points, (0, 1) and a level ray. The hull is its own
reverse and the profile of a table: at each of its vertices y >= 1 with Q the turn of the hull and P
y times that, at 1/y the same exchanged, and the least δ on an output that only P has, and on one
that only Q has. With that probability everything is revealed: a failure, apart from the rest.

Sources: certs/SPEC.md, sections 7.1, 7.4 and 7.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from ..arithmetic.dots import Mesh
from ..arithmetic.enclosures import enclose, enclose_exact, exp_fixed
from ..arithmetic.signs import sign
from ..format.meter import of_division, of_product, pay
from ..format.numbers import Number, normal_form, parse_canonical, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, string
from ..format.strict_json import Json
from .entries import read_delta
from .pairs_of_laws import MAX_LOSS, Ends
from .tables import Atom, Table, Written

MAX_CONSTRAINTS: Final = 12
MAX_BITS: Final = 2048
_PAIR: Final = 2
_DECIDING_BITS: Final = 4 * MAX_BITS
"""Of enclosures of e^ε: two that differ do so by 2^-4096 or more, of numbers below 2^1443."""

Constraint = tuple[Number, Fraction]
"""An ε and its δ."""

Masses = list[tuple[Ends, Ends]]
"""P and Q of the likelier output at each vertex."""


class Vertices(Written):
    """The table of constraints with rational odds."""


@dataclass(frozen=True)
class Constrained(Table):
    """The table of constraints, each a vertex of the hull, of which some odds are irrational."""

    vertices: tuple[Constraint, ...]

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """Each vertex and its mirror."""
        bits = max(mesh.bits + 3 * MAX_LOSS, _DECIDING_BITS)
        pay(len(self.vertices) * 40 * of_division(4 * bits + 4 * MAX_BITS))
        rows = _masses([_odds(epsilon, bits) for epsilon, _ in self.vertices], self._deltas)
        atoms = []
        for (epsilon, _), (p, q) in zip(self.vertices, rows, strict=True):
            own, other = (enclose_exact(max(Fraction(0), mass[0]), mesh.bits)[0] for mass in (p, q))
            atom = Atom(own, other, _loss(epsilon, bits))
            atoms += [atom, atom.reversed()]
        return atoms

    @property
    def _deltas(self) -> list[Fraction]:
        return [delta for _, delta in self.vertices]


def _loss(epsilon: Number, bits: int) -> Ends:
    if not epsilon.logs:
        return epsilon.rational, epsilon.rational
    low, high = enclose(epsilon, bits)
    return Fraction(low, 1 << bits), Fraction(high, 1 << bits)


def _odds(epsilon: Number, bits: int) -> Ends:
    low, high = exp_fixed(enclose(epsilon, bits), bits)
    return Fraction(low, 1 << bits), Fraction(high, 1 << bits)


# --- the hull -----------------------------------------------------------------------------------


def _steepness(odds: Sequence[Ends], deltas: Sequence[Fraction], j: int, k: int) -> Ends:
    """How steeply the line falls from the j-th point to the k-th, which is further out.

    Two rationals of 2048 bits may be as near as 2^-4096: points that are not told apart are open.
    """
    least, most = odds[k][0] - odds[j][1], odds[k][1] - odds[j][0]
    if least <= 0:
        raise RejectedError("it is open which of the constraints comes first")
    low, high = sorted(((deltas[j] - deltas[k]) / least, (deltas[j] - deltas[k]) / most))
    return low, high


def _inwards(odds: Ends, delta: Fraction) -> Ends:
    """How steeply the line falls to a point from its mirror: (1 - δ)/(1 + y)."""
    return (1 - delta) / (1 + odds[1]), (1 - delta) / (1 + odds[0])


def _turns_up(before: Ends, after: Ends) -> bool:
    """Whether the hull is steeper before a point than after it."""
    if before[0] > after[1] or before[1] <= after[0]:
        return before[0] > after[1]
    raise RejectedError("it is open which of the constraints say something")


def vertices(odds: Sequence[Ends], deltas: Sequence[Fraction]) -> list[int]:
    """The points that are vertices of the hull, from the outermost in; beyond that it is level."""
    pay(len(odds) ** 2 * 30 * of_division(4 * max(size(end) for ends in odds for end in ends)))
    level = Fraction(0), Fraction(0)
    kept: list[int] = []
    beyond: list[Ends] = []
    for j in reversed(range(len(odds))):
        while kept and not _turns_up(_steepness(odds, deltas, j, kept[-1]), beyond[-1]):
            kept.pop()
            beyond.pop()
        beyond.append(_steepness(odds, deltas, j, kept[-1]) if kept else level)
        kept.append(j)
    while len(kept) > 1 and not _turns_up(_inwards(odds[kept[-1]], deltas[kept[-1]]), beyond[-1]):
        kept.pop()
        beyond.pop()
    return kept[::-1]


def _masses(odds: Sequence[Ends], deltas: Sequence[Fraction]) -> Masses:
    """Q is by how much the hull turns at a vertex, P is y times that, where nothing fails."""
    kept = 1 - deltas[-1]
    outwards = (_steepness(odds, deltas, j, j + 1) for j in range(len(odds) - 1))
    falls = [_inwards(odds[0], deltas[0]), *outwards, (Fraction(0), Fraction(0))]
    rows: Masses = []
    for (low, high), (before, after) in zip(odds, pairwise(falls), strict=True):
        q = (before[0] - after[1]) / kept, (before[1] - after[0]) / kept
        rows.append(((low * q[0], high * q[1]), q))
    return rows


# --- reading ------------------------------------------------------------------------------------


def read_constraints(value: Json) -> tuple[Table, Fraction]:
    """The table of an entry's constraints, and how likely it fails beside that.

    The table is in rationals, if each e^ε is rational at sight.
    """
    constraints = [_read_constraint(each) for each in array(value, "constraints")]
    if not 1 <= len(constraints) <= MAX_CONSTRAINTS:
        raise MalformedError(f"constraints are not 1 to {MAX_CONSTRAINTS}")
    for (before, _), (after, _) in pairwise(constraints):
        if sign(after - before) <= 0:
            raise MalformedError("the epsilons of constraints do not rise")
    deltas = [delta for _, delta in constraints]
    if all(_is_exact(epsilon) for epsilon, _ in constraints):
        exact = [_exact_odds(epsilon) for epsilon, _ in constraints]
        kept = vertices([(y, y) for y in exact], deltas)
        ends = [(exact[j], exact[j]) for j in kept]
        rows = _masses(ends, [deltas[j] for j in kept])
        own, other = [p[0] for p, _ in rows], [q[0] for _, q in rows]
        return Vertices((*own, *other), (*other, *own)), deltas[kept[-1]]
    bits = _DECIDING_BITS
    kept = vertices([_odds(epsilon, bits) for epsilon, _ in constraints], deltas)
    return Constrained(tuple(constraints[j] for j in kept)), deltas[kept[-1]]


def _read_constraint(value: Json) -> Constraint:
    parts = array(value, "constraint")
    if len(parts) != _PAIR:
        raise MalformedError("a constraint is no pair of an epsilon and a delta")
    epsilon, delta = parse_canonical(string(parts[0], "epsilon")), read_delta(parts[1])
    if max(epsilon.size, size(delta)) > MAX_BITS:
        raise MalformedError(f"a constraint has more than {MAX_BITS} bits")
    if sign(epsilon) < 0 or sign(_MOST - epsilon) < 0:
        raise MalformedError(f"the epsilon of a constraint is not from 0 to {MAX_LOSS}")
    return epsilon, delta


_MOST: Final = normal_form([Fraction(MAX_LOSS)], [])


def _is_exact(epsilon: Number) -> bool:
    """Whether e^ε is a rational of few bits: no rational part, and integer coefficients."""
    exact = not epsilon.rational and all(c.denominator == 1 for c, _ in epsilon.logs)
    return exact and sum(abs(c.numerator) * size(r) for c, r in epsilon.logs) <= MAX_BITS


def _exact_odds(epsilon: Number) -> Fraction:
    pay(4 * (epsilon.terms + 1) * of_product(MAX_BITS))
    odds = Fraction(1)
    for c, r in epsilon.logs:
        odds *= r**c.numerator
    return odds

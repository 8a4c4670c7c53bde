r"""Optimal composition where every odds ratio is rational: exact integers, an exact answer.

Theory of operation: let P and Q be the masses of the distinct privacy losses of the composition, as
integers over one denominator W, in decreasing order of the loss, and I what is missing from P, the
mass of an infinite loss. With cumulative sums U and V of P and Q,

.. math:: e^{OptComp} = \max(1, \max_m (U_m + I - \Delta W)/V_m),

is a rational number. No rounding anywhere; ties are routine and decided. Of randomized responses
with odds :math:`n_i/d_i` a set S has :math:`P = f = \prod_{i \in S} n_i \prod_{i \notin S} d_i` and
:math:`Q = F/f`, :math:`F = \prod n_i d_i`. Of a table, P and Q are written out; what adds a record
exchanges them.

Sources: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5; Zhu, Dong & Wang, AISTATS 2022,
Theorem 10 (tables).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import lcm
from typing import Final, TypeAlias

from gmpy2 import mpq, mpz

from exactdp.arithmetic.coprime import coordinates
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Epsilons
from exactdp.timing.deadlines import asking

Rows: TypeAlias = "tuple[tuple[mpq, mpq], ...]"
"""The probabilities of each output, with the record and without it."""

_Masses: TypeAlias = "tuple[mpz, mpz]"

PRODUCT_COST: Final = 5000
"""Nanoseconds for a product of a few thousand digits."""


@dataclass(frozen=True, slots=True)
class ExactAtoms:
    """Cumulative sums over the losses that are not negative, in decreasing order.

    Attributes:
        truthful: U_m. other: V_m. masses: P and Q. infinite: I. whole: W.
    """

    truthful: Sequence[mpz]
    other: Sequence[mpz]
    masses: Sequence[_Masses]
    infinite: mpz
    whole: mpz

    @staticmethod
    def cumulated(falling: Iterable[_Masses], infinite: mpz, whole: mpz) -> ExactAtoms:
        """Collect the sums for P and Q in decreasing order of P/Q."""
        truthful, other, masses = [], [], []
        u = v = mpz(0)
        for p, q in falling:
            if p < q:
                break
            u += p
            v += q
            truthful.append(u)
            other.append(v)
            masses.append((p, q))
        return ExactAtoms(truthful, other, masses, infinite, whole)

    def least_odds(self, allowed: mpq) -> mpq:
        """e^OptComp for Δ = ``allowed`` of at least the mass at infinity, exactly.

        A line's root is the mediant of the root before it and the next odds P/Q, which fall; so the
        roots rise while the next odds are above them, and never again after.
        """
        if not self.masses:
            return mpq(1)
        above, below = allowed.numerator * self.whole, allowed.denominator
        above -= below * self.infinite

        def falls_at(m: int) -> bool:
            p, q = self.masses[m]
            risen = below * self.truthful[m - 1] - above
            return p * below * self.other[m - 1] <= q * risen

        best = bisect_left(range(1, len(self.masses)), True, key=falls_at)
        root = mpq(below * self.truthful[best] - above, below * self.other[best])
        return max(mpq(1), root)

    def divergence(self, odds: mpq) -> mpq:
        """D(y) for y = ``odds`` >= 1, exactly: the line through all losses above ln y."""
        up, down = odds.numerator, odds.denominator
        positive = bisect_left(self.masses, True, key=lambda pq: pq[0] * down <= up * pq[1])
        if not positive:
            return mpq(self.infinite, self.whole)
        kept = self.truthful[positive - 1] - odds * self.other[positive - 1]
        return (kept + self.infinite) / self.whole


def exact_atoms(
    odds: Sequence[tuple[mpq, int]], tables: Sequence[tuple[Rows, int]] = ()
) -> tuple[tuple[ExactAtoms, ...], int]:
    """The losses in each direction, one where there are no tables, and how many there are in all.

    Args:
        odds: pairs (odds ratio > 1, count) of randomized responses.
        tables: pairs (outputs, count).
    """
    counts, full, whole = _products(odds)
    by_product = asking(sorted(counts, reverse=True), PRODUCT_COST)
    responses = ((counts[f] * f, counts[f] * (full // f)) for f in by_product)
    if not tables:
        return (ExactAtoms.cumulated(responses, mpz(0), whole),), len(counts)
    listed, of_tables = _composed(tables)
    whole *= of_tables
    falling = _in_order(_multiplied({mpq(p, q): (p, q) for p, q in responses}, listed))
    rising = [(q, p) for p, q in reversed(falling)]
    directions = (
        ExactAtoms.cumulated(each, whole - sum(p for p, _ in each), whole)
        for each in (falling, rising)
    )
    return tuple(directions), len(falling)


def _products(odds: Sequence[tuple[mpq, int]]) -> tuple[dict[mpz, mpz], mpz, mpz]:
    """The products f with the numbers of their sets, F, and ∏ (n_i + d_i)."""
    counts = {mpz(1): mpz(1)}
    full = whole = mpz(1)
    for ratio, count in odds:
        up, down = ratio.numerator, ratio.denominator
        factors = [(up**j * down ** (count - j), ways) for j, ways in enumerate(_choices(count))]
        table: dict[mpz, mpz] = {}
        for product, number in asking(counts.items(), len(factors) * PRODUCT_COST):
            for factor, ways in factors:
                key = product * factor
                table[key] = table.get(key, mpz(0)) + number * ways
        counts = table
        full *= (up * down) ** count
        whole *= (up + down) ** count
    return counts, full, whole


def _choices(count: int) -> Iterator[mpz]:
    """The binomial coefficients of ``count`` in order, each from the one before."""
    ways = mpz(1)
    for j in asking(range(count + 1), PRODUCT_COST):
        yield ways
        ways = ways * (count - j) // (j + 1)


def _composed(tables: Sequence[tuple[Rows, int]]) -> tuple[dict[mpq, _Masses], mpz]:
    """P and Q by the odds of all tables together, and their denominator."""
    listed, whole = {mpq(1): (mpz(1), mpz(1))}, mpz(1)
    for rows, count in tables:
        below = common_denominator(rows)
        whole *= below**count
        finite: dict[mpq, _Masses] = {}
        for p, q in rows:
            if p and q:
                known = finite.get(p / q, (0, 0))
                finite[p / q] = known[0] + (p * below).numerator, known[1] + (q * below).numerator
        if len(finite) == 2:
            listed = _multiplied(listed, _powers(finite, count))
            continue
        for _ in range(count):
            listed = _multiplied(listed, finite)
    return listed, whole


def common_denominator(rows: Rows) -> mpz:
    """The denominator of all probabilities."""
    return mpz(lcm(*(int(part.denominator) for row in rows for part in row)))


def _powers(two: dict[mpq, _Masses], count: int) -> dict[mpq, _Masses]:
    """So many mechanisms of two outputs."""
    (r, (p, q)), (s, (a, b)) = two.items()
    return {
        r ** (count - j) * s**j: (ways * p ** (count - j) * a**j, ways * q ** (count - j) * b**j)
        for j, ways in enumerate(_choices(count))
    }


def _multiplied(one: dict[mpq, _Masses], other: dict[mpq, _Masses]) -> dict[mpq, _Masses]:
    """The masses by the odds of both together."""
    table: dict[mpq, _Masses] = {}
    for odds, (p, q) in asking(one.items(), len(other) * PRODUCT_COST):
        for ratio, (a, b) in other.items():
            known = table.get(odds * ratio, (mpz(0), mpz(0)))
            table[odds * ratio] = known[0] + p * a, known[1] + q * b
    return table


def _in_order(listed: dict[mpq, _Masses]) -> list[_Masses]:
    return [listed[odds] for odds in asking(sorted(listed, reverse=True), PRODUCT_COST)]


def counted_odds(epsilons: Epsilons) -> list[tuple[mpq, int]] | None:
    """Pairs (e^ε, count) if every odds ratio is rational, equal ones merged; else None."""
    merged: dict[mpq, int] = {}
    for epsilon, count in epsilons:
        odds = epsilon.rational_odds()
        if odds is None:
            return None
        merged[odds] = merged.get(odds, 0) + count
    return sorted(merged.items())


def table_size(tables: Sequence[tuple[Rows, int]]) -> int:
    """The bits of all denominators together."""
    return sum(count * common_denominator(rows).bit_length() for rows, count in tables)


def most_sums(tables: Sequence[tuple[Rows, int]], most: int) -> int:
    """How many losses tables have together, at most, or any number above ``most``.

    The smaller of the number of count vectors and the number of lattice points in the box.
    """
    vectors, box, listed = 1, 1, [(_finite_odds(rows), count) for rows, count in tables]
    for odds, count in listed:
        for j in range(1, len(odds)):
            vectors = vectors * (count + j) // j
            if vectors > most:
                break
    _, coordinated = coordinates([ExactNumber.ln(each) for odds, _ in listed for each in odds])
    points = iter(coordinated)
    reaches = [(list(islice(points, len(odds))), count) for odds, count in listed if odds]
    for axis in range(len(coordinated[0]) if coordinated else 0):
        along = (([int(point[axis]) for point in each], count) for each, count in reaches)
        box *= 1 + sum((max(each) - min(each)) * count for each, count in along)
    return min(vectors, box)


def _finite_odds(rows: Rows) -> list[mpq]:
    return sorted({p / q for p, q in rows if p and q})

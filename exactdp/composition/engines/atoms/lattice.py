r"""Optimal composition over few distinct subset sums: any mixture of rationals and logarithms.

Theory of operation: over a coprime basis every ε_i is a vector of rationals, and equal sums are
equal vectors. The probabilities w(σ) are collected in a table keyed by the vector of σ, one block
of equal mechanisms at a time. Sorting needs the order of the sums: distinct vectors are distinct
reals, so that balls tell them apart once precise enough.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from math import prod
from typing import Final

from flint import arb, fmpz
from gmpy2 import lcm, mpq, mpz

from exactdp.arithmetic.coprime import coordinates, has_longer_basis
from exactdp.arithmetic.enclosures import ball, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Epsilons
from exactdp.composition.engines.binomial import block_of
from exactdp.composition.engines.loss_distribution import ListedLosses, LossDistribution
from exactdp.timing.deadlines import asking

IntegerVector = tuple[int, ...]

_SHIFT_COST: Final = 2000
_LOSS_COST: Final = 5000
"""Nanoseconds, at most, to move a mass, and for the loss of one."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Mechanisms as integer vectors over a basis.

    Attributes:
        basis: the real numbers that the coordinates multiply: 1/n, ln(p_1)/n_1, …
        blocks: triples (vector, ε, count); the vector denotes ε.
    """

    basis: tuple[ExactNumber, ...]
    blocks: tuple[tuple[IntegerVector, ExactNumber, int], ...]

    @staticmethod
    def of(epsilons: Epsilons) -> Lattice:
        """Write the epsilons over one basis."""
        primes, vectors = coordinates([epsilon for epsilon, _ in epsilons])
        scales = [
            reduce(lcm, (entry.denominator for entry in column), mpz(1))
            for column in zip(*vectors, strict=True)
        ]
        reals = [ExactNumber.of(1), *(ExactNumber.ln(mpq(p)) for p in primes)]
        basis = tuple(real * mpq(1, scale) for real, scale in zip(reals, scales, strict=True))
        return Lattice(
            basis,
            tuple(
                (tuple(int(v * n) for v, n in zip(vector, scales, strict=True)), epsilon, count)
                for vector, (epsilon, count) in zip(vectors, epsilons, strict=True)
            ),
        )

    @staticmethod
    def has_more_sums(epsilons: Epsilons, most: int) -> bool:
        """Whether :attr:`most_sums` is certainly above ``most``; far less work than that.

        An axis for ln p is of use to a sum whose only logarithm has p in it, so that the box has at
        least two points along each.
        """
        vectors = 1
        for _, count in epsilons:
            vectors *= count + 1
            if vectors > most:
                break
        else:
            return False
        alone = (epsilon.logs[0][1] for epsilon, _ in epsilons if len(epsilon.logs) == 1)
        parts = (part for ratio in alone for part in (ratio.numerator, ratio.denominator))
        return has_longer_basis(parts, most.bit_length())

    @property
    def most_sums(self) -> int:
        """An upper bound on the number of distinct subset sums.

        The smaller of the number of count vectors and the number of lattice points in the box.
        """
        vectors = prod(count + 1 for _, _, count in self.blocks)
        box = prod(
            sum(abs(vector[axis]) * count for vector, _, count in self.blocks) + 1
            for axis in range(len(self.basis))
        )
        return min(vectors, box)


def loss_distribution(lattice: Lattice, bits: int) -> LossDistribution:
    """The privacy loss distribution at ``bits`` binary digits."""
    masses, total = _masses(lattice, bits)
    lost = (fmpz(1) << bits) - sum(masses.values(), fmpz(0))
    working = bits + 64
    while True:
        with precision(working):
            ordered = _in_order_of_loss(lattice, masses, total)
        if ordered is not None:
            return ListedLosses(*ordered, lost, bits)
        working *= 2


def _masses(lattice: Lattice, bits: int) -> tuple[dict[IntegerVector, fmpz], IntegerVector]:
    """The table of w(σ)·2^bits, rounded down, and the vector of Σ ε_i."""
    masses = {(0,) * len(lattice.basis): fmpz(1) << bits}
    total = [0] * len(lattice.basis)
    for vector, epsilon, count in lattice.blocks:
        weights = block_of(epsilon, count, bits, bits + 64 + 2 * count.bit_length())
        shifts = [
            (tuple((weights.offset + j) * v for v in vector), weight)
            for j, weight in enumerate(weights.scaled.coeffs())
        ]
        table: dict[IntegerVector, fmpz] = {}
        for key, mass in asking(masses.items(), len(shifts) * _SHIFT_COST):
            for shift, weight in shifts:
                moved = tuple(map(int.__add__, key, shift))
                table[moved] = table.get(moved, 0) + mass * weight
        masses = {key: mass >> bits for key, mass in table.items() if mass >> bits != 0}
        total = [t + count * v for t, v in zip(total, vector, strict=True)]
    return masses, tuple(total)


def _in_order_of_loss(
    lattice: Lattice, masses: dict[IntegerVector, fmpz], total: IntegerVector
) -> tuple[list[fmpz], list[arb]] | None:
    """Masses and e^-L for losses L not certainly negative; None if the order is not certain."""
    basis = [ball(real) for real in lattice.basis]
    decays: list[tuple[arb, fmpz]] = []
    for key, mass in asking(masses.items(), _LOSS_COST):
        loss = sum(
            ((t - 2 * entry) * real for t, entry, real in zip(total, key, basis, strict=True)),
            arb(0),
        )
        if not loss < 0:
            decays.append(((-loss).exp(), mass))
    decays.sort(key=lambda pair: _Midpoint(pair[0]))
    if any(not left < right for (left, _), (right, _) in pairwise(decays)):
        return None
    return [mass for _, mass in decays], [decay for decay, _ in decays]


class _Midpoint:
    """Orders balls by their midpoints; whether the order is certain is checked afterwards."""

    __slots__ = ("_middle",)

    def __init__(self, value: arb) -> None:
        self._middle = value.mid()

    def __lt__(self, other: _Midpoint) -> bool:
        return bool(self._middle < other._middle)

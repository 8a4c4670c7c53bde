r"""The rules for any ledger: ``connect-the-dots`` from above, ``gridded-test`` from below.

Rules of this file: weights are from below; where a loss is moved, it is moved in the direction
that is sound for the bound, and said so. The unit u is rational.

Theory of operation: groups of mechanisms are gathered into leaves. The atoms of a leaf are the
numbers of untruthful answers in each of its groups, with their weight and their privacy loss L.
From above: D averages max(0, 1 - y·z) over z = e^{-L}, which is convex and falls with z; so it does
not fall if an atom's z is split between the two neighbouring e^{-ju} with the mean z, or less. From
below: an atom's score is the multiple of u next to its loss, and an event is a set of scores; the
loss of the opposite answers is the opposite, so that one product holds both its probabilities.

Sources: certs/SPEC.md, sections 7.7 and 7.8; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi,
"Connect the dots", PoPETs 2022.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import ClassVar, TypeAlias

from ..arithmetic.enclosures import (
    Enclosure,
    ceil_div,
    ceil_shift,
    enclose,
    exp_fixed,
    exp_floating,
)
from ..arithmetic.products import product, two_factors
from ..arithmetic.signs import ceil_quotient
from ..arithmetic.weights import Terms, window
from ..format.meter import of_division, of_product, pay
from ..format.numbers import Number, size
from ..format.outcomes import RejectedError
from .fixed_point import MAX_STRETCH, Comparison, Losses, exact_block
from .ledger import Group, Ledger, PairsRule
from .rule import parameter, read_digits, read_sums, read_unit

_Atom: TypeAlias = tuple[int, int, int]
"""A weight from below, a loss from above, and a loss that opposite answers have opposite."""


@dataclass(frozen=True)
class Mesh:
    """Leaves of at most ``sums`` atoms, with losses near multiples of the unit."""

    unit: Number
    sums: int
    digits: int

    def leaves(self, ledger: Ledger) -> list[list[Group]]:
        """The groups in their order, gathered while a leaf has at most ``sums`` atoms."""
        gathered: list[list[Group]] = []
        atoms = self.sums + 1
        for group in ledger.groups:
            size = group[1] + 1
            if atoms * size > self.sums:
                gathered.append([])
                atoms = 1
            gathered[-1].append(group)
            atoms *= size
        return gathered

    def stretch(self, ledger: Ledger) -> int:
        """S of SPEC 7.7: losses of both signs, and one cell more for each mechanism."""
        return sum(
            2 * (ceil_quotient(epsilon, self.unit)[0] + 1) * window(count, self.digits) + 1
            for epsilon, count in ledger.groups
        )

    def prepared(self, comparison: Comparison) -> tuple[Fraction, int]:
        """The unit, and the bits to work with."""
        if self.unit.logs:
            raise RejectedError("the unit is not rational")
        slots = self.stretch(comparison.ledger)
        if slots > MAX_STRETCH:
            raise RejectedError("the grid is too long")
        finer = self.unit.rational.denominator.bit_length()
        return self.unit.rational, comparison.bits(slots) + finer

    def atoms(self, leaf: Sequence[Group], bits: int) -> list[_Atom]:
        """Every choice of a number of untruthful answers for each group of a leaf."""
        scale = 10**self.digits
        atoms = [(scale, 0, 0)]
        for group, count in leaf:
            ends = enclose(group, bits)
            block = exact_block(group, count, self.digits)
            choices = [(w, _loss(count - 2 * j, ends)) for j, w in block.items()]
            pay(len(atoms) * len(choices) * (600 + of_product(4 * self.digits) + bits // 8))
            atoms = [
                (weight * w // scale, high + loss_high, middle + loss)
                for weight, high, middle in atoms
                for w, (loss_high, loss) in choices
            ]
        return atoms


def on_mesh(comparison: Comparison, mesh: Mesh) -> Losses:
    """Every atom of a leaf split between the multiples of the unit next to its loss."""
    unit, bits = mesh.prepared(comparison)
    u_low, u_high = enclose(mesh.unit, bits)
    _, v_high = exp_fixed((-u_high, -u_low), bits)
    factors = []
    total = 0
    for leaf in mesh.leaves(comparison.ledger):
        highest, weights = _split(mesh.atoms(leaf, bits), unit, v_high, bits)
        factors.append(weights)
        total += highest
    return Losses(total, 1, mesh.unit, two_factors(factors, 0, (), mesh.digits))


def _split(atoms: Sequence[_Atom], unit: Fraction, v_high: int, bits: int) -> tuple[int, Terms]:
    """The highest multiple j, and the weights of the losses (highest - t)·u at t."""
    one = 1 << bits
    cells: dict[int, int] = {}
    for weight, loss, _ in atoms:
        pay(1500 + 4 * of_division(2 * bits + size(unit)))
        j = loss * unit.denominator // (unit.numerator << bits)
        rest = loss - (j * unit.numerator << bits) // unit.denominator  # from above
        share = ceil_div(one_minus_exp(rest, bits) << bits, one - v_high)
        moved = min(weight, ceil_div(weight * share, one))
        cells[j + 1] = cells.get(j + 1, 0) + moved
        cells[j] = cells.get(j, 0) + weight - moved
    highest = max(cells, default=0)  # no cell: no weight was left at these digits
    return highest, {highest - j: weight for j, weight in cells.items() if weight}


def _nearest(loss: int, unit: Fraction, bits: int) -> int:
    """The multiple of the unit next to a loss >= 0."""
    return (2 * loss * unit.denominator + (unit.numerator << bits)) // (unit.numerator << bits + 1)


def _loss(times: int, epsilon: Enclosure) -> tuple[int, int]:
    """times·ε from above, and about, so that the opposite of ``times`` has the opposite."""
    low, high = epsilon
    return times * (high if times > 0 else low), times * low


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


# --- the rules ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeshRule(PairsRule):
    """A rule with a mesh."""

    digits: int = parameter(read_digits)
    sums: int = parameter(read_sums)
    unit: Number = parameter(read_unit)

    @property
    def mesh(self) -> Mesh:
        """The mesh of the parameters."""
        return Mesh(self.unit, self.sums, self.digits)


class ConnectTheDots(MeshRule):
    """``upper``: atoms moved so that the divergence does not fall."""

    name: ClassVar[str] = "connect-the-dots"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)

    def check(self, ledger: Ledger) -> None:
        """D of the split atoms against Δ."""
        comparison = Comparison(ledger, self.bound, self.digits)
        comparison.decide_by(on_mesh(comparison, self.mesh))


class GriddedTest(MeshRule):
    """``lower``: the event that the scores of the leaves add up to one of certain numbers."""

    name: ClassVar[str] = "gridded-test"
    kinds: ClassVar[tuple[str, ...]] = ("lower",)

    def check(self, ledger: Ledger) -> None:
        """The other hypothesis gives a score the probability that this one gives its opposite."""
        epsilon = self.bound.finite()
        comparison = Comparison(ledger, self.bound, self.digits)
        unit, bits = self.mesh.prepared(comparison)
        factors, total = self._scores(ledger, unit, bits)
        first, values = product(factors, self.digits)
        _, y_high, exponent = exp_floating(enclose(epsilon, bits), bits)
        y, one = y_high << max(exponent, 0), 1 << (bits + max(-exponent, 0))
        last = first + len(values) - 1
        pay(
            len(values)
            * (500 + of_product(4 * self.digits) + (one + y).bit_length() * self.digits // 100)
        )
        opposite = (
            values[total - s - first] if first <= total - s <= last else 0
            for s in range(first, last + 1)
        )
        scale = 10**self.digits
        kept = sum(max(0, one * w - y * v) for w, v in zip(values, opposite, strict=True))
        kept -= y * (scale - sum(values))
        if kept << bits <= ledger.delta(self.bound.delta, bits)[1] * scale * one:
            raise RejectedError("the divergence is not proved to be above Δ")

    def _scores(self, ledger: Ledger, unit: Fraction, bits: int) -> tuple[list[Terms], int]:
        """The weights of the scores of each leaf, from its highest down, and twice the highest."""
        factors: list[Terms] = []
        total = 0
        for leaf in self.mesh.leaves(ledger):
            scores: dict[int, int] = {}
            for weight, _, loss in self.mesh.atoms(leaf, bits):
                pay(500 + of_division(bits + size(unit)))
                score = _nearest(abs(loss), unit, bits) * (1 if loss >= 0 else -1)
                scores[score] = scores.get(score, 0) + weight
            highest = max(map(abs, scores), default=0)
            factors.append({highest - score: weight for score, weight in scores.items() if weight})
            total += 2 * highest
        return factors, total

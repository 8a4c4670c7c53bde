r"""Brackets: two ends for any ledger, both second order in the mesh.

Theory of operation: equal mechanisms are gathered into leaves, small enough that all their
atoms can be listed: how many answers are untruthful in each group, with which probability and
which privacy loss L.

Upper end ("connect the dots"): D is the mean of max(0, 1 - y·z) over z = e^{-L}, a convex function
of z that falls with z. So D does not fall if the probability of an atom is split between the two
mesh points jh <= L < (j+1)h next to its loss so that the mean of z is kept, or lowered:

.. math:: \lambda = \frac{1 - e^{-(L - jh)}}{1 - e^{-h}} \text{ or more at } (j+1)h,
          \text{ the rest at } jh.

Each leaf adds an error of the order h² once, however many mechanisms it holds. What the other
hypothesis says is never rounded: its probability of a loss is the first one's times e^{-L}.

Lower end, a test: the score of an atom is the multiple of h next to its loss, and an event is a
set of total scores. It is an event like any other: its two probabilities give a line below D. The
opposite answers have the opposite loss and score, and the other hypothesis swaps them, so that
one product holds both probabilities: at its two ends, and what lies between is not computed.

Sources: Doroshenko, Ghazi, Kamath, Kumar, Manurangsi, "Connect the dots", PoPETs 2022 (the
dominating pair with the least curve on a grid); Murtagh & Vadhan, Theory of Computing 14(8), 2018.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import isqrt, prod
from typing import Final

from flint import arb, fmpz, fmpz_poly
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import (
    ball,
    ball_of_rational,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import CountedEpsilon, Epsilons
from exactdp.composition.engines.binomial import block_of
from exactdp.composition.engines.loss_distribution import EvenLosses, LossDistribution
from exactdp.composition.engines.splitting import map_parts
from exactdp.composition.engines.weights import Weights, multiplied, product, times, weights_of
from exactdp.timing.deadlines import ask

_GUARD_BITS = 64
_NEIGHBOURS = 24
_MOST_ATOMS = 60_000
_ATOM_COST: Final = 20_000
_LEAF_SIZES: Final = (4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2)


@dataclass(frozen=True, slots=True)
class Leaf:
    """The atoms of a leaf, under the first hypothesis.

    Attributes:
        masses: probabilities times 2^bits, rounded down.
        losses: integers next to loss·2^scale; opposite answers have opposite ones.
        slack: the losses times 2^scale are at most this much above the integers.
    """

    masses: Sequence[fmpz]
    losses: Sequence[int]
    slack: int

    @staticmethod
    def of(epsilons: Epsilons, bits: int, scale: int) -> Leaf:
        """List all atoms of ``epsilons``."""
        masses, losses, slack = [fmpz(1) << bits], [0], 0
        for epsilon, count in epsilons:
            digits = max(bits, scale) + _GUARD_BITS + 2 * count.bit_length()
            weights = block_of(epsilon, count, bits, digits)
            with precision(digits):
                step = int(lower_end(ball(epsilon) * arb(2) ** scale) // 1)
            choices = [
                (mass, (count - 2 * j) * step)
                for j, mass in enumerate(weights.scaled.coeffs(), weights.offset)
            ]
            losses = [loss + more for loss in losses for _, more in choices]
            masses = [(mass * chosen) >> bits for mass in masses for chosen, _ in choices]
            slack += 2 * count
        return Leaf(masses, losses, slack)


def leaves(epsilons: Epsilons, most: int) -> list[list[CountedEpsilon]]:
    """The epsilons in their order, that of a statement, while a leaf has at most ``most`` atoms."""
    gathered: list[list[CountedEpsilon]] = []
    atoms = most + 1
    for epsilon, count in epsilons:
        if atoms * (count + 1) > most:
            gathered.append([])
            atoms = 1
        gathered[-1].append((epsilon, count))
        atoms *= count + 1
    return gathered


def leaf_size(epsilons: Epsilons) -> int:
    """The largest of some sizes at which all leaves together have few atoms; at least 2."""
    for most in _LEAF_SIZES:
        if atoms_of(epsilons, most) <= _MOST_ATOMS:
            return most
    return _LEAF_SIZES[-1]


def atoms_of(epsilons: Epsilons, most: int) -> int:
    """About how many atoms of weights other than 0 all leaves have together."""
    return sum(
        prod(min(count, 30 * isqrt(count) + 64) + 1 for _, count in leaf)
        for leaf in leaves(epsilons, most)
    )


def dominating_distribution(
    epsilons: Epsilons, mesh: mpq, most: int, bits: int
) -> LossDistribution:
    """A privacy loss distribution on the mesh whose curve is never below D."""
    largest, weights = dominating_weights(epsilons, mesh, most, bits)
    return EvenLosses.of_weights(weights, largest, 1, ExactNumber(mesh), bits)


def dominating_weights(epsilons: Epsilons, mesh: mpq, most: int, bits: int) -> tuple[int, Weights]:
    """The same distribution: the weight at t has the loss (largest - t)·mesh."""
    if not epsilons:
        return 0, weights_of({0: fmpz(1) << bits})
    scale = bits + _GUARD_BITS + mesh.denominator.bit_length()
    largest = 0
    factors = []
    on_mesh = partial(cells_of, mesh=mesh, bits=bits, scale=scale)
    cost = _ATOM_COST * atoms_of(epsilons, most)
    for cells in map_parts(on_mesh, leaves(epsilons, most), cost=cost):
        highest = max(cells)
        largest += highest
        factors.append(weights_of({highest - cell: mass for cell, mass in cells.items()}))
    return largest, product(factors, bits)


def cells_of(epsilons: Epsilons, mesh: mpq, bits: int, scale: int) -> dict[int, fmpz]:
    """The probabilities of a leaf by mesh point, losses rounded up to them."""
    return _split(Leaf.of(epsilons, bits, scale), mesh, scale)


def _split(leaf: Leaf, mesh: mpq, scale: int) -> dict[int, fmpz]:
    """Probabilities by mesh point, every loss raised by the slack and split."""
    ask()
    cells: dict[int, fmpz] = {}
    size = mesh * (1 << scale)
    one = fmpz(1) << scale
    with precision(scale):
        unit = arb(2) ** -scale
        whole = -(-ball_of_rational(mesh)).expm1()
        for mass, loss in zip(leaf.masses, leaf.losses, strict=True):
            raised = loss + leaf.slack
            cell = int(mpq(raised) // size)
            rest = ball_of_rational(raised - cell * size) * unit
            share = -(-rest).expm1() / whole * one
            numerator = min(one, fmpz(int(upper_end(share) // 1) + 1))
            moved = min(mass, -((-mass * numerator) >> scale))
            cells[cell + 1] = cells.get(cell + 1, fmpz(0)) + moved
            cells[cell] = cells.get(cell, fmpz(0)) + mass - moved
    return cells


@dataclass(frozen=True, slots=True)
class GriddedTest:
    """The events "the total score is at least so high", for high scores.

    Attributes:
        truthful: the probability at s of the score ``highest`` - s.
        other: the probability at s of the opposite score, which is that of the score itself
            under the other hypothesis.
        highest: the highest total score.
        end: weights at this place or beyond were left out.
        mesh: h.
        bits: binary digits after the point of the weights.
        lost: at least what rounding took from ``other``, times 2^bits.
    """

    truthful: Weights
    other: Weights
    highest: int
    end: int
    mesh: mpq
    bits: int
    lost: fmpz

    @staticmethod
    def of(epsilons: Epsilons, mesh: mpq, most: int, bits: int, near: mpq) -> GriddedTest:
        """The test whose scores are the multiples of h next to the losses of the leaves.

        Only the last product is cut off. What the factors lost before it is known, and it loses
        less than a unit at each place.

        Args:
            epsilons: pairs (ε, count).
            mesh: h.
            most: the size of the leaves.
            bits: binary digits after the point of the weights.
            near: no threshold will be much lower; what lies below is left out.
        """
        cost = _ATOM_COST * atoms_of(epsilons, most)
        scores_of = partial(_scores, mesh=mesh, bits=bits)
        leaf_scores = map_parts(scores_of, leaves(epsilons, most), cost=cost)
        tops = [max(map(abs, scores)) for scores in leaf_scores]
        factors = [
            weights_of({top - score: mass for score, mass in scores.items()})
            for top, scores in zip(tops, leaf_scores, strict=True)
        ]
        highest = sum(tops)
        end = _place(highest, near, mesh) + 2 * _NEIGHBOURS
        *first, last = multiplied(factors, bits, 2)
        rest = first[0] if first else Weights(0, fmpz_poly([fmpz(1) << bits]))
        size = rest.offset + rest.scaled.degree()
        return GriddedTest(
            times(rest, last, bits, end),
            times(rest.mirrored(size), last.mirrored(2 * highest - size), bits, end),
            highest,
            end,
            mesh,
            bits,
            rest.lost(bits) + last.lost(bits) + end,
        )

    def covers(self, near: mpq) -> bool:
        """Whether the thresholds around that of ``near`` are all there."""
        return _place(self.highest, near, self.mesh) + _NEIGHBOURS <= self.end

    def least_epsilon(self, allowed: arb, near: mpq) -> mpq:
        """A lower end of OptComp for Δ = ``allowed``, by the best event around ``near``.

        Returns: 0 if no event does better.
        """
        best = mpq(0)
        with precision(self.bits + _GUARD_BITS):
            scaled = allowed * arb(2) ** self.bits
            for _, truthful, other in self._events(near):
                odds = (truthful - scaled) / (other + self.lost)
                if odds > 1:
                    best = max(best, lower_end(odds.log()))
        return best

    def divergence(self, epsilon: ExactNumber) -> tuple[mpq, int]:
        """A lower end of D(e^ε), and the least score of the event that shows it."""
        best, threshold = mpq(0), 0
        with precision(self.bits + _GUARD_BITS):
            odds, unit = ball(epsilon).exp(), arb(2) ** -self.bits
            near = upper_end(ball(epsilon))
            for score, truthful, other in self._events(near):
                found = lower_end((truthful - odds * (other + self.lost)) * unit)
                if found > best:
                    best, threshold = found, score
        return best, threshold

    def _events(self, near: mpq) -> list[tuple[int, fmpz, fmpz]]:
        """Thresholds around that of ``near``, with the events' probabilities rounded down."""
        middle = _place(self.highest, near, self.mesh)
        first = min(max(0, middle - _NEIGHBOURS), self.end)
        truthful, other = self.truthful.below(first), self.other.below(first)
        events = []
        for place in range(first, min(self.end, middle + _NEIGHBOURS)):
            truthful += self.truthful.at(place)
            other += self.other.at(place)
            events.append((self.highest - place, truthful, other))
        return events


def _scores(epsilons: Epsilons, mesh: mpq, bits: int) -> dict[int, fmpz]:
    """The probabilities of a leaf by score: the multiple of h next to the loss."""
    ask()
    scale = bits + _GUARD_BITS
    atoms = Leaf.of(epsilons, bits, scale)
    scores: dict[int, fmpz] = {}
    for mass, loss in zip(atoms.masses, atoms.losses, strict=True):
        score = _nearest(abs(loss), mesh, scale) * (1 if loss >= 0 else -1)
        scores[score] = scores.get(score, fmpz(0)) + mass
    return scores


def _place(highest: int, near: mpq, mesh: mpq) -> int:
    """Where the lowest score stands that is not below ``near``."""
    return max(0, highest - int(-(-near / mesh // 1)))


def _nearest(loss: int, mesh: mpq, scale: int) -> int:
    """The multiple of the mesh next to a loss >= 0; halves go up."""
    return int((2 * loss / (mesh * (1 << scale)) + 1) // 2)

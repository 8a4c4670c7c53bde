r"""Brackets: two ends for any ledger, both second order in the mesh.

Theory of operation, upper end ("connect the dots"): let h be the mesh and jh <= ε < (j+1)h. The
hockey-stick curve of randomized response RR(ε) is piecewise linear in y, and the curve of the
mixture that is RR((j+1)h) with probability λ, else RR(jh), meets it at y = e^{jh} if

.. math:: \lambda = \frac{E - E_j}{1 + E} \cdot \frac{1 + E_{j+1}}{E_{j+1} - E_j},
          \qquad E = e^\epsilon, E_j = e^{jh},

and lies on or above it everywhere else. So the mixture dominates, and so do all products; a
larger λ only raises the curve further, which is why rounding λ up is sound. The losses of the
mixture are ±jh and ±(j+1)h: four weights on the mesh.

Lower end, a test: give every mechanism an integer a_i near ε_i/h and look whether the a_i of the
untruthful answers add up to at most m. That is an event like any other: its two probabilities,
computed from the true ε_i, give a line below D, whatever the a_i. Swapping the hypotheses
swaps truthful and untruthful, so that one polynomial holds both probabilities.

Sources: Doroshenko, Ghazi, Kamath, Kumar, Manurangsi, "Connect the dots", PoPETs 2022 (the
dominating pair with the least curve on a grid); Murtagh & Vadhan, Theory of Computing 14(8), 2018.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, fmpz
from gmpy2 import mpq

from exactdp.arithmetic.comparison import floor_of
from exactdp.arithmetic.enclosures import (
    ball,
    ball_of_rational,
    lower_end,
    precision,
    scaled_floor,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.binomial import answer
from exactdp.composition.loss_distribution import EvenLosses, LossDistribution
from exactdp.composition.weights import Terms, Weights, product_of_powers

_GUARD_BITS = 64
_NEIGHBOURS = 24

Groups = Sequence[tuple[ExactNumber, int]]


def dominating_distribution(groups: Groups, mesh: mpq, bits: int) -> LossDistribution:
    """The privacy loss distribution of the dominating mixtures; its curve is never below D."""
    cells = [floor_of(epsilon * (1 / mesh)) for epsilon, _ in groups]
    factors = [
        (_mixture(epsilon, cell, mesh, bits), count)
        for (epsilon, count), cell in zip(groups, cells, strict=True)
    ]
    largest = sum((cell + 1) * count for (_, count), cell in zip(groups, cells, strict=True))
    unit = ExactNumber(mesh)
    return EvenLosses(product_of_powers(factors, bits), largest, 1, unit, bits)


def _mixture(epsilon: ExactNumber, cell: int, mesh: mpq, bits: int) -> Terms:
    """Weights at (cell + 1) - loss/mesh: those of the losses cell + 1, cell, -cell, -cell - 1."""
    with precision(bits + _GUARD_BITS):
        step, size = ball_of_rational(mesh), ball(epsilon)
        low, high = (-step * cell).exp(), (-step * (cell + 1)).exp()
        offset = ball(epsilon - ExactNumber(mesh * cell))
        share = offset.expm1() / step.expm1() * (1 + 1 / high) / (1 + size.exp())
        share = ball_of_rational(min(mpq(1), max(mpq(0), upper_end(share))))
        masses = [
            (0, share / (1 + high)),
            (1, (1 - share) / (1 + low)),
            (2 * cell + 1, (1 - share) * low / (1 + low)),
            (2 * cell + 2, share * high / (1 + high)),
        ]
    terms: dict[int, fmpz] = {}
    for place, mass in masses:
        terms[place] = terms.get(place, fmpz(0)) + max(fmpz(0), scaled_floor(mass, bits))
    return terms


@dataclass(frozen=True, slots=True)
class GriddedTest:
    """The events "the untruthful answers weigh at most m", for all m.

    Attributes:
        weights: the probabilities of the sums, from the true ε_i.
        span: A, the sum of all a_i.
        mesh: h.
        bits: binary digits after the point of the weights.
        lost: the probability that rounding lost, times 2^bits.
    """

    weights: Weights
    span: int
    mesh: mpq
    bits: int
    lost: fmpz

    @staticmethod
    def of(groups: Groups, mesh: mpq, bits: int) -> GriddedTest:
        """The test with a_i = the integer nearest to ε_i/h."""
        places = [nearest_cell(epsilon, mesh) for epsilon, _ in groups]
        with precision(bits + _GUARD_BITS + 2 * sum(c for _, c in groups).bit_length()):
            factors = [
                (answer((-ball(epsilon)).exp(), place, bits), count)
                for (epsilon, count), place in zip(groups, places, strict=True)
                if place
            ]
        factors = factors or [({0: fmpz(1) << bits}, 1)]
        weights = product_of_powers(factors, bits)
        span = sum(count * place for (_, count), place in zip(groups, places, strict=True))
        return GriddedTest(weights, span, mesh, bits, weights.lost(bits))

    def least_epsilon(self, budget: arb, near: mpq) -> mpq:
        """A lower end of OptComp for Δ = ``budget``: the best event for thresholds around ``near``.

        Returns: 0 if no event does better.
        """
        best = mpq(0)
        with precision(self.bits + _GUARD_BITS):
            scaled = budget * arb(2) ** self.bits
            for truthful, other in self._events(near):
                odds = (truthful - scaled) / (other + self.lost)
                if odds > 1:
                    best = max(best, lower_end(odds.log()))
        return best

    def divergence(self, epsilon: ExactNumber) -> mpq:
        """A lower end of D(e^ε)."""
        best = mpq(0)
        with precision(self.bits + _GUARD_BITS):
            odds, unit = ball(epsilon).exp(), arb(2) ** -self.bits
            near = upper_end(ball(epsilon))
            for truthful, other in self._events(near):
                best = max(best, lower_end((truthful - odds * (other + self.lost)) * unit))
        return best

    def threshold(self, near: mpq) -> int:
        """The m at which the likelihood ratio of the sums is about e^near."""
        return int((self.span - near / self.mesh) // 2)

    def _events(self, near: mpq) -> list[tuple[fmpz, fmpz]]:
        """Rounded-down probabilities of the events for thresholds around that of ``near``."""
        coefficients = self.weights.scaled.coeffs()
        middle = self.threshold(near) - self.weights.offset
        first = max(0, middle - _NEIGHBOURS)
        truthful = sum(coefficients[:first], fmpz(0))
        start = self.span - 2 * self.weights.offset - first
        other = sum(coefficients[max(0, start + 1) :], fmpz(0))
        events = []
        for place in range(first, min(len(coefficients), middle + _NEIGHBOURS)):
            mirrored = start - (place - first)
            truthful += coefficients[place]
            other += coefficients[mirrored] if 0 <= mirrored < len(coefficients) else 0
            events.append((truthful, other))
        return events


def nearest_cell(epsilon: ExactNumber, mesh: mpq) -> int:
    """The integer nearest to ε/h, exactly; halves go up."""
    return floor_of(epsilon * (1 / mesh) + ExactNumber(mpq(1, 2)))

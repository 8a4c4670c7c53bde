r"""Gaussian mechanisms among randomized responses: the divergence of the whole, from both sides.

Rules of this file: a mixture from above is never below the divergence of any composition with
these parameters; one from below never above that of randomized responses and Gaussian noise.

Theory of operation: if w(L) is the probability that the randomized responses have privacy loss L,
and Gaussian mechanisms compose to one with μ² = Σμ_i², the whole has the divergence

.. math:: D(e^\epsilon) = \sum_L w(L) \, G_\mu(\epsilon - L).

Few atoms are listed, each with its own loss, and D is known to any precision. Many are moved to a
mesh: in :math:`z = e^{-L}` every term is convex and does not rise, so that from above a loss may be
split as in :mod:`exactdp.composition.engines.bracket`; from below every ε_i is rounded down. On a
common grid both are exact. A ρ-zCDP mechanism may be Gaussian noise with μ² = 2ρ, and so that
stands for it from below.

Source: Dong, Roth & Su, J. R. Stat. Soc. B 84(1), 2022, Theorem 3.2 of arXiv:1905.02383; see
``certs/SPEC.md`` for the argument in full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, prod
from typing import Final

from flint import arb, fmpz
from gmpy2 import mpq

from exactdp.arithmetic.comparison import floor_of
from exactdp.arithmetic.enclosures import (
    Ends,
    ball,
    ball_of_rational,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Epsilons
from exactdp.composition.engines.bracket import Leaf, dominating_weights, leaf_size
from exactdp.composition.engines.engine import round_mesh
from exactdp.composition.engines.gaussian.curve import profile_ball
from exactdp.composition.engines.grid import Grid, common_grid, weights_on
from exactdp.composition.engines.weights import Weights
from exactdp.timing.deadlines import asking

_MOST_LISTED = 4096
MOST_EXACT = 8000
_CELLS = 200  # of a standard deviation, at least
_DEVIATIONS = 12
_GUARD_BITS = 32
_PROFILE_COST: Final = 200_000


@dataclass(frozen=True)
class Mixture:
    """Randomized responses, and a Gaussian mechanism.

    Attributes:
        masses: probabilities times 2^bits, rounded down.
        losses: balls of their privacy losses.
        square: μ² of the Gaussian mechanism; 0 for none.
        bits: binary digits after the point of the masses.
    """

    masses: Sequence[fmpz]
    losses: Sequence[arb]
    square: mpq
    bits: int

    @staticmethod
    def listed(epsilons: Epsilons, square: mpq, bits: int) -> Mixture:
        """All atoms, each with its loss."""
        scale = bits + _GUARD_BITS
        leaf = Leaf.of(epsilons, bits, scale)
        with precision(scale + _GUARD_BITS):
            unit = arb(2) ** -scale
            losses = [arb(loss, leaf.slack) * unit for loss in leaf.losses]
        return Mixture(leaf.masses, losses, square, bits)

    @staticmethod
    def above(epsilons: Epsilons, square: mpq, mesh: mpq, bits: int) -> Mixture:
        """Losses split on the mesh."""
        largest, weights = dominating_weights(epsilons, mesh, leaf_size(epsilons), bits)
        return _on_mesh(weights, (largest, 1), mesh, square, bits)

    @staticmethod
    def below(epsilons: Epsilons, square: mpq, mesh: mpq, bits: int) -> Mixture:
        """Every ε rounded down to a multiple of the mesh."""
        counts: Counter[int] = Counter()
        for epsilon, count in epsilons:
            counts[floor_of(epsilon * (1 / mesh))] += count
        del counts[0]
        if not counts:
            return Mixture.listed((), square, bits)
        step = gcd(*counts)  # a grid is as coarse as it can be
        groups_on_grid = tuple(sorted((a // step, count) for a, count in counts.items()))
        grid = Grid(ExactNumber(step * mesh), groups_on_grid)
        return _on_mesh(weights_on(grid, bits), (grid.span, 2), step * mesh, square, bits)

    def divergence(self, epsilon: ExactNumber | mpq) -> Ends:
        """Ends of the mean of the profile; what rounding lost counts as 0, and as 1."""
        with precision(self.bits + _GUARD_BITS):
            size = ball(epsilon) if isinstance(epsilon, ExactNumber) else ball_of_rational(epsilon)
            total = arb(0)
            losses = zip(self.masses, self.losses, strict=True)
            for mass, loss in asking(losses, _PROFILE_COST):
                total += mass * self._profile(size - loss)
            unit = arb(2) ** -self.bits
            lost = (fmpz(1) << self.bits) - sum(self.masses, fmpz(0))
            return max(mpq(0), lower_end(total * unit)), upper_end((total + lost) * unit)

    def _profile(self, epsilon: arb) -> arb:
        if self.square:
            return profile_ball(self.square, epsilon, self.bits)
        return (-epsilon.expm1()).max(arb(0))


def _on_mesh(
    weights: Weights, losses: tuple[int, int], mesh: mpq, square: mpq, bits: int
) -> Mixture:
    """The weight at s has the loss (largest - stride·s)·mesh; ``losses`` is (largest, stride)."""
    largest, stride = losses
    masses = []
    places = []
    with precision(bits + _GUARD_BITS):
        for s, mass in enumerate(weights.scaled.coeffs(), weights.offset):
            if mass != 0:
                masses.append(mass)
                places.append(ball_of_rational((largest - stride * s) * mesh))
    return Mixture(masses, places, square, bits)


def are_few(epsilons: Epsilons) -> bool:
    """Whether all atoms can be listed."""
    return prod(count + 1 for _, count in epsilons) <= _MOST_LISTED


def mesh_of(epsilons: Epsilons) -> mpq:
    """A mesh: the common grid if it is rational and not too fine, else some share of the spread."""
    grid = common_grid(epsilons)
    if grid is not None and grid.unit.is_rational:
        unit = grid.unit.rational
        if exact_cells(epsilons, unit) is not None:
            return unit
    return round_mesh(_spread(epsilons) / _CELLS)


def exact_cells(epsilons: Epsilons, mesh: mpq) -> int | None:
    """About how many cells matter of a mesh that is a common grid; None if it is none, or fine."""
    grid = common_grid(epsilons)
    if grid is None or grid.unit != ExactNumber(mesh):
        return None
    cells = min(mpq(grid.span), _DEVIATIONS * _spread(epsilons) / mesh)
    return int(cells) + 1 if cells <= MOST_EXACT else None


def _spread(epsilons: Epsilons) -> mpq:
    with precision(_GUARD_BITS):
        variance = sum((count * ball(epsilon) ** 2 for epsilon, count in epsilons), arb(0))
        return lower_end(variance.sqrt())

r"""Mixtures as bounds: the least ε for a δ, the δ for an ε, and how near a claim is.

Rules of this file: an upper end comes from a mixture from above, a lower end from one from below.

Theory of operation: what is given by (ε, δ), and a pair (ε', δ') into which ρ was converted, are
randomized responses with failures; Gaussian parts are the kernel. Δ is what failures leave.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Final, Literal

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import ceil_to, floor_to, places_within
from exactdp.arithmetic.enclosures import (
    Ends,
    bits_of,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import CountedEpsilon, Epsilons
from exactdp.composition.engines.gaussian.crossing import crossing
from exactdp.composition.engines.gaussian.mixture import (
    MOST_EXACT,
    Mixture,
    are_few,
    exact_cells,
    mesh_of,
)
from exactdp.composition.problem import Problem

Side = Literal["above", "below"]

_GUARD_BITS: Final = 48
_MOST_BITS: Final = 20_000
_MOST_BITS_ON_A_MESH: Final = 1000
_ATOM_COST: Final = 10**6
_CELL_COST: Final = 15 * 10**4


def merge_equal(epsilons: Epsilons) -> tuple[CountedEpsilon, ...]:
    """Epsilons with the counts of equal ε added."""
    counts: Counter[ExactNumber] = Counter()
    for epsilon, count in epsilons:
        counts[epsilon] += count
    return tuple(counts.items())


@dataclass(frozen=True)
class MixtureBound:
    """A way to bound a composition by a mixture.

    Attributes:
        rule: the rule of the certificate.
        problem: the randomized responses with their failures, and Gaussian noise.
        side: which side the bound is on.
        mesh: where losses stand; None if all atoms are listed.
    """

    rule: str
    problem: Problem
    side: Side
    mesh: mpq | None

    @staticmethod
    def above(problem: Problem) -> MixtureBound:
        """The divergence of mechanisms without ρ, from above."""
        return MixtureBound._of(problem, "above")

    @staticmethod
    def below(problem: Problem) -> MixtureBound:
        """The divergence of randomized responses and Gaussian noise, a ρ as μ² = 2ρ."""
        return MixtureBound._of(problem.attained, "below")

    @staticmethod
    def _of(problem: Problem, side: Side) -> MixtureBound:
        if not problem.epsilons:
            return MixtureBound("gaussian", problem, side, None)
        if are_few(problem.epsilons):
            return MixtureBound("gaussian-mixture", problem, side, None)
        ordered = replace(problem, epsilons=tuple(problem.groups))
        return MixtureBound("gaussian-mesh", ordered, side, mesh_of(problem.epsilons))

    @staticmethod
    def with_pair(problem: Problem, epsilon: mpq, failure: mpq) -> MixtureBound:
        """A problem whose ρ has become one (ε', δ')-DP mechanism, from above.

        It is the last of all in the verifier's order, wherever its text would stand.
        """
        epsilons = merge_equal((*problem.groups, (ExactNumber(epsilon), 1)))
        deltas = (*problem.deltas, (failure, 1))
        paired = replace(problem, epsilons=epsilons, deltas=deltas, rho=mpq(0))
        return MixtureBound("zcdp-pair", paired, "above", mesh_of(epsilons))

    @property
    def is_exact(self) -> bool:
        """Whether more bits make the bound as near to the truth as one likes."""
        return self.mesh is None

    @property
    def predicted_cost(self) -> int | None:
        """About how many nanoseconds an end takes, and its check; None if a mesh leaves a gap."""
        epsilons = self.problem.epsilons
        if self.mesh is None:
            return _ATOM_COST * prod(count + 1 for _, count in epsilons)
        cells = exact_cells(epsilons, self.mesh)
        return None if cells is None else _CELL_COST * cells

    @property
    def least_cost(self) -> int:
        """About how many nanoseconds an end takes at least, on a mesh that may leave a gap."""
        known = self.predicted_cost if self.problem.epsilons else 0
        return _CELL_COST * MOST_EXACT if known is None else known

    @property
    def _most_bits(self) -> int:
        return _MOST_BITS if self.is_exact else _MOST_BITS_ON_A_MESH

    @cached_property
    def _mixtures(self) -> dict[int, Mixture]:
        return {}

    def mixture(self, bits: int) -> Mixture:
        """The mixture at so many bits; kept."""
        if bits not in self._mixtures:
            self._mixtures[bits] = self._build(bits)
        return self._mixtures[bits]

    def _build(self, bits: int) -> Mixture:
        epsilons, square = self.problem.epsilons, self.problem.square
        if self.mesh is None:
            return Mixture.listed(epsilons, square, bits)
        build = Mixture.above if self.side == "above" else Mixture.below
        return build(epsilons, square, self.mesh, bits)

    def least_epsilon(self, delta: mpq, tolerance: mpq) -> mpq:
        """A decimal ε on the safe side of where the divergence meets Δ > 0.

        From above, (ε, δ) holds there; from below, it does not, unless ε is 0.
        """
        places = places_within(tolerance) + 1
        allowed = self.problem.allowed(delta).ball(bits_of(1 / tolerance) + _GUARD_BITS)
        times = 2 if self.is_exact else 1  # what is on a mesh is not that near anyway
        bits = bits_of(1 / lower_end(allowed)) + times * bits_of(1 / tolerance)
        mixture = self.mixture(bits + _GUARD_BITS // 2)
        if self.side == "above":
            _, high = crossing(
                lambda e: mixture.divergence(e)[1], lower_end(allowed), tolerance / 4
            )
            return ceil_to(high, places)
        low, _ = crossing(lambda e: mixture.divergence(e)[0], upper_end(allowed), tolerance / 4)
        return floor_to(low, places)

    def profile(self, epsilon: ExactNumber, tolerance: mpq) -> Ends:
        """Ends of 1 - ∏(1 - δ_i)·(1 - D(e^ε)), to a relative width if the bound is exact."""
        bits = bits_of(1 / tolerance) + 64
        while True:
            with precision(bits + _GUARD_BITS):
                divergence = self.mixture(bits).divergence(epsilon)
                low, high = self.problem.with_failures(divergence)
            if high - low <= tolerance * low or bits > self._most_bits:
                return low, high
            bits *= 2

    def slack(self, epsilon: ExactNumber, delta: mpq) -> mpq:
        """By how much the bound proves its side at ε: > 0 if it does, by at least this."""
        allowed = self.problem.allowed(delta)
        if allowed.sign <= 0:
            return mpq(-1)
        bits = bits_of(1 / lower_end(allowed.ball(64))) + _GUARD_BITS
        while True:
            ends = self.mixture(bits).divergence(epsilon)
            ball = allowed.ball(bits)
            above = lower_end(ball) - ends[1]
            below = ends[0] - upper_end(ball)
            slack, other = (above, below) if self.side == "above" else (below, above)
            if slack > 0 or other > 0 or bits > _MOST_BITS:
                return slack
            if not self.is_exact and bits > bits_of(1 / lower_end(ball)) + 4 * _GUARD_BITS:
                return slack
            bits *= 2

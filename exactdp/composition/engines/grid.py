r"""Optimal composition on a grid: all ε_i are integer multiples of one unit.

Theory of operation: if :math:`\epsilon_i = a_i \epsilon_0`, the privacy loss is
:math:`(A - 2s)\epsilon_0` with :math:`A = \sum a_i`, and the probability of s is the coefficient
of :math:`X^s` in :math:`\prod_i (p_i + (1-p_i) X^{a_i})`, :math:`p_i = 1/(1+e^{-\epsilon_i})`:
the counts N(s) of Murtagh and Vadhan, each times :math:`e^{-s\epsilon_0}`, as a probability.
Few mechanisms are counted exactly: N(s) has at most as many bits as there are mechanisms. Where
that is longer than a rounded probability is, the coefficients are rounded down to ``bits`` binary
digits after every product, and zeros are cut from both ends, so that only the part that matters is
computed; equal mechanisms alone are one binomial block then, otherwise the factors are raised to
their counts by shared squarings. One product answers every threshold.

Sources: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5 and section 5.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpz_poly
from gmpy2 import gcd, lcm, mpq

from exactdp.arithmetic.comparison import multiple_of
from exactdp.arithmetic.enclosures import ball, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Epsilons
from exactdp.composition.engines.binomial import answer, block
from exactdp.composition.engines.loss_distribution import EvenLosses, LossDistribution
from exactdp.composition.engines.sharing import shared
from exactdp.composition.engines.weights import Weights, product, product_of_powers

_GUARD_BITS = 64
_LONGER = 3  # counts that are so much longer cost as much: they are not rounded, and have no tails


@dataclass(frozen=True, slots=True)
class Grid:
    """Mechanisms on a grid.

    Attributes:
        unit: ε₀ > 0.
        multiples: pairs (a, count), a >= 1, distinct and increasing.
    """

    unit: ExactNumber
    multiples: tuple[tuple[int, int], ...]

    @property
    def mechanisms(self) -> int:
        """The number of mechanisms."""
        return sum(count for _, count in self.multiples)

    @property
    def span(self) -> int:
        """A: the sum of all a_i."""
        return sum(a * count for a, count in self.multiples)

    def counts_fit(self, bits: int) -> bool:
        """Whether counts are no longer than is worth while beside weights of ``bits`` digits."""
        return self.mechanisms <= _LONGER * bits

    def multiple(self, epsilon: ExactNumber) -> int:
        """The integer a with ε = a·unit, for an ε that lies on the grid."""
        factor = multiple_of(epsilon, self.unit)
        if factor is None or factor.denominator != 1:
            message = f"{epsilon} is no multiple of {self.unit}"
            raise ValueError(message)
        return int(factor)


def common_grid(epsilons: Epsilons) -> Grid | None:
    """The coarsest grid that holds all epsilons, or None if there is none.

    Args:
        epsilons: pairs (ε > 0, count), at least one.

    >>> grid = common_grid([(ExactNumber.parse("0.4"), 1), (ExactNumber.parse("0.6"), 2)])
    >>> str(grid.unit), grid.multiples
    ('1/5', ((2, 1), (3, 2)))
    """
    unit, factors = _multiples(epsilons)
    if unit is None:
        return None
    below = lcm(*(factor.denominator for factor in factors))
    above = [factor.numerator * (below // factor.denominator) for factor in factors]
    step = gcd(*above)
    counts: dict[int, int] = {}
    for multiple, (_, count) in zip(above, epsilons, strict=True):
        a = int(multiple // step)
        counts[a] = counts.get(a, 0) + count
    return Grid(unit * mpq(step, below), tuple(sorted(counts.items())))


def _multiples(epsilons: Epsilons) -> tuple[ExactNumber | None, list[mpq]]:
    """A number of which all epsilons are rational multiples, and these; None if there is none."""
    if all(epsilon.is_rational for epsilon, _ in epsilons):
        return ExactNumber(mpq(1)), [epsilon.rational for epsilon, _ in epsilons]
    unit, factors = epsilons[0][0], []
    for epsilon, _ in epsilons:
        factor = multiple_of(epsilon, unit)
        if factor is None:  # of many the second mostly, for which few logarithms are written out
            return None, []
        factors.append(factor)
    return unit, factors


def loss_distribution(grid: Grid, bits: int) -> LossDistribution:
    """The privacy loss distribution at ``bits`` binary digits."""
    if grid.counts_fit(bits):
        return EvenLosses.of_counts(_counts(grid), grid.unit, bits)
    return EvenLosses.of_weights(weights_on(grid, bits), grid.span, 2, grid.unit, bits)


def _counts(grid: Grid) -> fmpz_poly:
    """The counts N(s) of the sums of untruthful answers, in units of ε₀."""
    size = (grid.span + 1) * (grid.mechanisms + 64) // 8
    return shared(("counts", grid.multiples), size, lambda: _product_of_groups(grid))


def _product_of_groups(grid: Grid) -> fmpz_poly:
    return product([Weights(0, _group(a, count)) for a, count in grid.multiples], 0).scaled


def _group(a: int, count: int) -> fmpz_poly:
    """The counts of a group of equal mechanisms: (1 + X^a)^count."""
    size = (a * count + 1) * (count + 64) // 8
    one = fmpz_poly([1])
    return shared(("group", a, count), size, lambda: (1 + one.left_shift(a)) ** count)


def weights_on(grid: Grid, bits: int) -> Weights:
    """The probabilities of the sums of untruthful answers, in units of ε₀."""
    size = (grid.span + 1) * (bits + 64) // 8
    return shared(("weights", grid, bits), size, lambda: _weights_on(grid, bits))


def _weights_on(grid: Grid, bits: int) -> Weights:
    with precision(bits + _GUARD_BITS + 2 * grid.span.bit_length()):
        unit = ball(grid.unit)
        if len(grid.multiples) == 1:
            [(a, count)] = grid.multiples  # a is 1: the unit is the coarsest
            return block((-a * unit).exp(), count, bits)
        factors = [(answer((-a * unit).exp(), a, bits), count) for a, count in grid.multiples]
    return product_of_powers(factors, bits)

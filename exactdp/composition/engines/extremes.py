r"""Extremes: the greatest privacy loss of mechanisms by their noise, and the mass at infinity.

Rules of this file: every law is answered for by its class, and another is an error; what has no
greatest loss says so. Sums are exact; where no closed form is in the grammar, they are enclosed.

Theory of operation: a record is removed or added, and in each of these directions a mechanism has
a mass m at infinity (the probability of answers that the other input never gives) and a greatest
finite loss l, if there is one. Losses add, and all of them may be greatest at once. So the privacy
profile of a composition falls to 1 - ∏(1 - δ_i)∏(1 - m_i) and no further; it does so at Σl_i if
every l_i exists, and never else. A mechanism by its ε has l = ε, one of bounded range has losses
as near to its range as one likes. On a Poisson sample of rate q a loss l becomes
F(l, q) = ln(1 - q + q·e^l) where the record is with P, and -ln(1 - q + q·e^{-l}), which is
l - F(l, 1 - q), where it is with Q. Where a record of bounded range gives way to another, the first
is the greatest, as the other may have no influence; noise on a sum has both at once, which is
l + F(l, q) - F(l, 1 - q), and l where q is 1/2.

Sources: Zhu, Dong & Wang, AISTATS 2022, Theorems 10 and 11; Murtagh & Vadhan, Theory of Computing
14(8), 2018, Theorem 1.5 (failures).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.comparison import compare, sign
from exactdp.arithmetic.decimal_text import ceil_to, enclose_in_decimals, floor_to
from exactdp.arithmetic.enclosures import ball, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.problem import Problem
from exactdp.errors import CostLimitError
from exactdp.mechanisms.pairs import CountedPair, Direction, SampledLoss

_FIRST_BITS: Final = 128
_MOST_BITS: Final = 2**16
_ZERO: Final = ExactNumber(mpq(0))


@dataclass(frozen=True)
class Extreme:
    """The extremes of a composition in one direction.

    Attributes:
        exact: of the sum of the greatest losses, what is in the grammar.
        sampled: the rest, with counts other than 0.
        is_bounded: whether every mechanism has a greatest loss.
        masses: the δ and the masses at infinity, above 0, with their counts.
        mechanisms: how many mechanisms there are.
    """

    exact: ExactNumber
    sampled: tuple[tuple[SampledLoss, int], ...]
    is_bounded: bool
    masses: tuple[tuple[mpq, int], ...]
    mechanisms: int

    @property
    def is_certain(self) -> bool:
        """Whether some mechanism gives answers alone that the other input never gives."""
        return any(mass == 1 for mass, _ in self.masses)

    @cached_property
    def problem(self) -> Problem:
        """What fails, whatever ε is, as the δ of a problem."""
        return Problem((), ((mpq(1), 1),) if self.is_certain else self.masses, self.mechanisms)

    def beyond(self, delta: mpq) -> int:
        """The sign of what δ, below 1, leaves beside the mass at infinity, exactly."""
        if self.is_certain:
            return -1
        return self.problem.allowed(delta).sign

    def compared(self, epsilon: ExactNumber) -> int:
        """-1, 0 or 1 as ε is below, equal to or above the sum of the greatest losses.

        A sum with samples left in it equals no number of the grammar: with T a root of e, such a
        number is that of a constant times a power of T, and T is transcendental (Lindemann); but
        the polynomials 1 - q + q·T^a of different a and q have a zero each that is none of those
        of their size and of a smaller a, so that no product of their powers is such a term.

        Raises:
            CostLimitError: they are too near to each other to tell.
        """
        if not self.sampled:
            return compare(epsilon, self.exact)
        bits = _FIRST_BITS
        while bits <= _MOST_BITS:
            with precision(bits):
                difference = ball(epsilon) - self._ball()
            if difference > 0 or difference < 0:
                return 1 if difference > 0 else -1
            bits *= 2
        raise CostLimitError(
            field="epsilon",
            value=str(epsilon),
            expected="an ε that differs from the sum of the greatest privacy losses by more",
        )

    def ends(self, places: int) -> tuple[mpq, mpq]:
        """Decimals around the sum of the greatest losses, at least 0."""
        if not self.sampled:
            low, high = enclose_in_decimals(self.exact, places)
            return max(mpq(0), low), max(mpq(0), high)
        bits = 4 * places + _FIRST_BITS
        while True:
            with precision(bits):
                value = self._ball()
            low, high = floor_to(lower_end(value), places), ceil_to(upper_end(value), places)
            if high - low <= mpq(2, mpz(10) ** places):
                return max(mpq(0), low), max(mpq(0), high)
            bits *= 2

    @property
    def closed_form(self) -> ExactNumber | None:
        """The least ε >= 0 that no loss exceeds, where it is in the grammar."""
        if self.sampled:
            return None
        return self.exact if sign(self.exact) > 0 else _ZERO

    def _ball(self) -> arb:
        return sum((count * each.ball() for each, count in self.sampled), ball(self.exact))


def extremes_of(laws: DominatingPairs) -> tuple[Extreme, ...]:
    """The extremes of a composition: of removal, and of adding a record where that differs."""
    is_bounded = not laws.rho and all(map(_says_nothing, laws.listed))
    return tuple(
        _extreme(laws, direction, laws.known(), is_bounded=is_bounded)
        for direction in laws.directions
    )


def attained_extremes_of(laws: DominatingPairs) -> tuple[Extreme, ...]:
    """The extremes that some composition has: of what is known by divergences, none.

    Of a range losses come near to all of it in the direction that a tilt favours.
    """
    tilts = ((direction, mpq(direction == "remove")) for direction in laws.directions)
    return tuple(
        _extreme(laws, direction, laws.below(tilt), is_bounded=not laws.rho)
        for direction, tilt in tilts
    )


def worst_of(extremes: tuple[Extreme, ...]) -> tuple[Extreme, ...]:
    """The directions with the greatest mass at infinity: one, or both where it is the same."""
    worst = extremes[:1]
    for each in extremes[1:]:
        order = _compared_masses(each, worst[0])
        worst = (*worst, each) if order == 0 else (each,) if order > 0 else worst
    return worst


def _compared_masses(left: Extreme, right: Extreme) -> int:
    """-1, 0 or 1 as the mass of ``left`` is below, equal to or above that of ``right``."""
    if left.is_certain or right.is_certain:
        return left.is_certain - right.is_certain
    return compare(right.problem.log_no_failure, left.problem.log_no_failure)


def _extreme(
    laws: DominatingPairs,
    direction: Direction,
    pairs: Sequence[CountedPair],
    *,
    is_bounded: bool,
) -> Extreme:
    rational, terms = mpq(0), list[tuple[mpq, mpq]]()
    sampled, masses = Counter[SampledLoss](), Counter[mpq]()
    for delta, count in laws.failures:
        masses[delta] += count
    for pair, count in pairs:
        loss, mass = (
            pair.greatest_loss(direction),
            pair.mass_at_infinity(direction),
        )
        if mass:
            masses[mass] += count
        if loss is None:
            is_bounded = False
            continue
        rational += loss.exact.rational * count
        terms += [(coefficient * count, ratio) for coefficient, ratio in loss.exact.logs]
        for each, times in loss.sampled:
            sampled[each] += times * count
    return Extreme(
        ExactNumber.combine(rational, terms),
        tuple((each, count) for each, count in sampled.items() if count),
        is_bounded,
        tuple(sorted(masses.items())),
        sum(count for _, count in laws.subject.mechanisms),
    )


def _says_nothing(listed: tuple[tuple[tuple[mpq, mpq], ...], int]) -> bool:
    """Whether Rényi divergences show that two laws are equal: one of them is 0."""
    return any(not bound for _, bound in listed[0])

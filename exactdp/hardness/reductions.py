r"""The hardness chain: counting multiplicative partitions with nothing but privacy profiles.

Purpose: the reductions #INT-PARTITION ≤ #PARTITION ≤ #T-PARTITION ≤ #SUM-PARTITION ≤ OptComp, as
functions from instances to instances, and the answer carried back. They show that an exact
algorithm for optimal composition counts partitions, which is #P-complete; and they test the engine
where it hurts, for the answers lie exponentially close.

Rules of this file: an instance is solved only by the next reduction; the one oracle is the privacy
profile. What comes back is an enclosure, and becomes a count only if it holds one integer.

Theory of operation: for integers z_1, …, z_k >= 1 and a divisor d let w_i = z_i^{1/d}, so that
ln w_i = (ln z_i)/d can be made as small as one likes. For a set P of indices write A_P for the
product of the w_i in P and B_P for that of the others.

1. #INT-PARTITION counts the P whose z-products inside and outside are equal; #PARTITION counts
   those with A_P = B_P. They are the same sets.
2. #T-PARTITION counts those with A_P - B_P = T > 0. As A_P·B_P is the product of all w_i, the
   difference T fixes both: A_P = A*, B_P = B*. A set has these products only if M = (A*)^{2d} is
   the square of an integer, its z-product, so that M says what T says. For partitions let c be a
   prime that divides no z_i, put c^{1/d} with the weights, and let A* = c^{1/d}·B*, where B* is the
   square root of the product of the old w_i. A set with these products has c inside, and balances
   the old weights: on the other side c would have to divide a z_i.
3. #SUM-PARTITION asks for S(r) = Σ_P max(A_P - r·B_P, 0), which is convex and linear between the
   ratios A_P/B_P. Its slope falls by B* at r* = A*/B* for each set that is counted. Two thresholds
   on either side of r*, so close that no other ratio lies between them, give both slopes: four
   questions. How close: with x the z-product inside P, (A_P/B_P)^d = x²/∏z_i, and (r*)^d = M/∏z_i.
   Unless x² = M, the two differ by at least ln(1 + 1/M) >= 1/(M + 1) in their logarithms, hence
   the ratio A_P/B_P and r* by g = 1/(d(M + 1)). For the same reason r* is that far above 1.
4. With ε_i = ln w_i and y = r >= 1, S(r) = D(r)·∏(1 + w_i): a point of the privacy profile.

Sources: Murtagh & Vadhan, Theory of Computing 14(8), 2018, section 4. The gap g and the thresholds
are worked out here. (With all z_i = 1 all 2^k sets are partitions; TCC 2016, Lemma 4.10, leaves
out two of them.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from math import gcd, prod
from typing import Final, SupportsIndex

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import Ends, ball, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber, integer_of
from exactdp.composition.answers.profile import profile
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.errors import CostLimitError, DomainError, InputError, InternalError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism
from exactdp.readable import Readable

MOST_BITS: Final = 14_000
MOST_DIVISOR: Final = 10**9
_GUARD_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class IntPartition:
    """#INT-PARTITION: how many sets have the same product inside and outside?

    Attributes:
        integers: z_i >= 1.
    """

    integers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Partition:
    """#PARTITION of the real weights w_i = z_i^{1/d} >= 1: how many sets have A_P = B_P?"""

    integers: tuple[int, ...]
    divisor: int

    @property
    def logarithms(self) -> tuple[ExactNumber, ...]:
        """The logarithms of the weights."""
        return tuple(ExactNumber.ln(z) * mpq(1, self.divisor) for z in self.integers)


@dataclass(frozen=True, slots=True)
class TPartition:
    """#T-PARTITION: how many sets have A_P - B_P = T = A* - B*?

    Attributes:
        weights: the weights.
        square: M = (A*)^{2d}, above the product of the integers.
    """

    weights: Partition
    square: int

    @property
    def smaller(self) -> ExactNumber:
        """The logarithm of B*, which is N²/M to the power 1/(2d)."""
        whole = prod(self.weights.integers)
        return ExactNumber.ln(mpq(whole**2, self.square)) * mpq(1, 2 * self.weights.divisor)

    @property
    def threshold(self) -> ExactNumber:
        """The logarithm of r* = A*/B*, which is M/N to the power 1/d."""
        whole = prod(self.weights.integers)
        return ExactNumber.ln(mpq(self.square, whole)) * mpq(1, self.weights.divisor)

    @property
    def gap(self) -> mpq:
        """A distance g > 0 within which of ln r* lies no logarithm of another ratio A_P/B_P."""
        return mpq(1, self.weights.divisor * (self.square + 1))


@dataclass(frozen=True, slots=True)
class SumPartition:
    """#SUM-PARTITION: what is S(r) = Σ_P max(A_P - r·B_P, 0)?

    Attributes:
        weights: the w_i.
        threshold: r >= 1, rational.
        tolerance: the greatest width of the answer, relative to ∏(1 + w_i).
    """

    weights: Partition
    threshold: mpq
    tolerance: mpq


@dataclass(frozen=True, slots=True)
class Counted(Readable):
    """The answer to an instance, and what it took.

    Attributes:
        count: how many partitions there are.
        oracle_calls: how many points of a privacy profile were asked for.
        enclosure: the ends that hold no other integer.
    """

    count: int
    oracle_calls: int
    enclosure: Ends

    def facts(self) -> list[tuple[str, str]]:
        """The count, and what it took."""
        return [("partitions", str(self.count)), ("points asked", str(self.oracle_calls))]


def count_partitions(
    integers: Sequence[SupportsIndex], *, divisor: int = 1, max_cost: int = DEFAULT_MAX_COST
) -> Counted:
    """How many of the 2^k sets of ``integers`` have the same product as their complement.

    Args:
        integers: z_i >= 1, of at most 14 000 bits together.
        divisor: d >= 1: the privacy parameters are ε_i = (ln z_i)/d.
        max_cost: as for :func:`exactdp.compose`.

    Raises:
        InputError: something that is not an integer.
        DomainError: an integer out of range.
        CostLimitError: the profile would exceed the limits.

    >>> count_partitions([2, 3, 6]).count
    2
    """
    instance = IntPartition(_checked(integers))
    oracle = Oracle(max_cost)
    ends = solve_int_partition(instance, _checked_divisor(divisor), oracle)
    return Counted(_only_integer(ends), oracle.calls, ends)


def count_sets_at(
    integers: Sequence[SupportsIndex],
    inside: int,
    *,
    divisor: int = 1,
    max_cost: int = DEFAULT_MAX_COST,
) -> Counted:
    """How many sets of d-th roots have the difference T = j^{1/d} - (N/j)^{1/d}: #T-PARTITION.

    No other T > 0 is the difference of a set, as its product inside is the root of an integer j.

    Args:
        integers: z_i >= 1, with the product N.
        inside: j, whose square is above N.
        divisor: d, as for :func:`count_partitions`, which also says what is raised.
        max_cost: as for :func:`exactdp.compose`.

    >>> count_sets_at([2, 3, 6], 12).count
    1
    """
    weights = Partition(_checked(integers), _checked_divisor(divisor))
    whole, [j] = prod(weights.integers), _checked([inside])
    if j * j <= whole:
        raise DomainError(field="inside", value=j, expected="an integer with j² > ∏ z_i, as T > 0")
    oracle = Oracle(max_cost)
    ends = solve_t_partition(TPartition(weights, j * j), oracle)
    return Counted(_only_integer(ends), oracle.calls, ends)


class Oracle:
    """The privacy profile, and how often it was asked."""

    def __init__(self, max_cost: int = DEFAULT_MAX_COST) -> None:
        self.calls = 0
        self._max_cost = max_cost

    def divergences(
        self, weights: Partition, thresholds: Sequence[mpq], tolerance: mpq
    ) -> list[Ends]:
        """D(r) of randomized responses with odds w_i at each r; relative to D, so narrow."""
        self.calls += len(thresholds)
        mechanisms = tuple(Mechanism(epsilon) for epsilon in weights.logarithms)
        ledger = Ledger(mechanisms, empty=not mechanisms)
        points = profile(
            ledger,
            epsilon=[ExactNumber.ln(r) for r in thresholds],
            tolerance=tolerance,
            max_cost=self._max_cost,
        )
        return [(point.lower_end, point.upper_end) for point in points]


# --- the reductions -----------------------------------------------------------------------------


def to_partition(instance: IntPartition, divisor: int) -> Partition:
    """#INT-PARTITION ≤ #PARTITION: roots of the integers balance as the integers do."""
    return Partition(instance.integers, divisor)


def to_t_partition(instance: Partition) -> TPartition:
    """#PARTITION ≤ #T-PARTITION: one more weight, that of a prime which divides no other."""
    product = prod(instance.integers)
    prime = next(c for c in count(2) if gcd(c, product) == 1)  # the least such c is prime
    return TPartition(Partition((*instance.integers, prime), instance.divisor), prime**2 * product)


def to_sum_partitions(instance: TPartition) -> tuple[SumPartition, ...]:
    """#T-PARTITION ≤ #SUM-PARTITION: two thresholds below r*, two above, none other between."""
    gap = instance.gap
    # at this precision the rational near r* is off by less than gap/16
    with precision(gap.denominator.bit_length() + _GUARD_BITS):
        near = lower_end(ball(instance.threshold).exp())
        whole = upper_end(_one_more_each(instance.weights))
        smaller = lower_end(ball(instance.smaller).exp())
    # a slope is a difference of two sums over near·gap/2; four errors must stay below B*/2
    tolerance = near * gap * smaller / (16 * whole)
    return tuple(
        SumPartition(instance.weights, near * (1 + side * gap / 4), tolerance)
        for side in (-3, -1, 1, 3)
    )


def solve_sum_partitions(instances: Sequence[SumPartition], oracle: Oracle) -> list[Ends]:
    """#SUM-PARTITION ≤ OptComp: S(r) = D(r)·∏(1 + w_i), for instances with the same weights."""
    weights, tolerance = instances[0].weights, instances[0].tolerance
    divergences = oracle.divergences(weights, [each.threshold for each in instances], tolerance)
    with precision(tolerance.denominator.bit_length() + _GUARD_BITS):
        whole = _one_more_each(weights)
        low, high = lower_end(whole), upper_end(whole)
    return [(below * low, above * high) for below, above in divergences]


# --- the answers, carried back ------------------------------------------------------------------


def solve_int_partition(instance: IntPartition, divisor: int, oracle: Oracle) -> Ends:
    """The number of partitions, enclosed."""
    return solve_partition(to_partition(instance, divisor), oracle)


def solve_partition(instance: Partition, oracle: Oracle) -> Ends:
    """The number of balanced sets, enclosed."""
    return solve_t_partition(to_t_partition(instance), oracle)


def solve_t_partition(instance: TPartition, oracle: Oracle) -> Ends:
    """The number of sets with A_P - B_P = T: by how much the slope of S falls at r*, over B*."""
    questions = to_sum_partitions(instance)
    answers = solve_sum_partitions(questions, oracle)
    before, after = (_fall(questions[i : i + 2], answers[i : i + 2]) for i in (0, 2))
    with precision(instance.gap.denominator.bit_length() + _GUARD_BITS):
        smaller = ball(instance.smaller).exp()
        low, high = lower_end(smaller), upper_end(smaller)
    least, most = before[0] - after[1], before[1] - after[0]
    return least / (high if least > 0 else low), most / (low if most > 0 else high)


def _fall(questions: Sequence[SumPartition], answers: Sequence[Ends]) -> Ends:
    """How steeply S falls between two thresholds, enclosed."""
    (left, right), (first, second) = questions, answers
    width = right.threshold - left.threshold
    return (first[0] - second[1]) / width, (first[1] - second[0]) / width


def _one_more_each(weights: Partition) -> arb:
    """A ball of ∏(1 + w_i), at the precision of the context."""
    product = arb(1)
    for logarithm in weights.logarithms:
        product *= 1 + ball(logarithm).exp()
    return product


def _only_integer(ends: Ends) -> int:
    """The one integer that an enclosure holds."""
    low, high = -(-ends[0] // 1), ends[1] // 1
    if low != high:
        raise InternalError(
            field="partitions",
            value=f"an enclosure of {low} to {high}",
            expected="an enclosure that holds one integer",
        )
    return int(low)


def _checked_divisor(divisor: int) -> int:
    if type(divisor) is not int or not 1 <= divisor <= MOST_DIVISOR:
        raise DomainError(field="divisor", value=divisor, expected="an integer from 1 to 10^9")
    return divisor


def _checked(integers: Sequence[SupportsIndex]) -> tuple[int, ...]:
    found = []
    for index, given in enumerate(integers):
        z, path, expected = integer_of(given), f"integers[{index}]", "integers at least 1"
        if z is None:
            raise InputError(field="integers", value=given, path=path, expected=expected)
        if z < 1:
            raise DomainError(field="integers", value=z, path=path, expected=expected)
        found.append(z)
    bits = sum(z.bit_length() for z in found)
    if bits > MOST_BITS:
        raise CostLimitError(
            field="integers",
            value=f"{len(integers)} integers of {bits} bits",
            expected=f"integers of at most {MOST_BITS} bits together",
            remedy="the partitions of larger integers lie closer than the profile resolves",
        )
    return tuple(found)

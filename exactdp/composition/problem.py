r"""What the engines need to know of a ledger: epsilons and deltas with their counts.

Theory of operation: D depends only on the positive ε_i, as a multiset; Δ only on the δ_i.
Mechanisms with ε = 0 leave D alone and those with δ = 0 leave Δ alone: each is kept where
it counts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.decimal_text import short_text
from exactdp.arithmetic.enclosures import (
    ball,
    ball_of_rational,
    bits_of,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber

if TYPE_CHECKING:
    from exactdp.ledger.model import Ledger

_EXACT_DELTA_BITS = 2**17


@dataclass(frozen=True)
class Problem:
    """A composition to be solved.

    Attributes:
        epsilons: pairs (ε, count) with distinct normal forms, ε > 0 in nats.
        deltas: pairs (δ, count) with distinct 0 < δ < 1.
        mechanisms: k, counting those that are in neither.
    """

    epsilons: tuple[tuple[ExactNumber, int], ...]
    deltas: tuple[tuple[mpq, int], ...]
    mechanisms: int

    def __reduce__(self) -> tuple[object, ...]:
        """A copy has the parameters, and finds for itself what follows from them."""
        return Problem, (self.epsilons, self.deltas, self.mechanisms)

    @staticmethod
    def of(ledger: Ledger) -> Problem:
        """The problem that a ledger states, with equal parameters merged.

        It is the same for mechanisms that are interleaved: that is what the theorems of concurrent
        composition say.

        Raises:
            UnsupportedError: a mechanism is given by ρ or μ.
        """
        counts: Counter[ExactNumber] = Counter()
        failures: Counter[mpq] = Counter()
        for mechanism in ledger.approximate():
            counts[mechanism.epsilon] += mechanism.count
            failures[mechanism.delta] += mechanism.count
        epsilons = sorted(
            ((e, c) for e, c in counts.items() if sign(e) > 0),
            key=lambda pair: (pair[0].rational, pair[0].logs),
        )
        deltas = sorted((d, c) for d, c in failures.items() if d)
        return Problem(tuple(epsilons), tuple(deltas), sum(counts.values()))

    @property
    def groups(self) -> list[tuple[ExactNumber, int]]:
        """The ε in the order in which a statement has them, that of their texts."""
        return sorted(self.epsilons, key=lambda group: str(group[0]))

    @cached_property
    def total_epsilon(self) -> ExactNumber:
        """Σ ε_i, the answer of basic composition."""
        rational = mpq(0)
        terms: list[tuple[mpq, mpq]] = []
        for epsilon, count in self.epsilons:
            rational += epsilon.rational * count
            terms += [(c * count, r) for c, r in epsilon.logs]
        return ExactNumber.combine(rational, terms)

    @cached_property
    def log_no_failure(self) -> ExactNumber:
        """Σ ln(1 - δ_i), exactly, in symbols."""
        return ExactNumber.combine(mpq(0), [(mpq(count), 1 - d) for d, count in self.deltas])

    @property
    def no_failure(self) -> mpq | None:
        """∏ (1 - δ_i) exactly, or None if its digits would be too many to be of use."""
        size = sum(
            count * (d.numerator.bit_length() + 2 * d.denominator.bit_length())
            for d, count in self.deltas
        )
        if size > _EXACT_DELTA_BITS:
            return None
        product = mpq(1)
        for d, count in self.deltas:
            product *= (1 - d) ** count
        return product

    def no_failure_ball(self) -> arb:
        """A ball of ∏ (1 - δ_i), at the precision of the context."""
        return self.log_no_failure_ball().exp()

    def log_no_failure_ball(self) -> arb:
        """A ball of Σ ln(1 - δ_i), with full relative precision however small the δ_i."""
        return sum((count * (-ball_of_rational(d)).log1p() for d, count in self.deltas), arb(0))

    def least_feasible_delta(self, tolerance: mpq) -> tuple[mpq, mpq]:
        """Ends of 1 - ∏(1 - δ_i), to a relative width; equal where it has few digits."""
        no_failure = self.no_failure
        if no_failure is not None:
            return 1 - no_failure, 1 - no_failure
        with precision(bits_of(1 / tolerance) + 64):
            failure = -self.log_no_failure_ball().expm1()
            return lower_end(failure), upper_end(failure)

    def allowed(self, delta: mpq) -> AllowedDivergence:
        """Δ for a global δ < 1."""
        return AllowedDivergence(self, delta)


@dataclass(frozen=True)
class AllowedDivergence:
    r""":math:`\Delta = 1 - (1-\delta_g)/\prod_i (1-\delta_i)`, what δ_g leaves for D(y).

    The sign is decided exactly, by comparing logarithms in symbols; the value is enclosed with any
    relative precision: nowhere is 1 - δ rounded.
    """

    problem: Problem
    delta: mpq

    @cached_property
    def sign(self) -> int:
        """The sign of Δ, exactly. Negative: infeasible. Zero: only basic composition holds."""
        if not self.problem.deltas:
            return int(self.delta > 0)
        return sign(self.problem.log_no_failure - ExactNumber.ln(1 - self.delta))

    @property
    def exact(self) -> mpq | None:
        """Δ as a fraction, or None if its digits would be too many to be of use."""
        no_failure = self.problem.no_failure
        return None if no_failure is None else 1 - (1 - self.delta) / no_failure

    def ball(self, bits: int) -> arb:
        """A ball of Δ, not 0, with about ``bits`` bits of relative precision."""
        if not self.problem.deltas:
            with precision(bits):
                return ball_of_rational(self.delta)
        working = bits + 32
        while True:
            with precision(working):
                logarithm = (-ball_of_rational(self.delta)).log1p()
                value = -(logarithm - self.problem.log_no_failure_ball()).expm1()
                if value.rel_accuracy_bits() >= bits:
                    return value
            working *= 2


def feasible_delta_text(problem: Problem) -> str:
    """The least feasible δ, 1 - ∏(1 - δ_i), exactly: a fraction, or a product in closed form."""
    exact = problem.no_failure
    if exact is not None:
        return short_text(1 - exact)
    factors = [f"({1 - d})" if count == 1 else f"({1 - d})^{count}" for d, count in problem.deltas]
    return "1 - " + "*".join(factors)


def ball_of_odds(epsilon: ExactNumber) -> arb:
    """A ball of e^ε, at the precision of the context; exact where ε is the log of a rational."""
    odds = epsilon.rational_odds()
    return ball(epsilon).exp() if odds is None else ball_of_rational(odds)

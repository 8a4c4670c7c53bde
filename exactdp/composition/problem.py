r"""Problems: what the engines need to know of a ledger.

Theory of operation: D depends only on the positive ε_i, as a multiset; Δ only on the δ_i.
Mechanisms with ε = 0 leave D alone and those with δ = 0 leave Δ alone: each is kept where
it counts. ρ adds up, and so does μ²; both sums are exact rationals. Each mechanism by (ε, δ) is
ε-DP unless it fails, and what is left to the rest is Δ = 1 - (1 - δ)/∏(1 - δ_i).

Sources: Bun & Steinke, TCC 2016-B, Lemma 1.7 and Propositions 1.4, 1.6; Dong, Roth & Su, J. R.
Stat. Soc. B 84(1), 2022, Corollary 3.3 of arXiv:1905.02383; Kairouz, Oh & Viswanath, ICML 2015.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.decimal_text import short_text
from exactdp.arithmetic.enclosures import (
    Ends,
    ball,
    ball_of_rational,
    bits_of,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber

if TYPE_CHECKING:
    from exactdp.composition.engines.atoms.exact import Rows
    from exactdp.ledger.model import Ledger
    from exactdp.mechanisms.characteristic import Characteristic

_EXACT_DELTA_BITS: Final = 2**17
_NOTHING: Final = mpq(0)


@dataclass(frozen=True)
class Problem:
    """A composition to be solved.

    Attributes:
        epsilons: pairs (ε, count) with distinct normal forms, ε > 0 in nats.
        deltas: pairs (δ, count) with distinct 0 < δ < 1.
        mechanisms: how many are given by (ε, δ), counting those that are in neither.
        rho: the sum of all ρ.
        square: the sum of all μ².
        noise: characteristic functions of the others, and then of mechanisms by their noise; None
            where no mechanism is given so.
        tables: the outputs of mechanisms that are written out, with their counts.
    """

    epsilons: tuple[tuple[ExactNumber, int], ...]
    deltas: tuple[tuple[mpq, int], ...]
    mechanisms: int
    rho: mpq = _NOTHING
    square: mpq = _NOTHING
    noise: tuple[Characteristic, ...] | None = None
    tables: tuple[tuple[Rows, int], ...] = ()

    def __reduce__(self) -> tuple[object, ...]:
        """A copy has the parameters, and finds for itself what follows from them."""
        return Problem, tuple(getattr(self, each.name) for each in fields(self))

    @staticmethod
    def of(ledger: Ledger) -> Problem:
        """The problem of a ledger that (ε, δ) describes in full, with equal parameters merged.

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

    @staticmethod
    def of_parameters(ledger: Ledger) -> Problem:
        """The problem of a ledger of mechanisms by (ε, δ), ρ and μ.

        Raises:
            UnsupportedError: some are given by their noise.
        """
        entries = ledger.parametric()
        rho = sum((each.count * (each.implied_rho() or _NOTHING) for each in entries), _NOTHING)
        square = sum(
            (each.count * (each.implied_mu_squared() or _NOTHING) for each in entries), _NOTHING
        )
        by_pairs = Problem.of(replace(ledger, mechanisms=ledger.pairs))
        return replace(by_pairs, rho=rho, square=square)

    @property
    def attained(self) -> Problem:
        """Randomized responses and Gaussian noise, a ρ as noise with μ² = 2ρ."""
        return replace(self, rho=_NOTHING, square=self.square + 2 * self.rho)

    @property
    def is_smooth(self) -> bool:
        """Whether noise is among the mechanisms, so that no sum of losses has mass of its own."""
        return bool(self.square) or self.noise is not None

    @property
    def groups(self) -> list[tuple[ExactNumber, int]]:
        """The ε in the order in which a statement has them: by text, beside noise as they stand."""
        if self.noise is not None:
            return list(self.epsilons)
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

    def with_failures(self, divergence: Ends) -> Ends:
        """Ends of δ for those of D: 1 - ∏(1 - δ_i)·(1 - D), at the precision of the context."""
        kept, lost = self.no_failure_ball(), -self.log_no_failure_ball().expm1()
        low, high = (lost + kept * ball_of_rational(end) for end in divergence)
        return lower_end(low), min(mpq(1), upper_end(high))

    def least_feasible_delta(self, tolerance: mpq) -> tuple[mpq, mpq]:
        """Ends of 1 - ∏(1 - δ_i), to a relative width; equal where it has few digits."""
        no_failure = self.no_failure
        if no_failure is not None:
            return 1 - no_failure, 1 - no_failure
        with precision(bits_of(1 / tolerance) + 64):
            failure = -self.log_no_failure_ball().expm1()
            return lower_end(failure), upper_end(failure)

    def allowed(self, delta: mpq) -> AllowedDivergence:
        """Δ for a global δ; it is 1 where that is."""
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
        if not self.problem.deltas or self.delta == 1:
            return int(self.delta > 0)
        return sign(self.problem.log_no_failure - ExactNumber.ln(1 - self.delta))

    @property
    def exact(self) -> mpq | None:
        """Δ as a fraction, or None if its digits would be too many to be of use."""
        no_failure = self.problem.no_failure
        return None if no_failure is None else 1 - (1 - self.delta) / no_failure

    def ball(self, bits: int) -> arb:
        """A ball of Δ, not 0, with about ``bits`` bits of relative precision."""
        if not self.problem.deltas or self.delta == 1:
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

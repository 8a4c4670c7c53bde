r"""The three questions: the least ε for a δ, the δ for an ε, and whether a claim holds.

Rules of this file: every number that leaves is a certain end; every refinement ends with a proof
or with an error that says where it stopped.

Theory of operation: the engines answer at a precision in bits. A first precision is chosen from
δ, the tolerance and the size; if the enclosure is still too wide, it grows by what is missing.
Ties are not left to refinement: D(e^ε) = Δ is decided in symbols where Δ = 0 and in rationals where
all odds are rational; elsewhere :math:`e^{\epsilon_0}` is transcendental: no equality.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import ceil_to, enclose_in_decimals, floor_to, places_within
from exactdp.arithmetic.enclosures import ball, ball_of_rational, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.planner import DEFAULT_MAX_COST, TYPICAL_BITS, Engine, Method, plan
from exactdp.composition.problem import Budget, Problem
from exactdp.errors import CostLimitError

MOST_BITS: Final = 100_000
_GUARD_BITS: Final = 48
_ZERO: Final = ExactNumber(mpq(0))
_NO_SLACK: Final = mpq(0)


@dataclass(frozen=True, slots=True)
class Optimum:
    """OptComp at one δ, enclosed.

    Attributes:
        lower: a decimal <= OptComp, in nats; None if no finite ε is enough.
        upper: a decimal >= OptComp; None if no finite ε is enough.
        exact: OptComp itself, where it has a closed form.
        method: how it was found: "closed-form", or the name of an engine.
    """

    lower: mpq | None
    upper: mpq | None
    exact: ExactNumber | None
    method: str

    @staticmethod
    def closed(exact: ExactNumber, places: int, method: str = "closed-form") -> Optimum:
        """An exact answer, enclosed in decimals of ``places`` places."""
        return Optimum(*enclose_in_decimals(exact, places), exact, method)


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether every composition with these parameters is (ε, δ)-DP, decided.

    Attributes:
        holds: the answer.
        rule: the certificate rule that shows it.
        slack: D(e^ε) differs from Δ by at least this; 0 where the rule needs none, or in a tie.
        equality: whether ε is known to be OptComp itself.
    """

    holds: bool
    rule: str
    slack: mpq = _NO_SLACK
    equality: bool = False


class Solver:
    """Answers questions about one problem; the engine and its latest precision are kept.

    Args:
        problem: what to compose.
        method: an engine's name, or None for the planner's choice.
        max_cost: refuse work predicted to cost more, in units of about a nanosecond.
    """

    def __init__(
        self, problem: Problem, *, method: Method | None = None, max_cost: int = DEFAULT_MAX_COST
    ) -> None:
        self.problem = problem
        self._method = method
        self._max_cost = max_cost

    @cached_property
    def engine(self) -> Engine:
        """The engine that the planner chose.

        Raises:
            CostLimitError: every engine would cost too much.
        """
        return plan(self.problem, method=self._method, max_cost=self._max_cost)

    def optimum(self, delta: mpq, tolerance: mpq) -> Optimum:
        """OptComp at ``delta``, enclosed to ``tolerance`` > 0 (nats), or exactly."""
        places = places_within(tolerance) + 1
        if delta >= 1:
            return Optimum.closed(_ZERO, places)
        budget = self.problem.budget(delta)
        if budget.sign < 0:
            return Optimum(None, None, None, "closed-form")
        if budget.sign == 0 or not self.problem.groups:
            return Optimum.closed(self.problem.total_epsilon, places)
        exact = self.engine.exact_least_odds(budget)
        if exact is not None:
            return Optimum.closed(ExactNumber.ln(exact), places, self.engine.method)
        low, high = self._enclose_optimum(budget, tolerance)
        return Optimum(floor_to(low, places), ceil_to(high, places), None, self.engine.method)

    def failure(self, epsilon: ExactNumber, tolerance: mpq) -> tuple[mpq, mpq]:
        """The privacy profile: δ(ε), enclosed to the relative width ``tolerance``."""
        if self._is_basic(epsilon):
            return self.least_failure(tolerance)
        bits = _bits_of(1 / tolerance) + _GUARD_BITS
        while True:
            low, high = self.engine.divergence(epsilon, bits)
            with precision(bits + 64):
                no_failure = self.problem.no_failure_ball()
                failure = -self.problem.log_no_failure_ball().expm1()
                ends = (
                    lower_end(failure + no_failure * ball_of_rational(low)),
                    upper_end(failure + no_failure * ball_of_rational(high)),
                )
            if ends[1] - ends[0] <= tolerance * ends[0]:
                return ends
            bits = self._more(bits, bits)

    def decide(self, epsilon: ExactNumber, delta: mpq) -> Decision:
        """Whether every composition is (``epsilon``, ``delta``)-DP; always the truth.

        Raises:
            CostLimitError: undecided within the limits.
        """
        if delta >= 1:
            return Decision(holds=True, rule="vacuous")
        budget = self.problem.budget(delta)
        if budget.sign < 0:
            return Decision(holds=False, rule="infeasible")
        if self._is_basic(epsilon):
            least = budget.sign == 0 and compare(epsilon, self.problem.total_epsilon) == 0
            return Decision(holds=True, rule="sum", equality=least)
        if budget.sign == 0:
            return Decision(holds=False, rule="sum")
        tie = self.engine.exact_slack(epsilon, budget)
        if tie is not None:
            return Decision(tie >= 0, self.engine.method, abs(tie), equality=tie == 0)
        return self._decide_by_refining(epsilon, budget)

    def _decide_by_refining(self, epsilon: ExactNumber, budget: Budget) -> Decision:
        bits = self._first_bits(budget, mpq(1))
        while True:
            low, high = self.engine.divergence(epsilon, bits)
            allowed = budget.ball(bits)
            below, above = lower_end(allowed), upper_end(allowed)
            if high < below:
                return Decision(holds=True, rule=self.engine.method, slack=below - high)
            if low > above:
                return Decision(holds=False, rule=self.engine.method, slack=low - above)
            bits = self._more(bits, bits)

    def _is_basic(self, epsilon: ExactNumber) -> bool:
        """Whether ε >= Σ ε_i, so that D(e^ε) = 0."""
        return compare(epsilon, self.problem.total_epsilon) >= 0

    def least_failure(self, tolerance: mpq) -> tuple[mpq, mpq]:
        """1 - ∏(1 - δ_i), the least feasible δ, enclosed to a relative width."""
        no_failure = self.problem.no_failure
        if no_failure is not None:
            return 1 - no_failure, 1 - no_failure
        with precision(_bits_of(1 / tolerance) + 64):
            failure = -self.problem.log_no_failure_ball().expm1()
            return lower_end(failure), upper_end(failure)

    def _enclose_optimum(self, budget: Budget, tolerance: mpq) -> tuple[mpq, mpq]:
        bits = self._first_bits(budget, tolerance)
        while True:
            odds = self.engine.least_odds(budget.ball(bits), bits)
            if odds is None:
                bits = self._more(bits, bits // 2)
                continue
            with precision(bits + 64):
                low = max(mpq(0), lower_end(ball_of_rational(odds[0]).log()))
                high = upper_end(ball_of_rational(odds[1]).log())
            if high - low <= tolerance / 2:
                return low, high
            bits = self._more(bits, _bits_of((high - low) / tolerance) + 16)

    def _first_bits(self, budget: Budget, tolerance: mpq) -> int:
        """Bits so that rounding is probably small beside the masses that decide.

        Those are about Δ, but never below the mass of the largest loss, ∏ 1/(1+e^{-ε_i}).
        """
        with precision(64):
            largest = sum(
                (count * (-ball(epsilon)).exp().log1p() for epsilon, count in self.problem.groups),
                arb(0),
            )
            smallest = min(
                upper_end(-budget.ball(64).log() / arb(2).log()),
                upper_end(largest / arb(2).log()),
            )
        size = self.problem.mechanisms.bit_length() + _bits_of(1 / tolerance)
        return int(smallest) + size + _GUARD_BITS

    def _more(self, bits: int, missing: int) -> int:
        """A greater precision.

        Raises:
            CostLimitError: it would be beyond the limits.
        """
        more = bits + missing
        if more > MOST_BITS or self.engine.cost * more // TYPICAL_BITS > self._max_cost:
            raise CostLimitError(
                field="tolerance",
                value=f"{more} bits",
                expected=f"at most {MOST_BITS} bits and a cost of {self._max_cost:.2e}",
                remedy="ask for a wider interval, or raise --max-cost",
            )
        return more


def _bits_of(value: mpq) -> int:
    """About log2 of a positive rational, rounded up; at least 0."""
    return max(0, value.numerator.bit_length() - value.denominator.bit_length() + 1)

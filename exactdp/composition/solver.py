r"""The three questions: the least ε for a δ, the δ for an ε, and whether a claim holds.

Rules of this file: every number that leaves is a certain end; every refinement ends with a proof
or with an error that says where it stopped.

Theory of operation: the engines answer at a precision in bits. A first precision is chosen from
δ, the tolerance and the size; if the enclosure is still too wide, it grows by what is missing.
Ties D(e^ε) = Δ are decided in symbols where Δ = 0 and in rationals where all odds are rational;
where all ε are rational and not all 0, :math:`e^{\epsilon_0}` is transcendental and there are none.
What remains (fractions of logarithms) is refined until it is decided or the limit is reached.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import (
    ceil_to,
    floor_to,
    places_within,
)
from exactdp.arithmetic.enclosures import (
    Ends,
    ball,
    bits_of,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.number_grammar import MAX_BITS
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.decisions import INFEASIBLE, VACUOUS, Decision, Optimum
from exactdp.composition.engines.engine import BracketEngine, Effort, Engine, Method
from exactdp.composition.engines.fourier.fourier import FourierEngine
from exactdp.composition.engines.refusals import DOES_NOT_FIT, WIDER
from exactdp.composition.named_tolerances import (
    advising,
    finest_that_fits,
    first_sure_effort,
    is_sure,
    limit_exceeded,
    next_sure_effort,
    undecided,
)
from exactdp.composition.planner import DEFAULT_MAX_COST, MOST_MEMORY, plan, predicted_costs
from exactdp.composition.problem import AllowedDivergence, Problem
from exactdp.composition.refining import refine
from exactdp.errors import CostLimitError, InternalError
from exactdp.timing.deadlines import (
    OutOfTimeError,
    current,
    deadline_in,
    magnitude,
    refuse_late,
    soonest,
    stop_at,
)
from exactdp.timing.reading import now

T = TypeVar("T")

MOST_BITS: Final = 100_000
_GUARD_BITS: Final = 6
_FEW_BITS: Final = 64
_ZERO: Final = ExactNumber(mpq(0))
with precision(128):
    _BITS_PER_NAT: Final = upper_end(1 / arb(2).log())


@dataclass(frozen=True, slots=True)
class _Enclosure:
    """Ends at an effort."""

    effort: Effort
    low: mpq
    high: mpq

    @property
    def width(self) -> mpq:
        """How far apart the ends are."""
        return self.high - self.low


class Solver:
    """Answers questions about one problem; the engine and its latest effort are kept.

    Args:
        problem: what to compose.
        method: an engine's name, or None for the planner's choice.
        max_cost: refuse work predicted to cost more, in units of about a nanosecond.
        tolerance: the width that will be asked for, which helps to choose; None if unknown.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        method: Method | None = None,
        max_cost: int = DEFAULT_MAX_COST,
        tolerance: mpq | None = None,
    ) -> None:
        if problem.rho:
            raise InternalError(field="rho", value=str(problem.rho), expected="ρ, converted before")
        self.problem = problem
        self._method: Method | None = "fourier" if problem.is_smooth else method
        self._max_cost = max_cost
        self._deadline: int | None = None
        self._tolerance = tolerance
        self._refining: int | None = None
        self._effort: Effort | None = None
        self._aim: arb | None = None

    def allow(self, seconds: float | None) -> None:
        """Let what is asked take so much time from now on; None for no limit."""
        self._deadline = deadline_in(seconds)

    def refine_within(self, seconds: float | None) -> None:
        """Refine what is certain for so much time from now on; None for no limit beside others."""
        self._refining = deadline_in(seconds)

    @cached_property
    def engine(self) -> Engine:
        """The engine that the planner chose."""
        return self._planned(self._tolerance)

    def _planned(self, tolerance: mpq | None, *, without_fourier: bool = False) -> Engine:
        return plan(
            self.problem,
            method=self._method,
            max_cost=self._max_cost,
            tolerance=tolerance,
            allowed=self._aim,
            without_fourier=without_fourier,
        )

    def _asked(self, ask: Callable[[], T]) -> T:
        """The answer; by another engine where the Fourier bracket turns out not to fit."""
        try:
            return ask()
        except CostLimitError as error:
            if error.code != DOES_NOT_FIT or self._method is not None:
                raise
        self.engine = self._planned(self._tolerance, without_fourier=True)
        self._effort = None
        return ask()

    @property
    def predicted_cost(self) -> int | None:
        """The cost of the latest effort, as it was predicted; None before any."""
        return None if self._effort is None else self.engine.cost(self._effort)

    @property
    def predicted_costs(self) -> dict[Method, int | None]:
        """What each engine would cost; none where there is nothing to compose."""
        known = self.problem.epsilons and self._has_sum
        return predicted_costs(self.problem) if known else {}

    def predicted(self, tolerance: mpq | None, delta: mpq | None = None) -> int:
        """About how many nanoseconds a width takes, at a δ if that is known."""
        if delta is not None:
            self._aim = self.problem.allowed(delta).ball(_FEW_BITS)
        engine = self._planned(tolerance)
        return engine.cost(engine.first_effort(_FEW_BITS))

    def optimum(self, delta: mpq, tolerance: mpq) -> Optimum:
        """OptComp at ``delta``, enclosed to ``tolerance`` > 0 (nats), or exactly.

        Raises:
            CostLimitError: the tolerance cannot be met within the limits.
        """
        places = places_within(tolerance) + 1
        if delta >= 1:
            return Optimum.closed(_ZERO, places)
        allowed = self.problem.allowed(delta)
        if allowed.sign < 0:
            return Optimum(None, None, None, "closed-form")
        if self._has_sum and (allowed.sign == 0 or not self.problem.epsilons):
            return Optimum.closed(self.problem.total_epsilon, places)
        self._aim = allowed.ball(_FEW_BITS)
        exact = self._exact_least_odds(allowed)
        if exact is not None:
            return Optimum.closed(ExactNumber.ln(exact), places, self.engine.method)
        try:
            with stop_at(self._deadline):
                low, high, complete = self._asked(lambda: self._enclose_optimum(allowed, tolerance))
        except CostLimitError as error:
            raise self._with_a_remedy(error, allowed, tolerance) from None
        return Optimum(
            floor_to(low, places), ceil_to(high, places), None, self.engine.method, complete
        )

    def has_exact_optimum(self, delta: mpq) -> bool:
        """Whether OptComp is known exactly at a feasible δ below 1 that leaves a positive Δ."""
        allowed = self.problem.allowed(delta)
        return allowed.sign > 0 and self._exact_least_odds(allowed) is not None

    def _exact_least_odds(self, allowed: AllowedDivergence) -> mpq | None:
        """e^OptComp as a fraction that the number grammar can hold, or None."""
        odds = self.engine.exact_least_odds(allowed)
        if odds is None or max(odds.numerator, odds.denominator).bit_length() > MAX_BITS:
            return None
        return odds

    def profile(self, epsilon: ExactNumber, tolerance: mpq) -> Ends:
        """The privacy profile: δ(ε), enclosed to the relative width ``tolerance``, or in time.

        Raises:
            CostLimitError: the tolerance cannot be met within the limits.
        """
        if self._is_basic(epsilon):
            return self.problem.least_feasible_delta(tolerance)
        with stop_at(self._deadline):
            return self._asked(lambda: self._enclose_profile(epsilon, tolerance))

    def _enclose_profile(self, epsilon: ExactNumber, tolerance: mpq) -> Ends:
        effort = self._first_effort(bits_of(1 / tolerance) + _GUARD_BITS)

        def finer(found: _Enclosure) -> _Enclosure | None:
            wide = tolerance * found.low
            if found.width <= wide:
                return None
            try:
                greater = self._more(found.effort, found.width / wide if wide else None)
                return _Enclosure(greater, *self._profile_at(epsilon, greater))
            except OutOfTimeError:
                return None

        found = refine(_Enclosure(effort, *self._profile_at(epsilon, effort)), finer)
        self._effort = found.effort
        return found.low, found.high

    def _profile_at(self, epsilon: ExactNumber, effort: Effort) -> Ends:
        """1 - ∏(1 - δ_i)·(1 - D), from ends of D."""
        divergence = self.engine.divergence(epsilon, effort)
        with precision(effort.bits + 64):
            return self.problem.with_failures(divergence)

    def method_at(self, epsilon: ExactNumber) -> str:
        """How :meth:`profile` is found at ε."""
        return "closed-form" if self._is_basic(epsilon) else self.engine.method

    def decide(self, epsilon: ExactNumber, delta: mpq) -> Decision:
        """Whether every composition is (``epsilon``, ``delta``)-DP; always the truth.

        Raises:
            CostLimitError: undecided within the limits.
        """
        if delta >= 1:
            return VACUOUS
        allowed = self.problem.allowed(delta)
        if allowed.sign < 0:
            return INFEASIBLE
        if self._is_basic(epsilon):
            least = allowed.sign == 0 and compare(epsilon, self.problem.total_epsilon) == 0
            return Decision(holds=True, rule="sum", equality=least)
        if self._has_sum and allowed.sign == 0:
            return Decision(holds=False, rule="sum")
        tie = self.engine.exact_slack(epsilon, allowed)
        if tie is not None:
            method, losses = self.engine.method, self.engine.losses
            return Decision(tie >= 0, method, abs(tie), equality=tie == 0, losses=losses)
        return self._asked(lambda: self._decide_by_refining(epsilon, allowed))

    def _decide_by_refining(self, epsilon: ExactNumber, allowed: AllowedDivergence) -> Decision:
        effort = self._effort or self._first_effort(self._first_bits(allowed, mpq(1)))
        while True:
            low, high = self.engine.divergence(epsilon, effort)
            ball_of_allowed = allowed.ball(effort.bits)
            below, above = lower_end(ball_of_allowed), upper_end(ball_of_allowed)
            if high < below:
                return self._decided(holds=True, slack=below - high, effort=effort)
            if low > above:
                return self._decided(holds=False, slack=low - above, effort=effort)
            try:
                effort = self._more(effort, None)
            except OutOfTimeError:
                raise
            except CostLimitError as error:
                raise undecided(*self._profile_at(epsilon, effort), error) from None

    def _decided(self, *, holds: bool, slack: mpq, effort: Effort) -> Decision:
        rule: str = self.engine.method
        if isinstance(self.engine, BracketEngine):
            rule = f"mesh-{'upper' if holds else 'lower'}"
            return Decision(holds, rule, slack, mesh=effort.mesh, threshold=self.engine.threshold)
        if isinstance(self.engine, FourierEngine):
            rule = f"fourier-{'upper' if holds else 'lower'}"
            return Decision(holds, rule, slack, spectrum=self.engine.witness())
        return Decision(holds, rule, slack, mesh=effort.mesh, losses=self.engine.losses)

    def _is_basic(self, epsilon: ExactNumber) -> bool:
        """Whether ε >= Σ ε_i, so that D(e^ε) = 0; beside noise no ε is."""
        return self._has_sum and compare(epsilon, self.problem.total_epsilon) >= 0

    @property
    def _has_sum(self) -> bool:
        """Whether every mechanism has an ε, the greatest of its privacy losses."""
        return not (self.problem.is_smooth or self.problem.tables)

    def _enclose_optimum(self, allowed: AllowedDivergence, tolerance: mpq) -> tuple[mpq, mpq, bool]:
        """Ends of OptComp, and whether they are as near as asked.

        The ends of a bracket are moved apart by a part of the tolerance, so that the certificates
        for them need no finer mesh than the ends did. Those of a Fourier bracket are checked with
        the same parameters: what may differ is how much the points that were passed over count.
        """
        effort = self._first_effort(self._first_bits(allowed, tolerance))

        def finer(found: _Enclosure) -> _Enclosure | None:
            excess = found.width / tolerance * 5 / 4
            if excess <= 1:
                return None
            try:
                return self._nearer(found, excess, allowed, tolerance)
            except OutOfTimeError:
                return None

        found = refine(_Enclosure(effort, *self._ends_at(allowed, effort)), finer)
        self._effort = found.effort
        return found.low, found.high, found.width * 5 / 4 <= tolerance

    def _nearer(
        self, found: _Enclosure, excess: mpq, allowed: AllowedDivergence, tolerance: mpq
    ) -> _Enclosure:
        """Ends of OptComp at a greater effort."""
        try:
            greater = self._more(found.effort, excess)
        except OutOfTimeError:
            raise
        except CostLimitError as error:
            raise self._naming_what_fits(error, found.effort, excess, tolerance) from None
        return _Enclosure(greater, *self._ends_at(allowed, greater))

    def _ends_at(self, allowed: AllowedDivergence, effort: Effort) -> tuple[mpq, mpq]:
        """Ends of OptComp at an effort, a little apart."""
        low, high = self.engine.least_epsilon(allowed.ball(effort.bits), effort)
        spare = (high - low) * self._spare(effort)
        return max(mpq(0), low - spare), high + spare

    def _spare(self, effort: Effort) -> mpq:
        """By how much of their distance each end is moved."""
        if effort.mesh is None:
            return mpq(0)
        return mpq(1, 16) if self.engine.method == "fourier" else mpq(1, 4)

    def _naming_what_fits(
        self, error: CostLimitError, effort: Effort, excess: mpq, tolerance: mpq
    ) -> CostLimitError:
        """The error, with a tolerance that fits, judged by an enclosure that was found."""

        def fits(wider: mpq) -> bool:
            greater = next_sure_effort(self.engine, effort, excess * tolerance / wider)
            return is_sure(self.engine, greater, self.problem.epsilons, self._max_cost)

        found = finest_that_fits(fits, places_within(tolerance))
        return error if found is None else advising(error, found)

    def _with_a_remedy(
        self, error: CostLimitError, allowed: AllowedDivergence, tolerance: mpq
    ) -> CostLimitError:
        """The error, where it asks for a wider tolerance, with one that is predicted to fit."""
        if not error.remedy.startswith(WIDER):
            return error
        found = finest_that_fits(lambda t: self._would_fit(allowed, t), places_within(tolerance))
        return advising(error, found)

    def _would_fit(self, allowed: AllowedDivergence, tolerance: mpq) -> bool:
        """Whether all that a tolerance will take is predicted to be well within the limits."""
        engine, bits = self._planned(tolerance), self._first_bits(allowed, tolerance)
        effort = first_sure_effort(engine, bits, tolerance)
        return is_sure(engine, effort, self.problem.epsilons, self._max_cost)

    def _first_bits(self, allowed: AllowedDivergence, tolerance: mpq) -> int:
        """Bits so that rounding is probably small beside the masses that decide.

        Those are about Δ, but never below the mass of the largest loss, ∏ 1/(1+e^{-ε_i}): at
        least 2^-k, and more where many ε_i are large. Noise has no largest loss.
        """
        if self.problem.is_smooth:
            return bits_of(1 / lower_end(allowed.ball(_FEW_BITS))) + bits_of(1 / tolerance)
        with precision(64):
            smallest = min(bits_of(1 / lower_end(allowed.ball(64))), self.problem.mechanisms)
            if smallest > _FEW_BITS:
                largest = sum(
                    (count * (-ball(e)).exp().log1p() for e, count in self.problem.epsilons), arb(0)
                )
                smallest = min(smallest, int(upper_end(largest) * _BITS_PER_NAT))
        return smallest + bits_of(1 / tolerance) + _GUARD_BITS

    def _first_effort(self, bits: int) -> Effort:
        effort = self.engine.first_effort(bits)
        self._refuse_beyond_limits(effort)
        self._effort = effort
        return effort

    def _more(self, effort: Effort, excess: mpq | None) -> Effort:
        """A greater effort; ``excess`` says how much too wide the enclosure was, if known.

        Raises:
            CostLimitError: it would be beyond the limits.
        """
        greater = self.engine.more(effort, excess)
        deadline = soonest(self._deadline, self._refining, current())
        if deadline is not None and excess is not None and effort.mesh is not None:
            # The cost grows with 1/mesh, the square root of the excess: go as far as time allows.
            left = max(0, deadline - now())
            share = min(mpq(1), mpq(left, self.engine.cost(greater)) * 3 / 4)
            greater = self.engine.more(effort, max(mpq(4), excess * share * share))
        self._refuse_beyond_limits(greater)
        refuse_late(self.engine.cost(greater), self._refining)
        self._effort = greater
        return greater

    def _refuse_beyond_limits(self, effort: Effort) -> None:
        if effort.bits > MOST_BITS:
            raise CostLimitError(
                field="precision",
                value=f"{effort.bits} bits",
                expected=f"an answer within {MOST_BITS} bits",
                remedy="two numbers are equal, or too close to tell apart; ask for a wider "
                "--tolerance, or for another ε",
            )
        cost, memory = self.engine.cost(effort), self.engine.memory(effort)
        if cost > self._max_cost:
            raise limit_exceeded(
                self.problem,
                self.engine.method,
                f"a predicted cost of at most {magnitude(self._max_cost)} "
                f"(about a nanosecond each); here it is {magnitude(cost)}",
                "raise --max-cost, ",
            )
        if memory > MOST_MEMORY:
            raise limit_exceeded(
                self.problem,
                self.engine.method,
                f"a predicted memory of at most {magnitude(MOST_MEMORY)} bytes; "
                f"here it is {magnitude(memory)}",
            )
        refuse_late(cost, soonest(self._deadline, current()))

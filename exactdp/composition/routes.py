r"""The best bound that the implemented rules derive for a ledger of several privacy definitions.

Rules of this file: every candidate is a bound that holds; the choice is by its ε. Nothing is added
up silently: a derivation says what became of each definition.

Theory of operation: which rules apply depends on the privacy definitions that a ledger holds.

- (ε, δ) and μ alone: a mixture, which is exact (``gaussian``, ``gaussian-mixture``), or as near as
  a mesh allows (``gaussian-mesh``); or, where that is cheaper or nearer, by one characteristic
  function (``fourier-upper``, ``fourier-lower``).
- with ρ: everything through Rényi divergences at one order α, pure mechanisms with that of
  randomized response (``moments``); or the ρ converted by themselves into one (ε', δ')-DP
  mechanism and composed optimally with the rest (``zcdp-pair``). The first wins where ρ dominates,
  the second where it is small. How δ is shared between δ' and the rest is tried out, if the
  mechanisms are not too many.
- from below, always: randomized responses and Gaussian noise, a ρ as noise with μ² = 2ρ.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import (
    ceil_to,
    places_within,
    round_above,
    scientific_above,
    short_text,
)
from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.rule_table import RULES
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.certificates import certificate as composed_certificate
from exactdp.composition.engines.gaussian.mixtures import MixtureBound, Side
from exactdp.composition.engines.moments import formulas
from exactdp.composition.engines.moments.formulas import Formula
from exactdp.composition.engines.moments.renyi import (
    Divergences,
    failure_ends,
    log_failure,
    order_for_epsilon,
)
from exactdp.composition.engines.moments.zcdp import least_epsilon_of
from exactdp.composition.planner import converts_apart, lists_combinations
from exactdp.composition.problem import Problem
from exactdp.composition.route_certificates import (
    ConvertedPair,
    mixture_certificate,
    moments_certificate,
)
from exactdp.composition.widening import WideningSolver
from exactdp.errors import CostLimitError
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import ask

NO_LIMIT: Final = 10**300
_SHARES: Final = (mpq(1, 16), mpq(1, 4), mpq(1, 2), mpq(3, 4), mpq(15, 16))
_ROUGH: Final = mpq(1, 1000)
_ORDER_DIGITS: Final = 8
_DELTA_DIGITS: Final = 6
_BITS: Final = 256


@dataclass(frozen=True, slots=True)
class Derivation:
    """How an upper bound was found.

    Attributes:
        rule: the rule of its certificate.
        epsilon: the ε that it gives, a decimal.
        explanation: what became of each definition, in words.
    """

    rule: str
    epsilon: mpq
    explanation: str

    @property
    def theorem(self) -> str:
        """The theorem that it rests on."""
        return RULES[self.rule].theorem.name


class FormulaRoute:
    """Everything through Rényi divergences."""

    def __init__(self, problem: Problem, formula: Formula) -> None:
        self._problem = problem
        self.rule: Formula = formula

    def derivation(self, delta: mpq, tolerance: mpq) -> Derivation:
        """The least ε of the formula at δ."""
        allowed = self._problem.allowed(delta)
        epsilon = formulas.least_epsilon(self.rule, self._problem, allowed, tolerance)
        return Derivation(self.rule, epsilon, self._explanation())

    def profile(self, epsilon: ExactNumber, tolerance: mpq) -> mpq:
        """A δ that the formula gives at ε."""
        digits = places_within(tolerance) // 2 + _ORDER_DIGITS
        with precision(16 * digits + _BITS):
            log_delta = formulas.least_log_delta(self.rule, self._problem, epsilon, digits)
            return self._problem.with_failures(failure_ends(log_delta))[1]

    def certificate(self, subject: Subject, epsilon: ExactNumber, delta: mpq) -> Certificate | None:
        """The proof of (ε, δ), by the best conversion; None if that does not give it."""
        return moments_certificate(subject, self._problem, epsilon, delta)

    def _explanation(self) -> str:
        parts = [f"ρ = {_short(self._problem.rho)}"] if self._problem.rho else []
        if self._problem.square:
            parts.append(
                f"μ² = {_short(self._problem.square)} as ρ = {_short(self._problem.square / 2)}"
            )
        if self._problem.epsilons:
            as_what = "ε²/2" if self.rule != "moments" else "that of randomized response"
            parts.append(f"the pure parts with {as_what}")
        failures = ", failures apart" if self._problem.deltas else ""
        return f"{', '.join(parts)}: converted together{failures}"


class MixtureRoute:
    """Randomized responses and Gaussian noise, from one side."""

    def __init__(
        self, bound: MixtureBound, explanation: str, pair: ConvertedPair | None = None
    ) -> None:
        self.bound = bound
        self.rule = bound.rule
        self.explanation = explanation
        self._pair = pair

    def derivation(self, delta: mpq, tolerance: mpq) -> Derivation:
        """The ε at which the mixture meets δ."""
        return Derivation(self.rule, self.bound.least_epsilon(delta, tolerance), self.explanation)

    def profile(self, epsilon: ExactNumber, tolerance: mpq) -> mpq:
        """The safe end of δ at ε."""
        low, high = self.bound.profile(epsilon, tolerance)
        return high if self.bound.side == "above" else low

    def certificate(self, subject: Subject, epsilon: ExactNumber, delta: mpq) -> Certificate | None:
        """The proof of the mixture's side of (ε, δ); None if it does not show it."""
        slack = self.bound.slack(epsilon, delta)
        if slack <= 0:
            return None
        return mixture_certificate(subject, self.bound, epsilon, delta, slack, self._pair)


class SpectrumRoute:
    """Randomized responses and Gaussian noise from one side, by their characteristic function.

    Args:
        solver: of both sides.
        side: the side.
        mixture: the route that is taken where the characteristic function is not small enough.
        most: what the mixture may cost.
    """

    def __init__(
        self, solver: WideningSolver, side: Side, mixture: MixtureRoute, most: int
    ) -> None:
        self._solver = solver
        self._side = side
        self._mixture = mixture
        self._most = most
        end = "upper" if side == "above" else "lower"
        self.rule = f"fourier-{end}"
        self.explanation = mixture.explanation

    def derivation(self, delta: mpq, tolerance: mpq) -> Derivation:
        """The safe end of ε at δ."""
        try:
            found = self._solver.optimum(delta, tolerance)
        except CostLimitError:
            return self._instead().derivation(delta, tolerance)
        end = found.upper if self._side == "above" else found.lower
        if end is None:
            raise ValueError("the δ of a derivation leaves something to allow")
        return Derivation(self.rule, end, self.explanation)

    def profile(self, epsilon: ExactNumber, tolerance: mpq) -> mpq:
        """The safe end of δ at ε."""
        try:
            low, high = self._solver.profile(epsilon, tolerance)
        except CostLimitError:
            return self._instead().profile(epsilon, tolerance)
        return high if self._side == "above" else low

    def certificate(self, subject: Subject, epsilon: ExactNumber, delta: mpq) -> Certificate | None:
        """The proof of this side of (ε, δ); None if it does not show it."""
        try:
            decision = self._solver.decide(epsilon, delta)
        except CostLimitError:
            return self._instead().certificate(subject, epsilon, delta)
        if decision.holds != (self._side == "above"):
            return None
        return composed_certificate(subject, epsilon, delta, decision)

    def _instead(self) -> MixtureRoute:
        """The mixture, within the limits."""
        bound = self._mixture.bound
        _refuse_beyond(self._most, min(bound.least_cost, self._solver.least_cost), bound)
        return self._mixture


Route = FormulaRoute | MixtureRoute | SpectrumRoute


def _refuse_beyond(most: int, needed: int, bound: MixtureBound) -> None:
    if needed > most:
        raise CostLimitError(
            field="--max-cost",
            value=f"{most:.2e}",
            expected=f"at least {needed:.2e} (about a nanosecond each), for "
            f"{bound.problem.mechanisms} mechanisms beside those with Gaussian noise",
            remedy="raise --max-cost",
        )


class Routes:
    """The routes that a ledger allows.

    Args:
        problem: with some ρ or μ above 0.
        tolerance: the width that will be asked for; None if unknown.
        max_cost: units of about a nanosecond, for each side.
        seconds: from now on; None for no limit.
    """

    def __init__(
        self,
        problem: Problem,
        tolerance: mpq | None = None,
        max_cost: int = NO_LIMIT,
        seconds: float | None = None,
    ) -> None:
        self.problem = problem
        self._max_cost = max_cost
        self._clock = Clock(seconds)
        self._tolerance = tolerance
        self._solvers: dict[mpq, WideningSolver] = {}

    def allow(self, seconds: float | None) -> None:
        """Let what is asked take so much time from now on; None for no limit."""
        self._clock = Clock(seconds)
        for solver in self._solvers.values():
            solver.allow(seconds)

    @cached_property
    def below(self) -> MixtureRoute | SpectrumRoute:
        """From below."""
        return self._mixed(MixtureBound.below(self.problem), explain_below(self.problem))

    def _mixed(self, bound: MixtureBound, explanation: str) -> MixtureRoute | SpectrumRoute:
        """By a mixture, or by a characteristic function where that takes less or is nearer.

        Raises:
            CostLimitError: the cheaper of them takes too much.
        """
        most = self._max_cost
        route = MixtureRoute(bound, explanation)
        square = bound.problem.square
        if not bound.problem.epsilons or not square:
            _refuse_beyond(most, bound.least_cost, bound)
            return route
        if square not in self._solvers:
            self._solvers[square] = WideningSolver(
                bound.problem, self._tolerance, most, self._clock.left
            )
        solver = self._solvers[square]
        cost = bound.predicted_cost
        if lists_combinations(cost, solver.cost_of_width):
            _refuse_beyond(most, bound.least_cost, bound)
            return route
        return SpectrumRoute(solver, bound.side, route, most)

    @cached_property
    def fixed(self) -> tuple[Route, ...]:
        """From above, without a choice of δ'."""
        if not self.problem.rho:
            return (self._mixed(MixtureBound.above(self.problem), _explain_exactly(self.problem)),)
        return (FormulaRoute(self.problem, "moments"),)

    def above(self, delta: mpq) -> tuple[Route, ...]:
        """From above, for Δ > 0 at δ."""
        return (*self.fixed, *self.pairs(delta))

    def pairs(self, delta: mpq) -> tuple[Route, ...]:
        """The best way to make a pair of ρ, if there is one."""
        pair = self._best_pair(delta)
        return () if pair is None else (pair,)

    def _best_pair(self, delta: mpq) -> MixtureRoute | None:
        """The best of a few ways to share Δ with the δ' of ρ."""
        if not converts_apart(self.problem):
            return None
        allowed = lower_end(self.problem.allowed(delta).ball(_BITS))
        tried = [self._pair(allowed * share) for share in _SHARES]
        return min(tried, key=lambda route: route.derivation(delta, _ROUGH).epsilon)

    def _pair(self, failure: mpq) -> MixtureRoute:
        """ρ as one mechanism of about this δ'."""
        ask()
        divergences = Divergences(self.problem.rho)
        places = places_within(_ROUGH)
        least = least_epsilon_of(divergences, failure, _ROUGH).upper
        epsilon = max(_ROUGH, ceil_to(least, places))
        with precision(_BITS):
            size = ball_of_rational(epsilon)
            alpha = order_for_epsilon(divergences, size, _ORDER_DIGITS)
            _, upper = failure_ends(log_failure(divergences, alpha, size))
            given = round_above(max(upper, failure * mpq(1, 2**_BITS)), _BITS // 8)
        explanation = (
            f"ρ = {_short(self.problem.rho)} as one ({short_text(epsilon)}, "
            f"{scientific_above(given, _DELTA_DIGITS)})-DP mechanism, composed with the rest"
        )
        bound = MixtureBound.with_pair(self.problem, epsilon, given)
        return MixtureRoute(bound, explanation, ConvertedPair(epsilon, alpha))


def explain_below(problem: Problem) -> str:
    """What attains a lower end, in words."""
    attained = "randomized responses and Gaussian noise"
    return f"{attained}, ρ as noise with μ² = 2ρ" if problem.rho else attained


def _explain_exactly(problem: Problem) -> str:
    gaussian = f"Gaussian noise of μ² = {_short(problem.square)}"
    if not problem.epsilons:
        return gaussian
    return f"randomized responses and {gaussian}, composed as they are"


def _short(value: mpq) -> str:
    text = short_text(value)
    return text if len(text) <= 24 else scientific_above(value, 8)

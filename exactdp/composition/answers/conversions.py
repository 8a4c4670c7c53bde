r"""Answers about ledgers with ρ or μ: what the rules of conversion derive, and what bounds it.

Theory of operation: the lower end is attained by randomized responses and Gaussian noise, and the
upper end is the best of what the rules derive. Without ρ both meet. With ρ they do not: zCDP says
less than (ε, δ) for every ε, and what lies between the ends is open.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NoReturn

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.arguments import LedgerLike, ledger_of, nonnegative, probability
from exactdp.composition.answers.results import Certified, Composition, Evidence, ProfilePoint
from exactdp.composition.answers.shares import shared_out
from exactdp.composition.certificates import certificate
from exactdp.composition.decisions import INFEASIBLE, VACUOUS
from exactdp.composition.engines.moments.formulas import FORMULAS, Formula, derive
from exactdp.composition.problem import Problem
from exactdp.composition.route_certificates import moments_certificate, underivable_certificate
from exactdp.composition.routes import MixtureRoute, Route, Routes, explain_below
from exactdp.errors import CostLimitError, InputError, InternalError
from exactdp.ledger.model import Ledger
from exactdp.timing.deadlines import OutOfTimeError

NOT_DERIVABLE: Final = "not-derivable"
_ZERO: Final = ExactNumber(mpq(0))


def _evidence(ledger: Ledger, delta: mpq, routes: Routes, best: Route | None = None) -> Evidence:
    """What conversions rest on: all routes, and the best one from above, if one was needed."""
    problem = routes.problem
    because = "open: as near as the mesh and the digits in use allow"
    if problem.rho:
        because = "open: ρ says less about a mechanism than (ε, δ) for every ε"

    def prove(epsilon: ExactNumber, *, enough: bool) -> Certificate | None:
        subject = Subject.of(ledger)
        if best is None:
            return certificate(subject, epsilon, delta, VACUOUS if enough else INFEASIBLE)
        return (best if enough else routes.below).certificate(subject, epsilon, delta)

    return Evidence(
        problem,
        prove,
        explain_below(problem),
        because,
        reaches_least_delta=not (problem.rho or problem.square),
    )


@dataclass(frozen=True)
class ConvertedAnswers:
    """What conversions say of a ledger with ρ or μ.

    Attributes:
        ledger: mechanisms by (ε, δ), ρ and μ.
        max_cost: refuse work predicted to cost more; what ρ alone takes is little.
    """

    ledger: Ledger
    max_cost: int

    @cached_property
    def problem(self) -> Problem:
        """The mechanisms, summed up."""
        return Problem.of_parameters(self.ledger)

    def compose(
        self, delta: mpq, width: mpq, *, time_limit: float | None = None, refining: float | None
    ) -> Composition:
        """The least ε at δ."""
        del time_limit
        problem = self.problem
        routes = Routes(problem, width, self.max_cost, refining)
        if delta >= 1:
            end = mpq(0)
            evidence = _evidence(self.ledger, delta, routes)
            return Composition(
                self.ledger, delta, end, end, _ZERO, "closed-form", True, (), evidence
            )
        if problem.allowed(delta).sign <= 0:
            evidence = _evidence(self.ledger, delta, routes)
            return Composition(
                self.ledger, delta, None, None, None, "closed-form", True, (), evidence
            )
        found = [(route.derivation(delta, width), route) for route in routes.fixed]
        lower = routes.below.derivation(delta, width).epsilon
        with contextlib.suppress(OutOfTimeError):  # what is derived already stands
            found += [(route.derivation(delta, width), route) for route in routes.pairs(delta)]
        found.sort(key=lambda pair: pair[0].epsilon)
        derivations = tuple(derivation for derivation, _ in found)
        routes.allow(None)  # certificates take their own time
        best = derivations[0]
        if lower > best.epsilon:
            raise InternalError(
                field="epsilon",
                value=f"{lower} above {best.epsilon}",
                expected="a lower end that is not above the upper one",
                remedy="this is a bug in exactdp, please report it",
            )
        return Composition(
            self.ledger,
            delta,
            lower,
            best.epsilon,
            None,
            best.rule,
            best.epsilon - lower <= width,
            derivations,
            _evidence(self.ledger, delta, routes, found[0][1]),
        )

    def usual_width(self, _delta: mpq, width: mpq) -> mpq:
        """The default, whatever the mechanisms are."""
        return width

    def nearly(self, _delta: mpq, _tolerance: mpq) -> None:
        """About the least ε at δ is not known at once."""

    def settle(self, _delta: mpq, _width: mpq, refused: CostLimitError) -> NoReturn:
        """Nothing else is known where all conversions were refused."""
        raise refused

    def settle_profile(self, _points: Sequence[ExactNumber], refused: CostLimitError) -> NoReturn:
        """Nothing else is known where a point was refused."""
        raise refused

    def profile(
        self, points: Sequence[ExactNumber], width: mpq, time_limit: float | None
    ) -> tuple[ProfilePoint, ...]:
        """δ at each ε."""
        routes = Routes(self.problem, width, self.max_cost)
        found: list[ProfilePoint] = []
        for point, seconds in shared_out(points, time_limit):
            routes.allow(seconds)
            found.append(_point(routes, point, width))
        return tuple(found)

    def certify(self, epsilon: ExactNumber, delta: mpq) -> Certified:
        """Whether ε is enough at δ."""
        subject, problem = Subject.of(self.ledger), self.problem
        if delta >= 1:
            return Certified(True, False, certificate(subject, epsilon, delta, VACUOUS))
        if problem.allowed(delta).sign <= 0:
            return Certified(False, False, certificate(subject, epsilon, delta, INFEASIBLE))
        routes = Routes(problem, max_cost=self.max_cost)
        refutation = routes.below.certificate(subject, epsilon, delta)
        if refutation is not None:
            return Certified(False, False, refutation)
        for route in routes.above(delta):
            proof = _proof(route, subject, epsilon, delta)
            if proof is not None:
                return Certified(True, False, proof)
        raise CostLimitError(
            field="claim",
            value="neither derivable nor refuted",
            expected="a claim outside the interval that compose prints",
            remedy="rho alone does not decide it: the rules do not derive it, and no composition "
            "known to them refutes it",
            code=NOT_DERIVABLE,
        )


def enclose_converted(
    ends: tuple[Ledger, Ledger], delta: mpq, width: mpq, *, max_cost: int
) -> tuple[mpq, Composition]:
    """The lower end of one ledger, and of another an upper end by the rule that is quickest.

    Args:
        ends: two ledgers, each with a ρ or μ above 0.
        delta: the global δ, above what fails anyway and below 1.
        width: of the interval about each end.
        max_cost: refuse work predicted to cost more.
    """
    lesser, greater = (Routes(Problem.of_parameters(end), width, max_cost) for end in ends)
    lower = lesser.below.derivation(delta, width).epsilon
    route = greater.fixed[0]
    derivation = route.derivation(delta, width)
    upper, evidence = derivation.epsilon, _evidence(ends[1], delta, greater, route)
    return lower, Composition(
        ends[1], delta, lower, upper, None, derivation.rule, False, (derivation,), evidence
    )


def _point(routes: Routes, epsilon: ExactNumber, width: mpq) -> ProfilePoint:
    low = routes.below.profile(epsilon, width)
    tried = [(route.profile(epsilon, width), route.rule) for route in routes.fixed]
    first = tried[0][0]
    if low and low < first < 1 and routes.problem.allowed(first).sign > 0:
        # Near this δ, ρ may do better as one mechanism with a share of it.
        tried = [(route.profile(epsilon, width), route.rule) for route in routes.above(first)]
    high, rule = min(tried)
    return ProfilePoint(epsilon, low, high, rule)


def _proof(route: Route, subject: Subject, epsilon: ExactNumber, delta: mpq) -> Certificate | None:
    """The route's certificate, or None if it does not lead there, as far as can be told."""
    if isinstance(route, MixtureRoute):
        return route.certificate(subject, epsilon, delta)
    try:
        return route.certificate(subject, epsilon, delta)
    except CostLimitError:
        return None


@dataclass(frozen=True, slots=True)
class ConvertedClaim:
    """What one formula says of a claim.

    Attributes:
        derivable: whether the formula gives (ε, δ).
        certificate: an ``upper`` one of the claim if it does, else an ``underivable`` one.
    """

    derivable: bool
    certificate: Certificate


def certify_conversion(
    ledger: LedgerLike,
    *,
    epsilon: Number,
    delta: Number,
    rule: str = "zcdp-canonne-kamath-steinke",
) -> ConvertedClaim:
    r"""Whether one conversion gives (ε, δ) from these parameters, with a certificate either way.

    "It does not" is about the formula: every mechanism with these parameters may be (ε, δ)-DP.

    Args:
        ledger: as for :func:`exactdp.compose`; every mechanism is taken as zCDP.
        epsilon: the claimed ε >= 0.
        delta: the claimed δ, so that Δ > 0.
        rule: "zcdp-canonne-kamath-steinke" or "zcdp-bun-steinke".

    Raises:
        InputError: bad arguments.
        CostLimitError: undecided within the limits, which only a tie can be.

    >>> from exactdp import ConcentratedMechanism
    >>> census = [ConcentratedMechanism("293764/114921")]
    >>> certify_conversion(census, epsilon="17849145/1041158", delta="1e-10").derivable
    False
    """
    formula: Formula | None = next((name for name in FORMULAS[:2] if name == rule), None)
    if formula is None:
        raise InputError(field="rule", value=rule, expected=" or ".join(FORMULAS[:2]))
    ledger = ledger_of(ledger)
    claimed, target, problem = (
        nonnegative(epsilon),
        probability(delta),
        Problem.of_parameters(ledger),
    )
    if target >= 1 or problem.allowed(target).sign <= 0:
        raise InputError(
            field="delta",
            value=str(target),
            expected="a δ below 1 that leaves something to convert: above 1 - ∏(1 - δ_i)",
        )
    derived = derive(formula, problem, claimed, problem.allowed(target))
    subject = Subject.of(ledger)
    if not derived.holds:
        return ConvertedClaim(False, underivable_certificate(subject, derived, claimed, target))
    proof = moments_certificate(subject, problem, claimed, target)
    if proof is None:
        raise InternalError(
            field="epsilon", value=str(claimed), expected="a claim that moments give as well"
        )
    return ConvertedClaim(True, proof)

r"""The public questions for ledgers of any notions: compose, profile, certify.

Rules of this file: a ledger that (ε, δ) describes in full is answered by
:mod:`exactdp.composition.answers`, to the letter; every other one here, with its derivation.

Theory of operation: the lower end is attained by randomized responses and Gaussian noise. The upper
end is the best of what the rules derive. Without ρ both meet. With ρ they do not: zCDP says less
than (ε, δ) for every ε, and what lies between the ends is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition import answers as optimal
from exactdp.composition.answers import (
    DEFAULT_TOLERANCE,
    Certified,
    Composition,
    ProfilePoint,
    ledger_of,
    nonnegative,
    probability,
    target_of,
    tolerance_of,
)
from exactdp.composition.engines.engine import Method
from exactdp.composition.engines.planner import DEFAULT_MAX_COST
from exactdp.composition.engines.problem import feasible_delta_text
from exactdp.composition.solver import Solver
from exactdp.conversion.certify import formula_certificate, trivial_certificate
from exactdp.conversion.derivations import Derivation, MixtureRoute, Route, Routes
from exactdp.conversion.formulas import FORMULAS, Formula, derive
from exactdp.conversion.parts import Parts
from exactdp.errors import CostLimitError, InputError, InternalError
from exactdp.ledger.model import Ledger

NOT_DERIVABLE: Final = "not-derivable"


@dataclass(frozen=True, slots=True)
class Conversion:
    r"""The best derivable ε of a ledger with ρ or μ at one δ: a certain interval.

    Attributes:
        ledger: what was composed.
        delta: the global δ.
        lower: a decimal; below it, some composition is not (ε, δ)-DP. None: no finite ε is enough.
        upper: a decimal that every composition keeps; None if no finite ε is enough.
        derivations: how ``upper`` was found, the best first; empty where nothing was needed.
        complete: whether the interval is as narrow as asked.
    """

    ledger: Ledger
    delta: mpq
    lower: mpq | None
    upper: mpq | None
    derivations: tuple[Derivation, ...]
    complete: bool
    _routes: Routes = field(repr=False, compare=False)
    _best: Route | None = field(repr=False, compare=False)

    exact: None = field(default=None, init=False)

    @property
    def feasible(self) -> bool:
        """Whether any finite ε is enough."""
        return self.upper is not None

    @property
    def method(self) -> str:
        """The rule of the best derivation."""
        return self.derivations[0].rule if self.derivations else "closed-form"

    @property
    def attained(self) -> str:
        """By what ``lower`` is attained, in words."""
        return self._routes.below.words

    @property
    def open_because(self) -> str:
        """Why the interval is not as narrow as asked, in words."""
        if self._routes.parts.rho:
            return "open: ρ says less about a mechanism than (ε, δ) for every ε"
        return "open: as near as the mesh and the digits in use allow"

    @property
    def basic_epsilon(self) -> None:
        """There is no sum of ε: not every mechanism has one."""

    @property
    def predicted_cost(self) -> None:
        """Conversions are not predicted."""

    @property
    def predicted_costs(self) -> dict[Method, int | None]:
        """No engine was chosen."""
        return {}

    @property
    def least_feasible_delta(self) -> str:
        """1 - ∏(1 - δ_i), exactly, as text; only a δ above it is feasible."""
        return feasible_delta_text(self._routes.parts.problem)

    @property
    def least_feasible_delta_ends(self) -> tuple[mpq, mpq]:
        """Rationals around 1 - ∏(1 - δ_i)."""
        return Solver(self._routes.parts.problem).least_failure(mpq(1, 10**30))

    def upper_certificate(self) -> Certificate | None:
        """That ``upper`` is enough; None if no finite ε is."""
        if self.upper is None:
            return None
        subject, epsilon = Subject.of(self.ledger), ExactNumber(self.upper)
        if self._best is None:
            return trivial_certificate(subject, self.delta, epsilon)
        return self._best.certificate(subject, epsilon, self.delta)

    def lower_certificate(self) -> Certificate | None:
        """That ``lower`` is not enough; None if it is 0."""
        subject = Subject.of(self.ledger)
        if self.lower is None:
            return trivial_certificate(subject, self.delta, None)
        if not self.lower:
            return None
        return self._routes.below.certificate(subject, ExactNumber(self.lower), self.delta)


def compose(
    ledger: Ledger | Iterable[object],
    *,
    delta: object = None,
    tolerance: object = DEFAULT_TOLERANCE,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
    time_limit: int | None = None,
) -> Composition | Conversion:
    r"""The least ε for a δ, enclosed: OptComp, or what a ledger with ρ or μ allows to derive.

    Args:
        ledger: a Ledger, or mechanisms as :meth:`exactdp.Ledger.of` takes them.
        delta: the global δ in [0, 1]; None takes the ledger's ``target_delta``.
        tolerance: the greatest width of the interval, in nats; > 0.
        method: force an engine; for ledgers that (ε, δ) describes.
        max_cost: refuse work predicted to cost more (units of about a nanosecond); conversions are
            cheap, and not predicted.
        time_limit: seconds; as for :func:`exactdp.composition.answers.compose`.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits.

    >>> from exactdp.ledger.model import ConcentratedMechanism
    >>> answer = compose([ConcentratedMechanism("1/8", 4)], delta="1e-6")
    >>> answer.method, float(answer.upper)
    ('zcdp-canonne-kamath-steinke', 5.2215344446)
    """
    ledger = ledger_of(ledger)
    if ledger.is_approximate:
        return optimal.compose(
            ledger,
            delta=delta,
            tolerance=tolerance,
            method=method,
            max_cost=max_cost,
            time_limit=time_limit,
        )
    _refuse_method(method)
    return _converted(ledger, Parts.of(ledger), target_of(ledger, delta), tolerance_of(tolerance))


def _converted(ledger: Ledger, parts: Parts, delta: mpq, width: mpq) -> Conversion:
    routes = Routes(parts)
    if delta >= 1:
        return Conversion(ledger, delta, mpq(0), mpq(0), (), True, routes, None)
    if parts.budget(delta).sign <= 0:
        return Conversion(ledger, delta, None, None, (), True, routes, None)
    found = [(route.derivation(delta, width), route) for route in routes.above(delta)]
    found.sort(key=lambda pair: pair[0].epsilon)
    lower = routes.below.derivation(delta, width).epsilon
    best = found[0][0].epsilon
    if lower > best:
        raise InternalError(
            field="epsilon",
            value=f"{lower} above {best}",
            expected="a lower end that is not above the upper one",
            remedy="this is a bug in exactdp, please report it",
        )
    derivations = tuple(derivation for derivation, _ in found)
    complete = best - lower <= width
    return Conversion(ledger, delta, lower, best, derivations, complete, routes, found[0][1])


def profile(
    ledger: Ledger | Iterable[object],
    *,
    epsilon: Sequence[object],
    tolerance: object = DEFAULT_TOLERANCE,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> tuple[ProfilePoint, ...]:
    r"""The privacy profile, δ for each ε, enclosed; for ledgers with ρ the ends do not meet.

    Args:
        ledger: as for :func:`compose`.
        epsilon: the values of ε >= 0, in nats.
        tolerance: the width of each interval, relative to its lower end, where rules allow it.
        method: as for :func:`compose`.
        max_cost: as for :func:`compose`.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits.
    """
    ledger = ledger_of(ledger)
    if ledger.is_approximate:
        return optimal.profile(
            ledger, epsilon=epsilon, tolerance=tolerance, method=method, max_cost=max_cost
        )
    _refuse_method(method)
    routes, width = Routes(Parts.of(ledger)), tolerance_of(tolerance)
    return tuple(_point(routes, nonnegative(value), width) for value in epsilon)


def _point(routes: Routes, epsilon: ExactNumber, width: mpq) -> ProfilePoint:
    low = routes.below.failure(epsilon, width)
    tried = [(route.failure(epsilon, width), route.rule) for route in routes.fixed]
    first = tried[0][0]
    if (
        low and low < first < 1 and routes.parts.budget(first).sign > 0
    ):  # near which δ ρ may be shared
        tried = [(route.failure(epsilon, width), route.rule) for route in routes.above(first)]
    high, rule = min(tried)
    return ProfilePoint(epsilon, low, high, rule)


def certify(
    ledger: Ledger | Iterable[object],
    *,
    epsilon: object,
    delta: object,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> Certified:
    r"""Prove or refute "every composition is (ε, δ)-DP", with a certificate either way.

    Args:
        ledger: as for :func:`compose`.
        epsilon: the claimed ε >= 0, in nats.
        delta: the claimed δ in [0, 1].
        method: as for :func:`compose`.
        max_cost: as for :func:`compose`.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: neither is derivable by the rules within the limits.
    """
    ledger = ledger_of(ledger)
    if ledger.is_approximate:
        return optimal.certify(
            ledger, epsilon=epsilon, delta=delta, method=method, max_cost=max_cost
        )
    _refuse_method(method)
    return _certified(
        Subject.of(ledger), Parts.of(ledger), nonnegative(epsilon), probability(delta)
    )


def _certified(subject: Subject, parts: Parts, epsilon: ExactNumber, delta: mpq) -> Certified:
    if delta >= 1:
        return Certified(True, False, trivial_certificate(subject, delta, epsilon))
    if parts.budget(delta).sign <= 0:
        return Certified(False, False, trivial_certificate(subject, delta, None))
    routes = Routes(parts)
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
        certificate: an ``upper`` one if it does, else an ``underivable`` one.
    """

    derivable: bool
    certificate: Certificate


def certify_conversion(
    ledger: Ledger | Iterable[object],
    *,
    epsilon: object,
    delta: object,
    rule: str = "zcdp-canonne-kamath-steinke",
) -> ConvertedClaim:
    r"""Whether one conversion gives (ε, δ) from these parameters, with a certificate either way.

    "It does not" is about the formula: every mechanism with these parameters may be (ε, δ)-DP.

    Args:
        ledger: as for :func:`compose`; every mechanism is taken as zCDP.
        epsilon: the claimed ε >= 0.
        delta: the claimed δ, so that Δ > 0.
        rule: "zcdp-canonne-kamath-steinke" or "zcdp-bun-steinke".

    Raises:
        InputError: bad arguments.
        CostLimitError: undecided within the limits, which only a tie can be.

    >>> from exactdp.ledger.model import ConcentratedMechanism
    >>> census = [ConcentratedMechanism("293764/114921")]
    >>> certify_conversion(census, epsilon="17849145/1041158", delta="1e-10").derivable
    False
    """
    formula: Formula | None = next((name for name in FORMULAS[:2] if name == rule), None)
    if formula is None:
        raise InputError(field="rule", value=rule, expected=" or ".join(FORMULAS[:2]))
    ledger = ledger_of(ledger)
    claimed, target, parts = nonnegative(epsilon), probability(delta), Parts.of(ledger)
    if target >= 1 or parts.budget(target).sign <= 0:
        raise InputError(
            field="delta",
            value=str(target),
            expected="a δ below 1 that leaves something to convert: above 1 - ∏(1 - δ_i)",
        )
    derived = derive(formula, parts, claimed, parts.budget(target))
    certificate = formula_certificate(Subject.of(ledger), formula, derived, claimed, target)
    return ConvertedClaim(derived.holds, certificate)


def _refuse_method(method: str | None) -> None:
    if method is not None:
        raise InputError(
            field="method",
            value=method,
            expected="no method, for a ledger with rho or mu: the best rule is chosen",
            code="method-does-not-fit",
        )

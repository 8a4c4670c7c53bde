r"""``exactdp.compose``: the least ε for a δ, as a certain interval with a certificate for each end.

Rules of this file: one class of answers for all ledgers, and every member means the same for each.

Theory of operation: a ledger that (ε, δ) describes in full is solved optimally, and the interval
encloses OptComp. With ρ or μ the lower end is attained by randomized responses and Gaussian noise,
and the upper end is the best of what the rules of conversion derive. Without ρ both meet. With ρ
they do not: zCDP says less than (ε, δ) for every ε, and what lies between the ends is open.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Protocol

from gmpy2 import mpq, mpz

from exactdp.answers.arguments import (
    DEFAULT_TOLERANCE,
    ledger_and_delta,
    method_of,
    refuse_method,
    tolerance_of,
)
from exactdp.arithmetic.decimal_text import floor_to, places_within
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.certificates import certificate
from exactdp.composition.engines.engine import Method
from exactdp.composition.engines.planner import DEFAULT_MAX_COST, predicted_costs
from exactdp.composition.engines.problem import Problem, feasible_delta_text
from exactdp.composition.solver import INFEASIBLE, VACUOUS, Solver
from exactdp.conversion.derivations import Derivation, Route, Routes
from exactdp.conversion.parts import Parts
from exactdp.errors import InternalError
from exactdp.ledger.model import Ledger

_RELATIVE: Final = mpq(1, mpz(10) ** 30)
_ZERO: Final = ExactNumber(mpq(0))


class Evidence(Protocol):
    """What an answer rests on: it knows why the ends hold, and proves them."""

    @property
    def problem(self) -> Problem:
        """The mechanisms that are given by (ε, δ)."""

    @property
    def attained_by(self) -> str:
        """See :class:`Composition`."""

    @property
    def open_because(self) -> str:
        """Why an interval may be wider than asked."""

    @property
    def predicted_cost(self) -> int | None:
        """See :class:`Composition`."""

    @property
    def predicted_costs(self) -> dict[Method, int | None]:
        """See :class:`Composition`."""

    def upper_certificate(self, answer: Composition, epsilon: ExactNumber) -> Certificate | None:
        """The proof that ``epsilon`` is enough; None if no rule shows it."""

    def lower_certificate(self, answer: Composition) -> Certificate | None:
        """The proof that the lower end is not enough; None if that end is 0."""


@dataclass(frozen=True, slots=True)
class Composition:
    r"""The least ε that is known for a ledger at one δ: a certain interval, and its certificates.

    Attributes:
        ledger: what was composed.
        delta: the global δ.
        lower: a decimal; below it, some composition is not (ε, δ)-DP. None: no finite ε is enough.
        upper: a decimal that every composition keeps; None if no finite ε is enough.
        exact: the least ε in closed form, where it is known to have one.
        method: how ``upper`` was found: an engine, the rule of a conversion, or "closed-form".
        complete: whether the interval is as narrow as asked.
        derivations: what each conversion that applies gives, the best first; empty where (ε, δ)
            describes the ledger, as nothing needs to be converted.
    """

    ledger: Ledger
    delta: mpq
    lower: mpq | None
    upper: mpq | None
    exact: ExactNumber | None
    method: str
    complete: bool
    derivations: tuple[Derivation, ...]
    _evidence: Evidence = field(repr=False, compare=False)

    @property
    def feasible(self) -> bool:
        """Whether any finite ε is enough."""
        return self.upper is not None

    @property
    def attained_by(self) -> str:
        """By which mechanisms ``lower`` is attained, in words."""
        return self._evidence.attained_by

    @property
    def open_because(self) -> str:
        """Why the interval is wider than asked, in words; "" if it is not."""
        return "" if self.complete else self._evidence.open_because

    @property
    def basic_epsilon(self) -> ExactNumber | None:
        """Σ ε_i: what basic composition gives at a feasible δ; None if a mechanism has no ε."""
        if not self.ledger.is_approximate:
            return None
        return self._evidence.problem.total_epsilon

    @property
    def least_feasible_delta(self) -> str:
        """1 - ∏(1 - δ_i), exactly, as text: a fraction, or a product where that is too long."""
        return feasible_delta_text(self._evidence.problem)

    @property
    def least_feasible_delta_ends(self) -> tuple[mpq, mpq]:
        """Rationals around 1 - ∏(1 - δ_i), equal where it is a fraction of few digits."""
        return self._evidence.problem.least_feasible_delta(_RELATIVE)

    @property
    def predicted_cost(self) -> int | None:
        """The predicted cost of the engine's last effort, in units of about a nanosecond.

        None where no engine was needed.
        """
        return self._evidence.predicted_cost

    @property
    def predicted_costs(self) -> dict[Method, int | None]:
        """The predicted cost of each engine that was considered; None where it does not fit."""
        return self._evidence.predicted_costs

    def upper_certificate(self) -> Certificate | None:
        """The proof that ``exact`` or else ``upper`` is enough; None if no finite ε is."""
        if self.upper is None:
            return None
        return self._evidence.upper_certificate(self, self.exact or ExactNumber(self.upper))

    def lower_certificate(self) -> Certificate | None:
        """The proof that a little less is not enough; None if the least ε may be 0.

        An optimum that is attained has no lower certificate at that very ε: this one states an ε
        within the tolerance below it.
        """
        return self._evidence.lower_certificate(self)


def compose(
    ledger: Ledger | Iterable[object],
    *,
    delta: object = None,
    tolerance: object = DEFAULT_TOLERANCE,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
    time_limit: int | None = None,
) -> Composition:
    r"""The least ε for a δ, enclosed: OptComp, or what a ledger with ρ or μ allows to derive.

    Args:
        ledger: a Ledger, or mechanisms as :meth:`exactdp.Ledger.of` takes them.
        delta: the global δ in [0, 1]; None takes the ledger's ``target_delta``.
        tolerance: the greatest width of the interval, in nats; > 0.
        method: force an engine: "rational-odds", "grid", "lattice" or "bracket". Ledgers with ρ or
            μ have no choice of one.
        max_cost: refuse work predicted to cost more (units of about a nanosecond); conversions are
            cheap, and not predicted.
        time_limit: seconds; where the next refinement of a bracket would not fit into what is
            left of them, the best certain interval so far is the answer (``complete`` is False).

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits.

    Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.

    >>> answer = compose([("ln(3)", 0, 2)], delta="1/10")
    >>> print(answer.exact)
    ln(37/5)
    >>> from exactdp.ledger.model import ConcentratedMechanism
    >>> answer = compose([ConcentratedMechanism("1/8", 4)], delta="1e-6")
    >>> answer.method, float(answer.upper)
    ('zcdp-canonne-kamath-steinke', 5.2215344446)
    """
    ledger, target = ledger_and_delta(ledger, delta)
    width = tolerance_of(tolerance)
    if not ledger.is_approximate:
        refuse_method(method)
        return _converted(ledger, Parts.of(ledger), target, width)
    solver = Solver(
        Problem.of(ledger),
        method=method_of(method),
        max_cost=max_cost,
        time_limit=time_limit,
        tolerance=width,
    )
    return _optimal(ledger, solver, target, width)


# --- ledgers that (ε, δ) describes --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Optimal:
    """Evidence of optimal composition: the solver, and how many decimal places are shown."""

    solver: Solver
    places: int
    attained_by: str = "randomized responses"
    open_because: str = "as narrow as the time limit allowed"

    @property
    def problem(self) -> Problem:
        """See :class:`Evidence`."""
        return self.solver.problem

    @property
    def predicted_cost(self) -> int | None:
        """See :class:`Evidence`."""
        return self.solver.predicted_cost

    @property
    def predicted_costs(self) -> dict[Method, int | None]:
        """See :class:`Evidence`."""
        return predicted_costs(self.problem) if self.problem.epsilons else {}

    def upper_certificate(self, answer: Composition, epsilon: ExactNumber) -> Certificate:
        """See :class:`Evidence`."""
        decision = self.solver.decide(epsilon, answer.delta)
        return certificate(Subject.of(answer.ledger), epsilon, answer.delta, decision)

    def lower_certificate(self, answer: Composition) -> Certificate | None:
        """See :class:`Evidence`."""
        if answer.lower is None:
            return self.upper_certificate(answer, _ZERO)
        below = answer.lower
        if answer.exact is not None:
            step = mpq(1, mpz(10) ** self.places)
            below = max(mpq(0), floor_to(answer.lower - step / 2, self.places))
        return self.upper_certificate(answer, ExactNumber(below)) if below > 0 else None


def _optimal(ledger: Ledger, solver: Solver, delta: mpq, width: mpq) -> Composition:
    found = solver.optimum(delta, width)
    return Composition(
        ledger,
        delta,
        found.lower,
        found.upper,
        found.exact,
        found.method,
        found.complete,
        (),
        _Optimal(solver, places_within(width) + 1),
    )


# --- ledgers with ρ or μ ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Derived:
    """Evidence of conversions: all routes, and the best one from above, if one was needed."""

    routes: Routes
    best: Route | None = None
    predicted_cost: int | None = None

    @property
    def problem(self) -> Problem:
        """See :class:`Evidence`."""
        return self.routes.parts.problem

    @property
    def attained_by(self) -> str:
        """See :class:`Evidence`."""
        return self.routes.below.explanation

    @property
    def open_because(self) -> str:
        """See :class:`Evidence`."""
        if self.routes.parts.rho:
            return "open: ρ says less about a mechanism than (ε, δ) for every ε"
        return "open: as near as the mesh and the digits in use allow"

    @property
    def predicted_costs(self) -> dict[Method, int | None]:
        """See :class:`Evidence`."""
        return {}

    def upper_certificate(self, answer: Composition, epsilon: ExactNumber) -> Certificate | None:
        """See :class:`Evidence`."""
        subject = Subject.of(answer.ledger)
        if self.best is None:
            return certificate(subject, epsilon, answer.delta, VACUOUS)
        return self.best.certificate(subject, epsilon, answer.delta)

    def lower_certificate(self, answer: Composition) -> Certificate | None:
        """See :class:`Evidence`."""
        subject = Subject.of(answer.ledger)
        if answer.lower is None:
            return certificate(subject, _ZERO, answer.delta, INFEASIBLE)
        if not answer.lower:
            return None
        return self.routes.below.certificate(subject, ExactNumber(answer.lower), answer.delta)


def _converted(ledger: Ledger, parts: Parts, delta: mpq, width: mpq) -> Composition:
    routes = Routes(parts)
    if delta >= 1:
        end = mpq(0)
        return Composition(
            ledger, delta, end, end, _ZERO, "closed-form", True, (), _Derived(routes)
        )
    if parts.allowed(delta).sign <= 0:
        evidence = _Derived(routes)
        return Composition(ledger, delta, None, None, None, "closed-form", True, (), evidence)
    found = [(route.derivation(delta, width), route) for route in routes.above(delta)]
    found.sort(key=lambda pair: pair[0].epsilon)
    derivations = tuple(derivation for derivation, _ in found)
    lower = routes.below.derivation(delta, width).epsilon
    best = derivations[0]
    if lower > best.epsilon:
        raise InternalError(
            field="epsilon",
            value=f"{lower} above {best.epsilon}",
            expected="a lower end that is not above the upper one",
            remedy="this is a bug in exactdp, please report it",
        )
    return Composition(
        ledger,
        delta,
        lower,
        best.epsilon,
        None,
        best.rule,
        best.epsilon - lower <= width,
        derivations,
        _Derived(routes, found[0][1]),
    )

r"""The public questions: compose, profile, certify.

Rules of this file: this is the door of the library, so that arguments are checked and normalised
here, and results carry everything needed to print and to certify them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from gmpy2 import mpq, mpz

from exactdp.arithmetic.comparison import sign
from exactdp.arithmetic.decimal_text import floor_to, places_within
from exactdp.arithmetic.numbers import ExactNumber, as_number, as_rational
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.certificates import certificate
from exactdp.composition.engines.engine import METHODS, Method
from exactdp.composition.engines.planner import DEFAULT_MAX_COST, predicted_costs
from exactdp.composition.engines.problem import Problem, feasible_delta_text
from exactdp.composition.solver import Optimum, Solver
from exactdp.errors import DomainError, InputError
from exactdp.ledger.model import Ledger

DEFAULT_TOLERANCE: Final = "1e-9"
_FINEST: Final = mpq(1, mpz(10) ** 10_000)


@dataclass(frozen=True, slots=True)
class Composition:
    r"""OptComp of a ledger at one δ: a certain interval, and its two certificates.

    Attributes:
        ledger: what was composed.
        delta: the global δ.
        lower: a decimal <= OptComp (nats), or None if no finite ε is enough.
        upper: a decimal >= OptComp, or None if no finite ε is enough.
        exact: OptComp in closed form, where it has one.
        method: how it was found.
        complete: whether the interval is as narrow as asked; False where time ran out.
    """

    ledger: Ledger
    delta: mpq
    lower: mpq | None
    upper: mpq | None
    exact: ExactNumber | None
    method: str
    complete: bool
    _solver: Solver = field(repr=False, compare=False)
    _places: int = field(repr=False, compare=False)

    @property
    def feasible(self) -> bool:
        """Whether any finite ε is enough."""
        return self.upper is not None

    @property
    def basic_epsilon(self) -> ExactNumber:
        """Σ ε_i: what basic composition gives at any feasible δ."""
        return self._solver.problem.total_epsilon

    @property
    def least_feasible_delta(self) -> str:
        """1 - ∏(1 - δ_i), exactly, as text: a fraction, or a product where that is too long."""
        return feasible_delta_text(self._solver.problem)

    @property
    def least_feasible_delta_ends(self) -> tuple[mpq, mpq]:
        """Rationals around 1 - ∏(1 - δ_i), equal where it is a fraction of few digits."""
        return self._solver.least_failure(mpq(1, mpz(10) ** 30))

    @property
    def predicted_cost(self) -> int | None:
        """The predicted cost of the final effort, in units of about a nanosecond; or None."""
        return self._solver.predicted_cost

    @property
    def predicted_costs(self) -> dict[Method, int | None]:
        """What the planner chose from: each method's predicted cost, None where it does not fit."""
        problem = self._solver.problem
        return predicted_costs(problem) if problem.groups else {}

    def upper_certificate(self) -> Certificate | None:
        """That ``exact`` or else ``upper`` is enough; None if no finite ε is."""
        if self.upper is None:
            return None
        return self._certificate(self.exact or ExactNumber(self.upper))

    def lower_certificate(self) -> Certificate | None:
        """That a little less is not enough; None if OptComp may be 0.

        An optimum that is attained has no lower certificate at that very ε: this one states an ε
        within the tolerance below it.
        """
        if self.upper is None or self.lower is None:
            return self._certificate(ExactNumber(mpq(0)))
        below = self.lower
        if self.exact is not None:
            step = mpq(1, mpz(10) ** self._places)
            below = max(mpq(0), floor_to(self.lower - step / 2, self._places))
        if below <= 0:
            return None
        return self._certificate(ExactNumber(below))

    def _certificate(self, epsilon: ExactNumber) -> Certificate:
        decision = self._solver.decide(epsilon, self.delta)
        return certificate(Subject.of(self.ledger), epsilon, self.delta, decision)


@dataclass(frozen=True, slots=True)
class ProfilePoint:
    """The privacy profile at one ε: lower <= δ(ε) <= upper.

    ``rule`` says by which rule the upper end was derived; "" where optimal composition knows both.
    """

    epsilon: ExactNumber
    lower: mpq
    upper: mpq
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Certified:
    """A decided claim and its certificate: an upper one if it holds, else a lower one.

    Attributes:
        holds: whether every composition with these parameters is (ε, δ)-DP.
        equality: whether the claimed ε is known to be the least one.
        certificate: the proof or the refutation.
    """

    holds: bool
    equality: bool
    certificate: Certificate


def compose(
    ledger: Ledger | Iterable[object],
    *,
    delta: object = None,
    tolerance: object = DEFAULT_TOLERANCE,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
    time_limit: int | None = None,
) -> Composition:
    r"""The least ε for a δ: optimal composition, enclosed.

    Args:
        ledger: a Ledger, or mechanisms as :meth:`exactdp.Ledger.of` takes them.
        delta: the global δ in [0, 1]; None takes the ledger's ``target_delta``.
        tolerance: the greatest width of the interval, in nats; > 0.
        method: force an engine: "rational-odds", "grid", "lattice" or "bracket".
        max_cost: refuse work predicted to cost more (units of about a nanosecond).
        time_limit: seconds; where the next refinement of a bracket would not fit into what is
            left of them, the best certain interval so far is the answer (``complete`` is False).

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits.

    Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.

    >>> answer = compose([("ln(3)", 0, 2)], delta="1/10")
    >>> print(answer.exact)
    ln(37/5)
    """
    ledger = ledger_of(ledger)
    target = target_of(ledger, delta)
    width = tolerance_of(tolerance)
    solver = _solver(ledger, method, max_cost, time_limit, width)
    optimum: Optimum = solver.optimum(target, width)
    return Composition(
        ledger,
        target,
        optimum.lower,
        optimum.upper,
        optimum.exact,
        optimum.method,
        optimum.complete,
        solver,
        places_within(width) + 1,
    )


def profile(
    ledger: Ledger | Iterable[object],
    *,
    epsilon: Sequence[object],
    tolerance: object = DEFAULT_TOLERANCE,
    method: str | None = None,
    max_cost: int = DEFAULT_MAX_COST,
) -> tuple[ProfilePoint, ...]:
    r"""The privacy profile: δ for each ε, enclosed to a relative width.

    Args:
        ledger: as for :func:`compose`.
        epsilon: the values of ε >= 0, in nats.
        tolerance: the greatest width of each interval, relative to its lower end.
        method: as for :func:`compose`.
        max_cost: as for :func:`compose`.

    Raises:
        InputError: bad arguments; a float among them.
        CostLimitError: the work would exceed the limits.

    >>> [point] = profile([("ln(3)", 0, 2)], epsilon=["ln(3)"])
    >>> print(point.lower, point.upper)
    3/8 3/8
    """
    width = tolerance_of(tolerance)
    solver = _solver(ledger_of(ledger), method, max_cost)
    points = [nonnegative(value) for value in epsilon]
    return tuple(ProfilePoint(point, *solver.failure(point, width)) for point in points)


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
        CostLimitError: undecided within the limits.

    >>> certify([("0.1", 0, 12)], epsilon="1.2", delta=0).holds
    True
    """
    ledger = ledger_of(ledger)
    claimed, target = nonnegative(epsilon), probability(delta)
    decision = _solver(ledger, method, max_cost).decide(claimed, target)
    return Certified(
        decision.holds,
        decision.equality,
        certificate(Subject.of(ledger), claimed, target, decision),
    )


def ledger_of(value: Ledger | Iterable[object]) -> Ledger:
    """A ledger, or the ledger of these mechanisms."""
    if isinstance(value, Ledger):
        return value
    if isinstance(value, str | bytes):
        raise InputError(
            field="ledger",
            value=value,
            expected="a Ledger, or a list of mechanisms",
            remedy="read a file with exactdp.read_ledger(path)",
        )
    return Ledger.of(value)


def _solver(
    ledger: Ledger,
    method: str | None,
    max_cost: int,
    time_limit: int | None = None,
    tolerance: mpq | None = None,
) -> Solver:
    if method is not None and method not in METHODS:
        raise InputError(field="method", value=method, expected=" or ".join(METHODS))
    chosen: Method | None = next((name for name in METHODS if name == method), None)
    return Solver(
        Problem.of(ledger),
        method=chosen,
        max_cost=max_cost,
        time_limit=time_limit,
        tolerance=tolerance,
    )


def target_of(ledger: Ledger, delta: object) -> mpq:
    """The global δ that was passed, or else the ledger's own."""
    if delta is None:
        delta = ledger.target_delta
    if delta is None:
        raise InputError(
            field="delta",
            value="nothing",
            expected="a global δ, as the ledger states no target_delta",
            remedy="pass delta, for example 1e-6",
        )
    return probability(delta)


def probability(value: object) -> mpq:
    """A rational from 0 to 1."""
    delta = as_rational(value, "delta")
    if not 0 <= delta <= 1:
        raise DomainError(field="delta", value=str(delta), expected="a rational from 0 to 1")
    return delta


def nonnegative(value: object) -> ExactNumber:
    """A number at least 0."""
    epsilon = as_number(value, "epsilon")
    if sign(epsilon) < 0:
        raise DomainError(field="epsilon", value=str(epsilon), expected="a number at least 0")
    return epsilon


def tolerance_of(value: object) -> mpq:
    """A rational above 0, and not absurdly small."""
    tolerance = as_rational(value, "tolerance")
    if tolerance < _FINEST:
        raise DomainError(
            field="tolerance", value=str(tolerance), expected="a rational at least 1e-10000"
        )
    return tolerance

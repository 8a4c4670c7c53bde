r"""Answers about ledgers that (ε, δ) describes in full: optimal composition.

Rules of this file: certificates take their own time, whatever the ends took.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import places_within
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.results import Certified, Composition, Evidence, ProfilePoint
from exactdp.composition.answers.shares import shared_out
from exactdp.composition.certificates import certificate
from exactdp.composition.engines.engine import Method
from exactdp.composition.engines.refusals import OutOfReachError
from exactdp.composition.problem import Problem
from exactdp.composition.route_certificates import moments_certificate
from exactdp.composition.solver import Solver
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.timing.deadlines import OutOfTimeError, stop_after


@dataclass(frozen=True)
class OptimalAnswers:
    """What optimal composition says of a ledger.

    Attributes:
        ledger: mechanisms by (ε, δ).
        method: an engine's name, or None for the planner's choice.
        max_cost: refuse work predicted to cost more.
    """

    ledger: Ledger
    method: Method | None
    max_cost: int

    def compose(
        self, delta: mpq, width: mpq, *, time_limit: float | None, refining: float | None
    ) -> Composition:
        """The least ε at δ."""
        solver = self._solver(width)
        solver.refine_within(refining)
        with stop_after(time_limit):
            found = solver.optimum(delta, width)
        solver.refine_within(None)
        return Composition(
            self.ledger,
            delta,
            found.lower,
            found.upper,
            found.exact,
            found.method,
            found.complete,
            (),
            optimal_evidence(self.ledger, delta, solver, places_within(width) + 1),
        )

    def usual_width(self, _delta: mpq, width: mpq) -> mpq:
        """The default, whatever the mechanisms are."""
        return width

    def nearly(self, _delta: mpq, _tolerance: mpq) -> None:
        """About the least ε at δ is not known at once."""

    def settle(self, delta: mpq, width: mpq, refused: CostLimitError) -> Composition:
        """What Rényi divergences give where the optimum was refused, if no tolerance fits."""
        if not isinstance(refused, OutOfReachError):
            raise refused
        from exactdp.composition.answers.moments import compose_by_moments  # noqa: PLC0415 (few ledgers need it)

        return compose_by_moments(self.ledger, delta, width)

    def settle_profile(self, _points: Sequence[ExactNumber], refused: CostLimitError) -> NoReturn:
        """Nothing else is known where a point was refused."""
        raise refused

    def profile(
        self, points: Sequence[ExactNumber], width: mpq, time_limit: float | None
    ) -> tuple[ProfilePoint, ...]:
        """δ at each ε."""
        solver = self._solver()
        found: list[ProfilePoint] = []
        for point, seconds in shared_out(points, time_limit):
            solver.allow(seconds)
            ends = solver.profile(point, width)
            found.append(ProfilePoint(point, *ends, solver.method_at(point)))
        return tuple(found)

    def certify(self, epsilon: ExactNumber, delta: mpq) -> Certified:
        """Whether ε is enough at δ."""
        subject = Subject.of(self.ledger)
        try:
            decision = self._solver().decide(epsilon, delta)
        except OutOfTimeError:
            raise
        except CostLimitError:
            proof = self._by_moments(subject, epsilon, delta)
            if proof is None:
                raise
            return Certified(True, False, proof)
        proof = certificate(subject, epsilon, delta, decision)
        return Certified(decision.holds, decision.equality, proof)

    def _by_moments(self, subject: Subject, epsilon: ExactNumber, delta: mpq) -> Certificate | None:
        """The proof by Rényi divergences, where the optimum decides nothing; None without one."""
        if self.method is not None:
            return None
        with contextlib.suppress(CostLimitError):
            return moments_certificate(subject, Problem.of(self.ledger), epsilon, delta)
        return None

    def _solver(self, width: mpq | None = None) -> Solver:
        problem = Problem.of(self.ledger)
        return Solver(problem, method=self.method, max_cost=self.max_cost, tolerance=width)


def optimal_evidence(
    ledger: Ledger,
    delta: mpq,
    solver: Solver,
    places: int,
    open_because: str = "as narrow as the time limit allowed",
) -> Evidence:
    """What optimal composition rests on, of which so many decimal places are shown."""

    def prove(epsilon: ExactNumber, *, enough: bool) -> Certificate:
        del enough  # whoever decides it anew finds the same
        decision = solver.decide(epsilon, delta)
        return certificate(Subject.of(ledger), epsilon, delta, decision)

    return Evidence(
        solver.problem,
        prove,
        "randomized responses",
        open_because,
        reaches_least_delta=True,
        places=places,
        costs=solver,
        basic_epsilon=solver.problem.total_epsilon,
    )

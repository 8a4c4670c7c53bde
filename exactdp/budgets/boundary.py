r"""Where a growing family of ledgers leaves a budget (ε, δ).

Purpose: a family has one ledger for each x, and each demands at least as much as those before it.
Find two neighbouring x of which one ledger provably keeps the budget and the other provably does
not.

Rules of this file: only enclosures and decisions of the solver move an end; a guess may cost
time, never truth.

Theory of operation: D is monotone in every ε_i and Δ antitone in every δ_i, so that the x that
keep a budget are an interval from the left. A guess (:mod:`exactdp.budgets.guess`) says where
it probably ends. The next candidate is a little beyond the guess, on the side of the more distant
end, so that an exact guess is closed in by two decisions. If one side answers again and again,
candidates move away from it faster and faster; if the ends do not come nearer, what is left is
halved. A place where OptComp is too near ε for a cheap comparison is left for another, once; then
it is decided.

The planner prefers an exact grid that fits within the limit, however cheap a bracket would be.
The limit therefore starts low and grows only when a question cannot be answered within it.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import short_text
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.budgets.guess import Guess, Shape, down_to
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.results import EvidenceKind
from exactdp.composition.certificates import certificate
from exactdp.composition.decisions import Decision, Optimum
from exactdp.composition.engines.engine import Method
from exactdp.composition.problem import Problem
from exactdp.composition.solver import Solver
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger

_FIRST_LIMIT: Final = 10**9
_LIMIT_GROWTH: Final = 8
_ROUNDS_TO_HALVE: Final = 5
_FARTHEST: Final = 16
_FINEST_SLOPE: Final = mpq(1, 2**64)

_Result = TypeVar("_Result")


class LedgerFamily(Shape, Protocol):
    """Ledgers that demand more and more, and about how much."""

    def ledger(self, at: mpq) -> Ledger:
        """The ledger at ``at``."""

    def resolution(self, high: mpq, /) -> tuple[mpq, mpq]:
        """How near the ends shall come below ``high``, and the step of the candidates.

        The step is at most an eighth of that width, or all of it.
        """


@dataclass(frozen=True, slots=True)
class DecidedLedger:
    """Whether one ledger keeps the budget, decided.

    Attributes:
        at: the place of the ledger in its family.
        ledger: the ledger.
        decision: the answer.
    """

    at: mpq
    ledger: Ledger
    decision: Decision

    @property
    def evidence(self) -> EvidenceKind:
        """What it rests on."""
        return "certificate"

    def certificate(self, epsilon: ExactNumber, delta: mpq) -> Certificate:
        """An upper certificate of the ledger at the budget if it holds, else a lower one."""
        return certificate(Subject.of(self.ledger), epsilon, delta, self.decision)


class Boundary:
    """The place at which a family leaves the budget (``epsilon``, ``delta``).

    Args:
        family: the ledgers.
        epsilon: ε >= 0 of the budget.
        delta: δ < 1 of the budget.
        method: an engine's name, or None for the planner's choice.
        max_cost: refuse work predicted to cost more, in units of about a nanosecond.
    """

    def __init__(
        self,
        family: LedgerFamily,
        *,
        epsilon: ExactNumber,
        delta: mpq,
        method: Method | None,
        max_cost: int,
    ) -> None:
        self._family = family
        self._epsilon = epsilon
        self._delta = delta
        self._method = method
        self._max_cost = max_cost
        self._limit = min(_FIRST_LIMIT, max_cost)
        self._guess = Guess(family, epsilon, delta)
        self._solvers: dict[mpq, tuple[Ledger, Solver]] = {}

    def decide(self, at: mpq) -> DecidedLedger:
        """Whether the ledger at ``at`` keeps the budget.

        Raises:
            CostLimitError: undecided within the limits.
        """
        ledger, decision = self._ask(at, lambda solver: solver.decide(self._epsilon, self._delta))
        return DecidedLedger(at, ledger, decision)

    def narrow(self, low: mpq, high: mpq) -> tuple[mpq, mpq]:
        """Ends as near as the family wants them, ``low`` kept by the budget and ``high`` not.

        Args:
            low: a place that is known to be kept.
            high: one that is known not to be; ends that nothing moved are not examined.

        Raises:
            CostLimitError: undecided within the limits.
        """
        search = _Search(low, high)
        try:
            while not search.is_near(*self._family.resolution(search.high)):
                self._round(search)
        except CostLimitError as error:
            raise _with_ends(error, search) from None
        return search.low, search.high

    def _round(self, search: _Search) -> None:
        """Move one end of ``search``, or learn that the place was too near the boundary."""
        guess = self._guess.between(search.low, search.high, search.step)
        at = search.candidate(guess)
        coarse = search.spread(at) / (8 * search.high)
        kept = self._compare(at, coarse, search.width / (64 * search.high))
        if kept is None and not search.patient:
            kept = self.decide(at).decision.holds
        search.move(at, kept=kept)
        kept_solvers = (search.low, search.high)
        self._solvers = {x: each for x, each in self._solvers.items() if x in kept_solvers}

    def _compare(self, at: mpq, coarse: mpq, fine: mpq) -> bool | None:
        """Whether the ledger at ``at`` keeps the budget; None if OptComp is too near it.

        The guess learns from what was found. ``coarse`` and ``fine`` are tolerances for OptComp,
        relative to the budget: precision is cheap but on a mesh.
        """
        optimum = self._ask(at, lambda solver: self._optimum(solver, coarse, fine))[1]
        if optimum.lower is None or optimum.upper is None:
            return False
        if not optimum.lower:
            decision = self.decide(at).decision
            if decision.slack:
                self._guess.learn_slack(at, decision.slack * (1 if decision.holds else -1))
            return decision.holds
        self._guess.learn(at, (optimum.lower + optimum.upper) / 2)
        if compare(ExactNumber(optimum.upper), self._epsilon) <= 0:
            return True
        return False if compare(ExactNumber(optimum.lower), self._epsilon) > 0 else None

    def _optimum(self, solver: Solver, coarse: mpq, fine: mpq) -> Optimum:
        meshed = solver.problem.epsilons and solver.engine.method == "bracket"
        size = max(self._guess.size, self._delta, _FINEST_SLOPE)
        return solver.optimum(self._delta, size * (coarse if meshed else fine))

    def _ask(self, at: mpq, question: Callable[[Solver], _Result]) -> tuple[Ledger, _Result]:
        """An answer about the ledger at ``at``, within the lowest limit that allows one."""
        if at not in self._solvers:
            self._solvers[at] = self._solver(self._family.ledger(at))
        while True:
            ledger, solver = self._solvers[at]
            try:
                return ledger, question(solver)
            except CostLimitError:
                if self._limit >= self._max_cost:
                    raise
                self._limit = min(self._limit * _LIMIT_GROWTH, self._max_cost)
                self._solvers[at] = self._solver(ledger)

    def _solver(self, ledger: Ledger) -> tuple[Ledger, Solver]:
        problem = Problem.of(ledger)
        return ledger, Solver(problem, method=self._method, max_cost=self._limit)


class _Search:
    """The ends, how they came about, and where to look next."""

    def __init__(self, low: mpq, high: mpq) -> None:
        self.low, self.high = low, high
        self.width = self.step = mpq(1)
        self.patient = True
        self._last: mpq | None = None
        self._streak = 0
        self._halved, self._rounds = high - low, 0

    def is_near(self, width: mpq, step: mpq) -> bool:
        """Whether the ends are as near as ``width``, which is the goal with this ``step``."""
        self.width, self.step = width, step
        return self.high - self.low <= width

    def spread(self, at: mpq) -> mpq:
        """How far the boundary probably is from ``at``, at most; the width or more."""
        moved = self.high - self.low if self._last is None else abs(at - self._last)
        return max(moved, self.width)

    def candidate(self, guess: mpq) -> mpq:
        """A place a little beyond ``guess``, on the side of the more distant end.

        If one side has answered many times in a row, it lies further beyond.
        """
        upward = self.high - guess >= guess - self.low
        repeated = max(0, abs(self._streak) - 1) if upward == (self._streak > 0) else 0
        margin = (self.width - self.step) * 3 / 8 + self.width * (8**repeated - 1)
        if upward:
            at = down_to(guess + margin, self.step) + self.step
        else:
            at = down_to(guess - margin, self.step)
        is_far = self._last is not None and at > _FARTHEST * max(self._last, 64 * self.step)
        if is_far or not self.low < at < self.high or self._is_slow():
            return self._middle()
        return at

    def _middle(self) -> mpq:
        """A place between; four times the low end while the high one is far beyond that."""
        least = max(self.low, 64 * self.step)
        middle = 4 * least if self.high > _FARTHEST * least else (self.low + self.high) / 2
        return max(self.low + self.step, down_to(middle, self.step))

    def _is_slow(self) -> bool:
        """Whether the distance was not halved in some rounds; they are counted anew then."""
        distance = self.high - self.low
        if 2 * distance <= self._halved:
            self._halved, self._rounds = distance, 0
        self._rounds = (self._rounds + 1) % _ROUNDS_TO_HALVE
        return not self._rounds

    def move(self, at: mpq, *, kept: bool | None) -> None:
        """Take in what was found at ``at``; None if it is too near the boundary."""
        self.patient, self._last = kept is not None, at
        if kept:
            self.low, self._streak = at, max(self._streak, 0) + 1
        elif kept is False:
            self.high, self._streak = at, min(self._streak, 0) - 1


def _with_ends(error: CostLimitError, search: _Search) -> CostLimitError:
    """The error, with what is certain nevertheless."""
    low, high = short_text(search.low), short_text(search.high)
    return CostLimitError(
        field=error.field,
        value=error.value,
        expected=error.expected,
        path=error.path,
        remedy=f"{error.remedy}; certain so far: {low} keeps the budget and {high} does not",
        code=error.code,
    )

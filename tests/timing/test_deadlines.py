"""Engines ask for time often: between two questions they do little, whatever they compose.

What an engine does is counted by the functions that it calls, its own and those of its libraries; a
product of polynomials is one call, and announced with its price. No test here reads a clock.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

import pytest
from gmpy2 import mpq
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from exactdp.composition.answers.shares import shared_out
from exactdp.composition.decisions import Optimum
from exactdp.composition.engines.atoms.lattice import Lattice
from exactdp.composition.engines.engine import METHODS, Method
from exactdp.composition.planner import plan
from exactdp.composition.problem import Problem
from exactdp.composition.solver import Solver
from exactdp.errors import CostLimitError, InputError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import Mechanism
from exactdp.timing import deadlines
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import OutOfTimeError, ask, asking, stop_after
from exactdp.timing.reading import reading

AN_AGE: Final = 10**9
MOST_CALLS: Final = 150_000
"""Between two questions; some hundredths of a second."""
MANY: Final = 10
MOST_COST: Final = 3 * 10**9
DELTA: Final = mpq(1, 10**6)
TOLERANCE: Final = mpq(1, 10**9)


class Meter:
    """Calls between two questions: the most there were, and all of them."""

    def __init__(self) -> None:
        self.most = self.all = self._begin = 0

    def count(self, _frame: FrameType, event: str, _what: object) -> None:
        """What ``sys.setprofile`` calls."""
        self.all += event in ("call", "c_call")

    def asked(self, *_: object) -> None:
        """A question was asked."""
        self.most = max(self.most, self.all - self._begin)
        self._begin = self.all


@contextmanager
def metered() -> Iterator[Meter]:
    """A meter of the block, which has all the time."""
    meter = Meter()
    with pytest.MonkeyPatch.context() as patch, stop_after(AN_AGE):
        patch.setattr(deadlines, "refuse_late", meter.asked)
        sys.setprofile(meter.count)
        try:
            yield meter
        finally:
            sys.setprofile(None)
    meter.asked()


def problem_of(*groups: tuple[str, int]) -> Problem:
    return Problem.of(Ledger(tuple(Mechanism(text, 0, count) for text, count in groups)))


FAR_OUT: Final = problem_of(*((f"ln({10000 + 90 * i}/9999)", 1) for i in range(1, 47)))
MANY_DIFFERENT: Final = problem_of(
    *((f"{10000 + i * 7919 % 89989}/1000000", 1) for i in range(1500))
)
MANY_LOGARITHMS: Final = problem_of(*((f"ln({10000 + i}/9999)", 1) for i in range(1, 800)))
LONG_GRID: Final = problem_of(("1/1000", 3000), ("37/1000", 1000), ("101/1000", 500))
LATTICE: Final = problem_of(("ln(2)", 25), ("ln(3)", 25), ("ln(7/5)", 25))
ODDS: Final = problem_of(("ln(3)", 200), ("ln(2)", 150))


def solver_of(method: Method | None, problem: Problem, tolerance: mpq) -> Solver:
    return Solver(problem, method=method, tolerance=tolerance, max_cost=MOST_COST)


def answered(method: Method | None, problem: Problem, tolerance: mpq) -> Optimum | None:
    try:
        return solver_of(method, problem, tolerance).optimum(DELTA, tolerance)
    except (CostLimitError, InputError):
        return None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "problem", "tolerance"),
    [
        ("fourier", FAR_OUT, mpq(1, 10**7)),
        ("fourier", MANY_DIFFERENT, TOLERANCE),
        ("bracket", MANY_DIFFERENT, mpq(1, 100)),
        ("grid", LONG_GRID, TOLERANCE),
        ("atoms", LATTICE, TOLERANCE),
        ("atoms", ODDS, TOLERANCE),
        (None, MANY_LOGARITHMS, TOLERANCE),
    ],
)
def test_a_long_composition_asks_all_the_time(
    method: Method | None, problem: Problem, tolerance: mpq
) -> None:
    with metered() as meter:
        assert answered(method, problem, tolerance) is not None
    assert meter.most <= MOST_CALLS


@pytest.mark.slow
def test_these_compositions_are_long() -> None:
    with metered() as meter:
        answered("fourier", FAR_OUT, mpq(1, 10**7))
    assert meter.all > MANY * MOST_CALLS


GROUPS: Final = st.tuples(
    st.one_of(
        st.integers(1, 2000).map(lambda n: f"{n}/1000"),
        st.integers(1, 200).map(lambda n: f"ln({n + 200}/200)"),
        st.integers(1, 10**6).map(lambda n: f"{n}/1000000"),
    ),
    st.integers(1, 9),
)
LEDGERS: Final = st.lists(GROUPS, min_size=1, max_size=8, unique_by=lambda group: group[0])


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(LEDGERS, st.sampled_from(METHODS), st.sampled_from([2, 4, 6]))
def test_every_engine_asks_often_whatever_it_composes(
    groups: list[tuple[str, int]], method: Method, digits: int
) -> None:
    with metered() as meter:
        answered(method, problem_of(*groups), mpq(1, 10**digits))
    assert meter.most <= MOST_CALLS


# --- stopped ------------------------------------------------------------------------------------


@contextmanager
def over_after(asked: int) -> Iterator[None]:
    """Time that is over once it was read so often."""
    reads = 0

    def passing() -> int:
        nonlocal reads
        reads += 1
        return 10**9 * reads

    with reading(passing), stop_after(asked):
        yield


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(LEDGERS, st.sampled_from([None, *METHODS]), st.integers(1, 400))
def test_whenever_a_solver_is_stopped_it_says_so_and_answers_later(
    groups: list[tuple[str, int]], method: Method | None, asked: int
) -> None:
    problem, tolerance = problem_of(*groups), mpq(1, 10**4)
    truth = answered(method, problem, tolerance)
    if truth is None or truth.lower is None or truth.upper is None:
        reject()
    solver = solver_of(method, problem, tolerance)
    try:
        with over_after(asked):
            found = solver.optimum(DELTA, tolerance)
    except OutOfTimeError:
        found = solver.optimum(DELTA, tolerance)
        assert found.complete
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower <= truth.upper
    assert truth.lower <= found.upper
    assert found.complete or found.upper - found.lower > tolerance / 2


@pytest.mark.slow
def test_a_refinement_that_is_stopped_leaves_what_was_known() -> None:
    """The first effort is too coarse here, and the second is stopped wherever that may be."""
    coarse = mpq(1, 10**9)
    problem = problem_of(*((f"ln({10000 + 90 * i}/9999)", 3) for i in range(1, 8)))
    solver = Solver(problem, method="bracket")
    ends = [_stopped(solver, asked, coarse) for asked in (5, 20, 28, 36, 52, 250)]
    known = [each for each in ends if each is not None]
    assert any(not each.complete for each in known)
    best = answered("bracket", problem, mpq(1, 10**7))
    assert best is not None
    for each in known:
        assert each.lower is not None
        assert each.lower <= (best.upper or 0)


def _stopped(solver: Solver, asked: int, tolerance: mpq) -> Optimum | None:
    try:
        with over_after(asked):
            return solver.optimum(DELTA, tolerance)
    except CostLimitError:
        return None


# --- deadlines ----------------------------------------------------------------------------------


def test_the_sooner_of_two_deadlines_counts() -> None:
    with over_after(3), stop_after(AN_AGE):
        ask()
        with pytest.raises(OutOfTimeError, match="more work than there was time for"):
            [*asking(range(9), deadlines.SHORT)]


def test_without_a_deadline_no_time_is_read() -> None:
    def read() -> NoReturn:
        raise AssertionError

    with reading(read):
        ask(10**18)
        assert [*asking(range(5), 10**9)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("seconds", [0, 1, 10**6])
def test_every_limit_reads_the_clock_of_its_context(seconds: int) -> None:
    """Those that stop work, those that hand time out, and those that search while there is some."""
    nanoseconds = 10**18
    with reading(lambda: nanoseconds), stop_after(seconds):
        clock = Clock(seconds)
        assert (clock.left, clock.elapsed, clock.is_over) == (seconds, 0, not seconds)
        assert [left for _, left in shared_out("a", seconds)] == [seconds]
        ask()
        nanoseconds += seconds * 10**9 + 1
        assert clock.is_over
        with pytest.raises(OutOfTimeError, match="more work than there was time for"):
            ask()


def test_a_step_that_would_not_fit_is_refused_before_it_is_taken() -> None:
    with stop_after(1000), pytest.raises(OutOfTimeError, match="predicted cost"):
        ask(10**12 + 1)


@given(st.lists(st.integers(), max_size=30), st.integers(1, 10**8))
def test_items_are_asked_for_as_their_costs_add_up(items: list[int], cost: int) -> None:
    questions: list[int] = []
    with pytest.MonkeyPatch.context() as patch, stop_after(AN_AGE):
        patch.setattr(deadlines, "refuse_late", lambda *_: questions.append(1))
        assert [*asking(items, cost)] == items
    each = -(-deadlines.SHORT // cost)
    assert len(questions) == -(-len(items) // each)


# --- planning -----------------------------------------------------------------------------------


@given(LEDGERS, st.integers(0, 10**5))
def test_more_sums_than_so_many_are_seen_without_a_basis(
    groups: list[tuple[str, int]], most: int
) -> None:
    epsilons = problem_of(*groups).epsilons
    if Lattice.has_more_sums(epsilons, most):
        assert Lattice.of(epsilons).most_sums > most


def test_points_far_out_are_predicted_to_take_long() -> None:
    engine = plan(FAR_OUT, method="fourier", tolerance=TOLERANCE)
    assert engine.cost(engine.first_effort(64)) > 10**9


def test_many_that_differ_are_not_predicted_to_align() -> None:
    engine = plan(MANY_DIFFERENT, method="fourier", tolerance=TOLERANCE)
    assert engine.cost(engine.first_effort(64)) < 10**9

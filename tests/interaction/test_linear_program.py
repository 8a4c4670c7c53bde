"""Linear systems in non-negative unknowns: decided, and the decision verified."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.errors import InternalError
from exactdp.interaction import linear_program
from exactdp.interaction.linear_program import (
    EXACT,
    FLOATS,
    Impossibility,
    Solution,
    SolutionOrProof,
    System,
    decide,
    holds,
)

SMALL = st.integers(-3, 3).map(mpq)
ONE = mpq(1)


@st.composite
def systems(draw: st.DrawFn) -> System:
    columns, rows = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    lines = [
        {column: value for column in range(columns) if (value := draw(SMALL))} for _ in range(rows)
    ]
    return System(tuple(lines), tuple(draw(SMALL) for _ in range(rows)), columns)


@given(systems())
def test_every_system_is_decided_and_verified(system: System) -> None:
    assert holds(system, decide(system, floats=False))


with_a_float_solver = pytest.mark.skipif(
    find_spec("highspy") is None, reason="the extra interactive is not installed"
)


@with_a_float_solver
@given(systems())
def test_the_bases_of_a_float_solver_decide_alike(system: System) -> None:
    assert holds(system, decide(system, floats=True))
    assert type(decide(system, floats=True)) is type(decide(system, floats=False))


@given(systems(), st.lists(st.integers(0, 3).map(mpq), min_size=5, max_size=5))
def test_a_system_made_from_a_solution_has_one(system: System, values: list[mpq]) -> None:
    right = [sum((v * values[c] for c, v in row.items()), mpq(0)) for row in system.rows]
    made = System(system.rows, tuple(right), system.columns)
    assert isinstance(decide(made, floats=False), Solution)


UNIT = System(({0: ONE, 1: ONE},), (ONE,), 2)
NEVER = System(({0: ONE},), (-ONE,), 1)


@with_a_float_solver
@pytest.mark.parametrize(("system", "kind"), [(UNIT, Solution), (NEVER, Impossibility)])
def test_a_basis_of_floats_that_verifies_is_the_answer(
    system: System, kind: type[SolutionOrProof]
) -> None:
    answer = decide(system)
    assert (type(answer), answer.proposed_by) == (kind, FLOATS)


@pytest.mark.parametrize(
    ("system", "answer"),
    [
        (UNIT, Solution((mpq(2), -ONE), EXACT)),
        (UNIT, Solution((ONE, ONE), EXACT)),
        (UNIT, Impossibility((ONE,), EXACT)),
        (UNIT, Impossibility((-ONE,), EXACT)),
        (NEVER, Impossibility((ONE,), EXACT)),
        (NEVER, Impossibility((mpq(0),), EXACT)),
    ],
)
def test_a_wrong_answer_is_found_out(system: System, answer: SolutionOrProof) -> None:
    assert not holds(system, answer)


def test_a_wrong_proposal_of_floats_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    for proposed in (None, Solution((ONE, ONE), "a guess"), Impossibility((ONE,), "a guess")):
        monkeypatch.setattr(linear_program, "_by_floats", lambda _, answer=proposed: answer)
        answer = decide(UNIT, floats=True)
        assert (type(answer), answer.proposed_by) == (Solution, EXACT)


def test_a_basis_that_is_none_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = System(({0: ONE, 1: ONE}, {0: ONE, 1: ONE}), (ONE, ONE), 2)
    for basis in (None, [0], [0, 1]):
        monkeypatch.setattr(linear_program, "_float_basis", lambda _, basis=basis: basis)
        assert decide(twice, floats=True).proposed_by == EXACT


def test_an_exact_answer_that_fails_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Solution((ONE, ONE), EXACT)
    monkeypatch.setattr(linear_program, "solve_by_exact_simplex", lambda _: wrong)
    with pytest.raises(InternalError, match="one that verifies"):
        decide(UNIT, floats=False)


def test_without_the_extra_the_exact_method_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    assert decide(UNIT).proposed_by == EXACT

"""When the Fourier bracket is chosen, and what it is predicted to do."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from exactdp import compose
from exactdp.composition.engines.fourier import FourierEngine
from exactdp.composition.engines.problem import Problem
from exactdp.composition.solver import Solver
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger

MANY = [(f"{1000 + 7919 * i % 99_000}/10000000", "0", 3) for i in range(400)]


@pytest.mark.slow
def test_many_mechanisms_to_many_digits_are_the_fourier_bracket_s() -> None:
    answer = compose(MANY, delta="1e-6", tolerance="1e-9")
    assert answer.method == "fourier"
    assert answer.upper is not None
    assert answer.lower is not None
    assert answer.upper - answer.lower <= mpq(1, 10**9)


@pytest.mark.slow
def test_a_ledger_that_does_not_fit_is_answered_by_another_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> None:
        raise CostLimitError(field="x", value="x", expected="x", code="fourier-does-not-fit")

    monkeypatch.setattr(FourierEngine, "_spectrum", refused)
    solver = Solver(Problem.of(Ledger.of(MANY)), tolerance=mpq(1, 10**9))
    first = solver.engine.method
    with pytest.raises(CostLimitError, match="x"):
        compose(MANY, delta="1e-6", tolerance="1e-4", method="fourier")
    assert first == "fourier"
    solver.optimum(mpq(1, 10**6), mpq(1, 10**4))
    assert solver.engine.method == "bracket"


@pytest.mark.slow
@pytest.mark.parametrize("digits", [4, 6, 8, 10])
def test_the_work_predicted_is_that_done_within_a_factor(digits: int) -> None:
    problem = Problem.of(Ledger.of(MANY))
    engine = FourierEngine(problem.epsilons, mpq(1, 10**digits))
    delta = problem.allowed(mpq(1, 10**6)).ball(128)
    engine.aim_at_allowed(delta)
    effort = engine.first_effort(128)
    predicted = engine.cost(effort)
    engine.least_epsilon(delta, effort)
    spectrum = engine.witness()
    values = (spectrum.parameters.near + len(spectrum.far)) * len(problem.epsilons)
    tables = len(spectrum.parameters.factors)
    done = 2000 * values + 10**6 * tables + 2500 * tables * spectrum.sweep.blocks
    assert done / 4 <= predicted <= 4 * done

"""When the Fourier bracket is chosen, and what it is predicted to do."""

from __future__ import annotations

import random

import pytest
from gmpy2 import mpq

from exactdp import compose
from exactdp.composition.engines.engine import BracketEngine
from exactdp.composition.engines.fourier.fourier import FourierEngine
from exactdp.composition.planner import plan
from exactdp.composition.problem import Problem
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


def _ledger(seed: int, distinct: int, count: int, largest: int) -> Ledger:
    """So many distinct ε of eight digits up to largest/100, each of them ``count`` times."""
    draw = random.Random(seed)  # noqa: S311 (a corpus, no secret)
    sizes = sorted({draw.randint(1, largest * 10**6) for _ in range(distinct)})
    return Ledger.of([(f"{size}/100000000", "0", count) for size in sizes])


@pytest.mark.slow
@pytest.mark.parametrize("digits", [5, 8])
@pytest.mark.parametrize(
    ("distinct", "count", "largest"),
    [(40, 3, 20), (100, 1, 99), (100, 20, 2), (399, 20, 99), (400, 3, 2), (1000, 20, 2)],
)
def test_the_work_predicted_is_that_done_within_a_factor(
    distinct: int, count: int, largest: int, digits: int
) -> None:
    # counted in factors of values, tables and blocks of the sweep; no clock is asked
    problem = Problem.of(_ledger(distinct + digits, distinct, count, largest))
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
    other = BracketEngine(problem.epsilons, problem.total_epsilon)
    costlier = other.cost(other.last_effort(128, mpq(1, 10**digits)))
    chosen = plan(problem, method=None, tolerance=mpq(1, 10**digits), allowed=delta)
    assert chosen.method == ("fourier" if predicted < costlier else "bracket")

"""Gaussian mechanisms in the Fourier bracket: against mpmath, against the mesh, and the choice."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import prod

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Subject
from exactdp.composition.certificates import certificate
from exactdp.composition.engines.fourier.fourier import FourierEngine
from exactdp.composition.engines.gaussian.mixtures import MixtureBound
from exactdp.composition.problem import Problem
from exactdp.composition.routes import MixtureRoute, Routes, SpectrumRoute
from exactdp.composition.solver import Solver
from exactdp.composition.widening import WideningSolver
from exactdp.errors import InternalError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import ConcentratedMechanism, Entry, GaussianMechanism, Mechanism
from exactdp.verifier import verify_bytes
from tests.composition.engines import oracle
from tests.marking import slow_after

WIDTH = mpq(1, 10**9)

_SIZES = ["1/10", "123/1000", "1/3", "7/10", "ln(3)", "2"]
_COUNTS = st.dictionaries(st.sampled_from(_SIZES), st.integers(1, 2), min_size=1, max_size=3)
_MUS = st.sampled_from(["1/20", "1/4", "1", "3", "20"])
_DELTAS = st.sampled_from(["1/10", "1e-4", "1e-9"])


def _problem(counts: dict[str, int], *noise: Entry, failing: str = "0") -> tuple[Ledger, Problem]:
    pairs = [Mechanism(size, failing, count) for size, count in counts.items()]
    ledger = Ledger.of([*pairs, *noise])
    return ledger, Problem.of_parameters(ledger)


def _solver(problem: Problem, width: mpq = WIDTH) -> WideningSolver:
    return WideningSolver(problem, width)


@pytest.mark.slow
@settings(max_examples=10)
@given(_COUNTS, _MUS, _DELTAS, st.sampled_from(["0", "1e-12"]))
def test_the_interval_meets_that_of_the_mixture_and_both_ends_are_certified(
    counts: dict[str, int], mu: str, delta: str, failing: str
) -> None:
    ledger, problem = _problem(counts, GaussianMechanism(mu), failing=failing)
    solver, allowed = _solver(problem), mpq(Fraction(delta))
    found = solver.optimum(allowed, WIDTH)
    assert found.lower is not None
    assert found.upper is not None
    assert found.upper - found.lower <= WIDTH
    above = MixtureBound("gaussian-mixture", problem, "above", None)
    below = MixtureBound("gaussian-mixture", problem, "below", None)
    assert found.lower <= above.least_epsilon(allowed, WIDTH)
    assert below.least_epsilon(allowed, WIDTH) <= found.upper
    for end, holds in ((found.upper, True), (found.lower, False)):
        if end or holds:
            decision = solver.decide(ExactNumber(end), allowed)
            assert decision.holds is holds
            shown = certificate(Subject.of(ledger), ExactNumber(end), allowed, decision)
            verdict = verify_bytes(shown.to_bytes())
            assert verdict.status == "accepted", verdict.line


@pytest.mark.slow
@settings(max_examples=10)
@given(_COUNTS, _MUS, st.sampled_from(["0", "1/7", "1/2"]))
def test_the_profile_holds_the_sum_over_all_answers(
    counts: dict[str, int], mu: str, epsilon: str
) -> None:
    rational = {size: count for size, count in counts.items() if size != "ln(3)"} or {"2": 1}
    _, problem = _problem(rational, GaussianMechanism(mu))
    low, high = _solver(problem).profile(ExactNumber(mpq(Fraction(epsilon))), mpq(1, 10**6))
    with mpmath.workdps(40):
        pure = [(Fraction(size), count) for size, count in rational.items()]
        exact = oracle.mixture_delta(pure, Fraction(mu) ** 2, epsilon)
        assert oracle.real(low) <= exact <= oracle.real(high)
    assert high - low <= low * mpq(1, 10**6)


@pytest.mark.parametrize(
    ("distinct", "count", "kind"),
    [(3, 1, MixtureRoute), (4, 2, MixtureRoute), (5, 2, SpectrumRoute), (12, 1, SpectrumRoute)],
)
def test_few_combinations_are_listed_and_many_are_not(
    distinct: int, count: int, kind: type[MixtureRoute | SpectrumRoute]
) -> None:
    counts = {f"{1000 + 7 * i}/10007": count for i in range(distinct)}
    _, problem = _problem(counts, GaussianMechanism(1))
    routes = Routes(problem, WIDTH)
    assert isinstance(routes.below, kind)
    assert [type(route) for route in routes.fixed] == [kind]


def test_what_is_chosen_is_predicted_to_cost_no_more_than_the_other() -> None:
    for distinct in (2, 5, 8, 12):
        for mu in ("1/1000000", "1/100", "1"):
            counts = {f"{1000 + 7 * i}/10007": 1 for i in range(distinct)}
            _, problem = _problem(counts, GaussianMechanism(mu))
            listed = prod(count + 1 for _, count in problem.epsilons) * 10**6
            by_spectrum = isinstance(Routes(problem, WIDTH).below, SpectrumRoute)
            assert by_spectrum == (listed > max(10**8, _solver(problem).cost_of_width))


def test_a_common_grid_of_few_cells_keeps_its_rule_and_a_long_one_does_not() -> None:
    for sizes, kind in ((range(1, 6), MixtureRoute), (range(1, 60), SpectrumRoute)):
        _, problem = _problem({f"{i}/10": 8 for i in sizes}, GaussianMechanism(1))
        assert isinstance(Routes(problem, WIDTH).below, kind)


@pytest.mark.parametrize(("mu", "count"), [("1", 1), ("1/20", 20), ("1/100000", 1)])
@pytest.mark.parametrize("distinct", slow_after(1, [12, 60]))
def test_the_work_predicted_is_that_done_within_a_factor(
    mu: str, count: int, distinct: int
) -> None:
    # counted in factors of values, tables and blocks of the sweep; no clock is asked
    counts = {f"{1000 + 7919 * i % 99_000}/1000000": 3 for i in range(distinct)}
    _, problem = _problem(counts, GaussianMechanism(mu, count))
    solver = _solver(problem, mpq(1, 10**6))
    solver.optimum(mpq(1, 10**6), mpq(1, 10**6))
    engine = solver.engine
    assert isinstance(engine, FourierEngine)
    spectrum = engine.witness()
    values = (spectrum.parameters.near + len(spectrum.far)) * distinct
    tables = len(spectrum.parameters.factors)
    done = 2000 * values + 10**6 * tables + 2500 * tables * spectrum.sweep.blocks
    assert solver.predicted_cost is not None
    assert done / 4 <= solver.predicted_cost <= 4 * done


@pytest.mark.slow
def test_a_rho_counts_as_noise_from_below() -> None:
    counts = {f"{1000 + 7 * i}/10007": 1 for i in range(12)}
    ledger, problem = _problem(counts, ConcentratedMechanism("1/8"), GaussianMechanism("1/2"))
    below = Routes(problem, WIDTH).below
    assert isinstance(below, SpectrumRoute)
    found = below.derivation(mpq(1, 10**6), WIDTH)
    _, alone = _problem(counts, GaussianMechanism("1/2", 2))
    both = _solver(alone).optimum(mpq(1, 10**6), WIDTH)
    assert (found.rule, found.epsilon) == ("fourier-lower", both.lower)
    shown = below.certificate(Subject.of(ledger), ExactNumber(found.epsilon), mpq(1, 10**6))
    assert shown is not None
    assert verify_bytes(shown.to_bytes()).status == "accepted"
    assert below.certificate(Subject.of(ledger), ExactNumber(mpq(60)), mpq(1, 10**6)) is None


@pytest.mark.slow
def test_a_ledger_that_does_not_fit_is_answered_by_a_mixture() -> None:
    """So many mechanisms of so little that a check far out would lose its digits."""
    counts = {f"{1000 + 7 * i}/1000700000000000": 10**6 for i in range(8)}
    _, problem = _problem(counts, GaussianMechanism("1/1000000"))
    [above] = Routes(problem, WIDTH).fixed
    assert above.derivation(mpq(1, 10**6), WIDTH).rule == "gaussian-mesh"


@pytest.mark.parametrize(
    ("counts", "mu", "more"),
    [({"1/1000": 10**6}, "1/1000", 10**6), ({"1/10": 1000}, "1/20", 1)],
)
@pytest.mark.parametrize("width", slow_after(1, ["1e-9", "1e-30"]))
def test_many_equal_mechanisms_are_certified_to_any_width(
    counts: dict[str, int], mu: str, more: int, width: str
) -> None:
    """All points that matter may be evaluated, and |φ| is large again where losses align."""
    ledger, problem = _problem(counts, GaussianMechanism(mu, more))
    delta, tolerance = mpq(1, 10**6), mpq(Fraction(width))
    solver = _solver(problem, tolerance)
    found = solver.optimum(delta, tolerance)
    assert found.lower is not None
    assert found.upper is not None
    assert found.upper - found.lower <= tolerance
    for end, holds in ((found.upper, True), (found.lower, False)):
        decision = solver.decide(ExactNumber(end), delta)
        assert decision.holds is holds
        shown = certificate(Subject.of(ledger), ExactNumber(end), delta, decision)
        assert verify_bytes(shown.to_bytes()).status == "accepted"


@pytest.mark.slow
def test_a_width_out_of_reach_is_made_wider(monkeypatch: pytest.MonkeyPatch) -> None:
    _, problem = _problem({f"{1000 + 7 * i}/10007": 1 for i in range(12)}, GaussianMechanism(1))
    solver = _solver(problem)
    monkeypatch.setattr(solver, "_max_cost", solver.cost_of_width - 1)
    found = solver.optimum(mpq(1, 10**6), WIDTH)
    assert found.lower is not None
    assert found.upper is not None
    assert WIDTH < found.upper - found.lower <= 10**4 * WIDTH


def test_the_problem_is_that_of_the_pairs_with_the_squares_beside_it() -> None:
    ledger, problem = _problem({"1/10": 2}, GaussianMechanism("1/2", 3))
    pairs = [each for each in ledger.mechanisms if isinstance(each, Mechanism)]
    assert problem == replace(Problem.of(Ledger.of(pairs)), square=mpq(3, 4))


def test_no_solver_answers_about_a_rho() -> None:
    _, problem = _problem({"1/10": 2}, ConcentratedMechanism("1/8"))
    with pytest.raises(InternalError, match="converted before"):
        Solver(problem)

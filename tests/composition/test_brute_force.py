"""The engines against the references, on ledgers drawn with fixed seeds."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.profile import profile
from exactdp.literature.references import (
    hockey_stick,
    least_grid_multiple,
    least_odds_by_subsets,
)
from tests.composition.oracle import (
    SubsetSums,
    budget_of,
    check_interval,
    expand,
    fraction,
    random_delta,
    random_groups,
)

TOLERANCES = ["1e-9", "1e-3", "1e-25", "1"]


def _check_rational(seed: int, most: int) -> None:
    source = Random(seed)  # noqa: S311
    groups = random_groups(source, rational=True, most=most)
    delta = random_delta(source, groups)
    budget = budget_of(groups, delta)
    answer = compose(groups, delta=delta, method="atoms")
    if budget < 0:
        assert not answer.feasible
        return
    odds = [fraction(e.rational_odds()) for e in expand(groups)]
    truth = least_odds_by_subsets(odds, budget)
    assert answer.exact is not None
    assert answer.lower is not None
    assert answer.upper is not None
    exact = ExactNumber.ln(truth)
    assert compare(answer.exact, exact) == 0
    assert compare(ExactNumber(answer.lower), exact) <= 0
    assert compare(ExactNumber(answer.upper), exact) >= 0
    assert certify(groups, epsilon=exact, delta=delta).holds
    if truth > 1:
        below = ExactNumber.ln(1 + (truth - 1) * (1 - Fraction(1, 10**40)))
        assert not certify(groups, epsilon=below, delta=delta).holds
    y = 1 + Fraction(source.randint(0, 400), 100)
    [point] = profile(groups, epsilon=[ExactNumber.ln(y)])
    failed = -budget_of(groups, Fraction(0))
    expected = 1 - (1 - hockey_stick(odds, y)) / (1 + failed)
    assert point.lower <= mpq(expected) <= point.upper
    assert point.upper - point.lower <= point.lower * mpq(1, 10**9)


def _check_irrational(seed: int, most: int) -> None:
    source = Random(seed)  # noqa: S311
    groups = random_groups(source, rational=False, most=most)
    delta = random_delta(source, groups)
    tolerance = source.choice(TOLERANCES)
    answer = compose(groups, delta=delta, tolerance=tolerance)
    check_interval(groups, delta, answer.lower, answer.upper)
    if answer.lower is not None and answer.upper is not None:
        assert 0 <= answer.lower <= answer.upper
        assert answer.upper - answer.lower <= ExactNumber.parse(tolerance).rational
    if source.randrange(4) == 0:
        wide = compose(groups, delta=delta, tolerance="1e-2", method="bracket")
        check_interval(groups, delta, wide.lower, wide.upper)
    if source.randrange(2):
        epsilon = ExactNumber.parse(f"{source.randint(0, 300)}/100")
        excess = SubsetSums(tuple(expand(groups)), 300).excess(epsilon, budget_of(groups, delta))
        holds = certify(groups, epsilon=epsilon, delta=delta).holds
        assert not (excess > 0 and holds)
        assert not (excess < 0 and not holds)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_rational_odds_agree_exactly_with_the_sum_over_subsets(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        _check_rational(seed, 8)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_other_ledgers_agree_with_the_sum_over_subsets_in_balls(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        _check_irrational(10_000 + seed, 8)


@pytest.mark.slow
def test_rational_odds_agree_exactly_up_to_twelve_mechanisms() -> None:
    for seed in range(20_000, 20_150):
        _check_rational(seed, 12)


@pytest.mark.slow
def test_other_ledgers_agree_in_balls_up_to_twelve_mechanisms() -> None:
    for seed in range(30_000, 30_150):
        _check_irrational(seed, 12)


def _check_table(seed: int) -> None:
    source = Random(seed)  # noqa: S311
    multiples = [source.randint(0, 12) for _ in range(source.randint(1, 14))]
    unit = 1 + Fraction(1, source.randint(1, 20))
    budget = Fraction(source.randint(0, 200), 200) ** source.randint(1, 6)
    found = least_grid_multiple(multiples, unit, budget)
    assert found is not None
    base = ExactNumber.ln(unit)
    answer = compose([(base * a, 0) for a in multiples], delta=budget, method="atoms")
    assert answer.exact is not None
    assert compare(base * found, answer.exact) >= 0
    assert found == 0 or compare(base * (found - 1), answer.exact) < 0


@pytest.mark.slow
def test_the_papers_dynamic_programming_agrees() -> None:
    for seed in range(200):
        _check_table(40_000 + seed)

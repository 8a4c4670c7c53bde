"""The references agree with each other, with hand-made values, and refuse what has no meaning."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.errors import DomainError
from exactdp.literature.references import (
    hockey_stick,
    least_grid_multiple,
    least_odds_by_subsets,
    table_decision,
    weights_within,
)

ODDS = st.lists(
    st.builds(lambda n, d: 1 + Fraction(n, d), st.integers(0, 20), st.integers(1, 9)), max_size=6
)
BUDGETS = st.builds(Fraction, st.integers(0, 60), st.just(60))
MULTIPLES = st.lists(st.integers(0, 7), max_size=7)
UNITS = st.builds(lambda n, d: 1 + Fraction(n, d), st.integers(1, 5), st.integers(1, 9))


@pytest.mark.parametrize(
    ("odds", "y", "expected"),
    [
        ([], 1, Fraction(0)),
        ([3], 1, Fraction(1, 2)),
        ([3], 3, Fraction(0)),
        ([3, 3], 3, Fraction(3, 8)),
        ([1, 1, 3], 2, Fraction(1, 4)),
        ([9], 3, Fraction(6, 10)),
        ([5, 5], 3, Fraction(22, 36)),
    ],
)
def test_small_divergences_are_those_computed_by_hand(
    odds: list[int], y: int, expected: Fraction
) -> None:
    assert hockey_stick([Fraction(e) for e in odds], Fraction(y)) == expected


@pytest.mark.parametrize("odds", [Fraction(1, 2), Fraction(0), Fraction(-3)])
def test_an_odds_ratio_below_one_is_refused(odds: Fraction) -> None:
    with pytest.raises(DomainError, match="an odds ratio at least 1") as caught:
        hockey_stick([Fraction(3), odds], Fraction(1))
    assert (caught.value.field, caught.value.value) == ("odds_ratios[1]", str(odds))
    with pytest.raises(DomainError, match="y"):
        hockey_stick([Fraction(3)], odds)
    with pytest.raises(DomainError, match="odds_ratios"):
        least_odds_by_subsets([odds], Fraction(0))


def test_a_negative_allowed_divergence_has_no_answer() -> None:
    with pytest.raises(DomainError, match="allowed"):
        least_odds_by_subsets([Fraction(3)], Fraction(-1, 9))
    assert least_grid_multiple([1], Fraction(3), Fraction(-1, 9)) is None


@pytest.mark.parametrize(
    ("multiples", "unit", "candidate"), [([1], Fraction(1), 0), ([-1], Fraction(2), 0)]
)
def test_the_table_refuses_what_is_no_grid(
    multiples: list[int], unit: Fraction, candidate: int
) -> None:
    with pytest.raises(DomainError, match=r"^(unit_odds: 1|multiples: -1): "):
        table_decision(multiples, unit, candidate, Fraction(0))


@given(ODDS, BUDGETS)
def test_the_least_odds_are_the_least_that_meet_the_budget(
    odds: list[Fraction], budget: Fraction
) -> None:
    y = least_odds_by_subsets(odds, budget)
    assert y >= 1
    assert hockey_stick(odds, y) <= budget
    if y > 1:
        assert hockey_stick(odds, y) == budget
        assert hockey_stick(odds, 1 + (y - 1) * Fraction(999, 1000)) > budget


@given(ODDS, UNITS, UNITS)
def test_the_divergence_is_nonincreasing_and_convex(
    odds: list[Fraction], y: Fraction, z: Fraction
) -> None:
    y, z = sorted((y, z))
    at_y, at_z = hockey_stick(odds, y), hockey_stick(odds, z)
    assert 0 <= at_z <= at_y < 1
    assert 2 * hockey_stick(odds, (y + z) / 2) <= at_y + at_z


@given(MULTIPLES, st.integers(-2, 30))
def test_the_table_with_weights_one_counts_subsets(multiples: list[int], bound: int) -> None:
    sums = [0]
    for a in multiples:
        sums += [s + a for s in sums]
    counted = weights_within(multiples, [Fraction(1)] * len(multiples), bound)
    assert counted == sum(s <= bound for s in sums)


@given(MULTIPLES, UNITS, st.integers(0, 20), BUDGETS)
def test_the_table_decides_as_the_sum_over_subsets(
    multiples: list[int], unit: Fraction, candidate: int, budget: Fraction
) -> None:
    odds = [unit**a for a in multiples]
    truth = hockey_stick(odds, unit**candidate)
    assert table_decision(multiples, unit, candidate, budget) == (truth <= budget)
    assert table_decision(multiples, unit, candidate, truth)


@given(MULTIPLES, UNITS, BUDGETS)
def test_the_binary_search_finds_optcomp_rounded_up(
    multiples: list[int], unit: Fraction, budget: Fraction
) -> None:
    found = least_grid_multiple(multiples, unit, budget)
    assert found is not None
    y = least_odds_by_subsets([unit**a for a in multiples], budget)
    assert unit**found >= y
    assert found == 0 or unit ** (found - 1) < y

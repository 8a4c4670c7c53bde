"""Rates: the quickest step is the rule, and one that was stopped tells of heavier ones."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from exactdp.timing.rates import Rate

seconds = st.floats(min_value=1e-6, max_value=1e6)
sizes = st.floats(min_value=1e-3, max_value=1e3)
weights = st.integers(min_value=0, max_value=10**6)


@given(seconds, sizes)
def test_nothing_is_known_at_first_but_what_is_given(usual: float, size: float) -> None:
    assert Rate(usual).of(size) == usual * size


@given(seconds, seconds, sizes)
def test_a_quicker_step_is_believed_and_a_slower_one_is_not(
    usual: float, taken: float, size: float
) -> None:
    rate = Rate(usual)
    rate.learn(taken, size)
    assert rate.of(1) == min(usual, taken / size)


@given(seconds, seconds, sizes, weights, weights)
def test_what_was_stopped_tells_of_all_that_is_as_heavy(
    usual: float, taken: float, size: float, weight: int, other: int
) -> None:
    rate = Rate(usual)
    rate.exceed(taken, size, weight=weight)
    stopped = taken / size if other >= weight else 0.0
    assert rate.of(1, weight=other) == max(usual, stopped)


@given(seconds, seconds, weights)
def test_a_stop_outlives_a_quicker_step_of_lighter_ones(
    taken: float, usual: float, weight: int
) -> None:
    rate = Rate(usual)
    rate.exceed(taken, 1, weight=weight + 1)
    rate.learn(taken / 2, 1)
    assert rate.of(1, weight=weight + 1) >= taken
    assert rate.of(1, weight=weight) <= usual

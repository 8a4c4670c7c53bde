from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.verifier.arithmetic.enclosures import bits_for
from exactdp.verifier.arithmetic.weights import Terms, block


def binomial(count: int, x: Fraction) -> list[Fraction]:
    return [math.comb(count, j) * x**j / (1 + x) ** count for j in range(count + 1)]


def block_of(count: int, x: Fraction, digits: int) -> Terms:
    bits = bits_for(digits) + 60
    low = (x.numerator << bits) // x.denominator
    return block(count, (low, low + 1), bits, digits)


@pytest.mark.slow
@given(
    st.integers(1, 60),
    st.fractions(Fraction(1, 10**9), 1, max_denominator=10**9),
    st.integers(2, 40),
)
@settings(max_examples=200)
def test_a_block_is_below_the_truth_and_close(count: int, x: Fraction, digits: int) -> None:
    weights = block_of(count, x, digits)
    for j, exact in enumerate(binomial(count, x)):
        assert weights.get(j, 0) <= exact * 10**digits
    lost = 10**digits - sum(weights.values())
    assert 0 <= lost <= 4 * (count + 2)


def test_a_block_of_a_large_count_is_a_window() -> None:
    weights = block_of(10**6, Fraction(1, 2), 20)
    assert len(weights) < 10_000
    assert min(weights) < 10**6 // 3 < max(weights)
    assert 10**20 - sum(weights.values()) < 10**5


def test_a_block_where_lies_are_impossible_to_see_is_one_weight() -> None:
    assert block(7, (0, 1), 200, 20) == {0: 10**20 - 1}


def test_a_block_too_coarse_for_any_weight_is_empty() -> None:
    assert block_of(10**5, Fraction(9, 10), 1) == {}

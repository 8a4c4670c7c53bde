from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.verifier.enclosures import bits_for
from exactdp.verifier.weights import Weights, block, product, spread, trimmed

small_weights = st.tuples(st.integers(0, 5), st.lists(st.integers(0, 10**12), max_size=9))


def binomial(count: int, x: Fraction) -> list[Fraction]:
    return [math.comb(count, j) * x**j / (1 + x) ** count for j in range(count + 1)]


def at(weights: Weights, index: int) -> int:
    first, values = weights
    return values[index - first] if first <= index < first + len(values) else 0


def block_of(count: int, x: Fraction, digits: int) -> Weights:
    bits = bits_for(digits) + 60
    low = (x.numerator << bits) // x.denominator
    return block(count, (low, low + 1), bits, digits)


@given(
    st.integers(1, 60),
    st.fractions(Fraction(1, 10**9), 1, max_denominator=10**9),
    st.integers(2, 40),
)
@settings(max_examples=200)
def test_a_block_is_below_the_truth_and_close(count: int, x: Fraction, digits: int) -> None:
    weights = block_of(count, x, digits)
    for j, exact in enumerate(binomial(count, x)):
        assert at(weights, j) <= exact * 10**digits
    lost = 10**digits - sum(weights[1])
    assert 0 <= lost <= 4 * (count + 2)


def test_a_block_of_a_large_count_is_a_window() -> None:
    first, values = block_of(10**6, Fraction(1, 2), 20)
    assert len(values) < 10_000
    assert first < 10**6 // 3 < first + len(values)
    assert 10**20 - sum(values) < 10**5


def test_a_block_where_lies_are_impossible_to_see_is_one_weight() -> None:
    assert block(7, (0, 1), 200, 20) == (0, [10**20 - 1])


def test_a_block_too_coarse_for_any_weight_is_empty() -> None:
    assert block_of(10**5, Fraction(9, 10), 1)[1] == []


@given(small_weights)
def test_trimming_keeps_every_weight(weights: Weights) -> None:
    first, values = trimmed(*weights)
    assert all(at(weights, i) == at((first, values), i) for i in range(20))
    assert not values or (values[0] and values[-1])


@given(small_weights, st.integers(1, 5))
def test_spreading_moves_weights_to_multiples(weights: Weights, stride: int) -> None:
    wide = spread(weights, stride)
    assert sum(wide[1]) == sum(weights[1])
    assert all(at(wide, i * stride) == at(weights, i) for i in range(20))


def test_the_product_of_nothing_is_certainty() -> None:
    assert product([], 12) == (0, [10**12])


@given(small_weights)
def test_the_product_of_one_is_itself(weights: Weights) -> None:
    assert product([weights], 12) == weights


@given(small_weights, small_weights)
@settings(max_examples=200)
def test_a_product_is_the_convolution_rounded_down(one: Weights, other: Weights) -> None:
    result = product([one, other], 12)
    for index in range(30):
        exact = sum(at(one, i) * at(other, index - i) for i in range(index + 1))
        assert at(result, index) == exact // 10**12


@given(st.lists(st.lists(st.integers(1, 10**6), min_size=1, max_size=3), min_size=3, max_size=6))
def test_a_product_of_many_is_below_the_truth_and_close(lists: list[list[int]]) -> None:
    factors: list[Weights] = [(0, values) for values in lists]
    result = product(factors, 6)
    exact: dict[int, Fraction] = {}
    for choice in itertools.product(*(enumerate(values) for values in lists)):
        place = sum(index for index, _ in choice)
        term = math.prod((Fraction(value, 10**6) for _, value in choice), start=Fraction(1))
        exact[place] = exact.get(place, Fraction(0)) + term
    for place, value in exact.items():
        assert at(result, place) <= value * 10**6
        assert value * 10**6 - at(result, place) < 10**4


def test_slots_hold_the_largest_coefficients_without_carrying() -> None:
    full: Weights = (0, [10**5] * 11)
    assert product([full, full], 5) == (
        0,
        [10**5 * (11 - abs(10 - i)) for i in range(21)],
    )


@pytest.mark.parametrize("digits", [5000])
def test_weights_beyond_the_digit_limit_of_python_multiply(digits: int) -> None:
    half: Weights = (0, [10**digits // 2] * 2)
    assert product([half, half], digits) == (0, [10**digits // 4, 10**digits // 2, 10**digits // 4])

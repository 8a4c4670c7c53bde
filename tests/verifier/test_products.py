"""Products of weights, against exact convolution."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.verifier.arithmetic.products import Weights, product, two_factors
from exactdp.verifier.arithmetic.weights import Terms

DIGITS = 12
WHOLE = 10**DIGITS


def factors(most_places: int, most_terms: int = 6) -> st.SearchStrategy[Terms]:
    """Weights that sum to at most 10^12, as parts of a probability do."""
    places = st.integers(0, most_places)
    return st.dictionaries(places, st.integers(0, WHOLE // most_terms), max_size=most_terms)


some_factors = st.lists(st.one_of(factors(9), factors(10**4)), max_size=5)


def as_terms(weights: Weights) -> dict[int, int]:
    first, values = weights
    return {place: weight for place, weight in enumerate(values, first) if weight}


def exact_product(all_factors: Sequence[Terms]) -> dict[int, Fraction]:
    """The product without rounding, in units of 10^-12."""
    result = {0: Fraction(WHOLE)}
    for terms in all_factors:
        both: dict[int, Fraction] = {}
        for i, one in result.items():
            for j, other in terms.items():
                both[i + j] = both.get(i + j, Fraction(0)) + one * other / WHOLE
        result = both
    return result


def multiplied(pair: tuple[Weights, Weights]) -> dict[int, Fraction]:
    return exact_product([as_terms(weights) for weights in pair])


def check_below_and_close(found: dict[int, Fraction], exact: dict[int, Fraction]) -> None:
    """Each weight from below; a rounding loses less than 1 of each of at most 6^5 terms."""
    assert found.keys() <= exact.keys()
    for place, weight in exact.items():
        assert weight - 6**5 <= found.get(place, 0) <= weight


@pytest.mark.parametrize("digits", [1, 12, 5000])
def test_the_product_of_nothing_is_certainty(digits: int) -> None:
    assert product([], digits) == (0, [10**digits])


@given(factors(10**4))
def test_the_product_of_one_is_itself(terms: Terms) -> None:
    assert as_terms(product([terms], DIGITS)) == {i: w for i, w in terms.items() if w}


@pytest.mark.slow
@given(factors(9), factors(9))
@settings(max_examples=200)
def test_a_product_is_the_convolution_rounded_down(one: Terms, other: Terms) -> None:
    exact = exact_product([one, other])
    rounded = {place: int(weight) for place, weight in exact.items() if weight >= 1}
    assert as_terms(product([one, other], DIGITS)) == rounded


@given(factors(10**4), factors(10**4))
def test_a_product_of_few_terms_far_apart_is_no_other(one: Terms, other: Terms) -> None:
    exact = exact_product([one, other])
    rounded = {place: int(weight) for place, weight in exact.items() if weight >= 1}
    assert as_terms(product([one, other], DIGITS)) == rounded


def test_a_product_of_which_every_weight_is_lost_is_empty() -> None:
    least = dict.fromkeys(range(40), 1)
    assert product([least, least], DIGITS) == (0, [])


@given(some_factors)
def test_a_product_of_many_is_from_below_and_close(many: list[Terms]) -> None:
    found = {place: Fraction(w) for place, w in as_terms(product(many, DIGITS)).items()}
    check_below_and_close(found, exact_product(many))


@given(some_factors)
def test_two_factors_have_the_product_of_all(many: list[Terms]) -> None:
    check_below_and_close(multiplied(two_factors(many, 0, (), DIGITS)), exact_product(many))


@given(st.lists(factors(9, 2), max_size=2), st.integers(0, 2), st.lists(factors(9), max_size=2))
def test_squared_roots_are_powers(roots: list[Terms], squarings: int, rest: list[Terms]) -> None:
    exact = exact_product([*roots * 2**squarings, *rest])
    check_below_and_close(multiplied(two_factors(roots, squarings, rest, DIGITS)), exact)


@given(some_factors)
def test_a_product_has_no_zeros_at_its_ends(many: list[Terms]) -> None:
    _, values = product([*many, *many], DIGITS)
    assert not values or (values[0] and values[-1])


def test_no_weight_leaves_its_slot() -> None:
    certain: Terms = {3: 10**5}
    assert product([certain] * 9, 5) == (27, [10**5])
    wide: Terms = dict.fromkeys(range(10), 10**4)
    values = [10**3 * (10 - abs(9 - i)) for i in range(19)]
    assert product([wide, wide], 5) == (0, values)


def test_weights_beyond_the_digit_limit_of_python_multiply() -> None:
    digits = 5000
    half = dict.fromkeys(range(2), 10**digits // 2)
    quarter = 10**digits // 4
    assert product([half, half], digits) == (0, [quarter, 2 * quarter, quarter])

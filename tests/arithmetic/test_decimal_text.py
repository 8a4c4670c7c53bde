"""Decimals: directions are kept, and what has no direction is exact."""

from __future__ import annotations

from fractions import Fraction

import mpmath  # type: ignore[import-untyped]
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.decimal_text import (
    ceil_to,
    decimal_text,
    enclose_in_decimals,
    floor_log10,
    floor_to,
    places_within,
    power_of_ten,
    round_above,
    round_below,
    scientific_above,
    scientific_below,
    short_text,
    shortest_text,
)
from exactdp.arithmetic.numbers import ExactNumber
from tests.arithmetic.oracle import value_of
from tests.arithmetic.strategies import numbers, positive_rationals, rationals

PLACES = st.integers(0, 40)


@given(rationals(), PLACES)
def test_floor_and_ceiling_enclose_within_one_unit(value: mpq, places: int) -> None:
    low, high = floor_to(value, places), ceil_to(value, places)
    unit = mpq(1, 10**places)
    assert low <= value <= high
    assert high - low == (0 if low == value else unit)
    assert (low / unit).denominator == 1


@given(rationals(10**30), st.integers(1, 20))
def test_significant_digits_are_rounded_in_the_stated_direction(value: mpq, digits: int) -> None:
    below, above = round_below(value, digits), round_above(value, digits)
    assert below <= value <= above
    if value:
        assert above - below <= abs(value) * mpq(10, 10**digits)
    assert mpq(Fraction(scientific_below(value, 15))) <= value
    assert mpq(Fraction(scientific_above(value, 15))) >= value


@given(st.integers(-(10**40), 10**40), PLACES)
def test_a_terminating_decimal_is_printed_exactly(numerator: int, places: int) -> None:
    value = mpq(numerator, 10**places)
    assert mpq(Fraction(decimal_text(value))) == value


def test_a_number_that_does_not_terminate_has_no_decimal_text() -> None:
    with pytest.raises(ValueError, match=r"never end|not a terminating"):
        decimal_text(mpq(1, 3))


@given(rationals(10**25))
def test_short_text_is_exact_and_of_the_grammar(value: mpq) -> None:
    assert ExactNumber.parse(short_text(value)).rational == value


@given(st.integers(-(10**20), 10**20), st.integers(-400, 400))
def test_short_text_of_decimals_is_exact(mantissa: int, exponent: int) -> None:
    value = mantissa * power_of_ten(exponent)
    assert ExactNumber.parse(short_text(value)).rational == value


@given(numbers())
def test_shortest_text_is_lossless(number: ExactNumber) -> None:
    assert ExactNumber.parse(shortest_text(number)) == number


@given(positive_rationals(10**60))
def test_floor_log10_is_the_greatest_power_not_above(value: mpq) -> None:
    n = floor_log10(value)
    assert power_of_ten(n) <= value < power_of_ten(n + 1)


@pytest.mark.parametrize("n", [-5000, -17, -1, 0, 1, 17, 5000, 100_000, -100_000])
def test_floor_log10_is_right_at_and_next_to_powers_of_ten(n: int) -> None:
    power = power_of_ten(n)
    assert floor_log10(power) == n
    assert floor_log10(power * mpq(10**30 - 1, 10**30)) == n - 1
    assert floor_log10(power * mpq(10**30 + 1, 10**30)) == n


@given(positive_rationals())
def test_places_within_is_the_least_number_of_places(tolerance: mpq) -> None:
    places = places_within(tolerance)
    assert mpq(1, 10**places) <= tolerance
    assert places == 0 or mpq(1, 10 ** (places - 1)) > tolerance


@given(numbers(), st.integers(0, 50))
def test_decimals_enclose_a_number_within_two_units(number: ExactNumber, places: int) -> None:
    low, high = enclose_in_decimals(number, places)
    assert high - low <= mpq(2, 10**places)
    with mpmath.workdps(120):
        truth = value_of(number, 120)
        slack = mpmath.mpf(10) ** -100
        assert mpmath.mpf(int(low.numerator)) / int(low.denominator) <= truth + slack
        assert mpmath.mpf(int(high.numerator)) / int(high.denominator) >= truth - slack


@given(rationals(), st.integers(0, 50))
def test_the_decimals_around_a_rational_are_the_nearest(value: mpq, places: int) -> None:
    number = ExactNumber(value)
    assert enclose_in_decimals(number, places) == (floor_to(value, places), ceil_to(value, places))

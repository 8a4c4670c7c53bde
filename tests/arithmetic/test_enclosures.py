"""Balls: their ends contain the truth, and no precision is left behind."""

from __future__ import annotations

from collections.abc import Callable

import mpmath  # type: ignore[import-untyped]
import pytest
from flint import arb, ctx
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.enclosures import (
    ball,
    ball_of_rational,
    lower_end,
    precision,
    scaled_floor,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import CostLimitError
from tests.arithmetic.oracle import value_of
from tests.arithmetic.strategies import numbers, rationals


@given(numbers(), st.integers(20, 300))
def test_the_ends_of_a_ball_contain_the_truth(number: ExactNumber, bits: int) -> None:
    with precision(bits):
        value = ball(number)
    low, high = lower_end(value), upper_end(value)
    assert low <= high
    with mpmath.workdps(150):
        truth = value_of(number, 150)
        slack = mpmath.mpf(10) ** -130
        assert mpmath.mpf(int(low.numerator)) / int(low.denominator) <= truth + slack
        assert mpmath.mpf(int(high.numerator)) / int(high.denominator) >= truth - slack


@given(rationals(10**40), st.integers(2, 200))
def test_the_ends_of_a_rationals_ball_contain_it(value: mpq, bits: int) -> None:
    with precision(bits):
        enclosed = ball_of_rational(value)
    assert lower_end(enclosed) <= value <= upper_end(enclosed)


@given(rationals(10**20), st.integers(0, 100))
def test_scaled_floor_is_an_integer_not_above(value: mpq, bits: int) -> None:
    with precision(300):
        floor = int(scaled_floor(ball_of_rational(value), bits))
    exact = value * (1 << bits)
    assert floor <= exact
    assert exact - floor < 1 + mpq(1, 1 << 100)


@given(numbers(), st.integers(30, 200), st.integers(30, 200))
def test_two_precisions_overlap(number: ExactNumber, first: int, second: int) -> None:
    with precision(first):
        one = ball(number)
    with precision(second):
        two = ball(number)
    assert one.overlaps(two)


def test_the_old_precision_returns_even_after_an_error() -> None:
    before = ctx.prec
    with precision(1234):
        assert ctx.prec == 1234
        with precision(77):
            assert ctx.prec == 77
        assert ctx.prec == 1234
    assert ctx.prec == before
    with pytest.raises(ZeroDivisionError, match="inside"), precision(4321):
        raise ZeroDivisionError("inside")
    assert ctx.prec == before


def test_a_comparison_of_balls_that_overlap_answers_neither_way() -> None:
    with precision(64):
        value = arb(1).union(arb(2))
    assert not value < arb(1.5)
    assert not value > arb(1.5)


def test_far_ends_are_exact_within_reach() -> None:
    assert lower_end(arb(2) ** 60_000) == mpq(2) ** 60_000
    assert upper_end(arb(2) ** -60_000) == mpq(1, mpz(1) << 60_000)


@pytest.mark.parametrize("exponent", [-(10**12), 10**12, -(10**300), 10**300])
@pytest.mark.parametrize("end", [lower_end, upper_end])
def test_an_end_too_far_from_one_is_refused_and_never_written_out(
    exponent: int, end: Callable[[arb], mpq]
) -> None:
    with precision(64):
        value = arb(exponent).exp()
    with pytest.raises(CostLimitError, match="an intermediate number near"):
        end(value)

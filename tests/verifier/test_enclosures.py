from __future__ import annotations

import math
from fractions import Fraction

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.verifier.arithmetic.enclosures import (
    Enclosure,
    bits_for,
    ceil_div,
    ceil_shift,
    enclose,
    enclose_delta,
    enclose_ln,
    exp_fixed,
    exp_floating,
)
from exactdp.verifier.format.numbers import Number
from exactdp.verifier.format.outcomes import RejectedError

bit_counts = st.integers(min_value=32, max_value=400)
ratios = st.fractions(min_value=1, max_value=10**9, max_denominator=10**6)


def assert_encloses(ends: Enclosure, bits: int, value: mpmath.mpf, width: int) -> None:
    low, high = ends
    scaled = mpmath.ldexp(value, bits)
    assert low <= scaled <= high
    assert high - low <= width


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**5), st.integers(0, 40))
def test_rounding_up_is_rounding_up(value: int, divisor: int, shift: int) -> None:
    assert ceil_div(value, divisor) == math.ceil(Fraction(value, divisor))
    assert ceil_shift(value, shift) == math.ceil(Fraction(value, 2**shift))


def test_bits_are_at_least_as_fine_as_digits() -> None:
    assert all(2 ** bits_for(digits) >= 10**digits for digits in range(1, 500))


@pytest.mark.slow
@given(ratios, bit_counts)
@settings(max_examples=200)
def test_a_logarithm_is_enclosed(ratio: Fraction, bits: int) -> None:
    with mpmath.workprec(bits + 200):
        value = mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator)
        assert_encloses(enclose_ln(ratio, bits), bits, value, 40 * bits)


@pytest.mark.parametrize("ratio", [Fraction(1), Fraction(4, 3), Fraction(2, 1), Fraction(3, 2)])
def test_a_logarithm_at_the_ends_of_the_reduction_is_enclosed(ratio: Fraction) -> None:
    with mpmath.workprec(300):
        value = mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator)
        assert_encloses(enclose_ln(ratio, 100), 100, value, 400)


def test_a_logarithm_of_a_rational_of_a_million_bits_is_enclosed_at_once() -> None:
    ratio = Fraction(2**1_000_000 + 1, 2**1_000_000 - 1)
    low, high = enclose_ln(ratio, 128)
    assert 0 <= low <= high <= 500
    with mpmath.workprec(300):
        assert_encloses(enclose_ln(Fraction(2**1_000_000), 128), 128, 10**6 * mpmath.log(2), 2**30)


@given(
    st.fractions(max_denominator=1000, min_value=-1000, max_value=1000),
    st.lists(st.tuples(st.fractions(-(10**6), 10**6, max_denominator=99), ratios), max_size=3),
    bit_counts,
)
def test_a_number_is_enclosed(
    rational: Fraction, logs: list[tuple[Fraction, Fraction]], bits: int
) -> None:
    number = Number(rational, tuple(logs))
    with mpmath.workprec(bits + 200):
        value = mpmath.mpf(rational.numerator) / rational.denominator
        for c, r in logs:
            ln = mpmath.log(mpmath.mpf(r.numerator) / r.denominator)
            value += ln * c.numerator / c.denominator
        assert_encloses(enclose(number, bits), bits, value, 2)


@pytest.mark.slow
@given(st.fractions(-300, 300, max_denominator=1000), bit_counts, st.integers(0, 10))
@settings(max_examples=200)
def test_an_exponential_is_enclosed_on_all_of_its_argument(
    argument: Fraction, bits: int, width: int
) -> None:
    low = (argument.numerator << bits) // argument.denominator
    result_low, result_high, k = exp_floating((low, low + width), bits)
    with mpmath.workprec(bits + 600):
        ends = [mpmath.exp(mpmath.ldexp(end, -bits)) for end in (low, low + width)]
        assert result_low <= mpmath.ldexp(ends[0], bits - k)
        assert mpmath.ldexp(ends[1], bits - k) <= result_high
    assert result_high - result_low <= 2 * width + 4


@given(st.fractions(-500, 1, max_denominator=1000), bit_counts)
def test_a_small_exponential_is_enclosed_in_fixed_point(argument: Fraction, bits: int) -> None:
    low = (argument.numerator << bits) // argument.denominator
    with mpmath.workprec(bits + 1000):
        value = mpmath.exp(mpmath.ldexp(low, -bits))
        assert_encloses(exp_fixed((low, low), bits), bits, value, 6)


def test_an_exponential_of_something_far_below_zero_costs_nothing() -> None:
    assert exp_fixed((-(10**3000), -(10**2999)), 100) == (0, 1)


@pytest.mark.parametrize("argument", [(1 << 200, 1 << 200), (0, 1 << 100)])
def test_an_exponential_too_large_or_too_uncertain_is_rejected(argument: Enclosure) -> None:
    with pytest.raises(RejectedError, match="an exponential"):
        exp_floating(argument, 100)


deltas = st.fractions(0, Fraction(999, 1000), max_denominator=10**6)


@given(st.dictionaries(deltas, st.integers(1, 30), max_size=3), deltas, bit_counts)
def test_delta_is_enclosed(losses: dict[Fraction, int], delta: Fraction, bits: int) -> None:
    kept = Fraction(1)
    for loss, count in losses.items():
        kept *= (1 - loss) ** count
    exact = (1 - (1 - delta) / kept) * 2**bits
    try:
        low, high = enclose_delta(delta, losses.items(), bits)
    except RejectedError:
        assert kept < Fraction(1, 2**bits)
    else:
        assert low <= exact <= high


def test_delta_is_enclosed_closely_for_a_count_of_10_to_the_18() -> None:
    low, high = enclose_delta(Fraction(1, 2), [(Fraction(1, 10**18), 10**18)], 200)
    with mpmath.workprec(400):
        value = 1 - mpmath.mpf(1) / 2 * mpmath.exp(1 + mpmath.mpf(10) ** -18 / 2)
        assert abs(mpmath.ldexp(low, -200) - value) < mpmath.mpf(10) ** -30
    assert 0 < high - low <= 4


def test_a_delta_of_a_million_bits_is_enclosed_at_once() -> None:
    low, high = enclose_delta(Fraction(1, 2**1_000_000), [(Fraction(1, 2**999_999), 10**18)], 200)
    assert low < 0 <= high


def test_a_product_too_small_for_the_digits_is_rejected() -> None:
    with pytest.raises(RejectedError, match="too few digits"):
        enclose_delta(Fraction(1, 2), [(Fraction(1, 2), 10**6)], 100)

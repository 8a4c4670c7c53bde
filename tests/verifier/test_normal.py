"""The normal distribution and the Gaussian profile against mpmath, at many more digits."""

from __future__ import annotations

from fractions import Fraction

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.verifier.arithmetic import normal
from tests.marking import each_case

DIGITS = 800
squares = st.fractions(min_value=Fraction(1, 10**6), max_value=200, max_denominator=10**6)
epsilons = st.fractions(min_value=-30, max_value=60, max_denominator=10**6)


def real(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def profile(epsilon: Fraction, square: Fraction) -> mpmath.mpf:
    """By the formula, at 800 digits."""
    mu, size = mpmath.sqrt(real(square)), real(epsilon)
    above, below = mu / 2 - size / mu, -mu / 2 - size / mu
    return mpmath.ncdf(above) - mpmath.exp(size) * mpmath.ncdf(below)


@each_case("bits", [16, 64, 200, 1200])
@each_case("x", ["0", "1e-9", "0.1", "1", "3.9", "4.1", "7", "8", "17.3", "17.4", "40", "1e6"])
def test_the_scaled_tail_is_enclosed_closely(bits: int, x: str) -> None:
    scaled = int(Fraction(x) * 2**bits)
    low, high = normal.scaled_tail(scaled, bits)
    with mpmath.workdps(DIGITS):
        argument = mpmath.mpf(scaled) / mpmath.mpf(2) ** bits
        if argument < 100:
            truth = mpmath.exp(argument**2 / 2) * mpmath.ncdf(-argument) * mpmath.mpf(2) ** bits
            assert low <= truth <= high
    assert high - low <= 8


@pytest.mark.parametrize("bits", [8, 100, 3000])
def test_the_constant_is_enclosed_closely(bits: int) -> None:
    low, high = normal._inverse_root(bits)
    with mpmath.workdps(2 * DIGITS):
        assert low <= mpmath.mpf(2) ** bits / mpmath.sqrt(2 * mpmath.pi) <= high
    assert high - low <= 4


@given(epsilons, squares, st.sampled_from([20, 64, 333, 1000]))
def test_a_profile_is_enclosed_closely(epsilon: Fraction, square: Fraction, bits: int) -> None:
    start = epsilon.numerator * 2**bits // epsilon.denominator
    low, high = normal.gaussian_profile((start, start + 1), square, bits)
    with mpmath.workdps(DIGITS):
        assert low <= profile(epsilon, square) * mpmath.mpf(2) ** bits <= high
    assert high - low <= 4


@given(squares, st.integers(-(10**6), 10**6), st.integers(0, 10**6))
def test_an_enclosure_of_epsilon_encloses_the_profile_at_both_ends(
    square: Fraction, start: int, width: int
) -> None:
    bits = 20
    low, high = normal.gaussian_profile((start, start + width), square, bits)
    for end in (start, start + width):
        with mpmath.workdps(50):
            value = profile(Fraction(end, 2**bits), square) * 2**bits
        assert low <= value <= high


def test_a_profile_far_from_its_mean_is_1_or_nothing() -> None:
    bits = 64
    one = 1 << bits
    low, high = normal.gaussian_profile((10**9 * one, 10**9 * one), Fraction(1), bits)
    assert 0 >= low >= -4
    assert 0 <= high <= 4
    low, high = normal.gaussian_profile((-(10**9) * one, -(10**9) * one), Fraction(1), bits)
    assert one - 4 <= low <= one <= high <= one + 4

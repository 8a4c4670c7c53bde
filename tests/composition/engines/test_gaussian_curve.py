"""Gaussian DP: both directions against mpmath at 50 digits, and laws."""

from __future__ import annotations

from fractions import Fraction

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.composition.engines.gaussian import curve
from exactdp.errors import DomainError
from tests.composition.engines import oracle

mus = st.fractions(min_value=Fraction(1, 1000), max_value=30, max_denominator=1000)
epsilons = st.fractions(min_value=0, max_value=50, max_denominator=1000)
deltas = st.integers(1, 300).map(lambda n: Fraction(1, 2**n))


@pytest.mark.slow
@given(mus, epsilons)
def test_delta_is_that_of_the_formula(mu: Fraction, epsilon: Fraction) -> None:
    low, high = curve.delta(mu, epsilon, "1e-15")
    assert high - low <= mpq(1, 10**15) * low or high < mpq(1, 2**100_000)
    with mpmath.workdps(60):
        if epsilon / mu < 40:
            with mpmath.workdps(900):
                truth = oracle.gaussian_delta(mu, epsilon)
                assert oracle.real(low) <= truth <= oracle.real(high)


@given(mus, deltas)
def test_the_formula_meets_delta_between_the_ends(mu: Fraction, delta: Fraction) -> None:
    low, high = curve.least_epsilon(mu, delta)
    assert high - low <= mpq(1, 10**12)
    with mpmath.workdps(250):
        assert oracle.gaussian_delta(mu, high) <= oracle.real(delta)
        if low:
            assert oracle.gaussian_delta(mu, low) >= oracle.real(delta)


@given(
    st.fractions(min_value=Fraction(1, 2), max_value=30, max_denominator=1000),
    st.fractions(min_value=0, max_value=20, max_denominator=1000),
)
def test_epsilon_to_delta_and_back(mu: Fraction, epsilon: Fraction) -> None:
    low, high = curve.delta(mu, epsilon)
    if low > 0 and high < 1:
        assert curve.least_epsilon(mu, high)[0] <= mpq(epsilon)
        assert curve.least_epsilon(mu, low)[1] >= mpq(epsilon)


@given(mus, mus, deltas)
def test_more_noise_means_less_epsilon(mu: Fraction, more: Fraction, delta: Fraction) -> None:
    assert curve.least_epsilon(mu, delta)[0] <= curve.least_epsilon(mu + more, delta)[1]


def test_the_tail_at_two_to_the_minus_thousand_is_reached() -> None:
    low, high = curve.least_epsilon(1, "2^-1000", "1e-30")
    assert high - low <= mpq(1, 10**30)
    with mpmath.workdps(400):
        assert oracle.gaussian_delta(1, low) >= mpmath.mpf(2) ** -1000
        assert oracle.gaussian_delta(1, high) <= mpmath.mpf(2) ** -1000


def test_a_delta_beyond_all_reach_is_bounded_from_above() -> None:
    low, high = curve.delta("1/1000", 40)
    assert low == 0
    assert 0 < high < mpq(1, 2**100_000)


def test_the_edges_are_refused_or_plain() -> None:
    assert curve.least_epsilon(0, "1e-9") == (mpq(0), mpq(0))
    assert curve.least_epsilon("1/1000", "1/2") == (mpq(0), mpq(0))
    for mu, delta in ((-1, "1/2"), (1, 0), (1, 1)):
        with pytest.raises(DomainError, match=r"^(mu: -1|delta: [01]): "):
            curve.least_epsilon(mu, delta)
    with pytest.raises(DomainError, match="mu: 0: "):
        curve.delta(0, 1)

"""What ``grid-fourier`` rests on, against sums over subsets and mpmath."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import cos, log, pi, sin, tanh

import mpmath  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.verifier.arithmetic import period
from exactdp.verifier.arithmetic.enclosures import fixed_power
from exactdp.verifier.arithmetic.period import Grid, Period, PeriodicSum
from exactdp.verifier.arithmetic.scaled import fixed, power_of_ratio
from exactdp.verifier.format.numbers import Number
from exactdp.verifier.format.outcomes import RejectedError
from tests.verifier.oracles import divergence_on_grid

_MULTIPLES = st.lists(st.integers(1, 9), min_size=1, max_size=8)


@settings(max_examples=30)
@given(
    _MULTIPLES,
    st.integers(0, 60),
    st.sampled_from(["1/10", "1", "1/50"]),
    st.sampled_from(["1/2", "2", "7"]),
    st.sampled_from([3, 21, 101]),
    st.sampled_from([1, 10, 40]),
)
def test_d_lies_between_its_ends(
    multiples: list[int], epsilon: int, unit: str, tilt: str, points: int, cut: int
) -> None:
    """Murtagh & Vadhan 2018, Thm 1.5, whatever the parameters are."""
    span, step = sum(multiples), Fraction(unit)
    epsilon = min(epsilon, span)
    grid = Grid(Number(step), Counter(multiples), span, (span - epsilon) // 2)
    parameters = Period(Fraction(tilt), points, cut, points)
    low, high = PeriodicSum(grid, parameters, Number(epsilon * step), 200).ends(300)
    with mpmath.workprec(400):
        exact = divergence_on_grid(multiples, epsilon, step)
        assert mpmath.ldexp(low, -300) <= exact <= mpmath.ldexp(high, -300)


def test_both_ends_are_near_where_the_parameters_are_good() -> None:
    grid = Grid(Number(Fraction(1, 10)), {1: 10, 3: 2}, 16, 5)
    parameters = Period(tilt=Fraction(3), points=401, cut=60, values=200)
    low, high = PeriodicSum(grid, parameters, Number(Fraction(3, 5)), 200).ends(200)
    assert 0 < high - low < low >> 70


@given(
    st.lists(st.tuples(st.integers(1, 40), st.integers(1, 30)), min_size=1, max_size=6),
    st.integers(1, 200).map(lambda n: 2 * n + 1),
    st.integers(1, 9),
)
def test_a_point_that_is_passed_over_is_small(
    groups: list[tuple[int, int]], points: int, cut: int
) -> None:
    """1 - v <= e^{-v}, factor by factor."""
    slants = {a: tanh(0.05 * a) for a, _ in groups}
    counts = dict(groups)
    weights = [(int(count * (1 - slants[a] ** 2) * 2**20), a) for a, count in counts.items()]
    left = set(period._not_small(sorted(weights, reverse=True), points, cut))
    for n in range(1, points // 2 + 1):
        size = sum(
            count * log(cos(pi * n * a / points) ** 2 + (slants[a] * sin(pi * n * a / points)) ** 2)
            for a, count in counts.items()
        )
        assert n in left or size / 2 <= -cut + 1e-9


@pytest.mark.parametrize("whole", [6, 14, 202, 1_000_002])
def test_points_of_the_circle_are_within_their_errors(whole: int) -> None:
    turns = period._Turns(whole, 150)
    for j in (0, 1, whole // 2, whole - 1, -1, 7 * whole + 3):
        re, im, err = turns.point(j)
        with mpmath.workprec(300):
            exact = mpmath.expjpi(mpmath.mpf(2 * (j % whole)) / whole)
            assert abs(mpmath.mpc(re, im) - exact * mpmath.mpf(2) ** 150) <= err < 2**32


@given(st.integers(0, 2**100), st.integers(0, 2**100), st.integers(1, 200))
def test_powers_are_enclosed(u: int, v: int, count: int) -> None:
    bits = 100
    low, high, exponent = power_of_ratio((u, u), (v, v), count, bits)
    exact = Fraction(2**bits + u, 2**bits + v) ** count
    assert low * Fraction(2) ** exponent <= exact <= high * Fraction(2) ** exponent
    below, above = fixed_power((u, u), count, bits)
    assert below <= Fraction(u, 2**bits) ** count * 2**bits <= above


@given(st.integers(0, 99), st.integers(0, 9), st.integers(-200, 200))
def test_a_scaled_number_keeps_its_ends(low: int, more: int, exponent: int) -> None:
    below, above = fixed((low, low + more, exponent), 80)
    scale = Fraction(2) ** (exponent + 80)
    assert below <= low * scale
    assert above >= (low + more) * scale


def test_what_is_far_above_1_is_no_bound_of_a_divergence() -> None:
    with pytest.raises(RejectedError, match="far above 1"):
        fixed((1, 1, 10**15), 100)
    assert fixed((1, 1, -(10**15)), 100) == (0, 1)

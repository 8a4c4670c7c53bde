"""Blocks of equal mechanisms against binomial coefficients."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from flint import arb, fmpz
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.enclosures import ball, ball_of_rational, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.engines import binomial
from exactdp.composition.engines.binomial import block

EPSILONS = st.sampled_from(["0.001", "0.1", "1/3", "ln(2)", "ln(3)", "3", "40"])


@given(EPSILONS, st.integers(1, 400), st.integers(8, 200))
def test_every_weight_is_the_binomial_one_rounded_down(epsilon: str, count: int, bits: int) -> None:
    number = ExactNumber.parse(epsilon)
    with precision(2 * bits + 128):
        weights = block((-ball(number)).exp(), count, bits)
    kept = dict(enumerate(weights.scaled.coeffs(), weights.offset))
    with precision(4 * bits + 1024):
        odds = (-ball(number)).exp()
        for j in range(count + 1):
            true = comb(count, j) * odds**j / (1 + odds) ** count * arb(2) ** bits
            rounded = kept.get(j, 0)
            assert rounded <= true
            assert true - rounded < 2


@given(EPSILONS, st.integers(1, 400), st.integers(8, 60))
def test_no_weight_is_above_that_of_any_number_in_the_ball(
    epsilon: str, count: int, bits: int
) -> None:
    with precision(1024):
        odds = (-ball(ExactNumber.parse(epsilon))).exp()
        around = arb(odds.mid(), odds.mid() * arb(2) ** -30)
        weights = block(around, count, bits)
        for each in (around.lower(), around.upper()):
            for j, rounded in enumerate(weights.scaled.coeffs(), weights.offset):
                true = comb(count, j) * each**j / (1 + each) ** count * arb(2) ** bits
                assert rounded <= true


@pytest.mark.slow
def test_a_block_of_a_billion_lacks_next_to_nothing() -> None:
    with precision(400):
        weights = block((-ball(ExactNumber.parse("0.000001"))).exp(), 10**9, 100)
    assert 0 <= weights.lost(100) < 2**20


def test_a_ball_too_wide_for_the_mode_is_refused() -> None:
    wide = arb("0.5", "0.4")
    with pytest.raises(ValueError, match="too wide"):
        block(wide, 10**6, 64)


@given(st.integers(1, 30), st.integers(0, 30), st.integers(1, 99))
def test_what_terms_lack_is_counted_for_every_number_in_a_wide_ball(
    remaining: int, passed: int, percent: int
) -> None:
    most = Fraction(2 * (passed + 1), remaining)
    if remaining > 1:
        most = min(most, Fraction(passed + 2, remaining - 1))
    middle = most * percent / 100
    with precision(400):
        x = ball_of_rational(mpq(str(middle))) * arb(1, "1e-9")
        terms, lost = binomial._one_side(x, remaining, passed, 200)
        for each in (x.lower(), x.upper()):
            term, total = arb(2) ** 200, arb(0)
            for i in range(remaining):
                term = term * (remaining - i) * each / (passed + i + 1)
                total += term
            assert sum(terms, fmpz(0)) <= total
            assert total <= sum(terms, fmpz(0)) + lost

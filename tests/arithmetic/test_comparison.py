"""Signs are exact: against mpmath at many digits, on exact zeros and on near ties."""

from __future__ import annotations

import random

import mpmath  # type: ignore[import-untyped]
import pytest
from gmpy2 import mpq
from hypothesis import given

from exactdp.arithmetic.comparison import compare, floor_of, multiple_of, sign
from exactdp.arithmetic.numbers import ExactNumber
from tests.arithmetic.oracle import value_of
from tests.arithmetic.strategies import numbers

ZEROS = [
    "ln(4) - 2*ln(2)",
    "ln(6) - ln(2) - ln(3)",
    "ln(9/4) - 2*ln(3/2)",
    "1/2*ln(4) - ln(2)",
    "1/3*ln(8) - 1/5*ln(32)",
    "ln(1e100) - 100*ln(10)",
    "ln(12) + ln(18) - 3*ln(6)",
    "0",
]
NEAR = [
    ("2^-200", 1),
    ("ln(4) - 2*ln(2) + 2^-200", 1),
    ("ln(4) - 2*ln(2) - 2^-200", -1),
    ("ln(6) - ln(2) - ln(3) + 1e-3000", 1),
    ("1000*ln(2) - ln(2^1000) - 2^-5000", -1),
    ("ln(1e60) - 60*ln(10) - 1e-300*ln(2)", -1),
]


@pytest.mark.parametrize("text", ZEROS)
def test_zero_in_value_has_sign_zero(text: str) -> None:
    assert sign(ExactNumber.parse(text)) == 0


@pytest.mark.parametrize(("text", "expected"), NEAR)
def test_near_ties_are_decided(text: str, expected: int) -> None:
    assert sign(ExactNumber.parse(text)) == expected


@pytest.mark.parametrize("difference", ["+ 2^-200", "- 2^-200"])
def test_a_difference_in_the_two_hundredth_bit_of_a_logarithm_is_seen(difference: str) -> None:
    ratio = mpq(2) + (1 if "+" in difference else -1) * mpq(1, 1 << 200)
    number = ExactNumber.ln(ratio) - ExactNumber.ln(2)
    assert sign(number) == (1 if "+" in difference else -1)


@given(numbers())
def test_signs_agree_with_mpmath(number: ExactNumber) -> None:
    with mpmath.workdps(120):
        expected = value_of(number, 120)
        if abs(expected) > mpmath.mpf(10) ** -90:
            assert sign(number) == mpmath.sign(expected)
        else:
            assert sign(number) == 0


@given(numbers(), numbers())
def test_comparison_is_antisymmetric(left: ExactNumber, right: ExactNumber) -> None:
    assert compare(left, right) == -compare(right, left)
    assert compare(left, left) == 0


def test_a_semiprime_of_two_hundred_digits_costs_no_factorisation() -> None:
    source = random.Random(20261121)  # noqa: S311
    p, q = (source.getrandbits(333) | (1 << 332) | 1 for _ in range(2))
    zero = ExactNumber.ln(p * q) - ExactNumber.ln(p) - ExactNumber.ln(q)
    assert sign(zero) == 0
    assert sign(ExactNumber.ln(p * q) - ExactNumber.ln(p * q + 1)) == -1


@given(numbers())
def test_the_floor_is_the_greatest_integer_not_above(number: ExactNumber) -> None:
    floor = floor_of(number)
    assert compare(ExactNumber.of(floor), number) <= 0
    assert compare(ExactNumber.of(floor + 1), number) > 0


def test_the_floor_of_a_huge_number_is_found() -> None:
    with mpmath.workdps(150):
        expected = int(mpmath.floor(mpmath.mpf(10) ** 100 * mpmath.log(2)))
    assert floor_of(ExactNumber.parse("1e100*ln(2)")) == expected
    assert floor_of(ExactNumber.parse("ln(8) - 3*ln(2) + 5")) == 5
    assert floor_of(ExactNumber.parse("ln(8) - 3*ln(2) - 1e-90")) == -1


@pytest.mark.parametrize(
    ("number", "unit", "factor"),
    [
        ("ln(8)", "ln(4)", mpq(3, 2)),
        ("0", "ln(2)", mpq(0)),
        ("ln(3)", "ln(2)", None),
        ("1/2 + ln(4)", "1/4 + ln(2)", mpq(2)),
        ("1/2 + ln(4)", "1/4 + ln(3)", None),
        ("0.3", "0.1", mpq(3)),
    ],
)
def test_multiples_are_found_in_value(number: str, unit: str, factor: mpq | None) -> None:
    assert multiple_of(ExactNumber.parse(number), ExactNumber.parse(unit)) == factor

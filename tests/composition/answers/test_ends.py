"""Ends of intervals: texts for JSON, numbers everywhere else, rounded outward if at all."""

from __future__ import annotations

import copy
import json
import math
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import numpy as np
import pytest
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

import exactdp
from exactdp.composition.answers.ends import IntervalEnd

RATIONALS: Final = st.fractions().map(lambda f: mpq(f.numerator, f.denominator))
pd: Any = pytest.importorskip("pandas", reason="pandas is not installed")
UPPER: Final = IntervalEnd(mpq(51, 20), up=True)


def test_the_ends_of_an_answer_are_json_as_they_are() -> None:
    answer = exactdp.compose([("0.1", 0, 100)], delta="1e-6")
    assert json.dumps(answer.upper) == '"4.7745675882"'
    assert json.dumps([answer.lower]) == '["4.7745675881"]'
    assert json.loads(json.dumps(answer.upper)) == answer.as_dict()["upper"]
    assert exactdp.compose([(1, "1/10", 2)], delta="18/100").upper is None


def test_the_ends_of_a_point_of_the_profile_are_json_as_they_are() -> None:
    [point] = exactdp.profile([("0.1", 0, 2)], epsilon=["0.1"])
    texts = json.loads(json.dumps([point.lower, point.upper]))
    assert tuple(map(Fraction, texts)) == point.fractions()
    assert point.lower <= point.upper <= 1


def test_an_end_is_taken_where_a_number_is_asked_for() -> None:
    answer = exactdp.compose([("0.1", 0, 100)], delta="1e-6")
    assert answer.lower is not None
    assert answer.upper is not None
    assert exactdp.certify([("0.1", 0, 100)], epsilon=answer.upper, delta="1e-6").holds
    assert not exactdp.certify([("0.1", 0, 100)], epsilon=answer.lower, delta="1e-6").holds


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda end: pickle.loads(pickle.dumps(end))],  # noqa: S301 (ours)
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copy_has_the_same_value_and_rounds_the_same_way(copied: Callable[[Any], Any]) -> None:
    for up in (True, False):
        again = copied(IntervalEnd(mpq(1, 3), up=up))
        assert (again, again.exact, repr(again)) == (mpq(1, 3), mpq(1, 3), "IntervalEnd('1/3')")
        assert f"{again:.2f}" == ("0.34" if up else "0.33")


@given(RATIONALS, RATIONALS)
def test_it_calculates_and_compares_as_its_value(first: mpq, second: mpq) -> None:
    end = IntervalEnd(first, up=True)
    for other in (second, IntervalEnd(second, up=False), Fraction(str(second))):
        assert (end + other, end - other, end * other) == (
            first + second,
            first - second,
            first * second,
        )
        assert (other + end, other - end, other * end) == (
            first + second,
            second - first,
            first * second,
        )
        compared = (end < other, end <= other, end == other, end >= other, end > other)
        assert compared == (
            first < second,
            first <= second,
            first == second,
            first >= second,
            first > second,
        )
        assert (end != other) == (first != second)
        if second and first:
            assert (end / other, other / end) == (first / second, second / first)
    assert (hash(end), bool(end), int(end), -end, abs(end)) == (
        hash(first),
        bool(first),
        int(first),
        -first,
        abs(first),
    )


@given(RATIONALS)
def test_floats_and_digits_are_rounded_outward(value: mpq) -> None:
    exact = Fraction(str(value))
    lower, upper = (IntervalEnd(value, up=up) for up in (False, True))
    assert Fraction(float(lower)) <= exact <= Fraction(float(upper))
    assert Fraction(f"{lower:.3f}") <= exact <= Fraction(f"{upper:.3f}")
    assert Fraction(f"{upper:.3f}") - Fraction(f"{lower:.3f}") <= Fraction(1, 1000)


def test_a_number_of_digits_or_a_width_may_be_asked_for() -> None:
    assert (f"{UPPER}", f"{UPPER:>6}", f"{UPPER:.1f}", f"{UPPER:.1e}") == (
        "2.55",
        "  2.55",
        "2.6",
        "2.6e+0",
    )


def test_it_stands_beside_pythons_numbers_and_gmpy2s() -> None:
    assert UPPER + 1 == 1 + UPPER == mpq(71, 20)
    assert UPPER * mpz(2) == mpz(2) * UPPER == UPPER + UPPER
    assert Decimal("2.55") == UPPER
    assert UPPER - Decimal("0.05") == mpq(5, 2)
    assert 2.5 < UPPER < 2.6
    assert float("inf") != UPPER
    assert mpq(UPPER) == mpq(51, 20)
    assert mpq(UPPER.numerator, UPPER.denominator) == mpq(51, 20)
    assert UPPER != "2.55"
    assert Decimal("nan") != UPPER


@pytest.mark.parametrize("other", [1.5, "1", None])
def test_what_is_not_exact_is_no_summand(other: object) -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        UPPER + other
    with pytest.raises(TypeError, match="unsupported operand"):
        other - UPPER


def test_tables_and_arrays_take_it_as_a_number_or_as_a_text() -> None:
    ends = [UPPER, IntervalEnd(mpq(3), up=True)]
    above = math.nextafter(2.55, 3)  # the double 2.55 is a little less than 2.55
    assert np.array(ends, dtype=float).tolist() == [above, 3.0]
    assert pd.Series(ends).astype(float).tolist()[1] == 3.0
    assert max(ends) == 3
    assert json.loads(pd.Series(ends).to_json()) == {"0": "2.55", "1": "3"}


@given(st.fractions(), st.integers(-3, 12))
def test_rounding_an_end_keeps_its_side(value: Fraction, digits: int) -> None:
    exact = mpq(value.numerator, value.denominator)
    above, below = (round(IntervalEnd(exact, up=up), digits).exact for up in (True, False))
    assert below <= exact <= above
    assert above - below <= mpq(10) ** -digits
    assert (above * mpq(10) ** digits).denominator == 1

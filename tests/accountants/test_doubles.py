"""Numbers as doubles: always on the side that is stated."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.accountants.doubles import (
    double_above,
    double_below,
    double_near,
    exact_text_of,
    greatest_reading,
)
from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import DomainError, InputError

NUMBERS = st.fractions(0, 10**6).map(lambda value: ExactNumber(mpq(value)))
IRRATIONAL = st.integers(2, 10**6).map(ExactNumber.ln)


def _as_number(value: float) -> ExactNumber:
    return ExactNumber(mpq(Fraction(value)))


@given(NUMBERS | IRRATIONAL)
def test_neighbours_enclose_a_number_and_nothing_lies_between(number: ExactNumber) -> None:
    above, below = double_above(number, "epsilon"), double_below(number)
    assert compare(_as_number(below), number) <= 0 <= compare(_as_number(above), number)
    assert above in (below, math.nextafter(below, math.inf))
    assert double_near(number) in (below, above)


@given(NUMBERS | IRRATIONAL)
def test_the_text_of_a_neighbour_is_on_its_side_and_reads_as_it(number: ExactNumber) -> None:
    for value, side in ((double_above(number, "epsilon"), 1), (double_below(number), -1)):
        text = exact_text_of(value, number, side)
        assert float(text) == value
        assert compare(ExactNumber(mpq(Fraction(text))), number) * side >= 0


def test_a_short_text_on_the_wrong_side_is_written_in_full() -> None:
    number = ExactNumber(mpq(1, 10) + mpq(1, 10**19))
    value = double_above(number, "epsilon")
    assert repr(value) == "0.1"
    assert exact_text_of(value, number, 1).startswith("0.1000000000000000055")


@pytest.mark.parametrize("text", ["1e400", "2e308"])
def test_what_is_beyond_the_doubles_is_refused_above_and_cut_below(text: str) -> None:
    number = ExactNumber.parse(text)
    assert math.isfinite(double_below(number))
    with pytest.raises(DomainError, match="a number in the range of doubles"):
        double_above(number, "epsilon")


def test_a_tiny_number_is_rounded_to_zero_or_to_the_least_double() -> None:
    number = ExactNumber.parse("1e-400")
    assert double_below(number) == 0
    assert double_above(number, "delta") == 5e-324


@given(st.floats(0, 1e300))
def test_the_greatest_reading_of_a_printed_double_is_not_below_it(value: float) -> None:
    assert greatest_reading(repr(value)) >= mpq(Fraction(value))


@pytest.mark.parametrize("text", ["", "x", "0x10", "1e-999999999"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises((InputError, ValueError), match=r"^answer: "):
        greatest_reading(text)

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.verifier.format.numbers import (
    MAX_CHARACTERS,
    MAX_LOGARITHMS,
    Number,
    canonical,
    integer_from,
    integer_text,
    linear,
    normal_form,
    parse,
    parse_canonical,
    parse_integer,
    rational_text,
    size,
)
from exactdp.verifier.format.outcomes import MalformedError
from tests.marking import each_case

rationals = st.fractions(min_value=-1000, max_value=1000, max_denominator=1000)
arguments = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=50)
numbers = st.builds(
    normal_form,
    st.lists(rationals, max_size=3),
    st.lists(st.tuples(rationals, arguments), max_size=4),
)


@pytest.mark.slow
@given(numbers)
@settings(max_examples=200)
def test_canonical_text_reads_back_as_itself(number: Number) -> None:
    text = canonical(number)
    assert parse(text) == number
    assert parse_canonical(text) == number


@given(numbers)
def test_a_normal_form_has_sorted_arguments_above_1_and_no_zeros(number: Number) -> None:
    ratios = [r for _, r in number.logs]
    assert ratios == sorted(set(ratios))
    assert all(r > 1 for r in ratios)
    assert all(c for c, _ in number.logs)


@given(numbers, numbers, rationals)
def test_numbers_form_a_vector_space(one: Number, other: Number, factor: Fraction) -> None:
    assert one - one == Number(Fraction(0))
    assert linear([(1, one), (1, other)]) == linear([(1, other), (1, one)])
    assert (one - other).scaled(factor) == one.scaled(factor) - other.scaled(factor)


@each_case(
    "text",
    [
        *["0.1", "2/4", "+1", "1 ", "-0", "ln(1/2)", "1e3", "1+ln(2)", "", "-", "--1", "1 + 1"],
        *["1/0", "0/1", "1/1", "ln(0)", "ln(1)", "0*ln(2)", "1*ln(2)", "2ln(3)", "*ln(2)", "2*3"],
        *["1 + -ln(2)", "1 - -ln(2)", "0 + ln(2)", "ln(2) + 1", "ln(3) + ln(2)", "ln(2)ln(3)"],
        *["1\n", "\u0661", "ln(2", "1 +", " + ", "01", "1/02", "ln(02)"],
    ],
)
def test_a_canonical_number_must_be_its_own_canonical_text(text: str) -> None:
    reason = r"^(not a (canonical )?number|a division by 0|ln\(0\))"
    with pytest.raises(MalformedError, match=reason):
        parse_canonical(text)


@given(st.integers(min_value=-(10**3000), max_value=10**3000))
def test_integers_of_any_length_are_written_and_read(value: int) -> None:
    text = integer_text(value)
    assert text == str(value)
    assert integer_from(text.lstrip("-")) == abs(value)


def test_integers_beyond_the_limit_of_python_are_written_and_read() -> None:
    value = 10**20_000 + 7
    assert integer_text(value) == "1" + "0" * 19_999 + "7"
    assert integer_from(integer_text(value)) == value
    assert rational_text(Fraction(1, value)) == f"1/{integer_text(value)}"


def test_an_integer_of_a_range_is_read() -> None:
    assert parse_integer("12", 1, 12, "count") == 12


@pytest.mark.parametrize("text", ["0", "13", "1/2", "ln(2)", "1 + ln(2)", "01", "-1"])
def test_an_integer_outside_its_range_is_malformed(text: str) -> None:
    with pytest.raises(MalformedError, match=r"not an integer from 1 to 12|not a number"):
        parse_integer(text, 1, 12, "count")


def test_size_counts_the_bits_above_and_below_the_bar() -> None:
    assert [size(Fraction(0)), size(Fraction(3)), size(Fraction(-5, 8))] == [1, 3, 7]


@pytest.mark.parametrize(
    "text",
    [
        "9" * 19_729,
        "9" * 19_730,
        "1/" + "9" * 19_730,
        "ln(" + "9" * 19_730 + ")",
        "1 + " + " + ".join(f"ln({n})" for n in range(2, MAX_LOGARITHMS + 3)),
        " + ".join(f"ln(1{'0' * 15_000}{n})" for n in range(3)),
    ],
    ids=lambda text: f"{text[:12]}-{len(text)}",
)
def test_a_canonical_number_beyond_the_limits_is_malformed(text: str) -> None:
    with pytest.raises(
        MalformedError, match=r"^(too large a number|more than 1000 logarithms): .{0,61}$"
    ):
        parse_canonical(text)


def test_a_text_beyond_the_limit_is_not_read() -> None:
    with pytest.raises(MalformedError, match="more than 50000 characters"):
        parse_canonical("9" * (MAX_CHARACTERS + 1))

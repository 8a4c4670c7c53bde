from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.verifier import verify_bytes
from exactdp.verifier.format.numbers import parse
from exactdp.verifier.wording import decimal_text, number_text
from tests.marking import each_case
from tests.verifier import handmade

positive = st.fractions(min_value=Fraction(1, 10**40), max_value=10**40)


@each_case(
    ("value", "text"),
    [
        ("0", "0"),
        ("1", "1"),
        ("0.1", "0.1"),
        ("2.64", "2.64"),
        ("1e-6", "1e-6"),
        ("9.313e-10", "9.313e-10"),
        ("120", "120"),
        ("1e30", "1e30"),
        ("1e-300", "1e-300"),
        ("1.2345678901234567", "1.2345678901234567"),
        ("0.012", "0.012"),
        ("99999999999999999", "99999999999999999"),
    ],
)
def test_a_short_decimal_is_printed_exactly(value: str, text: str) -> None:
    assert decimal_text(parse(value).rational, up=True) == text
    assert decimal_text(parse(value).rational, up=False) == text


@pytest.mark.parametrize(
    ("value", "down", "up"),
    [
        (Fraction(1, 3), "0.33333333333", "0.33333333334"),
        (Fraction(2, 3), "0.66666666666", "0.66666666667"),
        (Fraction(1, 2**40), "9.0949470177e-13", "9.0949470178e-13"),
        (1 - Fraction(1, 10**20), "0.99999999999", "1"),
        (Fraction(10**30 + 1), "1e30", "1.0000000001e30"),
    ],
)
def test_a_long_number_is_rounded_in_its_direction(value: Fraction, down: str, up: str) -> None:
    assert decimal_text(value, up=False) == down
    assert decimal_text(value, up=True) == up


@pytest.mark.slow
@given(positive, st.booleans())
@settings(max_examples=300)
def test_rounding_goes_one_way_and_not_far(value: Fraction, up: bool) -> None:
    printed = Fraction(decimal_text(value, up=up))
    assert printed >= value if up else printed <= value
    assert abs(printed - value) <= value / 10**10


def test_extreme_numbers_are_printed() -> None:
    assert decimal_text(Fraction(1, 2**100_000), up=True) == "1.0009989038e-30103"
    assert decimal_text(Fraction(2**100_000), up=False) == "9.9900209301e30102"


@pytest.mark.parametrize(
    ("text", "down", "up"),
    [
        ("ln(37/5)", "ln(37/5)", "ln(37/5)"),
        ("1/4 + ln(2)", "1/4 + ln(2)", "1/4 + ln(2)"),
        ("ln(" + "7" * 40 + ")", "91.852089291", "91.852089292"),
        ("1" + "0" * 40 + "*ln(2) - 1" + "0" * 40 + "*ln(2)", "0", "0"),
        ("ln(16) - 2*ln(4) + 0*ln(2)", "-2*ln(4) + ln(16)", "-2*ln(4) + ln(16)"),
        ("ln(1" + "0" * 90 + "1) - 91*ln(10)", "0", "1.0000000001e-91"),
    ],
)
def test_a_number_with_logarithms_is_printed_as_text_or_rounded(
    text: str, down: str, up: str
) -> None:
    number = parse(text)
    printed = number_text(number, up=False), number_text(number, up=True)
    assert printed[0] == down
    if up != "1.0000000001e-91":
        assert printed[1] == up
    else:
        assert Fraction(printed[1]) >= Fraction(1, 10**91)


def line(value: dict[str, object]) -> str:
    return verify_bytes(handmade.canonical_bytes(value)).line


def test_the_sentences_are_those_of_the_spec() -> None:
    twelve = [("1/10", "0", 12)]
    assert line(handmade.simple("sum", "upper", twelve, "6/5", "0")) == (
        "ACCEPTED  ε ≤ 1.2 at δ = 0 for 12 mechanisms (upper, adaptive)"
    )
    assert line(handmade.simple("sum", "lower", twelve, "1", "0")) == (
        "ACCEPTED  ε > 1 at δ = 0 for 12 mechanisms (lower, adaptive)"
    )
    assert line(handmade.simple("sum", "upper", [("1/10", "0", 1)], "1/10", "1/3")) == (
        "ACCEPTED  ε ≤ 0.1 at δ = 0.33333333334 for 1 mechanism (upper, adaptive)"
    )
    lossy = [("1", "1/10", 2)]
    assert line(handmade.simple("trivial", "lower", lossy, "every", "9/50")) == (
        "ACCEPTED  no finite ε at δ = 0.18 for 2 mechanisms (lower, adaptive)"
    )

"""Exact numbers: the grammar, the normal form, printing, and what Python callers may pass."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

import flint
import pytest
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.number_grammar import MAX_BITS
from exactdp.arithmetic.numbers import ExactNumber, Number, as_number, as_rational
from exactdp.errors import DomainError, InputError
from tests.arithmetic.strategies import numbers, texts
from tests.marking import each_case

ACCEPTED = [
    ("0", "0"),
    ("-0", "0"),
    ("1/0.11", "100/11"),
    ("0.1/2", "1/20"),
    ("1e-3/.5", "1/500"),
    ("0.1", "1/10"),
    (".5", "1/2"),
    ("+1/10", "1/10"),
    ("2/4", "1/2"),
    ("0/5", "0"),
    ("1e-9", "1/1000000000"),
    ("1E+2", "100"),
    ("12.50e1", "125"),
    ("0e99999999999999999999", "0"),
    ("2^-40", "1/1099511627776"),
    ("2^+3", "8"),
    ("0^0", "1"),
    ("0^5", "0"),
    ("1^-99999999999999999999", "1"),
    ("2^0", "1"),
    ("ln(3)", "ln(3)"),
    ("ln(1/3)", "-ln(3)"),
    ("ln(1)", "0"),
    ("0*ln(3)", "0"),
    ("ln(0.5)", "-ln(2)"),
    ("ln(2^-3)", "-ln(8)"),
    ("1/4+ln(2)", "1/4 + ln(2)"),
    ("ln(2) + 1/4", "1/4 + ln(2)"),
    ("ln(3) - ln(2)", "-ln(2) + ln(3)"),
    ("2*ln(3) - 1/2*ln(7/5)", "-1/2*ln(7/5) + 2*ln(3)"),
    ("ln(2) + ln(2)", "2*ln(2)"),
    ("ln(2) - ln(2)", "0"),
    ("ln(2) - ln(1/2)", "2*ln(2)"),
    ("ln(4) - 2*ln(2)", "-2*ln(2) + ln(4)"),
    (" \t1 \t/ 2\t", "1/2"),
    ("0.1*ln( 3 / 2 )", "1/10*ln(3/2)"),
    ("- ln(3)", "-ln(3)"),
    ("1 - 2 + ln(3)", "-1 + ln(3)"),
]

REFUSED = [
    "",
    " ",
    "+",
    "--1",
    "1+",
    "1 2",
    "1.",
    "1e",
    "1e+",
    "1/0",
    "1/-2",
    "01",
    "1/010",
    "0.5-0.1",
    "1 - 2 + 3",
    "2026-01-05",
    "1/2/3",
    "0^-1",
    "2^^3",
    "2^0.5",
    "2.0^3",
    "ln",
    "ln()",
    "ln(0)",
    "ln(-1)",
    "ln(1/0)",
    "ln(2",
    "ln 2",
    "Ln(2)",
    "LN(2)",
    "log(2)",
    "ln(ln(2))",
    "ln(2)*3",
    "ln(2)/2",
    "2*3",
    "2ln(3)",
    "ln(2+1)",
    "nan",
    "NaN",
    "inf",
    "Infinity",
    "-Infinity",
    "0x10",
    "1_000",
    "1,5",
    "٣",
    "１",
    "1\n",
    "\n1",
    "1\x00",
    "\xa01",
    "ε",
    "e",
    "1e1.5",
    "__import__('os')",
    "(1)",
    "1;2",
]

TOO_LARGE = [
    "1e1000000000",
    "1e-1000000000",
    "1e99999999999999999999999",
    "10^99999999",
    "2^-99999999999999999999",
    "9999999999^9999999",
    "1e315653",
    "1e-19729",
    "2^65536",
    "2^-65536",
    "ln(1e400000)",
    "1e400000*ln(2)",
]


@each_case(("text", "canonical"), ACCEPTED)
def test_a_number_of_the_grammar_has_one_canonical_text(text: str, canonical: str) -> None:
    assert str(ExactNumber.parse(text)) == canonical


@each_case("text", REFUSED)
def test_what_is_not_of_the_grammar_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^epsilon: ") as caught:
        ExactNumber.parse(text, "epsilon")
    assert caught.value.field == "epsilon"
    assert caught.value.code == "bad-number"
    assert "\n" not in str(caught.value)


@each_case("text", TOO_LARGE)
def test_what_is_too_large_is_refused_at_once(text: str) -> None:
    with pytest.raises(InputError, match="at most 65536 bits") as caught:
        ExactNumber.parse(text)
    assert caught.value.code == "too-large"


@pytest.mark.slow
@given(st.from_regex(r"(0|[1-9][0-9]{0,19})(\.[0-9]{1,20})?", fullmatch=True))
def test_a_short_decimal_is_read_like_any_other_number(text: str) -> None:
    assert ExactNumber.parse(text) == ExactNumber.parse(f" {text}") == ExactNumber(mpq(text))


@given(st.from_regex(r"(0|[1-9][0-9]{0,19})/[1-9][0-9]{0,20}", fullmatch=True))
def test_a_short_fraction_is_read_like_any_other_number(text: str) -> None:
    assert ExactNumber.parse(text) == ExactNumber.parse(f" {text}") == ExactNumber(mpq(text))


def test_a_number_at_the_limit_is_accepted() -> None:
    assert ExactNumber.parse("2^65535").rational == mpz(1) << (MAX_BITS - 1)
    assert ExactNumber.parse("2^-65535").rational == mpq(1, mpz(1) << (MAX_BITS - 1))


def test_a_text_of_too_many_characters_is_refused_before_it_is_read() -> None:
    with pytest.raises(InputError, match="at most 50000 characters"):
        ExactNumber.parse("0" * 50_001)


def test_twenty_thousand_digits_parse_and_print() -> None:
    text = "7" * 19_600
    assert str(ExactNumber.parse(text)) == text
    assert str(ExactNumber.parse(f"ln({text})")) == f"ln({text})"


def test_a_thousand_terms_are_added() -> None:
    powers = ExactNumber.parse("ln(2)+" + "+".join(f"2^-{n}" for n in range(1, 400)))
    assert powers.rational == 1 - mpq(1, 2**399)
    logarithms = [f"ln({n})" for n in range(2, 502)]
    assert ExactNumber.parse("+".join([*logarithms, *logarithms])) == ExactNumber.parse(
        "+".join(f"2*{each}" for each in reversed(logarithms))
    )


@given(numbers())
def test_printing_and_parsing_give_the_number_back(number: ExactNumber) -> None:
    assert ExactNumber.parse(str(number)) == number


@given(texts())
def test_any_text_is_read_or_refused_and_what_is_read_has_a_stable_text(text: str) -> None:
    number = None
    with suppress(InputError):
        number = ExactNumber.parse(text)
    assert number is None or str(ExactNumber.parse(str(number))) == str(number)


@given(numbers())
def test_logarithms_stand_in_increasing_order_above_one(number: ExactNumber) -> None:
    ratios = [ratio for _, ratio in number.logs]
    assert ratios == sorted(set(ratios))
    assert all(ratio > 1 for ratio in ratios)
    assert all(coefficient for coefficient, _ in number.logs)


@given(numbers(), numbers())
def test_addition_commutes_and_subtraction_undoes_it(left: ExactNumber, right: ExactNumber) -> None:
    assert left + right == right + left
    assert (left + right) - right == left


@given(numbers())
def test_a_number_less_itself_is_zero(number: ExactNumber) -> None:
    zero = ExactNumber.of(0)
    assert number - number == zero
    assert number * 0 == zero
    assert number * 2 == number + number
    negative = -number
    assert -negative == number


@pytest.mark.parametrize(
    "value",
    [
        "0.1",
        Fraction(1, 10),
        Decimal("0.1"),
        mpq(1, 10),
        flint.fmpq(1, 10),
        ExactNumber.parse("1/10"),
    ],
)
def test_every_exact_type_is_accepted_for_one_tenth(value: object) -> None:
    assert isinstance(value, Number)
    assert as_number(value, "epsilon") == ExactNumber(mpq(1, 10))


@pytest.mark.parametrize("value", ["3", 3, Fraction(3), Decimal(3), mpz(3), flint.fmpz(3)])
def test_every_exact_type_is_accepted_for_three(value: object) -> None:
    assert isinstance(value, Number)
    assert as_number(value, "epsilon") == ExactNumber(mpq(3))


@pytest.mark.parametrize("text", ["1E+5", "1E-7", "-0", "0E+3", "0E-9999999", "123.4500"])
def test_decimals_keep_their_value(text: str) -> None:
    assert as_rational(Decimal(text), "delta") == mpq(Fraction(Decimal(text)))


def test_the_double_of_one_tenth_may_be_passed_as_a_fraction() -> None:
    assert as_rational(Fraction(0.1), "delta") == mpq(3602879701896397, 36028797018963968)


def test_a_float_is_refused_with_both_cures() -> None:
    with pytest.raises(InputError, match="expected an exact number") as caught:
        as_number(0.1, "epsilon")
    assert caught.value.code == "float-refused"
    cures = "exactdp.written(0.1) is the decimal '0.1'; Fraction(0.1) is the double"
    assert caught.value.remedy == cures
    assert str(caught.value) == f"epsilon: float 0.1: expected an exact number; {cures}"


@pytest.mark.parametrize("value", [0.25, -0.0, 1e300, 5e-324])
def test_other_floats_are_refused_with_their_own_cures(value: float) -> None:
    assert not isinstance(value, Number)
    with pytest.raises(InputError, match="expected an exact number") as caught:
        as_number(value, "delta")
    assert f"exactdp.written({value!r}) is" in caught.value.remedy


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_floats_that_are_no_numbers_are_refused(value: float) -> None:
    with pytest.raises(InputError, match="no exact number stands for it"):
        as_number(value, "epsilon")


@pytest.mark.parametrize("text", ["NaN", "sNaN", "Infinity", "-Infinity"])
def test_decimals_that_are_no_numbers_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected a number such as"):
        as_number(Decimal(text), "epsilon")


@pytest.mark.parametrize("value", [True, None, 1j, b"1", [1], object(), flint.arb(1)])
def test_other_types_are_refused(value: object) -> None:
    with pytest.raises(InputError, match="a number such as"):
        as_number(value, "epsilon")


@pytest.mark.parametrize(
    "value",
    [1 << MAX_BITS, Fraction(1, 1 << MAX_BITS), Decimal("1e400000"), mpq(1, 3**700_000)],
    ids=["int", "Fraction", "Decimal", "mpq"],
)
def test_numbers_beyond_the_limits_are_refused_in_every_type(value: object) -> None:
    with pytest.raises(InputError, match="at most 65536 bits"):
        as_number(value, "epsilon")


def test_a_logarithm_is_no_rational_parameter() -> None:
    with pytest.raises(DomainError, match="a rational number"):
        as_rational("ln(2)", "delta")


@pytest.mark.parametrize(
    ("text", "odds"),
    [("0", 1), ("ln(3)", 3), ("2*ln(3) - ln(2)", mpq(9, 2)), ("-ln(2)", mpq(1, 2))],
)
def test_integer_combinations_of_logarithms_have_rational_odds(text: str, odds: mpq) -> None:
    assert ExactNumber.parse(text).rational_odds() == odds


@pytest.mark.parametrize("text", ["1", "1/2*ln(2)", "1 + ln(2)", "99999999*ln(2)"])
def test_other_numbers_have_none_that_is_cheap(text: str) -> None:
    assert ExactNumber.parse(text).rational_odds() is None

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.verifier.format.numbers import MAX_BITS, MAX_CHARACTERS, canonical, parse
from exactdp.verifier.format.outcomes import MalformedError
from tests.marking import each_case


@each_case(
    ("text", "expected"),
    [
        ("0", "0"),
        ("0.1", "1/10"),
        (".5", "1/2"),
        ("1e-9", "1/1000000000"),
        ("1E+3", "1000"),
        ("2.5e1", "25"),
        ("2^-4", "1/16"),
        ("2^+4", "16"),
        ("2 ^ - 4", "1/16"),
        ("1^99999999999999999999", "1"),
        ("0^5", "0"),
        ("0^0", "1"),
        ("0e999999999999", "0"),
        ("0.000e-999999999999", "0"),
        ("1/0.5", "2"),
        ("1.5/2", "3/4"),
        ("1e3/2E-1", "5000"),
        ("ln(1/0.5)", "ln(2)"),
        ("0/0.5", "0"),
        ("6/4", "3/2"),
        ("\t1 / 10 ", "1/10"),
        ("-3", "-3"),
        ("+3", "3"),
        ("1 - 1 + ln(2)", "ln(2)"),
        ("1/4+ln(2)", "1/4 + ln(2)"),
        ("ln ( 2 )", "ln(2)"),
        ("ln(0.5)", "-ln(2)"),
        ("ln(1)", "0"),
        ("3*ln(1)", "0"),
        ("0*ln(7)", "0"),
        ("ln(2) + 2*ln(2)", "3*ln(2)"),
        ("ln(2) - ln(2)", "0"),
        ("ln(3) - ln(2)", "-ln(2) + ln(3)"),
        ("2*ln(3) - 1/2 * ln(7/5)", "-1/2*ln(7/5) + 2*ln(3)"),
        ("-1 - ln(2)", "-1 - ln(2)"),
        ("-1/2*ln(2)", "-1/2*ln(2)"),
        ("1e5*ln(2^10)", "100000*ln(1024)"),
    ],
)
def test_a_number_is_read_into_its_normal_form(text: str, expected: str) -> None:
    assert canonical(parse(text)) == expected


@each_case(
    "text",
    [
        *[
            "",
            " ",
            "+",
            "-",
            "--1",
            "+-1",
            "1+",
            "1 1",
            "1.",
            ".",
            "1..2",
            "e5",
            "1e",
            "1 e5",
            "1e 5",
        ],
        *["1/", "/2", "1//2", "1/-2", "1/2/3", "2^", "2^2^2", "2.5^2", "1/2^3", "2^3/4"],
        *["01", "00", "007", "1/02", "02^3", "1 - 1", "0.1-0.2", "2026-01-05", "1/0.0"],
        *[
            "2^1.5",
            "ln2",
            "ln",
            "ln()",
            "ln(",
            "ln(2",
            "ln 2",
            "ln(2)(3)",
            "ln(2)*2",
            "2ln(3)",
            "2*3",
        ],
        *[
            "ln(ln(2))",
            "ln(1+1)",
            "ln(-1)",
            "Ln(2)",
            "LN(2)",
            "l n(2)",
            "0x10",
            "1_000",
            "1,5",
            "inf",
        ],
        *[
            "nan",
            "1\n",
            "\n1",
            "1\u00a0",
            "\u0661",
            "\uff11",
            "1\0",
            "\ufeff1",
            "²",
            "½",
            "∞",
            "−1",
        ],
        *["1/0", "0/0", "0^-1", "ln(0)", "ln(0.0)", "ln(0/5)"],
    ],
)
def test_whatever_is_not_of_the_grammar_is_malformed(text: str) -> None:
    with pytest.raises(MalformedError, match=r"^(not a number|a division by 0|ln\(0\))"):
        parse(text)


@each_case(
    "text",
    [
        "1e999999999",
        "1e-999999999",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "1e19729",
        "9^999999",
        "2^65536",
        "2^-65536",
        "2^99999999999999999999",
        "9" * 19_730,
        "1/" + "9" * 19_730,
        "0." + "0" * 19_729 + "1",
        "9" * (MAX_CHARACTERS + 1),
        "1e-19700+" * 3 + "1",
        "+".join(["1e-19700"] * 5_000),
        "1e-19000/1e19000",
        "3^-20000 + 5^-15000 + ln(2)",
        "3^-20000*ln(2) + 5^-15000*ln(2)",
    ],
)
def test_a_number_beyond_the_limits_is_malformed_at_once(text: str) -> None:
    with pytest.raises(MalformedError, match=r"too large a number|more than \d+ characters"):
        parse(text)


def test_a_number_of_more_than_a_thousand_logarithms_is_malformed() -> None:
    logs = [f"ln({n})" for n in range(2, 1002)]
    assert len(parse(" + ".join(logs)).logs) == 1000
    with pytest.raises(MalformedError, match="more than 1000 logarithms"):
        parse(" + ".join([*logs, "ln(1002)"]))


def test_arguments_with_equal_hashes_are_told_apart() -> None:
    modulus = 2**61 - 1
    arguments = [2 + i * modulus for i in range(20)]
    assert len({hash(argument) for argument in arguments}) == 1
    number = parse(" + ".join(f"ln({argument})" for argument in reversed(arguments)))
    assert [r for _, r in number.logs] == arguments


def test_a_number_at_the_limits_is_read() -> None:
    assert parse("2^-65535").rational.denominator.bit_length() == MAX_BITS
    assert parse("1e-19700") == parse("0." + "0" * 19_699 + "1")


def test_an_error_points_at_the_place_and_shows_little() -> None:
    with pytest.raises(MalformedError, match=r"^not a number \(at \x07\): 1/10\x07$"):
        parse("1/10\a")
    with pytest.raises(MalformedError, match=r"^not a number: x") as failure:
        parse("x" * 10_000)
    assert len(str(failure.value)) < 120


@given(st.text(alphabet="0123456789+-*/^.eEln() \t", max_size=12))
@settings(max_examples=300)
def test_reading_either_works_or_is_malformed(text: str) -> None:
    number = None
    with suppress(MalformedError):
        number = parse(text)
    assert number is None or parse(canonical(number)) == number

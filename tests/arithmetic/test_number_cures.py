"""What people write for numbers is refused with their own value as the grammar writes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Final

import pytest
from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import InputError
from exactdp.verifier.format.numbers import parse
from exactdp.verifier.format.outcomes import MalformedError
from tests.marking import each_case

VALUES: Final = ("0.1", "0.25", "3", "12.5", "1000", "0.001")
POWERS: Final = ("-6", "-12", "3")

Written = tuple[str, list[str]]
"""A text, and the numbers that it may mean, as fractions."""


def with_comma(value: str) -> str:
    return value.replace(".", ",")


def in_groups(separator: str) -> Callable[[str], Written]:
    def written(value: str) -> Written:
        text = f"{int(Fraction(value) * 10**6):,}".replace(",", separator)
        return text, [str(int(Fraction(value) * 10**6))]

    return written


def around(before: str, behind: str) -> Callable[[str], Written]:
    return lambda value: (f"{before}{value}{behind}", [value])


def raised(power: str) -> str:
    return power.translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))


OF_VALUES: Final[dict[str, Callable[[str], Written]]] = {
    "percent": lambda value: (f"{value}%", [str(Fraction(value) / 100)]),
    "percent behind a space": lambda value: (f"{value} %", [str(Fraction(value) / 100)]),
    "percent with a comma": lambda value: (
        f"{with_comma(value)}%",
        [str(Fraction(value) / 100)],
    ),
    "thousands by spaces": in_groups(" "),
    "thousands by no-break spaces": in_groups("\u00a0"),
    "thousands by narrow spaces": in_groups("\u202f"),
    "thousands by apostrophes": in_groups("'"),
    "thousands by underscores": in_groups("_"),
    "a range": lambda value: (f"{value}-20", [value, "20"]),
    "a range by a dash": lambda value: (f"{value}–20", [value, "20"]),
    "a range in words": lambda value: (f"{value} to 20", [value, "20"]),
    "a sum": lambda value: (f"{value}+0.5", [str(Fraction(value) + Fraction(1, 2))]),
    "a product": lambda value: (f"{value}*18", [str(Fraction(value) * 18)]),
    **{f"a unit: {a or b}": around(a, b) for a, b in (
        ("", "ε"), ("", " nats"), ("$", ""), ("€ ", ""), ("~", ""), ("≈", ""), ("<", ""),
        ("≤ ", ""), ("ε=", ""), ("ε = ", ""), ("eps ", ""), ("", " per day"),
    )},
    "leading zeros": lambda value: (f"0{value}", [value]),
    "a full stop": lambda value: (f"{Fraction(value) * 1000}.", [str(Fraction(value) * 1000)]),
}  # fmt: skip


def with_minus(minus: str) -> Callable[[str], Written]:
    return lambda power: (f"1e{power.replace('-', minus)}", [f"1e{power}"])


OF_POWERS: Final[dict[str, Callable[[str], Written]]] = {
    "a raised power": lambda power: (f"10{raised(power)}", [f"1e{power}"]),
    "times a raised power": lambda power: (f"2.5×10{raised(power)}", [f"2.5e{power}"]),
    "times a power": lambda power: (f"1×10^{power}", [f"1e{power}"]),
    "times a power by a dot": lambda power: (f"3·10^{power}", [f"3e{power}"]),
    "a letter x": lambda power: (f"1x10^{power}", [f"1e{power}"]),
    "an asterisk": lambda power: (f"5*10^{power}", [f"5e{power}"]),
    "a comma before a power": lambda power: (f"1,5e{power}", [f"1.5e{power}"]),
}
MINUS_SIGNS: Final = {"a minus sign": "\u2212", "a hyphen": "\u2010", "a dash": "\u2013"}
CASES: Final[list[tuple[str, Written]]] = [
    *((name, write(value)) for name, write in OF_VALUES.items() for value in VALUES),
    *((name, write(power)) for name, write in OF_POWERS.items() for power in POWERS),
    *((f"{name} of -9", with_minus(minus)("-9")) for name, minus in MINUS_SIGNS.items()),
    *(("a decimal comma", (with_comma(value), [value])) for value in VALUES if "." in value),
]


def refusal(text: str) -> InputError:
    with pytest.raises(InputError, match="expected") as caught:
        ExactNumber.parse(text, "epsilon")
    with pytest.raises(MalformedError, match="number"):
        parse(text)
    return caught.value


def is_number(text: str) -> bool:
    return bool(re.fullmatch(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?|[0-9]+/[0-9]+", text))


def offered(remedy: str) -> set[mpq]:
    """The numbers of a remedy, as both readers read them."""
    texts = [word.strip(",:;") for word in remedy.split()]
    numbers = {word for word in texts if is_number(word)}
    assert all(parse(word) for word in numbers)
    return {ExactNumber.parse(word).rational for word in numbers}


@each_case(("name", "written"), CASES)
def test_a_habit_is_refused_with_the_value_that_was_meant(name: str, written: Written) -> None:
    text, meant = written
    assert offered(refusal(text).remedy) == {mpq(Fraction(each)) for each in meant}, name


@each_case(
    ("text", "cure"),
    [
        ("ln 3", "ln(3)"),
        ("ln3", "ln(3)"),
        ("log(3)", "ln(3)"),
        ("LN(3/2)", "ln(3/2)"),
        ("2ln(3)", "2*ln(3)"),
        ("1/2 ln 3", "1/2*ln(3)"),
        ("ln(1,5)", "ln(1.5)"),
        ("½", "1/2"),
        ("sqrt(3)", "1.7321"),
        ("√3", "1.732"),
        ("√(4)", "2"),
        ("１/３", "1/3"),
        ("1,000", "1000"),
        ("1,000", "1.000"),
        ("1.000,5", "1000.5"),
    ],
)
def test_the_cure_is_offered_as_the_grammar_writes_it(text: str, cure: str) -> None:
    assert cure in refusal(text).remedy
    assert ExactNumber.parse(cure) == ExactNumber.parse(cure)


@pytest.mark.parametrize("text", ["10^-6", "1/0.11", "1e-6", ".5", "1E-06"])
def test_what_is_of_the_grammar_needs_no_cure(text: str) -> None:
    assert ExactNumber.parse(text).rational > 0
    assert parse(text).rational > 0


@pytest.mark.parametrize("text", ["5k", "3M", "0.1 bits", "log10(3)", "0x10", "1e", "x", "e", ""])
def test_what_nobody_can_know_has_no_cure(text: str) -> None:
    assert refusal(text).remedy == ""


@pytest.mark.parametrize("text", ["2026-01-05", "2026/1/5", "05.01.2026", "2026-01-05T09:00"])
def test_a_date_is_called_a_date(text: str) -> None:
    assert "looks like a date" in refusal(text).remedy

"""Inline mechanisms: the count is last, and slips come with their cure."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.errors import DomainError, InputError
from exactdp.ledger import Ledger, ledger_of_inline, parse_inline
from exactdp.ledger.formats.inline import taken_as_one
from exactdp.mechanisms import Mechanism
from tests.marking import each_case

ACCEPTED = [
    ("0.1", Mechanism("0.1")),
    ("0.1*2", Mechanism("0.1", 0, 2)),
    ("0.1,1e-9", Mechanism("0.1", "1e-9")),
    ("0.1,1e-9*50", Mechanism("0.1", "1e-9", 50)),
    (" 0.1 , 1e-9 * 50 ", Mechanism("0.1", "1e-9", 50)),
    ("ln(3)*2", Mechanism("ln(3)", 0, 2)),
    ("2*ln(3)", Mechanism("2*ln(3)")),
    ("2*ln(3)*2", Mechanism("2*ln(3)", 0, 2)),
    ("1/2*ln(3)*5", Mechanism("1/2*ln(3)", 0, 5)),
    ("1/4 + 2*ln(3),2^-40*7", Mechanism("1/4 + 2*ln(3)", "2^-40", 7)),
    ("1/2*3", Mechanism("1/2", 0, 3)),
    ("1/0.11", Mechanism("100/11")),
    ("1/0.11*18", Mechanism("100/11", 0, 18)),
    ("epsilon=0.1,delta=1e-9*2", Mechanism("0.1", "1e-9", 2)),
    ("1*1000000000000000000", Mechanism("1", 0, 10**18)),
]


@each_case(("text", "mechanism"), ACCEPTED)
def test_the_last_whole_factor_is_the_count(text: str, mechanism: Mechanism) -> None:
    assert parse_inline(text) == mechanism


REFUSED = [
    ("", InputError, "epsilon", ""),
    ("*3", InputError, "epsilon", ""),
    ("x", InputError, "epsilon", ""),
    ("-1", DomainError, "epsilon", ""),
    ("ln(3*2)", InputError, "epsilon", ""),
    ("ln(3)*2*ln(2)", InputError, "epsilon", "multiplier first"),
    ("sigma=1.1,sample_rate=0.01", InputError, "mechanism", "-m says rate"),
    ("noise_multiplier=1.1,rate=0.01", InputError, "mechanism", "-m says sigma"),
    ("sigma=1.1,steps=100", InputError, "mechanism", "-m says count"),
    ("0.1*2*3", InputError, "epsilon", "a mechanism takes one count"),
    ("0.1,", InputError, "delta", ""),
    ("0.1,-1e-9", DomainError, "delta", ""),
    ("0.1,1", DomainError, "delta", ""),
    ("0,1", DomainError, "delta", "decimals take a point: 0.1"),
    ("0,05*3", InputError, "delta", "decimals take a point: 0.05"),
    ("0,1,1e-9", InputError, "mechanism", "decimals take a point"),
    ("0.1*3,1e-9", InputError, "count", "put the count last: 0.1,1e-9*3"),
    ("1/2*ln(3)*5,1e-9", InputError, "count", "put the count last: 1/2*ln(3),1e-9*5"),
    ("0.1*1e3", InputError, "count", "write 0.1*1000"),
    ("1*10^-6", InputError, "count", "1e-6"),
    ("0.1*2.5", InputError, "count", "a count is a whole number like 1000"),
    ("0.1*0", InputError, "count", "a count is a whole number like 1000"),
    ("0.1*-3", InputError, "count", "a count is a whole number like 1000"),
    ("0.1*007", InputError, "count", "write 0.1*7"),
    ("0.1*x", InputError, "count", "a count is a whole number like 1000"),
    ("0.1*", InputError, "count", "a count is a whole number like 1000"),
    ("0.1*٣", InputError, "count", "write 0.1*3"),
    ("0.1,10⁻⁹×156", InputError, "delta", "write -m '0.1,10^-9*156'"),
    ("0.1,1e-9x156", InputError, "delta", "write -m '0.1,1e-9*156'"),
    ("(0.1, 1e-9)*156", InputError, "epsilon", "write -m '0.1, 1e-9*156'"),
    ("sigma=20,5*3", InputError, "mechanism", "write -m 'sigma=20.5*3'"),
    ("0.1*1000000000000000001", InputError, "count", ""),
    ("0.1*" + "9" * 5000, InputError, "count", ""),
]


@each_case(("text", "kind", "field", "remedy"), REFUSED)
def test_a_bad_option_is_refused_with_its_cure(
    text: str, kind: type[InputError], field: str, remedy: str
) -> None:
    with pytest.raises(InputError, match=f"^{field} at -m ") as caught:
        parse_inline(text)
    error = caught.value
    assert (type(error), error.field) == (kind, field)
    assert error.path.startswith("-m ")
    assert remedy in error.remedy


@settings(deadline=None)
@given(st.text("0123456789.,*/^-+ln()eE ", max_size=20))
def test_any_text_is_a_mechanism_or_an_input_error(text: str) -> None:
    try:
        path = f"-m {parse_inline(text).label}"
    except InputError as error:
        path = error.path
    assert path.startswith("-m")


@settings(deadline=None)
@given(st.integers(1, 10**18))
def test_a_count_appended_to_a_mechanism_is_its_count(count: int) -> None:
    assert parse_inline(f"2*ln(3),1e-9*{count}") == Mechanism("2*ln(3)", "1e-9", count)


def test_a_cure_escapes_what_it_quotes() -> None:
    with pytest.raises(InputError, match="put the count last") as caught:
        parse_inline("\x1b[31m*3,1e-9")
    assert str(caught.value).isprintable()


def test_several_options_make_a_ledger_in_their_order() -> None:
    assert ledger_of_inline(["0.1*2", "0.2"]) == Ledger.of([("0.1", 0, 2), "0.2"])


def test_noise_on_a_sensitivity_that_nobody_gives_is_named() -> None:
    said = taken_as_one(["sigma=20*52", "discrete_laplace=3", "0.1", "mu=1"])
    assert said.startswith("the sensitivity of -m sigma=20*52, -m discrete_laplace=3 is taken as 1")
    assert said.endswith("write sensitivity=2 or shifts=2 for another")


@each_case("text", ["sigma=20,sensitivity=1*52", "sigma=1,rate=0.1", "discrete_laplace=3,shifts=1"])
def test_nothing_is_said_of_noise_that_says_it_or_is_on_samples(text: str) -> None:
    assert taken_as_one([text]) == ""

"""The protocol: what is asked, and how an answer is read."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.accountants.protocol import (
    ABOUT_EVENTS,
    AccountantAnswer,
    AccountantQuestion,
    answer_of,
    question_line,
    what_is_left,
)
from exactdp.errors import DomainError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import GaussianMechanism, Mechanism, SampledMechanism
from tests.accountants.asking import checked, question
from tests.marking import each_case

ASKED = question([("0.3", "1e-9", 3), "ln(3)"], delta="1/1000000")


def test_a_question_names_everything_in_doubles() -> None:
    assert json.loads(question_line(ASKED, "name", pure=False, against=False)) == {
        "format": "exactdp-accountant/1",
        "accountant": "name",
        "mechanisms": [
            {"epsilon": 0.3, "delta": 1e-9, "count": 3},
            {"epsilon": 1.0986122886681098, "delta": 0.0, "count": 1},
        ],
        "delta": 1e-6,
    }


def test_a_question_against_the_accusation_is_at_least_as_hard() -> None:
    asked = json.loads(question_line(ASKED, "name", pure=False))
    first = asked["mechanisms"][0]
    assert Fraction(first["epsilon"]) >= Fraction(3, 10)
    assert Fraction(first["delta"]) >= Fraction(1, 10**9)
    assert Fraction(asked["delta"]) <= Fraction(1, 10**6)


def test_a_question_for_delta_rounds_epsilon_down() -> None:
    asked = json.loads(question_line(question(["1"], epsilon="0.1"), "name", pure=False))
    assert "delta" not in asked
    assert Fraction(asked["epsilon"]) <= Fraction(1, 10)


def test_the_tree_of_events_is_passed_on() -> None:
    asked = AccountantQuestion(ASKED.ledger, ASKED.delta, events={"class_name": "X"})
    assert json.loads(question_line(asked, "name", pure=True))["events"] == {"class_name": "X"}


def test_pure_mechanisms_are_asked_about_at_what_is_left_of_delta() -> None:
    asked = json.loads(question_line(ASKED, "name", pure=True))
    assert [each["delta"] for each in asked["mechanisms"]] == [0, 0]
    exact = 1 - (1 - Fraction(1, 10**6)) / (1 - Fraction(1, 10**9)) ** 3
    assert Fraction(asked["delta"]) <= exact
    assert float(asked["delta"]) == pytest.approx(float(exact), rel=1e-14)


@given(st.integers(1, 5), st.integers(2, 9), st.integers(1, 12))
def test_what_is_left_is_never_above_what_it_is(count: int, own: int, total: int) -> None:
    ledger = Ledger.of([("1", f"1e-{own}", count)])
    exact = 1 - (1 - Fraction(1, 10**total)) / (1 - Fraction(1, 10**own)) ** count
    if exact < 0:
        with pytest.raises(UnsupportedError, match="own δ do not exceed"):
            what_is_left(ledger, mpq(1, 10**total))
    else:
        left = what_is_left(ledger, mpq(1, 10**total))
        assert 0 <= exact - Fraction(int(left.numerator), int(left.denominator)) <= exact / 2**150


def test_a_delta_of_one_leaves_one() -> None:
    assert what_is_left(Ledger.of([("1", "1/2")]), mpq(1)) == 1


def test_what_no_accountant_here_speaks_about_is_refused_by_name() -> None:
    mixed = AccountantQuestion(Ledger((Mechanism("1"), GaussianMechanism("1"))), mpq(1, 100))
    with pytest.raises(UnsupportedError, match=r"mechanisms\[1\]\.mu"):
        question_line(mixed, "diffprivlib/total", pure=False, noise=False)
    with pytest.raises(UnsupportedError, match="interaction"):
        AccountantQuestion(Ledger((Mechanism("1"),), interaction="concurrent"), mpq(1, 100))


@pytest.mark.parametrize(
    "ledger",
    [
        Ledger((GaussianMechanism("1/2", 3),)),
        Ledger((SampledMechanism(GaussianMechanism("1/2"), "1/4", 3),)),
    ],
)
def test_noise_is_asked_about_as_events(ledger: Ledger) -> None:
    line = json.loads(
        question_line(
            AccountantQuestion(ledger, mpq(1, 100)), ABOUT_EVENTS, pure=True, against=False
        )
    )
    assert (line["mechanisms"], line["delta"], line["stated"]) == ([], 0.01, True)
    read = read_ledger(json.dumps(line["events"]).encode())
    assert read.mechanisms[0] == ledger.mechanisms[0]


def test_a_number_beyond_the_doubles_is_refused() -> None:
    with pytest.raises(DomainError, match="a number in the range of doubles"):
        question_line(question(["1e400"], delta="1/10"), "name", pure=False)


def _read(text: str, *, pure: bool = False) -> AccountantAnswer:
    return answer_of(text, ASKED, pure=pure)


def test_numbers_are_read_in_the_accountants_favour() -> None:
    answer = _read('{"epsilon": 0.1, "delta": 0.3, "versions": {"a": "1"}}')
    assert answer.epsilon == mpq(Fraction(0.1))  # the double exceeds the decimal
    assert answer.delta == mpq(3, 10)  # the decimal exceeds the double
    assert answer.versions == {"a": "1"}


@pytest.mark.parametrize(
    ("text", "value"),
    [("NaN", "nan"), ('"nan"', "nan"), ("Infinity", "inf"), ('"-inf"', "-inf"), ("1e999", "inf")],
)
def test_what_is_not_finite_is_kept_as_its_name(text: str, value: str) -> None:
    assert _read(f'{{"epsilon": {text}}}').epsilon == value


def test_a_long_message_is_kept_for_those_who_maintain_the_accountant() -> None:
    words = f"TypeError: {'why ' * 100}and where"
    assert _read(f'{{"error": "{words}"}}').message == words


@pytest.mark.parametrize("state", ["error", "unsupported", "missing"])
def test_an_answer_may_say_why_there_is_no_number(state: str) -> None:
    answer = _read(f'{{"{state}": "words"}}')
    assert (answer.state, answer.message) == (state, "words")


@each_case(
    "text",
    [
        "",
        "[]",
        "{}",
        "nonsense",
        '{"epsilon": [1]}',
        '{"epsilon": true}',
        '{"epsilon": null}',
        '{"epsilon": "many"}',
        '{"epsilon": 1e-999999999}',
        '{"epsilon": 1, "basis": "hope"}',
        '{"epsilon": 1, "versions": 3}',
        "[" * 100_000,
    ],
)
def test_an_answer_that_cannot_be_read_is_none(text: str) -> None:
    assert _read(text).state == "silent"


def test_the_delta_of_pure_mechanisms_is_joined_with_their_own() -> None:
    answer = _read('{"delta": 0.25}', pure=True)
    exact = 1 - (1 - Fraction(1, 4)) * (1 - Fraction(1, 10**9)) ** 3
    assert isinstance(answer.delta, mpq)
    excess = Fraction(int(answer.delta.numerator), int(answer.delta.denominator)) - exact
    assert 0 <= excess < Fraction(1, 10**30)


def test_a_line_of_the_question_reaches_the_accountant_as_it_stands() -> None:
    row = checked("echo", question(["1"], delta="1/10"))
    assert '"format": "exactdp-accountant/1"' in row.answer.message


@pytest.mark.parametrize(
    "text",
    [
        '{"epsilon": 5, "epsilon": 6}',
        '{"epsilon": 6, "unsupported": "x", "unsupported": "y"}',
        '{"epsilon": 6, "versions": {"a": "1", "a": "2"}}',
        '{"basis": "amplification", "epsilon": 6, "basis": "composition"}',
    ],
)
def test_an_answer_in_which_a_key_stands_twice_is_none(text: str) -> None:
    answer = _read(text)
    assert answer.state == "silent"
    assert "stands twice" in answer.message

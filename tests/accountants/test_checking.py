"""Crosscheck: the fake accountant, asked as a user's would be."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

import exactdp
from exactdp.accountants.accountants import KNOWN, chosen, install_command
from exactdp.accountants.checking import checked_values, crosscheck
from exactdp.accountants.doubles import greatest_reading
from exactdp.accountants.noise_peers import NOISE_TASKS
from exactdp.accountants.peers import TASKS
from exactdp.accountants.process import Limits
from exactdp.accountants.protocol import AccountantAnswer
from exactdp.accountants.values import value_of, values_of
from exactdp.accountants.verdicts import Truth
from exactdp.errors import InputError
from tests.accountants.asking import FAKE, checked, question

TEN = question([("0.3", 0, 10)], delta="1/1000000")  # basic composition: 3; the truth: 2.9997…


@pytest.mark.parametrize(
    ("behaviour", "outcome"),
    [
        ("1", "sound"),
        ("basic", "sound"),
        ("0.9", "unsound"),
        ("knowing", "not-comparable"),
        ("nan", "unusable"),
        ("inf", "unusable"),
        ("negative", "unusable"),
        ("error", "unusable"),
        ("nothing", "unusable"),
        ("huge", "unusable"),
        ("crash", "unusable"),
        ("unsupported", "not-asked"),
        ("missing", "not-installed"),
        ("certain", "sound"),
    ],
)
def test_every_behaviour_has_its_verdict(behaviour: str, outcome: str) -> None:
    row = checked(behaviour, TEN)
    assert row.verdict.outcome == outcome
    assert (row.verdict.certificate is not None) == (behaviour in ("0.9", "negative"))


@pytest.mark.slow
def test_a_slow_accountant_is_unusable() -> None:
    row = checked("hang", TEN, Limits(seconds=0.5))
    assert (row.verdict.outcome, row.verdict.message) == ("unusable", "no answer within 0.5 s")


def test_an_answer_refuted_only_by_the_nearest_doubles_is_asked_for_again() -> None:
    """The double nearest to ln 2 lies below ln 2: to pass it on is right, and is not accused."""
    row = checked("1", question(["ln(2)"], delta="0"))
    assert row.answer.epsilon == greatest_reading("0.6931471805599454")
    assert (row.verdict.outcome, row.verdict.certificate) == ("sound", None)


def test_an_accusation_rests_on_the_harder_question() -> None:
    row = checked("0.9", question([("0.3", 0, 10)], delta="0"))
    assert row.verdict.outcome == "unsound"
    assert isinstance(row.answer.epsilon, mpq)
    assert row.answer.epsilon >= mpq("2.7")


def test_delta_is_asked_for_at_an_epsilon() -> None:
    asked = question([("0.3", 0, 10)], epsilon="1")
    assert checked("0.5", asked).verdict.outcome == "sound"
    row = checked("0.01", asked)
    assert (row.verdict.outcome, row.verdict.in_delta) == ("unsound", True)


def test_what_the_scripts_know_is_what_can_be_chosen() -> None:
    names = [each.name for each in chosen(())]
    assert sorted(names) == sorted({*TASKS, *NOISE_TASKS})
    assert [f"{package}/{setting}" for package, settings in KNOWN.items() for setting in settings]


def test_a_package_stands_for_its_settings_and_its_interpreter_for_all_of_them() -> None:
    found = chosen(["opendp"], pythons={"opendp": "/somewhere/python"})
    assert [each.name for each in found] == ["opendp/basic", "opendp/zcdp"]
    assert {each.command[0] for each in found} == {"/somewhere/python"}
    assert "exactdp[opendp]" in install_command(found[0])


def test_a_program_of_the_users_own_is_asked_alone_unless_others_are_named() -> None:
    assert [each.name for each in chosen((), programs={"ours": "sh x.sh 'a b'"})] == ["ours"]
    [ours] = chosen(["ours"], programs={"ours": "sh x.sh 'a b'"})
    assert ours.command == ("sh", "x.sh", "a b")


@pytest.mark.parametrize(
    ("names", "pythons", "programs"),
    [
        (["opendb"], {}, {}),
        ([], {"numpy": "python"}, {}),
        ([], {}, {"ours": ""}),
        ([], {}, {"ours": "'"}),
    ],
)
def test_an_unknown_accountant_is_refused(
    names: list[str], pythons: dict[str, str], programs: dict[str, str]
) -> None:
    with pytest.raises(InputError, match=r"expected one of|NAME=COMMAND"):
        chosen(names, pythons=pythons, programs=programs)


def test_an_accountant_that_is_not_installed_is_reported_with_the_command() -> None:
    [row] = crosscheck(Truth(TEN), chosen(["autodp/kov"]), Limits(20))
    if row.verdict.outcome != "not-installed":
        pytest.skip("autodp is installed here")
    assert row.verdict.message.startswith("pip install 'exactdp[autodp]'")


def test_a_value_is_a_claim_by_any_tool_at_all() -> None:
    [low, high] = checked_values(
        Truth(TEN), [("value", value_of("2.9", TEN)), ("value", value_of("2.9,1e-3", TEN))]
    )
    assert (low.verdict.outcome, high.verdict.outcome) == ("unsound", "sound")
    asked = question(["1"], epsilon="1/2")
    assert value_of("0.3", asked) == AccountantAnswer("answered", delta=mpq(3, 10))
    assert value_of("inf", TEN).epsilon == "inf"


@pytest.mark.parametrize("text", ["", "x", "1,", "1,2,3", "ln(3)"])
def test_a_value_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--value"):
        value_of(text, TEN)


def test_values_are_read_from_a_table() -> None:
    table = b"accountant,epsilon,delta,basis\na,1.5,,\nb,2.5,1e-6,finer-structure\nc,,0.25,\n"
    assert values_of(table) == [
        ("a", AccountantAnswer("answered", epsilon=mpq(3, 2))),
        (
            "b",
            AccountantAnswer(
                "answered", "", mpq(5, 2), values_of(table)[1][1].delta, "finer-structure"
            ),
        ),
        ("c", AccountantAnswer("answered", delta=mpq(1, 4))),
    ]


@pytest.mark.parametrize(
    "table",
    [
        b"",
        b"epsilon\n1\n",
        b"accountant,epsilon,speed\na,1,2\n",
        b"accountant,epsilon,epsilon\na,1,1\n",
        b"accountant,epsilon\na\n",
        b"accountant,epsilon\na,1,2\n",
        b"accountant,epsilon\n,1\n",
        b"accountant,epsilon\na,\n",
        b"accountant,epsilon\na,x\n",
        b'accountant,epsilon\n"a"b,1\n',
        b"accountant,epsilon,basis\na,1,hope\n",
    ],
)
def test_a_table_that_says_something_else_is_refused(table: bytes) -> None:
    with pytest.raises(InputError, match=r"line|columns"):
        values_of(table)


def test_the_fake_needs_nothing_but_the_standard_library() -> None:
    assert "exactdp" not in FAKE.read_text(encoding="utf-8").replace("exactdp-accountant", "")


@pytest.mark.parametrize("values", [["5"], {"mine": 4.7}, {"mine": None}, "5"])
def test_values_of_python_are_texts_by_name(values: object) -> None:
    with pytest.raises(InputError, match="write ") as refused:
        exactdp.crosscheck([("0.1", 0, 100)], delta="1e-6", values=values)  # type: ignore[arg-type]
    assert refused.value.field.startswith("values")

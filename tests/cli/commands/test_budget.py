"""``exactdp budget``: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.cli.commands.budget import budget_command
from exactdp.errors import InputError
from exactdp.verifier import verify_bytes
from tests.cli.running import GOOGLE

LABEL = "residential mean duration / state"


def budget(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert budget_command.main(list(arguments), standalone_mode=False) == 0
    return capsys.readouterr().out


def result(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    document = json.loads(budget(capsys, *arguments, "--json"))
    assert (document["format"], document["command"]) == ("exactdp-output/1", "budget")
    answer: dict[str, Any] = document["result"]
    return answer


def test_the_scale_is_a_table_that_says_which_end_to_use(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = budget(capsys, GOOGLE, "--epsilon", "1").splitlines()
    assert lines[2] == "budget          ε = 1 at δ = 1e-6"
    assert lines[3].startswith("largest scale   c ≥ 0.415418")
    assert lines[3].endswith(", which fits: use this one")
    assert lines[4].startswith("                c < 0.415418")


def test_the_ends_of_a_scale_are_finite_decimals(capsys: pytest.CaptureFixture[str]) -> None:
    answer = result(capsys, "-m", "0.1*12", "--epsilon", "1", "--delta", "0")
    lower, upper = (ExactNumber.parse(answer["scale"][end]).rational for end in ("lower", "upper"))
    assert answer["exact"] == "5/6"
    assert lower < ExactNumber.parse("5/6").rational < upper
    assert upper - lower < ExactNumber.parse("1e-6").rational


def test_held_mechanisms_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    answer = result(capsys, GOOGLE, "--epsilon", "2", "--hold", LABEL)
    assert (answer["outcome"], answer["held"]) == ("found", [LABEL])
    assert f"held            {LABEL}" in budget(capsys, GOOGLE, "--epsilon", "2", "--hold", LABEL)


def test_certificates_and_the_ledger_that_fits_are_written(
    capsys: pytest.CaptureFixture[str], place: Path
) -> None:
    answer = result(capsys, GOOGLE, "--epsilon", "1", "--certificates", "made")
    stem = "google_mobility_2020_user_day"
    written = [f"made/{stem}.{kind}.json" for kind in ("upper", "lower", "fits")]
    assert answer["certificates"] == written
    upper, lower, fits = ((place / name).read_bytes() for name in written)
    verdict = verify_bytes(upper, ledger=fits, claim=("1", "1e-6"), max_cost=10**11)
    assert verdict.status == "accepted"
    assert verify_bytes(lower, max_cost=10**11).status == "accepted"


def test_a_budget_that_nothing_keeps_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("-m", "0.1,1e-3*2", "--epsilon", "1", "--delta", "1e-3")
    answer = result(capsys, *arguments)
    assert (answer["outcome"], answer["scale"]) == ("none", None)
    assert answer["reason"]
    assert "largest scale   none: the δ_i alone exceed the budget" in budget(capsys, *arguments)


def test_a_count_says_what_fits_and_what_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (GOOGLE, "--epsilon", "2.64", "--count-of", LABEL)
    fits = result(capsys, *arguments)["count"]["fits"]
    assert fits > 0
    text = budget(capsys, *arguments)
    assert f"more that fit   {fits} ({18 + fits} mechanisms in all)" in text
    assert f"{fits + 1} more do not fit" in text


def test_a_ledger_that_is_too_much_has_no_count(capsys: pytest.CaptureFixture[str]) -> None:
    answer = result(capsys, GOOGLE, "--epsilon", "1", "--count-of", LABEL)
    assert (answer["outcome"], answer["count"], answer["count_of"]) == ("none", None, LABEL)


@pytest.mark.parametrize(("option", "value"), [("--hold", LABEL), ("--tolerance", "1e-3")])
def test_a_count_takes_no_option_of_a_scale(
    capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    with pytest.raises(InputError, match=f"no {option} beside --count-of"):
        budget(capsys, GOOGLE, "--epsilon", "1", option, value, "--count-of", LABEL)

"""``exactdp budget``: what it prints, writes and refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.verifier import verify_bytes
from tests.cli.running import GOOGLE, exactdp

LABEL = "residential mean duration / state"


def budget(*arguments: str) -> str:
    answer = exactdp("budget", *arguments)
    assert answer.code == 0
    return "\n".join(answer.details)


def result(*arguments: str) -> dict[str, Any]:
    answer = exactdp("budget", *arguments, "--json")
    assert (answer.document["format"], answer.document["command"]) == ("exactdp-output/1", "budget")
    return answer.result


def test_the_scale_is_a_table_that_says_which_end_to_use() -> None:
    lines = budget(GOOGLE, "--epsilon", "1").splitlines()
    assert lines[2] == "budget          ε = 1 at δ = 1e-6"
    assert lines[3].startswith("largest scale   c ≥ 0.415418")
    assert lines[3].endswith(", which fits: use this one")
    assert lines[4].startswith("                c < 0.415418")


def test_the_ends_of_a_scale_are_finite_decimals() -> None:
    answer = result("-m", "0.1*12", "--epsilon", "1", "--delta", "0")
    lower, upper = (ExactNumber.parse(answer["scale"][end]).rational for end in ("lower", "upper"))
    assert answer["exact"] == "5/6"
    assert lower < ExactNumber.parse("5/6").rational < upper
    assert upper - lower < ExactNumber.parse("1e-6").rational


def test_held_mechanisms_are_named() -> None:
    answer = result(GOOGLE, "--epsilon", "2", "--hold", LABEL)
    assert (answer["outcome"], answer["held"]) == ("found", [LABEL])
    assert f"held            {LABEL}" in budget(GOOGLE, "--epsilon", "2", "--hold", LABEL)


def test_certificates_and_the_ledger_that_fits_are_written(place: Path) -> None:
    answer = result(GOOGLE, "--epsilon", "1", "--certificates", "made")
    stem = "google_mobility_2020_user_day"
    written = [f"made/{stem}.{kind}.json" for kind in ("upper", "lower", "fits")]
    assert answer["certificates"] == written
    upper, lower, fits = ((place / name).read_bytes() for name in written)
    verdict = verify_bytes(upper, ledger=fits, claim=("1", "1e-6"), max_cost=10**11)
    assert verdict.status == "accepted"
    assert verify_bytes(lower, max_cost=10**11).status == "accepted"


def test_a_budget_that_nothing_keeps_is_an_answer() -> None:
    arguments = ("-m", "0.1,1e-3*2", "--epsilon", "1", "--delta", "1e-3")
    answer = result(*arguments)
    assert (answer["outcome"], answer["scale"]) == ("none", None)
    assert answer["reason"]
    assert "largest scale   none: the δ_i alone exceed the budget" in budget(*arguments)


def test_a_count_says_what_fits_and_what_does_not() -> None:
    arguments = (GOOGLE, "--epsilon", "2.64", "--count-of", LABEL)
    fits = result(*arguments)["count"]["fits"]
    assert fits > 0
    text = budget(*arguments)
    assert f"more that fit   {fits} ({18 + fits} mechanisms in all)" in text
    assert f"{fits + 1} more do not fit" in text


def test_a_ledger_that_is_too_much_has_no_count() -> None:
    answer = result(GOOGLE, "--epsilon", "1", "--count-of", LABEL)
    assert (answer["outcome"], answer["count"], answer["count_of"]) == ("none", None, LABEL)


@pytest.mark.parametrize(("option", "value"), [("--hold", LABEL), ("--tolerance", "1e-3")])
def test_a_count_takes_no_option_of_a_scale(option: str, value: str) -> None:
    answer = exactdp("budget", GOOGLE, "--epsilon", "1", option, value, "--count-of", LABEL)
    assert answer.code == 2
    assert f"no {option} beside --count-of" in answer.err


NOISE = ("-m", "laplace=10*4", "--delta", "1e-6")


def test_noise_and_rates_are_solved_for() -> None:
    lines = budget("-m", "mu=1", "--delta", "1e-5", "--epsilon", "1", "--noise-of", "#1")
    assert lines.splitlines()[-2:] == [
        "least noise   noise multiplier (σ over the sensitivity) = 3.731, which fits: use this one",
        "              noise multiplier (σ over the sensitivity) = 3.73, which does not",
    ]
    sampled = ("-m", "laplace=2,rate=1/10*3", "--delta", "1e-4", "--epsilon", "9")
    answer = result(*sampled, "--rate-of", "#1")
    assert answer["outcome"] == "unbounded"
    assert answer["turned"] == {
        "what": "rate",
        "number": "rate",
        "of": "#1",
        "fits": "1",
        "exceeds": None,
    }
    assert "greatest rate   rate = 1, which fits" in budget(*sampled, "--rate-of", "#1")


def test_a_gap_that_rho_leaves_is_said_to_be_open() -> None:
    arguments = ("-m", "rho=0.01*4", "--epsilon", "2", "--delta", "1e-6")
    counted = result(*arguments, "--count-of", "#1")
    assert counted["count"]["exceeds"] > counted["count"]["fits"] + 1
    for option in ((), ("--count-of", "#1")):
        assert "neither proved nor refuted between them" in budget(*arguments, *option)


def test_no_number_is_an_answer_for_noise_too() -> None:
    text = budget(
        "-m", "mu=1", "-m", "mu=9", "--delta", "1e-5", "--epsilon", "1", "--noise-of", "#1"
    )
    assert "least noise   none: no number is proved to keep the budget" in text


def test_two_questions_at_once_are_refused() -> None:
    answer = exactdp("budget", *NOISE, "--epsilon", "1", "--noise-of", "#1", "--count-of", "#1")
    assert answer.code == 2
    assert "one of --count-of and --noise-of" in answer.err
    answer = exactdp("budget", *NOISE, "--epsilon", "1", "--noise-of", "#1", "--hold", "x")
    assert "no --hold beside --noise-of" in answer.err

"""``exactdp budget --allocate``: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq

from exactdp.verifier import verify_bytes
from tests.cli.running import exactdp
from tests.marking import each_case

ENTRIES: list[dict[str, Any]] = [
    {"name": "mean", "noise": "gaussian", "weight": 8, "delta": "1e-9"},
    {"name": "size", "noise": "gaussian", "within": 30, "delta": "1e-9"},
    {"name": "counts", "noise": "gaussian", "count": 20},
]
BUDGET = ("--epsilon", "1", "--delta", "1e-6")


@pytest.fixture(autouse=True)
def survey(place: Path) -> None:
    (place / "survey.json").write_text(json.dumps({"name": "Survey", "statistics": ENTRIES}))


def allocated(*arguments: str) -> dict[str, Any]:
    answer = exactdp("budget", "--allocate", "survey.json", *arguments, "--json")
    assert answer.code == 0
    return answer.result


def test_the_tables_name_every_statistic_and_an_even_split() -> None:
    answer = exactdp("budget", "--allocate", "survey.json", *BUDGET)
    assert answer.code == 0
    assert answer.details[0] == "Survey: 3 statistics, 22 answers"
    assert answer.details[2] == "budget   ε = 1 at δ = 1e-6"
    assert [line.split()[0] for line in answer.details[5:8]] == ["mean", "size", "counts"]
    assert answer.details[6].endswith("target")
    assert "keeps the budget   certified, and accepted by the verifier" in answer.out
    assert answer.details[-2].startswith("even ")
    assert answer.details[-1].startswith("this allocation ")


def test_the_certificates_are_about_the_noise_that_was_printed(place: Path) -> None:
    result = allocated(*BUDGET, "--certificates", "made")
    (allocation,) = result["allocations"]
    assert result["certificates"] == [
        f"made/survey.{kind}.json" for kind in ("upper", "fits", "lower")
    ]
    upper, fits, lower = ((place / name).read_bytes() for name in result["certificates"])
    verdict = verify_bytes(upper, ledger=fits, claim=("1", "1e-6"), max_cost=10**11)
    assert verdict.status == "accepted"
    assert verify_bytes(lower, max_cost=10**11).status == "accepted"
    told = [(each["label"], 1 / mpq(each["mu"])) for each in json.loads(fits)["mechanisms"]]
    assert told == [(each["name"], mpq(each["scale"])) for each in allocation["shares"]]
    text = exactdp("budget", "--allocate", "survey.json", *BUDGET).out
    assert all(f"σ = {each['scale']} " in text for each in allocation["shares"])


def test_errors_are_rounded_up() -> None:
    for share in allocated(*BUDGET)["allocations"][0]["shares"]:
        error, scale = mpq(share["expected_error"]), mpq(share["scale"])
        assert scale**2 * 2 / mpq("3.14159265358979324") <= error**2
        assert error**2 <= scale**2 * 2 / mpq("3.14159")


def test_several_deltas_are_answered_one_after_the_other(place: Path) -> None:
    result = allocated(
        "--epsilon", "1", "--delta", "1e-9", "--delta", "1e-3", "--certificates", "."
    )
    first, second = result["allocations"]
    assert (first["delta"], second["delta"]) == ("1e-9", "0.001")
    assert mpq(second["weighted_error"]) < mpq(first["weighted_error"])
    assert (place / "survey.1.upper.json").exists()
    assert (place / "survey.2.upper.json").exists()


def test_fixing_and_leaving_out_show_what_was_before() -> None:
    (allocation,) = allocated(*BUDGET, "--fix", "mean=0.01", "--without", "size")["allocations"]
    mean, counts = allocation["shares"]
    assert (mean["set_by"], counts["set_by"]) == ("fixed", "allocation")
    assert mpq(mean["scale"]) > mpq(mean["scale_before"])
    assert mpq(counts["scale"]) < mpq(counts["scale_before"])
    answer = exactdp("budget", "--allocate", "survey.json", *BUDGET, "--without", "size")
    assert "scale before" in answer.out


def test_a_target_that_a_fixed_epsilon_misses_is_said_to_be_missed() -> None:
    answer = exactdp("budget", "--allocate", "survey.json", *BUDGET, "--fix", "size=0.01")
    assert "fixed, misses its target" in answer.out


def test_an_epsilon_that_says_no_noise_is_refused() -> None:
    answer = exactdp("budget", "--allocate", "survey.json", *BUDGET, "--fix", "counts=0.01")
    assert answer.code == 2
    assert "a δ of its own beside the ε of gaussian noise" in answer.err


def test_what_does_not_fit_is_an_answer() -> None:
    answer = exactdp("budget", "--allocate", "survey.json", "--epsilon", "0.01", "--delta", "1e-6")
    assert answer.code == 0
    assert "none: what is fixed and what the targets ask for already exceed" in answer.out
    (allocation,) = allocated("--epsilon", "0.01", "--delta", "1e-6")["allocations"]
    assert (allocation["outcome"], allocation["verified"]) == ("none", False)
    (allocation,) = allocated("--epsilon", "1", "--delta", "0")["allocations"]
    assert allocation["reason"] == "no Gaussian noise keeps a budget whose δ is 0"


@each_case(
    ("arguments", "words"),
    [
        (("--epsilon", "1"), "--delta: nothing: expected a δ, as the file names none"),
        (("--delta", "0"), "--epsilon: nothing: expected an ε, as the file names none"),
        ((*BUDGET, "--hold", "mean"), "no --hold beside --allocate"),
        ((*BUDGET, "-m", "1"), "no -m beside --allocate"),
        ((*BUDGET, "ledger.json"), "no LEDGER beside --allocate"),
        ((*BUDGET, "--count-of", "mean"), "one of --allocate and --count-of"),
        ((*BUDGET, "--method", "grid"), "no --method beside --allocate"),
        ((*BUDGET, "--fix", "mean"), "--fix: mean: expected NAME=E"),
        ((*BUDGET, "--fix", "mean=1", "--fix", "mean=2"), "each name once"),
        ((*BUDGET, "--fix", "men=1"), "did you mean mean?"),
        ((*BUDGET, "--without", "x"), "the name of a statistic"),
        ((*BUDGET, "--confidence", "2"), "a rational from 0.5"),
        (("--epsilon", "x", "--delta", "0"), "a number such as"),
        (("--epsilon", "1", "--delta", "1"), "a rational below 1"),
    ],
)
def test_a_mistake_is_answered_by_a_sentence(arguments: tuple[str, ...], words: str) -> None:
    answer = exactdp("budget", "--allocate", "survey.json", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err


@pytest.mark.parametrize("option", ["--fix", "--without", "--confidence"])
def test_options_of_statistics_need_a_file_of_them(option: str) -> None:
    answer = exactdp("budget", "-m", "1", *BUDGET, option, "1")
    assert answer.code == 2
    assert f"expected --allocate FILE beside {option}" in answer.err


def test_a_scale_still_needs_one_epsilon_and_takes_one_delta() -> None:
    answer = exactdp("budget", "-m", "1", "--delta", "0")
    assert answer.err.startswith(
        "exactdp: --epsilon: nothing: expected a value, which exactdp budget"
    )
    answer = exactdp("budget", "-m", "1", "--epsilon", "1", "--delta", "0", "--delta", "1")
    assert "--delta: given 2 times: expected one value" in answer.err

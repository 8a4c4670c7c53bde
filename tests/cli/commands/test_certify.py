"""``exactdp certify``: a claim proved or refuted, and the certificate of it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.running import GOOGLE, exactdp, files_below

PROVED = "every composition of mechanisms with these parameters is (ε, δ)-DP"


def test_a_claim_that_holds_is_proved_with_exit_code_0(place: Path) -> None:
    answer = exactdp("certify", GOOGLE, "--epsilon", "2.64", "--delta", "0", "-o", "proof.json")
    assert (answer.code, answer.err) == (0, "")
    assert answer.details[2:] == [
        "claim         ε = 2.64 at δ = 0",
        f"proved        {PROVED}; no smaller ε is enough",
        "certificate   proof.json",
    ]
    assert list(files_below(place)) == ["proof.json"]
    assert exactdp("verify", "proof.json", "--ledger", GOOGLE, "--claim", "2.64,0").code == 0


def test_a_claim_that_fails_is_refuted_with_exit_code_1() -> None:
    answer = exactdp("certify", "-m", "0.1*10", "--epsilon", "0.9", "--delta", "0", "-o", "r.json")
    assert answer.code == 1
    assert answer.details[3].startswith("refuted       some composition of mechanisms with these")
    verified = exactdp("verify", "r.json", "-m", "0.1*10", "--claim", "0.9,0")
    assert verified.code == 0
    assert verified.out.endswith("— refutes the claim (0.9, 0)\n")


def test_without_a_file_nothing_is_written(place: Path) -> None:
    assert exactdp("certify", "-m", "1", "--epsilon", "1", "--delta", "0").code == 0
    assert files_below(place) == {}


@pytest.mark.parametrize(
    ("epsilon", "verdict", "equality", "code"),
    [("ln(37/5)", "proved", True, 0), ("2.1", "proved", False, 0), ("2", "refuted", False, 1)],
)
def test_json_says_what_was_decided(epsilon: str, verdict: str, equality: bool, code: int) -> None:
    answer = exactdp("certify", "-m", "ln(3)*2", "--epsilon", epsilon, "--delta", "1/10", "--json")
    assert answer.code == code
    margin = answer.result.get("margin", {"at_least": "0"})
    assert (Fraction(margin["at_least"]) > 0) == (not equality)
    assert {key: value for key, value in answer.result.items() if key != "margin"} == {
        "verdict": verdict,
        "evidence": "certificate",
        "equality": equality,
        "epsilon": epsilon,
        "delta": "0.1",
        "rule": "atoms",
        "theorem": "murtagh-vadhan-2018-theorem-1.5",
        "interaction": "adaptive",
        "group": "1",
        "certificate": None,
    }


def test_undecided_within_the_limit_is_exit_code_3_and_writes_nothing(place: Path) -> None:
    arguments = ("--epsilon", "3", "--delta", "1e-3", "--max-cost", "1", "-o", "c.json")
    answer = exactdp("certify", "-m", "0.1*100", *arguments)
    assert answer.code == 3
    assert files_below(place) == {}


def test_the_ledger_is_not_overwritten_by_its_certificate(place: Path) -> None:
    (place / "a.csv").write_text("epsilon\n1\n")
    (place / "b.csv").symlink_to("a.csv")
    for name in ("a.csv", "b.csv"):
        answer = exactdp("certify", "a.csv", "--epsilon", "1", "--delta", "0", "-o", name)
        assert (answer.code, answer.out) == (2, "")
        assert "a file other than the ledger" in answer.err
    assert (place / "a.csv").read_text() == "epsilon\n1\n"


@pytest.mark.parametrize(
    ("epsilon", "line"),
    [
        (
            "4",
            "margin at least 0.823077682 in ε: ε ≤ 3.1769223180 is enough at this δ (certified)",
        ),
        ("3", "short by at least 0.1769223179 in ε: nothing below ε = 3.1769223179 is enough at"),
    ],
)
def test_it_says_by_how_much(epsilon: str, line: str) -> None:
    asked = ("--epsilon", epsilon, "--delta", "1e-6", "--json")
    answer = exactdp("certify", "-m", "0.1,1e-9*50", *asked[:-1])
    assert line in " ".join(answer.out.split())
    margin = exactdp("certify", "-m", "0.1,1e-9*50", *asked).result["margin"]
    ends = exactdp("compose", "-m", "0.1,1e-9*50", "--delta", "1e-6", "--json").result["epsilon"]
    assert margin["epsilon"] == ends
    end = ends["upper" if epsilon == "4" else "lower"]
    assert Fraction(margin["at_least"]) <= abs(Fraction(epsilon) - Fraction(end))


def test_what_no_epsilon_makes_true_falls_short_in_delta() -> None:
    asked = ("certify", "-m", "1,1/10*2", "--epsilon", "1", "--delta", "0.1")
    margin = exactdp(*asked, "--json").result["margin"]
    assert margin["at_least"].startswith("0.36364")
    assert "in δ: nothing below δ = 0." in exactdp(*asked).out


def test_a_margin_that_would_cost_much_is_left_out() -> None:
    answer = exactdp("certify", "-m", "0.1*50", "--epsilon", "5", "--delta", "0", "--max-cost", "1")
    assert (answer.code, "margin" in answer.out) == (0, False)


def test_groups_and_pictures_do_not_go_together(place: Path) -> None:
    asked = ("certify", "-m", "1", "--epsilon", "3", "--delta", "0", "--group", "3")
    for option, name in (("--plot", "a.svg"), ("--report", "a.html")):
        answer = exactdp(*asked, option, name, "--json")
        assert (answer.code, answer.error["field"]) == (2, option)
    assert files_below(place) == {}


@pytest.mark.slow
def test_a_claim_is_drawn_into_the_profile(place: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    asked = ("certify", "-m", "0.1*9", "--epsilon", "1/2", "--delta", "1e-6")
    assert exactdp(*asked, "--plot", "a.svg", "--json").result["plot"] == "a.svg"
    assert (place / "a.svg").read_bytes().startswith(b"<?xml")


def test_a_rounded_claim_is_judged_up_to_what_rounds_to_it() -> None:
    asked = ("certify", "-m", "1.1401", "--delta", "0", "--epsilon")
    assert exactdp(*asked, "1.14").code == 1
    answer = exactdp(*asked, "1.14", "--places", "2", "-o", "rounded.json")
    assert answer.code == 0
    assert answer.lines[0].startswith("The claim ε = 1.14 (rounded to 2 decimal places) at δ = 0 ")
    assert "judged up to   ε = 1.145, which rounds to the claim" in answer.lines
    assert exactdp("verify", "rounded.json", "-m", "1.1401", "--claim", "1.145,0").code == 0
    more = ("certify", "-m", "1.1451", "--delta", "0", "--epsilon", "1.14", "--places", "2")
    assert exactdp(*more).code == 1
    refused = exactdp(*asked, "1.14", "--places", "1")
    assert (refused.code, "decimal places of the claimed number" in refused.err) == (2, True)


def test_a_certificate_goes_into_a_directory_as_with_other_commands(place: Path) -> None:
    asked = ("certify", GOOGLE, "--epsilon", "2.64", "--delta", "0", "--certificates", "proofs")
    answer = exactdp(*asked)
    assert answer.code == 0
    assert "proofs/google_mobility_2020_user_day.claim.json" in files_below(place)
    again = exactdp(*asked, "-o", "proof.json")
    assert again.code == 2
    assert "one of the two" in again.err


def test_a_sensitivity_that_nobody_gives_is_said() -> None:
    asked = ("certify", "--epsilon", "2", "--delta", "1e-6", "-m")
    assert exactdp(*asked, "sigma=20*52").err == (
        "exactdp: the sensitivity of -m sigma=20*52 is taken as 1; "
        "write sensitivity=2 for another\n"
    )
    assert exactdp(*asked, "sigma=20,sensitivity=1*52").err == ""

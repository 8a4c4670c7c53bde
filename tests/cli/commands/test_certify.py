"""``exactdp certify``: a claim proved or refuted, and the certificate of it."""

from __future__ import annotations

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
    assert answer.result == {
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

"""Ledgers with ρ or μ on the command line: the derivation is shown, and certificates hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import exactdp


def test_compose_prints_the_best_bound_its_derivation_and_what_is_attained() -> None:
    arguments = ("-m", "rho=1e-6", "-m", "1/2*10", "-m", "mu=1", "--delta", "1e-6")
    answer = exactdp("compose", *arguments)
    assert (answer.code, answer.err) == (0, "")
    words = " ".join(answer.out.split())
    assert "best derivable bound ε ≤ 8.7956974" in words
    assert (
        "by ρ = 1e-6 as one (0.006, 1.47839e-8)-DP mechanism, composed with the rest (zcdp-pair)"
        in words
    )
    assert "not as good (computed), by ε ≤ 9.17080494" in words
    assert "theorem Composition of trade-off functions: Dong, Roth and Su" in words
    assert "nothing below ε ≥ 8.79172756" in words
    assert "in between open: ρ says less" in words


def test_json_holds_the_derivations() -> None:
    arguments = ("-m", "rho=293764/114921", "--delta", "1e-10", "--json")
    result = exactdp("compose", *arguments).result
    assert result["method"] == "moments"
    assert result["epsilon"] == {"lower": "16.4651553748", "upper": "17.1435507436"}
    assert result["basic_epsilon"] is None
    assert result["complete"] is False
    assert result["derivation"] == [
        {
            "rule": "moments",
            "theorem": "canonne-kamath-steinke-2020-proposition-12",
            "epsilon": "17.1435507436",
            "words": "ρ = 293764/114921: converted together",
            "evidence": "certificate",
        }
    ]


@pytest.mark.parametrize(
    "mechanisms",
    [
        ("mu=1/2*4",),
        ("rho=1/8", "mu=1/3"),
        ("mu=1/2", "0.1,1e-9*20"),
        ("rho=1/100", "0.1,1e-9*20", "ln(2)"),
    ],
)
def test_certificates_of_an_answer_are_about_its_ledger(mechanisms: tuple[str, ...]) -> None:
    ledger = [part for each in mechanisms for part in ("-m", each)]
    made = exactdp("compose", *ledger, "--delta", "1e-6", "--certificates", "made")
    assert (made.code, made.err) == (0, "")
    files = [str(path) for path in sorted(Path("made").iterdir())]
    assert len(files) == 2
    for file in files:
        checked = exactdp("verify", file, *ledger)
        assert checked.code == 0
        assert checked.details[0].startswith("ACCEPTED")
        assert exactdp("verify", file, *ledger, "-m", "mu=9").code == 1


def test_certify_names_the_rule_and_its_theorem() -> None:
    answer = exactdp("certify", "-m", "mu=1", "--epsilon", "4.4", "--delta", "1e-5")
    assert answer.code == 0
    assert "the curve of Gaussian noise (gaussian)" in answer.out


def test_what_is_neither_derivable_nor_refuted_is_undecided() -> None:
    answer = exactdp("certify", "-m", "rho=1/2", "--epsilon", "4.5", "--delta", "1e-5", "--json")
    assert answer.code == 3
    assert answer.error["code"] == "not-derivable"


def test_an_open_claim_of_the_ledger_is_said_to_be_open() -> None:
    claim = '{"epsilon": "4.5", "delta": "1e-5", "basis": "composition", "source": "a paper"}'
    Path("c.json").write_text(
        f'{{"mechanisms": [{{"rho": "1/2"}}], "target_delta": "1e-5", "claims": [{claim}]}}'
    )
    answer = exactdp("compose", "c.json")
    assert answer.code == 0
    assert "neither derivable nor refuted" in answer.out


def test_the_profile_names_the_rule_of_its_upper_ends() -> None:
    answer = exactdp("profile", "-m", "mu=1", "--epsilon", "1", "--epsilon", "ln(3)")
    assert answer.code == 0
    assert answer.details[2].split() == ["ε", "δ", "at", "least", "δ", "at", "most", "by"]
    assert all(
        line.endswith("the curve of Gaussian noise (gaussian)") for line in answer.details[3:5]
    )


def test_noise_without_delta_is_infeasible_and_says_why() -> None:
    answer = exactdp("compose", "-m", "mu=1", "--delta", "0")
    assert answer.code == 0
    assert "no finite ε is enough" in answer.out
    assert "feasible only for (computed)   δ > 0" in answer.out

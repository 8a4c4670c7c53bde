"""``exactdp audit``: verdicts, certificates and exit codes as a user sees them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import GOOGLE, LEDGERS, exactdp, files_below

PERSONS = str(LEDGERS / "census_2020_pl94_us_persons.json")
UNITS = str(LEDGERS / "census_2020_pl94_us_units.json")
RECURVE = str(LEDGERS / "recurve_ohmconnect_2020.json")
CKS = "zcdp-canonne-kamath-steinke"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ledger(path: Path, epsilon: str, delta: str = "0") -> str:
    claim = {"epsilon": epsilon, "delta": delta, "basis": "composition", "source": "s"}
    path.write_text(json.dumps({"mechanisms": [{"epsilon": "0.1"}] * 10, "claims": [claim]}))
    return str(path)


def test_one_command_finds_what_the_census_certificates_state(place: Path) -> None:
    answer = exactdp("audit", PERSONS, UNITS, "--certificates", "made", "--json")
    assert answer.code == 3
    gaps = []
    for report in answer.result["ledgers"]:
        rho, epsilon = report["claims"]
        assert (rho["outcome"], epsilon["outcome"]) == ("holds-with-equality", "not-derivable")
        [line] = [each for each in epsilon["verdicts"] if each["rule"] == CKS]
        gaps.append((line["gap"]["lower"][:4], line["gap"]["lower"][-3:]))
    assert gaps == [("4.89", "e-9"), ("5.88", "e-8")]
    for source in (PERSONS, UNITS):
        stem = Path(source).stem
        for kind in ("underivable", "upper"):
            name = f"made/{stem}.claim-2.{CKS}.{kind}.json"
            assert (place / name).exists()
            assert exactdp("verify", name, "--ledger", source).code == 0


def test_the_page_says_what_is_proved_and_what_is_not() -> None:
    answer = exactdp("audit", PERSONS)
    words = " ".join(answer.out.split())
    assert "About the mechanisms nothing is proved: the claim may be true of them." in words
    assert "Lines with an assumption settle nothing" in words
    assert "gaussian curve, if the noise were Gaussian with these ρ would hold" in words
    assert "17.1435507435" in words
    assert "4.89e-9" in words


@pytest.mark.parametrize(
    ("epsilon", "code", "verdict"),
    [("1", 0, "holds, with equality"), ("0.9", 1, "refuted: not implied by these parameters")],
)
def test_the_exit_code_is_that_of_the_claim(
    place: Path, epsilon: str, code: int, verdict: str
) -> None:
    answer = exactdp("audit", ledger(place / "l.json", epsilon))
    assert answer.code == code
    assert f"claimed {epsilon} at δ = 0 (s): {verdict}" in answer.out


def test_a_refuted_claim_outranks_an_open_one(place: Path) -> None:
    refuted = ledger(place / "l.json", "0.9")
    assert exactdp("audit", PERSONS, refuted).code == 1
    assert exactdp("audit", PERSONS, GOOGLE).code == 3
    assert exactdp("audit", GOOGLE, RECURVE).code == 0


def test_what_rests_on_amplification_is_not_assessable() -> None:
    answer = exactdp("audit", RECURVE)
    assert answer.code == 0
    assert answer.out.count("not assessable from this ledger (it rests on amplification)") == 2


def test_a_ledger_without_claims_says_so() -> None:
    answer = exactdp("audit", str(LEDGERS / "apple_local_2017_device_day.json"))
    assert answer.code == 0
    assert answer.lines[-1].startswith("states no claims: exactdp certify judges one")


def test_claims_are_read_for_groups(place: Path) -> None:
    answer = exactdp("audit", ledger(place / "l.json", "2"), "--group", "2", "--json")
    assert (answer.code, answer.result["group"]) == (0, "2")
    [claim] = answer.result["ledgers"][0]["claims"]
    assert claim["outcome"] == "holds"


def test_without_a_place_nothing_is_written(place: Path) -> None:
    exactdp("audit", GOOGLE)
    assert files_below(place) == {}


def test_a_claim_about_interleaved_mechanisms_is_judged_as_such(place: Path) -> None:
    source = ledger(place / "l.json", "1")
    answer = exactdp("audit", source, "--interaction", "concurrent", "--json")
    assert answer.result["ledgers"][0]["interaction"] == "concurrent"
    [claim] = answer.result["ledgers"][0]["claims"]
    rules = {each["rule"]: each["theorem"] for each in claim["verdicts"]}
    assert rules["optimal composition"] == "vadhan-wang-2021-theorem-5.4"
    assert rules["concurrent-basic"] == "vadhan-wang-2021-theorem-4.1"


def test_a_last_line_counts_what_became_of_the_claims() -> None:
    answer = exactdp("audit", GOOGLE, PERSONS)
    assert "In all: 3 claims in 2 ledgers: 1 not derivable, 2 true" in answer.lines
    assert not any(line.startswith("In all") for line in exactdp("audit", GOOGLE).lines)


def test_a_ledger_without_claims_leaves_nothing_to_judge(place: Path) -> None:
    (place / "silent.json").write_text('{"mechanisms": [{"epsilon": "1"}]}')
    answer = exactdp("audit", "silent.json")
    assert (answer.code, answer.lines[0]) == (
        0,
        "This ledger states no claim: there was nothing to judge.",
    )

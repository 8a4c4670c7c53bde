"""The certificates of the deployments: all are there, and the lone verifier accepts each."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from exactdp import ExactNumber, read_ledger
from exactdp.arithmetic.comparison import compare
from exactdp.mechanisms import ConcentratedMechanism
from exactdp.verifier import verify_bytes
from tests.marking import each_case, slow_after
from tools import deployments
from tools.deployments import DEPLOYMENTS, LEDGERS, MODELLED, assessable_claims

PATHS = sorted(LEDGERS.glob("*.json"))
OPEN = ("census_2020_pl94_pr_units", "census_2020_pl94_us_persons", "census_2020_pl94_us_units")
"""The ledgers whose claim is neither derived nor refuted."""


def _verify(*arguments: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "exactdp.verifier", *arguments],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_every_ledger_has_its_certificates_and_there_are_no_others() -> None:
    expected = set()
    for path in PATHS:
        claims = len(assessable_claims(read_ledger(path)))
        kinds = ["upper", "lower", *(f"claim-{number + 1}" for number in range(claims))]
        if path.stem in OPEN:
            kinds[2:] = ["claim-1.underivable", "claim-1.upper"]
        kinds += ["rho"] * any(claim.rho is not None for claim in read_ledger(path).claims)
        expected |= {f"{path.stem}.{kind}.json" for kind in kinds}
    assert {path.name for path in DEPLOYMENTS.iterdir()} == expected


@pytest.mark.slow
@pytest.mark.parametrize("path", slow_after(3, PATHS), ids=lambda path: path.stem)
def test_the_lone_verifier_accepts_them_for_this_ledger(path: Path) -> None:
    files = sorted(DEPLOYMENTS.glob(f"{path.stem}.*.json"))
    code, lines = _verify("--ledger", str(path), *map(str, files))
    assert code == 0
    assert [line.partition(": ")[2].split()[0] for line in lines] == ["ACCEPTED"] * len(files)


@each_case("path", PATHS)
def test_upper_and_lower_are_within_the_tolerance_at_the_target(path: Path) -> None:
    ledger = read_ledger(path)
    ends = []
    for kind in ("upper", "lower"):
        text = (DEPLOYMENTS / f"{path.stem}.{kind}.json").read_text(encoding="utf-8")
        statement = json.loads(text)["statement"]
        assert (statement["kind"], statement["delta"]) == (kind, str(ledger.target_delta))
        ends.append(Fraction(statement["epsilon"]))
    assert ends[0] > ends[1]
    if not any(isinstance(each, ConcentratedMechanism) for each in ledger):
        assert ends[0] - ends[1] <= Fraction("1e-9")


@pytest.mark.parametrize(
    ("path", "number", "claim"),
    [
        pytest.param(path, number, claim, id=f"{path.stem}-{number}")
        for path in PATHS
        if path.stem not in OPEN
        for number, claim in enumerate(assessable_claims(read_ledger(path)), start=1)
    ],
)
def test_every_claim_on_composition_is_settled(
    path: Path, number: int, claim: tuple[str, str]
) -> None:
    file = DEPLOYMENTS / f"{path.stem}.claim-{number}.json"
    verdict = verify_bytes(file.read_bytes(), ledger=path.read_bytes(), claim=claim)
    assert verdict.status == "accepted"
    assert "proves the claim" in verdict.line


@pytest.mark.parametrize("stem", OPEN)
def test_what_the_conversion_gives_is_above_a_claim_that_it_does_not_give(stem: str) -> None:
    [(epsilon, delta)] = assessable_claims(read_ledger(LEDGERS / f"{stem}.json"))
    statements = {}
    for kind in ("underivable", "upper"):
        text = (DEPLOYMENTS / f"{stem}.claim-1.{kind}.json").read_text(encoding="utf-8")
        statements[kind] = json.loads(text)["statement"]
        number = "corollary-13" if kind == "underivable" else "proposition-12"
        assert statements[kind]["theorem"] == f"canonne-kamath-steinke-2020-{number}"
        assert Fraction(statements[kind]["delta"]) == Fraction(delta)
    assert statements["underivable"]["epsilon"] == epsilon
    excess = Fraction(statements["upper"]["epsilon"]) - Fraction(epsilon)
    least, most = ("4.8e-9", "5e-9") if "persons" in stem else ("5.8e-8", "5.9e-8")
    assert Fraction(least) < excess < Fraction(most)


@pytest.mark.slow
def test_a_certificate_of_one_ledger_is_rejected_for_another() -> None:
    code, [line] = _verify(
        "--ledger", str(PATHS[0]), str(DEPLOYMENTS / f"{PATHS[1].stem}.upper.json")
    )
    assert code == 1
    assert line.startswith("REJECTED")


@pytest.mark.slow
def test_making_them_again_gives_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    assert deployments.main(["--check"]) == 0
    assert capsys.readouterr().out == ""


MODELLED_PATHS = sorted((LEDGERS / "modelled").glob("*.json"))


def test_each_deployment_in_its_parts_has_its_certificates() -> None:
    expected = set()
    for path in MODELLED_PATHS:
        numbers = range(1, 1 + len(assessable_claims(read_ledger(path))))
        claims = [f"claim-{each}" for each in numbers]
        claims += ["rho"] * any(claim.rho is not None for claim in read_ledger(path).claims)
        expected |= {f"{path.stem}.{kind}.json" for kind in ("upper", "lower", *claims)}
    assert {path.name for path in MODELLED.iterdir()} == expected


@pytest.mark.slow
@each_case("path", MODELLED_PATHS)
def test_the_verifier_accepts_these_for_this_ledger_and_each_claim(path: Path) -> None:
    ledger, files = path.read_bytes(), sorted(MODELLED.glob(f"{path.stem}.*.json"))
    claims = assessable_claims(read_ledger(path))
    assert files
    for file in files:
        _, kind, _ = file.name.split(".")
        number = kind.removeprefix("claim-")
        claim = claims[int(number) - 1] if number.isdecimal() else None
        verdict = verify_bytes(file.read_bytes(), ledger=ledger, claim=claim)
        assert verdict.status == "accepted", file.name
        assert claim is None or "proves the claim" in verdict.line


@pytest.mark.parametrize(
    ("stem", "least", "most"),
    [
        ("google_mobility_2020_user_day", "2.4995", "2.4996"),
        ("google_mobility_2020_user_day_all_laplace", "2.4873", "2.4874"),
        ("google_search_symptoms_2020", "1.6589", "1.659"),
        ("rappor_chrome_homepage_report", "0.53427", "0.53428"),
        ("rappor_chrome_homepage_unchanged", "2.04329", "2.0433"),
        ("wikimedia_pageviews_current_2023", "0.79975", "0.79977"),
    ],
)
def test_what_the_parts_cost_lies_where_the_page_says(stem: str, least: str, most: str) -> None:
    ends = [
        json.loads((MODELLED / f"{stem}.{kind}.json").read_text("utf-8"))["statement"]["epsilon"]
        for kind in ("lower", "upper")
    ]
    lower, upper = map(ExactNumber.parse, ends)
    assert compare(ExactNumber.parse(least), lower) <= 0
    assert compare(upper, ExactNumber.parse(most)) <= 0

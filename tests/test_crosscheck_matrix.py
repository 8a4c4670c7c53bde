"""The matrix of accountants and problems: its page, and the certificates behind its verdicts."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from exactdp import read_ledger
from exactdp.many.mapping import mapped
from exactdp.verifier import verify_bytes
from tests.accountants.asking import fake
from tests.marking import each_case, slow_after
from tools.crosscheck_matrix import (
    CAUSES,
    CERTIFICATES,
    PAGE,
    RESULTS,
    Cause,
    Cell,
    cases,
    checked_cell,
    is_finding,
    page,
)

RESULT: Any = json.loads(RESULTS.read_text(encoding="utf-8"))
ROWS: list[dict[str, Any]] = RESULT["rows"]
FILES = sorted(CERTIFICATES.glob("*.lower.json"))


def _verify(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "exactdp.verifier", *arguments],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.slow
def test_the_page_is_what_the_results_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(RESULT)


@pytest.mark.slow
def test_cells_in_processes_are_those_of_one_process() -> None:
    small = [case for case in cases() if case.name in ("P1", "F2", "F4")]
    cells = [Cell(case, fake(how), 60.0) for case in small for how in ("basic", "0.5")]
    alone = [*map(checked_cell, cells)]
    assert [*mapped(checked_cell, cells, jobs=2)] == alone
    assert {each.verdict.outcome for each in alone} == {"sound", "unsound"}


def test_every_certificate_belongs_to_a_row_and_every_row_to_a_case() -> None:
    kept = [row["certificate"] for row in ROWS if row["certificate"]]
    assert sorted(kept) == [path.name for path in FILES]
    assert {row["case"] for row in ROWS} <= {case.name for case in cases()}


def test_every_accusation_has_its_certificate_unless_it_is_long_to_check() -> None:
    bare = [row for row in ROWS if row["verdict"] == "unsound" and not row["certificate"]]
    assert {row["case"] for row in bare} <= {"P9"}  # two thousand distinct ε


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", slow_after(3, sorted({path.name.partition(".")[0] for path in FILES}))
)
def test_the_lone_verifier_accepts_them_for_the_ledger_beside_them(name: str) -> None:
    paths = [str(path) for path in FILES if path.name.partition(".")[0] == name]
    lines = _verify("--ledger", str(CERTIFICATES / f"{name}.ledger.json"), *paths).splitlines()
    assert ["ACCEPTED  " in line for line in lines] == [True] * len(paths)


@each_case("row", [row for row in ROWS if row["certificate"]])
def test_it_refutes_what_the_row_says_was_claimed(row: dict[str, Any]) -> None:
    epsilon = "0" if row["epsilon"].startswith("-") else row["epsilon"]
    data = (CERTIFICATES / row["certificate"]).read_bytes()
    verdict = verify_bytes(data, claim=(epsilon, row["delta"]))
    assert verdict.status == "accepted"
    assert "refutes the claim" in verdict.line


def test_the_ledgers_beside_the_certificates_are_those_of_the_cases() -> None:
    ledgers = {case.name: case.ledger for case in cases()}
    for path in CERTIFICATES.glob("*.ledger.json"):
        kept, known = read_ledger(path), ledgers[path.name.partition(".")[0]]
        assert (kept.mechanisms, kept.target_delta) == (known.mechanisms, known.target_delta)


@pytest.mark.parametrize(
    ("case", "accountant", "verdict"),
    [
        ("F1", "dp-accounting/pld-1e-4", "unsound"),
        ("F2", "prv-accountant/0.1", "unsound"),
        ("F3", "smartnoise-sql/odometer", "unsound"),
        ("F4", "dp-accounting/events", "unsound"),
        ("P1", "autodp/afa", "unusable"),
    ],
)
def test_what_the_matrix_must_show_is_there(case: str, accountant: str, verdict: str) -> None:
    [row] = [row for row in ROWS if (row["case"], row["accountant"]) == (case, accountant)]
    assert row["verdict"] == verdict
    assert row["certificate"]


def test_every_finding_has_one_cause_and_a_negative_epsilon_or_rounding_is_none() -> None:
    findings = [row for row in ROWS if is_finding(row)]
    assert len(findings) > 30
    for row in findings:
        assert sum(row["accountant"] in cause.accountants for cause in CAUSES) == 1, row
        assert not row["epsilon"].startswith("-")
        assert not row["rounding"]
    text = PAGE.read_text(encoding="utf-8")
    assert "*r*" not in text
    assert "autodp-afa" not in text


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.title)
def test_a_cause_shows_an_example_with_its_certificate_and_its_report(cause: Cause) -> None:
    case, accountant = cause.example
    [row] = [row for row in ROWS if (row["case"], row["accountant"]) == cause.example]
    assert accountant in cause.accountants
    assert is_finding(row)
    text = PAGE.read_text(encoding="utf-8")
    section = text.partition(f"### {cause.title}")[2].partition("###")[0]
    assert row["certificate"] in section
    assert f"Smallest example, {case} " in section
    assert " times what is claimed" in section
    [report] = [word for word in section.split("(") if "/upstream/" in word]
    assert (PAGE.parent / report.partition(")")[0]).is_file()


def test_a_gap_below_the_threshold_is_no_headline() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert "| −2.7e-7 |" in text
    assert "**−2.9e-5**" in text
    assert "**−2.7e-7**" not in text

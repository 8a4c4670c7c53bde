"""``exactdp gate``: its exit codes, what it prints, and what it writes for other programs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest

from tests.cli.running import GOOGLE, LEDGERS, exactdp, files_below

POLICY: Final = 'format = "exactdp-policy/1"\nledgers = ["ledgers/*.json"]\n'
BUDGET: Final = '[[budgets]]\nscope = "each"\nepsilon = {}\ndelta = 1e-6\n'
CENSUS: Final = (LEDGERS / "census_2020_ddhcb_us.json").read_text().replace('"places": 2, ', "")
"""Whose claim, taken as it stands, is refuted."""


@pytest.fixture
def folder(place: Path) -> Path:
    """A folder with one ledger, whose claim holds."""
    (place / "ledgers").mkdir()
    shutil.copy(GOOGLE, place / "ledgers")
    (place / "exactdp.toml").write_text(POLICY)
    return place


def test_a_folder_that_keeps_its_policy_passes(folder: Path) -> None:
    answer = exactdp("gate")
    assert (answer.code, answer.lines[-1]) == (0, "PASSED: 1 of 1 requirements hold")
    assert exactdp("gate", str(folder)).code == 0
    assert exactdp("gate", "exactdp.toml").code == 0


def test_a_budget_that_is_exceeded_fails(folder: Path) -> None:
    (folder / "exactdp.toml").write_text(POLICY + BUDGET.format(2.5))
    answer = exactdp("gate", "--certificates", "made")
    assert (answer.code, answer.lines[-1]) == (1, "FAILED: 1 of 2 requirements hold, 1 failed")
    refuted = exactdp(
        "verify", "made/google_mobility_2020_user_day.2.lower.json", "--claim", "2.5,1e-6"
    )
    assert "refutes the claim (2.5, 1e-6)" in refuted.out


def test_what_is_undecided_does_not_pass(folder: Path) -> None:
    (folder / "exactdp.toml").write_text(POLICY + BUDGET.format(2.5))
    answer = exactdp("gate", "--max-cost", "1")
    assert (answer.code, answer.lines[-1].split(":")[0]) == (3, "UNDECIDED")


def test_where_nothing_was_checked_the_exit_code_says_so(folder: Path) -> None:
    (folder / "exactdp.toml").write_text(POLICY + 'claims = "ignored"')
    answer = exactdp("gate")
    assert (answer.code, answer.lines[-1]) == (
        3,
        "NOTHING CHECKED: 0 of 0 requirements hold, 1 skipped",
    )


def test_a_broken_ledger_is_bad_input_and_the_others_are_checked(folder: Path) -> None:
    (folder / "ledgers" / "broken.json").write_text("{")
    answer = exactdp("gate")
    assert (answer.code, answer.lines[-1]) == (
        2,
        "BAD INPUT: 1 of 2 requirements hold, 1 invalid",
    )


def test_a_folder_without_a_policy_is_bad_input(place: Path) -> None:
    answer = exactdp("gate", str(place), "--json")
    assert (answer.code, answer.error["field"]) == (2, "policy")


def test_the_answer_in_json_counts_what_it_lists(folder: Path) -> None:
    (folder / "ledgers" / "census_2020_ddhcb_us.json").write_text(CENSUS)
    result = exactdp("gate", "--json").result
    assert result["outcome"] == "FAILED"
    assert result["counts"] == {"held": 1, "failed": 1, "undecided": 0, "invalid": 0, "skipped": 0}
    assert [each["status"] for each in result["findings"]] == ["failed", "held"]


@pytest.fixture
def mixed(folder: Path) -> Path:
    """A folder with a requirement of every status, and a name that needs escaping."""
    (folder / "ledgers" / "a <&> b ü.json").write_text(CENSUS)
    (folder / "ledgers" / "broken.json").write_text("{")
    (folder / "ledgers" / "silent.json").write_text('{"mechanisms": [], "empty": true}')
    more = '[[budgets]]\nscope = "each"\nrho = 1\nledgers = ["ledgers/g*.json"]\n'
    (folder / "exactdp.toml").write_text(POLICY + more)
    return folder


@pytest.mark.slow
def test_several_processes_give_the_answer_of_one(mixed: Path) -> None:
    alone = exactdp("gate", "--json", "--certificates", str(mixed / "one"))
    together = exactdp("gate", "--json", "--certificates", str(mixed / "two"), "--jobs", "2")
    assert (together.code, together.err) == (alone.code, "")
    assert together.out == alone.out.replace("/one/", "/two/")
    assert files_below(mixed / "one") == files_below(mixed / "two")


def test_junit_has_a_case_for_each_requirement(mixed: Path) -> None:
    assert exactdp("gate", "--junit", "gate.xml").code == 2
    root = ET.fromstring((mixed / "gate.xml").read_bytes())  # noqa: S314 (our own file)
    assert {key: root.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "2",
        "errors": "1",
        "skipped": "1",
    }
    kinds = [[(each.tag, each.get("type")) for each in case] for case in root.iter("testcase")]
    assert sorted(kinds) == [
        [],
        [("error", "invalid")],
        [("failure", "failed")],
        [("failure", "undecided")],
        [("skipped", None)],
    ]
    names = {case.get("classname") for case in root.iter("testcase")}
    assert "ledgers/a <&> b ü.json" in names


def test_sarif_has_a_result_for_what_does_not_hold(mixed: Path) -> None:
    assert exactdp("gate", "--sarif", "gate.sarif").code == 2
    log = json.loads((mixed / "gate.sarif").read_bytes())
    [run] = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    results: list[dict[str, Any]] = run["results"]
    assert log["version"] == "2.1.0"
    assert all(rules[each["ruleIndex"]] == each["ruleId"] for each in results)
    assert sorted((each["ruleId"], each["level"]) for each in results) == [
        ("budget", "warning"),
        ("claim", "error"),
        ("ledger", "error"),
    ]
    uris = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results]
    assert "ledgers/a%20%3C%26%3E%20b%20%C3%BC.json" in uris


def test_a_finding_that_is_about_no_file_stands_at_its_policy(folder: Path) -> None:
    (folder / "exactdp.toml").write_text(POLICY.replace("*.json", "*.csv"))
    assert exactdp("gate", str(folder), "--sarif", "gate.sarif").code == 3
    [result] = json.loads((folder / "gate.sarif").read_bytes())["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == (folder / "exactdp.toml").as_uri()


def test_the_reports_are_the_same_bytes_each_time_and_may_be_replaced(mixed: Path) -> None:
    arguments = ("gate", "--junit", "gate.xml", "--sarif", "gate.sarif")
    exactdp(*arguments)
    first = [(mixed / name).read_bytes() for name in ("gate.xml", "gate.sarif")]
    shutil.copy(GOOGLE, mixed / "ledgers" / "again.json")
    exactdp(*arguments)
    assert [(mixed / name).read_bytes() for name in ("gate.xml", "gate.sarif")] != first
    (mixed / "ledgers" / "again.json").unlink()
    exactdp(*arguments)
    assert [(mixed / name).read_bytes() for name in ("gate.xml", "gate.sarif")] == first


def test_a_file_that_is_not_ours_is_kept(folder: Path) -> None:
    (folder / "gate.xml").write_text("<mine/>")
    assert exactdp("gate", "--junit", "gate.xml").code == 2
    assert (folder / "gate.xml").read_text() == "<mine/>"


@pytest.mark.parametrize("option", ["--junit", "--sarif", "--certificates"])
def test_a_place_that_takes_nothing_is_refused_before_the_work(folder: Path, option: str) -> None:
    (folder / "file").write_text("")
    answer = exactdp("gate", option, "file/in/it", "--json")
    assert (answer.code, answer.error["field"]) == (2, option)

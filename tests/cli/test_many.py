"""Many inputs on the command line: lines in order, files beside them, a summary."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import pytest

from tests.cli.running import LEDGERS, SCHEMA, Answer, exactdp, files_below, hard_ledger

VALIDATOR: Final = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text()))
DEPLOYMENTS: Final = sorted(str(path) for path in LEDGERS.glob("*.json"))


def documents(answer: Answer) -> list[dict[str, Any]]:
    """The lines of an answer, each of which conforms to the schema."""
    found = [json.loads(line) for line in answer.lines]
    for document in found:
        VALIDATOR.validate(document)
    return found


@pytest.fixture
def folder(place: Path) -> Path:
    """Five ledgers: two the same in other formats, one bad, one that states no δ."""
    directory = place / "week"
    directory.mkdir()
    good = {"format": "exactdp-ledger/1", "target_delta": "1e-6"}
    mechanisms = [{"epsilon": "0.1", "delta": "1e-9", "count": 50}]
    for name, document in {
        "a": {**good, "mechanisms": mechanisms},
        "b": {"mechanisms": [{"epsilon": 0.1, "delta": 1e-9, "count": 50}], **good},
        "c": {**good, "mechanisms": [{"epsilon": "-1"}]},
        "d": {"format": "exactdp-ledger/1", "mechanisms": mechanisms},
        "e": {**good, "mechanisms": [{"epsilon": "ln(3)", "count": 2}]},
    }.items():
        (directory / f"{name}.json").write_text(json.dumps(document))
    return directory


@pytest.mark.slow
def test_each_line_is_what_the_command_alone_prints(folder: Path) -> None:
    answer = exactdp("compose", str(folder), "--jobs", "2")
    assert answer.code == 2
    for document, path in zip(documents(answer), sorted(folder.iterdir()), strict=True):
        alone = exactdp("compose", str(path), "--json").document
        assert document.pop("file") == str(path)
        assert document == alone


@pytest.mark.slow
def test_one_bad_ledger_is_one_line_and_the_summary_counts_it(folder: Path) -> None:
    answer = exactdp("compose", str(folder), "--jobs", "2")
    assert [("error" in each) for each in documents(answer)] == [False, False, True, True, False]
    assert answer.err.startswith(
        "exactdp: 5 inputs, 4 computed, 0 from the store, 1 the same as another, 2 in error; "
    )
    assert answer.err.count("\n") == 1


@pytest.mark.slow
def test_a_delta_that_is_given_holds_for_every_ledger(folder: Path) -> None:
    lines = documents(exactdp("compose", str(folder), "--delta", "1e-5"))
    assert [each["result"]["delta"] for each in lines if "result" in each] == ["1e-5"] * 4


@pytest.mark.slow
def test_a_second_run_is_answered_by_the_store_in_the_same_bytes(folder: Path) -> None:
    asked = ("compose", str(folder), "--jobs", "2", "--store", "kept")
    first, second = exactdp(*asked), exactdp(*asked)
    assert first.out == second.out
    assert " 0 computed, " not in first.err
    assert "1 computed, 4 from the store" in second.err  # one is no ledger, and is read again


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_certificates_are_those_of_the_command_alone_and_the_store_gives_them_back(
    place: Path,
) -> None:
    for name in ("a", "b", "e"):
        alone = exactdp("compose", f"week/{name}.json", "--certificates", "alone")
        assert alone.code == 0
    for directory in ("many", "again"):
        asked = ("compose", "week", "--store", "kept", "--certificates", directory)
        lines = documents(exactdp(*asked))
        assert files_below(place / directory) == files_below(place / "alone")
        assert lines[0]["result"]["certificates"] == [
            f"{directory}/a.upper.json",
            f"{directory}/a.lower.json",
        ]


@pytest.mark.slow
def test_json_lines_on_standard_input_are_answered_line_by_line(folder: Path) -> None:
    lines = b"\n".join(
        json.dumps(json.loads(path.read_bytes())).encode() for path in sorted(folder.iterdir())
    )
    answer = exactdp("compose", "-", "--jobs", "1", stdin=lines + b"\n{\n")
    found = documents(answer)
    assert [each["file"] for each in found] == [f"line {number}" for number in range(1, 7)]
    folders = documents(exactdp("compose", "week", "--jobs", "1"))
    assert [each.get("result") for each in found[:5]] == [each.get("result") for each in folders]
    assert found[5]["error"]["field"] == "ledger"


def test_a_single_file_without_jobs_is_answered_as_ever(folder: Path) -> None:
    path = str(folder / "a.json")
    assert exactdp("compose", path).details[0] == "50 mechanisms"
    assert exactdp("compose", "-", stdin=Path(path).read_bytes()).details[0] == "50 mechanisms"


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "options",
    [("audit",), ("certify", "--epsilon", "3", "--delta", "1e-6"), ("crosscheck", "--value", "3")],
    ids=lambda options: options[0],
)
def test_other_commands_answer_each_ledger_as_they_do_alone(options: tuple[str, ...]) -> None:
    command, *others = options
    answer = exactdp(command, "week", *others, "--jobs", "2")
    for document, path in zip(documents(answer), sorted(Path("week").iterdir()), strict=True):
        alone = exactdp(command, str(path), *others, "--json").document
        written = alone.get("result", {})
        assert document.pop("file") == str(path)
        assert document == {**alone, **({"result": written} if written else {})}


@pytest.mark.slow
def test_certificates_in_a_folder_are_verified_each_in_its_line(folder: Path) -> None:
    exactdp("compose", str(folder), "--certificates", "made")
    shutil.copy(folder / "a.json", "made/a.ledger.json")
    Path("made/bad.json").write_text("{}")
    answer = exactdp("verify", "made", "--jobs", "2")
    verdicts = {each["file"]: each["result"]["files"][0]["status"] for each in documents(answer)}
    assert verdicts == {
        "made/a.lower.json": "accepted",
        "made/a.upper.json": "accepted",
        "made/b.lower.json": "accepted",
        "made/b.upper.json": "accepted",
        "made/bad.json": "malformed",
        "made/e.lower.json": "accepted",
        "made/e.upper.json": "accepted",
    }
    assert answer.code == 2


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_the_certificate_of_a_claim_goes_into_a_folder_of_its_own_name() -> None:
    exactdp("certify", "week", "--epsilon", "3", "--delta", "1e-6", "-o", "proofs")
    assert sorted(files_below(Path("proofs"))) == ["a.json", "b.json", "d.json", "e.json"]


def test_nothing_to_answer_is_refused() -> None:
    answer = exactdp("compose", "--jobs", "2", "-m", "1", "--delta", "0")
    assert answer.code == 2
    assert "leave out --jobs" in answer.err


@pytest.mark.slow
def test_an_input_that_takes_too_long_is_one_error_line(folder: Path) -> None:
    (folder / "f.csv").write_text(hard_ledger())
    answer = exactdp("compose", str(folder), "--delta", "1e-6", "--timeout", "2")
    found = documents(answer)
    assert [each["error"]["code"] for each in found if "error" in each] == [
        "out-of-range",
        "timeout",
    ]


@pytest.mark.slow
def test_the_twenty_deployments_are_what_they_are_alone() -> None:
    lines = documents(exactdp("compose", str(LEDGERS), "--jobs", "2"))
    assert [each["file"] for each in lines] == DEPLOYMENTS
    for document, path in zip(lines, DEPLOYMENTS, strict=True):
        alone = exactdp("compose", path, "--json").document
        assert {**document, "file": path} == {**alone, "file": path}

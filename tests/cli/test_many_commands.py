"""The seven commands that take many inputs, each in every way in which inputs can be given."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import pytest

from tests.accountants.asking import FAKE
from tests.cli.running import SCHEMA, Answer, exactdp, files_below
from tests.marking import slow_after

VALIDATOR: Final = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text()))
FAILING: Final = f"ours={shlex.join([sys.executable, '-I', str(FAKE), '0.5'])}"
COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    "compose": (),
    "audit": (),
    "certify": ("--epsilon", "3", "--delta", "1e-6"),
    "verify": (),
    "crosscheck": ("--program", FAILING),
    "hunt": ("--program", FAILING, "--time-limit", "60"),
    "gate": ("--policy", "week.toml"),
}
"""With the options that each needs."""
SOURCES: Final[dict[str, tuple[str, ...]]] = {
    "files": ("week/a.json", "week/b.json", "week/c.json"),
    "folder": ("week",),
    "pattern": ("we*/*.json",),
}


@pytest.fixture(params=slow_after(1, COMMANDS))
def command(request: pytest.FixtureRequest, place: Path) -> str:
    """A command, and three inputs for it in the folder ``week``; the third is a bad one."""
    name = str(request.param)
    (place / "week").mkdir()
    for letter, epsilon in (("a", "0.1"), ("b", "0.2")):
        document = {
            "format": "exactdp-ledger/1",
            "target_delta": "1e-6",
            "mechanisms": [{"epsilon": epsilon, "count": 9}],
            "claims": [{"epsilon": "1.9", "delta": "1e-6", "basis": "composition", "source": "us"}],
        }
        (place / "week" / f"{letter}.json").write_text(json.dumps(document))
    (place / "week.toml").write_text(
        'format = "exactdp-policy/1"\nledgers = ["none"]\n'
        '[[budgets]]\nscope = "each"\nepsilon = 2\ndelta = 1e-6\n'
    )
    if name == "verify":
        assert exactdp("compose", "week", "--certificates", "made").code == 0
        shutil.rmtree("week")
        Path("week").mkdir()
        for letter in "ab":
            shutil.move(f"made/{letter}.lower.json", f"week/{letter}.json")
        shutil.rmtree("made")
    (place / "week" / "c.json").write_text('{"mechanisms": [{"epsilon": "-1"}]}')
    return name


def documents(answer: Answer) -> list[dict[str, Any]]:
    """The lines of an answer, each of which conforms to the schema."""
    found = [json.loads(line) for line in answer.lines]
    for document in found:
        VALIDATOR.validate(document)
    return found


def asked(command: str, *others: str, stdin: bytes = b"") -> Answer:
    return exactdp(command, *COMMANDS[command], *others, stdin=stdin)


@pytest.mark.slow
def test_files_folder_and_pattern_are_answered_in_the_same_bytes(command: str, place: Path) -> None:
    answers = [asked(command, *sources, "--jobs", "1") for sources in SOURCES.values()]
    found = documents(answers[0])
    assert [each["file"] for each in found] == list(SOURCES["files"])
    assert [set(each) - {"format", "command", "file"} for each in found] == [
        {"result"},
        {"result"},
        {"result"} if command == "verify" else {"error"},
    ]
    assert len({answer.out for answer in answers}) == 1
    assert answers[0].code == 2
    assert place.is_dir()


@pytest.mark.slow
def test_each_line_is_what_the_command_alone_prints(command: str) -> None:
    for document in documents(asked(command, "week", "--jobs", "2")):
        force = ["--force"] if command == "hunt" else []  # it has written the same already
        alone = asked(command, document["file"], "--json", *force).document
        assert document == {**document, **alone}


@pytest.mark.slow
def test_one_process_two_processes_and_the_store_print_and_write_the_same(
    command: str, place: Path
) -> None:
    where = {"certify": "-o", "hunt": "-o"}.get(command, "--certificates")
    written = [] if command == "verify" else [where, "made"]
    ways = (("--jobs", "1"), ("--jobs", "2", "--store", "kept"), ("--jobs", "1", "--store", "kept"))
    answers, files = [], []
    for way in ways:
        answers.append(asked(command, "week", *way, *written))
        files.append(files_below(place / "made"))
        shutil.rmtree(place / "made", ignore_errors=True)
    assert len({answer.out for answer in answers}) == 1
    assert files == [files[0]] * len(ways)
    assert bool(files[0]) == bool(written)
    kept = 3 if command == "verify" else 2  # a ledger that cannot be read is read again
    assert f" {3 - kept} computed, {kept} from the store" in answers[2].err


@pytest.mark.slow
def test_json_lines_on_standard_input_are_answered_line_by_line(command: str, place: Path) -> None:
    names = sorted((place / "week").iterdir())
    lines = b"\n".join(path.read_bytes().replace(b"\n", b" ").strip() for path in names)
    found = documents(asked(command, "-", "--jobs", "1", stdin=lines))
    assert [each["file"] for each in found] == ["line 1", "line 2", "line 3"]
    in_files = documents(asked(command, "week", "--jobs", "1"))
    texts = [json.dumps(each) for each in in_files]
    for number, (line, name) in enumerate(zip(found, SOURCES["files"], strict=True), start=1):
        text = json.dumps(line).replace(f"line {number}", name)
        assert text.replace(f"line-{number}", Path(name).stem) == texts[number - 1] or (
            "error" in line and "error" in in_files[number - 1]
        )


@pytest.mark.slow
def test_a_cluster_prints_the_bytes_of_one_process(command: str) -> None:
    alone = asked(command, "week", "--jobs", "1")
    assert asked(command, "week", "--cluster", "local", "--jobs", "1").out == alone.out


# --- what two of them are asked without ledgers -------------------------------------------------


@pytest.mark.parametrize("command", ["hunt", "gate"])
@pytest.mark.parametrize(
    "option",
    [("--store", "kept"), ("--cluster", "local"), ("--input-timeout", "1")],
    ids=lambda option: option[0],
)
def test_options_for_many_are_refused_where_there_are_no_ledgers(
    command: str, option: tuple[str, str], place: Path
) -> None:
    answer = exactdp(command, *option)
    assert answer.code == 2
    assert f"{option[0]}: exactdp {command} without ledgers" in answer.err
    assert files_below(place) == {}


@pytest.mark.slow
def test_a_policy_with_a_budget_that_ledgers_share_does_not_judge_them_alone(place: Path) -> None:
    (place / "together.toml").write_text(
        'format = "exactdp-policy/1"\nledgers = ["*.json"]\n'
        '[[budgets]]\nscope = "together"\nepsilon = 2\ndelta = 1e-6\n'
    )
    (place / "a.json").write_text('{"mechanisms": [{"epsilon": "1"}]}')
    answer = exactdp("gate", "a.json", "--policy", "together.toml", "--json")
    assert (answer.code, answer.error["field"]) == (2, "scope")
    many = exactdp("gate", "a.json", "--policy", "together.toml", "--jobs", "1")
    assert documents(many)[0]["error"]["field"] == "scope"


def test_reports_are_refused_where_each_ledger_has_a_line() -> None:
    answer = exactdp("gate", "a.json", "--policy", "p.toml", "--jobs", "1", "--junit", "out.xml")
    assert (answer.code, answer.out) == (2, "")
    assert "--junit: out.xml: expected a line of JSON for each input" in answer.err


@pytest.mark.slow
def test_another_policy_is_another_question_to_the_store(place: Path) -> None:
    (place / "a.json").write_text('{"mechanisms": [{"epsilon": "1"}]}')
    codes = []
    for budget in ("1", "1/2", "1"):
        (place / "p.toml").write_text(
            'format = "exactdp-policy/1"\nledgers = ["*.json"]\n'
            f'[[budgets]]\nscope = "each"\nepsilon = "{budget}"\ndelta = 0\n'
        )
        codes.append(exactdp("gate", "a.json", "--policy", "p.toml", "--store", "kept").code)
    assert codes == [0, 1, 0]

"""``exactdp example``: the ledgers of the repository, wherever exactdp is installed."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import pytest

from exactdp.ledger.reading import read_ledger
from exactdp.templates import named, shipped
from tests.cli.running import LEDGERS, exactdp, files_below

ROOT: Final = LEDGERS.parent


def test_all_ledgers_are_written_and_listed(place: Path) -> None:
    answer = exactdp("example")
    assert (answer.code, answer.err) == (0, "")
    files = {str(path.relative_to(ROOT)): path.read_bytes() for path in LEDGERS.rglob("*.json")}
    assert {name: data for name, data in files_below(place).items() if data} == files
    assert answer.lines[0] == f"{len(files)} files were written to ledgers."
    assert all(sum(line.startswith(f"{name} ") for line in answer.lines) == 1 for name in files)
    again = exactdp("example")
    assert again.lines[0].endswith(f", and {len(files)} were there already.")


@pytest.mark.parametrize("name", ["rappor", "ledgers/rappor_chrome_homepage_month.json"])
def test_one_is_written_and_what_is_named_next_works(name: str, place: Path) -> None:
    result = exactdp("example", name, "--json").result
    assert result["written"] == ["ledgers/rappor_chrome_homepage_month.json"]
    assert [*files_below(place)] == ["ledgers", *result["written"]]
    assert read_ledger(result["written"][0]).size == 1440
    assert exactdp(*shlex.split(result["next"])[1:]).code == 0


def test_an_interactive_mechanism_is_read_by_the_command_that_knows_it() -> None:
    following = exactdp("example", "interactive/randomized", "--json").result["next"]
    assert exactdp(*shlex.split(following)[1:]).code == 0


def test_a_file_that_says_anything_else_stays_unless_it_is_forced(place: Path) -> None:
    path = place / "ledgers" / "rappor_chrome_homepage_month.json"
    path.parent.mkdir()
    path.write_text('{"mechanisms": [{"epsilon": 1}]}')
    for arguments in (("rappor",), ()):
        before = files_below(place)
        answer = exactdp("example", *arguments)
        assert (answer.code, "--force" in answer.err) == (2, True)
        assert files_below(place) == before
    assert exactdp("example", "rappor", "--force").code == 0
    assert path.read_bytes() == (LEDGERS / path.name).read_bytes()


@pytest.mark.parametrize("name", ["census", "no_such", ""])
def test_a_name_of_none_or_of_several_is_refused(name: str, place: Path) -> None:
    error = exactdp("example", name, "--json").error
    assert (error["field"], error["value"] or "nothing") == ("NAME", name or "nothing")
    assert error["expected"].startswith("the name of one ledger, such as ")
    assert "lists them" in error["remedy"]
    assert files_below(place) == {}


def test_every_name_is_the_beginning_of_itself() -> None:
    assert [named(name) for name in shipped()] == [*shipped()]


@pytest.mark.slow
def test_a_wheel_has_the_ledgers_and_readme_runs_from_it(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    empty = tmp_path / "empty"
    empty.mkdir()
    start = [sys.executable, "-P", "-c", _START.format(place=str(tmp_path / "installed"))]
    done = subprocess.run(
        [*start, "example", "--json"], cwd=empty, check=True, capture_output=True, text=True
    )
    assert len(json.loads(done.stdout)["result"]["written"]) == len(shipped())
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ledgers = set(re.findall(r"ledgers/[\w/]+\.json", readme))
    assert len(ledgers) > 2
    for ledger in ledgers:
        command = [*start, "compose", ledger]
        subprocess.run(command, cwd=empty, check=True, capture_output=True)


_START: Final = """
import sys
sys.path.insert(0, {place!r})
import exactdp
assert exactdp.__file__.startswith({place!r})
from exactdp.cli.main import main
main()
"""


@pytest.mark.parametrize(
    ("name", "near"), [("gogle_mobility", "google_mobility"), ("2020", "2020")]
)
def test_a_name_that_is_none_is_answered_with_a_few_that_are_near(name: str, near: str) -> None:
    answer = exactdp("example", name)
    assert answer.code == 2
    assert near in answer.err.partition("such as")[2]
    assert len(answer.err) < 400

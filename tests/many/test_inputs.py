"""Inputs: what names, folders, patterns and lines mean."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from exactdp.many.inputs import Input, inputs_of, lines_of, named_files


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a/2.json", "a/1.CSV", "a/notes.md", "a/.3.json", "a/b/4.json", "a/5.ledger.json"):
        Path(name).parent.mkdir(exist_ok=True, parents=True)
        Path(name).touch()


def test_a_folder_is_the_ledgers_in_it_by_name() -> None:
    assert named_files(["a"]) == ["a/1.CSV", "a/2.json", "a/5.ledger.json"]
    assert named_files(["a"], but=[".ledger.json"]) == ["a/1.CSV", "a/2.json"]


def test_what_a_spreadsheet_keeps_beside_an_open_workbook_is_no_ledger() -> None:
    for name in ("6.xlsx", "~$6.xlsx", ".7.json"):
        Path("a", name).touch()
    assert named_files(["a"]) == ["a/1.CSV", "a/2.json", "a/5.ledger.json", "a/6.xlsx"]


def test_a_pattern_reaches_below_and_matches_files_alone() -> None:
    assert named_files(["a/**/*.json"]) == ["a/2.json", "a/5.ledger.json", "a/b/4.json"]
    assert named_files(["a*"]) == ["a*"]


def test_what_is_not_there_stays_an_input() -> None:
    assert named_files(["missing.json", "no*", "a\0b"]) == ["missing.json", "no*", "a\0b"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file() -> None:
    Path("[1].json").touch()
    assert named_files(["[1].json"]) == ["[1].json"]


def test_inputs_that_are_called_alike_are_told_apart_by_where_they_are() -> None:
    places = [each.place for each in inputs_of(["x/week.json", "y/week.json", "day.json"])]
    assert places[2] == "day"
    assert len(set(places)) == 3
    assert places[:2] == [each.place for each in inputs_of(["x/week.json", "y/week.json"])]


def test_lines_are_named_by_their_numbers_and_blank_ones_count() -> None:
    found = [*lines_of(io.BytesIO(b'{"a":1}\n\n {} \n'))]
    assert found == [
        Input("line 1", "line-1", b'{"a":1}'),
        Input("line 3", "line-3", b"{}"),
    ]

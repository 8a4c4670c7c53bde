"""Patterns: they match what pathlib says, in a time that grows with the folder alone."""

from __future__ import annotations

import os
import random
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from exactdp.errors import InputError
from exactdp.many.inputs import named_files
from exactdp.many.patterns import files_matching

SEED: Final = 30
PARTS: Final = ("**", "*", "a", "b", "?", "[ab]", "*.json", "a*", "x.json", "[!a]*", ".")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Every path of up to three folders of two names, with two files each."""
    for depth in range(4):
        for names in product("ab", repeat=depth):
            below = tmp_path.joinpath(*names)
            below.mkdir(exist_ok=True)
            (below / "x.json").touch()
            (below / "ab.csv").touch()
    return tmp_path


def test_patterns_match_what_pathlib_says(folder: Path) -> None:
    chance = random.Random(SEED)  # noqa: S311 (no secret)
    found = 0
    for _ in range(300):
        parts = chance.choices(PARTS, k=chance.randint(1, 5))
        while parts[-1] in ("**", "."):  # what it means at the end differs between versions
            parts[-1] = chance.choice(PARTS)
        pattern = "/".join(parts)
        expected = {path for path in folder.glob(pattern) if path.is_file()}
        matched = files_matching(folder, pattern)
        assert {folder / name for name in matched} == expected, pattern
        assert matched == sorted(matched)
        found += len(matched)
    assert found > 300


@pytest.mark.parametrize(
    "pattern", ["**/" * 30 + "*.json", "**/*/" * 30 + "x", "**/a/" * 20 + "x.json", "**/**"]
)
def test_no_pattern_looks_into_a_folder_twice(
    folder: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    looked: list[str] = []
    real = os.scandir

    def counted(path: str) -> object:
        looked.append(path)
        return real(path)

    monkeypatch.setattr("os.scandir", counted)
    files_matching(folder, pattern)
    assert len(looked) == len(set(looked)) == 15


def test_what_would_look_at_too_many_names_is_refused_with_a_cure(folder: Path) -> None:
    assert len(files_matching(folder, "**", most=44)) == 30
    with pytest.raises(InputError, match=r"\*\*/x: expected at most 43 names.*begin the pattern"):
        files_matching(folder, "**/x", most=43)


def test_hidden_names_are_matched_by_a_dot_alone(folder: Path) -> None:
    (folder / ".env").touch()
    (folder / ".git").mkdir()
    (folder / ".git" / "x.json").touch()
    assert not [name for name in files_matching(folder, "**/*") if "/." in f"/{name}"]
    assert files_matching(folder, ".e*") == [".env"]
    assert files_matching(folder, ".git/*") == [".git/x.json"]


def test_links_to_folders_are_no_part_of_any_number_of_folders(folder: Path) -> None:
    (folder / "a" / "loop").symlink_to(folder)
    (folder / "c").symlink_to(folder / "a")
    assert files_matching(folder, "c/x.json") == ["c/x.json"]
    assert not [name for name in files_matching(folder, "**/x.json") if name.startswith("c")]
    assert len(files_matching(folder, "**/loop/x.json")) == 1
    assert len(files_matching(folder, "**/loop/**/x.json")) == 15


@pytest.mark.parametrize("prefix", ["", "./", "a/../", "/"])
def test_names_begin_as_the_pattern_does(
    folder: Path, monkeypatch: pytest.MonkeyPatch, prefix: str
) -> None:
    monkeypatch.chdir(folder)
    base = f"{folder}/" if prefix == "/" else prefix
    assert named_files([f"{base}a/*/x.js[o]n"]) == [f"{base}a/a/x.json", f"{base}a/b/x.json"]
    assert named_files([f"{base}*/nothing"]) == [f"{base}*/nothing"]

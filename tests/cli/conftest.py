"""Every test of the command line runs in an empty directory of its own."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, empty."""
    directory = tmp_path / "place"
    directory.mkdir()
    monkeypatch.chdir(directory)
    return directory

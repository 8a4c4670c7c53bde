"""Every test of the command line runs in an empty directory of its own, where signals arrive."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, empty."""
    directory = tmp_path / "place"
    directory.mkdir()
    monkeypatch.chdir(directory)
    return directory


@pytest.fixture(autouse=True)
def _signals_arrive() -> Iterator[None]:
    """Let signals do their work, though these tests may run where some are ignored (nohup, &)."""
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    hangup = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGHUP, hangup)

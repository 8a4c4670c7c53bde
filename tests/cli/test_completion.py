"""Shells ask how a word goes on, and are answered."""

from __future__ import annotations

import pytest

from tests.cli.running import exactdp


def completed(monkeypatch: pytest.MonkeyPatch, line: str) -> list[str]:
    """How the last word of a line may go on."""
    monkeypatch.setenv("_EXACTDP_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    answer = exactdp()
    assert answer.code == 0
    return [each.partition(",")[2] for each in answer.lines]


def test_commands_are_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert completed(monkeypatch, "exactdp comp") == ["compose"]


def test_options_are_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--tolerance" in completed(monkeypatch, "exactdp compose --to")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_ask(monkeypatch: pytest.MonkeyPatch, shell: str) -> None:
    monkeypatch.setenv("_EXACTDP_COMPLETE", f"{shell}_source")
    answer = exactdp()
    assert (answer.code, "_EXACTDP_COMPLETE" in answer.out) == (0, True)

"""Colour: for verdicts, on a terminal that wants it, and never in place of a word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from exactdp.cli import colour
from tests.cli.running import exactdp
from tests.cli.test_terminal import on_terminal

GREEN, RED = "\x1b[32m", "\x1b[31m"
REFUTED = ["certify", "-m", "1", "--epsilon", "1/2", "--delta", "0"]


@pytest.fixture(autouse=True)
def certificate(place: Path) -> Path:
    exactdp("certify", "-m", "1", "--epsilon", "1", "--delta", "0", "-o", "one.json")
    return place / "one.json"


@pytest.mark.slow
def test_verdicts_are_coloured_on_a_terminal() -> None:
    assert f"{GREEN}ACCEPTED\x1b[39m" in on_terminal(["verify", "one.json"], 80)[1]
    rejected = on_terminal(["verify", "one.json", "-m", "2"], 80)[1]
    assert f"{RED}REJECTED\x1b[39m" in rejected
    assert f"{RED}refuted\x1b[39m" in on_terminal(REFUTED, 80)[1]


@pytest.mark.slow
@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_declined(variables: dict[str, str]) -> None:
    _, text = on_terminal(["verify", "one.json"], 80, **variables)
    assert "\nACCEPTED" in text
    assert GREEN not in on_terminal(REFUTED, 80, **variables)[1]


@pytest.mark.slow
def test_the_words_are_the_same_without_colour() -> None:
    _, text = on_terminal(["verify", "one.json"], 200)
    assert re.sub(r"\x1b\[[0-9;]*m", "", text) == exactdp("verify", "one.json").out


def test_in_a_pipe_nothing_is_coloured() -> None:
    assert colour.coloured("ACCEPTED") == "ACCEPTED"


def test_longer_verdicts_are_coloured_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colour, "_is_wanted", lambda: True)
    assert colour.coloured("NOT ATTESTED  x") == f"{RED}NOT ATTESTED\x1b[39m  x"
    assert colour.coloured("UNACCEPTED proved_by") == "UNACCEPTED proved_by"

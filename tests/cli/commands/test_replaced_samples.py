"""Every command about sampled sums whose records are replaced: it answers for a clip alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cli.running import exactdp

CLIPPED: Final[dict[str, dict[str, Any]]] = {
    "sigma": {"sigma": "2", "clip": "1"},
    "laplace": {"laplace": {"scale": "2"}, "clip": "1"},
    "discrete_laplace": {"discrete_laplace": {"scale": "2"}, "clip": 1},
    "discrete_gaussian": {"discrete_gaussian": {"variance": "4"}, "clip": 1},
}
ALONE: Final[dict[str, dict[str, Any]]] = {
    "sigma": {"sigma": "2", "sensitivity": "1"},
    "mu": {"mu": "1/2"},
    "laplace": {"laplace": {"scale": "2", "sensitivity": "1"}},
    "discrete_laplace": {"discrete_laplace": {"scale": "2", "shifts": [1]}},
    "discrete_gaussian": {"discrete_gaussian": {"variance": "4", "shifts": [1]}},
}
COMMANDS: Final = {
    "compose": ("--delta", "1e-5"),
    "certify": ("--epsilon", "9", "--delta", "1e-5"),
    "profile": ("--epsilon", "1"),
    "bounds": ("--delta", "1e-5"),
    "budget": ("--epsilon", "3", "--delta", "1e-5", "--rate-of", "step"),
    "audit": (),
    "convert": ("--to", "json"),
}


def ledger(tmp_path: Path, entry: dict[str, Any]) -> str:
    place = tmp_path / "ledger.json"
    step = {**entry, "rate": "1/4", "label": "step"}
    place.write_text(json.dumps({"neighbouring": "replace-one", "mechanisms": [step]}))
    return str(place)


@pytest.mark.parametrize("family", CLIPPED)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_answers_for_a_clip(command: str, family: str, tmp_path: Path) -> None:
    answer = exactdp(command, ledger(tmp_path, CLIPPED[family]), *COMMANDS[command])
    assert (answer.code, answer.err) == (0, "")
    assert answer.out


@pytest.mark.parametrize("family", ALONE)
@pytest.mark.parametrize("command", [*COMMANDS, "crosscheck", "gate"])
def test_a_command_refuses_a_sensitivity_alone_and_says_which_clip_to_write(
    command: str, family: str, tmp_path: Path
) -> None:
    given = COMMANDS.get(command, ())
    if command == "crosscheck":
        given = ("--delta", "1e-5", "--value", "2.2")
    if command == "gate":
        (tmp_path / "exactdp.toml").write_text("[[policy]]\nledgers = ['*.json']\nepsilon = 1\n")
        given = ("--policy", str(tmp_path / "exactdp.toml"))
    answer = exactdp(command, ledger(tmp_path, ALONE[family]), *given)
    assert answer.code == 2
    if command != "gate":
        assert "expected clip beside a rate where a record is replaced" in answer.err
        assert "clip=1/2, rate=1/4" in answer.err or "clip=1, rate=1/4" in answer.err

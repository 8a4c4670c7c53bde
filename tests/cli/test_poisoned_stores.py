"""Whatever is changed in a store, commands print what they print without one."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from exactdp.cli import streaming
from exactdp.many.messages import Lost, Unit, UnitReply, Work
from tests.cli.running import Answer, exactdp, files_below
from tests.many.poisoning import Mutation, mutations

SEED: Final = 15
COMMANDS: Final = {
    "gate": ("gate", "--policy", "exactdp.toml", "led/false.json", "led/true.json"),
    "audit": ("audit", "led/false.json", "led/true.json"),
    "compose": ("compose", "led/false.json", "led/true.json"),
}
_ISSUE: Final = (
    Mutation("answer", "code", 0, everywhere=True),
    Mutation("answer", "text", old='"failed"', new='"held"'),
    Mutation("answer", "text", old="refuted", new="proved"),
    Mutation("file", "name", "../../../pwned.pth", everywhere=True),
    Mutation("content", "bytes", b"#!/bin/sh\necho pwned\n", everywhere=True),
)


class InThisProcess:
    """Workers without processes."""

    batch = wanted = 64

    def __init__(self, work: Work[Unit, UnitReply], **_: object) -> None:
        self._work = work
        self._done: list[tuple[int, list[UnitReply | Lost]]] = []

    def submit(self, number: int, units: Sequence[Unit]) -> None:
        self._done.append((number, [self._work(unit) for unit in units]))

    def replies(self) -> list[tuple[int, list[UnitReply | Lost]]]:
        done, self._done = self._done, []
        return done

    def close(self) -> None:
        """Nothing runs."""


@pytest.fixture(autouse=True)
def _ledgers(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger whose claim is false, one whose claim is true, and a policy that asks for both."""
    monkeypatch.setattr(streaming, "Processes", InThisProcess)
    (place / "led").mkdir()
    for name, epsilon in (("false", "1"), ("true", "4")):
        claim = {"epsilon": epsilon, "delta": "1e-6", "basis": "composition", "source": "x"}
        entry = {"epsilon": "0.1", "count": "50" if name == "false" else "9"}
        document = {"mechanisms": [entry], "target_delta": "1e-6", "claims": [claim]}
        (place / "led" / f"{name}.json").write_text(json.dumps(document))
    (place / "exactdp.toml").write_text(
        'format = "exactdp-policy/1"\nledgers = ["led/*.json"]\n', "utf-8"
    )


def asked(command: str, store: str) -> Answer:
    """A command with a store, and certificates in a folder that stands deep below this one."""
    shutil.rmtree("a", ignore_errors=True)
    return exactdp(*COMMANDS[command], "--store", store, "--certificates", "a/b/proofs")


def outside(place: Path, store: str) -> dict[str, bytes]:
    """Every file that is not of the store."""
    found = files_below(place)
    return {name: data for name, data in found.items() if not name.startswith((store, "honest"))}


def judge(place: Path, command: str, honest: Answer, mutation: Mutation) -> bool:
    """Change a copy of an honest store, and compare; whether anything was computed again."""
    expected = outside(place, "honest")
    shutil.copytree("honest", "poisoned")
    mutation.apply(place / "poisoned")
    found = asked(command, "poisoned")
    if found.code != 2 or found.out:  # a file that is none of ours any more is refused
        assert (found.out, found.code) == (honest.out, honest.code), mutation
        assert outside(place, "poisoned") == expected, mutation
    assert not [*place.parent.rglob("*pwned*")], mutation
    shutil.rmtree("poisoned")
    return "computed again" in found.err


@pytest.mark.parametrize("mutation", _ISSUE, ids=lambda each: f"{each.table}.{each.column}")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_store_that_is_poisoned_changes_nothing_that_is_said_or_written(
    place: Path, command: str, mutation: Mutation
) -> None:
    honest = asked(command, "honest")
    assert honest.code == (0 if command == "compose" else 1)
    judge(place, command, honest, mutation)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_no_cell_of_a_store_that_is_changed_changes_what_is_said_or_written(
    place: Path, command: str
) -> None:
    honest = asked(command, "honest")
    chance = random.Random(f"{SEED} {command}")  # noqa: S311 (no secret)
    chosen = chance.sample([*mutations(place / "honest")], 120)
    assert sum(judge(place, command, honest, each) for each in chosen) > 20


def test_what_was_computed_again_is_said_and_believed_the_next_time(place: Path) -> None:
    asked("gate", "kept")
    _ISSUE[0].apply(place / "kept")
    first, second = asked("gate", "kept"), asked("gate", "kept")
    assert "--store: 1 answer was not written with this user's key, or changed since" in first.err
    assert "1 computed, 1 from the store" in first.err
    assert "computed again" not in second.err
    assert "0 computed, 2 from the store" in second.err


def test_a_ledger_with_a_name_of_dots_keeps_its_files_in_their_folder(place: Path) -> None:
    for name in ("...json", "..json"):
        shutil.copy(place / "led" / "true.json", place / "led" / name)
    names = [f"led/{name}" for name in ("...json", "..json")]
    answer = exactdp("compose", *names, "--jobs", "1", "--certificates", "a/b/proofs")
    assert answer.code == 0
    written = [path for path in place.rglob("*per.json") if "a" in path.parts]
    assert {path.parent for path in written} == {place / "a" / "b" / "proofs"}


def test_results_say_how_much_is_left_out(place: Path) -> None:
    asked("gate", "kept")
    _ISSUE[0].apply(place / "kept")
    shown = exactdp("results", "kept")
    assert "1 result was not written with this user's key" in shown.err
    assert exactdp("results", "kept", "--json").result["left_out"] == 1
    assert "led/false.json" not in shown.out
    refused = exactdp("results", "kept", "--sql", "SELECT code FROM answer")
    assert refused.code == 2

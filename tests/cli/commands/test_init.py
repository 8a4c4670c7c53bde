"""``exactdp init``: what it writes can be used as it is."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from exactdp.ledger.reading import read_ledger
from exactdp.policies.policy import read_policy
from tests.cli.running import exactdp


@pytest.mark.parametrize("name", ["ledger.csv", "other.json"])
def test_a_ledger_to_begin_with_is_read_without_a_change(name: str) -> None:
    assert exactdp("init", name).code == 0
    assert read_ledger(name).size == 32


def test_a_policy_to_begin_with_is_kept_by_the_ledgers_to_begin_with(place: Path) -> None:
    for name in ("ledger.csv", "other.json", "exactdp.toml"):
        exactdp("init", name)
    assert read_policy(place / "exactdp.toml").claims == "hold"
    answer = exactdp("gate")
    assert (answer.code, answer.lines[-1].split(":")[0]) == (0, "PASSED")


@pytest.mark.parametrize("name", ["ledger.csv", "other.json"])
def test_the_command_that_is_named_next_works(name: str) -> None:
    following = exactdp("init", name, "--json").result["next"]
    assert exactdp(*shlex.split(following)[1:]).code == 0


def test_without_a_name_it_is_a_table(place: Path) -> None:
    assert exactdp("init").lines[0] == "A ledger to begin with was written to ledger.csv."
    assert (place / "ledger.csv").read_text().startswith("# A ledger of exactdp")


def test_a_ledger_that_was_edited_is_kept(place: Path) -> None:
    exactdp("init")
    assert exactdp("init").code == 0
    (place / "ledger.csv").write_text("epsilon\n1\n# mine\n")
    assert exactdp("init").code == 2
    assert (place / "ledger.csv").read_text() == "epsilon\n1\n# mine\n"


def test_another_ending_is_refused() -> None:
    assert exactdp("init", "ledger.xlsx", "--json").error["field"] == "FILE"

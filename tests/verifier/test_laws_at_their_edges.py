"""Laws of the verifier where no published example reaches: many reports, few steps to an output."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from exactdp.verifier import verify_bytes
from exactdp.verifier.format.meter import metered
from exactdp.verifier.rules import records_of_person
from exactdp.verifier.rules.records_of_person import Person
from tests.cli.running import exactdp

PERSON = Person(Fraction(1), Fraction(1, 100), 3)


def test_blocks_of_many_reports_are_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reports = {"shuffled_reports": {"odds": "8", "reports": 5000, "values": 16}}
    ledger = json.dumps({"neighbouring": "replace-one", "mechanisms": [reports]}).encode()
    exactdp("compose", "-", "--delta", "1e-3", "--certificates", "proofs", stdin=ledger)
    [*made] = Path("proofs").iterdir()
    assert [verify_bytes(each.read_bytes()).status for each in made] == ["accepted"] * 2


@pytest.mark.parametrize("loss", ["-1/200", "1/10", "2"])
def test_few_steps_to_an_output_leave_a_profile_as_it_is_or_wider(
    monkeypatch: pytest.MonkeyPatch, loss: str
) -> None:
    bits = 96
    at = int(Fraction(loss) * 2**bits)
    with metered(10**10):
        low, high = PERSON.at((at, at), bits)
        monkeypatch.setattr(records_of_person, "_STEPS", 1)
        monkeypatch.setattr(records_of_person, "_FINE_STEPS", 1)
        assert PERSON.at((at, at), bits)[1] >= low
    assert low <= high


def test_only_the_direction_with_the_person_has_losses_without_end() -> None:
    assert PERSON.is_unbounded(back=False)
    assert not PERSON.is_unbounded(back=True)

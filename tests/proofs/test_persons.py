"""Several records of one person, as the verified checker judges them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exactdp.verifier import DEFAULT_MAX_COST, verify_bytes
from tests.mutation.mutate import seal
from tests.proofs.agreement import ACCEPTED, written
from tests.proofs.checker import lines_of

ACCEPTS = Path(__file__).resolve().parents[2] / "certs/accept"
FROM_ABOVE = sorted(ACCEPTS.glob("mesh-upper-person*.json"))

pytestmark = pytest.mark.usefixtures("checker")


def test_several_records_of_a_person_are_judged_from_above() -> None:
    assert len(FROM_ABOVE) == 2
    lines = lines_of(FROM_ABOVE, DEFAULT_MAX_COST)
    assert lines == [verify_bytes(file.read_bytes()).line for file in FROM_ABOVE]
    assert all(line.startswith(ACCEPTED) for line in lines)


def test_more_records_of_a_person_than_it_looks_at_are_not_accepted(tmp_path: Path) -> None:
    document = json.loads(FROM_ABOVE[0].read_bytes())
    document["statement"]["subject"]["mechanisms"][0]["records_per_person"] = "65"
    (line,) = lines_of(written([seal(document)], tmp_path), DEFAULT_MAX_COST)
    assert line == "REJECTED  too many records of a person"

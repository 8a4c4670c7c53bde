"""The extracted checker judges shuffled reports from above: any randomizers, and two values."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from exactdp.composition.answers.compose import compose
from exactdp.ledger.model import Ledger
from exactdp.mechanisms.shuffled_reports import ShuffledReportsMechanism
from tests.mutation.mutate import MAX_COST
from tests.proofs.agreement import written
from tests.proofs.checker import said_of

pytestmark = pytest.mark.usefixtures("checker")

ACCEPT: Final = Path(__file__).resolve().parents[2] / "certs/accept"
KNOWN: Final = ("mesh-upper-clones", "mesh-upper-blanket-of-two")
LOWER: Final = ("mesh-lower-any-randomizer", "mesh-lower-one-value", "mesh-lower-third-value")


def test_the_checker_accepts_clones_and_the_blanket_of_two_values() -> None:
    assert said_of([ACCEPT / f"{name}.json" for name in KNOWN], MAX_COST) == ["ACCEPTED"] * 2


def test_the_checker_has_no_proof_of_shuffled_reports_from_below() -> None:
    said = said_of([ACCEPT / f"{name}.json" for name in LOWER], MAX_COST)
    assert "ACCEPTED" not in said


@pytest.mark.parametrize(
    "reports",
    [
        ShuffledReportsMechanism(1000, 3),
        ShuffledReportsMechanism(200, local_epsilon="3/4"),
        ShuffledReportsMechanism(200, values=2, local_epsilon="3/4"),
    ],
)
def test_the_checker_accepts_what_is_composed_from_above(
    reports: ShuffledReportsMechanism, tmp_path: Path
) -> None:
    answer = compose(Ledger((reports,), neighbouring="replace-one"), delta="1e-6", tolerance="1e-3")
    certificate = answer.upper_certificate()
    assert certificate is not None
    assert said_of(written([certificate.to_bytes()], tmp_path), MAX_COST) == ["ACCEPTED"]

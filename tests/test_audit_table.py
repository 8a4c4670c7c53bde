"""The table of audited deployments is the one that the tool writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactdp.claims.verdicts import audit
from tools import audit_table

LEDGERS = sorted((Path(__file__).parents[1] / "ledgers").glob("*.json"))
DECIDED = ("holds", "holds-with-equality", "refuted")


def test_the_page_shows_what_the_tool_writes(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit_table.main(["--check"]) == 0
    assert capsys.readouterr().out == ""


def test_every_ledger_has_a_row_and_every_row_its_columns() -> None:
    rows = [line.strip("|\n").split(" | ") for line in audit_table.table().splitlines()]
    assert {len(row) for row in rows} == {len(audit_table.TITLES)}
    assert sum("ledgers/" in row[0] for row in rows) == 20


@pytest.mark.parametrize("path", LEDGERS)
def test_a_claimed_epsilon_that_is_decided_has_a_certificate_and_a_claimed_sum_has_none(
    path: Path,
) -> None:
    decided = [each for each in audit(path) if each.outcome in DECIDED]
    for claim in decided:
        shown = [each for each in claim.verdicts if each.certificate is not None]
        assert bool(shown) == (claim.claim.epsilon is not None), claim.claim

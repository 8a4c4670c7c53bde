"""The table of audited deployments is the one that the tool writes."""

from __future__ import annotations

import pytest

from tools import audit_table


def test_the_page_shows_what_the_tool_writes(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit_table.main(["--check"]) == 0
    assert capsys.readouterr().out == ""


def test_every_ledger_has_a_row_and_every_row_its_columns() -> None:
    rows = [line.strip("|\n").split(" | ") for line in audit_table.table().splitlines()]
    assert {len(row) for row in rows} == {len(audit_table.TITLES)}
    assert sum("ledgers/" in row[0] for row in rows) == 20

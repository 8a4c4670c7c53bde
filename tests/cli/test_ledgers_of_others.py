"""What others keep is taken where a ledger is: by compose, audit and convert."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import exactdp
from tests.ledger.formats.descriptions import FILTER, LAPLACE, RESPONSE, lines
from tests.ledger.formats.test_recorded import TUMULT


def test_the_commands_take_records_as_they_take_ledgers(place: Path) -> None:
    (place / "session.txt").write_bytes(TUMULT)
    (place / "opendp.jsonl").write_bytes(lines(FILTER, LAPLACE, RESPONSE))
    answer = exactdp("compose", "session.txt", "--delta", "1e-6", "--json")
    assert (answer.code, answer.result["mechanisms"]) == (0, 3)
    audited = exactdp("audit", "opendp.jsonl", "--json")
    assert audited.code == 1  # ln 3 and 1/10 are more than the 1 that the filter promises
    [claim] = audited.result["ledgers"][0]["claims"]
    assert (claim["source"], claim["outcome"]) == ("the budget that is recorded", "refuted")
    (place / "alone.jsonl").write_bytes(lines(LAPLACE))
    refused = exactdp("compose", "alone.jsonl", "--delta", "0")
    assert (refused.code, "add --d-in 1" in refused.err) == (2, True)
    asked = exactdp("compose", "alone.jsonl", "--delta", "0", "--d-in", "3", "--json")
    assert (asked.code, asked.result["epsilon"]["upper"]) == (0, "0.3")
    made = exactdp("convert", "alone.jsonl", "alone.csv", "--d-in", "3")
    assert made.code == 0
    assert (place / "alone.csv").read_text() == (
        "label,epsilon,delta,count\nmake_laplace,0.3,0,1\n"
    )


def test_a_workbook_is_taken_where_a_ledger_is(place: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra xlsx is not installed")
    book = openpyxl.Workbook()
    for row in (
        ["label", "epsilon", "date"],
        ["counts", 0.1, "2026-01-05"],
        ["more", "ln(3)", None],
    ):
        book.active.append(row)
    book.save(place / "spends.xlsx")
    answer = exactdp("compose", "spends.xlsx", "--delta", "0", "--certificates", ".", "--json")
    assert (answer.code, answer.result["mechanisms"]) == (0, 2)
    assert exactdp("verify", "spends.upper.json", "--ledger", "spends.xlsx").code == 0
    assert exactdp("audit", "spends.xlsx").code == 0
    assert exactdp("convert", "spends.xlsx", "spends.json").code == 0
    assert '"notes": "line 2: date 2026-01-05"' in (place / "spends.json").read_text()

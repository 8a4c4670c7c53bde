"""``exactdp filter import``: a log that begins with what another tool recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import exactdp

RECORD = "time,label,rho\n2026-01-05T09:00:00Z,ages,1/100\n2026-01-06T10:00:00Z,income,1/50\n"


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "spends.csv"
    path.write_text(RECORD, encoding="utf-8")
    return str(path)


def test_a_log_begins_with_the_record(record: str, tmp_path: Path) -> None:
    log = str(tmp_path / "log")
    answer = exactdp(
        *("filter", "import", log, record, "--from", "csv", "--budget", "rho=1/2"),
        *("--delta", "1e-6"),
    )
    assert answer.code == 0
    assert "spent     ρ = 0.03 in 2 lines" in answer.lines
    assert any(line.startswith("promise   ε ≤ 5.2215344446") for line in answer.lines)
    assert "spent there       ρ = 0.03" in exactdp("filter", "audit", log).lines


def test_a_record_beyond_the_budget_makes_no_log(record: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    arguments = ("filter", "import", str(log), record, "--from", "csv", "--budget", "rho=1/50")
    answer = exactdp(*arguments)
    assert answer.code == 1
    assert "line 3" in answer.err
    assert not log.exists()


def test_a_log_that_exists_stays_as_it_is(record: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("mine")
    arguments = ("filter", "import", str(log), record, "--from", "csv", "--budget", "rho=1/2")
    assert exactdp(*arguments).code == 2
    assert log.read_text() == "mine"


def test_opendp_s_own_budget_is_taken_unless_another_is_given(tmp_path: Path) -> None:
    measure = {"__function__": "max_divergence", "__kwargs__": {}}
    odometer = {"__function__": "make_odometer", "__kwargs__": {"output_measure": measure}}
    described = {
        "__function__": "make_privacy_filter",
        "__kwargs__": {"odometer": odometer, "d_in": 1, "d_out": 0.75},
    }
    record = tmp_path / "filter.json"
    record.write_text(json.dumps([described]))
    for name, more, budget in (
        ("own", (), {"epsilon": "3/4", "delta": "0"}),
        ("given", ("--budget", "rho=1/2"), {"rho": "1/2", "delta": "0"}),
    ):
        log = str(tmp_path / name)
        answer = exactdp("filter", "import", log, str(record), "--from", "opendp", *more, "--json")
        assert answer.document["result"]["budget"] == budget


def test_a_record_without_end_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log"
    arguments = ("filter", "import", str(log), "/dev/zero", "--from", "csv", "--budget", "rho=1/2")
    assert exactdp(*arguments).code == 2
    assert not log.exists()


def test_a_long_fraction_that_is_left_has_a_decimal_beside_it() -> None:
    exactdp("filter", "init", "a.log", "--budget", "rho=1/5")
    answer = exactdp("filter", "spend", "a.log", "-m", "sigma=20.5", "--label", "week 1")
    assert answer.lines[0].endswith("ρ = 1671/8405 is left.")
    answer = exactdp("filter", "spend", "a.log", "-m", "sigma=200.0003", "--label", "week 2")
    assert answer.lines[0].endswith(" (about 0.198797) is left.")

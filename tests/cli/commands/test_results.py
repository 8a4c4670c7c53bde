"""``exactdp results``: what a store holds, as a table, JSON, CSV or Parquet."""

from __future__ import annotations

import csv
import json
import sqlite3
from pathlib import Path

import jsonschema_rs
import pytest
from pyarrow import parquet

from tests.cli.running import LEDGERS, SCHEMA, exactdp

CENSUS = sorted(str(path) for path in LEDGERS.glob("census_2020_pl94_*.json"))


@pytest.fixture(autouse=True)
def _store(place: Path) -> None:
    """A store with three answers and an error."""
    (place / "silent.json").write_text('{"mechanisms": [], "empty": true}')
    exactdp("compose", *CENSUS, "silent.json", "--store", "kept", "--jobs", "1")


@pytest.mark.slow
def test_a_table_shows_each_input_and_its_interval() -> None:
    answer = exactdp("results", "kept")
    assert answer.code == 0
    assert answer.details[0].split() == [
        "file", "command", "exit_code", "epsilon_lower", "epsilon_upper", "delta", "error",
    ]  # fmt: skip
    assert [line.split()[0] for line in answer.details[1:]] == [*CENSUS, "silent.json"]
    assert answer.details[-1].split()[1:] == ["compose", "2", "bad-input"]


@pytest.mark.slow
def test_the_name_of_a_file_is_shown_whole(place: Path) -> None:
    deep = place / ("a" * 60) / ("b" * 60)
    deep.mkdir(parents=True)
    named = deep / "ledger.json"
    named.write_text('{"mechanisms": [{"epsilon": "1"}]}')
    exactdp("compose", str(named), "--delta", "1e-6", "--store", "other")
    assert exactdp("results", "other").details[-1].split()[0] == str(named)


@pytest.mark.slow
def test_results_are_chosen_by_name_command_and_exit_code() -> None:
    def chosen(*options: str) -> int:
        return len(exactdp("results", "kept", *options, "--json").result["rows"])

    assert chosen() == 4
    assert chosen("--file", "*_units.json") == 2
    assert chosen("--exit-code", "2") == 1
    assert chosen("--command", "audit") == 0
    assert chosen("--command", "compose", "--exit-code", "0") == 3


@pytest.mark.slow
def test_json_conforms_to_the_schema_and_holds_what_was_answered() -> None:
    answer = exactdp("results", "kept", "--sql", "SELECT document FROM result", "--json")
    jsonschema_rs.validator_for(json.loads(SCHEMA.read_text())).validate(answer.document)
    alone = exactdp("compose", CENSUS[0], "--json").result
    assert {"result": alone} in [json.loads(row[0]) for row in answer.result["rows"]]


@pytest.mark.slow
def test_a_question_of_ones_own_may_read_and_nothing_else(place: Path) -> None:
    counted = exactdp("results", "kept", "--sql", "SELECT COUNT(*) AS n FROM result")
    assert counted.details == ["n", "4"]
    for sql in (
        "DELETE FROM answer",
        "ATTACH 'other.db' AS other",
        "nonsense",
        "PRAGMA user_version=1",
    ):
        refused = exactdp("results", "kept", "--sql", sql)
        assert (refused.code, refused.out) == (2, "")
        assert "expected one SELECT" in refused.err
    assert not (place / "other.db").exists()
    assert exactdp("results", "kept", "--sql", "SELECT 1", "--file", "x").code == 2


@pytest.mark.slow
def test_csv_and_parquet_hold_every_column_of_every_result(place: Path) -> None:
    for name in ("all.csv", "all.parquet"):
        assert exactdp("results", "kept", "-o", name).code == 0
    with (place / "all.csv").open() as stream:
        rows = [*csv.DictReader(stream)]
    table = parquet.read_table(place / "all.parquet").to_pylist()
    assert [{key: str(value or "") for key, value in row.items()} for row in table] == [
        {**row, "exit_code": row["exit_code"].replace("0", "")} for row in rows
    ]
    assert len(rows) == 4


@pytest.mark.slow
def test_where_there_is_no_store_nothing_is_made(place: Path) -> None:
    answer = exactdp("results", "nowhere")
    assert answer.code == 2
    assert "a directory with a store of results" in answer.err
    assert not (place / "nowhere").exists()


@pytest.mark.slow
def test_any_program_that_reads_sqlite_can_read_a_store() -> None:
    base = sqlite3.connect("kept/results.sqlite")
    [(lower,)] = base.execute("SELECT epsilon_lower FROM result WHERE file LIKE '%_pr_units.json'")
    base.close()
    alone = exactdp("compose", CENSUS[0], "--json").result
    assert lower == alone["epsilon"]["lower"]

"""``exactdp convert``: ledgers between JSON and CSV."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import GOOGLE, LEDGERS, exactdp, files_below
from tests.marking import each_case

CSV = "label,epsilon,delta,count\n,0.1,1e-9,3\n"


def test_csv_becomes_json_on_standard_output() -> None:
    answer = exactdp("convert", "-", "--to", "json", stdin=CSV.encode())
    assert (answer.code, answer.err) == (0, "")
    assert json.loads(answer.out)["mechanisms"] == [{"epsilon": "0.1", "delta": "1e-9", "count": 3}]


def test_mechanisms_on_the_command_line_become_a_ledger(place: Path) -> None:
    assert exactdp("convert", "-m", "0.1,1e-9*3", "--to", "csv").out == CSV
    assert exactdp("convert", "-m", "0.1,1e-9*3", "made.csv").out == (
        "A ledger of 3 mechanisms was written to made.csv as csv.\n"
    )
    assert files_below(place) == {"made.csv": CSV.encode()}


def test_a_dash_for_the_file_is_standard_output(place: Path) -> None:
    assert exactdp("convert", "-", "-", "--to", "csv", stdin=CSV.encode()).out == CSV
    assert files_below(place) == {}


def test_what_csv_cannot_hold_is_said() -> None:
    answer = exactdp("convert", GOOGLE, "out.csv")
    assert answer.code == 0
    assert answer.err.startswith("exactdp: CSV cannot hold name, unit_of_privacy, ")
    assert answer.err.endswith("; left out\n")
    result = exactdp("convert", GOOGLE, "out.csv", "--json").result
    assert result["dropped"][0] == "name"
    assert (result["output"], result["text"], result["mechanisms"]) == ("out.csv", None, 18)


@each_case("path", sorted(LEDGERS.glob("*.json")))
def test_the_deployments_are_written_as_exactdp_writes_them(path: Path) -> None:
    text = exactdp("convert", str(path), "--to", "json").out
    assert exactdp("convert", "-", "--to", "json", stdin=text.encode()).out == text


def test_a_ledger_may_be_converted_onto_itself_by_force(place: Path) -> None:
    (place / "a.csv").write_text("epsilon\n0.1\n")
    assert exactdp("convert", "a.csv", "a.csv").code == 2
    assert exactdp("convert", "a.csv", "a.csv", "--force").code == 0
    assert files_below(place) == {"a.csv": b"label,epsilon,delta,count\n,0.1,0,1\n"}

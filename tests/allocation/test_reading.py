"""Statistics from files: JSON and CSV say the same, and every mistake has its place."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from types import SimpleNamespace

import jsonschema_rs
import pytest
from gmpy2 import mpq

from exactdp.allocation.reading import (
    FORMAT,
    read_statistics,
    schema,
    statistics_of_csv,
    statistics_of_json,
)
from exactdp.errors import InputError
from tests.marking import each_case

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "statistics"


def test_the_published_schema_is_one() -> None:
    assert jsonschema_rs.meta.is_valid(schema())
    assert schema()["title"] == FORMAT


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_the_examples_conform_to_the_schema_and_can_be_read(path: Path) -> None:
    jsonschema_rs.validate(schema(), json.loads(path.read_text(encoding="utf-8")))
    assert read_statistics(path).statistics


def test_a_table_says_what_an_object_says() -> None:
    table = (
        b"name,noise,sensitivity,count,delta,weight,epsilon,scale,expected,within,confidence\n"
        b"a,,2,3,,,,8.5,,,\n"
        b"b,gaussian,,,1e-9,1/2,,,,7,0.9\n"
        b'"c, d",discrete_laplace,,,,,0.1,,5,,\n'
    )
    entries = [
        {"name": "a", "sensitivity": 2, "count": 3, "scale": 8.5},
        {"name": "b", "noise": "gaussian", "delta": 1e-9, "weight": "1/2", "within": 7}
        | {"confidence": 0.9},
        {"name": "c, d", "noise": "discrete_laplace", "epsilon": 0.1, "expected": 5},
    ]
    told = statistics_of_json(json.dumps({"statistics": entries}).encode())
    assert statistics_of_csv(table).statistics == told.statistics
    assert told.statistics[1].target is not None
    assert told.statistics[1].target.confidence == mpq(9, 10)


def test_a_file_names_a_budget_with_several_deltas() -> None:
    data = {"epsilon": "ln(3)", "delta": [1e-6, "1/1000"], "confidence": 0.9}
    entries = [{"name": "a", "within": 9}]
    told = statistics_of_json(json.dumps({**data, "statistics": entries}).encode())
    assert str(told.epsilon) == "ln(3)"
    assert told.deltas == (mpq(1, 10**6), mpq(1, 1000))
    target = told.statistics[0].target
    assert target is not None
    assert target.confidence == told.confidence == mpq(9, 10)


@each_case(
    ("text", "words"),
    [
        ("[]", "statistics at $: an array of 0 entries: expected statistics that share"),
        ("{}", "statistics at $: nothing: expected a list of 1 to 1000 statistics"),
        ('{"statistics": []}', "at $.statistics: an array of 0 entries: expected a list of 1"),
        ('{"statistics": [{}]}', "name at $.statistics[0]: nothing: expected what it is called"),
        ('{"statistics": [{"name": "a", "wieght": 1}]}', "did you mean weight?"),
        ('{"statistics": [{"name": "a", "weight": "x"}]}', "weight at $.statistics[0].weight: x"),
        ('{"statistics": [{"name": "a", "weight": 1e999999999}]}', "at most 65536 bits"),
        ('{"statistics": [{"name": "a", "count": 1.5}]}', "a whole number from 1 to 10^18"),
        ('{"statistics": [{"name": "a", "noise": "cauchy"}]}', "laplace (default)"),
        ('{"statistics": [{"name": "a", "noise": "gaussian", "epsilon": 1}]}', "a δ of its own"),
        ('{"statistics": [{"name": "a", "scale": 0}]}', "scale at $.statistics[0].scale: 0"),
        ('{"statistics": [{"name": "a", "within": 1, "expected": 1}]}', "one target"),
        ('{"statistics": [{"name": "a", "confidence": 0.9}]}', "the key within beside it"),
        ('{"statistics": [{"name": "a"}, {"name": "a"}]}', "a name that no other statistic has"),
        ('{"epsilon": -1, "statistics": [{"name": "a"}]}', "epsilon at $.epsilon: -1"),
        ('{"delta": [2], "statistics": [{"name": "a"}]}', "delta at $.delta: 2"),
        ('{"delta": [], "statistics": [{"name": "a"}]}', "δ of the budget, or a list"),
        ('{"confidence": 2, "statistics": [{"name": "a"}]}', "confidence at $.confidence: 2"),
        ('{"statistics": [{"name": "a", "name": "b"}]}', "name"),
        ('{"statistics": [{"name": "a"}]} x', "nothing after it"),
        ("[" * 100_000, "hundreds deep"),
    ],
)
def test_a_mistake_in_json_has_its_place(text: str, words: str) -> None:
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        statistics_of_json(text.encode())
    assert "ledger" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a first line that names the columns"),
        ("noise\nlaplace\n", "a first line that names the columns"),
        ("name,wieght\na,1\n", "did you mean weight?"),
        ("name,name\na,b\n", "a column that stands twice"),
        ("name,weight\na\n", "row at x.csv, line 2: 1 cells: expected 2 cells"),
        ("name,weight\na,-1\n", "weight at x.csv, line 2, column weight: -1"),
        ("name,weight\n,1\n", "name at x.csv, line 2, column name"),
        ('name\n"a\n', "cells quoted as in RFC 4180"),
        ("name\na\na\n", "a name that no other statistic has"),
        ("name\n", "1 to 1000 statistics"),
    ],
)
def test_a_mistake_in_a_table_has_its_place(text: str, words: str) -> None:
    with pytest.raises(InputError, match=re.escape(words)):
        statistics_of_csv(text.encode(), "x.csv")


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a file that can be read"):
        read_statistics(tmp_path / "missing.json")
    with pytest.raises(InputError, match="not a file name"):
        read_statistics("\0")
    large = tmp_path / "large.json"
    large.write_bytes(b" " * (2**20 + 1))
    with pytest.raises(InputError, match="at most 1048576 bytes"):
        read_statistics(large)


def test_standard_input_is_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = SimpleNamespace(buffer=io.BytesIO(b"name\na\n"))
    monkeypatch.setattr("sys.stdin", stream)
    assert read_statistics("-").statistics[0].name == "a"

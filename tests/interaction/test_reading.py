from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import given

from exactdp.errors import InputError
from exactdp.interaction.mechanism import InteractiveMechanism
from exactdp.interaction.reading import (
    mechanism_of_json,
    mechanism_to_json,
    read_mechanism,
    schema,
)
from tests.interaction.trees import mechanisms
from tests.marking import each_case

GOOD = b'{"queries": {"a": {"x": {"p": 0.75, "q": "1/4"}, "y": {"p": "1/4", "q": 0.75}}}}'


def test_the_schema_is_a_schema() -> None:
    assert jsonschema_rs.meta.is_valid(schema())


@given(mechanisms(answers=3))
def test_writing_and_reading_change_nothing(mechanism: InteractiveMechanism) -> None:
    text = mechanism_to_json(mechanism)
    assert jsonschema_rs.is_valid(schema(), json.loads(text))
    assert mechanism_of_json(text.encode()) == mechanism


def test_a_file_or_standard_input_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m.json").write_bytes(GOOD)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD)))
    assert read_mechanism(tmp_path / "m.json") == read_mechanism("-") == mechanism_of_json(GOOD)


def answer(text: str) -> bytes:
    return f'{{"queries": {{"a": {{"x": {text}}}}}}}'.encode()


@each_case(
    ("data", "words"),
    [
        (b"", "an empty file"),
        (b"[]", "a JSON object with the key queries"),
        (b"{}", "the key queries"),
        (b'{"queries": 3}', "an object that has the answers for each query"),
        (b'{"queries": {}, "x": 1}', "no key x"),
        (b'{"queries": {}, "format": "exactdp-ledger/1"}', "exactdp-interactive/1"),
        (b'{"queries": {}, "queries": {}}', "a key that stands twice"),
        (b'{"queries": {"a": {}}}', "an object of answers"),
        (answer('{"p": 1}'), r"\$\.queries\.a\.x: an object of 1 keys: expected the key q"),
        (answer('{"p": 1, "q": true}'), r"\$\.queries\.a\.x\.q: true"),
        (answer('{"p": 1, "q": 1, "then": {}}'), "no key then"),
        (answer('{"p": 1, "q": "ln(2)"}'), r"\$\.queries\.a\.x\.q: ln\(2\): expected a rational"),
        (answer('{"p": 1, "q": NaN}'), "NaN"),
        (answer('{"p": 0.5, "q": 1}'), r"\$\.queries\.a: probabilities that sum to 1/2"),
        (b'{"queries": ' + b'{"a":' * 250 + b"1" + b"}" * 251, "at most 64 rounds"),
        (b'{"queries": ' + b'{"a":' * 10**5, "deep"),
        (b"\xff", "UTF-8"),
    ],
)
def test_what_is_no_mechanism_is_refused_where_it_stands(data: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        mechanism_of_json(data)
    assert caught.value.field != "ledger"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a file that can be read"):
        read_mechanism(tmp_path / "none.json")
    with pytest.raises(InputError, match="a file that can be read"):
        read_mechanism("\0")


def test_a_file_without_end_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "long.json").open("wb") as stream:
        stream.truncate(2**24 + 1)
    with pytest.raises(InputError, match="at most 16777216 bytes"):
        read_mechanism(tmp_path / "long.json")

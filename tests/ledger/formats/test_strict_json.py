"""Strict JSON: texts of numbers are kept, and what is not strict is refused at its place."""

from __future__ import annotations

import re

import pytest

from exactdp.errors import InputError
from exactdp.ledger.formats.strict_json import json_path, parse
from tests.marking import each_case


@pytest.mark.parametrize(
    "text", ["0.1", "0.10", "1e-9", "1E+3", "-0.0", "3", "9" * 5000, "1e999999999", "NaN"]
)
def test_a_number_keeps_its_text(text: str) -> None:
    document = parse(f'{{"a": {text}}}'.encode())
    assert document.text_of(document.tree["a"]) == text


@pytest.mark.parametrize("text", ["1.0", "1e3", "9" * 19, "NaN", "-Infinity"])
def test_what_is_not_a_plain_integer_is_none_for_the_schema(text: str) -> None:
    value = parse(f"[{text}]".encode()).tree[0]
    assert isinstance(value, float)
    assert not value.is_integer()


REFUSED = [
    (b'{"a": 1, "a": 2}', "duplicate-key", "a", "$.a"),
    (b'{"a": [{}, {"b": 1, "b": 1}]}', "duplicate-key", "b", "$.a[1].b"),
    (b'{"\\u001b[31m": 1, "\\u001b[31m": 1}', "duplicate-key", r"\x1b[31m", r"$['\x1b[31m']"),
    (b'{"a": {"b": 1, "b": 1}, "a": 1}', "duplicate-key", "b", "$.b"),
    (b'\xef\xbb\xbf{"a": 1}', "bad-encoding", "ledger", "byte 0"),
    ('{"a": 1}'.encode("utf-16"), "bad-encoding", "ledger", "byte 0"),
    ('{"a": 1}'.encode("utf-16-be"), "bad-encoding", "ledger", "byte 0"),
    ('{"a": 1}'.encode("utf-32-le"), "bad-encoding", "ledger", "byte 0"),
    (b'{"a": "\xff"}', "bad-encoding", "ledger", "byte 7"),
    (b'{"a": "\xed\xa0\x80"}', "bad-encoding", "ledger", "byte 7"),
    (b"", "bad-json", "ledger", "line 1, column 1"),
    (b'{"a": 1,}', "bad-json", "ledger", "line 1, column 9"),
    (b'{\n "a": .5}', "bad-json", "ledger", "line 2, column 7"),
    (b'{"a": 007}', "bad-json", "ledger", "line 1, column 8"),
    (b'{"a": +1}', "bad-json", "ledger", "line 1, column 7"),
    (b'{"a": 1/2}', "bad-json", "ledger", "line 1, column 8"),
    (b"{'a': 1}", "bad-json", "ledger", "line 1, column 2"),
    (b'{"a": 1} {', "bad-json", "ledger", "line 1, column 10"),
    (b'{"a": "x\ny"}', "bad-json", "ledger", "line 1, column 9"),
    (b'{"a": "x', "bad-json", "ledger", "line 1, column 7"),
    (b'{"a": 1} // comment', "bad-json", "ledger", "line 1, column 10"),
    (b'{"a":' * 100_000, "too-deep", "ledger", "$"),
    (b"[" * 100_000, "too-deep", "ledger", "$"),
]


@each_case(("data", "code", "field", "path"), REFUSED)
def test_what_is_not_strict_is_refused_at_its_place(
    data: bytes, code: str, field: str, path: str
) -> None:
    with pytest.raises(InputError, match=f" at {re.escape(path)}: ") as caught:
        parse(data)
    error = caught.value
    assert (error.code, error.field, error.path) == (code, field, path)


@pytest.mark.parametrize(
    ("data", "remedy"),
    [
        (b'{"a": 1,}', "no comma stands before }"),
        (b'{"a": [1,]}', "no comma stands before ]"),
        (b'{"a": 1/2}', "1/10 or ln(3) stand in double quotes"),
        (b'{"a": 1}{', "one JSON object and nothing after it"),
        (b'\xef\xbb\xbf{"a": 1}', "UTF-8 without BOM"),
    ],
)
def test_common_slips_come_with_their_cure(data: bytes, remedy: str) -> None:
    with pytest.raises(InputError, match=re.escape(remedy)) as caught:
        parse(data)
    assert remedy in caught.value.remedy


def test_a_hostile_key_is_escaped_in_a_path() -> None:
    assert json_path(["a b", 0, "\x1b"]) == r"$['a b'][0]['\x1b']"

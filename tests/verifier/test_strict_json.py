from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.verifier.format.outcomes import MalformedError
from exactdp.verifier.format.strict_json import (
    MAX_BYTES,
    Numeral,
    canonical_bytes,
    read,
    read_canonical,
)
from tests.marking import each_case

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
values = st.recursive(
    texts,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("abcXYZ09-_", max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(values)
def test_canonical_bytes_read_back(value: object) -> None:
    data = canonical_bytes(value)  # type: ignore[arg-type]  # Hypothesis infers too wide a type
    assert read_canonical(data) == value
    assert json.loads(data) == value


def test_numbers_stay_the_text_that_stood_there() -> None:
    assert read(b"[1, -0, 1.50, 1e400, 12345678901234567890]") == [
        Numeral(text) for text in ("1", "-0", "1.50", "1e400", "12345678901234567890")
    ]
    digits = "7" * 100_000
    assert read(digits.encode()) == Numeral(digits)


@each_case(
    ("data", "clause"),
    [
        (b"", "not JSON"),
        (b"\xef\xbb\xbf[]", "byte-order mark"),
        (b"\xff\xfe[\0]\0", "not UTF-8: byte 0"),
        (b'"\xed\xa0\x80"', "not UTF-8"),
        (b'"\xc0\x80"', "not UTF-8"),
        (b"[]\0", "Extra data"),
        (b"[][]", "Extra data"),
        (b"[1,]", "not JSON"),
        (b"{'a':1}", "not JSON"),
        (b"// x\n[]", "not JSON"),
        (b'["\x01"]', "Invalid control character"),
        (b"[01]", "not JSON"),
        (b"[+1]", "not JSON"),
        (b"[.5]", "not JSON"),
        (b"[0x1]", "not JSON"),
        (b"[NaN]", "NaN"),
        (b"[-Infinity]", "-Infinity"),
        (b"[true]", "a JSON literal true"),
        (b"[false]", "a JSON literal false"),
        (b"[null]", "a JSON literal null"),
        (b'{"a":"1","a":"1"}', "duplicate key"),
        (b'{"a":"1","\\u0061":"1"}', "duplicate key"),
        (b'["\\ud800"]', "lone surrogate"),
        (b'{"\\udc00":""}', "lone surrogate"),
        (b"[" * 17 + b"]" * 17, "nested deeper"),
        (b'{"a":' * 17 + b'""' + b"}" * 17, "nested deeper"),
    ],
)
def test_whatever_has_no_single_reading_is_malformed(data: bytes, clause: str) -> None:
    with pytest.raises(MalformedError, match=clause):
        read(data)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * MAX_BYTES,
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b" " * MAX_BYTES,
        b"9" * (MAX_BYTES + 1),
    ],
    ids=["16 MiB of brackets", "brackets", "objects", "16 MiB of spaces", "above 16 MiB"],
)
def test_hostile_bytes_are_malformed_quickly(data: bytes) -> None:
    with pytest.raises(MalformedError, match=r"nested deeper|not JSON|more than \d+ bytes"):
        read(data)


def test_sixteen_levels_are_allowed() -> None:
    assert read_canonical(b"[" * 16 + b"]" * 16)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b'{"b":"","a":""}', 2),
        (b'["a", "b"]', 5),
        (b"[] ", 2),
        (b"[]\n", 2),
        (b'["\\u0041"]', 2),
        (b'["\\/"]', 2),
        (b'["\\u001F"]', 7),
    ],
)
def test_other_writings_of_a_value_are_not_canonical(data: bytes, place: int) -> None:
    with pytest.raises(MalformedError, match=f"not canonical JSON: byte {place}$"):
        read_canonical(data)


def test_a_number_is_not_canonical() -> None:
    with pytest.raises(MalformedError, match="a JSON number: 1e5"):
        read_canonical(b"[1e5]")


def test_control_characters_are_written_as_rfc_8785_says() -> None:
    assert (
        canonical_bytes(['\b\t\n\f\r\x1f\x7f"\\/é'])
        == '["\\b\\t\\n\\f\\r\\u001f\x7f\\"\\\\/é"]'.encode()
    )

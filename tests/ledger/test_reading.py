"""Reading: sources of every kind, recognition of formats, and files that cannot be read."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from exactdp.errors import InputError
from exactdp.ledger import Ledger, read_ledger, reading

JSON = b'{"mechanisms": [{"epsilon": "0.1", "count": 3}]}'
CSV = b"epsilon,count\n0.1,3\n"
LEDGER = Ledger.of([("0.1", 0, 3)])


class _StandardInput:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("data", [JSON, CSV, b" \r\n\t" + JSON, b"\n\n" + CSV])
def test_the_format_is_recognised_by_content(data: bytes) -> None:
    assert read_ledger(data) == LEDGER


@pytest.mark.parametrize("name", ["a.json", "a.csv", "a"])
@pytest.mark.parametrize("data", [JSON, CSV])
def test_the_name_of_a_file_does_not_decide(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert read_ledger(tmp_path / name) == read_ledger(str(tmp_path / name)) == LEDGER


@pytest.mark.parametrize("source", [io.BytesIO(JSON), io.StringIO(JSON.decode()), bytearray(CSV)])
def test_open_files_and_buffers_are_read(source: Any) -> None:  # noqa: ANN401
    assert read_ledger(source) == LEDGER


def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", _StandardInput(CSV))
    assert read_ledger("-") == LEDGER


def test_an_error_in_a_csv_file_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"epsilon\nx\n")
    with pytest.raises(InputError, match="line 2, column epsilon") as caught:
        read_ledger(path)
    assert caught.value.path.endswith(", line 2, column epsilon")


@pytest.mark.parametrize("data", [b"", b" \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="empty") as caught:
        read_ledger(data)
    assert caught.value.field == "ledger"


def test_a_file_called_json_that_is_neither_is_told_how_json_begins(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("0.1, 0.2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a JSON ledger begins with \{"):
        read_ledger(path)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("no-such-file.json", "a file that exists"),
        ('{"mechanisms": []}', "passed as bytes"),
        ("a\0b", "a file that can be read"),
        ("x" * 5000, "a file that can be read"),
        (".", "not a directory"),
    ],
)
def test_a_path_that_cannot_be_read_is_an_input_error(source: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_ledger(source)
    assert (caught.value.field, caught.value.code) == ("ledger", "unreadable")


def test_a_file_without_permission_is_an_input_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    path = tmp_path / "a.json"
    path.write_bytes(JSON)
    monkeypatch.setattr(reading, "open_file", refuse)
    with pytest.raises(InputError, match="check its permissions"):
        read_ledger(path)


def test_a_stream_that_fails_is_an_input_error() -> None:
    stream = io.BytesIO(JSON)
    stream.close()
    with pytest.raises(InputError, match="a stream that can be read"):
        read_ledger(stream)


@pytest.mark.parametrize("source", [None, 3.0, LEDGER])
def test_what_is_no_source_is_an_input_error(source: Any) -> None:  # noqa: ANN401
    with pytest.raises(InputError, match="a path, bytes, an open file"):
        read_ledger(source)


def test_a_large_file_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    with path.open("wb") as stream:
        stream.truncate(reading.MAX_BYTES + 1)  # a sparse file
    monkeypatch.setattr(Path, "open", None)
    with pytest.raises(InputError, match="at most 256 MiB") as caught:
        read_ledger(path)
    assert caught.value.code == "too-large"


@pytest.mark.parametrize("wrap", [bytes, io.BytesIO])
def test_large_content_is_refused_as_well(
    wrap: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", len(JSON) - 1)
    with pytest.raises(InputError, match="expected at most 0 MiB") as caught:
        read_ledger(wrap(JSON))
    assert caught.value.code == "too-large"


def test_the_schema_library_is_loaded_only_for_json() -> None:
    program = (
        "import sys; from exactdp.ledger import parse_inline, read_ledger;"
        "parse_inline('0.1'); read_ledger(b'epsilon\\n1\\n');"
        "assert 'jsonschema_rs' not in sys.modules;"
        "read_ledger(b'{\"mechanisms\": []}');"
        "assert 'jsonschema_rs' in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["json", "csv"])
def test_a_hundred_thousand_mechanisms_are_read(form: str) -> None:
    rows = 10**5
    if form == "json":
        entries = (f'{{"epsilon":0.{n % 100:02},"delta":1e-9,"label":"{n}"}}' for n in range(rows))
        data = '{"mechanisms":[' + ",".join(entries) + "]}"
    else:
        data = "epsilon,delta,label\n" + "".join(f"0.{n % 100:02},1e-9,{n}\n" for n in range(rows))
    assert read_ledger(data.encode()).size == rows

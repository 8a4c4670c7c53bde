"""No character of a file that steers a terminal stands raw in what is said of it."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from exactdp.verifier.__main__ import main as verifier
from tests.cli.running import exactdp

CERTIFICATES: Final = Path(__file__).parents[2] / "certs" / "accept"
CERTIFICATE: Final = CERTIFICATES / "cases-one-leaf-upper.json"
CONTROLS: Final = (
    *("\x1b[2J", "\x1b]0;x\x07", "\x9b2J", "\x85", "\x00", "\x08", "\x7f", "\r", "\n", "\t"),
    *("\u202e", "\u2066", "\u200f", "\u2028", "\u2029", "\ufeff", "\ud800", "\U000e0041"),
)
LINE: Final = "\ncert.json  ACCEPTED"
"""What somebody would like to see on a line of its own."""
LEDGER: Final = {
    "format": "exactdp-ledger/1",
    "name": "n",
    "unit_of_privacy": "person",
    "neighbouring": "add-remove-one",
    "interaction": "noninteractive",
    "target_delta": "1e-6",
    "source": {"kept": "by hand"},
    "notes": "none",
    "mechanisms": [
        {"label": "a", "epsilon": "0.1", "delta": "0", "count": "2"},
        {"label": "b", "laplace": {"scale": "2", "sensitivity": "1"}, "rate": "1/2"},
    ],
    "claims": [{"epsilon": "1", "delta": "1e-6", "basis": "composition", "source": "x"}],
}
EACH: Final = [
    pytest.param(control, marks=[pytest.mark.slow] * (place > 0), id=ascii(control))
    for place, control in enumerate(("\x9b2J", LINE, *CONTROLS))
]
Path_ = tuple[str | int, ...]


def strings(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, bool]]:  # noqa: ANN401 (JSON)
    """Every place of a text in a tree of JSON, and of every key."""
    if isinstance(value, str):
        yield path, False
    elif isinstance(value, dict):
        for key, each in value.items():
            yield (*path, key), True
            yield from strings(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from strings(each, (*path, index))


def changed(document: Any, path: Path_, is_key: bool, change: Callable[[str], str]) -> Any:  # noqa: ANN401 (JSON)
    copy = json.loads(json.dumps(document))
    at = copy
    for step in path[:-1]:
        at = at[step]
    last = path[-1]
    if is_key:
        at[change(str(last))] = at.pop(last)
    else:
        at[last] = change(at[last])
    return copy


def written(document: Any) -> Iterator[bytes]:  # noqa: ANN401 (JSON)
    """A document with characters escaped, and with characters as they are, as far as JSON lets."""
    for is_ascii in (True, False):
        text = json.dumps(
            document, ensure_ascii=is_ascii, separators=(",", ":"), sort_keys=is_ascii
        )
        yield text.encode("utf-8", "surrogatepass")


def assert_nothing_raw(said: str) -> None:
    raw = [letter for letter in said if letter != "\n" and not letter.isprintable()]
    assert not raw, (raw, said)
    assert LINE not in said


def said_by_the_verifier(*arguments: str) -> str:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        verifier(arguments)
    out.seek(0)
    return out.read()


@pytest.mark.slow
@pytest.mark.parametrize("control", EACH)
def test_no_text_of_a_certificate_is_said_raw_by_the_verifier(place: Path, control: str) -> None:
    document = json.loads(CERTIFICATE.read_bytes())
    seen = set()
    for number, (path, is_key) in enumerate(strings(document)):
        data = [*written(changed(document, path, is_key, control.__add__))][number % 2]
        file = place / "c.json"
        file.write_bytes(data)
        said = said_by_the_verifier(str(file))
        assert_nothing_raw(said)
        assert_nothing_raw(said_by_the_verifier("--json", str(file)))
        seen.add(said.partition(" ")[0])
    assert seen <= {"MALFORMED", "REJECTED"}


@pytest.mark.slow
@pytest.mark.parametrize("control", ["\x9b2J", LINE], ids=ascii)
def test_no_text_of_a_certificate_is_said_raw_by_any_command(place: Path, control: str) -> None:
    document = json.loads(CERTIFICATE.read_bytes())
    for path, is_key in strings(document):
        data = next(written(changed(document, path, is_key, control.__add__)))
        (place / "c.json").write_bytes(data)
        for command in (
            ("verify", "c.json"),
            ("verify", "c.json", "--json"),
            ("explain", "c.json"),
        ):
            answer = exactdp(*command)
            assert answer.code in (1, 2)
            assert_nothing_raw(answer.out + answer.err)


@pytest.mark.parametrize("control", EACH)
def test_no_text_of_a_ledger_is_said_raw_by_any_command(place: Path, control: str) -> None:
    for number, (path, is_key) in enumerate(strings(LEDGER)):
        data = [*written(changed(LEDGER, path, is_key, control.__add__))][number % 2]
        (place / "l.json").write_bytes(data)
        for command in (("audit", "l.json"), ("convert", "l.json", "--to", "csv")):
            answer = exactdp(*command)
            assert_nothing_raw(answer.out + answer.err)
        assert_nothing_raw(said_by_the_verifier(str(CERTIFICATE), "--ledger", "l.json"))

"""What is nested deep is refused in a sentence, whatever reads it: a law over readers."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.cli.running import exactdp
from tests.marking import slow_after

ARRAY = ("[", "1", "]")
OBJECT = ('{"a":', "1", "}")
DEPTHS = (200, 700, 3000)
WHOLES = (
    "{}",
    '{{"mechanisms": [{{"epsilon": {}}}]}}',
    '{{"mechanisms": [{{"epsilon": 1}}], "claims": {}}}',
    '{{"domain": {{"a": {{"values": {}}}}}, "queries": []}}',
    '{{"domain": {{"a": {{"size": 3}}}}, "queries": [{{"epsilon": 1, "where": {{"a": {}}}}}]}}',
    '{{"queries": {}}}',
    '{{"statement": {}}}',
    '{{"events": {}}}',
    '{{"payloadType": "x", "payload": {}}}',
    '{{"digest": "x", "number": {}}}',
)
READERS = (
    ("compose", "deep.json", "--delta", "1e-6"),
    ("compose", "deep.json", "--from", "dp-accounting", "--delta", "1e-6"),
    ("compose", "deep.json", "--from", "opendp", "--delta", "1e-6"),
    ("compose", "deep.json", "--from", "tumult", "--delta", "1e-6"),
    ("audit", "deep.json"),
    ("gate", "."),
    ("verify", "deep.json"),
    ("verify", "deep.json", "--ledger", "deep.json"),
    ("explain", "deep.json"),
    ("parallel", "deep.json"),
    ("parallel", "log.sql", "--domain", "deep.json", "--each", "1"),
    ("interactive", "deep.json", "--delta", "1e-6"),
    ("budget", "--allocate", "deep.json", "--epsilon", "1", "--delta", "1e-6"),
    ("filter", "status", "deep.json"),
    ("filter", "audit", "deep.json"),
    ("filter", "import", "new.log", "deep.json", "--from", "tumult", "--budget", "rho=1"),
    ("filter", "import", "new.log", "deep.json", "--from", "opendp", "--budget", "rho=1"),
    ("attest", "deep.json", "--ledger", "deep.json", "--key", "deep.json", "-o", "made"),
    ("verify", "deep.json", "--attestation", "deep.json", "--public-key", "key.pem"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.sql").write_text("SELECT COUNT(*) FROM t WHERE a = 1")
    (tmp_path / "exactdp.toml").write_text('[[requirement]]\nledgers = ["*.json"]\n')
    return tmp_path


@pytest.mark.parametrize("reader", slow_after(6, READERS), ids=" ".join)
def test_what_is_nested_deep_is_no_bug_of_ours(reader: tuple[str, ...], folder: Path) -> None:
    shapes = [*product(WHOLES, (ARRAY,), DEPTHS), *product(WHOLES[:2], (OBJECT,), DEPTHS)]
    for whole, (opening, inner, closing), depth in shapes:
        nested = whole.format(opening * depth + inner + closing * depth)
        (folder / "deep.json").write_text(nested)
        answer = exactdp(*reader)
        assert "Traceback" not in answer.err
        assert answer.code in (1, 2, 3), (whole, opening, depth, answer.err)

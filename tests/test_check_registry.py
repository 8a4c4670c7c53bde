"""``tools/check_registry.py``: which entries of a copy of the registry can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ledger.formats.test_deployments_registry import ENTRY, entry_of
from tools.check_registry import main


def test_each_refused_entry_is_named_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    (tmp_path / "good.yaml").write_text(entry_of(ENTRY, "Pure DP"))
    (tmp_path / "other.yaml").write_text(ENTRY.replace("VARIANT", "Renyi DP"))
    (tmp_path / "none.yaml").write_text(ENTRY.replace("variant_name", "variant"))
    assert main([str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "none.yaml",
        "other.yaml",
        "1 of 3 entries read",
    ]
    assert "deployment.dp_variant.variant_name" in lines[0]


def test_a_registry_of_which_nothing_can_be_read_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("yaml", reason="PyYAML is an extra")
    (tmp_path / "new.yaml").write_text("release: {}\n")
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.endswith("0 of 1 entries read\n")

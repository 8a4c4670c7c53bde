"""What the page for programmers says of many ledgers: measurements agree, and the examples run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cli.running import LEDGERS, exactdp
from tools.tables import DOCS, RESULTS

TEXT: Final = (DOCS / "scripting.md").read_text(encoding="utf-8")
FOUND: Final[dict[str, Any]] = json.loads(RESULTS.read_text(encoding="utf-8"))
EXAMPLES: Final = re.findall(r"```python\n(import sqlite3\n.*?)```", TEXT, re.DOTALL)


def test_what_was_measured_agrees_in_every_byte() -> None:
    assert len({each["digest"] for each in FOUND["ways"]}) == 1
    assert len({each["digest_of_certificates"] for each in FOUND["certified"]}) == 1
    assert all(each["same"] for each in FOUND["split"])
    assert FOUND["killed"]["killed"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=["pandas and duckdb"])
def test_an_example_reads_a_store_and_its_parquet(example: str, place: Path) -> None:
    assert exactdp("compose", str(LEDGERS), "--jobs", "1", "--store", "DIR").code in (0, 2)
    assert exactdp("results", "DIR", "-o", "results.parquet").code == 0
    names: dict[str, Any] = {}
    exec(compile(example, str(place / "example.py"), "exec"), names)  # noqa: S102 (our own page)
    kept = json.loads(exactdp("results", "DIR", "--json").out)["result"]
    assert len(names["frame"]) == len(kept["rows"]) > 10
    rows = names["worst"].fetchall()
    values = [float(epsilon) for _, epsilon in rows if epsilon is not None]
    assert len(rows) == 10
    assert values == sorted(values, reverse=True)

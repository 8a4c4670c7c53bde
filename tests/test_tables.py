"""The tables of the documentation are those that the tool writes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

from exactdp import read_ledger
from exactdp.claims.verdicts import audit
from exactdp.composition.closed_forms.table import CLOSED_FORMS
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.mechanisms.entries import KEYS
from tools import declared_schemas
from tools.declared_schemas import SCHEMAS
from tools.tables import (
    BESIDE_LEDGERS,
    DOCS,
    RESULTS,
    deployments,
    main,
    modelled,
    refreshed,
    registry,
    tables,
)

ROOT: Final = Path(__file__).resolve().parents[1]
MARK: Final = re.compile(r"<!-- ([\w ]+), written by tools/tables\.py -->")


@pytest.mark.slow
def test_every_page_shows_the_tables_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert (main(["--check"]), capsys.readouterr().out) == (0, "")


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_a_schema_has_the_keys_as_they_are_declared(path: Path) -> None:
    assert declared_schemas.refreshed(path) == path.read_text(encoding="utf-8")


def test_every_table_stands_on_one_page() -> None:
    pages = (*DOCS.glob("*.md"), *BESIDE_LEDGERS)
    shown = [name for page in pages for name in MARK.findall(page.read_text("utf-8"))]
    assert sorted(shown) == sorted(tables({}))


def test_a_stale_table_is_found_out() -> None:
    page = (DOCS / "bounds.md").read_text("utf-8")
    stale = page.replace("| `sum` |", "| `product` |")
    assert stale != page
    assert refreshed(stale) == page


def test_a_difference_between_measured_bytes_would_be_told() -> None:
    other = json.loads(RESULTS.read_text("utf-8"))
    other["ways"][0]["digest"] = "another"
    assert "THEY DIFFER" in refreshed((DOCS / "scripting.md").read_text("utf-8"), other)


def test_every_closed_form_every_key_and_every_ledger_has_one_row() -> None:
    bounds, ledgers = ((DOCS / name).read_text("utf-8") for name in ("bounds.md", "ledgers.md"))
    assert all(bounds.count(f"| `{rule}` |") == 1 for rule in CLOSED_FORMS)
    assert all(ledgers.count(f"| `{name}` | `{{") == 1 for name in KEYS)
    rows = "\n".join(deployments())
    files = [path.name for path in (ROOT / "ledgers").glob("*.json")]
    assert len(files) == 20
    assert all(rows.count(f"]({name})") == 1 for name in files)
    for folder, table, base in (
        ("modelled", modelled, "modelled/"),
        ("registry", registry, ""),
    ):
        rows = "\n".join(table())
        files = [path.name for path in (ROOT / "ledgers" / folder).glob("*.json")]
        assert all(rows.count(f"]({base}{name})") == 1 for name in files)


def test_every_published_training_has_one_row() -> None:
    page = (ROOT / "ledgers" / "training" / "README.md").read_text("utf-8")
    files = [path.name for path in (ROOT / "ledgers" / "training").glob("*.json")]
    assert len(files) == 21
    assert all(page.count(f"]({name})") == 1 for name in files)


@pytest.mark.slow
def test_two_rows_of_a_central_limit_theorem_are_refuted_and_the_moments_beside_them_hold() -> None:
    found = {}
    for path in sorted((ROOT / "ledgers" / "training").glob("bu_2020_*.json")):
        [audited] = audit(read_ledger(path), max_cost=DEFAULT_MAX_COST)
        found[path.stem.split("_")[2]] = audited.outcome
    assert found == {"clt": "refuted", "moments": "holds"}

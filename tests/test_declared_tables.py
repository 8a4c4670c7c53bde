"""Tables of the documentation, and keys in schemas, are those that the code declares."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactdp.certificate.rule_table import CLOSED_FORMS
from exactdp.mechanisms.entries import KEYS
from tools import declared_schemas
from tools.declared_schemas import SCHEMAS
from tools.declared_tables import DOCS, TABLES, refreshed


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_the_page_shows_the_table_as_it_is(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert refreshed(page, TABLES[path]) == page


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_a_schema_has_the_keys_as_they_are_declared(path: Path) -> None:
    assert declared_schemas.refreshed(path) == path.read_text(encoding="utf-8")


def test_every_closed_form_and_every_key_has_one_row() -> None:
    bounds, ledgers = ((DOCS / name).read_text("utf-8") for name in ("bounds.md", "ledgers.md"))
    assert all(bounds.count(f"| `{rule}` |") == 1 for rule in CLOSED_FORMS)
    assert all(ledgers.count(f"| `{name}` | `{{") == 1 for name in KEYS)

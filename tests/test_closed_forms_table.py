"""The table of closed forms in the guide is that of the rules."""

from __future__ import annotations

from exactdp.certificate.rule_table import CLOSED_FORMS
from tools.closed_forms_table import PAGE, refreshed


def test_the_page_shows_the_table_as_it_is() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert refreshed(page) == page
    assert all(page.count(f"| `{rule}` |") == 1 for rule in CLOSED_FORMS)

"""The notebooks: their cells run, and show what stands below them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import refresh

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", refresh.NOTEBOOKS)
def test_every_cell_shows_what_stands_below_it(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert refresh.refreshed_notebook(text) == text
    assert json.loads(text)["nbformat"] == 4


def test_a_cell_shows_what_it_prints_and_its_last_value() -> None:
    shown = refresh.outputs("x = 2\nprint(x)\nx + 1", {}, 7)
    assert [each["output_type"] for each in shown] == ["stream", "execute_result"]
    assert (shown[0]["text"], shown[1]["data"]["text/plain"]) == (["2\n"], ["3"])


@pytest.mark.slow
def test_a_stale_notebook_is_found_out() -> None:
    [name, *_] = refresh.NOTEBOOKS
    stale = (ROOT / name).read_text(encoding="utf-8").replace("3.1769223179", "3.1769223170")
    assert refresh.refreshed_notebook(stale) != stale

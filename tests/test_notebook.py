"""The notebooks: their cells run, and show what stands below them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import refresh_notebook


@pytest.mark.slow
@pytest.mark.parametrize("path", refresh_notebook.NOTEBOOKS, ids=lambda path: path.name)
def test_every_cell_shows_what_stands_below_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert refresh_notebook.refreshed(text) == text
    assert json.loads(text)["nbformat"] == 4


def test_a_cell_shows_what_it_prints_and_its_last_value() -> None:
    shown = refresh_notebook.outputs("x = 2\nprint(x)\nx + 1", {}, 7)
    assert [each["output_type"] for each in shown] == ["stream", "execute_result"]
    assert (shown[0]["text"], shown[1]["data"]["text/plain"]) == (["2\n"], ["3"])


@pytest.mark.slow
def test_a_stale_notebook_is_found_out() -> None:
    [path, *_] = refresh_notebook.NOTEBOOKS
    stale = path.read_text(encoding="utf-8").replace("3.1769223179", "3.1769223170")
    assert refresh_notebook.refreshed(stale) != stale

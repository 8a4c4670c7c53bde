"""The figures of the pages show what the program says now."""

from __future__ import annotations

import pytest

from exactdp.cli.picture_places import FORMATS
from exactdp.closed_forms.curves import panels
from tools.draw_figures import DELTA, FIGURES, LEDGERS, POINTS, points


@pytest.mark.parametrize("name", LEDGERS)
def test_the_points_of_a_figure_are_those_of_its_ledger(name: str) -> None:
    _, ledger = LEDGERS[name]
    shown = (FIGURES / f"{name}.csv").read_text(encoding="utf-8")
    assert points(panels(ledger, DELTA, points=POINTS)) == shown


def test_every_figure_is_there_in_every_format() -> None:
    files = {path.name for path in FIGURES.iterdir()}
    assert files == {f"{name}.{suffix}" for name in LEDGERS for suffix in (*FORMATS, "csv")}

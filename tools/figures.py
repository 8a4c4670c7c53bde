r"""Draw the figures of the pages: ``docs/figures``.

Two ledgers, each against the number of mechanisms and against their ε, as SVG and as PNG: the four
curves of the appendix of Murtagh & Vadhan; what else the papers draw or claim
(``tools/paper_figures.py``, ``tools/parallel_figures.py``); and their points as CSV, which a test
compares. Needs the extra ``plot``; the same version of matplotlib gives the same SVG.

    python tools/draw_figures.py [DIRECTORY]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from gmpy2 import mpq

from exactdp import Ledger
from exactdp.cli.picture_places import FORMATS
from exactdp.cli.plotting import picture, point_rows
from exactdp.closed_forms.curves import Panel, panels
from tools.noise_figures import NOISE_PLOTS
from tools.paper_figures import DIAGRAMS, PLOTS, table
from tools.parallel_figures import PARALLEL_PLOTS

ROOT: Final = Path(__file__).resolve().parent.parent
FIGURES: Final = ROOT / "docs" / "figures"
DELTA: Final = mpq(1, 2**30)
LEDGERS: Final[Mapping[str, tuple[str, Ledger]]] = {
    "bounds-alike": (
        "up to 300 mechanisms, each (0.1, 0)-DP, at δ = 2^-30",
        Ledger.of([("0.1", 0, 300)]),
    ),
    "bounds-different": (
        "up to 300 mechanisms, (0.05, 0)-DP and (0.15, 0)-DP in turn, at δ = 2^-30",
        Ledger.of([("0.05", 0, 1), ("0.15", 0, 1)] * 150),
    ),
}


POINTS: Final = 60
_TITLES: Final = ("over", "x", "bound", "epsilon")


def points(drawn: Sequence[Panel]) -> str:
    """What a figure shows, as CSV."""
    return "".join(",".join(row) + "\n" for row in [_TITLES, *point_rows(drawn)])


def main(directory: Path) -> None:
    """Draw every figure in every format."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, (title, ledger) in LEDGERS.items():
        drawn = panels(ledger, DELTA, points=POINTS)
        (directory / f"{name}.csv").write_text(points(drawn), encoding="utf-8")
        for suffix in FORMATS:
            (directory / f"{name}.{suffix}").write_bytes(picture(drawn, title, suffix))
    for name, plot in {**PLOTS, **NOISE_PLOTS, **PARALLEL_PLOTS}.items():
        rows = plot.points()
        (directory / f"{name}.csv").write_text(table(plot.titles, rows), encoding="utf-8")
        for suffix in FORMATS:
            (directory / f"{name}.{suffix}").write_bytes(plot.picture(rows, suffix))
    for name, diagram in DIAGRAMS.items():
        for suffix in FORMATS:
            (directory / f"{name}.{suffix}").write_bytes(diagram(suffix))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FIGURES)

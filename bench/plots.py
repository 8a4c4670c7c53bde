r"""Plots of growth: small SVG files, from the results, with matplotlib.

Rules of this file: it runs in an environment of its own (``python -m bench.plots RESULTS DIR``), so
that nobody else needs matplotlib.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

SERIES: Final[Mapping[str, str]] = {
    "k": "mechanisms k",
    "A": "cells A of the grid",
    "digits": "digits",
    "primes": "mechanisms k without a common grid",
}
_LINEAR: Final = frozenset({"digits", "primes"})
_SIZE: Final = (5.2, 3.4)


def names(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """The plots that these records allow."""
    return [f"growth-{series}" for series in SERIES if any(r["table"] == series for r in records)]


def main(results: Path, directory: Path) -> None:
    """Draw each series."""
    matplotlib = import_module("matplotlib")
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "exactdp"
    pyplot = import_module("matplotlib.pyplot")
    records = json.loads(results.read_text(encoding="utf-8"))["records"]
    directory.mkdir(parents=True, exist_ok=True)
    for series, label in SERIES.items():
        rows = [r for r in records if r["table"] == series]
        if rows:
            figure = _figure(pyplot, rows, series, label)
            figure.savefig(directory / f"growth-{series}.svg", metadata={"Date": None})
            pyplot.close(figure)


def _figure(pyplot: Any, rows: Sequence[Mapping[str, Any]], series: str, label: str) -> Any:  # noqa: ANN401 (matplotlib comes untyped)
    figure, axes = pyplot.subplots(figsize=_SIZE, layout="constrained")
    for line, points in _lines(rows).items():
        axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=line)
    axes.set(xlabel=label, ylabel="processor time, s", yscale="log")
    if series not in _LINEAR:
        axes.set_xscale("log")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize="small")
    return figure


def _lines(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[tuple[int, float]]]:
    """For each program and step the points (size, seconds), without errors."""
    lines: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        if not row["outcome"]["error"]:
            name = f"exactdp {row['step']}" if row["program"] == "exactdp" else row["program"]
            lines.setdefault(name, []).append((row["size"], row["outcome"]["cost"]["cpu"]))
    return lines


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

r"""Figures 1 to 3, 7, 9 and 10 of Smith et al., drawn again from what was measured.

Rules of this file: points are those that ``bench.published`` and ``bench.distributions`` wrote; a
picture is for the eye, and says of how many sets it is.

- *Figures 1 and 2*: sets of queries by their number and the size of the domain, solved within 60
  seconds of processor time or not, by overlap and by colouring; and by the overlap found.
- *Figure 3*: the most queries of which half of the sets were solved, beside what the paper says of
  its exact algorithms in words.
- *Figures 7, 9 and 10*: what is saved on the census-like domain, by what is not drawn uniformly.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Final

from exactdp.cli.plotting import figure_page
from tools.paper_figures import Plot, Points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BENCH: Final = Path(__file__).resolve().parent.parent / "bench"
_WIDE: Final = (12.6, 4.2)
_SINGLE: Final = (6.4, 4.2)
_SQUARE: Final = (9.6, 7.2)
_COLOURS: Final = ("#000000", "#d55e00", "#0072b2", "#009e73")
PAPER: Final = (("≤ 48", 35, 80), ("10 000", 10_000, 350), ("> 20 000", 20_000, 200))
"""Where, log10 of the domain, and the most queries that the paper's exact algorithms manage."""
TEN: Final = 10
FIVE: Final = 5


# --- Figures 1 to 3 -----------------------------------------------------------------------------


REGION_TITLES: Final = ("t", "log10_domain", "set", "at_least", "at_most", "seconds", "colours")


def regions() -> Points:
    """Sets of queries: how many, over which domain, and what was found."""
    known = json.loads((BENCH / "published.json").read_text(encoding="utf-8"))
    names = ("t", "digits", "set", "lower", "upper", "seconds", "colours")
    kept = [each for each in known if each["k"] == max(own["k"] for own in known)]
    kept.sort(key=lambda each: (each["m"], each["t"], each["set"]))
    return [tuple(str(each[name]) for name in names) for each in kept]


def _class(row: tuple[str, ...]) -> int:
    overlap = int(row[3])
    return 0 if overlap < FIVE else 1 if overlap < TEN else 2


def draw_regions(rows: Points, suffix: str) -> bytes:
    """Two panels: solved or not, and by the overlap."""

    def draw(figure: Figure) -> None:
        solved = [row for row in rows if row[3] == row[4]]
        rest = [row for row in rows if row[3] != row[4]]
        first, second = figure.add_subplot(1, 2, 1), figure.add_subplot(1, 2, 2)
        _scatter(first, solved, "o", _COLOURS[2], "overlap exact within 60 s")
        _scatter(first, rest, "x", _COLOURS[1], "colouring alone within 60 s")
        names = ("γ below 5", "γ from 5 to 9", "γ of 10 and more")
        for number, name in enumerate(names):
            own = [row for row in solved if _class(row) == number]
            _scatter(second, own, "o^s"[number], _COLOURS[number], name)
        for axes in (first, second):
            axes.set(xscale="log", yscale="log", xlabel="queries t", ylabel="log₁₀ of the domain")
            axes.spines[["top", "right"]].set_visible(False)
            axes.legend(frameon=False, fontsize="small")

    return figure_page(draw, f"Feasible sets of queries: {len(rows)} sets", suffix, _WIDE)


def _scatter(axes: Axes, rows: Points, marker: str, colour: str, label: str) -> None:
    across, up = [int(row[0]) for row in rows], [int(row[1]) for row in rows]
    axes.scatter(across, up, marker=marker, color=colour, label=label, s=24)


LIMIT_TITLES: Final = ("log10_domain", "most_queries", "sets", "more_was_tried")


def limits() -> Points:
    """For each size of domain the most queries of which half of the sets were solved."""
    known = json.loads((BENCH / "published.json").read_text(encoding="utf-8"))
    kept = [each for each in known if each["k"] == max(own["k"] for own in known)]
    rows: Points = []
    for m in sorted({each["m"] for each in kept}):
        own = [each for each in kept if each["m"] == m]
        solved = [
            (t, len(sets))
            for t in sorted({each["t"] for each in own})
            for sets in [[each for each in own if each["t"] == t]]
            if 2 * sum(each["lower"] == each["upper"] for each in sets) >= len(sets)
        ]
        if solved:
            most, sets = solved[-1]
            tried = max(each["t"] for each in own) > most
            digits = round(mean(each["digits"] for each in own))
            rows.append((str(digits), str(most), str(sets), "yes" if tried else "no"))
    return rows


def draw_limits(rows: Points, suffix: str) -> bytes:
    """The most queries by the size of the domain, beside ten times the paper's."""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        across, up = [int(row[0]) for row in rows], [int(row[1]) for row in rows]
        axes.plot(across, up, color=_COLOURS[0], marker="o", label="exactdp, overlap, exact")
        places = [place for _, place, _ in PAPER]
        counts = [most for _, _, most in PAPER]
        axes.scatter(places, counts, marker="s", color=_COLOURS[1], label="the paper, in words")
        tenfold = [10 * most for most in counts]
        axes.scatter(places, tenfold, marker="^", color=_COLOURS[2], label="ten times that")
        axes.set(xscale="log", yscale="log", xlabel="log₁₀ of the domain", ylabel="queries t")
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize="small")

    sets = " or ".join(sorted({row[2] for row in rows}, key=int))
    title = f"Most queries in 60 s: sets for each point: {sets}"
    return figure_page(draw, title, suffix, _SINGLE)


# --- Figures 7, 9 and 10 ------------------------------------------------------------------------


GAIN_TITLES: Final = ("quantity", "part", "t", "mean_gain", "sets_solved", "sets")
_QUANTITIES: Final = ("predicates", "which attributes", "values", "which values")


def gains(algorithm: str) -> Points:
    """Mean gains by what is not uniform and how many queries there are."""
    known = json.loads((BENCH / "distributions.json").read_text(encoding="utf-8"))
    rows: Points = []
    for each in known:
        if each["algorithm"] == algorithm:
            found = [gain for gain in each["gains"] if gain is not None]
            shown = f"{mean(found):.4f}" if found else ""
            counts = (str(len(found)), str(len(each["gains"])))
            rows.append((each["quantity"], str(each["part"]), str(each["t"]), shown, *counts))
    return sorted(rows, key=lambda row: (row[0], float(row[1]), int(row[2])))


def draw_gains(rows: Points, name: str, suffix: str) -> bytes:
    """A panel for each quantity; uniform in black."""

    def draw(figure: Figure) -> None:
        for number, quantity in enumerate(_QUANTITIES):
            axes = figure.add_subplot(2, 2, number + 1)
            kind = "exp." if quantity in ("predicates", "values") else "normal"
            _draw_curve(axes, [r for r in rows if r[0] == "uniform"], _COLOURS[0], "uniform")
            own = [row for row in rows if row[0] == quantity]
            for place, part in enumerate(dict.fromkeys(row[1] for row in own)):
                curve = [row for row in own if row[1] == part]
                _draw_curve(axes, curve, _COLOURS[place + 1], f"{kind}, {part} of the range")
            axes.set(title=quantity, xlabel="queries t", ylabel=f"1 - {name}/t", ylim=(0, 1))
            axes.spines[["top", "right"]].set_visible(False)
            axes.legend(frameon=False, fontsize="small")

    title = f"Saved on the census-like domain, by {name}: {rows[0][5]} sets for each point"
    return figure_page(draw, title, suffix, _SQUARE)


def _draw_curve(axes: Axes, rows: Sequence[tuple[str, ...]], colour: str, label: str) -> None:
    shown = [row for row in rows if row[3]]
    across, up = [int(row[2]) for row in shown], [float(row[3]) for row in shown]
    axes.plot(across, up, color=colour, marker="o", markersize=3, label=label)


def _gain_plot(algorithm: str, name: str) -> Plot:
    return Plot(
        GAIN_TITLES,
        lambda: gains(algorithm),
        lambda rows, suffix: draw_gains(rows, name, suffix),
    )


PARALLEL_PLOTS: Final = {
    "parallel-regions": Plot(REGION_TITLES, regions, draw_regions),
    "parallel-limits": Plot(LIMIT_TITLES, limits, draw_limits),
    "parallel-gain-colouring": _gain_plot("colouring", "colours"),
    "parallel-gain-clique": _gain_plot("clique", "ω"),
    "parallel-gain-overlap": _gain_plot("overlap", "γ"),
}

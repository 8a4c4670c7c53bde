r"""Draw the figures of the pages: ``docs/figures``.

Each is an SVG, and beside it stand its points as CSV, which a test compares:

- two ledgers, each against the number of mechanisms and against their ε: the four curves of the
  appendix of Murtagh & Vadhan;
- mechanisms by their noise: DP-SGD beside other accountants and by its loaders, and the Census. The
  ends of bands are certain; what other accountants said is a record, with their versions, of the
  answers to the questions of ``exactdp crosscheck``;
- what else the papers draw or claim (``tools/paper_figures.py``).

Needs the extra ``plot``; the same version of matplotlib gives the same SVG.

    python -m tools.figures [DIRECTORY]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gmpy2 import mpq

from exactdp import Ledger, compose, dpsgd, read_ledger
from exactdp.arithmetic.decimal_text import ceil_to, decimal_text, floor_to
from exactdp.cli.plotting import figure_page, picture, point_rows
from exactdp.composition.closed_forms.curves import Panel, panels
from exactdp.composition.engines.moments.zcdp import least_epsilon
from exactdp.mechanisms import ConcentratedMechanism, GaussianMechanism, SampledMechanism
from exactdp.training.plans import LOADERS
from tools.deployments import BY_NOISE
from tools.deployments import LEDGERS as DEPLOYMENTS
from tools.paper_figures import DIAGRAMS, PARALLEL_PLOTS, PLOTS, Plot, Points, table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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


# --- mechanisms by their noise --------------------------------------------------------------------


TITLES: Final = ("x", "series", "lower", "upper")
_SIZE: Final = (6.4, 4.2)
_PLACES: Final = 4
_TOLERANCE: Final = "1e-2"
_CERTIFIED: Final = "certified"

STEPS: Final = (100, 200, 500, 1000, 2000, 5000)
ANSWERS: Final = {
    "dp-accounting 0.6.0 PLD": ("0.7181", "0.9125", "1.3261", "1.8283", "2.5839", "4.2019"),
    "prv-accountant 0.2.0 upper": ("0.8190", "1.0129", "1.4265", "1.9287", "2.6843", "4.3023"),
    "Opacus 1.5.4 RDP": ("1.2142", "1.3402", "1.6529", "2.1014", "2.8665", "4.5890"),
    "Opacus 1.5.4 GDP": ("0.4576", "0.6678", "1.1033", "1.6178", "2.3819", "4.0099"),
}
"""What they said in November 2026 of σ = 1, q = 0.01, δ = 1e-5, rounded up."""

PLAN: Final[Mapping[str, Any]] = {
    "batch_size": 256,
    "dataset_size": 60_000,
    "noise_multiplier": "1.1",
    "epochs": 60,
    "delta": "1e-5",
}
"""Of which the loaders are compared."""
_WIDTHS: Final = {"shuffled": "3e-1"}

CENSUS: Final = "census_2020_pl94_us_persons"
STATED: Final = ("10", "17.1436")
"""The exponent of 1/δ, and the ε of the signed certificate, rounded up."""
EXPONENTS: Final = (4, 6, 8, 10, 12, 14)


def dp_sgd() -> Points:
    """The certified band over the number of steps, and what accountants said."""
    rows: Points = []
    for count in STEPS:
        step = SampledMechanism(GaussianMechanism(1), "1/100", count)
        ledger = Ledger.of([step], neighbouring="add-remove-one")
        rows.append((str(count), _CERTIFIED, *_ends(ledger, "1e-5")))
    for name, answers in ANSWERS.items():
        rows += [(str(x), name, y, y) for x, y in zip(STEPS, answers, strict=True)]
    return rows


def census() -> Points:
    """The certified band of the noise over δ, the conversion of its ρ, and the stated ε."""
    noise = read_ledger(BY_NOISE / f"{CENSUS}.json")
    concentrated = read_ledger(DEPLOYMENTS / f"{CENSUS}.json").mechanisms
    rho = sum((m.rho for m in concentrated if isinstance(m, ConcentratedMechanism)), mpq(0))
    rows: Points = []
    for exponent in EXPONENTS:
        rows.append((str(exponent), _CERTIFIED, *_ends(noise, f"1e-{exponent}")))
    for exponent in EXPONENTS:
        delta = mpq(1, 10**exponent)
        converted = _text(least_epsilon(rho, delta, mpq(1, 10**9)).upper, up=True)
        rows.append((str(exponent), "conversion of ρ", converted, converted))
    place, stated = STATED
    return [*rows, (place, "stated", stated, stated)]


def loaders() -> Points:
    """The certified ends of one training for each way to draw its batches."""
    rows: Points = []
    for name in LOADERS:
        found = dpsgd(**PLAN, loader=name, tolerance=_WIDTHS.get(name, _TOLERANCE)).asked
        assert found.lower is not None
        assert found.upper is not None
        rows.append((name, _CERTIFIED, _text(found.lower, up=False), _text(found.upper, up=True)))
    return rows


def _bars(rows: Points, suffix: str) -> bytes:
    """A bar for each loader, on a logarithmic axis, with its ends in numbers."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for place, (_, _, low, high) in enumerate(reversed(rows)):
            ends = [float(low), float(high)]
            axes.plot(ends, [place, place], color="#000000", linewidth=5, solid_capstyle="butt")
            axes.plot(ends, [place, place], color="#000000", linestyle="", marker="|", markersize=9)
            shown = f"{ends[0]:.2f} to {ends[1]:.2f}"
            axes.annotate(shown, (ends[0], place), (0, 7), textcoords="offset points", fontsize=9)
        axes.set_yticks(range(len(rows)), [row[0] for row in reversed(rows)])
        axes.set_xscale("log")
        axes.set_xlim(2, 80)
        axes.set_ylim(-0.5, len(rows) - 0.3)
        axes.set_xticks([2, 5, 10, 20, 50], ["2", "5", "10", "20", "50"])
        axes.set_xlabel("ε, certified from below and from above")
        axes.spines[["top", "right"]].set_visible(False)
        axes.minorticks_off()

    title = "One training, by how its batches are drawn"
    return figure_page(draw, title, suffix, _SIZE)


def _ends(ledger: Ledger, delta: str) -> tuple[str, str]:
    answer = compose(ledger, delta=delta, tolerance=_TOLERANCE)
    assert answer.lower_end is not None
    assert answer.upper_end is not None
    return _text(answer.lower_end, up=False), _text(answer.upper_end, up=True)


def _text(value: mpq, *, up: bool) -> str:
    return decimal_text((ceil_to if up else floor_to)(value, _PLACES))


def _page(rows: Points, title: str, label: str, suffix: str, *, steep: bool) -> bytes:
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for name in dict.fromkeys(row[1] for row in rows):
            _draw(axes, name, [row for row in rows if row[1] == name])
        if steep:
            axes.set_xscale("log")
        axes.set_xlabel(label)
        axes.set_ylabel("ε")
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)

    return figure_page(draw, title, suffix, _SIZE)


def _draw(axes: Axes, name: str, rows: Points) -> None:
    across = [float(row[0]) for row in rows]
    low, high = ([float(row[place]) for row in rows] for place in (2, 3))
    if name == _CERTIFIED:
        axes.fill_between(across, low, high, color="#000000", alpha=0.3)
        axes.plot(across, high, color="#000000", linewidth=1.2, label="certified, both ends")
    elif name == "conversion of ρ":
        axes.plot(across, high, color="#d55e00", linestyle="--", linewidth=1.4, label=name)
    else:
        axes.plot(across, high, linestyle="", marker="o", markersize=4, label=name)


NOISE_PLOTS: Final = {
    "dp-sgd": Plot(
        TITLES,
        dp_sgd,
        lambda rows, suffix: _page(
            rows, "DP-SGD: σ = 1, q = 0.01, δ = 1e-5", "steps", suffix, steep=True
        ),
    ),
    "loaders": Plot(TITLES, loaders, _bars),
    "census": Plot(
        TITLES,
        census,
        lambda rows, suffix: _page(
            rows, "2020 Census, P.L. 94-171, US persons", "log 1/δ to base 10", suffix, steep=False
        ),
    ),
}


# --- all of them ----------------------------------------------------------------------------------


def points(drawn: Sequence[Panel]) -> str:
    """What a figure shows, as CSV."""
    return "".join(",".join(row) + "\n" for row in [_TITLES, *point_rows(drawn)])


def main(directory: Path) -> None:
    """Draw every figure."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, (title, ledger) in LEDGERS.items():
        drawn = panels(ledger, DELTA, points=POINTS)
        (directory / f"{name}.csv").write_text(points(drawn), encoding="utf-8")
        (directory / f"{name}.svg").write_bytes(picture(drawn, title, "svg"))
    for name, plot in {**PLOTS, **NOISE_PLOTS, **PARALLEL_PLOTS}.items():
        rows = plot.points()
        (directory / f"{name}.csv").write_text(table(plot.titles, rows), encoding="utf-8")
        (directory / f"{name}.svg").write_bytes(plot.picture(rows, "svg"))
    for name, diagram in DIAGRAMS.items():
        (directory / f"{name}.svg").write_bytes(diagram("svg"))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FIGURES)

r"""What the papers draw or claim, drawn again: savings, a poster's plot, diagrams, queries.

Rules of this file: points are certain ends, as text; a picture is for the eye.

- *Savings*: the introduction of Murtagh and Vadhan says that the optimum saves 30 to 40 % of
  advanced composition (Theorem 1.3). How much it saves depends on ε, k and δ.
- *The poster's plot*: its algorithm against the bound of Kairouz, Oh and Viswanath, over the number
  of mechanisms. The poster does not say which mechanisms; here two kinds take turns.
- *Figures 1 and 2* of Vadhan and Wang: the mechanism of their experiment, and two interleaved.
- *Figures 1 and 2* of Smith et al.: sets of queries by their number and the size of the domain,
  solved within 60 seconds of processor time or not, by overlap and by colouring; and by the overlap
  found. *Figure 3*: the most queries of which half of the sets were solved, beside what the paper
  says of its exact algorithms in words. *Figures 7, 9 and 10*: what is saved on the census-like
  domain, by what is not drawn uniformly. Their points are those that ``bench.published`` and
  ``bench.distributions`` wrote, and each picture says of how many sets it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Final

from gmpy2 import mpq

from exactdp import Ledger, compose
from exactdp.arithmetic.decimal_text import (
    ceil_to,
    decimal_text,
    enclose_in_decimals,
    floor_to,
    short_text,
)
from exactdp.arithmetic.enclosures import Ends, lower_end, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.attacks.attack import attack
from exactdp.attacks.experiment import ManyRuns
from exactdp.attacks.risk import power_curve
from exactdp.cli.attack_picture import attack_picture
from exactdp.cli.plotting import figure_page
from exactdp.cli.power_picture import power_picture
from exactdp.composition.closed_forms.curves import beginning
from exactdp.composition.closed_forms.formulas import advanced_composition
from exactdp.composition.closed_forms.rows import formulas
from exactdp.composition.planner import DEFAULT_MAX_COST
from exactdp.literature.poster import poster
from exactdp.mechanisms import ConcentratedMechanism

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TYPICAL: Final = mpq(1, 2**30)
Points = list[tuple[str, ...]]
_BITS: Final = 128
_PLACES: Final = 4
_THINNING: Final = mpq(1, 5000)
_WIDE: Final = (12.6, 4.0)
_SINGLE: Final = (5.6, 4.0)
_COLOURS: Final = ("#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7")

COUNTS: Final = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
EPSILONS: Final = (1, 2, 4, 5, 6, 8, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100)
"""In hundredths."""
EXPONENTS: Final = (5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100)
POSTER_COUNTS: Final = (1, 5, 10, 15, 20, 25, 30, 35, 40, 50, 60, 70, 80)
POSTER_CELLS: Final = 100


@dataclass(frozen=True)
class Plot:
    """Points that are kept as a table, and the picture of them."""

    titles: tuple[str, ...]
    points: Callable[[], Points]
    picture: Callable[[Points, str], bytes]


def table(titles: Sequence[str], rows: Points) -> str:
    """Points as CSV."""
    return "".join(",".join(row) + "\n" for row in [titles, *rows])


# --- the introduction's savings -------------------------------------------------------------------


def saving(epsilon: mpq, count: int, delta: mpq) -> Ends:
    """By which part the optimum is below advanced composition; certain ends."""
    advanced = advanced_composition(ExactNumber(epsilon), count, delta, _BITS)
    low, high = lower_end(advanced), upper_end(advanced)
    optimum = compose([(epsilon, 0, count)], delta=delta, tolerance=low * _THINNING)
    if optimum.lower_end is None or optimum.upper_end is None:  # δ > 0 = δ_i: there always is an ε
        raise ValueError(f"no finite epsilon for {epsilon}, {count}, {delta}")
    ends = 1 - optimum.upper_end / low, 1 - optimum.lower_end / high
    return floor_to(ends[0], _PLACES), ceil_to(ends[1], _PLACES)


def savings() -> Points:
    """Points over k, over ε and over δ: panel, curve, place, ends of the saving, what is better.

    The last cell says whether advanced composition is below the sum of the ε at all.
    """
    rows: Points = []
    for epsilon in map(mpq, ("1/100", "1/10", "1/2", "1")):
        for count in COUNTS:
            rows.append(_saving_row("k", f"ε = {short_text(epsilon)}", str(count), epsilon, count))
    for count in (30, 100, 300):
        for epsilon in (mpq(each, 100) for each in EPSILONS):
            rows.append(_saving_row("epsilon", f"k = {count}", short_text(epsilon), epsilon, count))
    for epsilon, count in ((mpq(1, 10), 100), (mpq(1, 10), 300), (mpq(1, 2), 100)):
        for exponent in EXPONENTS:
            curve = f"{short_text(epsilon)} × {count}"
            delta = mpq(1, 2**exponent)
            rows.append(_saving_row("delta", curve, str(exponent), epsilon, count, delta))
    return rows


def _saving_row(
    panel: str, curve: str, place: str, epsilon: mpq, count: int, delta: mpq = TYPICAL
) -> tuple[str, ...]:
    low, high = saving(epsilon, count, delta)
    advanced = upper_end(advanced_composition(ExactNumber(epsilon), count, delta, _BITS))
    better = "advanced" if advanced < count * epsilon else "sum"
    return panel, curve, place, decimal_text(low), decimal_text(high), better


SAVING_TITLES: Final = ("over", "curve", "at", "saving_at_least", "saving_at_most", "lower_bound")
_PANELS: Final[Mapping[str, tuple[str, bool]]] = {
    "k": ("mechanisms k, at δ = 2^-30", True),
    "epsilon": ("ε of each, at δ = 2^-30", True),
    "delta": ("log₂(1/δ)", False),
}


def draw_savings(rows: Points, suffix: str) -> bytes:
    """Three panels; dotted where the sum is below advanced composition."""

    def draw(figure: Figure) -> None:
        for index, (panel, (label, is_log)) in enumerate(_PANELS.items()):
            axes = figure.add_subplot(1, len(_PANELS), index + 1)
            axes.axhspan(0.3, 0.4, color="#dddddd", linewidth=0)
            chosen = [row for row in rows if row[0] == panel]
            for number, curve in enumerate(dict.fromkeys(row[1] for row in chosen)):
                _draw_saving(axes, [row for row in chosen if row[1] == curve], _COLOURS[number])
            if is_log:
                axes.set_xscale("log")
            axes.set(xlabel=label, ylim=(0, 1))
            axes.spines[["top", "right"]].set_visible(False)
            axes.legend(frameon=False, fontsize="small")
            if not index:
                axes.set_ylabel("1 - OptComp/Theorem 1.3")

    return figure_page(draw, "What the optimum saves against advanced composition", suffix, _WIDE)


def _draw_saving(axes: Axes, rows: Points, colour: str) -> None:
    places, heights = [float(row[2]) for row in rows], [float(row[3]) for row in rows]
    axes.plot(places, heights, color=colour, linestyle=":", linewidth=1.2)
    gap = float("nan")
    solid = [
        height if row[5] == "advanced" else gap for row, height in zip(rows, heights, strict=True)
    ]
    axes.plot(places, solid, color=colour, linewidth=1.8, label=rows[0][1])


# --- the poster's plot ----------------------------------------------------------------------------


POSTER_TITLES: Final = ("k", "curve", "epsilon")
_KOV: Final = "KOV bound"
_OPTIMAL: Final = "Optimal, certified"


def poster_points() -> Points:
    """The bound of Kairouz, Oh and Viswanath, the poster's algorithm as read twice, the optimum."""
    whole = Ledger.of([("0.05", 0, 1), ("0.15", 0, 1)] * (max(POSTER_COUNTS) // 2 + 1))
    rows: Points = []
    for count in POSTER_COUNTS:
        ledger = beginning(whole, count)
        for name, epsilon in _poster_curves(ledger).items():
            rows.append((str(count), name, decimal_text(epsilon)))
    return rows


def _poster_curves(ledger: Ledger) -> dict[str, mpq]:
    bound = next(iter(formulas(ledger, TYPICAL, 4, ["kairouz-oh-viswanath-heterogeneous"])))
    optimum = compose(ledger, delta=TYPICAL, tolerance="1e-4").upper_end
    found = {}
    if bound.epsilon is not None:
        found[_KOV] = enclose_in_decimals(bound.epsilon, 4)[1]
    for reading in ("rounded", "true-prefactors"):
        answer = poster(ledger, delta=TYPICAL, t=POSTER_CELLS, reading=reading, tolerance="1e-3")
        if answer.epsilon is not None:
            found[f"poster, {reading}"] = answer.epsilon
    if optimum is not None:
        found[_OPTIMAL] = optimum
    return found


def draw_poster(rows: Points, suffix: str) -> bytes:
    """ε of the composition over the number of mechanisms."""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for name, colour, dashes in zip(
            dict.fromkeys(row[1] for row in rows),
            ("#0072b2", "#d55e00", "#cc79a7", "#000000"),
            ("--", ":", "-.", "-"),
            strict=True,
        ):
            chosen = [row for row in rows if row[1] == name]
            across, up = zip(*((int(row[0]), float(row[2])) for row in chosen), strict=True)
            axes.plot(across, up, color=colour, linestyle=dashes, linewidth=1.6, label=name)
        axes.set(xlabel="mechanisms k", ylabel="ε of the composition", xlim=0, ylim=0)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)

    title = f"(0.05, 0)-DP and (0.15, 0)-DP in turn, δ = 2^-30, t = {POSTER_CELLS}"
    return figure_page(draw, title, suffix, _SINGLE)


# --- Figures 1 and 2 of Vadhan and Wang -----------------------------------------------------------


@dataclass(frozen=True)
class Message:
    """An arrow from one party to another."""

    sender: int
    receiver: int
    text: str


ONE_MECHANISM: Final = (
    ("M(x)", "adversary"),
    (Message(0, 1, "a₀"), Message(1, 0, "q₁ = A(a₀)"), Message(0, 1, "a₁")),
)
INTERLEAVED: Final = (
    ("M(x)", "adversary", "M′(x)"),
    (
        Message(0, 1, "a₀"),
        Message(2, 1, "a₀′"),
        Message(1, 2, "q₁′ from a₀, a₀′"),
        Message(2, 1, "a₁′"),
        Message(1, 0, "q₁ from a₀, a₀′, a₁′"),
        Message(0, 1, "a₁"),
    ),
)


def draw_messages(
    title: str, parties: Sequence[str], messages: Sequence[Message], suffix: str
) -> bytes:
    """Parties as lines from above, messages as arrows between them in the order of time."""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.set_axis_off()
        depth = len(messages) + 1
        axes.set(xlim=(-0.4, len(parties) - 0.6), ylim=(-depth, 0.8))
        for place, name in enumerate(parties):
            axes.plot([place, place], [0, -depth], color="#999999", linewidth=1)
            box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "#333333"}
            axes.text(place, 0.3, name, ha="center", va="center", bbox=box)
        for row, message in enumerate(messages, 1):
            arrow = {"arrowstyle": "->", "color": "#0072b2", "linewidth": 1.4}
            axes.annotate("", (message.receiver, -row), (message.sender, -row), arrowprops=arrow)
            middle = (message.sender + message.receiver) / 2
            axes.text(middle, 0.12 - row, message.text, ha="center", va="bottom", fontsize="small")

    return figure_page(draw, title, suffix, (2.2 * len(parties) + 0.6, 0.55 * len(messages) + 1.4))


BENCH: Final = Path(__file__).resolve().parent.parent / "bench"
_SQUARE: Final = (9.6, 7.2)
PAPER: Final = (("≤ 48", 35, 80), ("10 000", 10_000, 350), ("> 20 000", 20_000, 200))
"""Where, log10 of the domain, and the most queries that the paper's exact algorithms manage."""
TEN: Final = 10
FIVE: Final = 5


# --- Figures 1 to 3 of Smith et al. ---------------------------------------------------------------


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

    return figure_page(draw, f"Feasible sets of queries: {len(rows)} sets", suffix, (12.6, 4.2))


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
    return figure_page(draw, title, suffix, (6.4, 4.2))


# --- Figures 7, 9 and 10 of Smith et al. ----------------------------------------------------------


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


# --- all of them ----------------------------------------------------------------------------------


PLOTS: Final[Mapping[str, Plot]] = {
    "savings": Plot(SAVING_TITLES, savings, draw_savings),
    "poster": Plot(POSTER_TITLES, poster_points, draw_poster),
}
PARALLEL_PLOTS: Final[Mapping[str, Plot]] = {
    "parallel-regions": Plot(REGION_TITLES, regions, draw_regions),
    "parallel-limits": Plot(LIMIT_TITLES, limits, draw_limits),
    "parallel-gain-colouring": _gain_plot("colouring", "colours"),
    "parallel-gain-clique": _gain_plot("clique", "ω"),
    "parallel-gain-overlap": _gain_plot("overlap", "γ"),
}
DIAGRAMS: Final[Mapping[str, Callable[[str], bytes]]] = {
    "two-round-mechanism": lambda suffix: draw_messages(
        "A mechanism of two rounds", *ONE_MECHANISM, suffix
    ),
    "interleaved-mechanisms": lambda suffix: draw_messages(
        "Two of them, interleaved", *INTERLEAVED, suffix
    ),
    "risk": lambda suffix: power_picture(
        power_curve([ConcentratedMechanism("1/2")]), "A mechanism with ρ = 1/2", suffix
    ),
    "attack": lambda suffix: attack_picture(
        attack(ManyRuns((1000, 300), (1000, 5)), epsilon=3, delta="1e-5"),
        "many_runs",
        suffix,
        DEFAULT_MAX_COST,
    ),
}

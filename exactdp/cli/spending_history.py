r"""``exactdp filter history``: months and labels as a table, and as a picture.

Rules of this file: in the picture alone numbers become floats, and labels are told apart without
colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gmpy2 import mpq

from exactdp.cli.places import check_places
from exactdp.cli.plotting import figure_page
from exactdp.cli.rendering import answer, tables
from exactdp.errors import InputError, shorten
from exactdp.pages.facts.spending import measure_of, month_rows, monthly, monthly_together
from exactdp.pages.number_text import float_of
from exactdp.spending.history import History, history

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SIZE: Final = (8.0, 4.4)
_MOST: Final = 5
_OTHERS: Final = "all others"
_LOOKS: Final = (
    *(("#0072b2", ""), ("#d55e00", "//"), ("#009e73", "\\\\"), ("#cc79a7", "xx")),
    *(("#e69f00", ".."), ("#bbbbbb", "")),
)


def history_answer(logs: Sequence[str], plot: Path | None) -> int:
    """Print what was spent in each month and for what, of one log or of several; draw that of one.

    Returns: the exit code.
    """
    check_places(logs, plot=plot)
    found = [history(log) for log in logs]
    if len(logs) > 1:
        if plot is not None:
            raise InputError(
                field="--plot",
                value=str(plot),
                expected="one LOG beside it",
                remedy="draw each log into a file of its own",
            )
        return answer_together(logs, found)
    known, rows = monthly(logs[0], found[0]), month_rows(found[0])
    files = {} if plot is None else {plot: history_picture(found[0], plot.suffix)}
    below = tables(rows)
    return answer(known.facts, known.sentence, below=below, files=files, field="--plot", plot=plot)


def answer_together(logs: Sequence[str], found: Sequence[History]) -> int:
    """Print what was spent of several budgets that add up."""
    known = monthly_together(logs, found)
    rows = [row for log, each in zip(logs, found, strict=True) for row in month_rows(each, log)]
    return answer(known.facts, known.sentence, below=tables(rows))


def history_picture(found: History, suffix: str) -> bytes:
    """Bars for the labels that spent most, and the line of the whole below that of the budget."""
    totals = dict[str, mpq]()
    for month in found.months:
        for label, spending in month.labels.items():
            totals[label] = totals.get(label, mpq(0)) + spending.charge.size
    chosen = sorted(totals, key=lambda label: -totals[label])[:_MOST]
    names = [month.name for month in found.months]

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        below = [0.0] * len(names)
        for label, (colour, hatch) in zip([*chosen, _OTHERS], _LOOKS, strict=False):
            heights = [_spent(found, number, label, chosen) for number in range(len(names))]
            if any(heights):
                text = shorten(label) or "no label"
                axes.bar(names, heights, 0.6, below, color=colour, hatch=hatch, label=text)
            below = [low + height for low, height in zip(below, heights, strict=True)]
        limit = found.budget.limit.size
        spent = [float_of(limit - each.size) for each in found.left()]
        axes.plot(names, spent, color="#000000", marker="o", label="spent by the end of the month")
        axes.axhline(float_of(limit), color="#000000", linestyle="--", label="the budget")
        axes.set_ylim(0, float_of(limit) * 1.1 or 1)
        axes.set_ylabel(measure_of(found.budget))
        axes.tick_params(axis="x", labelrotation=45 if len(names) > 8 else 0)
        legend = axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        for each in legend.get_texts():
            each.set_parse_math(False)
        axes.spines[["top", "right"]].set_visible(False)

    return figure_page(draw, f"The budget {found.budget}", suffix, _SIZE)


def _spent(found: History, number: int, label: str, chosen: list[str]) -> float:
    """What was spent for a label in a month; for all that were not chosen together."""
    labels = found.months[number].labels
    if label in chosen:
        return float_of(labels[label].charge.size) if label in labels else 0.0
    rest = (each.charge.size for name, each in labels.items() if name not in chosen)
    return float_of(sum(rest, mpq(0)))

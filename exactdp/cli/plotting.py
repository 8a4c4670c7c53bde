r"""Curves as a picture, PNG or SVG by the suffix of the file, and as rows of text.

Rules of this file: matplotlib is asked for only here, when a picture is; the same curves give the
same SVG; a picture is for the eye, so that here alone numbers become floats.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import cycle
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import decimal_text, short_text
from exactdp.composition.closed_forms.curves import BEST, CURVES, OPTIMAL, Panel
from exactdp.pages.number_text import float_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZE: Final = (9.6, 4.0)
_SQUARE: Final = (5.2, 5.2)
_POINTS: Final = 400
_DOTS_PER_INCH: Final = 150
_SUMMING: Final = CURVES["sum"]
_LOOKS: Final = (
    ("#bbbbbb", "-", 4.0),
    ("#d55e00", "-.", 1.6),
    ("#0072b2", "--", 1.6),
    ("#009e73", ":", 1.6),
    ("#cc79a7", (0, (5, 1, 1, 1, 1, 1)), 1.6),
)
_OPTIMAL_LOOK: Final = ("#000000", "-", 1.6)
_STYLES: Final = {**dict(zip(CURVES.values(), cycle(_LOOKS), strict=False)), OPTIMAL: _OPTIMAL_LOOK}
"""Colour, dashes and width: told apart without colour, and where one covers another."""
_Look = tuple[str, object, float]
_MARGIN: Final = mpq(21, 20)
_HEADROOM: Final = mpq(8, 5)
_FAR_ABOVE: Final = 10
_FAR_ABOVE_BEST: Final = 2


def point_rows(panels: Sequence[Panel]) -> Iterator[tuple[str, str, str, str]]:
    """The points of the curves as text: axis, place, curve, ε rounded up."""
    for panel in panels:
        for point in panel.points:
            for name, upper in point.upper.items():
                yield panel.over, short_text(point.x), name, decimal_text(upper)


def picture(panels: Sequence[Panel], title: str, suffix: str) -> bytes:
    """The curves, side by side, in the format that the suffix of a file names."""

    def draw(figure: Figure) -> None:
        for index, panel in enumerate(panels):
            axes = figure.add_subplot(1, len(panels), index + 1)
            _draw(axes, panel)
            if not index:
                axes.set_ylabel("ε of the composition")
                axes.legend(loc="upper left", frameon=False)

    return figure_page(draw, title, suffix, _SIZE)


def trade_off_picture(
    functions: Mapping[str, Sequence[tuple[mpq, mpq]]], title: str, suffix: str
) -> bytes:
    """Trade-off functions by their corners, in the format that the suffix of a file names."""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for (name, corners), (colour, dashes, width) in zip(
            functions.items(), _STYLES.values(), strict=False
        ):
            across, up = zip(*((float_of(x), float_of(y)) for x, y in corners), strict=True)
            axes.plot(across, up, color=colour, linestyle=dashes, linewidth=width, label=name)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.set_aspect("equal")
        axes.set_xlabel("error of the first kind")
        axes.set_ylabel("least error of the second kind")
        axes.legend(loc="upper right", frameon=False)
        axes.spines[["top", "right"]].set_visible(False)

    return figure_page(draw, title, suffix, _SQUARE)


def gaussian_corners(square: mpq) -> list[tuple[mpq, mpq]]:
    """Points of the trade-off function of Gaussian mechanisms with this Σμ², for a picture."""
    normal, mu = NormalDist(), float_of(square) ** 0.5
    places = [Fraction(i, _POINTS) for i in range(1, _POINTS)]
    inner = [(mpq(x), mpq(Fraction(normal.cdf(normal.inv_cdf(float(1 - x)) - mu)))) for x in places]
    return [(mpq(0), mpq(1)), *inner, (mpq(1), mpq(0))]


def figure_page(
    draw: Callable[[Figure], None], title: str, suffix: str, size: tuple[float, float]
) -> bytes:
    """A figure as the bytes of a file; the same curves give the same bytes."""
    from matplotlib import rc_context  # noqa: PLC0415 (only a picture needs it)
    from matplotlib.figure import Figure  # noqa: PLC0415 (as above)

    name = suffix.lower().lstrip(".")
    with rc_context({"svg.hashsalt": "exactdp"}):
        figure = Figure(figsize=size, layout="constrained")
        figure.suptitle(title, parse_math=False)  # a name may hold a dollar sign
        draw(figure)
        page = io.BytesIO()
        metadata = {"Date": None} if name == "svg" else None
        figure.savefig(page, format=name, dpi=_DOTS_PER_INCH, metadata=metadata)
    return page.getvalue()


def _draw(axes: Axes, panel: Panel) -> None:
    """One panel; a curve that leaves it at the top is too loose to be told more of."""
    top = _top(panel)
    for name, (colour, dashes, width) in _styles_of(panel).items():
        points = [(each.x, each.upper[name]) for each in panel.points if name in each.upper]
        across = [float_of(x) for x, _ in points]
        up = [float_of(min(y, _FAR_ABOVE * top)) for _, y in points]
        axes.plot(across, up, color=colour, linestyle=dashes, linewidth=width, label=name)
    axes.set_ylim(0, float_of(top))
    axes.set_xlim(left=0)
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel(panel.label)
    axes.spines[["top", "right"]].set_visible(False)


def _styles_of(panel: Panel) -> Mapping[str, _Look]:
    """The looks of the papers' curves, or of those that there are, the best one on top."""
    names = dict.fromkeys(name for point in panel.points for name in point.upper)
    if names.keys() <= _STYLES.keys():
        return _STYLES
    others = [name for name in names if name != BEST]
    return {**dict(zip(others, cycle(_LOOKS), strict=False)), BEST: _OPTIMAL_LOOK}


def _top(panel: Panel) -> mpq:
    """Where the panel ends: above all curves, but not far above basic composition, or the best."""
    heights = [y for each in panel.points for y in each.upper.values()]
    sums = [each.upper[_SUMMING] for each in panel.points if _SUMMING in each.upper]
    sums = sums or [_FAR_ABOVE_BEST * each.upper.get(BEST, mpq(0)) for each in panel.points]
    top = min(_MARGIN * max(heights, default=mpq(0)), _HEADROOM * max(sums, default=mpq(0)))
    return top or mpq(1)

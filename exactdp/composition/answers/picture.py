r"""An answer as a picture for notebooks: ε at other δ too, by matplotlib.

Rules of this file: what is drawn is certain from both sides; numbers become floats for the eye
alone, and nothing is told by colour alone; matplotlib is asked for only here.

Theory of operation: the ledger is composed again at powers of ten from 1/10 to a little below the δ
of the answer, as coarsely as the eye allows. A level at which no finite ε is enough is left out.
The picture is made without pyplot, so that it opens no window; a notebook shows the figure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import short_text
from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.texts import exact_fraction
from exactdp.errors import InputError

if TYPE_CHECKING:
    from exactdp.composition.answers.results import Composition

_LEVELS: Final = 8
_DEEPEST: Final = mpq(1, 10**12)
_BELOW: Final = mpq(1, 100)
_COARSENESS: Final = mpq(1, 200)
_LEAST: Final = mpq(1, 10**4)
_SIZE: Final = (6.4, 4.4)
_COLOUR: Final = "#0072b2"


def plot_composition(answer: Composition, axes: Any = None) -> Any:  # noqa: ANN401 (matplotlib's)
    """Draw ε at each δ, with the answer in it, into axes or those of a new figure.

    Returns:
        The figure.

    Raises:
        InputError: matplotlib is not installed.
        CostLimitError: another δ would cost too much.
    """
    axes = _new_axes() if axes is None else axes
    answers = _answers_around(answer)
    deltas = [float(exact_fraction(each.delta)) for each in answers]
    ends = [each.fractions() or (0, 0) for each in answers]
    low, high = [float(end[0]) for end in ends], [float(end[1]) for end in ends]
    axes.fill_betweenx(deltas, low, high, color=_COLOUR, alpha=0.3)
    axes.plot(high, deltas, color=_COLOUR, label="upper bound")
    axes.plot(low, deltas, color=_COLOUR, linestyle="--", label="lower bound")
    if answer.upper is not None and answer.delta:
        name = f"ε ≤ {answer.upper:.4f} at δ = {short_text(answer.delta)}"
        axes.plot([float(answer.upper)], [float(exact_fraction(answer.delta))], "kD", label=name)
    axes.set(xlabel="ε", ylabel="δ", yscale="log")
    axes.set_xlim(left=0)
    if axes.get_legend_handles_labels()[1]:
        axes.legend(frameon=False)
    return axes.figure


def _answers_around(answer: Composition) -> list[Composition]:
    """The same ledger at other δ, the greatest first."""
    least = answer.delta * _BELOW or _DEEPEST
    exponent = 1
    while mpq(1, 10**exponent) > least:
        exponent += 1
    levels = {mpq(1, 10**each) for each in range(1, exponent + 1, -(-exponent // _LEVELS))}
    width = max((answer.upper_end or mpq(1)) * _COARSENESS, _LEAST)
    found = [
        compose(answer.ledger, delta=level, tolerance=width)
        for level in sorted(levels | ({answer.delta} if 0 < answer.delta < 1 else set()))
    ]
    return [each for each in reversed(found) if each.feasible]


def _new_axes() -> Any:  # noqa: ANN401 (matplotlib's)
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 (only a picture needs it)
    except ImportError:
        raise InputError(
            field="package",
            value="matplotlib is not installed",
            expected="it for a picture",
            remedy="pip install 'exactdp[plot]'",
            code="not-installed",
        ) from None
    return Figure(figsize=_SIZE, layout="constrained").add_subplot()

r"""What an outcome rejects as a picture: rates beside what is allowed, or p-values beside a level.

Rules of this file: what is drawn was enclosed before; numbers become floats for the eye alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exactdp.arithmetic.decimal_text import enclose_in_decimals, short_text, shortest_text
from exactdp.attacks.attack import Attack
from exactdp.attacks.curves import allowed_rates, claimed_epsilon, levels_of_rejection
from exactdp.attacks.experiment import ManyRuns
from exactdp.cli.plotting import figure_page
from exactdp.pages.number_text import float_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZE: Final = (6.4, 4.4)
_ALLOWED: Final = "#0072b2"
_SHOWN: Final = "#d55e00"
_LEAST: Final = 1e-12
_PLACES: Final = 12
_ROOM: Final = 1.03


def attack_picture(found: Attack, title: str, suffix: str, max_cost: int) -> bytes:
    """Many runs as a point beside the rates that are allowed; one run as p-values by ε."""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        if isinstance(found.experiment, ManyRuns):
            _draw_rates(axes, found, found.experiment, max_cost)
        else:
            _draw_levels(axes, found)
        axes.set_ylim(0, _ROOM)
        axes.legend(loc="upper left", frameon=False)
        axes.spines[["top", "right"]].set_visible(False)

    return figure_page(draw, title, suffix, _SIZE)


def _draw_rates(axes: Axes, found: Attack, counts: ManyRuns, max_cost: int) -> None:
    curve = allowed_rates(found, max_cost)
    across, up = zip(*((float_of(x), float_of(y)) for x, y in curve), strict=True)
    axes.plot(across, up, color=_ALLOWED, label=f"at most, if {_claimed(found)} is true")
    axes.plot(across, across, color="#888888", linestyle=":", label="nothing learned")
    p, q = (float_of(rate) for rate in found.rates or ())
    at_level = f"at level {short_text(found.level)}"
    axes.plot([q], [p], color=_SHOWN, marker="D", linestyle="none", label=f"shown, {at_level}")
    (runs, hits), (others, false) = counts.members, counts.others
    measured = [max(false / others, _LEAST)], [hits / runs]
    axes.plot(*measured, color="#000000", marker="o", linestyle="none", label="counted")
    axes.set_xscale("log")
    axes.set_xlim(across[0], 1)
    axes.set_xlabel("false positives")
    axes.set_ylabel("true positives")


def _draw_levels(axes: Axes, found: Attack) -> None:
    curve = levels_of_rejection(found)
    across, up = zip(*((float_of(x), float_of(y)) for x, y in curve), strict=True)
    delta = short_text(found.delta) if found.delta else "0"
    axes.plot(across, up, color=_ALLOWED, label=f"p-value of ε at δ = {delta}, at most")
    level = short_text(found.level)
    axes.axhline(float_of(found.level), color=_SHOWN, linestyle="--", label=f"level {level}")
    if found.p_value is not None:
        axes.axvline(_claimed_place(found), color="#000000", linestyle=":", label=_claimed(found))
    axes.set_xlim(0, across[-1])
    axes.set_xlabel("ε")
    axes.set_ylabel("p-value")


def _claimed_place(found: Attack) -> float:
    return float_of(enclose_in_decimals(claimed_epsilon(found), _PLACES)[1])


def _claimed(found: Attack) -> str:
    if found.ledger is not None:
        return "the ledger"
    return f"ε = {shortest_text(claimed_epsilon(found))}"

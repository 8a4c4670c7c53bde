r"""Answers as pictures: the privacy profile as a band, and claims beside what rules give.

Rules of this file: what is drawn was certified before; as in :mod:`exactdp.cli.plotting` numbers
become floats for the eye alone, and nothing is told by colour alone.

Theory of operation: δ runs upward by its decimal logarithm, which this file takes, so that a δ of
2^-1000 has its place; what is below the least δ that is spoken of, and a little more, is cut off. A
claim may be about ε, ρ or μ, so that bounds are drawn as multiples of what is claimed: what lies to
the right of 1 is more than the claim.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final, Literal

from gmpy2 import mpq

from exactdp.answers.results import Composition, ProfilePoint
from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.claims.texts import claim_text
from exactdp.claims.verdicts import OUTCOMES, ClaimOutcome
from exactdp.cli.options import stem_of
from exactdp.cli.plotting import figure_page, nearest_float
from exactdp.errors import shorten
from exactdp.pages.number_text import exact_text, rational_text
from exactdp.pages.phrases import heading
from exactdp.pages.profile_band import profile_band

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from exactdp.claims.claims import Judgement
    from exactdp.pages.facts.claims import AuditedLedger

Look = Literal["answer", "held", "refuted", "open"]

_SIZE: Final = (6.4, 4.4)
_LINE: Final = 60
_WIDTH: Final = 11.0
_ROW: Final = 0.34
_MARGINS: Final = 1.7
_PLACES: Final = 30
_GREATEST: Final = mpq(10) ** 300
_DEEPEST: Final = -12
_BELOW: Final = 3
_LOOKS: Final[dict[Look, tuple[str, str]]] = {
    "answer": ("#000000", "D"),
    "held": ("#009e73", "o"),
    "refuted": ("#d55e00", "X"),
    "open": ("#0072b2", "s"),
}
_BAND: Final = "#0072b2"
_LEAST_RATIO: Final = mpq(1, 100)
_GREATEST_RATIO: Final = mpq(3)


@dataclass(frozen=True, slots=True)
class ProfileMark:
    """A point of a profile's picture: an ε at a δ, and what is said of it."""

    name: str
    epsilon: mpq
    delta: mpq
    look: Look


@dataclass(frozen=True, slots=True)
class ClaimBound:
    """What a rule gives for a claim, as a multiple of what is claimed.

    Attributes:
        rule: its name.
        least: the lower end of that multiple.
    """

    rule: str
    least: mpq


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim in a picture, with the bounds beside it."""

    name: str
    look: Look
    bounds: Sequence[ClaimBound]


def look_of(outcome: ClaimOutcome) -> Look:
    """How a claim with this outcome is marked."""
    if outcome in ("holds", "holds-with-equality"):
        return "held"
    return "refuted" if outcome == "refuted" else "open"


def band_picture(
    points: Sequence[ProfilePoint], marks: Sequence[ProfileMark], title: str, suffix: str
) -> bytes:
    """The profile between its certified ends, and points, in the format that a suffix names."""
    spoken_of = [_logarithm(mark.delta) for mark in marks if mark.delta > 0]
    bottom = min(math.floor(min(spoken_of)) - _BELOW, -_BELOW) if spoken_of else _DEEPEST

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        across = [_across(enclose_in_decimals(point.epsilon, _PLACES)[1]) for point in points]
        low = [_height(point.lower_end, bottom) for point in points]
        high = [_height(point.upper_end, bottom) for point in points]
        axes.fill_between(across, low, high, color=_BAND, alpha=0.3, label="certified band")
        axes.plot(across, high, color=_BAND, linewidth=1.4, label="δ at most")
        axes.plot(across, low, color=_BAND, linewidth=1.0, linestyle="--", label="δ at least")
        for mark in marks:
            _draw_mark(axes, mark, bottom)
        axes.set_xlim(0, across[-1])
        axes.set_ylim(bottom, 0.2)
        axes.yaxis.set_major_formatter(lambda value, _: _power(value))
        axes.locator_params(axis="y", integer=True)
        axes.set_xlabel("ε")
        axes.set_ylabel("δ")
        axes.legend(loc="upper right", frameon=False)
        axes.spines[["top", "right"]].set_visible(False)

    return figure_page(draw, "\n".join(wrap(title, _LINE)), suffix, _SIZE)


def claims_picture(rows: Sequence[ClaimRow], title: str, suffix: str) -> bytes:
    """Claims, and beside each what rules give, as multiples of what is claimed."""
    lines = max(sum(1 + len(row.bounds) for row in rows), 1)

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(1, color="#888888", linewidth=1.0)
        names, place = [], 0
        for row in rows:
            colour, shape = _LOOKS[row.look]
            axes.plot([1], [place], color=colour, marker=shape, markersize=9, linestyle="none")
            names.append(row.name)
            for bound in row.bounds:
                place += 1
                least = nearest_float(min(bound.least, _GREATEST_RATIO))
                beyond = bound.least > _GREATEST_RATIO
                shape = ">" if beyond else "|"
                axes.plot([1, least], [place, place], color="#888888", linewidth=0.8)
                axes.plot([least], [place], color="#000000", marker=shape, markersize=9)
                names.append(f"{bound.rule}  {_ratio(bound.least)}")
            place += 1
        axes.set_yticks(range(len(names)), names, parse_math=False)
        axes.set_ylim(lines - 0.5, -0.5)
        axes.set_xlim(*_limits(rows))
        axes.set_xlabel("what a rule gives, at least\n(as a multiple of the claim)")
        axes.spines[["top", "right"]].set_visible(False)

    return figure_page(draw, title, suffix, (_WIDTH, _MARGINS + _ROW * lines))


def _limits(rows: Sequence[ClaimRow]) -> tuple[float, float]:
    ratios = [bound.least for row in rows for bound in row.bounds]
    top = min(max([mpq(1), *ratios]), _GREATEST_RATIO)
    bottom = max(min([mpq(1), *ratios]), mpq(0))
    room = max(top - bottom, _LEAST_RATIO) / 10
    return nearest_float(max(bottom - room, mpq(0))), nearest_float(top + room)


def _ratio(value: mpq) -> str:
    """A multiple for the eye, rounded."""
    return f"× {nearest_float(value):.9g}" if value < _GREATEST else "× more than 1e300"


def _draw_mark(axes: Axes, mark: ProfileMark, bottom: int) -> None:
    colour, shape = _LOOKS[mark.look]
    x, y = _across(mark.epsilon), _height(mark.delta, bottom)
    if mark.look == "answer":
        axes.plot([0, x, x], [y, y, bottom], color=colour, linewidth=0.8, linestyle=":")
    axes.plot(
        [x], [y], color=colour, marker=shape, linestyle="none", label=mark.name, clip_on=False
    )


def _across(epsilon: mpq) -> float:
    return nearest_float(min(epsilon, _GREATEST))


def _height(delta: mpq, bottom: int) -> float:
    return max(_logarithm(delta), float(bottom)) if delta > 0 else float(bottom)


def _logarithm(value: mpq) -> float:
    """The decimal logarithm of a number that may be too small for a float."""
    return math.log10(int(value.numerator)) - math.log10(int(value.denominator))


def _power(exponent: float) -> str:
    return "1" if exponent == 0 else f"1e{exponent:g}"


def composition_picture(
    answer: Composition, judgements: Sequence[Judgement], suffix: str, max_cost: int
) -> bytes:
    """The profile, with the answer and the claims in it."""
    marks = []
    if answer.upper_end is not None:
        marks.append(ProfileMark("the answer", answer.upper_end, answer.delta, "answer"))
    claimed = [(each, each.claim.epsilon) for each in judgements if each.claim.epsilon is not None]
    for judgement, epsilon in claimed:
        upper = enclose_in_decimals(epsilon, _PLACES)[1]
        name = f"claim: {judgement.outcome_text}"
        look = look_of(judgement.outcome)
        marks.append(ProfileMark(name, upper, judgement.claim.delta or mpq(0), look))
    band = profile_band(
        answer.ledger, answer.upper_end or mpq(0), [each for _, each in claimed], max_cost=max_cost
    )
    return band_picture(band, marks, heading(answer.ledger), suffix)


def audit_picture(reports: Sequence[AuditedLedger], suffix: str) -> bytes:
    """Every claim of a number above 0, and beside it what rules give."""
    rows = []
    for report in reports:
        for audited in report.claims:
            number = audited.claimed
            most = mpq(0) if number is None else enclose_in_decimals(number, _PLACES)[1]
            if not most:
                continue
            bounds = [
                ClaimBound(verdict.rule, verdict.least[0] / most)
                for verdict in audited.verdicts
                if verdict.least is not None and not verdict.assumption
            ]
            text = claim_text(audited.claim, exact_text, rational_text)
            outcome = OUTCOMES[audited.outcome].partition(":")[0]
            title = f"{shorten(stem_of(report.source))}: {text}, {outcome}"
            rows.append(ClaimRow(title, look_of(audited.outcome), bounds))
    return claims_picture(rows, "Claims, and what rules give", suffix)

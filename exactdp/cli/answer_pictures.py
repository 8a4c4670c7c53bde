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
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.claims.outcomes import OUTCOMES
from exactdp.claims.texts import claim_text
from exactdp.cli.options import stem_of
from exactdp.cli.plotting import figure_page
from exactdp.composition.answers.results import Composition, ProfilePoint
from exactdp.errors import shorten
from exactdp.ledger.model import Ledger
from exactdp.pages.number_text import exact_text, float_of, log_of, rational_text
from exactdp.pages.phrases import heading
from exactdp.pages.profile_band import profile_band
from exactdp.pages.standing import Standing, standing_of_outcome

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from exactdp.claims.claims import Judgement
    from exactdp.pages.facts.claims import AuditedLedger

_ANSWER: Final = ("#000000", "D")
_SIZE: Final = (6.4, 4.4)
_LINE: Final = 60
_WIDTH: Final = 11.0
_ROW: Final = 0.34
_MARGINS: Final = 1.7
_PLACES: Final = 30
_GREATEST: Final = mpq(10) ** 300
_DEEPEST: Final = -12
_BELOW: Final = 3
_LOOKS: Final[dict[Standing, tuple[str, str]]] = {
    "proved": ("#009e73", "o"),
    "computed": ("#009e73", "^"),
    "refuted": ("#d55e00", "X"),
    "infeasible": ("#0072b2", "s"),
    "unsettled": ("#0072b2", "s"),
}
_BAND: Final = "#0072b2"
_LEAST_RATIO: Final = mpq(1, 100)
_GREATEST_RATIO: Final = mpq(3)


class ProfileMark(NamedTuple):
    """A point of a profile's picture, and what has become of it; None for the answer."""

    name: str
    epsilon: mpq
    delta: mpq
    standing: Standing | None = None


class ClaimRow(NamedTuple):
    """A claim in a picture, and by rule the lower end of what it gives, over what is claimed."""

    name: str
    standing: Standing
    bounds: Sequence[tuple[str, mpq]]


def band_picture(
    points: Sequence[ProfilePoint], marks: Sequence[ProfileMark], title: str, suffix: str
) -> bytes:
    """The profile between its ends, and points, in the format that a suffix names."""
    spoken_of = [log_of(mark.delta) for mark in marks if mark.delta > 0]
    bottom = min(math.floor(min(spoken_of)) - _BELOW, -_BELOW) if spoken_of else _DEEPEST

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        across = [_across(enclose_in_decimals(point.epsilon, _PLACES)[1]) for point in points]
        low = [_height(point.lower_end, bottom) for point in points]
        high = [_height(point.upper_end, bottom) for point in points]
        axes.fill_between(across, low, high, color=_BAND, alpha=0.3, label="band (computed)")
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
            colour, shape = _LOOKS[row.standing]
            axes.plot([1], [place], color=colour, marker=shape, markersize=9, linestyle="none")
            names.append(row.name)
            for rule, bound in row.bounds:
                place += 1
                least = float_of(min(bound, _GREATEST_RATIO))
                shape = ">" if bound > _GREATEST_RATIO else "|"
                axes.plot([1, least], [place, place], color="#888888", linewidth=0.8)
                axes.plot([least], [place], color="#000000", marker=shape, markersize=9)
                names.append(f"{rule}  {_ratio(bound)}")
            place += 1
        axes.set_yticks(range(len(names)), names, parse_math=False)
        axes.set_ylim(lines - 0.5, -0.5)
        axes.set_xlim(*_limits(rows))
        axes.set_xlabel("what a rule gives, at least\n(as a multiple of the claim)")
        axes.spines[["top", "right"]].set_visible(False)

    return figure_page(draw, title, suffix, (_WIDTH, _MARGINS + _ROW * lines))


def _limits(rows: Sequence[ClaimRow]) -> tuple[float, float]:
    ratios = [bound for row in rows for _, bound in row.bounds]
    top = min(max([mpq(1), *ratios]), _GREATEST_RATIO)
    bottom = max(min([mpq(1), *ratios]), mpq(0))
    room = max(top - bottom, _LEAST_RATIO) / 10
    return float_of(max(bottom - room, mpq(0))), float_of(top + room)


def _ratio(value: mpq) -> str:
    """A multiple for the eye, rounded."""
    return f"× {float_of(value):.9g}" if value < _GREATEST else "× more than 1e300"


def _draw_mark(axes: Axes, mark: ProfileMark, bottom: int) -> None:
    colour, shape = _ANSWER if mark.standing is None else _LOOKS[mark.standing]
    x, y = _across(mark.epsilon), _height(mark.delta, bottom)
    if mark.standing is None:
        axes.plot([0, x, x], [y, y, bottom], color=colour, linewidth=0.8, linestyle=":")
    axes.plot(
        [x], [y], color=colour, marker=shape, linestyle="none", label=mark.name, clip_on=False
    )


def _across(epsilon: mpq) -> float:
    return float_of(min(epsilon, _GREATEST))


def _height(delta: mpq, bottom: int) -> float:
    return max(log_of(delta), float(bottom)) if delta > 0 else float(bottom)


def _power(exponent: float) -> str:
    return "1" if exponent == 0 else f"1e{exponent:g}"


def composition_picture(
    answer: Composition, judgements: Sequence[Judgement], suffix: str, max_cost: int
) -> bytes:
    """The profile, with the answer and the claims in it."""
    marks = []
    if answer.upper_end is not None:
        marks.append(ProfileMark("the answer", answer.upper_end, answer.delta))
    claimed = [(each, each.claim.epsilon) for each in judgements if each.claim.epsilon is not None]
    for judgement, epsilon in claimed:
        upper, delta = enclose_in_decimals(epsilon, _PLACES)[1], judgement.claim.delta or mpq(0)
        standing = standing_of_outcome(judgement.outcome, is_computed=judgement.is_computed)
        marks.append(ProfileMark(f"claim: {judgement.outcome_text}", upper, delta, standing))
    least, others = answer.upper_end or mpq(0), [each for _, each in claimed]
    band = profile_band(answer.ledger, least, others, max_cost=max_cost)
    return band_picture(band, marks, heading(answer.ledger), suffix)


def claim_picture(
    ledger: Ledger, claim: tuple[ExactNumber, mpq], standing: Standing, suffix: str, max_cost: int
) -> bytes:
    """The profile, with a claim in it."""
    epsilon, delta = claim
    most = enclose_in_decimals(epsilon, _PLACES)[1]
    text = f"claim: ε = {exact_text(epsilon)} at δ = {rational_text(delta)}, {standing}"
    band = profile_band(ledger, most, (), max_cost=max_cost)
    marks = [ProfileMark(text, most, delta, standing)]
    return band_picture(band, marks, heading(ledger), suffix)


def audit_picture(reports: Sequence[AuditedLedger], suffix: str) -> bytes:
    """Every claim of a number above 0, and beside it what rules give."""
    rows = []
    for source, audited in ((r.source, each) for r in reports for each in r.claims):
        number = audited.claimed
        most = mpq(0) if number is None else enclose_in_decimals(number, _PLACES)[1]
        if not most:
            continue
        bounds = [
            (verdict.rule, verdict.least[0] / most)
            for verdict in audited.verdicts
            if verdict.least is not None and not verdict.assumption
        ]
        text = claim_text(audited.claim, exact_text, rational_text)
        outcome = OUTCOMES[audited.outcome].partition(":")[0]
        title = f"{shorten(stem_of(source))}: {text}, {outcome}"
        standing = standing_of_outcome(audited.outcome, is_computed=audited.is_computed)
        rows.append(ClaimRow(title, standing, bounds))
    return claims_picture(rows, "Claims, and what rules give", suffix)

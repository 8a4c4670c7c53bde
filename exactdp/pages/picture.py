r"""The privacy profile as a picture, in SVG within the page.

Rules of this file: a picture is for the eye, so that here alone numbers become floats; what it
shows stands beside it in a table; nothing is told by colour alone.

Theory of operation: ε runs to the right, δ upward on a logarithmic scale. The band lies between
the ends of the profile, smooth from point to point; what leaves the frame below is cut off. A claim
is a point, whose shape says what has become of it; one with δ = 0 stands on the lower edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from string import ascii_lowercase
from typing import Final, TypeGuard

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.composition.answers.results import Composition
from exactdp.pages.band import Band, Pair
from exactdp.pages.facts.claims import claimed_text, standing_of
from exactdp.pages.findings import Findings
from exactdp.pages.markup import Markup, joined, tag
from exactdp.pages.number_text import float_of, log_of
from exactdp.pages.standing import Standing

_WIDTH: Final = 440
_HEIGHT: Final = 300
_LEFT: Final = 56
_RIGHT: Final = 14
_TOP: Final = 14
_BOTTOM: Final = 44
_DEFAULT_DEPTH: Final = -12
_BELOW: Final = 3
_TICKS: Final = 6
_STEPS: Final = (1, 2, 5, 10)
_MARK: Final = 5.0
_PLACES: Final = 320
_FAR: Final = 4  # times the width of the band: a claim beyond has no place in the picture
_ROOM: Final = mpq(17, 16)
_LEAST: Final = mpq(10) ** -300
_GREATEST: Final = mpq(10) ** 300
MARKS: Final[dict[Standing, str]] = {
    "proved": "a disc",
    "computed": "a triangle",
    "refuted": "a cross",
    "unsettled": "a square",
}


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a pair (ε, δ) stands."""

    farthest: mpq
    depth: int

    @property
    def top(self) -> float:
        return float_of(self.farthest)

    def x(self, epsilon: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * epsilon / self.top, 2)

    def y(self, delta: mpq) -> float:
        """The height of δ; the lower edge for what is at most there."""
        share = 1.0 if delta <= 0 else min(log_of(delta) / self.depth, 1.0)
        return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * share, 2)


def is_drawable(band: Band | None) -> TypeGuard[Band]:
    """Whether there is a curve, and its ε are numbers that a picture can show."""
    return band is not None and _LEAST < band.farthest < _GREATEST


def profile_picture(findings: Findings, band: Band, identifier: str) -> Markup:
    """The band, what is claimed and the answer; an image with a title and a description."""
    frame = _frame(findings, band)
    title, description = f"{identifier}-title", f"{identifier}-description"
    parts = [
        tag("title", "Privacy profile", id=title),
        tag("desc", _described(band), id=description),
        *_axes(frame),
        _area(band, frame),
        *_answer_mark(findings.answer, frame),
        *_claim_marks(findings, frame),
        *_other_marks(findings, frame),
    ]
    return tag(
        "svg",
        *parts,
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_labelledby=f"{title} {description}",
        class_="profile",
    )


def _described(band: Band) -> str:
    (left, high), (right, low) = band.above[0], band.above[-1]
    return (
        f"A falling curve: δ from {float_of(high):.2g} at ε = {float_of(left):.4g} down to "
        f"{float_of(low):.2g} at ε = {float_of(right):.4g}. The table below has its points."
    )


def _frame(findings: Findings, band: Band) -> _Frame:
    """All of the band and near claims to the right; below, a little more than the least δ."""
    answer = findings.answer
    deltas = [answer.delta] if answer is not None else []
    deltas += [each.claim.delta for each in findings.claims if each.claim.delta]
    deltas += [each.delta for each in findings.marks]
    logs = [log_of(delta) for delta in deltas if delta > 0]
    depth = math.floor(min(logs)) - _BELOW if logs else _DEFAULT_DEPTH
    claimed = (each.claim.epsilon for each in findings.claims)
    spoken = [enclose_in_decimals(each, _PLACES)[1] for each in claimed if each is not None]
    spoken += [each.epsilon for each in findings.marks]
    near = (each * _ROOM for each in spoken if each <= _FAR * band.farthest)
    return _Frame(max([band.farthest, *near]), min(depth, -_BELOW))


def _area(band: Band, frame: _Frame) -> Markup:
    """Along the lower edge, and back along the upper one."""
    below, above = (
        [(frame.x(float_of(epsilon)), frame.y(delta)) for epsilon, delta in edge]
        for edge in (band.below, [*reversed(band.above)])
    )
    (x, y), (x2, y2) = below[0], above[0]
    there, back = "".join(_curve(below)), "".join(_curve(above))
    return tag("path", class_="band", d=f"M{x} {y}{there}L{x2} {y2}{back}Z")


def _curve(points: Sequence[tuple[float, float]]) -> Iterator[str]:
    """Arcs through points that never turn back between two of them, as cubic Bézier curves.

    The slope at a point is the harmonic mean of those on either side, or 0 where these differ in
    sign (Fritsch and Butland, 1984); where two points stand above each other it is a line.
    """
    secants = [
        (y2 - y1) / (x2 - x1) if x1 != x2 else 0.0 for (x1, y1), (x2, y2) in pairwise(points)
    ]
    inner = (2 * a * b / (a + b) if a * b > 0 else 0.0 for a, b in pairwise(secants))
    slopes = [*secants[:1], *inner, *secants[-1:]]
    for ((x1, y1), (x2, y2)), (left, right) in zip(pairwise(points), pairwise(slopes), strict=True):
        third = (x2 - x1) / 3
        bent = (x1 + third, y1 + left * third, x2 - third, y2 - right * third, x2, y2)
        yield "C" + " ".join(f"{round(each, 2):g}" for each in bent)


# --- axes ---------------------------------------------------------------------------------------


def _axes(frame: _Frame) -> Iterator[Markup]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    for exponent in range(0, frame.depth - 1, -_stride(frame.depth)):
        y = frame.y(mpq(10) ** exponent)
        yield tag("line", class_="grid", x1=_LEFT, x2=right, y1=y, y2=y)
        raised = tag("tspan", str(exponent).replace("-", "−"), dy=-5, class_="raised")
        label = joined(("10", raised)) if exponent else Markup("1")
        yield tag("text", label, x=_LEFT - 6, y=y + 4, text_anchor="end")
    for tick in _ticks(frame.top):
        x = frame.x(tick)
        yield tag("line", class_="grid", x1=x, x2=x, y1=_TOP, y2=bottom)
        yield tag("text", f"{tick:.10g}", x=x, y=bottom + 16, text_anchor="middle")
    yield tag("path", class_="axis", d=f"M{_LEFT} {_TOP}V{bottom}H{right}")
    middle = (_LEFT + right) / 2
    yield tag("text", "ε", class_="name", x=middle, y=_HEIGHT - 8, text_anchor="middle")
    yield tag("text", "δ", class_="name", x=12, y=(_TOP + bottom) / 2, text_anchor="middle")


def _stride(depth: int) -> int:
    return max(1, math.ceil(-depth / _TICKS))


def _ticks(top: float) -> Iterator[float]:
    power = 10.0 ** math.floor(math.log10(top / _TICKS))
    step = next(each * power for each in _STEPS if each * power * _TICKS >= top)
    count = 0
    while count * step <= top:
        yield count * step
        count += 1


# --- points -------------------------------------------------------------------------------------


def _answer_mark(answer: Composition | None, frame: _Frame) -> Iterator[Markup]:
    if answer is None or answer.upper_end is None:
        return
    x, y = frame.x(float_of(answer.upper_end)), frame.y(answer.delta)
    yield tag("line", class_="target", x1=_LEFT, x2=x, y1=y, y2=y)
    yield tag("line", class_="target", x1=x, x2=x, y1=y, y2=_HEIGHT - _BOTTOM)


def _claim_marks(findings: Findings, frame: _Frame) -> Iterator[Markup]:
    for number, claim in enumerate(findings.claims, start=1):
        if claim.claim.epsilon is not None:
            epsilon = enclose_in_decimals(claim.claim.epsilon, _PLACES)[1]
            title = f"Claim {number}: {claimed_text(claim)}"
            place = epsilon, claim.claim.delta or mpq(0)
            yield from _mark(frame, place, standing_of(claim), str(number), title)


def _other_marks(findings: Findings, frame: _Frame) -> Iterator[Markup]:
    for letter, mark in zip(letters(), findings.marks, strict=False):
        title = f"{letter}: {mark.name}, {mark.text}"
        yield from _mark(frame, (mark.epsilon, mark.delta), mark.standing, letter, title)


def _mark(
    frame: _Frame, place: Pair, standing: Standing, sign: str, title: str
) -> Iterator[Markup]:
    """A point with its sign, unless it is beyond the frame."""
    epsilon, delta = place
    if not 0 <= epsilon <= frame.farthest:
        return
    x, y = frame.x(float_of(epsilon)), frame.y(delta)
    parts = [tag("title", title), _shape(standing, x, y), tag("text", sign, x=x + 8, y=y - 6)]
    yield tag("g", *parts, class_=f"mark {standing}")


def letters() -> Iterator[str]:
    """What numbers of others are called: a, b, …, z, a2, b2, …."""
    for turn in count(1):
        for letter in ascii_lowercase:
            yield letter if turn == 1 else f"{letter}{turn}"


def _shape(standing: Standing, x: float, y: float) -> Markup:
    if standing == "proved":
        return tag("circle", cx=x, cy=y, r=_MARK)
    if standing == "refuted":
        r = _MARK
        return tag(
            "path", d=f"M{x - r:.2f} {y - r:.2f}l{2 * r} {2 * r}m0 {-2 * r}l{-2 * r} {2 * r}"
        )
    if standing == "computed":
        r = _MARK
        return tag("path", d=f"M{x:.2f} {y - r:.2f}l{r} {2 * r}h{-2 * r}z")
    return tag("rect", x=round(x - _MARK, 2), y=round(y - _MARK, 2), width=10, height=10)


def legend() -> Markup:
    """What the shapes stand for."""
    return joined(
        f"{'; ' if place else ''}{shape}: {standing}"
        for place, (standing, shape) in enumerate(MARKS.items())
    )

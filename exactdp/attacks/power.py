r"""The power of an attack, between ends, from points of the privacy profile.

Rules of this file: rationals alone, and every end is safe whatever the points are: more points and
narrower ones bring the ends together.

Theory of operation: an attack tells P (with the member) from Q (without). Its greatest rate of true
positives at a rate of false positives of at most α is inf h(z) + zα over z ≥ 0, where h is the
hockey-stick divergence of P from Q (Dong, Roth & Su, JRSS B 2022, Prop 6, by duality of tests). So
each point from above is an upper end. Below 1 points are those of exchanged roles:
h(z) = 1 - z + z·h′(1/z).

A lower end takes one point from below and two from above. The pair of laws that attains the point
from below has a convex profile, and this is below the two others, as all are. So it is above the
lines that lead through these to the point, continued beyond it, and above 1 - z and 0: where the
lines turn near the slope -α, little is lost. Which pair it is need not be known. Where one pair,
the same in both roles, is known to attain all points from below, its profile is above such lines
between any two of them, and the ends meet at angles too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from gmpy2 import mpq

from exactdp.composition.answers.results import ProfilePoint

_ONE: Final = mpq(1)
_BESIDE: Final = 12


@dataclass(frozen=True, slots=True)
class RatioPoint:
    """The profile at a ratio of probabilities.

    Attributes:
        ratio: z, above 0.
        lower: some pair of laws has a divergence of at least this.
        upper: none has a greater one.
        source: the point of the profile that says so.
    """

    ratio: mpq
    lower: mpq
    upper: mpq
    source: ProfilePoint


def both_roles(ratio: mpq, point: ProfilePoint) -> tuple[RatioPoint, RatioPoint]:
    """What the profile at ε = ln(``ratio``), of at least 0, says at the ratio and its inverse."""
    low, high = point.lower_end, point.upper_end
    inverse = 1 / ratio
    below, above = (1 - inverse + inverse * end for end in (low, high))
    return RatioPoint(ratio, low, high, point), RatioPoint(inverse, below, above, point)


class PowerEnd(NamedTuple):
    """An end of the rate of true positives, and the points that it rests on; none if trivial."""

    value: mpq
    points: tuple[RatioPoint, ...]


def most_power(points: Sequence[RatioPoint], alpha: mpq) -> PowerEnd:
    """No attack with at most ``alpha`` false positives has more true ones than this."""
    best = min(points, key=lambda point: point.upper + point.ratio * alpha)
    value = best.upper + best.ratio * alpha
    return PowerEnd(value, (best,)) if value < 1 else PowerEnd(_ONE, ())


def least_power(points: Sequence[RatioPoint], alpha: mpq) -> PowerEnd:
    """Some attack with at most ``alpha`` false positives has as many true ones as this."""
    best = PowerEnd(alpha, ())  # who guesses without looking
    near = _near_the_best(points, alpha)
    for at, point in enumerate(near):
        left, right = _flattest(point, near[:at]), _steepest(point, near[at + 1 :])
        value = min(_beyond(point, left[0], alpha), _before(point, right[0], alpha))
        if value > best.value:
            beside = (each for _, each in (left, right) if each is not None)
            best = PowerEnd(value, (point, *beside))
    return best


def least_power_of_one_pair(points: Sequence[RatioPoint], alpha: mpq) -> mpq:
    """As :func:`least_power`, where one pair attains each point from below, in both roles."""
    ordered = ordered_points(points)
    slopes = [_flattest(point, ordered[:at][-1:])[0] for at, point in enumerate(ordered)]
    falls = [_steepest(point, ordered[at + 1 : at + 2])[0] for at, point in enumerate(ordered)]
    found = [_before(ordered[0], falls[0], alpha), _beyond(ordered[-1], slopes[-1], alpha)]
    found += [
        _between(left, right, slope, fall, alpha)
        for (left, right), slope, fall in zip(pairwise(ordered), slopes, falls[1:], strict=False)
    ]
    return max(alpha, min(found))


def ordered_points(points: Iterable[RatioPoint]) -> list[RatioPoint]:
    """Points by their ratios, each once."""
    return sorted({each.ratio: each for each in points}.values(), key=lambda each: each.ratio)


def _near_the_best(points: Sequence[RatioPoint], alpha: mpq) -> list[RatioPoint]:
    """The points about that of the upper end, in order."""
    ordered = ordered_points(points)
    best = ordered.index(min(ordered, key=lambda point: point.upper + point.ratio * alpha))
    return ordered[max(0, best - _BESIDE) : best + _BESIDE + 1]


def _flattest(point: RatioPoint, others: Sequence[RatioPoint]) -> tuple[mpq, RatioPoint | None]:
    """The greatest known slope beyond the point, which is at most 0, and by which other point."""
    found: list[tuple[mpq, RatioPoint | None]] = [(-(1 - point.lower) / point.ratio, None)]
    found += [((point.lower - each.upper) / (point.ratio - each.ratio), each) for each in others]
    slope, by = max(found, key=lambda pair: pair[0])
    return min(slope, mpq(0)), by


def _steepest(point: RatioPoint, others: Sequence[RatioPoint]) -> tuple[mpq, RatioPoint | None]:
    """How fast it falls at least before the point, and by which other point."""
    found: list[tuple[mpq, RatioPoint | None]] = [(mpq(0), None)]
    found += [((point.lower - each.upper) / (each.ratio - point.ratio), each) for each in others]
    return max(found, key=lambda pair: pair[0])


def _beyond(point: RatioPoint, slope: mpq, alpha: mpq) -> mpq:
    """The least of h(z) + zα from the point on, where h is above the line and 1 - z and 0."""
    if slope >= -alpha:
        return point.lower + point.ratio * alpha
    return max(point.ratio - point.lower / slope, _ONE) * alpha


def _before(point: RatioPoint, fall: mpq, alpha: mpq) -> mpq:
    """The least of h(z) + zα up to the point, where h is above the line and 1 - z."""
    if fall >= alpha:
        return point.lower + point.ratio * alpha
    meeting = (1 - point.lower - fall * point.ratio) / (1 - fall)
    z = max(mpq(0), min(meeting, point.ratio))
    return max(point.lower + fall * (point.ratio - z), 1 - z) + z * alpha


def _between(left: RatioPoint, right: RatioPoint, slope: mpq, fall: mpq, alpha: mpq) -> mpq:
    """The least of h(z) + zα between points, where h is above a line through each of them."""
    places = [left.ratio, right.ratio]
    if slope + fall:
        meeting = right.lower - left.lower + slope * left.ratio + fall * right.ratio
        place = meeting / (slope + fall)
        places += [place] if left.ratio < place < right.ratio else []
    return min(
        max(left.lower + slope * (z - left.ratio), right.lower + fall * (right.ratio - z))
        + z * alpha
        for z in places
    )

r"""Where the profile should be asked about next, so that the ends of an attack's power meet.

Rules of this file: floats guess alone; a bad guess makes ends wider, and none of them false.

Theory of operation: h(z) + zα is convex. Where h is smooth its logarithm is nearly quadratic in
ln z, and so the least place is guessed from three points about the best; where it consists of
straight pieces, as that of few answers does, those on both sides are continued until they meet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_below
from exactdp.attacks.power import RatioPoint, ordered_points

_DIGITS: Final = 12
_STEPS: Final = 60
_GOLDEN: Final = (math.sqrt(5) - 1) / 2
_FARTHEST: Final = 600.0


def ratio_at(logarithm: float) -> mpq:
    """A decimal of at least 1 near e to the power of what is given, or of its negative."""
    size = min(abs(logarithm), _FARTHEST)
    return max(mpq(1), round_below(mpq(Fraction(math.exp(size))), _DIGITS))


def next_places(points: Sequence[RatioPoint], alpha: mpq, *, angles: bool) -> list[float]:
    """Values of ln z to ask about; with ``angles`` those as well where pieces may meet."""
    ordered = ordered_points(points)
    heights = [point.upper + point.ratio * alpha for point in ordered]
    best = heights.index(min(heights))
    around = ordered[max(best - 1, 0) : best + 2]
    found, places = [*_smooth(around, alpha)], [log_of(point.ratio) for point in around]
    if angles or not found:
        found += _meeting(ordered[max(best - 2, 0) : best + 3])
        found += [(left + right) / 2 for left, right in pairwise(places)]
    within = [place for place in found if places[0] < place < places[-1]]
    beyond = [2 * log_of(ordered[best].ratio)] if best in {0, len(ordered) - 1} else []
    return within + beyond


def log_of(value: mpq) -> float:
    """The logarithm, nearly."""
    return math.log(int(value.numerator)) - math.log(int(value.denominator))


def _smooth(around: Sequence[RatioPoint], alpha: mpq) -> Iterator[float]:
    """The least place of e^(a quadratic) + e^x·α, through three points."""
    if len(around) < 3 or not all(point.upper > 0 for point in around):
        return
    (a, b, c), (u, v, w) = zip(*((log_of(p.ratio), log_of(p.upper)) for p in around), strict=True)
    first, second = (v - u) / (b - a), (w - v) / (c - b)
    bend, size = (second - first) / (c - a), log_of(alpha)

    def height(x: float) -> float:
        fitted = u + first * (x - a) + bend * (x - a) * (x - b)
        return _exp(fitted) + _exp(x + size)

    for _ in range(_STEPS):
        left, right = c - _GOLDEN * (c - a), a + _GOLDEN * (c - a)
        if height(left) < height(right):
            c = right
        else:
            a = left
    yield (a + c) / 2


def _exp(x: float) -> float:
    return math.exp(max(-_FARTHEST, min(x, _FARTHEST)))


def _meeting(around: Sequence[RatioPoint]) -> Iterator[float]:
    """Where straight pieces meet: of pairs of neighbours, one or two apart."""
    pairs = list(pairwise(around))
    for skip in (1, 2):
        for (a, b), (c, d) in zip(pairs, pairs[skip:], strict=False):
            fall, slope = (
                (right.upper - left.upper) / (right.ratio - left.ratio)
                for left, right in ((a, b), (c, d))
            )
            if fall == slope:
                continue
            z = (c.upper - a.upper + fall * a.ratio - slope * c.ratio) / (fall - slope)
            if z > 0:
                yield log_of(z)

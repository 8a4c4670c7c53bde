r"""An epoch of shuffled batches with a remainder, from above.

Rules of this file: where sums are looked at decides how near a bound comes, never whether it holds:
floats will do for that. Weights are integers times 10^digits, from below.

Theory of operation: what batch t lacks, U = y·dQ_t/dR - dP_t/dR, has a call function E(U - u)₊ of
at most C(u), given all answers before. So h(y) is at most

.. math:: H(y) = 1 - y + E(\tfrac rn (y - 1) + \tfrac bn \sum U_t)_+

for independent U_t that have C. The law of U is spread over a mesh by the second differences of C,
and powered there. A sum that is far above 0 counts by its mean alone, one far below not at all.

Sources: certs/SPEC.md, sections 7.4, 7.5 and 11.5; the proof is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import ceil, erfc, exp, frexp, log, sqrt
from typing import ClassVar, Final

from flint import arb, fmpz, fmpz_poly
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, double_of, precision
from exactdp.arithmetic.threshold import halved
from exactdp.errors import CostLimitError
from exactdp.mechanisms.pairs import Curve, Direction, SameSupport
from exactdp.mechanisms.sums_of_batches import (
    Sections,
    SumWeights,
    doubling,
    mirrored,
    points_from_zero,
    weight_of,
)

_FINER: Final = 15
_SLACK: Final = 4
_FAR_LOSS: Final = 300.0
_MOST_LOSS: Final = 128.0
_MOST_SQUARE: Final = 60
_HALVINGS: Final = 60
_DEVIATIONS: Final = 8
_RARELY: Final = 0.01
_ROUGH: Final = 0.02
_OF_UNIT: Final = 4.0
_SHARE: Final = 30.0
_FINE: Final = 0.5
_WIDEST: Final = 0.3
_MANY: Final = 400
_ROUND: Final = 1000
_GUARD: Final = 200
_NO_END: Final = 1 << 60
_UNIT: Final = mpq(1, 10)
_LOST: Final = mpq(1, 10**12)


def share_of_variance(unit: mpq) -> float:
    """By what share a variance may grow on a mesh of losses."""
    fine = double_of(unit)
    return min(_OF_UNIT * fine**2, fine / _SHARE, _ROUGH)


def lacking(loss: arb, u: arb, square: mpq, *, far: bool) -> arb:
    """C(u) for y = e^loss and noise of 1/square; ``far``: where a record is replaced."""
    odds = loss.exp()
    if u > 0:
        return odds * _profile((1 + u).log() - loss, 4 * square if far else square)
    if far:
        return (odds - u) * _profile(-(odds - u).log(), 4 * square)
    s = ball_of_rational(square)
    own, rest = odds * (3 * s / 2).exp(), -u * (2 * s).exp()
    output = ((own + (own * own + 4 * rest).sqrt()) / 2).log()
    root = (2 * s).sqrt()
    m, n, other = ((-(output - mean * s) / root).erfc() / 2 for mean in (2, 0, 1))
    return odds * other - m - u * n


def _profile(loss: arb, square: mpq) -> arb:
    """Of Gaussian noise."""
    half = ball_of_rational(square) / 2
    root = (4 * half).sqrt()
    p, q = ((loss - half) / root).erfc() / 2, ((loss + half) / root).erfc() / 2
    return p - loss.exp() * q


def _about_lacking(loss: float, square: float, *, far: bool) -> Callable[[float], float]:
    """C in doubles."""
    odds, reach = exp(loss), 4 * square if far else square

    def profile(at: float) -> float:
        root = sqrt(2 * reach)
        here, there = (at - reach / 2) / root, (at + reach / 2) / root
        return max(0.0, erfc(here) / 2 - exp(min(at, _FAR_LOSS)) * erfc(there) / 2)

    def value(u: float) -> float:
        if u > 0:
            return odds * profile(log(1 + u) - loss)
        if far:
            return (odds - u) * profile(-log(odds - u))
        own, rest = odds * exp(3 * square / 2), -u * exp(2 * square)
        output = log((own + sqrt(own * own + 4 * rest)) / 2)
        m, n, other = (erfc(-(output - mean * square) / sqrt(2 * square)) / 2 for mean in (2, 0, 1))
        return odds * other - m - u * n

    return value


@dataclass(frozen=True, slots=True)
class Height:
    """Where the curve at one loss is looked at: what batches lack, less an offset, and its sums."""

    unit: mpq
    offset: mpq
    below: Sections
    """Points below the offset, from it on."""

    above: Sections
    first: int

    def places(self) -> list[int]:
        """The points, in order."""
        return [-each for each in reversed(points_from_zero(self.below))] + points_from_zero(
            self.above
        )[1:]

    def parameter(self) -> dict[str, object]:
        """As the format has it."""
        sections = (*mirrored(self.below), *self.above)
        return {
            "first": str(self.first),
            "offset": str(self.offset),
            "points": [
                str(-self.below[-1][1]),
                *(str(each) for section in sections for each in section),
            ],
            "unit": str(self.unit),
        }

    @staticmethod
    def of(epoch: ShuffledEpoch, loss: mpq, lost: mpq, near: float) -> Height:
        """Where to look so that variances are right to a share, and so much may be lost."""
        about = double_of(loss)
        call = _about_lacking(about, double_of(epoch.square), far=epoch.far)
        odds, share = exp(about), double_of(epoch.share)
        core, deviation = _core(call, odds - 1, epoch.batches)
        step = _short(sqrt(6 * near) * core)
        offset = mpq(round((odds - 1) / double_of(step))) * step
        rest = (1 - epoch.batches * share) / share
        gap = epoch.batches * double_of(offset) + rest * (odds - 1)
        width = double_of(step)
        least = -ceil((max(gap, 0.0) + _DEVIATIONS * deviation) / width)
        most = double_of(lost) / (_MANY * epoch.batches * share)
        spread = 1 / sqrt(6 * near)
        enough = max(-gap, 0.0) + _DEVIATIONS * deviation  # a sum so far above is seen in full
        far = min(_far(call, odds - 1, most, width), enough)
        below = doubling(spread, max(2.0, float(-least)))
        return Height(step, offset, below, doubling(spread, far / width), least)


def _short(value: float) -> mpq:
    """A rational near a number above 0, with few digits."""
    share, exponent = frexp(value)
    return mpq(round(share * 32), 32) * mpq(2) ** exponent


def _core(call: Callable[[float], float], mean: float, batches: int) -> tuple[float, float]:
    """About the deviation of what a batch lacks, and of all of them, but for rare jumps."""
    size = abs(mean) + 1.0
    sides = []
    for sign in (-1, 1):
        distances = [size * 2.0 ** (k / 4) for k in range(-20, 160)]
        total, before = 0.0, (0.0, call(mean))
        for each in distances:
            here = call(mean + sign * each)
            width = each - before[0]
            slope = (before[1] - here) / width
            beyond = slope if sign > 0 else 1 + (here - before[1]) / -width
            total += 2 * max(0.0, min(1.0, beyond)) * (before[0] + width / 2) * width
            if batches * beyond < _RARELY:
                break
            before = (each, here)
        sides.append(total)
    core = max(sqrt(sum(sides)), 1e-6 * size)
    return core, core * sqrt(batches)


def _far(call: Callable[[float], float], mean: float, most: float, width: float) -> float:
    """About how far above its mean what a batch lacks hardly ever is."""
    high = max(1.0, mean + 1, 4 * width)
    while call(mean + high) > most and high < exp(_FAR_LOSS):
        high *= 2
    return halved(lambda far: call(mean + far) <= most, 0.0, high, _HALVINGS)[1] + 2 * width


@dataclass(frozen=True, slots=True)
class ShuffledEpoch(SameSupport, Curve):
    """An epoch of shuffled batches with a remainder, by μ²: no data set reveals more."""

    square: mpq
    batches: int
    share: mpq
    """How likely a record is in a given batch."""

    far: bool
    unit: mpq = _UNIT
    lost: mpq = _LOST

    IS_CONVEX: ClassVar[bool] = False

    def on_mesh(self, unit: mpq, lost: mpq) -> ShuffledEpoch:
        return replace(self, unit=unit, lost=lost)

    def profile(self, loss: arb) -> arb:
        """The curve at a short rational near the loss, which no bound is made of."""
        return self.value_at(mpq(round(float(loss) * _ROUND), _ROUND), "remove")

    def value_at(self, loss: mpq, direction: Direction) -> arb:
        """The curve from above at e^loss, or 1 - y + y·h(1/y)."""
        if direction == "add":
            return 1 - ball_of_rational(loss).exp() * (1 - self.value_at(-loss, "remove"))
        known = _profile(ball_of_rational(loss), self._known_batch)
        return known.min(_height(self, loss, self.height(loss)))

    @property
    def _known_batch(self) -> mpq:
        """μ² for someone who knows the batch of the record."""
        return 4 * self.square if self.far else self.square

    def height(self, loss: mpq) -> Height:
        """Where the curve at a loss is looked at."""
        return Height.of(self, loss, self.lost, share_of_variance(self.unit))

    def points_on(self, unit: mpq, direction: Direction) -> tuple[int, Sections]:
        """Steps of 2 around 0, then steps that double up to a widest, to where little is left."""
        fine = double_of(unit)
        ends = [self._end(toward) for toward in ("remove", "add")]
        near = max(_FINE / fine, 16.0) / 2
        wide = max(1, int(_WIDEST / fine / 2))
        above, below = (doubling(near, max(2 * near, end / fine / 2), wide) for end in ends)
        if direction == "add":
            above, below = below, above
        sections = (*mirrored(below), *above)
        return -2 * below[-1][1], tuple((2 * step, 2 * end) for step, end in sections)

    def plan_parameter(
        self, losses: Sequence[mpq], direction: Direction
    ) -> tuple[str, object] | None:
        turned = [-loss if direction == "add" else loss for loss in losses]
        return "heights", [self.height(loss).parameter() for loss in turned]

    def greatest_loss(self, direction: Direction) -> None:
        """There is none that is known."""
        del direction

    def _end(self, direction: Direction) -> float:
        """About where the curve is as little as may be lost."""
        if self.square > _MOST_SQUARE:
            raise _too_little_noise()
        rough = replace(self, unit=mpq(1, 5), lost=self.lost / 10)
        sought = double_of(self.lost)

        def is_beyond(loss: float) -> bool:
            at = mpq(round(loss * _SHARE), round(_SHARE))
            if float(_profile(ball_of_rational(at), self._known_batch).upper()) <= sought:
                return True
            return float(rough.value_at(at, direction).upper()) <= sought

        high = 1.0
        while not is_beyond(high):
            high *= 2
            if high > _MOST_LOSS:
                raise _too_little_noise()
        return halved(is_beyond, high / 2, high, 5)[1]


def _too_little_noise() -> CostLimitError:
    return CostLimitError(
        field="mechanisms",
        value="shuffled batches with little noise, whose losses are too large",
        expected="noise that leaves some privacy",
        remedy="leave batch and records away: then a record's batch counts as known",
    )


@lru_cache(maxsize=4096)
def _height(epoch: ShuffledEpoch, loss: mpq, height: Height) -> arb:
    """1 - y + E((r/n)(y - 1) + (b/n)ΣU)₊, what is lost at the greatest sum.

    At fewer digits than a certificate has, with what the verifier may round beside.
    """
    digits = len(str(int(1 / epoch.lost))) + _FINER + int(max(loss, mpq(0)) * 10 // 23)
    with precision(4 * digits + _GUARD):
        return _height_at(epoch, loss, height, digits)


def _height_at(epoch: ShuffledEpoch, loss: mpq, height: Height, digits: int) -> arb:
    """The height at so many digits."""
    scale, places = fmpz(10) ** digits, height.places()
    unit, offset, y = (ball_of_rational(each) for each in (height.unit, height.offset, loss))
    odds = y.exp()
    values = [lacking(y, offset + k * unit, epoch.square, far=epoch.far) for k in places]
    falls = [arb(1)]
    for (here, after), (low, high) in zip(pairwise(values), pairwise(places), strict=True):
        falls.append((here - after) / ((high - low) * unit))
    falls.append(arb(0))
    one = [fmpz(0)] * (places[-1] - places[0] + 1)
    for k, (before, after) in zip(places, pairwise(falls), strict=True):
        one[k - places[0]] = weight_of((before - after) * scale)
    law = SumWeights(places[0], fmpz_poly(one))
    sums = law.power(epoch.batches, digits, (height.first, _NO_END))
    share = ball_of_rational(epoch.share)
    rest = ball_of_rational(1 - epoch.batches * epoch.share)
    lowest = rest * (odds - 1) + share * epoch.batches * offset
    kept, total = arb(0), fmpz(0)
    for k, weight in sums.listed():
        total += weight
        value = lowest + share * unit * k
        if not value < 0:
            kept += weight * arb(0).max(value)
    most = arb(0).max(lowest + share * unit * epoch.batches * places[-1])
    slack = _SLACK * epoch.batches * (len(places) + 2 * sums.values.length())
    lost = most * (scale - total + slack)
    beyond = share * epoch.batches * values[-1]
    return 1 - odds + (kept + lost) / scale + beyond

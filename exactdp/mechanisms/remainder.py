r"""Gaussian noise on the sums of shuffled batches, the last records of each order left out.

Rules of this file: where sums are looked at decides how near a bound comes, never whether it holds:
floats will do for that. Weights are integers times 10^digits, from below.

Theory of operation: with n records, T batches of b and r = n - Tb left out, let R be an epoch whose
batches have neither the record nor its neighbour. Up to what is revealed anyway, an epoch is

.. math:: P = \tfrac rn R + \tfrac bn \sum_t P_t, \quad Q = \tfrac rn R + \tfrac bn \sum_t Q_t,

and what batch t *lacks*, U = y·dQ_t/dR - dP_t/dR, has a call function E(U - u)₊ of at most C(u),
given all answers before. So h(y) is at most H(y) = 1 - y + E((r/n)(y - 1) + (b/n)ΣU)₊ for
independent U that have C. From above, the law of U is spread over a mesh by the second differences
of C, and powered there. From below, the answers of a batch are cut into cells with scores near
dP_t/dR - dQ_t/dR for the data set whose other records all pull the other way.

Sources: certs/SPEC.md, sections 7.4, 7.5 and 11.5; the proof is ours.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import ceil, erfc, exp, frexp, log, sqrt
from typing import ClassVar, Final

from flint import arb, fmpz, fmpz_poly
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, double_of, precision
from exactdp.arithmetic.numbers import Number
from exactdp.arithmetic.threshold import halved
from exactdp.errors import DomainError, InputError
from exactdp.mechanisms.allocated import Sections, doubling
from exactdp.mechanisms.batches import (
    MOST_BATCHES,
    MOST_RECORDS,
    REACHES,
    GaussianOnBatches,
    norm_of_one,
)
from exactdp.mechanisms.checks import positive, whole
from exactdp.mechanisms.family import REPLACE_ONE, ZERO_OUT, set_field
from exactdp.mechanisms.gaussian import GaussianMechanism
from exactdp.mechanisms.keys import JsonEntry, Key, TextOf, counted, whole_of
from exactdp.mechanisms.pairs import (
    Atom,
    CountedPair,
    Curve,
    Direction,
    OutputTable,
    SameSupport,
)
from exactdp.timing.deadlines import ask

_FINER: Final = 15
_SLACK: Final = 4
_FAR_LOSS: Final = 300.0
_HALVINGS: Final = 60
_DEVIATIONS: Final = 8
_RARELY: Final = 0.01
_ROUGH: Final = 0.02
_OF_UNIT: Final = 4.0
_SHARE: Final = 30.0
_FINE: Final = 0.5
_MANY: Final = 400
_CELL_COST: Final = 200
_NEAR_SCORES: Final = 64
_FAR_SCORE: Final = 3.5
_A_CUT: Final = 1000
_MOST_SCORE: Final = 40_000
_ROUGHLY: Final = 1 << 13
_GUARD: Final = 160
_PRESENT: Final = 2
_NO_END: Final = 1 << 60


@dataclass(frozen=True, slots=True, init=False)
class RemainderGaussianMechanism(GaussianOnBatches):
    r"""Gaussian noise on the sum of every shuffled batch, where some records are left out.

    In each epoch all records are shuffled anew, so many batches are cut off, and the rest, at least
    one record, is in none of them (``drop_last``). Where a record is zeroed out it still counts.

    >>> RemainderGaussianMechanism("1.1", 234, 256, 60000, 60).left_out
    96
    """

    sigma: mpq
    batches: int
    batch: int
    records: int
    epochs: int
    order: str
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            "shuffled",
            "",
            {"batches": None, "batch": None, "records": None, "epochs": "1", "order": "fresh"},
            joins=("sigma",),
            in_cells=False,
        ),
    )

    def __init__(  # noqa: PLR0913 (what an entry has)
        self,
        sigma: Number,
        batches: int,
        batch: int,
        records: int,
        epochs: int = 1,
        order: str = "fresh",
        count: int = 1,
        label: str = "",
    ) -> None:
        """Check and normalise the parameters."""
        set_field(self, "sigma", positive(sigma, "sigma"))
        set_field(self, "batches", whole(batches, "batches", MOST_BATCHES))
        set_field(self, "batch", whole(batch, "batch", MOST_RECORDS))
        set_field(self, "records", whole(records, "records", MOST_RECORDS))
        set_field(self, "epochs", whole(epochs, "epochs", MOST_BATCHES))
        _need_fresh(order)
        set_field(self, "order", order)
        _need_remainder(self.batches, self.batch, self.records)
        self._counted(count, label)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> RemainderGaussianMechanism:
        """Records have norm at most 1: a sensitivity is none that could be stated."""
        norm_of_one(entry, text_of)
        *numbers, order = cls.KEYS[0].read(entry, text_of)
        names = ("batches", "batch", "records", "epochs")
        plan = [whole_of(text, name) for text, name in zip(numbers, names, strict=True)]
        return cls(text_of(entry["sigma"]), *plan, order, *counted(entry))

    @property
    def left_out(self) -> int:
        """How many records an epoch leaves out."""
        return self.records - self.batches * self.batch

    @property
    def neighbours(self) -> tuple[str, ...]:
        return (ZERO_OUT, REPLACE_ONE)

    def with_known_batch(self, relation: str) -> GaussianMechanism:
        """To someone who knows the batch of the record, a release an epoch at most."""
        return GaussianMechanism(
            REACHES[relation] / self.sigma, self.count * self.epochs, self.label
        )

    def pairs(self, relation: str) -> Iterator[CountedPair]:
        """The greatest curve of three laws."""
        share = mpq(self.batch, self.records)
        far = relation == REPLACE_ONE
        yield ShuffledEpoch(1 / self.sigma**2, self.batches, share, far), self.epochs

    def attained(self, relation: str, _tilt: mpq) -> Iterator[CountedPair]:
        """All others pull the other way."""
        share, reach = mpq(self.batch, self.records), REACHES[relation]
        yield ScoredEpoch(1 / self.sigma**2, self.batches, share, 2 - reach), self.epochs

    def gap(self) -> str:
        return "what lies between two data sets: one reveals most above y = 1, the other below"

    def attained_by(self, _relation: str) -> Iterator[str]:
        yield "of shuffled batches, where all other records pull one way and one the other"

    def differs_by_direction(self, relation: str) -> bool:
        return relation != REPLACE_ONE

    def rho_estimate(self) -> mpq:
        """About that of a Poisson sample of twice the reach."""
        return 2 * self.epochs * self.batches * mpq(self.batch, self.records) ** 2 / self.sigma**2


def _need_fresh(order: str) -> None:
    """See that each epoch is shuffled anew."""
    if order != "fresh":
        raise InputError(
            field="order",
            value=order,
            expected="fresh: with records, each epoch is shuffled anew",
            remedy="leave batch and records away: for an order that is kept, what is known of "
            "batches of which each record's is told holds",
        )


def _need_remainder(batches: int, batch: int, records: int) -> None:
    """See that each epoch leaves a record out."""
    left = records - batches * batch
    if left > 0:
        return
    what = "leave no record out" if left == 0 else "hold more than all records"
    raise DomainError(
        field="records",
        value=str(records),
        expected=f"more than {batches * batch}: {batches} batches of {batch} {what}, and what "
        "shuffling hides is known only where some record is in no batch (drop_last)",
        remedy="leave batch and records away: then a record's batch counts as known; or set one "
        "record aside in each epoch",
    )


# --- what a batch lacks -------------------------------------------------------------------------


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
        m, n, other = (
            erfc(-(output - mean * square) / sqrt(2 * square)) / 2 for mean in (2, 0, 1)
        )
        return odds * other - m - u * n

    return value


# --- from above ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Height:
    """Where the curve at one loss is looked at: what batches lack, less an offset, and its sums."""

    unit: mpq
    offset: mpq
    below: Sections
    """Points below the offset, from it on."""

    above: Sections
    first: int

    def listed(self) -> list[int]:
        """The points, in order."""
        found = [-each for each in reversed(_from_zero(self.below))]
        return found + _from_zero(self.above)[1:]

    def parameter(self) -> dict[str, object]:
        """As the format has it."""
        ends = [0, *(end for _, end in self.below)]
        steps = [step for step, _ in self.below]
        mirrored = [(step, -end) for step, end in zip(steps, ends, strict=False)]
        sections = [*reversed(mirrored), *self.above]
        return {
            "first": str(self.first),
            "offset": str(self.offset),
            "points": [str(-ends[-1]), *(str(each) for section in sections for each in section)],
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


def _from_zero(sections: Sections) -> list[int]:
    found = [0]
    for step, end in sections:
        found += range(found[-1] + step, end + 1, step)
    return found


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
    core = sqrt(max(sum(sides), (1e-6 * size) ** 2))
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
    unit: mpq = mpq(1, 10)
    lost: mpq = mpq(1, 10**12)

    IS_CONVEX: ClassVar[bool] = False

    def on_mesh(self, unit: mpq, lost: mpq) -> ShuffledEpoch:
        return replace(self, unit=unit, lost=lost)

    def profile(self, loss: arb) -> arb:
        """The curve at a short rational near the loss, which no bound is made of."""
        return self.value_at(mpq(round(float(loss) * _A_CUT), _A_CUT), "remove")

    def value_at(self, loss: mpq, direction: Direction) -> arb:
        """The curve from above at e^loss, or 1 - y + y·h(1/y)."""
        if direction == "add":
            return 1 - ball_of_rational(loss).exp() * (1 - self.value_at(-loss, "remove"))
        return _height(self, loss, self.height(loss))

    def height(self, loss: mpq) -> Height:
        """Where the curve at a loss is looked at."""
        fine = double_of(self.unit)
        return Height.of(self, loss, self.lost, min(_OF_UNIT * fine**2, fine / _SHARE, _ROUGH))

    def points_on(self, unit: mpq, direction: Direction) -> tuple[int, Sections]:
        """Steps of 2 around 0, then steps that double, up to where little is left."""
        fine = double_of(unit)
        ends = [self._end(toward) for toward in ("remove", "add")]
        near = max(_FINE / fine, 16.0) / 2
        above, below = (doubling(near, max(2 * near, end / fine / 2)) for end in ends)
        if direction == "add":
            above, below = below, above
        listed = [(2 * step, 2 * end) for step, end in below]
        mirrored = [
            (step, -end)
            for (step, _), end in zip(listed, [0, *(end for _, end in listed)], strict=False)
        ]
        return -listed[-1][1], (*reversed(mirrored), *((2 * s, 2 * e) for s, e in above))

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
        rough = replace(self, unit=mpq(1, 5), lost=self.lost / 10)
        sought = double_of(self.lost)

        def is_beyond(loss: float) -> bool:
            at = mpq(round(loss * _SHARE), round(_SHARE))
            return float(rough.value_at(at, direction).upper()) <= sought

        high = 1.0
        while high < _FAR_LOSS and not is_beyond(high):
            high *= 2
        return halved(is_beyond, high / 2, high, 5)[1]


@lru_cache(maxsize=4096)
def _height(epoch: ShuffledEpoch, loss: mpq, height: Height) -> arb:
    """1 - y + E((r/n)(y - 1) + (b/n)ΣU)₊, what is lost at the greatest sum.

    At fewer digits than a certificate has, with what the verifier may round beside.
    """
    digits = len(str(int(1 / epoch.lost))) + _FINER
    scale, listed = fmpz(10) ** digits, height.listed()
    unit, offset, y = (ball_of_rational(each) for each in (height.unit, height.offset, loss))
    odds = y.exp()
    values = [lacking(y, offset + k * unit, epoch.square, far=epoch.far) for k in listed]
    falls = [arb(1)]
    for (here, after), (low, high) in zip(pairwise(values), pairwise(listed), strict=True):
        falls.append((here - after) / ((high - low) * unit))
    falls.append(arb(0))
    one = [fmpz(0)] * (listed[-1] - listed[0] + 1)
    for k, (before, after) in zip(listed, pairwise(falls), strict=True):
        one[k - listed[0]] = _floor((before - after) * scale)
    law = Weights(listed[0], fmpz_poly(one))
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
    most = arb(0).max(lowest + share * unit * epoch.batches * listed[-1])
    slack = _SLACK * epoch.batches * (len(listed) + 2 * sums.values.length())
    lost = most * (scale - total + slack)
    beyond = share * epoch.batches * values[-1]
    return 1 - odds + (kept + lost) / scale + beyond


def _floor(value: arb) -> fmpz:
    """A weight from below."""
    floor = value.lower().floor().unique_fmpz()
    return fmpz(0) if floor is None else max(fmpz(0), floor)


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of consecutive points from the first on."""

    first: int
    values: fmpz_poly

    @staticmethod
    def of(weights: Mapping[int, fmpz]) -> Weights:
        """Weights by their points."""
        first = min(weights)
        values = [fmpz(0)] * (max(weights) - first + 1)
        for j, weight in weights.items():
            values[j - first] = weight
        return Weights(first, fmpz_poly(values))

    def listed(self) -> Iterator[tuple[int, fmpz]]:
        """Points with their weights."""
        return enumerate(self.values.coeffs(), self.first)

    def power(self, count: int, digits: int, window: tuple[int, int]) -> Weights:
        """The sum of so many independent values, from below, each time within a window."""
        whole = self
        for bit in f"{count:b}"[1:]:
            whole = whole.times(whole, digits).within(window)
            if bit == "1":
                whole = whole.times(self, digits).within(window)
        return whole.within(window)

    def times(self, other: Weights, digits: int) -> Weights:
        """The product, rounded down."""
        ask((self.values.length() + other.values.length()) * _CELL_COST)
        both = (self.values * other.values) // fmpz(10) ** digits
        return Weights(self.first + other.first, both)

    def within(self, window: tuple[int, int]) -> Weights:
        """What is beyond a window, at its ends."""
        least, last = window
        end = self.first + int(self.values.length()) - 1
        if least <= self.first and end <= last:
            return self
        found: dict[int, fmpz] = {}
        for j, weight in self.listed():
            at = min(max(j, least), last)
            found[at] = found.get(at, fmpz(0)) + weight
        return Weights.of(found)

    def gathered(self, listed: Sequence[int]) -> dict[int, fmpz]:
        """Each weight at the nearer point of a list, the lower of two as near."""
        halves = [(here + after) / 2 for here, after in pairwise(listed)]
        found: dict[int, fmpz] = {}
        for j, weight in self.listed():
            at = listed[bisect_left(halves, j)]
            found[at] = found.get(at, fmpz(0)) + weight
        return {j: weight for j, weight in found.items() if weight > 0}


# --- from below ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scores:
    """Where a batch is cut, in thousandths of the variance, what its cells score, and their sums.

    Sums are looked at from ``first`` on.
    """

    cuts: tuple[int, ...]
    scores: tuple[int, ...]
    first: int
    sums: Sections

    def parameter(self) -> dict[str, object]:
        """As the format has it."""
        sections = [(1, 0), *self.sums]
        return {
            "cuts": [str(each) for each in self.cuts],
            "scores": [str(each) for each in self.scores],
            "sums": [str(self.first), *(str(each) for section in sections for each in section)],
        }

    def listed(self) -> list[int]:
        """The sums that are looked at, in order."""
        return [*range(self.first, 0), *_from_zero(self.sums)]

    @staticmethod
    def of(epoch: ScoredEpoch, near: float) -> Scores:
        """Scores near the difference of the densities, over that of a batch without the record."""
        square, share = double_of(epoch.square), double_of(epoch.share)
        far = (exp(_FAR_SCORE) - 1) / share
        spread = min(exp(min(4 * square, _FAR_LOSS)), far**2 / epoch.batches)
        core = sqrt(spread)
        step = max(sqrt(12 * near) * core, far / _MOST_SCORE)
        points = _from_zero(doubling(float(_NEAR_SCORES), far / step))
        negative = [-each for each in reversed(points[1:])]
        middle = epoch.zeroed * (1.5 * square - log(2))
        cells = _falling(epoch, step, negative, middle) + _rising(
            epoch, step, [*negative, *points], middle
        )
        cuts, scores = [], [cells[0][1]]
        for at, score in cells[1:]:
            if score != scores[-1]:
                cuts.append(round(at * _A_CUT))
                scores.append(score)
        width = ceil(_DEVIATIONS * core * sqrt(epoch.batches) / step)
        return Scores(tuple(cuts), tuple(scores), -width, doubling(float(width), 1.1 * far / step))


def _score(epoch: ScoredEpoch, at: float) -> float:
    """About the difference of the densities at an output, in units of the variance."""
    square = double_of(epoch.square)
    other = exp(at - square / 2) if epoch.zeroed else 1.0
    return exp(min(2 * at - 2 * square, _FAR_LOSS)) - other


def _falling(
    epoch: ScoredEpoch, step: float, points: Sequence[int], middle: float
) -> list[tuple[float, int]]:
    """Cells below the least score, each with where it begins."""
    if not epoch.zeroed:
        return []
    found = [(-_FAR_LOSS, 0)]
    for before, score in pairwise([0, *reversed(points)]):
        half = (before + score) / 2 * step
        if _score(epoch, middle) > half:
            break
        at = halved(lambda x, half=half: _score(epoch, x) <= half, -_FAR_LOSS, middle, _HALVINGS)[1]
        found.append((at, score))
    return found


def _rising(
    epoch: ScoredEpoch, step: float, points: Sequence[int], middle: float
) -> list[tuple[float, int]]:
    """Cells above it."""
    least = middle if epoch.zeroed else -_FAR_LOSS
    lowest = _score(epoch, least)
    kept = [each for each in points if each * step >= lowest] or [0]
    found = [(least, kept[0])]
    for here, after in pairwise(kept):
        half = (here + after) / 2 * step
        at = halved(lambda x, half=half: _score(epoch, x) >= half, least, _FAR_LOSS, _HALVINGS)[1]
        found.append((at, after))
    return found


@dataclass(frozen=True, slots=True)
class ScoredEpoch(SameSupport, OutputTable):
    """The sum of the scores of an epoch, by μ²: all other records -1, the one in question 1."""

    square: mpq
    batches: int
    share: mpq
    zeroed: int
    """Where a batch lies with the neighbour of the record, by what others are off."""

    told: Scores | None = None

    def on_mesh(self, unit: mpq, lost: mpq) -> ScoredEpoch:
        del lost
        fine = double_of(unit)
        near = min(_OF_UNIT * fine**2, fine / _SHARE, _ROUGH)
        return replace(self, told=Scores.of(self, near))

    def plan_parameter(
        self, losses: Sequence[mpq], direction: Direction
    ) -> tuple[str, object] | None:
        del losses, direction
        return self.told and ("scores", self.told.parameter())

    def size(self, _digits: int) -> int:
        """The points of sums."""
        return _ROUGHLY

    def atoms(self, digits: int) -> Iterator[Atom]:
        """Each sum, with the logarithm of its ratio where that is more than a rounding."""
        yield from _scored(self if self.told else self.on_mesh(mpq(1, 10), mpq(1)), digits)

    def greatest_loss(self, direction: Direction) -> None:
        """There is none."""
        del direction


@lru_cache(maxsize=8)
def _scored(epoch: ScoredEpoch, digits: int) -> tuple[Atom, ...]:
    """The outputs at so many digits."""
    told, fine = epoch.told, digits + _FINER
    assert told is not None
    scale, listed = fmpz(10) ** fine, told.listed()
    window = listed[0], listed[-1]
    with precision(fine * 10 // 3 + _GUARD):
        without, own, other = (
            _cells(epoch.square, told, mean, scale) for mean in (0, _PRESENT, epoch.zeroed)
        )
        whole = Weights(0, fmpz_poly([scale]))
        if epoch.batches > 1:
            whole = without.power(epoch.batches - 1, fine, window)
        p, q = (
            whole.times(_mixed(epoch, without, each), fine).within(window).gathered(listed)
            for each in (own, other)
        )
        found = []
        for j in sorted({*p, *q}):
            above, below = arb(p.get(j, fmpz(0))), arb(q.get(j, fmpz(0)))
            loss = (above / below).log() if above > 0 and below > 0 else None
            found.append(Atom(above / scale, below / scale, loss))
        return tuple(found)


def _mixed(epoch: ScoredEpoch, without: Weights, own: Weights) -> Weights:
    """A batch that has the record with the probability that some batch has it."""
    rate = epoch.batches * epoch.share
    found: dict[int, fmpz] = {}
    for law, part in ((without, 1 - rate), (own, rate)):
        above, below = int(part.numerator), int(part.denominator)
        for j, weight in law.listed():
            found[j] = found.get(j, fmpz(0)) + weight * above // below
    return Weights.of(found)


def _cells(square: mpq, told: Scores, mean: int, scale: fmpz) -> Weights:
    """The scores of a batch around so many times what a record moves it."""
    s = ball_of_rational(square)
    root = (2 * s).sqrt()
    inner = (
        ((ball_of_rational(mpq(cut, _A_CUT)) - mean * s) / root).erfc() / 2 for cut in told.cuts
    )
    found: dict[int, fmpz] = {}
    tails = [arb(1), *inner, arb(0)]
    for score, (low, high) in zip(told.scores, pairwise(tails), strict=True):
        found[score] = found.get(score, fmpz(0)) + _floor((low - high) * scale)
    return Weights.of(found)

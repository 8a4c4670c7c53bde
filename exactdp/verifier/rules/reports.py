r"""Shuffled reports: local randomizers whose answers are mixed, and all of them released.

Rules of this file: as in ``pairs_of_laws``; weights are from below, and what is missing from 1 is
added to whatever is bounded from above. Thresholds are decided by whole numbers.

Theory of operation: of n reports c = a + b are on the two values in question, each on either with
probability 1/2, and of all others r are drawn like those. With M the probability of (a, b, r),

    P = M·(κ/n)·(E·a + b + r + v·(n - c - r)),   Q = M·(κ/n)·(a + E·b + r + v·(n - c - r)).

- *Clones*: any randomizer of odds E answers for each other record, with probability 1/(2E) each,
  as for one of the two in question: c ~ Bin(n, 1/E), κ = 2E/(E + 1), and no r and v count.
- *Blanket*: a report of k-ary randomized response is uniform with probability kp; who is told which
  others are not, sees c ~ Bin(n, 2p) and r ~ Bin(n - c, (k - 2)p/(1 - 2p)).
- *A third value*, which all other records hold: a and b alone are counted, v = (k - 2)/(E + k - 3).
- *A histogram*: all counts are listed where some others hold the record's value, the rest a third.

Of 2^12 reports or more the r of a blanket has one law for a block of c, that of the first c, less
the mean of what it has more: as the profile is convex in r, it only grows.

P exceeds y·Q just where a is above a threshold that is linear in c and r, so that the laws of that
event are sums over c, and runs of r with one threshold, of P[Bin(c, 1/2) >= a]; from one c to the
next, these follow by Pascal's rule.

Sources: certs/SPEC.md, sections 7.4 and 7.5; Feldman, McMillan & Talwar, FOCS 2021 (clones); Balle,
Bell, Gascón & Nissim, CRYPTO 2019 (blanket).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, lcm
from typing import ClassVar, Final, NamedTuple

from ..arithmetic.binomial import Row, binomial
from ..arithmetic.dots import Losses, Mesh, Points, dots
from ..arithmetic.enclosures import Enclosure, ceil_div, ceil_shift, enclose_exact, exp_fixed
from ..format.meter import of_division, of_product, pay
from ..format.numbers import size
from ..format.outcomes import MalformedError
from ..format.shapes import integer, members, rational
from ..format.strict_json import Json
from .curves import Cut
from .pairs_of_laws import Dominating, Pair
from .report_tables import Binary, Histogram, outputs_of

MAX_REPORTS: Final = 10**9
_MAX_VALUES: Final = 10**9
_MAX_BITS: Final = 256
_GUARD: Final = 40
_TWO: Final = 2
_FEW: Final = 24
_MOST_OUTPUTS: Final = 1 << 15
_A_STEP: Final = 3000
_WHOLE_BITS: Final = 12
_ODDS_BITS: Final = 64
_LOCAL_BITS: Final = 256
_LEAST_LOCAL: Final = Fraction(1, 10**9)
_MOST_LOCAL: Final = 40

_HALF: Final = Fraction(1, 2)
_NOTHING: Final = Fraction(0)


@dataclass(frozen=True)
class Reports:
    """``count`` rounds, in each of which every record is reported once."""

    family: ClassVar[str] = "noise"
    relations: ClassVar[tuple[str, ...]] = ("replace-one",)

    reports: int
    odds: tuple[Fraction, Fraction]
    """E from below and from above."""

    values: int
    """Of k-ary randomized response; 0 for any randomizer."""

    count: int
    text: bytes
    """Its bytes in a statement, without the count."""

    def dominating(self, _relation: str) -> list[tuple[Dominating, int]]:
        """The clones, or the blanket."""
        n, odds, k = self.reports, self.odds[1], self.values
        if not k:
            clones = Counts(n, odds, 1 / odds, _NOTHING, _NOTHING, 2 * odds / (odds + 1))
            return [(clones, self.count)]
        return [(Counts(n, odds, 2 / (odds + k - 1), _rest(odds, k), _NOTHING), self.count)]

    def attained(self, _relation: str, tilt: Fraction) -> list[tuple[Pair, int]]:
        """All others hold a third value, or all hold the same one of two, or some as a tilt says.

        For any randomizer it is that of two for odds up to 2, and for few reports.
        """
        n, odds = self.reports, self.odds[0]
        alike = ceil((2 * tilt - 1) * n) - 1
        if alike >= 0 and outputs_of(n, self.values) <= _MOST_OUTPUTS:
            return [(Histogram(n, odds, self.values or 3, alike), self.count)]
        k = self.values or (_TWO if odds <= _TWO or n <= _FEW * odds else 3)
        if k == _TWO:
            return [(Binary(n, odds), self.count)]
        return [(Counts(n, odds, 2 / (odds + k - 1), _NOTHING, _rest(odds, k)), self.count)]


@dataclass(frozen=True)
class Counts(Cut):
    """The counts of the two values in question, and of others; a cut is a ratio of P to Q."""

    reports: int
    odds: Fraction
    share: Fraction
    """The probability that a report is on one of the two."""

    like: Fraction
    """That one of all others is drawn like those."""

    rest: Fraction
    """What others weigh, v."""

    scale: Fraction = Fraction(1)
    """κ."""

    def dots(self, points: Points, mesh: Mesh, *, back: bool) -> Losses:  # noqa: ARG002
        """As of every curve, with what is drawn worked out once; the pair is its own reverse."""
        listed = points.listed()
        sizes = sorted({abs(j) for j in listed})
        found = self.at_odds([mesh.odds(j) for j in sizes], mesh.bits)
        known = dict(zip(sizes, found, strict=True))
        one = 1 << mesh.bits
        values = []
        for j in listed:
            low, high = known[abs(j)]
            if j < 0:
                pay(4 * of_product(2 * mesh.bits))
                y_low, y_high = mesh.odds(j)
                low = one - y_high + (y_low * max(0, low) >> mesh.bits)
                high = one - y_low + ceil_shift(y_high * high, mesh.bits)
            values.append((low, high))
        return dots(values, points, mesh)

    def at(self, loss: Enclosure, bits: int) -> Enclosure:
        """P - y·Q of the event, for y >= 1; else by the reverse."""
        if loss[1] < 0:
            return self.reversed_at(loss, bits)
        return self.at_odds([exp_fixed(loss, bits)], bits)[0]

    def cut(self, loss: Enclosure, bits: int) -> int:
        """The ratio itself."""
        return exp_fixed(loss, bits)[0]

    def tails(self, cut: int, bits: int) -> tuple[Enclosure, Enclosure]:
        """P and Q of the outputs that are more than so many times as likely under P."""
        return self._tails([cut], bits)[0]

    def at_odds(self, odds: Sequence[Enclosure], bits: int) -> list[Enclosure]:
        """For each y >= 1; a profile falls, by less than y rises."""
        least = [max(low, 1 << bits) for low, _ in odds]
        found = []
        for y, (low, high), (p, q) in zip(least, odds, self._tails(least, bits), strict=True):
            below = p[0] - ceil_shift(y * q[1], bits) - max(0, high - y)
            found.append((below, p[1] - (y * q[0] >> bits) + y - min(y, low)))
        return found

    def _tails(self, odds: Sequence[int], bits: int) -> list[tuple[Enclosure, Enclosure]]:
        """P and Q of each event."""
        work = bits + _GUARD + 2 * self.reports.bit_length()
        columns = binomial(self.reports, self.share, work)
        pay(len(columns.weights) * len(odds) * (_A_STEP + 12 * of_product(2 * work)))
        whole = _Whole.of(self)
        start = binomial(columns.first, _HALF, work)
        events = [_Event(whole, y << work - bits, start, columns.first, work) for y in odds]
        total, row = 0, None
        for c, weight in enumerate(columns.weights, columns.first):
            first = whole.first_of_block(c)
            if row is None or first == c:
                row = _Sums.of(binomial(self.reports - first, self.like, work))
            total += weight * whole.of_all(c, row) >> work
            for event in events:
                event.add(c, weight, row)
        missing = (self.reports * whole.unit << work) - self.scaled(total)
        return [event.found(self, missing, work - bits) for event in events]

    def scaled(self, value: int) -> int:
        """Times κ, from below."""
        return value * self.scale.numerator // self.scale.denominator


class _Whole(NamedTuple):
    """The weights of a report as whole numbers, in a unit: (E + 1)/2, (E - 1)/2, v and 1.

    ``like`` is the mean of r that one report has which is not on the two values.
    """

    reports: int
    both: int
    apart: int
    rest: int
    like: int
    unit: int
    block: int

    @classmethod
    def of(cls, counts: Counts) -> _Whole:
        """Of a pair."""
        pay(20 * of_division(size(counts.odds) + size(counts.rest) + size(counts.like)))
        parts = (counts.odds + 1) / 2, (counts.odds - 1) / 2, counts.rest, counts.like
        unit = lcm(*(each.denominator for each in parts))
        both, apart, rest, like = (int(each * unit) for each in parts)
        block = 1 << max(0, counts.reports.bit_length() - _WHOLE_BITS)
        return cls(counts.reports, both, apart, rest, like, unit, block)

    def first_of_block(self, c: int) -> int:
        """The c whose law of r this one has."""
        return c - c % self.block

    def of_others(self, c: int) -> int:
        """What all others weigh but for r; it makes up for the mean of an r that is another's."""
        return self.rest * (self.reports - c) - self.like * (c - self.first_of_block(c))

    def of_column(self, c: int) -> int:
        """What c weighs, for P and Q alike, with others that weigh v."""
        return self.both * c + self.of_others(c)

    def of_all(self, c: int, row: _Sums) -> int:
        """What all outputs with a c weigh."""
        return self.of_column(c) * row.weights[-1] + self.unit * row.moments[-1]


class _Sums(NamedTuple):
    """Sums of weights, and of weights times their numbers, up to each number; the first is 0."""

    first: int
    weights: Sequence[int]
    moments: Sequence[int]

    @classmethod
    def of(cls, row: Row) -> _Sums:
        """Of a row."""
        pay(len(row.weights) * 1000)
        numbered = (i * weight for i, weight in enumerate(row.weights, row.first))
        return cls(row.first, [0, *accumulate(row.weights)], [0, *accumulate(numbered)])


class _Half:
    """The probabilities that Bin(c, 1/2) is at least a, and a; enclosed, for 0 <= a <= c + 1."""

    __slots__ = ("a", "at", "bits", "c", "tail")

    def __init__(self, row: Row, c: int, bits: int) -> None:
        """The likeliest a, from which errors fall, by the row of Bin(c, 1/2)."""
        missing, middle = (1 << bits) - sum(row.weights), c // 2 - row.first
        self.bits, self.c, self.a = bits, c, c // 2
        self.at: Enclosure = row.weights[middle], row.weights[middle] + missing
        above = sum(row.weights[middle:])
        self.tail: Enclosure = above, above + missing

    def grow(self) -> None:
        """The next c."""
        c, a, (low, high) = self.c, self.a, self.at
        self.c = c + 1
        if a > c:
            self.at = self.tail = (1 << self.bits) >> a, ceil_shift(1 << self.bits, a)
            return
        rest = 2 * (c + 1 - a)
        self.tail = self.tail[0] + low * a // rest, self.tail[1] + ceil_div(high * a, rest)
        self.at = low * (c + 1) // rest, ceil_div(high * (c + 1), rest)

    def to(self, a: int) -> None:
        """Another a; one that is less, where a is at most c."""
        pay(abs(self.a - a) * (_A_STEP + 4 * of_product(2 * self.bits)))
        while self.a < a:
            low, high = self.at
            self.tail = max(0, self.tail[0] - high), self.tail[1] - low
            more, self.a = self.c - self.a, self.a + 1
            self.at = low * more // self.a, ceil_div(high * more, self.a)
        while self.a > a:
            (low, high), more = self.at, self.c - self.a + 1
            low, high = low * self.a // more, ceil_div(high * self.a, more)
            self.at = low, high
            self.tail = self.tail[0] + low, self.tail[1] + high
            self.a -= 1


class _Event:
    """The outputs with P > y·Q: what P and Q sum to there, from below and from above."""

    __slots__ = ("bits", "half", "odds", "sums", "whole")

    def __init__(self, whole: _Whole, odds: int, start: Row, c: int, bits: int) -> None:
        """Nothing, for y times 2^bits."""
        self.whole, self.odds, self.bits = whole, odds, bits
        self.half = _Half(start, c, bits)
        self.sums = [0, 0, 0, 0]

    def add(self, c: int, weight: int, row: _Sums) -> None:
        """The outputs with a c, in runs of r with one threshold."""
        whole, half, one = self.whole, self.half, 1 << self.bits
        if half.c < c:
            half.grow()
        step = 2 * whole.apart * (one + self.odds)
        rise = (self.odds - one) * whole.unit
        least = (self.odds * (whole.both + whole.apart) - (whole.both - whole.apart) * one) * c
        least += (self.odds - one) * whole.of_others(c)
        at, last = 0, len(row.weights) - 1
        states: list[tuple[int, Enclosure, Enclosure]] = []
        while at < last:
            a = min(max((least + rise * (row.first + at)) // step + 1, 0), c + 1)
            half.to(a)
            states.append((a, half.tail, half.at))
            if a > c:
                break
            end = last
            if rise > 0:
                end = min(last, max(at, (a * step - least - 1) // rise - row.first) + 1)
            self._add(c, weight, row, (at, end))
            at = end
        half.a, half.tail, half.at = states[0]

    def _add(self, c: int, weight: int, row: _Sums, run: tuple[int, int]) -> None:
        """Outputs with a c and with an r of a run, from the threshold on."""
        whole, half, (first, last) = self.whole, self.half, run
        pay(_A_STEP + 12 * of_product(2 * self.bits))
        share = row.weights[last] - row.weights[first]
        more = row.moments[last] - row.moments[first]
        level = weight * (whole.of_column(c) * share + whole.unit * more)
        apart = weight * whole.apart * half.a * share
        (t_low, t_high), (low, high) = half.tail, half.at
        self.sums[0] += level * t_low + apart * low >> 2 * self.bits
        self.sums[1] += ceil_shift(level * t_high + apart * high, 2 * self.bits)
        self.sums[2] += level * t_low - apart * high >> 2 * self.bits
        self.sums[3] += ceil_shift(level * t_high - apart * low, 2 * self.bits)

    def found(self, counts: Counts, missing: int, extra: int) -> tuple[Enclosure, Enclosure]:
        """P and Q, with ``extra`` bits less."""
        one = counts.reports * self.whole.unit << extra
        pay(8 * of_division(3 * self.bits))
        ends = []
        for low, high in (self.sums[:2], self.sums[2:]):
            above = ceil_div(high * counts.scale.numerator, counts.scale.denominator) + missing
            ends.append((max(0, counts.scaled(low) // one), ceil_div(above, one)))
        return ends[0], ends[1]


def _rest(odds: Fraction, k: int) -> Fraction:
    """The probability (k - 2)p over 1 - 2p."""
    return Fraction(k - 2) / (odds + k - 3) if k > _TWO else _NOTHING


def read_reports(value: Json, count: int, text: bytes) -> Reports:
    """The rounds of an entry, whose count and bytes are known."""
    plan = members(value, ("reports",), "shuffled_reports", ("local_epsilon", "odds", "values"))
    reports = integer(plan["reports"], 2, MAX_REPORTS, "reports")
    if ("odds" in plan) == ("local_epsilon" in plan):
        raise MalformedError("neither odds nor local_epsilon, or both")
    odds = _odds(plan["odds"]) if "odds" in plan else _local_odds(plan["local_epsilon"])
    values = integer(plan["values"], 2, _MAX_VALUES, "values") if "values" in plan else 0
    return Reports(reports, odds, values, count, text)


def _odds(value: Json) -> tuple[Fraction, Fraction]:
    """E, both times."""
    odds = rational(value, "odds")
    if odds <= 1 or size(odds) > _MAX_BITS:
        raise MalformedError("odds are not a short rational above 1")
    return odds, odds


def _local_odds(value: Json) -> tuple[Fraction, Fraction]:
    """E of an ε₀, rounded down and up to 64 bits."""
    local = rational(value, "local_epsilon")
    if not _LEAST_LOCAL <= local <= _MOST_LOCAL or size(local) > _MAX_BITS:
        raise MalformedError("local_epsilon is not a short rational within its range")
    pay(of_product(_LOCAL_BITS))
    low, high = exp_fixed(enclose_exact(local, _LOCAL_BITS), _LOCAL_BITS)
    less = _LOCAL_BITS - _ODDS_BITS
    return Fraction(low >> less, 1 << _ODDS_BITS), Fraction(ceil_shift(high, less), 1 << _ODDS_BITS)

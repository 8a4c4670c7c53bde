r"""The pairs of shuffled reports: counts of two values and of others; all counts of few reports.

Rules of this file: everything is a ball at the precision of the context; P is the law with the
record as it is, Q that with the one that takes its place.

Theory of operation: c = a + b reports are on the two values in question, each on either with
probability 1/2, and r of all others are drawn like those. P > y·Q just where a is above a threshold
that is linear in c and r; P[Bin(c, 1/2) >= a] follows from one c to the next by Pascal's rule. Of
very many reports r has one law for a block of c, which is that of the first c less the mean of what
it has more: as the profile is convex in r, it only grows.

Sources: certs/SPEC.md, section 7.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import comb, isqrt, lcm
from typing import Final, NamedTuple

from flint import arb, ctx
from gmpy2 import mpq, mpz

from exactdp.arithmetic.enclosures import ball_of_rational, lower_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import CostLimitError
from exactdp.mechanisms.pairs import (
    Atom,
    Cut,
    Direction,
    GreatestLoss,
    OutputTable,
    SameSupport,
)
from exactdp.timing.deadlines import ask, asking

_LISTED: Final = 3
_MOST_CELLS: Final = 4_000_000
_CELL_COST: Final = 2_000
_STEP_COST: Final = 2_000
_HALF: Final = mpq(1, 2)
_WHOLE_BITS: Final = 12
"""Of numbers of reports, of which each c has the law of r that is its own."""


_Row = tuple[int, Sequence[arb], Sequence[arb]]
"""The least r, and sums of weights and of weights times r, up to each; the first is 0."""


class _Columns(NamedTuple):
    """The weights of each c, those of r beside it summed up, and what all miss of 1."""

    first: int
    weights: Sequence[arb]
    rows: Sequence[_Row]
    levels: Sequence[tuple[arb, int]]
    """What P and Q weigh beside each c but for r; and what others do of it, in a unit."""

    half: tuple[arb, arb]
    """P[Bin(c, 1/2) >= a] and P[… = a] for the first c and the first a, ``start``."""

    start: Sequence[arb]
    at: int
    missing: arb


@dataclass(frozen=True, slots=True)
class CountsPair(SameSupport, Cut):
    """The counts of two values, and of others; a cut is a ratio of P to Q, a rational."""

    reports: int
    odds: mpq
    local: ExactNumber
    """What one report loses at most: ln(E), or what E was rounded from."""

    share: mpq
    """The probability that a report is on one of the two."""

    like: mpq
    """That one of all others is drawn like those."""

    rest: mpq
    """What others weigh, v."""

    scale: mpq = mpq(1)  # noqa: RUF009 (a number, which nothing changes)
    """κ."""

    def profile(self, loss: arb) -> arb:
        """P - y·Q of the best event, for y >= 1; else by the reverse."""
        if loss < 0:
            return 1 - loss.exp() * (1 - self.profile(-loss))
        odds = loss.exp()
        y = max(lower_end(odds), mpq(1))
        p, q = self._event(y)
        exact = ball_of_rational(y)
        return p - exact * q + arb(0, abs(odds - exact).upper())

    def cut(self, loss: arb) -> arb:
        """The ratio itself, exactly."""
        return arb(loss.exp().mid())

    def tails(self, cut: arb) -> tuple[arb, arb]:
        """P and Q of the outputs that are more than so many times as likely under P."""
        return self._event(lower_end(cut))

    def greatest_loss(self, direction: Direction) -> GreatestLoss:
        """Where all reports are on one value."""
        del direction
        return GreatestLoss(self.local)

    def _event(self, odds: mpq) -> tuple[arb, arb]:
        """P and Q of the event that P > y·Q."""
        return _event(self, odds, ctx.prec)

    def first_of_block(self, c: int) -> int:
        """The c whose law of r this one has."""
        return c - c % (1 << max(0, self.reports.bit_length() - _WHOLE_BITS))

    def of_others(self, c: int) -> mpq:
        """What all others weigh but for r; it makes up for the mean of an r that is another's."""
        return self.rest * (self.reports - c) - self.like * (c - self.first_of_block(c))

    def _cells(self) -> int:
        """About how many pairs of c and r there are that are listed."""
        if not self.like:
            return 0
        both = self.reports * self.share * (1 - self.share)
        others = self.reports * (1 - self.share) * self.like * (1 - self.like)
        counts = 4 * ctx.prec * isqrt(int(both * others) + 1)
        return counts >> max(0, self.reports.bit_length() - _WHOLE_BITS)

    def columns(self) -> _Columns:
        """What does not depend on y.

        Raises:
            CostLimitError: there are too many counts.
        """
        cells = self._cells()
        if cells > _MOST_CELLS:
            raise CostLimitError(
                field="reports",
                value=f"{self.reports} reports with values, of which {cells} counts matter",
                expected=f"at most {_MOST_CELLS} counts of two kinds",
                remedy="leave values out: what any randomizer reveals takes less to sum up",
            )
        first, weights = _binomial(self.reports, self.share)
        rows, levels, total = list[_Row](), list[tuple[arb, int]](), arb(0)
        unit = _unit_of((self.rest, self.like))
        ask(len(weights) * _STEP_COST)
        own = ball_of_rational((self.odds + 1) / 2)
        for c, weight in asking(enumerate(weights, first), cells // len(weights) * _CELL_COST):
            at = self.first_of_block(c)
            rows.append(rows[-1] if rows and at != c else self._row(at))
            _, sums, moments = rows[-1]
            others = self.of_others(c)
            level = own * c + ball_of_rational(others)
            levels.append((level, int(others * unit)))
            total += weight * (level * sums[-1] + moments[-1])
        mass = total * ball_of_rational(self.scale) / self.reports
        at, start = _binomial(first, _HALF)
        missing = _between(arb(0), 1 - mass)
        return _Columns(
            first, weights, rows, levels, (sum(start, arb(0)), start[0]), start, at, missing
        )

    def _row(self, c: int) -> _Row:
        """The law of r beside a c."""
        least, row = _binomial(self.reports - c, self.like)
        moments = accumulate(r * each for r, each in enumerate(row, least))
        return least, [arb(0), *accumulate(row)], [arb(0), *moments]


def _between(one: arb, other: arb) -> arb:
    """A ball around both."""
    return one.union(other)


@lru_cache(maxsize=1)
def _columns(pair: CountsPair, bits: int) -> _Columns:
    """The columns of a pair at a precision."""
    assert bits == ctx.prec
    return pair.columns()


@lru_cache(maxsize=1 << 14)
def _event(pair: CountsPair, odds: mpq, bits: int) -> tuple[arb, arb]:
    """The laws of an event at a precision."""
    columns = _columns(pair, bits)
    half = _Half(columns)
    apart, unit = (pair.odds - 1) / 2, _unit_of((pair.rest, pair.like))
    step = 2 * apart * (1 + odds)
    slope, rise = (odds * pair.odds - 1) / step, (odds - 1) / step
    whole = _unit_of((slope, rise))
    slope_, rise_, one = int(slope * whole * unit), int(rise * whole), whole * unit
    level_sum = apart_sum = arb(0)
    ask(len(columns.weights) * _STEP_COST)
    for i, (weight, row) in enumerate(zip(columns.weights, columns.rows, strict=True)):
        c = columns.first + i
        if i:
            half.grow()
        first, sums, moments = row
        level, others = columns.levels[i]
        least = slope_ * c + rise_ * others
        at, last, kept = 0, len(sums) - 1, None
        while at < last:
            a = min(max(int((least + rise_ * unit * (first + at)) // one) + 1, 0), c + 1)
            half.to(a)
            kept = kept or half.state()
            if a > c:
                break
            end = last
            if rise_ and last - at > 1:
                end = min(last, max(at, -((least - a * one) // (rise_ * unit)) - 1 - first) + 1)
            share, more = weight * (sums[end] - sums[at]), weight * (moments[end] - moments[at])
            level_sum += (level * share + more) * half.tail
            apart_sum += half.at * (share * a)
            at = end
        if kept:
            half.restore(kept)
    scale = ball_of_rational(pair.scale / pair.reports)
    apart_sum *= ball_of_rational(apart)
    lost = columns.missing
    return scale * (level_sum + apart_sum) + lost, scale * (level_sum - apart_sum) + lost


def _unit_of(numbers: Sequence[mpq]) -> int:
    """The least number by which all are whole."""
    return lcm(*(int(each.denominator) for each in numbers))


def forget_columns() -> None:
    """Forget what was worked out."""
    _columns.cache_clear()
    _event.cache_clear()


class _Half:
    """P[Bin(c, 1/2) >= a] and P[Bin(c, 1/2) = a], for 0 <= a <= c + 1."""

    __slots__ = ("a", "at", "c", "tail")

    def __init__(self, columns: _Columns) -> None:
        """The first a of the first c; what is before it is about 0."""
        self.c, self.a = columns.first, columns.at
        lost = _between(arb(0), 1 - columns.half[0])
        self.tail, self.at = columns.half[0] + lost, columns.half[1]

    def state(self) -> tuple[int, arb, arb]:
        """Where it is."""
        return self.a, self.tail, self.at

    def restore(self, state: tuple[int, arb, arb]) -> None:
        """Back to where it was."""
        self.a, self.tail, self.at = state

    def grow(self) -> None:
        """The next c."""
        c, a = self.c, self.a
        self.c = c + 1
        if a > c:
            self.tail = self.at = arb(1) * _two_to(-a)
            return
        share = self.at / (2 * (c + 1 - a))
        self.tail += share * a
        self.at = share * (c + 1)

    def to(self, a: int) -> None:
        """Another a."""
        while self.a < a:
            self.tail -= self.at
            self.at = self.at * (self.c - self.a) / (self.a + 1)
            self.a += 1
        while self.a > a:
            if self.a > self.c:
                self.at = _two_to(-self.c)
            else:
                self.at = self.at * self.a / (self.c - self.a + 1)
            self.tail += self.at
            self.a -= 1


def _two_to(exponent: int) -> arb:
    """A power of 2."""
    return arb(2) ** exponent


@dataclass(frozen=True, slots=True)
class BinaryPair(SameSupport, OutputTable):
    """Binary randomized response where all hold one value; Q is with one that holds the other."""

    reports: int
    odds: mpq
    local: ExactNumber

    def size(self, digits: int) -> int:
        """About how many answers matter."""
        return min(self.reports + 1, 2 * isqrt(5 * digits * self.reports) + 1)

    def atoms(self, _digits: int) -> Iterator[Atom]:
        """How many x of the other value there are: Q/P = (E·x + (n - x)/E)/n."""
        first, weights = _binomial(self.reports, 1 / (self.odds + 1))
        for x, weight in enumerate(weights, first):
            ratio = ball_of_rational(
                (self.odds * x + (self.reports - x) / self.odds) / self.reports
            )
            yield Atom(weight, weight * ratio, -ratio.log())

    def greatest_loss(self, direction: Direction) -> GreatestLoss:
        """Where all answers are one value."""
        del direction
        return GreatestLoss(self.local)


@dataclass(frozen=True, slots=True)
class HistogramPair(SameSupport, OutputTable):
    """Randomized response, where so many others hold 0, all others a third value.

    P is with the value 0, Q with the value 1; of two values the third is 1.
    """

    reports: int
    odds: mpq
    local: ExactNumber
    values: int
    alike: int

    def size(self, _digits: int) -> int:
        """All counts."""
        return histograms_of(self.reports, self.values)

    def atoms(self, _digits: int) -> Iterator[Atom]:
        """The counts that matter, by their probabilities."""
        p, q, total = _counted(self)
        for at, weight in p.items():
            if max(weight, q[at]) << ctx.prec < total:
                continue
            own, other = (ball_of_rational(mpq(each, total)) for each in (weight, q[at]))
            yield Atom(own, other, ball_of_rational(mpq(weight, q[at])).log())

    def greatest_loss(self, direction: Direction) -> GreatestLoss:
        """Where all answers are one value."""
        del direction
        return GreatestLoss(self.local)


def histograms_of(reports: int, values: int) -> int:
    """How many there are at most of both values in question, a third one, and all others."""
    kinds = 4 if values > _LISTED else _LISTED
    return comb(reports + kinds - 1, kinds - 1)


_Counted = dict[tuple[int, ...], mpz]
"""How likely counts are, in units."""


@lru_cache(maxsize=64)
def _counted(pair: HistogramPair) -> tuple[_Counted, _Counted, mpz]:
    """P, Q and what they sum to."""
    lie, true, k = pair.odds.denominator, pair.odds.numerator, pair.values
    kinds = min(k, 4)

    def of(value: int) -> list[mpz]:
        """The answers to one record; those beyond the third value are one."""
        listed = [true if answer == value else lie for answer in range(min(k, 3))]
        return listed + [(k - 3) * lie] * (kinds > len(listed))

    third = min(k, 3) - 1
    others = _multinomial(pair.reports - 1 - pair.alike, of(third))
    for _ in range(pair.alike):
        others = _with_one(others, of(0))
    p, q = _with_one(others, of(0)), _with_one(others, of(1))
    return p, q, sum(p.values(), mpz(0))


def _multinomial(trials: int, chances: Sequence[mpz]) -> _Counted:
    """How likely the counts of each answer are."""
    if len(chances) == 1:
        return {(trials,): chances[0] ** trials}
    return {
        (here, *at): comb(trials, here) * chances[0] ** here * weight
        for here in range(trials + 1)
        for at, weight in _multinomial(trials - here, chances[1:]).items()
    }


def _with_one(counted: _Counted, chances: Sequence[mpz]) -> _Counted:
    """With one answer more."""
    found: _Counted = {}
    for at, weight in counted.items():
        for answer, chance in enumerate(chances):
            more = (*at[:answer], at[answer] + 1, *at[answer + 1 :])
            found[more] = found.get(more, mpz(0)) + weight * chance
    return found


def _binomial(trials: int, chance: mpq) -> tuple[int, list[arb]]:
    """Where weights of Bin(trials, chance) begin that matter, and these."""
    if not chance:
        return 0, [arb(1)]
    above, below = int(chance.numerator), int(chance.denominator - chance.numerator)
    mode = min(trials, (trials + 1) * above // (above + below))
    negligible = _two_to(-(2 * ctx.prec) // 3)
    sides = (
        _side(trials - mode, mode, above, below, negligible),
        _side(mode, trials - mode, below, above, negligible),
    )
    (upper, more), (lower, less) = sides
    total = 1 + sum(upper, arb(0)) + sum(lower, arb(0)) + _between(arb(0), more + less)
    listed = [*reversed(lower), arb(1), *upper]
    return mode - len(lower), [each / total for each in listed]


def _side(left: int, done: int, above: int, below: int, least: arb) -> tuple[list[arb], arb]:
    """Weights away from the likeliest number, and at most what lies beyond the last."""
    weight, found = arb(1), list[arb]()
    for i in range(left):
        weight = weight * ((left - i) * above) / ((done + i + 1) * below)
        found.append(weight)
        if weight < least:
            break
    i = len(found)
    above, below = (left - i) * above, (done + i + 1) * below
    return found, weight * above / (below - above)

r"""Shuffled reports: local randomizers, of which the answers of all records are mixed.

Rules of this file: everything is a ball at the precision of the context; P is the law with the
record as it is, Q that with the one that takes its place.

Theory of operation: of n reports c = a + b are on the two values in question, each on either with
probability 1/2. With M the probability of (a, b, r), where r of all others are drawn like those,

.. math:: P = M·(κ/n)·(E·a + b + r + v·(n - c - r)),

and Q the same with a and b exchanged. From above, of any randomizer, c counts clones; of k-ary
randomized response c and r are the blanket of reports that are uniform. From below all other
records hold a third value. P > y·Q just where a is above a threshold that is linear in c and r;
P[Bin(c, 1/2) >= a] follows from one c to the next by Pascal's rule.

Sources: certs/SPEC.md, sections 7.4 and 7.5; Feldman, McMillan & Talwar, FOCS 2021; Balle, Bell,
Gascón & Nissim, CRYPTO 2019.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import comb, isqrt
from typing import ClassVar, Final, NamedTuple, Self

from flint import arb, ctx
from gmpy2 import mpq, mpz

from exactdp.arithmetic.enclosures import ball_of_rational, lower_end
from exactdp.arithmetic.numbers import ExactNumber, Number
from exactdp.errors import CostLimitError, DomainError
from exactdp.mechanisms.checks import positive, whole
from exactdp.mechanisms.family import REPLACE_ONE, EntryShape, NeverFails, Symmetric, set_field
from exactdp.mechanisms.keys import SHUFFLED_REPORTS, JsonEntry, Key, TextOf, counted, whole_of
from exactdp.mechanisms.pairs import (
    Atom,
    CountedPair,
    Cut,
    Direction,
    GreatestLoss,
    OutputTable,
    SameSupport,
)
from exactdp.timing.deadlines import ask, asking

MOST_REPORTS: Final = 10**9
ANY: Final = "any"
_TWO: Final = 2
_LISTED: Final = 3
_FEW: Final = 24
_ALL: Final = 24
_MOST_OUTPUTS: Final = 1 << 15
_MOST_CELLS: Final = 4_000_000
_CELL_COST: Final = 2_000
_STEP_COST: Final = 2_000
_HALF: Final = mpq(1, 2)


@dataclass(frozen=True, slots=True, init=False)
class ShuffledReportsMechanism(Symmetric, NeverFails):
    r"""Reports of all records, each by a local randomizer, shuffled and then released.

    Between two inputs of one record, the odds of every answer are at most ``odds``, e^{ε₀}. With
    ``values`` it is randomized response on so many values, which lies with equal odds.

    >>> ShuffledReportsMechanism(1000, 3, 16).values
    16
    """

    reports: int
    odds: mpq
    values: int | None
    count: int
    label: str

    HAS_LEMMA: ClassVar[bool] = False
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            SHUFFLED_REPORTS,
            "",
            {"reports": None, "odds": None, "values": ANY},
            in_cells=False,
        ),
    )

    def __init__(
        self,
        reports: int,
        odds: Number,
        values: int | None = None,
        count: int = 1,
        label: str = "",
    ) -> None:
        """Check and normalise the parameters."""
        set_field(self, "reports", whole(reports, "reports", MOST_REPORTS))
        set_field(self, "odds", positive(odds, "odds"))
        set_field(self, "values", None if values is None else whole(values, "values", MOST_REPORTS))
        for field, number, least in (("reports", self.reports, 2), ("values", values or 2, 2)):
            if number < least:
                raise DomainError(field=field, value=str(number), expected="at least 2")
        if self.odds <= 1:
            raise DomainError(
                field="odds",
                value=str(self.odds),
                expected="above 1",
                remedy="write e^ε₀, rounded up, for a randomizer of ε₀",
            )
        self._counted(count, label)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> Self:
        """Values are left out for any randomizer."""
        reports, odds, values = cls.KEYS[0].read(entry, text_of)
        listed = None if values == ANY else whole_of(values, "values")
        return cls(whole_of(reports, "reports"), odds, listed, *counted(entry))

    def shape(self) -> EntryShape:
        parts = {"reports": self.reports, "odds": self.odds}
        return {SHUFFLED_REPORTS: parts | ({"values": self.values} if self.values else {})}

    @property
    def neighbours(self) -> tuple[str, ...]:
        return (REPLACE_ONE,)

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """The clones, or the blanket."""
        n, odds, k = self.reports, self.odds, self.values
        if k is None:
            yield CountsPair(n, odds, 1 / odds, mpq(0), mpq(0), 2 * odds / (odds + 1)), 1
        else:
            yield CountsPair(n, odds, 2 / (odds + k - 1), self._rest(k), mpq(0)), 1

    def attained(self, _relation: str, tilt: mpq) -> Iterator[CountedPair]:
        """All others hold a third value, or all hold the same one of two, or some as a tilt says.

        For any randomizer it is what tends to reveal more: that of two for odds up to 2, and for
        few reports.
        """
        n, odds = self.reports, self.odds
        alike = -int(-(2 * tilt - 1) * n // 1) - 1
        if alike >= 0 and self._outputs() <= _MOST_OUTPUTS:
            yield HistogramPair(n, odds, self.values or 3, alike), 1
            return
        k = self.values or (_TWO if odds <= _TWO or n <= _FEW * odds else 3)
        if k == _TWO:
            yield BinaryPair(n, odds), 1
        else:
            yield CountsPair(n, odds, 2 / (odds + k - 1), mpq(0), self._rest(k)), 1

    def tilts(self) -> tuple[mpq, ...]:
        """A third value; and where all counts can be listed, some that hold the record's value."""
        n = self.reports
        if self._outputs() > _MOST_OUTPUTS:
            return (_HALF,)
        alike = range(n) if n <= _ALL else [0, 1, 2]
        return (_HALF, *(_HALF + mpq(j + 1, 2 * n) for j in alike))

    def _outputs(self) -> int:
        """How many counts there are of both values in question, of a third, and of all others."""
        return _histograms(self.reports, self.values or 3)

    def _rest(self, k: int) -> mpq:
        """The probability (k - 2)p over 1 - 2p."""
        return (k - 2) / (self.odds + k - 3) if k > _TWO else mpq(0)

    def gap(self) -> str:
        return "what the data and the randomizer hide; from above, clones or a blanket"

    def attained_by(self, _relation: str) -> Iterator[str]:
        yield "of shuffled reports, by randomized response where all others hold another value"

    def implied_epsilon_delta(self) -> tuple[ExactNumber, mpq]:
        """What one report reveals, and 0."""
        return ExactNumber.ln(self.odds), mpq(0)

    def implied_rho(self) -> None:
        """No less than by its ε."""

    def rho_estimate(self) -> mpq:
        """About that of clones."""
        return 2 * (self.odds - 1) ** 2 / ((self.odds + 1) * self.reports)

    def ordering(self) -> None:
        """Only its equal is like it."""

    @property
    def can_be_scaled(self) -> bool:
        return False

    def scaled(self, _factor: mpq) -> Self:
        raise self.not_turned()


class _Columns(NamedTuple):
    """The weights of each c, those of r beside it summed up, and what all miss of 1."""

    first: int
    weights: Sequence[arb]
    rows: Sequence[tuple[int, Sequence[arb], Sequence[arb]]]
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
        return GreatestLoss(ExactNumber.ln(self.odds))

    def _event(self, odds: mpq) -> tuple[arb, arb]:
        """P and Q of the event that P > y·Q."""
        return _event(self, odds, ctx.prec)

    def _cells(self) -> int:
        """About how many pairs of c and r there are."""
        if not self.like:
            return 0
        both = self.reports * self.share * (1 - self.share)
        others = self.reports * (1 - self.share) * self.like * (1 - self.like)
        return 4 * ctx.prec * isqrt(int(both * others) + 1)

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
        rows, total = [], arb(0)
        ask(len(weights) * _STEP_COST)
        own, unit = (ball_of_rational(each) for each in ((self.odds + 1) / 2, self.rest))
        for c, weight in asking(enumerate(weights, first), cells // len(weights) * _CELL_COST):
            least, row = _binomial(self.reports - c, self.like)
            sums = [arb(0), *accumulate(row)]
            moments = [arb(0), *accumulate(r * each for r, each in enumerate(row, least))]
            rows.append((least, sums, moments))
            level = (own * c + unit * (self.reports - c)) * sums[-1] + moments[-1]
            total += weight * level
        mass = total * ball_of_rational(self.scale) / self.reports
        at, start = _binomial(first, _HALF)
        missing = _between(arb(0), 1 - mass)
        return _Columns(first, weights, rows, (sum(start, arb(0)), start[0]), start, at, missing)


def _between(one: arb, other: arb) -> arb:
    """A ball around both."""
    return one.union(other)


@lru_cache(maxsize=1)
def _columns(pair: CountsPair, bits: int) -> _Columns:
    """Those at a precision."""
    assert bits == ctx.prec
    return pair.columns()


@lru_cache(maxsize=1 << 14)
def _event(pair: CountsPair, odds: mpq, bits: int) -> tuple[arb, arb]:
    """The laws of an event at a precision."""
    columns = _columns(pair, bits)
    half = _Half(columns)
    both, apart, y = (pair.odds + 1) / 2, (pair.odds - 1) / 2, odds
    step = 2 * apart * (1 + y)
    slope, rise = (y * pair.odds - 1) / step, (y - 1) / step
    rest = rise * pair.rest
    own, others, less = (ball_of_rational(each) for each in (both, pair.rest, apart))
    level_sum = apart_sum = arb(0)
    ask(len(columns.weights) * _STEP_COST)
    for i, (weight, row) in enumerate(zip(columns.weights, columns.rows, strict=True)):
        c = columns.first + i
        if i:
            half.grow()
        first, sums, moments = row
        least = slope * c + rest * (pair.reports - c)
        level = own * c + others * (pair.reports - c)
        at, last, kept = 0, len(sums) - 1, None
        while at < last:
            a = min(max(int((least + rise * (first + at)) // 1) + 1, 0), c + 1)
            half.to(a)
            kept = kept or half.state()
            if a > c:
                break
            end = last
            if rise > 0 and last - at > 1:
                end = min(last, max(at, int(-(-(a - least) // rise)) - 1 - first) + 1)
            share, more = weight * (sums[end] - sums[at]), weight * (moments[end] - moments[at])
            level_sum += (level * share + more) * half.tail
            apart_sum += half.at * (share * a)
            at = end
        if kept:
            half.restore(kept)
    scale = ball_of_rational(pair.scale / pair.reports)
    apart_sum *= less
    lost = columns.missing
    return scale * (level_sum + apart_sum) + lost, scale * (level_sum - apart_sum) + lost


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
        return GreatestLoss(ExactNumber.ln(self.odds))


@dataclass(frozen=True, slots=True)
class HistogramPair(SameSupport, OutputTable):
    """Randomized response, where so many others hold 0, all others a third value.

    P is with the value 0, Q with the value 1; of two values the third is 1.
    """

    reports: int
    odds: mpq
    values: int
    alike: int

    def size(self, _digits: int) -> int:
        """All counts."""
        return _histograms(self.reports, self.values)

    def atoms(self, _digits: int) -> Iterator[Atom]:
        """Those that matter."""
        p, q, total = _counted(self)
        for at, weight in p.items():
            if max(weight, q[at]) << ctx.prec < total:
                continue
            own, other = (ball_of_rational(mpq(each, total)) for each in (weight, q[at]))
            yield Atom(own, other, ball_of_rational(mpq(weight, q[at])).log())

    def greatest_loss(self, direction: Direction) -> GreatestLoss:
        """Where all answers are one value."""
        del direction
        return GreatestLoss(ExactNumber.ln(self.odds))


def _histograms(reports: int, values: int) -> int:
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

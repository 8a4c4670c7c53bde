r"""Which values of a product of cosine-like factors are not small: a sweep over many points.

Rules of this file: a bound is a lower bound of -log2 of a modulus squared, every rounding is down,
and a point is passed over only if the bounds of its factors add up to what is needed of it.

Theory of operation: at the points n = first, first + 1, … the factor of a group is of modulus
squared 1 - k·sin²(πnv), to the power of its count, where v is its turn: its bounds depend on the
phase nv modulo 1 alone. Rounded to 1/256, phases have 256 strings of bounds of a block of samples,
16 bits each, packed in one integer: to add such integers is to add all bounds. A sample whose
highest bit is set needs nothing more. On level l every 2^l-th point is a sample; what lies between
two of them is bounded by both, less what a bound may sag between. Points beside a few samples that
are not small are looked at one by one. Many blocks are looked at together, factor by factor, as the
strings of one factor fit into a processor's cache; those that are not small enough go on to the
layer below in two halves. Factors that say most come first, and a block all of whose samples need
nothing more is done.

How far a bound may sag: g(t) = -c·ln(1 - k·sin²πtv) has, with y = 1/(1 - k·sin²πtv), the second
derivative c(πv)²·(2(2 - k)y - 4(1 - k)y²) <= c(πv)²·G, G = (2 - k)²/(4(1 - k)) if k > 2/3, else 2k,
so that in a cell of m = 2^l points it is at most c(πv)²Gm²/8 below its chord. So at (1 - λ) of one
sample and λ of the next the modulus is at most (1 - λ)·2^{-V/2} + λ·2^{-V'/2}, and over the points
of a cell that adds up to at most (m + 1)/2 times what its first sample is charged and (m - 1)/2
times what the next is: a sample is charged m times.

Sources: certs/SPEC.md, section 6.7.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil
from operator import getitem
from typing import Final, TypeAlias

from ..format.meter import pay, remembered
from ..format.outcomes import RejectedError
from .circle import unit
from .enclosures import ceil_div, ceil_shift, enclose_pi

TURN_BITS: Final = 64
SQUEEZE_BITS: Final = 62
GRADES: Final = 14
MAX_POINT: Final = 2**40

_BLOCK: Final = 1024
_SAMPLES: Final = _BLOCK + 1
_SLOT: Final = 10  # bytes: a turn, and room for its multiples
_SAG_BITS: Final = 10
_WIDE: Final = 13
_TOP_BYTE: Final = TURN_BITS // 8 - 1
_CELL: Final = 16
_ENOUGH: Final = 2**15
_BURST: Final = 16
_FEW: Final = 16
_A_TRY: Final = 16
_MOST_OF_THEM: Final = 768
_CLOSELY: Final = 64
_TOP: Final = 8
_MOST_BLOCKS: Final = 1024
_BUCKETS: Final = 256
_NODES: Final = 1024
_LOG_BITS: Final = 6
_LOG_PRECISION: Final = 24
_NODE: Final = 2**TURN_BITS // _NODES
_A_FACTOR: Final = 1_000_000
_A_BLOCK: Final = 60_000
_A_STRING: Final = 30_000
_SLACK: Final = 2**44  # of a turn: what a phase is off by, n·2/2^64 with n < 2^40, and more


@dataclass(frozen=True)
class Factor:
    """The turn v times 2^64, from below and less than 2 units off; k times 2^62, from below."""

    turn: int
    squeeze: int
    count: int


Graded: TypeAlias = tuple[int, int, list[int]]
"""How many samples have all bits; the charge of all that miss few; the others.

On level l, those that miss at most 2j bits, 0 <= j <= GRADES - l, are charged the least 2^j.
"""


class Sweep:
    """A sweep over the points from ``first`` to ``last``, which may look at ``blocks`` blocks.

    ``charge`` is the sum over the points passed over of 2^GRADES times a bound of what they are of
    the size that ``need`` allows.
    """

    def __init__(self, factors: Sequence[Factor], most: int, blocks: int) -> None:
        pay(_A_FACTOR * (len(factors) + 4))
        self._factors = sorted(factors, key=lambda each: each.squeeze * each.count, reverse=True)
        self._unit = max(1, -(-((most + 2 * GRADES) << _LOG_BITS) // _ENOUGH))
        squares = _squares()
        self._logs = [_node_logs(factor, squares) for factor in self._factors]
        self._layers: list[_Layer] = []
        self._points = _Points(self._factors, self._logs)
        self._blocks = blocks
        self.charge = 0

    def remaining(self, first: int, last: int, need: Callable[[int], int]) -> Iterator[int]:
        """The points that are not passed over; ``need`` does not grow with the point."""
        start, level, tried = first, 0, True
        while start <= last:
            end = min(last, start + max(_FEW, start >> 3) - 1)
            bits = need(start) + 2 * GRADES
            whole = (end - start + 1) // (_BLOCK << level)
            most = _MOST_BLOCKS if tried else _A_TRY
            starts = [start + j * (_BLOCK << level) for j in range(min(whole, most))]
            if starts:
                down = yield from self._looked_at(starts, level, _BLOCK, bits)
                start += len(starts) * (_BLOCK << level)
                tried = level == _TOP or 2 * down > len(starts)
                level += (not tried) - (4 * down > 3 * len(starts))
                level = max(level, 0)
            elif level:
                level -= 1
            else:
                yield from self._looked_at([start], 0, end - start + 1, bits)
                start = end + 1

    def bound(self, n: int) -> int:
        """At most -log2 of the modulus at a point."""
        return self._points.bound(n) >> _LOG_BITS + 1

    def _looked_at(
        self, starts: Sequence[int], level: int, cells: int, bits: int
    ) -> Generator[int, None, int]:
        """The points of some blocks that are not passed over; how many blocks went a layer down."""
        if len(starts) > self._blocks:
            raise RejectedError("more blocks than stated")
        self._blocks -= len(starts)
        down = []
        found = self._layer(level).graded(starts, cells, bits)
        for start, (full, charge, failing) in zip(starts, found, strict=True):
            open_cells = _beside(failing, cells) if level else failing
            few = len(open_cells) << level <= _CLOSELY
            if level and (not few or full < _MOST_OF_THEM):
                down += [start, start + (cells << level - 1)]
                continue
            self.charge += charge << level
            firsts = (start + (cell << level) for cell in open_cells)
            points = (n + k for n in firsts for k in range(1 << level))
            yield from self._one_by_one(points, bits) if few else points
        if down:
            yield from self._looked_at(down, level - 1, cells, bits)
        return len(down) // 2

    def _one_by_one(self, points: Iterator[int], bits: int) -> Iterator[int]:
        """The points that are not passed over by themselves."""
        for n in points:
            missing = (bits << _LOG_BITS) - self._points.bound(n)
            grade = max(0, ceil_div(missing, 2 << _LOG_BITS))
            if grade > GRADES:
                yield n
            else:
                self.charge += 1 << grade

    def _layer(self, level: int) -> _Layer:
        while len(self._layers) <= level:
            known = self._factors, self._logs
            self._layers.append(_Layer(*known, len(self._layers), self._unit))
        return self._layers[level]


class _Layer:
    """Strings of bounds at every 2^level-th point, made when they are first needed.

    What lies between two samples is bounded by both, less what a factor may sag there.
    """

    def __init__(
        self, factors: Sequence[Factor], logs: Sequence[Sequence[int]], level: int, unit_: int
    ) -> None:
        pay(_A_FACTOR * len(factors))
        stride = 1 << level
        self._extra = min(level, 1)
        self._grades = GRADES - level
        self._unit = unit_
        self._factors: list[tuple[int, _Strings]] = []
        sags = 0
        for factor, known in zip(factors, logs, strict=True):
            entries, sag = _bounds(factor, known, level, unit_)
            sags += sag
            if any(entries):
                self._factors.append((factor.turn, _Strings(stride * factor.turn, entries)))
        self._sag = ceil_shift(sags, _SAG_BITS)

    def graded(self, starts: Sequence[int], cells: int, bits: int) -> list[Graded]:
        """What is said of each of some blocks of so many cells."""
        need = -(-(max(bits, 0) << _LOG_BITS) // self._unit) + self._sag
        if need > _ENOUGH:
            pay(50 * cells)
            return [(0, 0, list(range(cells)))] * len(starts)
        pay(_A_BLOCK * len(starts))
        samples = cells + self._extra
        one = _every_cell(samples)
        high = one << _CELL - 1
        low = high - one
        sums = [one * (_ENOUGH - need)] * len(starts)
        live: Sequence[int] = range(len(starts))
        for i, (turn, strings) in enumerate(self._factors):
            pay(500 * len(live))
            known, make = strings.known, strings.string
            for j in live:
                begin = starts[j] * turn >> TURN_BITS - 8 & 255
                sums[j] += known[begin] or make(begin)
            if i % _BURST == _BURST - 1:
                for j in live:
                    sums[j] = _saturated(sums[j], high, low)
                live = [j for j in live if sums[j] != high]
        return [self._graded(_saturated(each, high, low), samples) for each in sums]

    def _graded(self, sums: int, samples: int) -> Graded:
        one = _every_cell(samples)
        high = one << _CELL - 1
        passed = full = charge = (sums & high).bit_count()
        if full == samples:
            return full, charge, []
        done = 0
        for grade in range(1, self._grades + 1):
            done = (sums + one * ((2 * grade << _LOG_BITS) // self._unit)) & high
            reached = done.bit_count()
            charge += (reached - passed) << grade
            passed = reached
            if passed == samples:
                return full, charge, []
        marks = (high & ~done).to_bytes(samples * _CELL // 8, "little")[1::2]
        return full, charge, [j for j in range(samples) if marks[j]]


class _Strings:
    """The bounds of one factor at the samples of a block, by the 256th of a turn of its first."""

    def __init__(self, step: int, entries: Sequence[int]) -> None:
        self.known: list[int | None] = [None] * _BUCKETS
        phases = (step % 2**TURN_BITS * _ramp()).to_bytes(_SLOT * _SAMPLES, "little")
        self._phases = phases[_TOP_BYTE::_SLOT]
        self._tables = bytes(e & 255 for e in entries), bytes(e >> 8 for e in entries)

    def string(self, begin: int) -> int:
        """The bounds of a block whose first phase is from ``begin``/256 to 1/256 more.

        Phases of the samples are rounded down as well: each is known to 2/256.
        """
        pay(_A_STRING)
        both = bytearray(2 * _SAMPLES)
        for half, table in enumerate(self._tables):
            both[half::2] = self._phases.translate(table[begin:] + table[:begin])
        string = int.from_bytes(both, "little")
        self.known[begin] = string
        return string


class _Points:
    """Bounds at single points, from phases that are known to 1/256."""

    def __init__(self, factors: Sequence[Factor], logs: Sequence[Sequence[int]]) -> None:
        turns = [(factor.turn % 2**TURN_BITS) for factor in factors]
        self._turns = int.from_bytes(b"".join(t.to_bytes(_WIDE, "little") for t in turns), "little")
        self._size = _WIDE * len(turns)
        self._logs = logs
        self._tables: list[list[int]] = []

    def bound(self, n: int) -> int:
        """In units of 2^-6 bits."""
        pay(1000 + 50 * len(self._logs))
        if not self._tables:
            self._tables = [_least(known, 1, _SLACK) for known in self._logs]
        phases = (n * self._turns).to_bytes(self._size, "little")[_TOP_BYTE::_WIDE]
        return sum(map(getitem, self._tables, phases))


def _beside(samples: Sequence[int], cells: int) -> list[int]:
    """The cells of which one end is among the samples."""
    either = {cell for sample in samples for cell in (sample - 1, sample)}
    return sorted(cell for cell in either if 0 <= cell < cells)


def _bounds(factor: Factor, logs: Sequence[int], level: int, unit_: int) -> tuple[list[int], int]:
    """Bounds by 256ths of a turn in units, and in 2^-10 of them what they sag between samples.

    Either those at the samples themselves, or, without a sag, those of all points that are less
    than a stride away: what is more in the mean.
    """
    narrow = _entries(logs, 0, unit_)
    if not level:
        return narrow, 0
    sag = sag_between(factor, 1 << level, unit_)
    wide = _entries(logs, (factor.turn + 2) << level, unit_)
    more = (sum(narrow) - sum(wide) << _SAG_BITS) - _BUCKETS * sag
    return (narrow, sag) if more > 0 else (wide, 0)


def _entries(logs: Sequence[int], wider: int, unit_: int) -> list[int]:
    """The least bounds for phases that are known to 2/256, and wider, in units."""
    most = (_ENOUGH - 1) // _BURST
    return [min(most, each // unit_) for each in _least(logs, 2, wider + _SLACK)]


def sag_between(factor: Factor, stride: int, unit_: int) -> int:
    """How far a bound may be below the chord of two samples, in 2^-10 units: c·m²v²·G·89/50 bits.

    In nats its second derivative is at most c(πv)²·G, and π²/(8·ln 2) < 89/50.
    """
    whole, k = 1 << SQUEEZE_BITS, factor.squeeze
    curved = Fraction(2 * k, whole)
    if 3 * k > 2 * whole:
        curved = Fraction((2 * whole - k) ** 2, 4 * whole * (whole - k))
    moved = Fraction(stride * (factor.turn + 2), 1 << TURN_BITS)
    scale = Fraction(89 << _LOG_BITS + _SAG_BITS, 50 * unit_)
    return ceil(factor.count * curved * moved**2 * scale)


def _least(logs: Sequence[int], across: int, wider: int) -> list[int]:
    """The least bound from so far before each 256th of a turn to so far after so many of them."""
    nodes, ratio = ceil_div(wider, _NODE), _NODES // _BUCKETS
    first = min(_BUCKETS, nodes // ratio + 1)
    ends = logs[ratio * first - nodes :: ratio], logs[ratio * (first + across) + nodes :: ratio]
    inside = [0] * first + list(map(min, *ends))
    return inside + [0] * (_BUCKETS - len(inside))


@lru_cache(maxsize=1)
def _ramp() -> int:
    """0, 1, 2, …, a slot for each sample, which holds its product with a turn."""
    return int.from_bytes(b"".join(j.to_bytes(_SLOT, "little") for j in range(_SAMPLES)), "little")


def _saturated(sums: int, high: int, low: int) -> int:
    """Cells with their highest bit set have that bit alone."""
    done = sums & high
    return done | (sums & (low ^ done - (done >> _CELL - 1)))


@lru_cache(maxsize=64)
def _every_cell(cells: int) -> int:
    return ((1 << _CELL * cells) - 1) // ((1 << _CELL) - 1)


def _node_logs(factor: Factor, squares: Sequence[int]) -> list[int]:
    """From below: -log2 of (1 - k·sin²(πj/1024))^count for j = 0…1024, in units of 2^-6."""
    shift = 2 * SQUEEZE_BITS - _LOG_PRECISION
    half = [
        factor.count * max(0, _log2_below((1 << _LOG_PRECISION) - (factor.squeeze * s >> shift)))
        for s in squares
    ]
    return half + half[-2::-1]


def _log2_below(value: int) -> int:
    """At most -log2(value/2^24) in units of 2^-6, for value > 0: from its first 12 bits."""
    length, kept = value.bit_length(), _LOG_PRECISION // 2
    above = -(-value << kept >> length)
    return (_LOG_PRECISION + kept - length << _LOG_BITS) - _log2_above(above)


@lru_cache(maxsize=2**13)
def _log2_above(value: int) -> int:
    """At least log2 of an integer above 0, in units of 2^-6."""
    power: int = value ** (1 << _LOG_BITS)
    return power.bit_length()


@remembered(1)
def _squares() -> tuple[int, ...]:
    """sin²(πj/1024) times 2^62 from below, for j = 0…512."""
    bits = SQUEEZE_BITS + 16
    low, high = enclose_pi(bits)
    squares = []
    for j in range(_NODES // 2 + 1):
        _, sine, error = unit((low * j // _NODES, high * j // _NODES + 1), bits)
        squares.append(max(0, sine - error) ** 2 >> 2 * bits - SQUEEZE_BITS)
    return tuple(squares)

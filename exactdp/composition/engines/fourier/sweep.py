r"""Which values of a characteristic function are not small: a sweep over very many points.

Rules of this file: integers only. A bound is a lower bound of -log2 of a modulus squared, and every
rounding is down; a point is passed over only if its bound reaches what is needed of it.

Theory of operation: under a tilt θ a randomized response has the characteristic function
cos(tε) + i·tanh(θε)·sin(tε), of modulus squared 1 - k·sin²(tε), k = 1/cosh²(θε). At the points
t = nd the phase tε/π moves by a constant turn, modulo 1. So the bounds of one factor at a block of
points depend on the phase of the block's first point alone: rounded to 1/256 there are 256 strings
of them, made when they are first needed. Bounds stand side by side in long integers: adding two of
these adds the bounds of a thousand points at once, and a bound whose highest bit is set is that of
a point that needs nothing more; a block of nothing else is done. Farther out only every second,
fourth, … point is such a sample: -log2 of the square, as a function of t, has a second derivative
of which a bound is known, so that it cannot sag far below the chord between two samples. Points
beside a few samples that are not small are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import getitem
from typing import Final

from gmpy2 import mpq

from exactdp.composition.engines.fourier.factors import (
    LOG_BITS,
    NODES,
    SQUEEZE_BITS,
    TURN_BITS,
    Factor,
    node_logs,
)
from exactdp.composition.engines.refusals import does_not_fit
from exactdp.timing.deadlines import ask, asking

MOST_POINTS: Final = 2**40
BLOCK: Final = 1024
_SAMPLES: Final = BLOCK + 1
_SLOT: Final = 10  # bytes: a turn, and room for its multiples
_WIDE_SLOT: Final = 13
_SAG_BITS: Final = 10
_TOP_BYTE: Final = TURN_BITS // 8 - 1
ENOUGH: Final = 2**15

GRADES: Final = 14

_CELL_BITS: Final = 16
_BURST: Final = 16
_MOST_ENTRY: Final = (ENOUGH - 1) // _BURST
_FEW: Final = 16
_A_TRY: Final = 16
_MOST_OF_THEM: Final = 768
_CLOSELY: Final = 64
_LEVELS: Final = 8
_MOST_BLOCKS: Final = 1024
_MOST_STRINGS: Final = 2**17

_STARTS: Final = 256
_ONE_TURN: Final[int] = 1 << TURN_BITS
_NODES_OF_A_BUCKET: Final = 4
_NODE: Final = _ONE_TURN // NODES
_SLACK: Final = _ONE_TURN // 2**20
_LOGS_COST: Final = 500_000
_ONE_COST: Final = 10_000
"""Nanoseconds to make the bounds of a factor at all phases, and of a point that is looked at."""


@dataclass(frozen=True, slots=True)
class Graded:
    """What a layer says of a block.

    Attributes:
        full: how many samples have all the bits that are enough.
        charge: the sum over the samples that are not failing of the least 2^j, j >= 0, such that
            at most 2j bits are missing.
        failing: the samples where more are missing, which would be charged more than 2^GRADES
            with all points of a cell.
    """

    full: int
    charge: int
    failing: list[int]


class Layer:
    """Factors' bounds at every ``stride``-th point, by blocks of cells between two of them.

    Args:
        factors: those whose product is bounded.
        logs: for each factor its bounds at 1024 phases.
        stride: how many points there are to a cell.
        most_bits: no point needs more.
    """

    def __init__(
        self, factors: Sequence[Factor], logs: Sequence[Sequence[int]], stride: int, most_bits: int
    ) -> None:
        self.stride = stride
        self._grades = GRADES + 1 - stride.bit_length()
        self._unit = max(1, -(-(most_bits << LOG_BITS) // ENOUGH))
        bounds = [
            _bounds(factor, known, stride, self._unit)
            for factor, known in asking(zip(factors, logs, strict=True), _LOGS_COST)
        ]
        self._sag = -(-sum(sag for _, sag in bounds) >> _SAG_BITS)
        self._strings = [
            _Strings(factor.turn, stride, entries)
            for factor, (entries, _) in asking(zip(factors, bounds, strict=True), _LOGS_COST)
            if any(entries)
        ]

    @property
    def strings(self) -> int:
        """How many strings are kept."""
        return sum(len(each.known) for each in self._strings)

    def forget(self) -> None:
        """Free the strings."""
        for each in self._strings:
            each.known.clear()

    def scan(self, starts: Sequence[int], cells: int, bits: int) -> list[Graded]:
        """The samples of blocks of cells that begin at ``starts``, where ``bits`` are enough.

        Factor by factor: what is known of one fits into a processor's cache.
        """
        samples = cells if self.stride == 1 else cells + 1
        need = -(-(max(bits, 0) << LOG_BITS) // self._unit) + self._sag
        if need > ENOUGH:
            return [Graded(0, 0, list(range(samples)))] * len(starts)
        one = _every_cell(samples)
        high = one << _CELL_BITS - 1
        low = high - one
        sums = [one * (ENOUGH - need)] * len(starts)
        live: Sequence[int] = range(len(starts))
        for i, strings in enumerate(self._strings):
            ask()
            strings.add(starts, sums, live)
            if i % _BURST == _BURST - 1:
                for j in live:
                    sums[j] = _saturated(sums[j], high, low)
                live = [j for j in live if sums[j] != high]
        return [self._graded(_saturated(each, high, low), samples) for each in sums]

    def _graded(self, sums: int, samples: int) -> Graded:
        one = _every_cell(samples)
        high = one << _CELL_BITS - 1
        passed = full = charge = (sums & high).bit_count()
        if full == samples:
            return Graded(full, charge, [])
        done = 0
        for grade in range(1, self._grades + 1):
            missing = (2 * grade << LOG_BITS) // self._unit
            done = (sums + one * missing) & high
            reached = done.bit_count()
            charge += (reached - passed) << grade
            passed = reached
            if passed == samples:
                return Graded(full, charge, [])
        marks = (high & ~done).to_bytes(samples * _CELL_BITS // 8, "little")[1::2]
        return Graded(full, charge, [j for j in range(samples) if marks[j]])


class _Strings:
    """The bounds of one factor at the samples of a block, by the 256th of a turn of its first.

    Attributes:
        known: the strings that were needed.
    """

    def __init__(self, turn: int, stride: int, entries: Sequence[int]) -> None:
        self._turn = turn
        self._phases = _phases(stride * turn)
        self._low = bytes(entry & 255 for entry in entries)
        self._high = bytes(entry >> 8 for entry in entries)
        self.known: dict[int, int] = {}

    def add(self, starts: Sequence[int], sums: list[int], live: Sequence[int]) -> None:
        """Add these bounds to those of the blocks that are not small enough yet."""
        turn, known = self._turn, self.known
        for j in live:
            begin = starts[j] * turn >> TURN_BITS - 8 & _STARTS - 1
            string = known.get(begin)
            if string is None:
                string = known[begin] = self._string(begin)
            sums[j] += string

    def _string(self, begin: int) -> int:
        """The bounds of a block whose first phase is from ``begin``/256 of a turn to 1/256 more.

        The phases of the samples are rounded down as well, so that each is known to 2/256.
        """
        both = bytearray(2 * _SAMPLES)
        both[::2] = self._phases.translate(self._low[begin:] + self._low[:begin])
        both[1::2] = self._phases.translate(self._high[begin:] + self._high[:begin])
        return int.from_bytes(both, "little")


class _Points:
    """Bounds at single points, from phases that are known to 1/256 of a turn.

    Args:
        factors: those whose product is bounded.
        logs: for each factor its bounds at 1024 phases.
    """

    def __init__(self, factors: Sequence[Factor], logs: Sequence[Sequence[int]]) -> None:
        slots = [(factor.turn % _ONE_TURN).to_bytes(_WIDE_SLOT, "little") for factor in factors]
        self._turns, self._size = int.from_bytes(b"".join(slots), "little"), _WIDE_SLOT * len(slots)
        self._logs = logs

    @cached_property
    def _tables(self) -> list[list[int]]:
        return [_least(known, 1, _SLACK) for known in self._logs]

    def bound(self, n: int) -> int:
        """At most -log2|φ(nd)|² in units of 2^-6, for n < 2^40."""
        phases = (n * self._turns).to_bytes(self._size, "little")[_TOP_BYTE::_WIDE_SLOT]
        return sum(map(getitem, self._tables, phases))


class Sweep:
    """The points at which a product of factors is not shown to be small.

    Args:
        factors: those whose product is bounded; all others are at most 1.
        most_bits: no point needs more.
        most_blocks: more are refused; None for any number.

    Attributes:
        blocks: how many blocks were looked at.
        charge: the sum over all points that are small of what their bound is at most, in units of
            2^-GRADES of what is allowed to a point.
    """

    def __init__(
        self, factors: Sequence[Factor], most_bits: int, most_blocks: int | None = None
    ) -> None:
        self._most_blocks = most_blocks
        self._factors = sorted(factors, key=_strength, reverse=True)
        self._most_bits = most_bits + 2 * GRADES
        self._logs = [node_logs(factor) for factor in asking(self._factors, _LOGS_COST)]
        self._points = _Points(self._factors, self._logs)
        self._layers: list[Layer] = []
        self.blocks = 0
        self.charge = 0

    def remaining(self, first: int, last: int, need: Callable[[int], int]) -> Iterator[int]:
        """The points from ``first`` to ``last`` that are not shown to be small.

        Args:
            first: at least 1.
            last: below 2^40.
            need: bits of -log2|φ|² that are enough at a point, which fall as the point grows.
        """
        start, level, tried = first, 0, True
        while start <= last:
            end = min(last, start + max(_FEW, start // 8) - 1)
            bits = need(start) + 2 * GRADES
            size = BLOCK << level
            starts = range(start, end - size + 2, size)[: _MOST_BLOCKS if tried else _A_TRY]
            if starts:
                failed = yield from self._looked_at(starts, level, BLOCK, bits)
                start += len(starts) * size
                tried = level == _LEVELS or 2 * failed > len(starts)
                if not tried:
                    level += 1
                elif 4 * failed > 3 * len(starts):
                    level = max(level - 1, 0)
            elif level:
                level -= 1
            else:
                yield from self._looked_at([start], 0, end - start + 1, bits)
                start = end + 1

    def bound(self, n: int) -> int:
        """At most -log2 of the modulus at a point."""
        return self._points.bound(n) >> LOG_BITS + 1

    def _looked_at(
        self, starts: Sequence[int], level: int, cells: int, bits: int
    ) -> Generator[int, None, int]:
        """The points of blocks that are not shown to be small; how many blocks were halved."""
        self.blocks += len(starts)
        if self._most_blocks is not None and self.blocks > self._most_blocks:
            most = self._most_blocks
            raise does_not_fit(f"a characteristic function that takes more than {most} blocks")
        if sum(layer.strings for layer in self._layers) > _MOST_STRINGS:
            for layer in self._layers:
                layer.forget()
        layer, halves = self._layer(level), []
        for start, graded in zip(starts, layer.scan(starts, cells, bits), strict=True):
            failing = _beside(graded.failing, cells) if level else graded.failing
            few = len(failing) * layer.stride <= _CLOSELY
            if level and (not few or graded.full < _MOST_OF_THEM):
                halves += [start, start + cells * layer.stride // 2]
                continue
            self.charge += graded.charge * layer.stride
            points = [
                start + cell * layer.stride + k for cell in failing for k in range(layer.stride)
            ]
            yield from self._one_by_one(points, bits) if few else points
        if halves:
            yield from self._looked_at(halves, level - 1, cells, bits)
        return len(halves) // 2

    def _one_by_one(self, points: Sequence[int], bits: int) -> Iterator[int]:
        """The points that are not shown to be small by themselves."""
        for n in asking(points, _ONE_COST):
            missing = (bits << LOG_BITS) - self._points.bound(n)
            grade = max(0, -(-missing // (2 << LOG_BITS)))
            if grade > GRADES:
                yield n
            else:
                self.charge += 1 << grade

    def _layer(self, level: int) -> Layer:
        while len(self._layers) <= level:
            stride = 1 << len(self._layers)
            self._layers.append(Layer(self._factors, self._logs, stride, self._most_bits))
        return self._layers[level]


def _strength(factor: Factor) -> int:
    """The greater it is, the sooner do sums that begin with this factor reach what is enough."""
    return factor.squeeze * factor.count


def _beside(samples: Sequence[int], cells: int) -> list[int]:
    """The cells that one of the samples is an end of."""
    either = {cell for sample in samples for cell in (sample - 1, sample)}
    return sorted(cell for cell in either if 0 <= cell < cells)


def _bounds(factor: Factor, logs: Sequence[int], stride: int, unit: int) -> tuple[list[int], int]:
    """Bounds by 256ths of a turn at samples in units, and in 2^-10 of them how they sag between.

    Those of the samples, or those of all points less than a stride away, which do not sag: what is
    more in the mean.
    """
    narrow = _entries(logs, 0, unit)
    if stride == 1:
        return narrow, 0
    sag = sag_between(factor, stride, unit)
    wide = _entries(logs, stride * (factor.turn + 1), unit)
    more = (sum(narrow) - sum(wide) << _SAG_BITS) - _STARTS * sag
    return (narrow, sag) if more > 0 else (wide, 0)


def sag_between(factor: Factor, stride: int, unit: int) -> int:
    """How far -log2|factor|² may be below the chord between two samples, in 2^-10 units.

    At most (πv)²·m²/8 times the greatest second derivative in the angle, v the turn and m the
    stride; and π²/(8·ln 2) < 89/50.
    """
    squeeze = mpq(factor.squeeze, 1 << SQUEEZE_BITS)
    curved = 2 * squeeze
    if squeeze > mpq(2, 3):
        curved = (2 - squeeze) ** 2 / (4 * (1 - squeeze))
    moved = mpq(stride * (factor.turn + 1), _ONE_TURN)
    scale = mpq(89 << LOG_BITS + _SAG_BITS, 50 * unit)
    return int(-(-factor.count * curved * moved**2 * scale // 1))


def _entries(logs: Sequence[int], wider: int, unit: int) -> list[int]:
    """The least bounds by 256ths of a turn, for phases known to two of them, in units."""
    return [min(_MOST_ENTRY, each // unit) for each in _least(logs, 2, wider + _SLACK)]


def _least(logs: Sequence[int], across: int, wider: int) -> list[int]:
    """The least bound from so far before each 256th of a turn to so far after so many of them."""
    nodes = -(-wider // _NODE)
    first = min(_STARTS, nodes // _NODES_OF_A_BUCKET + 1)
    low = _NODES_OF_A_BUCKET * first - nodes
    high = _NODES_OF_A_BUCKET * (first + across) + nodes
    inside = map(min, logs[low::_NODES_OF_A_BUCKET], logs[high::_NODES_OF_A_BUCKET])
    entries = [0] * first + list(inside)
    return entries + [0] * (_STARTS - len(entries))


def _phases(step: int) -> bytes:
    """The 256ths of a turn in which j·step is, for each sample j of a block."""
    products = (step % _ONE_TURN * _ramp()).to_bytes(_SLOT * _SAMPLES, "little")
    return products[_TOP_BYTE::_SLOT]


@lru_cache(maxsize=1)
def _ramp() -> int:
    """0, 1, 2, …, a slot for each sample, which has room for its product with a turn."""
    return int.from_bytes(b"".join(j.to_bytes(_SLOT, "little") for j in range(_SAMPLES)), "little")


def _saturated(sums: int, high: int, low: int) -> int:
    """Cells with their highest bit set have that bit alone."""
    done = sums & high
    return done | (sums & (low ^ done - (done >> _CELL_BITS - 1)))


@lru_cache(maxsize=64)
def _every_cell(cells: int) -> int:
    """A unit in each cell."""
    return ((1 << _CELL_BITS * cells) - 1) // ((1 << _CELL_BITS) - 1)

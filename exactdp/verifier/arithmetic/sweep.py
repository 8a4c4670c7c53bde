r"""Which values of a product of cosine-like factors are not small: a sweep over many points.

Rules of this file: a bound is a lower bound of -log2 of a modulus squared, every rounding is down,
and a point is passed over only if the bounds of its factors add up to what is needed of it.

Theory of operation: at the points n = first, first + 1, … the factor of a group is of modulus
squared 1 - k·sin²(πnv), to the power of its count, where v is its turn: its bounds depend on the
phase nv modulo 1 alone. Rounded to 1/256, phases have 256 strings of bounds of a block of points,
16 bits to a cell, packed in one integer: to add such integers is to add the bounds of all cells. A
cell whose highest bit is set needs nothing more. On the layer of stride m a cell holds m
neighbouring points, and its bound all their phases. Many blocks are looked at together, factor by
factor, as the strings of one factor fit into a processor's cache; those that are not small enough
go on to the layer below in two halves. Factors that say most come first, and a block all of whose
cells need nothing more is done.

Sources: certs/SPEC.md, section 6.7.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, repeat
from typing import Final, TypeAlias

from ..format.outcomes import RejectedError
from .circle import unit
from .enclosures import enclose_pi

TURN_BITS: Final = 64
SQUEEZE_BITS: Final = 62
GRADES: Final = 14
MAX_POINT: Final = 2**40

_BLOCK: Final = 1024
_CELL: Final = 16
_ENOUGH: Final = 2**15
_BURST: Final = 16
_FEW: Final = 16
_A_TRY: Final = 16
_PART: Final = 4
_TOP: Final = 8
_MOST_BLOCKS: Final = 1024
_BUCKETS: Final = 256
_NODES: Final = 1024
_LOG_BITS: Final = 6
_LOG_PRECISION: Final = 24
_NODE: Final = 2**TURN_BITS // _NODES
_SLACK: Final = 2**44  # of a turn: what a phase is off by, n·2/2^64 with n < 2^40, and more


@dataclass(frozen=True)
class Factor:
    """The turn v times 2^64, from below and less than 2 units off; k times 2^62, from below."""

    turn: int
    squeeze: int
    count: int


Graded: TypeAlias = tuple[int, int, list[int]]
"""How many cells have all bits; the charge of all that miss at most 2·GRADES; the others.

A cell that misses at most 2j bits, and not at most 2j - 2, is charged 2^j.
"""


class Sweep:
    """A sweep over the points from ``first`` to ``last``, which may look at ``blocks`` blocks.

    ``charge`` is the sum over the points passed over of 2^GRADES times a bound of what they are of
    the size that ``need`` allows.
    """

    def __init__(self, factors: Sequence[Factor], most: int, blocks: int) -> None:
        self._factors = sorted(factors, key=lambda each: each.squeeze * each.count, reverse=True)
        self._unit = max(1, -(-((most + 2 * GRADES) << _LOG_BITS) // _ENOUGH))
        self._logs = [_node_logs(factor) for factor in self._factors]
        self._layers: list[_Layer] = []
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
            if level and (failing or cells - full > cells // _PART):
                down += [start, start + (cells << level - 1)]
                continue
            self.charge += charge << level
            yield from (start + cell for cell in failing)
        if down:
            yield from self._looked_at(down, level - 1, cells, bits)
        return len(down) // 2

    def _layer(self, level: int) -> _Layer:
        while len(self._layers) <= level:
            stride = 1 << len(self._layers)
            self._layers.append(_Layer(self._factors, self._logs, stride, self._unit))
        return self._layers[level]


class _Layer:
    """The strings of bounds of one stride, made when they are first needed."""

    def __init__(
        self, factors: Sequence[Factor], logs: Sequence[Sequence[int]], stride: int, unit_: int
    ) -> None:
        self._turns = [factor.turn for factor in factors]
        self._logs = logs
        self._stride = stride
        self._unit = unit_
        self._patterns: list[tuple[bytes, bytes, bytes] | None] = [None] * len(factors)
        self._strings: list[list[int | None]] = [[None] * _BUCKETS for _ in factors]

    def graded(self, starts: Sequence[int], cells: int, bits: int) -> list[Graded]:
        """What is said of each of some blocks of so many cells."""
        need = -(-(max(bits, 0) << _LOG_BITS) // self._unit)
        if need > _ENOUGH:
            return [(0, 0, list(range(cells)))] * len(starts)
        one = _every_cell(cells)
        high = one << _CELL - 1
        low = high - one
        sums = [one * (_ENOUGH - need)] * len(starts)
        middles = [2 * start + self._stride - 1 for start in starts]
        live: Sequence[int] = range(len(starts))
        for i, turn in enumerate(self._turns):
            known = self._strings[i]
            for j in live:
                begin = middles[j] * turn >> TURN_BITS - 7 & 255
                string = known[begin] or self._string(i, begin)
                sums[j] += string if cells == _BLOCK else string & (high | low)
            if i % _BURST == _BURST - 1:
                for j in live:
                    sums[j] = _saturated(sums[j], high, low)
                live = [j for j in live if sums[j] != high]
        return [self._grades(_saturated(each, high, low), cells) for each in sums]

    def _grades(self, sums: int, cells: int) -> Graded:
        one = _every_cell(cells)
        high = one << _CELL - 1
        passed = full = charge = (sums & high).bit_count()
        if full == cells:
            return full, charge, []
        done = 0
        for grade in range(1, GRADES + 1):
            done = (sums + one * ((2 * grade << _LOG_BITS) // self._unit)) & high
            reached = done.bit_count()
            charge += (reached - passed) << grade
            passed = reached
            if passed == cells:
                return full, charge, []
        marks = (high & ~done).to_bytes(cells * _CELL // 8, "little")[1::2]
        return full, charge, [cell for cell in range(cells) if marks[cell]]

    def _string(self, index: int, begin: int) -> int:
        """The bounds of a block whose middle phase is from ``begin``/256 to 1/256 more."""
        pattern, *tables = self._patterns[index] or self._prepared(index)
        both = bytearray(2 * _BLOCK)
        for half, table in enumerate(tables):
            both[half::2] = pattern.translate(table[begin:] + table[:begin])
        string = int.from_bytes(bytes(both), "little")
        self._strings[index][begin] = string
        return string

    def _prepared(self, index: int) -> tuple[bytes, bytes, bytes]:
        """The 256ths that the phases of the cells are in, from 0; bounds by 256ths, both bytes.

        A phase is known to 2/256, and a cell is wider by half a turn for each of its points.
        """
        turn, logs = self._turns[index], self._logs[index]
        wider = -(-((self._stride - 1) * turn // 2 + _SLACK) // _NODE)
        ratio = _NODES // _BUCKETS
        entries = [0] * _BUCKETS
        for bucket in range(wider // ratio + 1, _BUCKETS - 2 - wider // ratio):
            ends = logs[ratio * bucket - wider], logs[ratio * (bucket + 2) + wider]
            entries[bucket] = min((_ENOUGH - 1) // _BURST, min(ends) // self._unit)
        step = self._stride * turn
        shift = TURN_BITS - 8
        pattern = bytes([phase >> shift & 255 for phase in _multiples(step)])
        tables = bytes([e & 255 for e in entries]), bytes([e >> 8 for e in entries])
        self._patterns[index] = (pattern, *tables)
        return pattern, *tables


def _multiples(step: int) -> Iterator[int]:
    """0, step, 2·step, …, one for each cell."""
    return accumulate(repeat(step, _BLOCK - 1), initial=0)


def _saturated(sums: int, high: int, low: int) -> int:
    """Cells with their highest bit set have that bit alone."""
    done = sums & high
    return done | (sums & (low ^ done - (done >> _CELL - 1)))


@lru_cache(maxsize=64)
def _every_cell(cells: int) -> int:
    return ((1 << _CELL * cells) - 1) // ((1 << _CELL) - 1)


def _node_logs(factor: Factor) -> list[int]:
    """From below: -log2 of (1 - k·sin²(πj/1024))^count for j = 0…1024, in units of 2^-6."""
    shift = 2 * SQUEEZE_BITS - _LOG_PRECISION
    half = [
        factor.count * max(0, _log2_below((1 << _LOG_PRECISION) - (factor.squeeze * s >> shift)))
        for s in _squares()
    ]
    return half + half[-2::-1]


def _log2_below(value: int) -> int:
    """At most -log2(value/2^24) in units of 2^-6, for value > 0."""
    power: int = value ** (1 << _LOG_BITS)
    return (_LOG_PRECISION << _LOG_BITS) - power.bit_length()


@lru_cache(maxsize=1)
def _squares() -> tuple[int, ...]:
    """sin²(πj/1024) times 2^62 from below, for j = 0…512."""
    bits = SQUEEZE_BITS + 16
    low, high = enclose_pi(bits)
    squares = []
    for j in range(_NODES // 2 + 1):
        _, sine, error = unit((low * j // _NODES, high * j // _NODES + 1), bits)
        squares.append(max(0, sine - error) ** 2 >> 2 * bits - SQUEEZE_BITS)
    return tuple(squares)

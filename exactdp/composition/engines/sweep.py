r"""Which values of a characteristic function are not small: a sweep over very many points.

Rules of this file: integers only. A bound is a lower bound of -log2 of a modulus squared, and every
rounding is down; a point is passed over only if its bound reaches what is needed of it.

Theory of operation: under a tilt θ a randomized response has the characteristic function
cos(tε) + i·tanh(θε)·sin(tε), of modulus squared 1 - k·sin²(tε), k = 1/cosh²(θε). At the points
t = nd the phase tε/π moves by a constant turn, modulo 1. So the bounds of one factor at a block of
points depend on the phase of the block's first point alone: rounded to 1/256 there are 256 strings
of them, made when they are first needed. Bounds stand side by side in long integers: adding two of
these adds the bounds of a thousand points at once, and a cell whose highest bit is set is a point
that needs nothing more; a block of nothing else is done. Neighbouring points may share a cell,
whose bound holds for all phases from the first of them to the last.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from flint import arb

from exactdp.arithmetic.enclosures import lower_end, precision

TURN_BITS: Final = 64
SQUEEZE_BITS: Final = 62
MOST_POINTS: Final = 2**40
BLOCK: Final = 1024
ENOUGH: Final = 2**15

GRADES: Final = 14

_CELL_BITS: Final = 16
_BURST: Final = 16
_MOST_ENTRY: Final = (ENOUGH - 1) // _BURST
_FEW: Final = 16
_A_TRY: Final = 16
_PART: Final = 4
_LEVELS: Final = 8
_MOST_BLOCKS: Final = 1024
_MOST_STRINGS: Final = 2**17

_NODES: Final = 256 * 4
_STARTS: Final = 256
_ONE_TURN: Final = 2**TURN_BITS
_LOG_BITS: Final = 6
_LOG_PRECISION: Final = 24
_NODES_OF_A_BUCKET: Final = 4
_NODE: Final = _ONE_TURN // _NODES
_SLACK: Final = _ONE_TURN // 2**20


@dataclass(frozen=True, slots=True)
class Factor:
    """Equal randomized responses, as a sweep sees them.

    Attributes:
        turn: dε/π for the step d, times 2^64, rounded down.
        squeeze: 1/cosh²(θε) times 2^62, rounded down.
        count: how many there are.
    """

    turn: int
    squeeze: int
    count: int


@dataclass(frozen=True, slots=True)
class Graded:
    """What a layer says of a block.

    Attributes:
        full: how many cells have all the bits that are enough.
        charge: the sum over the cells that are not failing of the least 2^j, j from 0 to GRADES,
            such that at most 2j bits are missing.
        failing: the cells where more are missing.
    """

    full: int
    charge: int
    failing: list[int]


class Layer:
    """Factors' bounds by blocks of cells, each of ``stride`` neighbouring points.

    Args:
        factors: those whose product is bounded.
        logs: for each factor its bounds at 1024 phases.
        stride: how many points share a cell.
        most_bits: no point needs more.
    """

    def __init__(
        self, factors: Sequence[Factor], logs: Sequence[Sequence[int]], stride: int, most_bits: int
    ) -> None:
        self.stride = stride
        self.strings = 0
        self._unit = max(1, -(-(most_bits << _LOG_BITS) // ENOUGH))
        self._turns = [factor.turn for factor in factors]
        self._logs = logs
        self._patterns: list[_Pattern | None] = [None] * len(factors)
        self._known: list[dict[int, int]] = [{} for _ in factors]

    def forget(self) -> None:
        """Free the strings."""
        self._known, self.strings = [{} for _ in self._turns], 0

    def scan(self, starts: Sequence[int], cells: int, bits: int) -> list[Graded]:
        """The blocks of cells that begin at ``starts``, where ``bits`` are enough.

        Factor by factor: what is known of one fits into a processor's cache.
        """
        one = _every_cell(cells)
        high = one << _CELL_BITS - 1
        low = high - one
        need = -(-(max(bits, 0) << _LOG_BITS) // self._unit)
        if need > ENOUGH:
            raise ValueError("a point needs more than the layer was made for")
        sums = [one * (ENOUGH - need)] * len(starts)
        middles = [2 * start + self.stride - 1 for start in starts]
        live: Sequence[int] = range(len(starts))
        for i in range(len(self._turns)):
            self._add(i, middles, sums, live, cells)
            if i % _BURST == _BURST - 1:
                for j in live:
                    sums[j] = _saturated(sums[j], high, low)
                live = [j for j in live if sums[j] != high]
        return [self._graded(_saturated(each, high, low), cells) for each in sums]

    def _add(
        self, index: int, middles: list[int], sums: list[int], live: Sequence[int], cells: int
    ) -> None:
        """Add a factor's bounds to those of the blocks that are not small enough yet."""
        turn, known = self._turns[index], self._known[index]
        mask = (1 << _CELL_BITS * cells) - 1 if cells < BLOCK else None
        for j in live:
            begin = middles[j] * turn >> TURN_BITS - 7 & _STARTS - 1
            string = known.get(begin)
            if string is None:
                string = known[begin] = self._string(index, begin)
                self.strings += 1
            sums[j] += string if mask is None else string & mask

    def _string(self, index: int, begin: int) -> int:
        """The bounds of a block whose first middle is from ``begin``/256 of a turn to 1/256 more.

        The pattern's phases are rounded down as well, so that a phase is known to 2/256.
        """
        pattern = self._patterns[index]
        if pattern is None:
            pattern = self._patterns[index] = self._pattern(index)
        both = bytearray(2 * BLOCK)
        both[::2] = pattern.phases.translate(pattern.low[begin:] + pattern.low[:begin])
        both[1::2] = pattern.phases.translate(pattern.high[begin:] + pattern.high[:begin])
        return int.from_bytes(bytes(both), "little")

    def _pattern(self, index: int) -> _Pattern:
        """The phases are those in the middle of a cell: each is widened by half a cell."""
        turn, logs = self._turns[index], self._logs[index]
        wider = -(-((self.stride - 1) * turn // 2 + _SLACK) // _NODE)
        entries = [0] * _STARTS
        for bucket in range(_STARTS):
            low = _NODES_OF_A_BUCKET * bucket - wider
            high = _NODES_OF_A_BUCKET * (bucket + 2) + wider
            if low >= 0 and high <= _NODES:
                entries[bucket] = min(_MOST_ENTRY, min(logs[low], logs[high]) // self._unit)
        return _Pattern(
            _phases(self.stride * turn),
            bytes(entry & 255 for entry in entries),
            bytes(entry >> 8 for entry in entries),
        )

    def _graded(self, sums: int, cells: int) -> Graded:
        one = _every_cell(cells)
        high = one << _CELL_BITS - 1
        passed = full = charge = (sums & high).bit_count()
        if full == cells:
            return Graded(full, charge, [])
        done = 0
        for grade in range(1, GRADES + 1):
            missing = (2 * grade << _LOG_BITS) // self._unit
            done = (sums + one * missing) & high
            reached = done.bit_count()
            charge += (reached - passed) << grade
            passed = reached
            if passed == cells:
                return Graded(full, charge, [])
        marks = (high & ~done).to_bytes(cells * _CELL_BITS // 8, "little")[1::2]
        return Graded(full, charge, [cell for cell in range(cells) if marks[cell]])


class _Pattern(NamedTuple):
    """The 256ths of a turn of a block's cells, the first at 0; a bound's bytes for each of them."""

    phases: bytes
    low: bytes
    high: bytes


class Sweep:
    """The points at which a product of factors is not shown to be small.

    Args:
        factors: those whose product is bounded; all others are at most 1.
        most_bits: no point needs more.

    Attributes:
        blocks: how many blocks were looked at.
        charge: the sum over all points that are small of what their bound is at most, in units of
            2^-GRADES of what is allowed to a point.
    """

    def __init__(self, factors: Sequence[Factor], most_bits: int) -> None:
        self._factors = sorted(factors, key=_strength, reverse=True)
        self._most_bits = most_bits + 2 * GRADES
        self._logs = [_node_logs(factor) for factor in self._factors]
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

    def _looked_at(
        self, starts: Sequence[int], level: int, cells: int, bits: int
    ) -> Generator[int, None, int]:
        """The points of blocks that are not shown to be small; how many blocks were halved."""
        self.blocks += len(starts)
        if sum(layer.strings for layer in self._layers) > _MOST_STRINGS:
            for layer in self._layers:
                layer.forget()
        layer, halves = self._layer(level), []
        for start, graded in zip(starts, layer.scan(starts, cells, bits), strict=True):
            if level and (graded.failing or cells - graded.full > cells // _PART):
                halves += [start, start + cells * layer.stride // 2]
                continue
            self.charge += graded.charge * layer.stride
            yield from (start + cell for cell in graded.failing)
        if halves:
            yield from self._looked_at(halves, level - 1, cells, bits)
        return len(halves) // 2

    def _layer(self, level: int) -> Layer:
        while len(self._layers) <= level:
            stride = 1 << len(self._layers)
            self._layers.append(Layer(self._factors, self._logs, stride, self._most_bits))
        return self._layers[level]


def _strength(factor: Factor) -> int:
    """The greater it is, the sooner do sums that begin with this factor reach what is enough."""
    return factor.squeeze * factor.count


def _phases(step: int) -> bytes:
    """The 256ths of a turn in which j·step is, for each cell j of a block."""
    whole = _ONE_TURN - 1
    return bytes((j * step & whole) >> TURN_BITS - 8 for j in range(BLOCK))


def _saturated(sums: int, high: int, low: int) -> int:
    """Cells with their highest bit set have that bit alone."""
    done = sums & high
    return done | (sums & (low ^ done - (done >> _CELL_BITS - 1)))


@lru_cache(maxsize=64)
def _every_cell(cells: int) -> int:
    """A unit in each cell."""
    return ((1 << _CELL_BITS * cells) - 1) // ((1 << _CELL_BITS) - 1)


def _node_logs(factor: Factor) -> list[int]:
    """Lower bounds of -log2 of |factor|² at phases j/1024, in units of 2^-6; 0 at both ends."""
    one = 1 << _LOG_PRECISION
    shift = 2 * SQUEEZE_BITS - _LOG_PRECISION
    half = [
        factor.count * max(0, _log2_below(one - (factor.squeeze * square >> shift)))
        for square in _squares()
    ]
    return half + half[-2::-1]


def _log2_below(value: int) -> int:
    """A lower bound of -log2(value/2^24) in units of 2^-6, for 0 < value <= 2^24."""
    power: int = value ** (1 << _LOG_BITS)
    return (_LOG_PRECISION << _LOG_BITS) - power.bit_length()


@lru_cache(maxsize=1)
def _squares() -> tuple[int, ...]:
    """sin²(πj/1024) from below, times 2^62, for j = 0…512."""
    with precision(128):
        sines = [(arb(j) / _NODES).sin_pi() for j in range(_NODES // 2 + 1)]
        return tuple(
            max(0, int(lower_end(sine * sine * arb(2) ** SQUEEZE_BITS) // 1)) for sine in sines
        )

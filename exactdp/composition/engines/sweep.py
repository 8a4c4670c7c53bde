r"""Which values of a characteristic function are not small: a sweep over very many points.

Rules of this file: integers only. A bound is a lower bound of -log2 of a modulus squared, and every
rounding is down; a point is passed over only if its bound reaches what is needed of it.

Theory of operation: under a tilt θ a randomized response has the characteristic function
cos(tε) + i·tanh(θε)·sin(tε), of modulus squared 1 - k·sin²(tε), k = 1/cosh²(θε). At the points
t = nd the phase tε/π moves by a constant turn, modulo 1. So the bounds of one factor at a block of
points are a string of small integers that depends on the phase of the block's first point alone;
rounded to 1/256 of a turn there are 256 such strings, made once. They stand one byte to a point in
long integers: adding two of these adds the bounds of a thousand points at once, and a byte whose
highest bit is set is a point that needs nothing more. Neighbouring points may share a byte, whose
bound then holds for all phases from the first of them to the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from flint import arb

from exactdp.arithmetic.enclosures import lower_end, precision

TURN_BITS: Final = 64
SQUEEZE_BITS: Final = 62
MOST_POINTS: Final = 2**40
BLOCK: Final = 1024
ENOUGH: Final = 2**15

GRADES: Final = 14

_CELL_BITS: Final = 16
_BURST: Final = 8
_MOST_ENTRY: Final = (ENOUGH - 1) // _BURST
_FEW: Final = 16
_LEVELS: Final = 8
_PATIENCE: Final = 4

_NODES: Final = 256 * 4
_STARTS: Final = 256
_LOG_BITS: Final = 6
_LOG_PRECISION: Final = 24
_NODES_OF_A_BUCKET: Final = 4
_ONE_TURN: Final = 1 << TURN_BITS
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
        self._unit = max(1, -(-(most_bits << _LOG_BITS) // ENOUGH))
        self._turns = [factor.turn for factor in factors]
        self._logs = logs
        self._tables: list[tuple[bytes, bytes] | None] = [None] * len(factors)
        self._patterns: list[bytes | None] = [None] * len(factors)
        self._strings: list[list[int | None]] = [[None] * _STARTS for _ in factors]

    def scan(self, start: int, cells: int, bits: int) -> Graded:
        """The block of cells that begins at ``start``, where ``bits`` are enough."""
        one = _every_cell(cells)
        high = one << _CELL_BITS - 1
        low = high - one
        mask = -1 if cells == BLOCK else high | low
        need = -(-(max(bits, 0) << _LOG_BITS) // self._unit)
        if need > ENOUGH:
            raise ValueError("a point needs more than the layer was made for")
        sums = one * (ENOUGH - need)
        middle = 2 * start + self.stride - 1
        for i, turn in enumerate(self._turns):
            begin = (middle * turn >> TURN_BITS - 7) & 255
            string = self._strings[i][begin] or self._string(i, begin)
            sums += string if mask < 0 else string & mask
            if i % _BURST == _BURST - 1:
                done = sums & high
                if done == high:
                    return Graded(cells, cells, [])
                sums = done | (sums & low & ~(done - (done >> _CELL_BITS - 1)))
        done = sums & high
        return self._graded(done | (sums & low & ~(done - (done >> _CELL_BITS - 1))), cells)

    def _graded(self, sums: int, cells: int) -> Graded:
        one = _every_cell(cells)
        high = one << _CELL_BITS - 1
        passed = full = charge = (sums & high).bit_count()
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

    def _string(self, index: int, begin: int) -> int:
        """The cells of a block whose middle phase is ``begin``/256 of a turn, or a little more."""
        pattern, tables = self._patterns[index], self._tables[index]
        if pattern is None or tables is None:
            pattern = self._patterns[index] = bytes(_places(self.stride * self._turns[index]))
            tables = self._tables[index] = self._table(index)
        both = bytearray(2 * BLOCK)
        for half, table in enumerate(tables):
            both[half::2] = pattern.translate(table[begin:] + table[:begin])
        string = int.from_bytes(both, "little")
        self._strings[index][begin] = string
        return string

    def _table(self, index: int) -> tuple[bytes, bytes]:
        """Low and high bytes of the units for a phase that is known to 2/256 of a turn.

        The phase is that in the middle of a cell: it is widened by half a cell.
        """
        logs, half = self._logs[index], (self.stride - 1) * self._turns[index] // 2 + _SLACK
        wider = -(-half // _NODE)
        entries = [0] * 256
        first = wider // _NODES_OF_A_BUCKET + 1
        for bucket in range(first, 256 - 2 - first + 1):
            low = bucket * _NODES_OF_A_BUCKET - wider
            high = (bucket + 2) * _NODES_OF_A_BUCKET + wider
            entries[bucket] = min(_MOST_ENTRY, min(logs[low], logs[high]) // self._unit)
        return bytes(entry & 255 for entry in entries), bytes(entry >> 8 for entry in entries)


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
        self._factors = factors
        self._most_bits = most_bits + 2 * GRADES
        self._logs = [_node_logs(factor) for factor in factors]
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
        start, level, patience = first, 0, 0
        while start <= last:
            layer = self._layer(level)
            rest = (last - start) // layer.stride + 1
            cells = min(BLOCK, rest, max(_FEW, start // (8 * layer.stride)))
            graded = layer.scan(start, cells, need(start) + 2 * GRADES)
            self.blocks += 1
            if level and (graded.failing or cells - graded.full > cells // 16):
                level, patience = level - 1, _PATIENCE
                continue
            self.charge += graded.charge * layer.stride
            yield from (start + cell for cell in graded.failing)
            start += cells * layer.stride
            patience -= 1
            if cells - graded.full <= cells // 64 and level < _LEVELS and patience < 0:
                level += 1

    def _layer(self, level: int) -> Layer:
        while len(self._layers) <= level:
            stride = 1 << len(self._layers)
            self._layers.append(Layer(self._factors, self._logs, stride, self._most_bits))
        return self._layers[level]


def _places(step: int) -> Iterator[int]:
    """The 256ths of a turn, modulo one, that the phases of a block's cells are in, from 0."""
    phase = 0
    for _ in range(BLOCK):
        yield phase >> TURN_BITS - 8
        phase = (phase + step) & (_ONE_TURN - 1)


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

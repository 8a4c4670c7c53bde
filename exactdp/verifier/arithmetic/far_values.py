r"""Values of a characteristic function at points far out: 128 bits, and a table of the circle.

Rules of this file: a value comes with a bound of its error, relative to its size for the table and
absolute for roundings.

Theory of operation: at t = nd the factor of mechanisms with ε is (cos u + i·T·sin u)^count, with
T = tanh θε and the angle u = n·dε, known to within n·2^-125 from turns of 128 bits. Cosine and sine
are those of the middle of the 65536th of the circle that u is in, off by less than 2^-14; or that
turned by the rest h: 1 - h²/2 and h are off by less than 2^-45.5, and h is known to 2^-45. As
|cos u + i·T·sin u| >= T, that is at most 2^-14/T or 2^-44/T of the factor. What is far out is so
small, mostly, that the former is enough.

Sources: certs/SPEC.md, section 6.8.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from ..format.meter import pay, remembered
from ..format.outcomes import RejectedError
from .circle import Point, unit
from .enclosures import ceil_div, enclose_pi

FAR_BITS: Final = 128

_NODES: Final = 2**16
_SLOT: Final = 24  # bytes: 16 whole turns, a node, 32 bits of the rest
_LAYOUT: Final = "12xIH6x"
_UP: Final = 15  # so that the turns' 129 bits end with a byte
_HALF: Final = 2**31
_ROUGH: Final = 13
_FINE: Final = 43
_BITS: Final = 59
_FEW_BITS: Final = 29
_A_TABLE: Final = 10**8
_AROUND: Final = 13816870609430  # 2π times 2^41, from below

Table: TypeAlias = "tuple[array[int], array[int]]"
"""Cosines and sines, side by side in memory, where a processor finds them soon."""


class FarValues:
    """Values of φ at 128 bits, from phases and a table of 65536 points of the circle.

    A factor is off by at most 2^-44/tanh θε of itself, or 2^-14/tanh θε where that is enough.
    """

    def __init__(self, turns: Sequence[int], slants: Sequence[int], counts: Sequence[int]) -> None:
        pay(3000 * len(turns))
        self._slants = [slant >> 64 - _BITS for slant in slants]
        self._few_bits = [slant >> 64 - _FEW_BITS for slant in slants]
        self._counts = counts
        self.table, self._short = _tables()
        self._a_point = 5000 + sum(3000 + 2000 * count.bit_length() for count in counts)
        within = [turn % (2 << FAR_BITS) << _UP for turn in turns]  # two half turns are none
        packed = b"".join(turn.to_bytes(_SLOT, "little") for turn in within)
        self._turns = int.from_bytes(packed, "little")
        self._size, self._layout = len(packed), struct.Struct("<" + _LAYOUT * len(turns))
        self._relative = sum(
            ceil_div(count << 64, max(1, slant))
            for slant, count in zip(slants, counts, strict=True)
        )
        if self._relative > 1 << _FINE:
            raise RejectedError("the mechanisms are too many for the points far out")
        self._absolute = 8 * sum(counts) + 9

    def point(self, n: int, enough: int, most: int) -> Point:
        """φ(nd), off by at most ``enough`` units or by as little as there is.

        All angles are one product: a slot has room for each, as n < 2^40. The table alone is not
        tried where ``most`` units, about what |φ| is at most, say that it is not likely to do.
        """
        pay(self._a_point)
        turned = (n * self._turns).to_bytes(self._size, "little")
        places = self._layout.unpack(turned)
        rests, nodes = places[::2], places[1::2]
        likely = self._relative * most >> _ROUGH <= 4 * enough
        if likely and self._relative <= 1 << _ROUGH:
            units = zip(*(map(each.__getitem__, nodes) for each in self._short), strict=True)
            rough = self._rounded(*self._product(units, self._few_bits, _FEW_BITS), _ROUGH)
            if rough[2] <= enough:
                return rough
        cosines, sines = (map(each.__getitem__, nodes) for each in self.table)
        angles = map(_turned, cosines, sines, rests)
        return self._rounded(*self._product(angles, self._slants, _BITS), _FINE)

    def _product(
        self, units: Iterable[tuple[int, int]], slants: Sequence[int], bits: int
    ) -> tuple[int, int]:
        """The product of all factors, from cosines, sines and slants at so many bits."""
        re, im, up = 1 << FAR_BITS, 0, FAR_BITS - bits
        for (c, sine), slant, count in zip(units, slants, self._counts, strict=True):
            s = sine * slant >> bits
            if count > 1:
                x, y = _rough_power(c << up, s << up, count)
                re, im = re * x - im * y >> FAR_BITS, re * y + im * x >> FAR_BITS
            else:
                re, im = re * c - im * s >> bits, re * s + im * c >> bits
        return re, im

    def _rounded(self, re: int, im: int, bits: int) -> Point:
        """A product whose factors are each off by at most 2^-(bits + 1)/T of themselves."""
        return re, im, (self._relative * (abs(re) + abs(im)) >> bits) + self._absolute


def _turned(c: int, s: int, rest: int) -> tuple[int, int]:
    """A point of the table, turned by what an angle is beyond it."""
    h = (rest - _HALF) * _AROUND >> 30
    less = (1 << _BITS) - (h * h >> _BITS + 1)
    return c * less - s * h >> _BITS, s * less + c * h >> _BITS


def far_unit(turn: int, table: Table) -> Point:
    """Cos πp + i·sin πp for a p times 2^128, at 128 bits: off by at most 2^-44."""
    within = turn % (2 << FAR_BITS)
    node, rest = within >> FAR_BITS - 15, within >> FAR_BITS - 47 & 2**32 - 1
    cosines, sines = table
    c, s = _turned(cosines[node], sines[node], rest)
    up = FAR_BITS - _BITS
    return c << up, s << up, 1 << FAR_BITS - 44


def rescaled(point: Point, bits: int) -> Point:
    """A point at 128 bits, at ``bits`` bits."""
    re, im, error = point
    if bits >= FAR_BITS:
        more = bits - FAR_BITS
        return re << more, im << more, error << more
    less = FAR_BITS - bits
    return re >> less, im >> less, (error >> less) + 3


def _rough_power(re: int, im: int, exponent: int) -> tuple[int, int]:
    """A power at 128 bits."""
    x, y = re, im
    for bit in f"{exponent:b}"[1:]:
        x, y = x * x - y * y >> FAR_BITS, 2 * x * y >> FAR_BITS
        if bit == "1":
            x, y = x * re - y * im >> FAR_BITS, x * im + y * re >> FAR_BITS
    return x, y


@remembered(1)
def _tables() -> tuple[Table, Table]:
    """Cos and sin of 2π(j + 1/2)/65536 for j < 65536, times 2^59, off by less than 2.

    And the same times 2^29: they are faster to multiply with.
    """
    pay(_A_TABLE)
    bits, root = 80, 256
    low, high = enclose_pi(bits)
    # 2π(256i + j + 1/2)/65536 = 2πi/256 + π(2j + 1)/65536, i < 64 in the first quarter
    far = [unit((2 * low * i // root, 2 * high * i // root + 1), bits) for i in range(root // 4)]
    odd = range(1, 2 * root, 2)
    near = [unit((low * j // _NODES, high * j // _NODES + 1), bits) for j in odd]
    less = 2 * bits - _BITS
    cosines = [a * c - b * d >> less for a, b, _ in far for c, d, _ in near]
    sines = [a * d + b * c >> less for a, b, _ in far for c, d, _ in near]
    away, down = [-c for c in cosines], [-s for s in sines]
    around = cosines + down + away + sines, sines + cosines + down + away
    less = _BITS - _FEW_BITS
    short = (array("i", [value >> less for value in each]) for each in around)
    one, other = around
    return (array("q", one), array("q", other)), (next(short), next(short))

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
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

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
_AROUND: Final = 13816870609430  # 2π times 2^41, from below


class FarValues:
    """Values of φ at 128 bits, from phases and a table of 65536 points of the circle.

    A factor is off by at most 2^-44/tanh θε of itself, or 2^-14/tanh θε where that is enough.
    """

    def __init__(self, turns: Sequence[int], slants: Sequence[int], counts: Sequence[int]) -> None:
        self._slants = [slant >> 64 - _BITS for slant in slants]
        self._counts = counts
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

    def point(self, n: int, enough: int) -> Point:
        """φ(nd), off by at most ``enough`` units or by as little as there is.

        All angles are one product: a slot has room for each, as n < 2^40.
        """
        turned = (n * self._turns).to_bytes(self._size, "little")
        places, table = self._layout.unpack(turned), _table()
        if self._relative <= 1 << _ROUGH:
            rough = self._product([table[node] for node in places[1::2]], _ROUGH)
            if rough[2] <= enough:
                return rough
        angles = zip(places[1::2], places[::2], strict=True)
        return self._product([_turned(table[node], rest) for node, rest in angles], _FINE)

    def _product(self, units: Sequence[tuple[int, int]], bits: int) -> Point:
        """The product of all factors; each is off by at most 2^-(bits + 1)/T of itself."""
        re, im = 1 << FAR_BITS, 0
        for (c, sine), slant, count in zip(units, self._slants, self._counts, strict=True):
            s = sine * slant >> _BITS
            if count > 1:
                up = FAR_BITS - _BITS
                x, y = _rough_power(c << up, s << up, count)
                re, im = re * x - im * y >> FAR_BITS, re * y + im * x >> FAR_BITS
            else:
                re, im = re * c - im * s >> _BITS, re * s + im * c >> _BITS
        return re, im, (self._relative * (abs(re) + abs(im)) >> bits) + self._absolute


def _turned(point: tuple[int, int], rest: int) -> tuple[int, int]:
    """A point of the table, turned by what an angle is beyond it."""
    c, s = point
    h = (rest - _HALF) * _AROUND >> 30
    less = (1 << _BITS) - (h * h >> _BITS + 1)
    return c * less - s * h >> _BITS, s * less + c * h >> _BITS


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


@lru_cache(maxsize=1)
def _table() -> list[tuple[int, int]]:
    """Cos and sin of 2π(j + 1/2)/65536 for j < 65536, times 2^59, off by less than 2."""
    bits, root = 80, 256
    low, high = enclose_pi(bits)
    # 2π(256i + j + 1/2)/65536 = 2πi/256 + π(2j + 1)/65536
    far = [unit((2 * low * i // root, 2 * high * i // root + 1), bits) for i in range(root)]
    odd = range(1, 2 * root, 2)
    near = [unit((low * j // _NODES, high * j // _NODES + 1), bits) for j in odd]
    less = 2 * bits - _BITS
    return [(a * c - b * d >> less, a * d + b * c >> less) for a, b, _ in far for c, d, _ in near]

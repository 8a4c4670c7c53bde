r"""Values of a characteristic function where it is small: integers, and a table of the circle.

Rules of this file: a value comes with a bound of its error, relative to its size for the table and
absolute for roundings.

Theory of operation: at t = nd the factor of a mechanism with ε is cos tε + i·T·sin tε, T = tanh θε.
All angles of a point are made at once, by one product of n and a long integer, at 48 bits of the
circle. Cosine and sine are those of the middle of the 65536th of it that the angle is in, off by
less than 2^-14; or that turned by the rest h: 1 - h²/2 and h are off by less than 2^-45.5, and h is
known to 2^-45. As |cos u + i·T·sin u| >= T, an error e of both is at most e/T of the factor; of a
product, these parts add up. What is far out is mostly so small that the former is enough.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from flint import acb, arb

from exactdp.arithmetic.enclosures import lower_end, precision, upper_end

_BITS: Final = 59
_SIZE: Final = 128
_SLOT: Final = 24  # bytes: a turn's bits that do not matter, 32 of the rest, a node, whole turns
_LAYOUT: Final = "10xIH8x"
_NODES: Final = 2**16
_HALF: Final = 2**31
_AROUND_BITS: Final = 30  # more of 2π/2^48 than of others
_ROUGH: Final = 13  # a factor is off by less than 2^-14/T, or 2^-44/T
_FINE: Final = 43
_MOST: Final = 2**24


class FarValues:
    """Values of φ for mechanisms of different ε, one each.

    Args:
        angles: dε for each of them.
        slants: tanh θε for each of them.

    Attributes:
        fits: whether the errors are known to be small.
    """

    def __init__(self, angles: Sequence[arb], slants: Sequence[arb]) -> None:
        with precision(2 * _SIZE):
            unit = arb(2) ** _SIZE / (2 * arb.pi())
            turns = [int(lower_end(angle * unit) // 1) % (1 << _SIZE) for angle in angles]
            slots = b"".join(turn.to_bytes(_SLOT, "little") for turn in turns)
            self._turns = int.from_bytes(slots, "little")
            self._size, self._layout = len(slots), struct.Struct("<" + _LAYOUT * len(turns))
            self._slants = [int(lower_end(slant * arb(2) ** _BITS) // 1) for slant in slants]
            least = [arb(slant.lower()) for slant in slants]
            relative = sum((1 / part for part in least), arb(0))
            self.fits = all(part > 0 for part in least) and bool(relative < _MOST)
            self._relative = int(upper_end(relative) // 1) + 1 if self.fits else 0

    def value(self, n: int, enough: int) -> acb:
        """φ(nd) for n < 2^40, off by at most 2^-enough, or by as little as there is."""
        places = self._layout.unpack((n * self._turns).to_bytes(self._size, "little"))
        table = _table()
        if self._relative <= 1 << _ROUGH:
            re, im, error = self._product([table[node] for node in places[1::2]], _ROUGH)
            if error << enough <= 1 << _SIZE:
                return _ball(re, im, error)
        angles = zip(places[1::2], places[::2], strict=True)
        return _ball(*self._product([_turned(table[node], rest) for node, rest in angles], _FINE))

    def _product(self, units: Sequence[tuple[int, int]], bits: int) -> tuple[int, int, int]:
        """The product of all factors, and what it is off; each by at most 2^-(bits + 1)/T."""
        re, im = 1 << _SIZE, 0
        for (c, sine), slant in zip(units, self._slants, strict=True):
            s = sine * slant >> _BITS
            re, im = re * c - im * s >> _BITS, re * s + im * c >> _BITS
        error = self._relative * (abs(re) + abs(im)) >> bits
        return re, im, error + 8 * len(self._slants) + 9


def _turned(point: tuple[int, int], rest: int) -> tuple[int, int]:
    """A point of the table, turned by what an angle is beyond it."""
    c, s = point
    h = (rest - _HALF) * _around() >> _AROUND_BITS
    less = (1 << _BITS) - (h * h >> _BITS + 1)
    return c * less - s * h >> _BITS, s * less + c * h >> _BITS


def _ball(re: int, im: int, error: int) -> acb:
    scale = arb(2) ** -_SIZE
    wide = arb(0, error) * scale
    return acb(re * scale + wide, im * scale + wide)


@lru_cache(maxsize=1)
def _around() -> int:
    """2π/2^48 times 2^89, from below."""
    with precision(_SIZE):
        return int(lower_end(2 * arb.pi() * arb(2) ** (_BITS + _AROUND_BITS - 48)) // 1)


@lru_cache(maxsize=1)
def _table() -> list[tuple[int, int]]:
    """Cosine and sine of 2π(j + 1/2)/65536 for j < 65536, times 2^59, off by less than 2."""
    bits, root = 80, 256
    with precision(_SIZE):
        # 2π(256i + j + 1/2)/65536 = 2πi/256 + π(2j + 1)/65536
        far = [_point(arb(2 * i) / root, bits) for i in range(root)]
        near = [_point(arb(2 * j + 1) / _NODES, bits) for j in range(root)]
    less = 2 * bits - _BITS
    return [(a * c - b * d >> less, a * d + b * c >> less) for a, b in far for c, d in near]


def _point(half_turns: arb, bits: int) -> tuple[int, int]:
    """Cosine and sine of so many half turns, times 2^bits, off by less than 2."""
    sine, cosine = half_turns.sin_cos_pi()
    scale = arb(2) ** bits
    return int(lower_end(cosine * scale) // 1), int(lower_end(sine * scale) // 1)

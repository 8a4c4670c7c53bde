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
from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from flint import acb, arb

from exactdp.arithmetic.enclosures import lower_end, precision, upper_end

_BITS: Final = 59
_FEW_BITS: Final = 29
_SIZE: Final = 128
_SLOT: Final = 24  # bytes: a turn's bits that do not matter, 32 of the rest, a node, whole turns
_LAYOUT: Final = "10xIH8x"
_NODES: Final = 2**16
_HALF: Final = 2**31
_AROUND_BITS: Final = 30  # more of 2π/2^48 than of others
_ROUGH: Final = 13  # a factor is off by less than 2^-14/T, or 2^-44/T
_FINE: Final = 43
_MOST: Final = 2**24

Table: TypeAlias = "tuple[array[int], array[int]]"
"""Cosines and sines, side by side in memory, where a processor finds them soon."""


class TailEvaluator:
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
            self._few_bits = [slant >> _BITS - _FEW_BITS for slant in self._slants]
            least = [arb(slant.lower()) for slant in slants]
            relative = sum((1 / part for part in least), arb(0))
            self.fits = all(part > 0 for part in least) and bool(relative < _MOST)
            self._relative = int(upper_end(relative) // 1) + 1 if self.fits else 0

    def value(self, n: int, enough: int, bound: int) -> acb:
        """φ(nd) for n < 2^40, off by at most 2^-enough, or by as little as there is.

        The table alone is not tried where about |φ| <= 2^-bound says that it is not likely to do.
        """
        places = self._layout.unpack((n * self._turns).to_bytes(self._size, "little"))
        rests, nodes = places[::2], places[1::2]
        likely = self._relative << enough <= 4 << bound + _ROUGH
        if likely and self._relative <= 1 << _ROUGH:
            units = zip(*(map(each.__getitem__, nodes) for each in _short_table()), strict=True)
            re, im, error = self._product(units, self._few_bits, _FEW_BITS, _ROUGH)
            if error << enough <= 1 << _SIZE:
                return _ball(re, im, error)
        cosines, sines = (map(each.__getitem__, nodes) for each in _table())
        angles = map(_turned, cosines, sines, rests)
        return _ball(*self._product(angles, self._slants, _BITS, _FINE))

    def _product(
        self, units: Iterable[tuple[int, int]], slants: Sequence[int], bits: int, near: int
    ) -> tuple[int, int, int]:
        """The product of all factors, and what it is off; each by at most 2^-(near + 1)/T of it.

        Cosines, sines and slants are given at ``bits`` bits.
        """
        re, im = 1 << _SIZE, 0
        for (c, sine), slant in zip(units, slants, strict=True):
            s = sine * slant >> bits
            re, im = re * c - im * s >> bits, re * s + im * c >> bits
        error = self._relative * (abs(re) + abs(im)) >> near
        return re, im, error + 8 * len(slants) + 9


def _turned(c: int, s: int, rest: int) -> tuple[int, int]:
    """A point of the table, turned by what an angle is beyond it."""
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
def _table() -> Table:
    """Cosine and sine of 2π(j + 1/2)/65536 for j < 65536, times 2^59, off by less than 2."""
    bits, root = 80, 256
    with precision(_SIZE):
        # 2π(256i + j + 1/2)/65536 = 2πi/256 + π(2j + 1)/65536, i < 64 in the first quarter
        far = [_point(arb(2 * i) / root, bits) for i in range(root // 4)]
        near = [_point(arb(2 * j + 1) / _NODES, bits) for j in range(root)]
    less = 2 * bits - _BITS
    cosines = [a * c - b * d >> less for a, b in far for c, d in near]
    sines = [a * d + b * c >> less for a, b in far for c, d in near]
    away, down = [-c for c in cosines], [-s for s in sines]
    return array("q", cosines + down + away + sines), array("q", sines + cosines + down + away)


@lru_cache(maxsize=1)
def _short_table() -> Table:
    """Cosines and sines times 2^29, off by less than 2: they are faster to multiply with."""
    cosines, sines = ([value >> _BITS - _FEW_BITS for value in each] for each in _table())
    return array("i", cosines), array("i", sines)


def _point(half_turns: arb, bits: int) -> tuple[int, int]:
    """Cosine and sine of so many half turns, times 2^bits, off by less than 2."""
    sine, cosine = half_turns.sin_cos_pi()
    scale = arb(2) ** bits
    return int(lower_end(cosine * scale) // 1), int(lower_end(sine * scale) // 1)

r"""Values of a characteristic function at points far out: 128 bits, and a table of the circle.

Rules of this file: a value comes with a bound of its error, relative to its size for the table and
absolute for roundings.

Theory of operation: at t = nd the factor of mechanisms with ε is (cos πp + i·T·sin πp)^count, with
T = tanh θε and the phase p = n·dε/π, known to within n·2^-127 from a turn of 128 bits. A half turn
changes the sign; within one, cosine and sine are those of the next of 4096 points, turned by the
rest h, |h| < 2^-11: 1 - h²/2 and h - h³/6 are off by less than 2^-48. As |cos u + i·T·sin u| >= T,
that is at most 2^-47/T of the factor.

Sources: certs/SPEC.md, section 6.8.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

from ..format.outcomes import RejectedError
from .circle import Point, unit
from .enclosures import ceil_div, enclose_pi

FAR_BITS: Final = 128

_NODES: Final = 4096
_SLOT: Final = 192
_PI: Final = 7244019458077122842  # times 2^-61, from below


class FarValues:
    """Values of φ at 128 bits, from phases and a table of 4096 points of the circle.

    A cosine or sine from the table is off by at most 2^-46, so that a factor is off by at most
    2^-46/tanh θε of itself, as |cos u + i·T·sin u| >= T.
    """

    def __init__(self, turns: Sequence[int], slants: Sequence[int], counts: Sequence[int]) -> None:
        self._slants, self._counts = slants, counts
        within = [turn % (2 << FAR_BITS) for turn in turns]  # two half turns are none
        packed = b"".join(turn.to_bytes(_SLOT // 8, "little") for turn in within)
        self._turns = int.from_bytes(packed, "little")
        one = 1 << 64
        relative = sum(
            ceil_div(count * one, max(1, slant))
            for slant, count in zip(slants, counts, strict=True)
        )
        self._relative = Fraction(relative, 2**45)
        if 2 * self._relative > 1:
            raise RejectedError("the mechanisms are too many for the points far out")
        self._absolute = 8 * sum(counts) + 8

    def point(self, n: int) -> Point:
        """φ(nd)."""
        table = _table()
        re, im = 1 << FAR_BITS, 0
        half_turns = 0  # each changes the sign
        for above, phase, slant, count in self._turned(n):
            half_turns += above * count
            node = (phase >> 51) + 1 >> 1
            # the angle beyond the node in units of 2^-64: π·2^-64·(phase - node)
            h = (phase - (node << 52)) * _PI >> 61
            c0, s0 = table[node]
            square = h * h >> 64
            c1, s1 = (1 << 64) - (square >> 1), h - (h * square >> 64) // 6
            cosine = c0 * c1 - s0 * s1 >> 64
            sine = (s0 * c1 + c0 * s1 >> 64) * slant >> 64
            if count > 1:
                cosine, sine = _rough_power(cosine << 64, sine << 64, count)
                re, im = (
                    re * cosine - im * sine >> FAR_BITS,
                    re * sine + im * cosine >> FAR_BITS,
                )
            else:
                re, im = re * cosine - im * sine >> 64, re * sine + im * cosine >> 64
        if half_turns % 2:
            re, im = -re, -im
        size = abs(re) + abs(im)
        return re, im, -(-2 * self._relative * size).__floor__() + self._absolute

    def _turned(self, n: int) -> Iterator[tuple[int, int, int, int]]:
        """For each factor the whole half turns of its phase and 64 bits of the rest; T; the count.

        All phases are one product: a slot of 192 bits has room for each, as n < 2^40. What is left
        of a phase is rounded down.
        """
        turned = (n * self._turns).to_bytes(len(self._counts) * _SLOT // 8, "little")
        words = struct.unpack(f"<{len(self._counts) * _SLOT // 64}Q", turned)
        return zip(words[2::3], words[1::3], self._slants, self._counts, strict=True)


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
def _table() -> tuple[tuple[int, int], ...]:
    """Cos and sin of πj/4096 for j = 0…4096, times 2^64, off by less than 2."""
    bits = 80
    low, high = enclose_pi(bits)
    points = [unit((low * j // _NODES, high * j // _NODES + 1), bits) for j in range(_NODES + 1)]
    return tuple((re >> bits - 64, im >> bits - 64) for re, im, _ in points)

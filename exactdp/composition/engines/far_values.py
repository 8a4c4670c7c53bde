r"""Values of a characteristic function where it is small: integers, and a table of the circle.

Rules of this file: a value comes with a bound of its error, relative to its size for the table and
absolute for roundings.

Theory of operation: at t = nd the factor of a mechanism with ε is cos tε + i·T·sin tε, T = tanh θε.
All angles of a point are made at once, by one product of n and a long integer, at 64 bits of the
circle. Cosine and sine are those of the next of 8192 points, turned by the rest h, |h| <= π/8192:
1 - h²/2 and h - h³/6 are off by less than 2^-49. As |cos u + i·T·sin u| >= T, an error e of both is
at most e/T of the factor; of a product, these parts add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from flint import acb, arb
from gmpy2 import mpz

from exactdp.arithmetic.enclosures import lower_end, precision

_BITS: Final = 60
_SIZE: Final = 128
_SLOT: Final = 192
_WORD: Final = 64
_NODES: Final = 8192
_NODE_BITS: Final = 13
_OFF: Final = 47  # a factor is off by less than 2^-47
_MOST_OFF: Final = 2**-20


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
            slots = (turn.to_bytes(_SLOT // 8, "little") for turn in turns)
            self._turns = mpz(int.from_bytes(b"".join(slots), "little"))
            self._slants = [int(lower_end(slant * arb(2) ** _BITS) // 1) for slant in slants]
            least = [arb(slant.lower()) for slant in slants]
            relative = sum((1 / part for part in least), arb(0)) * arb(2) ** -_OFF
            self.fits = all(part > 0 for part in least) and bool(relative < _MOST_OFF)
            self._relative = 2 * relative.upper()

    def value(self, n: int) -> acb:
        """φ(nd), for n < 2^40."""
        table, half, shift = _table(), 1 << _WORD - _NODE_BITS - 1, _WORD - _NODE_BITS
        one, around = 1 << _BITS, _around()
        re, im = 1 << _SIZE, 0
        for part, slant in zip(self._parts(n), self._slants, strict=True):
            node = part + half >> shift
            h = (part - (node << shift)) * around >> _WORD
            cosine, sine = table[node]
            square = h * h >> _BITS
            c, s = one - (square >> 1), h - (h * square >> _BITS) // 6
            cosine, sine = cosine * c - sine * s >> _BITS, (sine * c + cosine * s >> _BITS) * slant
            sine >>= _BITS
            re, im = re * cosine - im * sine >> _BITS, re * sine + im * cosine >> _BITS
        scale = arb(2) ** -_SIZE
        error = ((abs(re) + abs(im)) * self._relative + 4 * len(self._slants) + 4) * scale
        wide = arb(0, error.upper())
        return acb(re * scale + wide, im * scale + wide)

    def _parts(self, n: int) -> list[int]:
        """The angles at nd, in units of 2^-64 of a turn."""
        count = len(self._slants)
        turned = (n * self._turns).to_bytes(count * _SLOT // 8, "little")
        return memoryview(turned).cast("Q")[1 :: _SLOT // _WORD].tolist()


@lru_cache(maxsize=1)
def _around() -> int:
    """2π times 2^60, from below."""
    with precision(_SIZE):
        return int(lower_end(2 * arb.pi() * arb(2) ** _BITS) // 1)


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[int, int], ...]:
    """Cosine and sine of 2πj/8192 for j = 0…8192, times 2^60, off by less than 2."""
    with precision(_SIZE):
        scale = arb(2) ** _BITS
        points = [(arb(2 * j) / _NODES).sin_cos_pi() for j in range(_NODES + 1)]
        return tuple(
            (int(lower_end(cosine * scale) // 1), int(lower_end(sine * scale) // 1))
            for sine, cosine in points
        )

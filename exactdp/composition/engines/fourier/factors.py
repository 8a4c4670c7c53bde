r"""Factors of a characteristic function, and lower bounds of how small each is at a phase.

Rules of this file: integers only; a bound is a lower bound of -log2 of a modulus squared, and every
rounding is down.

Theory of operation: see ``sweep``, which adds these bounds up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from flint import arb

from exactdp.arithmetic.enclosures import lower_end, precision

TURN_BITS: Final = 64
SQUEEZE_BITS: Final = 62
NODES: Final = 256 * 4
LOG_BITS: Final = 6
_LOG_PRECISION: Final = 24


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


def node_logs(factor: Factor) -> list[int]:
    """Lower bounds of -log2 of |factor|² at phases j/1024, in units of 2^-6; 0 at both ends."""
    one = 1 << _LOG_PRECISION
    shift = 2 * SQUEEZE_BITS - _LOG_PRECISION
    half = [
        factor.count * max(0, _log2_below(one - (factor.squeeze * square >> shift)))
        for square in _squares()
    ]
    return half + half[-2::-1]


def _log2_below(value: int) -> int:
    """A lower bound of -log2(value/2^24) in units of 2^-6, from the first 12 bits of value > 0."""
    spare = max(0, value.bit_length() - _LOG_PRECISION // 2)
    return (_LOG_PRECISION - spare << LOG_BITS) - _log2_above(-(-value >> spare))


@lru_cache(maxsize=2**13)
def _log2_above(value: int) -> int:
    """An upper bound of log2 of an integer above 0, in units of 2^-6."""
    power: int = value ** (1 << LOG_BITS)
    return power.bit_length()


@lru_cache(maxsize=1)
def _squares() -> tuple[int, ...]:
    """sin²(πj/1024) from below, times 2^62, for j = 0…512."""
    with precision(128):
        sines = [(arb(j) / NODES).sin_pi() for j in range(NODES // 2 + 1)]
        return tuple(
            max(0, int(lower_end(sine * sine * arb(2) ** SQUEEZE_BITS) // 1)) for sine in sines
        )

"""What holds of every sweep: the engine and the verifier have one each, with code of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

import mpmath  # type: ignore[import-untyped]
from hypothesis import strategies as st


class AnyFactor(Protocol):
    """A factor of a product of characteristic functions."""

    @property
    def turn(self) -> int:
        """The turns of one step, in units of 2^-turn_bits."""

    @property
    def squeeze(self) -> int:
        """How far its square falls from 1, in units of 2^-squeeze_bits."""

    @property
    def count(self) -> int:
        """Its power."""


F = TypeVar("F", bound=AnyFactor)


def lists_of_factors(
    factor: Callable[..., F], turn_bits: int, squeeze_bits: int
) -> st.SearchStrategy[list[F]]:
    each = st.builds(
        factor,
        turn=st.integers(0, 2 ** (turn_bits + 2)),
        squeeze=st.integers(0, 2**squeeze_bits - 1),
        count=st.integers(1, 50),
    )
    return st.lists(each, min_size=1, max_size=20)


def bits_in_floats(
    factors: Sequence[AnyFactor], points: Iterable[float], scales: tuple[int, int]
) -> list[float]:
    """-log2 of the product's square at very many points, or between them."""
    turn_bits, squeeze_bits = scales
    known = [(f.turn, f.squeeze / 2**squeeze_bits, f.count) for f in factors]
    found = []
    for n in points:
        total = 0.0
        for turn, squeeze, power in known:
            phase = n * turn % 2**turn_bits / 2**turn_bits
            total -= power * math.log2(1 - squeeze * math.sin(math.pi * phase) ** 2)
        found.append(total)
    return found


def sum_of_small(
    factors: Sequence[AnyFactor],
    points: Iterable[int],
    scales: tuple[int, int],
    allowed: mpmath.mpf,
) -> mpmath.mpf:
    """The sum of the product over the points, at each of which it is asserted to be small."""
    turn_bits, squeeze_bits = scales
    total = mpmath.mpf(0)
    for n in points:
        square = mpmath.mpf(1)
        for factor in factors:
            phase = mpmath.mpf(n * factor.turn % 2**turn_bits) / 2**turn_bits
            squeeze = mpmath.mpf(factor.squeeze) / 2**squeeze_bits
            square *= (1 - squeeze * mpmath.sinpi(phase) ** 2) ** factor.count
        assert mpmath.sqrt(square) <= allowed * (1 + mpmath.mpf(2) ** -20)
        total += mpmath.sqrt(square)
    return total

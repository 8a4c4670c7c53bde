r"""What the parts of checks cost. A unit is about a nanosecond.

Rules of this file: a price is a function of sizes alone, in integers, so that the writer of a
certificate and the verifier agree on it to the unit.

Sources: certs/SPEC.md, section 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isqrt

from ..format.numbers import Number, size

Sized = tuple[int, int]
"""The size of a number, and 1 and the number of its logarithms."""


def entries(number: int) -> int:
    """The entries of a ledger, read and compared."""
    return 1000 * (number + 1)


def transcendental(digits: int) -> int:
    """x: one logarithm and one exponential."""
    return 200_000 + 500 * digits * isqrt(digits)


def product(bits: int) -> int:
    """m: one product of integers of so many bits."""
    return bits * isqrt(bits) // 64


def profile(digits: int) -> int:
    """y: one value of a Gaussian profile."""
    return 300_000 + 50 * digits * digits + digits**3 // 100


def window(count: int, digits: int) -> int:
    """At most so many of the count + 1 weights of a block, less one, are not 0."""
    return min(count, 2 * isqrt(2 * count * (digits + 10)) + 64)


def pairs(lengths: Iterable[int], sums: int) -> int:
    """W: the work of collecting at most ``sums`` sums, group by group."""
    work = table = 1
    for length in lengths:
        extended = table * (length + 1)
        work += extended
        table = min(sums, extended)
    return work


def sign(numbers: Iterable[Number]) -> int:
    """σ: the sign of a combination of numbers."""
    return _sign([(number.size, number.terms) for number in numbers])


def sign_of_delta(delta: Fraction, deltas: Iterable[Fraction]) -> int:
    """τ: the sign of Δ."""
    failing = [each for each in deltas if each]
    return _sign([(2 * size(each) + 8, 2) for each in (delta, *failing)]) if failing else 0


def _sign(numbers: Sequence[Sized]) -> int:
    total = sum(bits + 64 * terms for bits, terms in numbers)
    irrational = sum(bits + 64 * terms for bits, terms in numbers if terms > 1)
    logarithms = sum(terms - 1 for _, terms in numbers)
    longest = 64 + max((bits for bits, _ in numbers), default=0)
    return (
        1000 * len(numbers)
        + 10 * product(total)
        + logarithms * transcendental(longest)
        + irrational**2 // 64
    )

r"""What the parts of checks cost. A unit is about a nanosecond.

Rules of this file: a price is a function of sizes alone, in integers, so that the writer of a
certificate and the verifier agree on it to the unit.

Sources: certs/SPEC.md, section 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt


def entries(number: int) -> int:
    """The entries of a ledger, read and compared."""
    return 1000 * (number + 1)


def transcendental(digits: int) -> int:
    """One logarithm and one exponential."""
    return 200_000 + 500 * digits * isqrt(digits)


def product(bits: int) -> int:
    """One product of integers of so many bits."""
    return bits * isqrt(bits) // 64


def profile(digits: int) -> int:
    """One value of a Gaussian profile."""
    return 300_000 + 50 * digits * digits


def window(count: int, digits: int) -> int:
    """At most so many of the count + 1 weights of a block, less one, are not 0."""
    return min(count, 2 * isqrt(2 * count * (digits + 10)) + 64)


def pairs(lengths: Iterable[int], sums: int) -> int:
    """The work of collecting at most ``sums`` sums, group by group."""
    work = table = 1
    for length in lengths:
        extended = table * (length + 1)
        work += extended
        table = min(sums, extended)
    return work

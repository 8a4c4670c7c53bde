r"""What the parts of a check cost, by ``certs/SPEC.md``, section 5. A unit is about a nanosecond.

Rules of this file: a price is a function of sizes alone; the formulas are normative, and shared
with the verifier through that page only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isqrt

from gmpy2 import mpq

from exactdp.arithmetic.numbers import ExactNumber

OF_A_BYTE = 1000
"""What reading costs, for each byte of a certificate without the digits of its cost."""


def size_of(value: mpq) -> int:
    """The bits above and below the fraction bar."""
    return int(abs(value.numerator)).bit_length() + int(value.denominator).bit_length()


def size_of_number(number: ExactNumber) -> int:
    """The bits of all its rationals together."""
    return size_of(number.rational) + sum(size_of(c) + size_of(r) for c, r in number.logs)


def terms_of(number: ExactNumber) -> int:
    """1, and the number of its logarithms."""
    return 1 + len(number.logs)


def entries(number: int) -> int:
    """The entries of a ledger, read and compared."""
    return 1000 * (number + 1)


def transcendental(digits: int) -> int:
    """x(D): one logarithm and one exponential."""
    return 200_000 + 500 * digits * isqrt(digits)


def product(bits: int) -> int:
    """m(v): one product of integers of so many bits."""
    return bits * isqrt(bits) // 64


def profile(digits: int) -> int:
    """y(D): one value of a Gaussian profile."""
    return 300_000 + 50 * digits**2 + digits**3 // 100


def window(count: int, digits: int) -> int:
    """b_i: at most so many of the count + 1 weights of a block, less one, are not 0."""
    return min(count, 2 * isqrt(2 * count * (digits + 10)) + 64)


def collecting(lengths: Sequence[int], sums: int) -> int:
    """W: the work of collecting at most ``sums`` sums, group by group."""
    work = table = 1
    for length in lengths:
        extended = table * (length + 1)
        work += extended
        table = min(sums, extended)
    return work


def fractions(nonzero: int, digits: int) -> int:
    """F: Δ, or a sum of μ² or ρ, of so many entries."""
    return (nonzero + 1) * (transcendental(digits) // 10)


def sign_of(numbers: Iterable[ExactNumber]) -> int:
    """σ: the sign of a combination of numbers."""
    return _sign_of([(size_of_number(number), terms_of(number)) for number in numbers])


def sign_of_delta(delta: mpq, deltas: Iterable[mpq]) -> int:
    """τ: the sign of Δ."""
    failing = [each for each in deltas if each]
    return _sign_of([(2 * size_of(each) + 8, 2) for each in (delta, *failing)]) if failing else 0


def _sign_of(sizes: Sequence[tuple[int, int]]) -> int:
    """σ of numbers by their sizes and terms."""
    bits = [size + 64 * terms for size, terms in sizes]
    of_logarithms = sum(each for each, (_, terms) in zip(bits, sizes, strict=True) if terms > 1)
    longest = 64 + max(size for size, _ in sizes)
    return (
        1000 * len(sizes)
        + 10 * product(sum(bits))
        + sum(terms - 1 for _, terms in sizes) * transcendental(longest)
        + of_logarithms**2 // 64
    )

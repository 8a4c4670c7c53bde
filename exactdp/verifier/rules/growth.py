r"""Quantities that grow like exponentials, from above.

Rules of this file: a quantity is a pair (m, k) that stands for m·2^k and is never below what it
stands for; sums and products only, so that nothing cancels. A privacy parameter may be enormous
and a count may be 10^18: exponents are integers of any size, and a mantissa keeps its width.

Theory of operation: 1 + x + … + x^{n-1} for x = e^ε is found by doubling n, without division.

Sources: certs/SPEC.md, section 11.16.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, TypeAlias

from ..arithmetic.enclosures import bits_for, ceil_div, ceil_shift, enclose, exp_floating
from ..format.meter import of_division, of_product, pay
from ..format.numbers import Number, size

_GUARD: Final = 40
ONE: Final = (1, 0)

Above: TypeAlias = tuple[int, int]
"""m·2^k, not below what it stands for; m >= 0."""


def trimmed(value: Above, bits: int) -> Above:
    """The quantity with at most so many bits, rounded up."""
    m, k = value
    excess = m.bit_length() - bits
    return (ceil_shift(m, excess), k + excess) if excess > 0 else value


def times(one: Above, other: Above, bits: int) -> Above:
    """The product."""
    return trimmed((one[0] * other[0], one[1] + other[1]), bits)


def plus(one: Above, other: Above, bits: int) -> Above:
    """The sum; what is far below the last bit counts as that bit."""
    (m, k), (n, j) = sorted((one, other), key=lambda v: (v[0] > 0, v[0].bit_length() + v[1]))
    if not m:
        return n, j
    low = max(min(k, j), n.bit_length() + j - bits)
    small = m << (k - low) if k >= low else ceil_shift(m, low - k)
    large = n << (j - low) if j >= low else ceil_shift(n, low - j)
    return trimmed((small + large, low), bits)


def fraction(value: Fraction, bits: int) -> Above:
    """A rational >= 0."""
    pay(2 * of_division(bits + size(value)))
    shift = bits + value.denominator.bit_length()
    return trimmed((ceil_div(value.numerator << shift, value.denominator), -shift), bits)


def exp(number: Number, bits: int) -> Above:
    """The exponential of a number."""
    _, high, exponent = exp_floating(enclose(number, bits), bits)
    return trimmed((high, exponent - bits), bits)


def powers(x: Above, count: int, bits: int) -> tuple[Above, Above]:
    """x^count, and 1 + x + … + x^(count-1)."""
    pay(count.bit_length() * (4000 + 8 * of_product(bits)))
    power: Above = ONE
    total: Above = (0, 0)
    for bit in f"{count:b}":  # from n to 2n, and to 2n + 1
        total = times(total, plus(ONE, power, bits), bits)
        power = times(power, power, bits)
        if bit == "1":
            total = plus(total, power, bits)
            power = times(power, x, bits)
    return power, total


def exceeds(value: Above, limit: Fraction) -> bool:
    """Whether m·2^k > limit, for a limit of at most 1."""
    m, k = value
    if m and m.bit_length() + k > 1:  # at least 2
        return True
    return m * limit.denominator << max(k, 0) > limit.numerator << max(-k, 0)


def bits_to_add(digits: int, count: int) -> int:
    """Bits that are as fine as the digits where so many quantities are added."""
    return bits_for(digits) + _GUARD + 2 * count.bit_length()

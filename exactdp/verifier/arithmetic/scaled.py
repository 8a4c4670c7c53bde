r"""Powers and products of positive reals, and reals of any size with an exponent of 2.

Rules of this file: lower ends are rounded down, upper ends up.

Sources: certs/SPEC.md, section 6.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from ..format.meter import of_product, pay
from ..format.outcomes import RejectedError
from .enclosures import Enclosure, ceil_div, ceil_shift

Scaled: TypeAlias = tuple[int, int, int]
"""(lo, hi, e): a positive real from lo·2^e to hi·2^e."""

_LARGEST: Final = 2**10


def scaled_product(one: Scaled, other: Scaled, bits: int) -> Scaled:
    """A product, of which ``bits`` binary digits are kept."""
    low, high, exponent = one[0] * other[0], one[1] * other[1], one[2] + other[2]
    excess = high.bit_length() - bits
    if excess <= 0:
        return low, high, exponent
    return low >> excess, ceil_shift(high, excess), exponent + excess


def fixed(value: Scaled, bits: int) -> Enclosure:
    """The same at ``bits`` bits, for a real that is not far above 1, however small it is."""
    low, high, exponent = value
    shift = exponent + bits
    if shift + high.bit_length() > bits + _LARGEST:
        raise RejectedError("a bound of the divergence is far above 1")
    return (
        (low << shift, high << shift) if shift >= 0 else (low >> -shift, ceil_shift(high, -shift))
    )


def power_of_ratio(above: Enclosure, below: Enclosure, count: int, bits: int) -> Scaled:
    """((1 + u)/(1 + v))^count, for enclosures of u and v >= 0 at ``bits`` bits."""
    one = 1 << bits
    low = (one + above[0] << bits) // (one + below[1])
    high = ceil_div(one + above[1] << bits, one + below[0])
    return scaled_power((low, high, -bits), count, bits)


def scaled_power(base: Scaled, exponent: int, bits: int) -> Scaled:
    """A power, of which ``bits`` binary digits are kept."""
    pay(8 * exponent.bit_length() * (of_product(bits) + 200))
    result: Scaled = (1, 1, 0)
    for bit in f"{exponent:b}":
        result = scaled_product(result, result, bits)
        if bit == "1":
            result = scaled_product(result, base, bits)
    return result

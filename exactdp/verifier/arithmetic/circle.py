r"""Points of the unit disc: cosines, sines and their products, in integers.

Rules of this file: a point (re, im, err) at b bits stands for a complex number z of modulus at most
1 with |re + i·im - z·2^b| <= err. Every rounding is counted in err.

Theory of operation: an angle is reduced by the nearest multiple of π/2, and its cosine and sine
come from Taylor's series, whose terms alternate and fall. Of a product of two points the errors
add up, since neither modulus exceeds 1.

Sources: certs/SPEC.md, section 6.6.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from ..format.meter import of_product, pay
from .enclosures import Enclosure, ceil_div, enclose_pi

Point: TypeAlias = tuple[int, int, int]

_GUARD: Final = 24


def unit(angle: Enclosure, bits: int) -> Point:
    """Cos x + i·sin x for every x of an enclosure."""
    low, high = angle
    pay(8 * (bits + 40) // bits.bit_length() * of_product(bits + 40))
    middle = (low + high) >> 1
    work = bits + _GUARD
    width = max(abs(middle).bit_length() - bits, 0)
    pi_low, _ = enclose_pi(work + width)
    quarters = ((middle << width + _GUARD + 2) + pi_low) // (2 * pi_low)
    rest = (middle << _GUARD) - (quarters * pi_low >> width + 1)
    re, im, err = _series(rest, work)
    for _ in range(quarters % 4):
        re, im = -im, re
    # of π: a unit for each quarter at work + width bits, and a rounding; of the angle: its width
    return re >> _GUARD, im >> _GUARD, (err + 8 >> _GUARD) + 3 + high - low


def _series(x: int, bits: int) -> Point:
    """Cos x + i·sin x by Taylor's series, for |x| <= 1."""
    square = x * x >> bits
    cosine, sine = 0, 0
    even, odd = 1 << bits, x
    n = 0
    while even > 1 or abs(odd) > 1:
        cosine += even if n % 4 == 0 else -even
        sine += odd if n % 4 == 0 else -odd
        even = (even * square >> bits) // ((n + 1) * (n + 2))
        odd = (odd * square >> bits) // ((n + 2) * (n + 3))
        n += 2
    # each term is off by at most 3 units, in either series; the rest is below 2 units
    return cosine, sine, 4 * (n + 4)


def of_times(bits: int) -> int:
    """What a product of two points takes."""
    return 400 + 4 * of_product(bits)


def times(one: Point, other: Point, bits: int) -> Point:
    """The product of two points."""
    a, b, e = one
    c, d, f = other
    return (a * c - b * d) >> bits, (a * d + b * c) >> bits, e + f + (e * f >> bits) + 3


def power(point: Point, exponent: int, bits: int) -> Point:
    """A point multiplied by itself, for exponent >= 1."""
    pay(2 * exponent.bit_length() * of_times(bits))
    result = point
    for bit in f"{exponent:b}"[1:]:
        result = times(result, result, bits)
        if bit == "1":
            result = times(result, point, bits)
    return result


def slant_of(odds: Enclosure, bits: int) -> Enclosure:
    """T = tanh θε = (1 - v)/(1 + v) for v = e^{-2θε}."""
    (low, high), one = odds, 1 << bits
    return (one - high << bits) // (one + high), ceil_div(one - low << bits, one + low)


def slanted(turned: Point, slant: Enclosure, bits: int) -> Point:
    """Cos x + i·T·sin x: a randomized response's factor of a characteristic function."""
    re, im, err = turned
    low, high = slant
    return re, im * low >> bits, err + high - low + 2

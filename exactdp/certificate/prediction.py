r"""Sizes that the verifier limits, and what checking a grid takes, roughly.

Rules of this file: nothing rests on a prediction but which of several proofs is written, so that it
need not be exact; a unit is about a nanosecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.comparison import floor_of, multiple_of
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Epsilons
from exactdp.errors import InternalError

MOST_SLOTS: Final = 10**8
MOST_DIGITS: Final = 20_000
MOST_COUNTED: Final = 10_000
_BITS_OF_A_DIGIT: Final = 4


def size_of(value: mpq) -> int:
    """The bits above and below the fraction bar."""
    return int(abs(value.numerator)).bit_length() + int(value.denominator).bit_length()


def odds_size(groups: Epsilons) -> int:
    """The bits of the products of odds ratios, as the rule ``atoms`` bounds them."""
    return sum(
        count * sum(abs(int(c)) * size_of(r) for c, r in epsilon.logs) for epsilon, count in groups
    )


def window(count: int, digits: int) -> int:
    """At most so many of the count + 1 weights of a block, less one, are not 0."""
    return min(count, 2 * isqrt(2 * count * (digits + 10)) + 64)


def grid_slots(groups: Sequence[tuple[int, int]], digits: int) -> int:
    """How many coefficients the blocks of a grid span, for groups (a_i, count)."""
    return sum(a * window(count, digits) + 1 for a, count in groups)


def dots_slots(groups: Sequence[tuple[int, int]], digits: int) -> int:
    """How many the rules for brackets span, for groups (a_i, count)."""
    return sum(2 * (a + 1) * window(count, digits) + 1 for a, count in groups)


def predicted(certificate: Certificate, groups: Epsilons) -> int:
    """What it takes to check a certificate by ``grid``, ``grid-counts`` or ``grid-fourier``.

    Args:
        certificate: the certificate.
        groups: the distinct positive ε, with their counts.
    """
    parameters = certificate.parameters
    digits = int(str(parameters["digits"]))
    unit = ExactNumber.parse(str(parameters["unit"]))
    multiples = [(_ceiling(epsilon, unit), count) for epsilon, count in groups]
    mechanisms = sum(count for _, count in groups)
    blocks = len(groups) * (200_000 + 500 * digits * isqrt(digits))
    if certificate.rule == "grid":
        levels = len(groups).bit_length() + 2
        return blocks + 20 * grid_slots(multiples, digits) * (digits + 30) * levels
    if certificate.rule == "grid-counts":
        cells = sum(a * count for a, count in multiples) + len(groups)
        product = _product(_BITS_OF_A_DIGIT * digits + 2 * mechanisms)
        return blocks + cells * (1000 + 4 * product + 4 * mechanisms * (mechanisms // 64 + 1))
    points, values = (int(str(parameters[name])) for name in ("points", "values"))
    steps = sum(2 * count.bit_length() + 3 for _, count in groups) + 16
    product = 1000 + 20 * _product(_BITS_OF_A_DIGIT * digits)
    swept = points * (200 + 20 * len(groups))
    return blocks + swept + (values * steps + 8 * isqrt(points)) * product


def _product(bits: int) -> int:
    """One product of integers of so many bits."""
    return bits * isqrt(bits) // 64


def _ceiling(epsilon: ExactNumber, unit: ExactNumber) -> int:
    """The least a with a·unit >= epsilon."""
    if unit.is_rational:
        return -floor_of(epsilon * (-1 / unit.rational))
    multiple = multiple_of(epsilon, unit)
    if multiple is None:
        raise InternalError(field="unit", value=str(unit), expected="one that divides every ε")
    return int(-(-multiple // 1))

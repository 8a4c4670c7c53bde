r"""Exact signs, and coprime bases, in integers.

Rules of this file: a sign is exact, or the certificate is rejected. How long a sign may take is
limited: :func:`sign`, for numbers that are read, gives up early. Nothing that an input can choose
is looked up by its hash.

Theory of operation: a sign is read off an enclosure that excludes 0. A value that is 0 is found by
writing it over logarithms of pairwise coprime integers, which are linearly independent over the
rationals (unique factorisation); a nonzero rational plus such a sum is never 0 (Lindemann).

Sources: certs/SPEC.md, section 6.4; Baker, "Transcendental Number Theory", Thm 1.4; Bernstein,
"Factoring into coprimes in essentially linear time", J. Algorithms 54, 2005.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from ..format.meter import of_division, pay
from ..format.numbers import Number, linear, size
from ..format.outcomes import RejectedError
from .enclosures import MAX_DIGITS, bits_for, ceil_div, enclose

Term = tuple[int, Number]
"""An integer factor and a number."""

_FIRST_BITS: Final = 128
_MAX_READ_BITS: Final = 1024
_MAX_READ_LOGS: Final = 16
_MAX_READ_TIE_BITS: Final = 4096
_MAX_TIE_LOGS: Final = 10_000
_MAX_TIE_BITS: Final = 2**22


# --- signs --------------------------------------------------------------------------------------


def sign(number: Number) -> int:
    """-1, 0 or 1, exactly, for a number that is read: it gives up early."""
    return _sign(number, _MAX_READ_BITS, _MAX_READ_LOGS, _MAX_READ_TIE_BITS)


def sign_of_sum(terms: Iterable[Term]) -> int:
    """The sign of a sum of numbers with integer factors, as a check may ask for.

    The exact sum may be as long as all together, so that each is enclosed first.
    """
    parts = list(terms)
    enclosed = [(factor, enclose(number, _FIRST_BITS)) for factor, number in parts]
    if sum(factor * ends[factor < 0] for factor, ends in enclosed) > 0:
        return 1
    if sum(factor * ends[factor > 0] for factor, ends in enclosed) < 0:
        return -1
    number = linear(parts)
    together = math.isqrt(bits_for(MAX_DIGITS) ** 2 // number.terms)
    longest = 4 * max((each.size for _, each in parts), default=0) + 768
    most_bits = max(_FIRST_BITS, min(longest, together))
    return _sign(number, most_bits, _MAX_TIE_LOGS, _MAX_TIE_BITS)


def _sign(number: Number, most_bits: int, most_logs: int, most_tie_bits: int) -> int:
    # the logarithms are positive
    parts = [number.rational.numerator, *(c.numerator for c, _ in number.logs)]
    if min(parts) >= 0 or max(parts) <= 0:
        return (max(parts) > 0) - (min(parts) < 0)
    bits = _FIRST_BITS
    while bits <= most_bits:
        low, high = enclose(number, bits)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        if bits == _FIRST_BITS and not number.rational:
            [vector] = coordinates([number], most_logs, most_tie_bits)[1]
            if not any(vector):
                return 0
        bits *= 2
    raise RejectedError("a sign cannot be decided within the limits")


# --- coprime bases ------------------------------------------------------------------------------


def coordinates(
    numbers: Sequence[Number], most_logs: int = _MAX_TIE_LOGS, most_bits: int = _MAX_TIE_BITS
) -> tuple[list[int], list[list[Fraction]]]:
    r"""A basis of pairwise coprime integers p > 1, and each number as a vector over 1 and the ln p.

    Two numbers are equal in value if and only if their vectors are.
    """
    ratios = distinct_arguments(numbers)
    if len(ratios) > most_logs or sum(size(r) for r in ratios) > most_bits:
        raise RejectedError("too many logarithms to compare exactly")
    basis = coprime_basis(part for r in ratios for part in (r.numerator, r.denominator))
    longest = sum(p.bit_length() for p in basis)
    for number in numbers:
        pay((number.terms + 1) * (len(basis) + 1) * 1000 + number.size * longest // 100)
    return basis, [_vector(number, basis) for number in numbers]


def distinct_arguments(numbers: Iterable[Number]) -> list[Fraction]:
    """The arguments of all logarithms, in order, each once."""
    ordered = sorted(r for number in numbers for _, r in number.logs)
    return [r for r, _ in groupby(ordered)]


def _vector(number: Number, basis: Sequence[int]) -> list[Fraction]:
    vector = [number.rational] + [Fraction(0)] * len(basis)
    for c, r in number.logs:
        for index, p in enumerate(basis, 1):
            exponent = _remove(r.numerator, p)[0] - _remove(r.denominator, p)[0]
            if exponent:
                vector[index] += c * exponent
    return vector


def coprime_basis(integers: Iterable[int]) -> list[int]:
    """Pairwise coprime integers > 1 of which each given positive integer is a product of powers."""
    basis: list[int] = []
    waiting = [integer for integer, _ in groupby(sorted(integers))]
    while waiting:
        new = waiting.pop()
        longest = sum(member.bit_length() for member in basis)
        pay(
            1000
            + 400 * len(basis)
            + 4 * of_division(new.bit_length())
            + new.bit_length() * longest // 100
        )
        sharing = (at for at, member in enumerate(basis) if math.gcd(new, member) > 1)
        index = next(sharing, None)
        if index is not None:
            member = basis.pop(index)
            common = math.gcd(new, member)
            waiting += [common, _remove(new, common)[1], _remove(member, common)[1]]
        elif new > 1:
            basis.append(new)
    return sorted(basis)


def _remove(integer: int, p: int) -> tuple[int, int]:
    """The greatest e such that p^e divides ``integer``, and integer/p^e; p > 1."""
    if integer % p:
        return 0, integer
    e, rest = _remove(integer, p * p)  # by squares: e may be thousands
    return (2 * e, rest) if rest % p else (2 * e + 1, rest // p)


# --- multiples of a unit ------------------------------------------------------------------------


def ceil_quotient(number: Number, unit: Number) -> tuple[int, bool]:
    """The least a with a·unit >= number, and whether they are equal; number >= 0, unit > 0."""
    if not (number.logs or unit.logs):
        quotient = number.rational / unit.rational
        return math.ceil(quotient), quotient.denominator == 1
    bits = _FIRST_BITS
    while (ends := enclose(unit, bits))[0] <= 0 or ends[1] - ends[0] > ends[0] >> 64:
        bits *= 2
        if bits > _MAX_READ_BITS:
            raise RejectedError("the unit is too small")
    low, high = enclose(number, bits)
    a = max(low, 0) // ends[1]  # a·unit <= number, up to the width of the enclosures
    if ceil_div(high, ends[0]) - a > 2:
        raise RejectedError("a parameter is too many units")
    while (order := sign(linear([(a, unit), (-1, number)]))) < 0:
        a += 1
    return a, order == 0

r"""Filtered comparisons: a ball first, exactly if the ball does not decide.

Rules of this file: an answer is always right, and always comes: if the ball holds zero, the number
is written over a coprime basis; it is zero iff all its coordinates are (unique factorisation; a
rational plus a nonzero combination of logarithms is never zero, by Lindemann's theorem);
otherwise the precision doubles until the ball excludes zero.

Sources: Lindemann–Weierstrass (Baker, "Transcendental Number Theory", Thm 1.4); filtered
predicates as in CGAL's exact geometric computation.
"""

from __future__ import annotations

from gmpy2 import mpq

from exactdp.arithmetic.coprime import coordinates
from exactdp.arithmetic.enclosures import ball, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber

_FIRST_BITS = 96


def sign(number: ExactNumber) -> int:
    """-1, 0 or 1: the sign of ``number``, exactly.

    >>> sign(ExactNumber.parse("ln(4) - 2*ln(2)"))
    0
    """
    if not number.logs:
        return (number.rational > 0) - (number.rational < 0)
    parts = [number.rational, *(coefficient for coefficient, _ in number.logs)]
    if min(parts) >= 0 or max(parts) <= 0:
        return (max(parts) > 0) - (min(parts) < 0)
    if decided := _sign_of_ball(number, _FIRST_BITS):
        return decided
    _, [vector] = coordinates([number])
    if not any(vector):
        return 0
    bits = 2 * _FIRST_BITS
    while not (decided := _sign_of_ball(number, bits)):
        bits *= 2
    return decided


def _sign_of_ball(number: ExactNumber, bits: int) -> int:
    """1 or -1 if a ball of ``bits`` bits decides, else 0 for undecided."""
    with precision(bits):
        value = ball(number)
    return int(bool(value > 0)) - int(bool(value < 0))


def compare(left: ExactNumber, right: ExactNumber) -> int:
    """-1, 0 or 1 as ``left`` is below, equal to or above ``right`` in value."""
    return sign(left - right)


def floor_of(number: ExactNumber) -> int:
    """The greatest integer not above ``number``, exactly."""
    if number.is_rational:
        return int(number.rational // 1)
    with precision(_FIRST_BITS):
        value = ball(number)
        decided = value.floor().unique_fmpz()
        if decided is not None:
            return int(decided)
        size = 2 * (1 + abs(value)).log()  # above its log2, as 1/ln 2 < 2
    with precision(_FIRST_BITS + int(upper_end(size))):
        guess = int(lower_end(ball(number)) // 1)
    while compare(ExactNumber.of(guess + 1), number) <= 0:
        guess += 1
    return guess


def multiple_of(number: ExactNumber, unit: ExactNumber) -> mpq | None:
    """The rational m with number = m·unit in value, or None. ``unit`` is not zero."""
    _, (vector, direction) = coordinates([number, unit])
    pivot = next(index for index, entry in enumerate(direction) if entry)
    factor = vector[pivot] / direction[pivot]
    return factor if all(v == factor * d for v, d in zip(vector, direction, strict=True)) else None

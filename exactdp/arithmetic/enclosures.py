r"""Enclosures: real numbers between two rationals, by ball arithmetic.

Rules of this file: precision is an argument, in bits, and never a global left changed; a ball
leaves this layer only as a ball or as exact rational ends, lower end below, upper end above.

Sources: Johansson, "Arb: efficient arbitrary-precision midpoint-radius interval arithmetic",
IEEE Trans. Computers 66(8), 2017.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Final, cast

from flint import arb, ctx, fmpz
from gmpy2 import mpq, mpz

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import CostLimitError

_MOST_SHIFT: Final = 2**26
_KEPT: Final = 1024

Ends = tuple[mpq, mpq]
"""A certain lower and a certain upper end."""


def double_of(value: mpq) -> float:
    """The double next to a rational: a guess, never an end."""
    return int(value.numerator) / int(value.denominator)


def precision(bits: int) -> AbstractContextManager[object]:
    """A context in which balls are computed with ``bits`` bits; the old precision returns."""
    return cast("AbstractContextManager[object]", ctx.workprec(bits))


def ball_of_rational(value: mpq) -> arb:
    """The ball of a rational, at the precision of the context."""
    return arb(int(value.numerator)) / int(value.denominator)


def parameter_ball(value: mpq) -> arb:
    """The ball of a rational that is asked for again and again, at the precision of the context."""
    return _parameter_ball(value, ctx.prec)


@lru_cache(maxsize=_KEPT)
def _parameter_ball(value: mpq, bits: int) -> arb:
    with precision(bits):
        return ball_of_rational(value)


def ball(number: ExactNumber) -> arb:
    """A ball that holds ``number``, at the precision of the context."""
    total = ball_of_rational(number.rational)
    for coefficient, ratio in number.logs:
        total += ball_of_rational(coefficient) * ball_of_rational(ratio).log()
    return total


def scaled_floor(value: arb, bits: int) -> fmpz:
    """An integer not above value·2^bits, and next to it if the ball is narrow."""
    floor = (value * arb(2) ** bits).lower().floor().unique_fmpz()
    return fmpz(int(lower_end(value * arb(2) ** bits) // 1)) if floor is None else floor


def lower_end(value: arb) -> mpq:
    """The exact lower end of the ball, whatever the precision of the context."""
    return _dyadic(value.mid()) - _dyadic(value.rad())


def upper_end(value: arb) -> mpq:
    """The exact upper end of the ball, whatever the precision of the context."""
    return _dyadic(value.mid()) + _dyadic(value.rad())


def _dyadic(exact: arb) -> mpq:
    """The value of an exact ball.

    Raises:
        CostLimitError: it is infinite, or so far from 1 that its digits would fill the memory
            (GMP aborts the process then).
    """
    if not exact.is_finite():
        raise _out_of_reach("beyond every exponent")
    mantissa, exponent = exact.man_exp()
    shift = int(exponent)
    if abs(shift) > _MOST_SHIFT:
        raise _out_of_reach(f"2^{shift}" if abs(shift) < 10**30 else "beyond every exponent")
    scaled = mpz(int(mantissa))
    return mpq(scaled << shift) if shift >= 0 else mpq(scaled, mpz(1) << -shift)


def _out_of_reach(size: str) -> CostLimitError:
    return CostLimitError(
        field="epsilon",
        value=f"an intermediate number near {size}",
        expected=f"numbers between 2^-{_MOST_SHIFT} and 2^{_MOST_SHIFT}",
        remedy="an ε above about 10^7 is no promise of privacy",
    )


def bits_of(value: mpq) -> int:
    """About log2 of a positive rational, rounded up; at least 0."""
    return max(0, value.numerator.bit_length() - value.denominator.bit_length() + 1)

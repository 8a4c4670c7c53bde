r"""Blocks: the weights of many equal randomized responses, in closed binomial form.

Theory of operation: of c randomized responses with odds :math:`e^\epsilon`, j answer untruthfully
with probability :math:`\binom{c}{j} x^j/(1+x)^c`, :math:`x = e^{-\epsilon}`. Relative to a term
near the mode, neighbouring terms follow from their ratio :math:`(c-j)x/(j+1)`, so a block of 10^9
equal mechanisms costs only the few hundred thousand terms that are not negligible: no polynomial,
no factorial. Both tails are bounded by geometric series and join the total.

Rounding: weights are rounded down, at ``bits`` binary digits after the point. As the true
weights sum to 1, whatever is missing from the rounded ones is known, and bounds the error.
"""

from __future__ import annotations

from math import isqrt
from typing import Final

from flint import arb, fmpz, fmpz_poly

from exactdp.arithmetic.enclosures import ball, lower_end, precision, scaled_floor
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.engines.sharing import shared
from exactdp.composition.engines.weights import Terms, Weights, trimmed
from exactdp.timing.deadlines import asking

_GUARD_BITS = 32
_SHARE_OF_ROOT = 30
_TERM_COST: Final = 2000


def answer(x: arb, spacing: int, bits: int) -> Terms:
    """The weights of one answer, truthful at 0 and untruthful at ``spacing`` > 0."""
    return {0: scaled_floor(1 / (1 + x), bits), spacing: scaled_floor(x / (1 + x), bits)}


def block(x: arb, count: int, bits: int) -> Weights:
    r"""The weights of j untruthful answers out of ``count``.

    Args:
        x: a ball of :math:`e^{-\epsilon}` in (0, 1], at a precision well above ``bits``.
        count: c >= 1, however large.
        bits: binary digits after the point.
    """
    places = bits + _GUARD_BITS + 2 * count.bit_length()
    with precision(places):
        mode = int(lower_end((count + 1) * x / (1 + x)) // 1)
        mode = min(max(mode, 0), count)
        upward, above = _one_side(x, count - mode, mode, places)
        downward, below = _one_side(1 / x, mode, count - mode, places)
    terms = fmpz_poly([*reversed(downward), fmpz(1) << places, *upward])
    total = terms(1) + above + below
    return trimmed(mode - len(downward), terms * (fmpz(1) << bits) // total)


def block_of(epsilon: ExactNumber, count: int, bits: int, digits: int) -> Weights:
    """The weights of ``count`` mechanisms of one ε, which ledgers share that have the same group.

    Args:
        epsilon: ε > 0.
        count: c >= 1.
        bits: binary digits after the point.
        digits: the precision at which e^-ε is taken.
    """
    size = min(count, _SHARE_OF_ROOT * isqrt(count) + _GUARD_BITS) * (bits + _GUARD_BITS) // 8
    return shared(
        ("block", epsilon, count, bits, digits),
        size,
        lambda: _block_at(epsilon, count, bits, digits),
    )


def _block_at(epsilon: ExactNumber, count: int, bits: int, digits: int) -> Weights:
    with precision(digits):
        return block((-ball(epsilon)).exp(), count, bits)


def _one_side(x: arb, remaining: int, passed: int, places: int) -> tuple[list[fmpz], fmpz]:
    r"""Terms beyond the mode in one direction, and at least what their sum lacks of the true one.

    Everything is relative to the mode, times 2^``places``. With :math:`r_i = (c - i)x/(p + i + 1)`,
    c ``remaining`` and p ``passed``, the term after the i-th is r_i times that, rounded down. As
    r_0 < 2 and r_i < 1 from then on, every step adds at most ``lack`` to what a term lacks. The
    terms end where they are negligible; ratios only decrease, so that the rest is at most a
    geometric series.
    """
    if not remaining:
        return [], fmpz(0)
    if not (remaining * x < 2 * (passed + 1) and (remaining - 1) * x < passed + 2):
        raise ValueError("the ball of x is too wide for the mode to be known")
    mantissa, exponent = x.lower().man_exp()
    factor, shift = mantissa << max(0, int(exponent)), max(0, -int(exponent))
    lack = 1 - 2 * scaled_floor(1 - x / x.lower(), places)
    negligible = fmpz(1) << (_GUARD_BITS // 2 + 2 * (passed + remaining).bit_length())
    terms: list[fmpz] = []
    term, numerator = fmpz(1) << places, factor * remaining
    for divisor in asking(range(passed + 1, passed + remaining + 1), _TERM_COST):
        term = (term * numerator >> shift) // divisor
        terms.append(term)
        numerator -= factor
        if term < negligible:
            break
    n = len(terms)
    ratio = (remaining - n) * x / (passed + n + 1)
    rest = (term + n * lack) * ratio / (1 - ratio)
    return terms, n * (n + 1) // 2 * lack - scaled_floor(-rest, 0)

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

from flint import arb, fmpz, fmpz_poly

from exactdp.arithmetic.enclosures import lower_end, precision, scaled_floor
from exactdp.composition.weights import Terms, Weights

_GUARD_BITS = 32


def answer(x: arb, spacing: int, bits: int) -> Terms:
    """The weights of one answer, truthful at 0 and untruthful at ``spacing`` > 0."""
    return {0: scaled_floor(1 / (1 + x), bits), spacing: scaled_floor(x / (1 + x), bits)}


def block(x: arb, count: int, spacing: int, bits: int) -> Weights:
    r"""The weights of j untruthful answers out of ``count``, the j-th at j·``spacing``.

    Args:
        x: a ball of :math:`e^{-\epsilon}` in (0, 1], at a precision well above ``bits``.
        count: c >= 1, however large.
        spacing: the integer a with :math:`\epsilon = a\epsilon_0`.
        bits: binary digits after the point.
    """
    with precision(bits + _GUARD_BITS + 2 * count.bit_length()):
        mode = int(lower_end((count + 1) * x / (1 + x)) // 1)
        mode = min(max(mode, 0), count)
        upward, upper_tail = _one_side(x, count - mode, mode, bits)
        downward, lower_tail = _one_side(1 / x, mode, count - mode, bits)
        total = sum(upward, arb(1)) + sum(downward, arb(0)) + upper_tail + lower_tail
        terms = [*reversed(downward), arb(1), *upward]
        scaled = [scaled_floor(term / total, bits) for term in terms]
    first = next(index for index, weight in enumerate(scaled) if weight != 0)
    coefficients = [fmpz(0)] * (spacing * (len(scaled) - 1 - first) + 1)
    coefficients[::spacing] = scaled[first:]
    return Weights(spacing * (mode - len(downward) + first), fmpz_poly(coefficients))


def _one_side(x: arb, remaining: int, passed: int, bits: int) -> tuple[list[arb], arb]:
    r"""Terms beyond the mode, relative to it, in one direction, and a ball of those left out.

    The i-th term is the one before times (remaining - i)·x/(passed + i + 1). The terms end where
    they fall below 2^-bits with a ratio certainly below 1; ratios only decrease from there, so
    that the rest is at most a geometric series.
    """
    terms: list[arb] = []
    term = arb(1)
    negligible = arb(2) ** -(bits + _GUARD_BITS // 2)
    for i in range(remaining):
        ratio = (remaining - i) * x / (passed + i + 1)
        if term < negligible and ratio < 1:
            return terms, (term * ratio / (1 - ratio)).union(arb(0))
        term *= ratio
        terms.append(term)
    return terms, arb(0)

r"""From Rényi divergences of one order to (ε, δ): what several rules share.

Rules of this file: what is enclosed is enclosed from both sides; any order α > 1 gives a bound that
holds.

Theory of operation: a composition with the Rényi divergence τ(α) is (ε, δ')-DP for

    ln δ' = g(α) = (α - 1)(τ(α) - ε) + α·ln(1 - 1/α) - ln(α - 1).

Sources: certs/SPEC.md, section 7.3; Canonne, Kamath & Steinke, arXiv:2004.00010, Proposition 12.
"""

from __future__ import annotations

from fractions import Fraction

from ..arithmetic.enclosures import Enclosure, ceil_div, enclose, enclose_ln, exp_fixed, total
from ..format.meter import of_division, pay
from ..format.numbers import Number, parse_canonical, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import string
from ..format.strict_json import Json
from .ledger import Ledger


def read_alpha(value: Json) -> Fraction:
    """An order, a rational above 1."""
    alpha = parse_canonical(string(value, "alpha"))
    if alpha.logs or alpha.rational <= 1:
        raise MalformedError("alpha is not a rational above 1")
    return alpha.rational


def noise(ledger: Ledger) -> list[tuple[int, Fraction]]:
    """The mechanisms given by μ and ρ as zCDP: their counts, with μ²/2 and ρ."""
    gaussian = [(m.count, m.square / 2) for m in ledger.gaussian]
    return gaussian + [(m.count, m.parameter) for m in ledger.concentrated]


def log_failure(scaled: Enclosure, epsilon: Number, alpha: Fraction, bits: int) -> Enclosure:
    """g(α), for ``scaled`` = (α - 1) times the Rényi divergence of order α."""
    return total(
        scaled,
        times(enclose(epsilon, bits), 1 - alpha),
        times(logarithm(1 - 1 / alpha, bits), alpha),
        times(logarithm(alpha - 1, bits), Fraction(-1)),
    )


def log_delta(ledger: Ledger, delta: Fraction, bits: int) -> Enclosure:
    """The logarithm of Δ."""
    low, high = ledger.delta(delta, bits)
    if low <= 0:
        raise RejectedError("too few digits: Δ may be 0")
    one = 1 << bits
    return logarithm(Fraction(low, one), bits)[0], logarithm(Fraction(high, one), bits)[1]


def logarithm(ratio: Fraction, bits: int) -> Enclosure:
    """The logarithm of any rational above 0."""
    if ratio >= 1:
        return enclose_ln(ratio, bits)
    low, high = enclose_ln(1 / ratio, bits)
    return -high, -low


def times(value: Enclosure, factor: Fraction) -> Enclosure:
    """The product with a rational."""
    low, high = value if factor >= 0 else value[::-1]
    pay(6 * of_division(high.bit_length() + size(factor)))
    return (
        low * factor.numerator // factor.denominator,
        ceil_div(high * factor.numerator, factor.denominator),
    )


def of_response(epsilon: Number, alpha: Fraction, bits: int) -> int:
    """Of randomized response, (α-1)ε + ln((1 + e^{-(2α-1)ε})/(1 + e^{-ε})), from above."""
    pay(4 * of_division(bits))
    (low, high), one = enclose(epsilon, bits), 1 << bits
    above = one + exp_fixed(times((low, high), 1 - 2 * alpha), bits)[1]
    below = one + exp_fixed((-high, -low), bits)[0]
    return times((low, high), alpha - 1)[1] + logarithm(Fraction(above, below), bits)[1]

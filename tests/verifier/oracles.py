"""Independent judges of statements: brute force over subsets, in mpmath's interval arithmetic.

Nothing here comes from the verifier. Numbers are read by splitting their canonical text.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, TypeAlias

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
from mpmath import iv

from tests.verifier.handmade import Entry

Interval: TypeAlias = Any
"""An interval of mpmath, which ships no types."""

DIGITS = 60
_TERM = re.compile(r"(?:([0-9/]+)\*)?ln\(([0-9/]+)\)")


def interval(value: Fraction) -> Interval:
    iv.dps = DIGITS
    return iv.mpf(value.numerator) / value.denominator


def value_of(text: str) -> Interval:
    """An interval that holds what a canonical text denotes."""
    total = interval(Fraction(0))
    for part in text.replace(" - ", " + -").split(" + "):
        factor, body = (-1, part[1:]) if part.startswith("-") else (1, part)
        term = _TERM.fullmatch(body)
        if term is None:
            total += factor * interval(Fraction(body))
        else:
            total += (
                factor * interval(Fraction(term[1] or "1")) * iv.log(interval(Fraction(term[2])))
            )
    return total


def divergence(entries: list[Entry], epsilon: str) -> Interval:
    """D(e^epsilon), straight from its definition as a sum over subsets."""
    odds = [iv.exp(value_of(parameter)) for parameter, _, n in entries for _ in range(n)]
    y = iv.exp(value_of(epsilon))
    total = interval(Fraction(0))
    for subset in range(2 ** len(odds)):
        inside = outside = interval(Fraction(1))
        for index, ratio in enumerate(odds):
            if subset >> index & 1:
                inside *= ratio
            else:
                outside *= ratio
        gap = inside - y * outside
        total += iv.mpf([max(gap.a, 0), max(gap.b, 0)])
    for ratio in odds:
        total /= 1 + ratio
    return total


def forced_delta(entries: list[Entry], delta: str) -> Fraction:
    """Δ, exactly."""
    kept = Fraction(1)
    for _, loss, count in entries:
        kept *= (1 - Fraction(loss)) ** count
    return 1 - (1 - Fraction(delta)) / kept


def truth(entries: list[Entry], epsilon: str, delta: str) -> str:
    """``upper`` or ``lower``, whichever statement is true; ``tie`` if too close to tell."""
    excess = divergence(entries, epsilon) - interval(forced_delta(entries, delta))
    if excess.a > 0:
        return "lower"
    return "upper" if excess.b < 0 else "tie"


def optimum(entries: list[Entry], delta: str, places: int = 12) -> Fraction:
    """A multiple of 10^-places at which ``lower`` holds, while ``upper`` does at the next."""
    scale = 10**places
    total = scale * sum(n * value_of(e) for e, _, n in entries)
    low, high = 0, int(total.b) + 1
    if truth(entries, "0", delta) != "lower":
        return Fraction(-1, scale)
    while high - low > 1:
        middle = (low + high) // 2
        if truth(entries, str(Fraction(middle, scale)), delta) == "lower":
            low = middle
        else:
            high = middle
    return Fraction(low, scale)


def divergence_on_grid(multiples: list[int], epsilon: int, unit: Fraction) -> mpmath.mpf:
    """The sum over subsets of Murtagh & Vadhan 2018, Thm 1.5, for ε = epsilon·unit."""
    step = mpmath.mpf(unit.numerator) / unit.denominator
    losses = [sum(multiples)]
    for a in multiples:
        losses += [loss - 2 * a for loss in losses]
    terms = (
        mpmath.exp((loss + sum(multiples)) * step / 2)
        - mpmath.exp((sum(multiples) - loss) * step / 2 + epsilon * step)
        for loss in losses
        if loss > epsilon
    )
    return mpmath.fsum(terms) / mpmath.fprod(1 + mpmath.exp(a * step) for a in multiples)

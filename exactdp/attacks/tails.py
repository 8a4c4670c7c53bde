r"""Tails of binomial distributions, enclosed, and the limits of Clopper and Pearson.

Rules of this file: a tail is a ball that holds it; a limit is a decimal on the safe side.

Theory of operation: terms follow from each other by their ratios, from the edge of the tail on, in
whole numbers. What is left once terms are small is at most a geometric series, as ratios fall.

Source: Clopper & Pearson, Biometrika 26(4), 1934.
"""

from __future__ import annotations

from typing import Final

from flint import arb, fmpz
from gmpy2 import mpq, mpz

from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, precision, upper_end
from exactdp.errors import InternalError

BITS: Final = 256
_WORK: Final = BITS + 40
_DIGITS: Final = 100
_PLACES: Final = 12
_UNITS: Final = mpz(10) ** _PLACES


def tail_from(runs: int, least: int, p: arb) -> arb:
    """P[X >= ``least``] of X ~ Bin(``runs``, p), for 0 < p < 1, at the context's precision."""
    if least <= 0:
        return arb(1)
    if least > runs:
        return arb(0)
    if least > runs * float(p.mid()):
        return _outward(runs, least, p)
    return 1 - _outward(runs, runs - least + 1, 1 - p)


def term(runs: int, hits: int, p: arb) -> arb:
    """P[X = ``hits``]."""
    ways = arb(runs + 1).lgamma() - arb(hits + 1).lgamma() - arb(runs - hits + 1).lgamma()
    return (ways + hits * p.log() + (runs - hits) * (1 - p).log()).exp()


def _outward(runs: int, least: int, p: arb) -> arb:
    """The tail above the mean: its first term, times what all are together to it."""
    ends = _relative(runs, least, *_ends_of(p / (1 - p)))
    low, high = (arb(fmpz(end)) / arb(2) ** _WORK for end in ends)
    return term(runs, least, p) * low.union(high)


def _ends_of(odds: arb) -> tuple[int, int]:
    """Whole numbers around odds times 2^work."""
    scaled = odds * arb(2) ** _WORK
    low, high = (end.unique_fmpz() for end in (scaled.lower().floor(), scaled.upper().ceil()))
    if low is None or high is None:
        raise InternalError(field="odds", value=str(odds), expected="a finite ball")
    return int(low), int(high)


def _relative(runs: int, least: int, below: int, above: int) -> tuple[int, int]:
    """Ends of the tail over its first term, by ends of the odds; all times 2^work.

    Each term is the one before by the ratio of both, rounded down and up. Ratios fall, so that
    what is left after one is at most a geometric series.
    """
    low = high = least_sum = most_sum = 1 << _WORK
    limit = 1 << _WORK - _DIGITS
    for at in range(least, runs):
        left, done = runs - at, at + 1
        if high < limit and above * left < done << _WORK:
            rest = high * above * left // ((done << _WORK) - above * left) + 1
            if rest < limit:
                return least_sum, most_sum + rest
        low = (low * below >> _WORK) * left // done
        high = ((high * above >> _WORK) + 1) * left // done + 1
        least_sum += low
        most_sum += high
    return least_sum, most_sum


def least_rate(runs: int, hits: int, error: mpq) -> mpq:
    """The greatest decimal p with P[Bin(runs, p) >= hits] <= ``error``; 0 if there are no hits."""
    if hits == 0:
        return mpq(0)
    below, above = mpz(0), _UNITS
    with precision(BITS):
        while above - below > 1:
            middle = (below + above) // 2
            tail = tail_from(runs, hits, ball_of_rational(mpq(middle, _UNITS)))
            if upper_end(tail) <= error:
                below = middle
            else:
                above = middle
    return mpq(below, _UNITS)


def greatest_rate(runs: int, hits: int, error: mpq) -> mpq:
    """The least decimal q with P[Bin(runs, q) <= hits] <= ``error``; 1 if all are hits."""
    return 1 - least_rate(runs, runs - hits, error)


def unit_of_rates() -> mpq:
    """How far apart the decimals are."""
    return mpq(1, _UNITS)


def chance_of_right_guesses(
    canaries: int, guesses: int, right: int, odds: arb, delta: mpq
) -> tuple[mpq, mpq]:
    """Ends of what bounds the chance of so many right guesses, of e^ε = ``odds``, at most 1.

    Steinke, Nasr & Jagielski, NeurIPS 2023, with a term for δ that is proved in certs/SPEC.md,
    11.27: with X ~ Bin(r, y/(1 + y)), P[X >= v]·(1 + mδ/(v·P[X = v])). It rises with the odds.
    """
    if right == 0:
        return mpq(1), mpq(1)
    p = odds / (1 + odds)
    tail = tail_from(guesses, right, p)
    fails = canaries * ball_of_rational(delta) / (right * term(guesses, right, p))
    bound = (tail * (1 + fails)).min(1)
    return max(mpq(0), lower_end(bound)), upper_end(bound)

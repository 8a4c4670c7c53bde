r"""Tails of binomial distributions, enclosed, and the limits of Clopper and Pearson.

Rules of this file: a tail is a ball that holds it; a limit is a decimal on the safe side.

Theory of operation: terms follow from each other by their ratios, from the edge of the tail on.
What is left once terms are small is at most a geometric series, as ratios fall.

Source: Clopper & Pearson, Biometrika 26(4), 1934.
"""

from __future__ import annotations

from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.enclosures import ball_of_rational, lower_end, precision, upper_end

BITS: Final = 256
_NEGLIGIBLE: Final = arb(2) ** -100
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
    """The tail above the mean, term by term, with what is left as an error."""
    odds, mass = p / (1 - p), term(runs, least, p)
    total, at = mass, least
    while at < runs:
        ratio = odds * (runs - at) / (at + 1)
        left = mass * ratio / (1 - ratio)
        if ratio < 1 and left < total * _NEGLIGIBLE:
            return total + left.union(arb(0))
        mass, at = mass * ratio, at + 1
        total += mass
    return total


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

    Steinke, Nasr & Jagielski, NeurIPS 2023 (arXiv:2305.08846v1), Theorem 5.2: with
    X ~ Bin(r, y/(1 + y)), P[X >= v] + 2mδ·max over i of P[v > X >= v - i]/i.
    """
    if right == 0:
        return mpq(1), mpq(1)
    p = odds / (1 + odds)
    bound = tail_from(guesses, right, p)
    if delta:
        bound += 2 * canaries * ball_of_rational(delta) * _greatest_mean(guesses, right, p)
    return max(mpq(0), min(mpq(1), lower_end(bound))), min(mpq(1), upper_end(bound))


def _greatest_mean(guesses: int, right: int, p: arb) -> arb:
    """The greatest mean of terms just below ``right``: later means are at most 1/i each."""
    mass = term(guesses, right - 1, p)
    back = (1 - p) / p
    total, best = mass, mass
    for number in range(2, right + 1):
        if best * number > 1:
            break
        hits = right - number + 1
        mass *= back * hits / (guesses - hits + 1)
        total += mass
        best = best.max(total / number)
    return best

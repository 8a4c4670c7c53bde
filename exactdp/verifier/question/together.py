r"""Whether several bounds about one thing refute together what none of them refutes alone.

Rules of this file: rationals alone: an ε is the logarithm of one, or 0.

Theory of operation: some laws P and Q have a profile H of more than δ at y, or, with their roles
exchanged, of more than 1 - (1 - δ)/y at 1/y. H is convex, 1 at 0, and at most what bounds from
above say. So it lies above the lines through such points and this one, continued beyond it, and
above 1 - z and 0; and no test with false positives of at most α has fewer true ones, at best, than
the least of H(z) + zα over all z.

Sources: certs/SPEC.md, section 12.4; Dong, Roth & Su 2022, Proposition 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from ..format.meter import of_division, pay
from ..format.numbers import Number, size
from ..format.outcomes import RejectedError
from ..statement import Bound, Statement
from .claim import Claim, TruePositives

Point: TypeAlias = tuple[Fraction, Fraction]
"""A ratio z, and a bound on H(z)."""


def check_together(statements: Sequence[Statement], claim: Claim) -> None:
    """Reject statements that are not about one thing, or do not refute the claim together."""
    if not statements:
        raise RejectedError("there are no statements")
    first = statements[0]
    same = replace(first, theorem="")
    for each in statements:
        if replace(each, theorem="", bound=first.bound) != same or each.bound.notion:
            raise RejectedError("the statements are not about one thing")
        if each.bound.group != first.bound.group:
            raise RejectedError("the statements are about groups of different sizes")
    if not isinstance(claim, TruePositives):
        raise RejectedError("only a claim of true positives is settled by several statements")
    bounds = [each.bound for each in statements]
    above = [_roles(each) for each in bounds if each.kind == "upper"]
    below = [_roles(each) for each in bounds if each.kind == "lower"]
    listed = [(Fraction(0), Fraction(1)), *(point for pair in above for point in pair)]
    if not any(_least(point, listed, claim.fpr) > claim.tpr for pair in below for point in pair):
        raise RejectedError("the statements do not settle the claim")


def _roles(bound: Bound) -> tuple[Point, Point]:
    """What it says at its ratio, and in exchanged roles at the inverse."""
    ratio = _odds(bound.finite())
    pay(4 * of_division(size(ratio) + size(bound.delta)))
    return (ratio, bound.delta), (1 / ratio, 1 - (1 - bound.delta) / ratio)


def _odds(epsilon: Number) -> Fraction:
    if epsilon.rational or len(epsilon.logs) > 1 or any(c != 1 for c, _ in epsilon.logs):
        raise RejectedError("an epsilon is not the logarithm of a rational")
    return epsilon.logs[0][1] if epsilon.logs else Fraction(1)


def _least(point: Point, above: Iterable[Point], alpha: Fraction) -> Fraction:
    """The least of H(z) + zα, for all H that are at least as great at this point."""
    ratio, height = point
    slope, fall = -(1 - height) / ratio, Fraction(0)
    for other, most in above:
        pay(8 * of_division(size(ratio) + size(height) + size(other) + size(most)))
        if other < ratio:
            slope = max(slope, (height - most) / (ratio - other))
        elif other > ratio:
            fall = max(fall, (height - most) / (other - ratio))
    here = height + ratio * alpha
    pay(20 * of_division(size(here) + size(slope) + size(fall)))
    slope = min(slope, Fraction(0))
    beyond = here if slope >= -alpha else alpha * max(Fraction(1), ratio - height / slope)
    if fall >= alpha:
        return min(here, beyond)
    meeting = (1 - height - fall * ratio) / (1 - fall)
    z = max(Fraction(0), min(meeting, ratio))
    return min(beyond, max(height + fall * (ratio - z), 1 - z) + z * alpha)

"""The table of several pairs of ε and δ, from the least line at each point."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

Value = TypeVar("Value", Fraction, float)


def table(constraints: Sequence[tuple[Value, Value]]) -> list[tuple[Value, Value]]:
    """P and Q of each output, for pairs of e^ε and δ in numbers of one kind.

    The hull is at y the least of all lines between points on either side of y; Q of the output of a
    ratio y is by how much its slope turns there.
    """
    one = constraints[0][0] / constraints[0][0]
    points: list[tuple[Value, Value]] = list(constraints)
    points += [(1 / y, 1 - (1 - delta) / y) for y, delta in constraints]
    points.append((0 * one, one))

    def hull(y: Value) -> Value:
        found = [v for z, v in points if z <= y]
        found += [
            v + (w - v) * (y - a) / (b - a) for a, v in points for b, w in points if a < y < b
        ]
        return min(found)

    places = sorted({y for y, _ in points})
    slopes = [(hull(b) - hull(a)) / (b - a) for a, b in pairwise(places)]
    slopes.append(slopes[0] * 0)
    law: list[tuple[Value, Value]] = [(slopes[0] * 0, 1 + slopes[0])]
    for y, (before, after) in zip(places[1:], pairwise(slopes), strict=True):
        law.append((y * (after - before), after - before))
    law.append((hull(places[-1]), slopes[0] * 0))
    return law

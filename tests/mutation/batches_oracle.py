"""The laws of batches that are allocated, or of a fixed size, by cells of doubles."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, exp, log
from statistics import NormalDist
from typing import Any

from flint import fmpz_poly

Cells = list[tuple[float, float]]
"""P and Q of each."""

SCALE = 2**80
CELLS = 200
"""Of a deviation."""
REPLACED = "2"
FAR = 6.5
MOST_POINTS = 10**6
"""Of a mesh of ratios."""


def is_within_reach(entry: dict[str, Any]) -> bool:
    """Whether little noise does not make the mesh of ratios long."""
    if "allocated" not in entry:
        return True
    mu = 1 / float(Fraction(entry["sigma"]))
    points = log(40 / min(1.0, mu)) + mu * (FAR + mu / 2) + log(int(entry["allocated"]["batches"]))
    return points < log(MOST_POINTS)


def laws_of_batches(entry: dict[str, Any], kind: str) -> Cells:
    """Of one epoch, or of one step."""
    mu = 1 / float(Fraction(entry["sigma"]))
    if "allocated" in entry:
        return of_allocated(mu, int(entry["allocated"]["batches"]))
    rate = float(Fraction(int(entry["fixed_size"]["batch"]), int(entry["fixed_size"]["records"])))
    if entry["reach"] == REPLACED:
        opposed = cells_of(mu, rate, (2, 0))
        return opposed if kind == "lower" else both(opposed, [(q, p) for p, q in opposed])
    opposed = cells_of(mu, rate, (2, 1))
    if kind == "lower":
        return opposed
    alike = [(own, (1 - rate) * own + rate * other) for own, other in cells_of(mu, 1, (1, 0))]
    return both(opposed, alike)


def cells_of(mu: float, rate: float, means: tuple[int, int]) -> Cells:
    """Noise around 0, or with the rate around two other points."""
    normal = NormalDist()
    places = [k / CELLS - 9 for k in range(ceil((18 + 2 * mu) * CELLS))]

    def masses(mean: float) -> list[float]:
        ends = [normal.cdf(min(at - mean, 0)) - normal.cdf(min(mean - at, 0)) for at in places]
        return [after - here for here, after in pairwise(ends)]

    base, own, other = masses(0), *(masses(mean * mu) for mean in means)
    mixed = [
        ((1 - rate) * n + rate * p, (1 - rate) * n + rate * q)
        for n, p, q in zip(base, own, other, strict=True)
    ]
    return [cell for cell in mixed if min(cell) > 1e-15]


def both(above: Cells, below: Cells) -> Cells:
    """What has the profile of the one above y = 1, and of the other below it."""
    kept = [cell for cell in above if cell[0] > cell[1]]
    kept += [cell for cell in below if cell[0] < cell[1]]
    return [*kept, (1 - sum(p for p, _ in kept), 1 - sum(q for _, q in kept))]


def of_allocated(mu: float, batches: int) -> Cells:
    """The mean of the ratios, each taken to the nearer points of a mesh, so that it stays."""
    step, normal = min(1.0, mu) / 40, NormalDist()
    weights: dict[int, float] = {}
    ends = [-9 + k / CELLS for k in range(ceil((9 + FAR + mu) * CELLS))]
    for here, after in pairwise(ends):
        mass = normal.cdf(after) - normal.cdf(here)
        ratio = exp(mu * (here + after) / 2 - mu * mu / 2) / step
        j = int(ratio)
        weights[j] = weights.get(j, 0.0) + mass * (j + 1 - ratio)
        weights[j + 1] = weights.get(j + 1, 0.0) + mass * (ratio - j)
    one = fmpz_poly([int(weights.get(j, 0.0) * SCALE) for j in range(max(weights) + 1)])
    whole = fmpz_poly([SCALE])
    for _ in range(batches):
        whole = whole * one // SCALE
    found: dict[int, tuple[float, float]] = {}
    for j, weight in enumerate(whole.coeffs()):
        mean, q = j * step / batches, int(weight) / SCALE
        key = round(log(mean) * 2000) if j else -(10**6)
        p, other = found.get(key, (0.0, 0.0))
        found[key] = p + q * mean, other + q
    return [cell for cell in found.values() if min(cell) > 1e-15]

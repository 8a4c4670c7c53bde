"""The laws of batches that are allocated, of a fixed size, or leave some out, in doubles."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, exp, log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
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


def in_several_laws(entry: dict[str, Any]) -> bool:
    """Whether it is of batches of which here are laws."""
    known = "allocated" in entry or "fixed_size" in entry
    return known or "records" in entry.get("shuffled", {})


def laws_of_batches(entry: dict[str, Any], kind: str) -> Cells:
    """Of one epoch, or of one step."""
    mu = 1 / float(Fraction(entry["sigma"]))
    if "allocated" in entry:
        return of_allocated(mu, int(entry["allocated"]["batches"]))
    if "shuffled" in entry:
        return of_shuffled(mu, entry, kind)
    rate = float(Fraction(int(entry["fixed_size"]["batch"]), int(entry["fixed_size"]["records"])))
    if entry["reach"] == REPLACED:
        opposed = cells_of(mu, rate, (2, 0))
        return opposed if kind == "lower" else both(opposed, [(q, p) for p, q in opposed])
    opposed = cells_of(mu, rate, (2, 1))
    if kind == "lower":
        return opposed
    alike = [(own, (1 - rate) * own + rate * other) for own, other in cells_of(mu, 1, (1, 0))]
    return both(opposed, alike)


def of_shuffled(mu: float, entry: dict[str, Any], kind: str) -> Cells:
    """Of an epoch that leaves records out."""
    keys = ("batches", "batch", "records")
    batches, batch, records = (int(entry["shuffled"][key]) for key in keys)
    if batches * batch >= records:
        return [(1.0, 1.0)]  # malformed
    share, far = batch / records, entry["reach"] == REPLACED
    if kind == "lower":
        return of_opposites(mu, batches, share, zeroed=0 if far else 1)
    return of_heights(mu, batches, share, far=far)


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


def of_heights(mu: float, batches: int, share: float, *, far: bool) -> Cells:
    """The pair of the lower hull of the curve of three laws, from its values at many losses.

    What a batch lacks is spread over a mesh by the second differences of its call function, which
    is searched for over thresholds.
    """
    losses = [k / 12 for k in range(-48, 121)]
    values = [height(mu, batches, share, exp(loss), far=far) for loss in losses]
    hull: list[tuple[float, float]] = [(0.0, 1.0)]
    for point in zip(map(exp, losses), values, strict=True):
        while len(hull) > 1 and slope(hull[-2], hull[-1]) >= slope(hull[-1], point):
            hull.pop()
        hull.append(point)
    slopes = [slope(here, after) for here, after in pairwise(hull)]
    q = [after - here for here, after in pairwise([*slopes, 0.0])]
    cells = [(y * weight, weight) for (y, _), weight in zip(hull[1:], q, strict=True)]
    return [*cells, (1 - sum(p for p, _ in cells), 0.0), (0.0, 1 - sum(q))]


def slope(one: tuple[float, float], other: tuple[float, float]) -> float:
    return (other[1] - one[1]) / (other[0] - one[0])


def height(mu: float, batches: int, share: float, y: float, *, far: bool) -> float:
    """H(y), what a batch lacks at steps of a share of its spread."""
    reach, apart = (2 * mu, 2 * mu) if far else (mu, 2 * mu)
    beyond = reach if far else mu
    rest = (1 - batches * share) / share
    gap = (batches + rest) * (y - 1)
    width = (1 + y) * sqrt(batches) * exp(mu * reach)
    least, most = -max(gap, 0.0) - 6 * width, max(-gap, 0.0) + 6 * width
    step = width / 40
    places = np.arange(round(least / step), round(most / step) + 1)
    u = (y - 1 + places * step)[:, None]
    p, q, r, s = (normal_at(shift) for shift in (0.0, reach, apart, beyond))
    above = (y * p - q - u * s).max(axis=1)
    below = (y * (1 - q) - (1 - p) - u * (1 - r)).max(axis=1)
    values = np.where(u[:, 0] > 0, above, below)
    falls = [1.0, *(-np.diff(values) / step), 0.0]
    weights = [max(0.0, a - b) for a, b in pairwise(falls)]
    one = fmpz_poly([int(each * SCALE) for each in weights])
    whole, start = fmpz_poly([SCALE]), 0
    for _ in range(batches):
        whole, start = whole * one // SCALE, start + int(places[0])
    total = 0.0
    for k, weight in enumerate(whole.coeffs(), start):
        at = (1 - batches * share) * (y - 1) + share * (batches * (y - 1) + k * step)
        total += max(0.0, at) * int(weight) / SCALE
    return min(1.0, max(0.0, 1 - y + total + batches * share * float(values[-1])))


@lru_cache(maxsize=16)
def normal_at(shift: float) -> np.ndarray:
    """Φ below thresholds less a shift."""
    normal = NormalDist()
    return np.array([normal.cdf(k / 20 - shift) for k in range(-240, 241)])


def of_opposites(mu: float, batches: int, share: float, *, zeroed: int) -> Cells:
    """The sum of the differences of densities, near which they are best told apart."""
    normal, step = NormalDist(), 0.05
    without: dict[int, float] = {}
    own: dict[int, float] = {}
    other: dict[int, float] = {}
    for here, after in pairwise([-9 + k / CELLS for k in range(ceil((15 + 2 * mu) * CELLS))]):
        at = mu * (here + after) / 2
        score = exp(2 * at - 2 * mu * mu) - (exp(at - mu * mu / 2) if zeroed else 1)
        j = min(round(score / step), 4000)
        for found, mean in ((without, 0), (own, 2 * mu), (other, zeroed * mu)):
            mass = normal.cdf(after - mean) - normal.cdf(here - mean)
            found[j] = found.get(j, 0.0) + mass
    first = min(without)
    laws = [
        fmpz_poly([int(each.get(j, 0.0) * SCALE) for j in range(first, 4001)])
        for each in (without, own, other)
    ]
    base = fmpz_poly([SCALE])
    for _ in range(batches - 1):
        base = base * laws[0] // SCALE
    rate = batches * share
    parts = [[int(each) / SCALE for each in (base * law // SCALE).coeffs()] for law in laws]
    longest = max(map(len, parts))
    alone, p, q = ([*each, *[0.0] * (longest - len(each))] for each in parts)
    return [
        ((1 - rate) * r + rate * a, (1 - rate) * r + rate * b)
        for r, a, b in zip(alone, p, q, strict=True)
        if min((1 - rate) * r + rate * a, (1 - rate) * r + rate * b) > 1e-13
    ]

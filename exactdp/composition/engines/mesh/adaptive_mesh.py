r"""Points for curves: fine steps where composed losses come from, wider ones where they rarely do.

Rules of this file: points never decide whether a bound holds, only how close it is:
floats will do.

Theory of operation: near the ε of a small δ, losses are as likely as their weights times e^{λ·loss}
say, scaled to sum to 1, where λ solves K(λ) - λ·K'(λ) = ln δ with K the sum of ln E e^{λ·loss} over
all mechanisms (the saddle point of Chernoff's bound). A loss that falls into a step of length s is
split with a variance of about s²/6, which adds λ(λ+1)·s²/12 to K and (λ+1)·s²/12 to ε; that scores
are rounded takes half as much from below. Steps double where what lies beyond costs little.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from math import exp, log
from operator import itemgetter
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import double_of
from exactdp.composition.engines.mesh.cells import (
    LossMesh,
    Points,
    Window,
    atoms_of,
    connect_the_dots_of_curve,
)
from exactdp.mechanisms.pairs import Curve, Cut, Direction, OutputTable, Pair

_LONG: Final = 1000
_RATIO: Final = 1.05
_SHARE: Final = 0.08
_SHARE_OF_MANY: Final = 0.06
"""Of the tolerance, what the points of the only such curve may cost, and those of all of many."""

_PLAIN_TILT: Final = 8.0
"""The λ + 1 at which the square of a step costs about itself."""

_DEVIATIONS_OF_A_TABLE: Final = 8
_QUARTER: Final = 0.25
_LEAST_STEPS: Final = 8
_GREATEST_TILT: Final = 10_000.0
_FIRST_TILT: Final = 8.0
_MOST_STEPS: Final = 60
_NEAR: Final = 1e-12
_FEW_CELLS: Final = 4096
_LEAST_LOG: Final = -200.0
_MOST_KEPT: Final = 4096
"""Laws whose rough weights are kept: an answer asks for those of each a few times."""


@dataclass(frozen=True, slots=True)
class _Rough:
    """Losses in units, rising, with about their weights; and how often they are composed."""

    points: tuple[tuple[int, float], ...]
    count: int

    def tilted(self, tilt: float, unit: float) -> list[tuple[int, float]]:
        """The weights times e^{tilt·loss}, scaled to sum to 1."""
        highest = tilt * unit * self.points[-1][0]
        shares = [(j, weight * exp(tilt * unit * j - highest)) for j, weight in self.points]
        total = sum(share for _, share in shares)
        return [(j, share / total) for j, share in shares]

    def exponent(self, tilt: float, unit: float) -> tuple[float, float]:
        """The value of K - λ·K', and of K'', at λ."""
        scaled = tilt * unit
        highest = scaled * self.points[-1][0]
        total = mean = square = 0.0
        for j, weight in self.points:
            share = weight * exp(scaled * j - highest)
            total += share
            mean += j * share
            square += j * j * share
        mean /= total
        variance = unit * unit * max(0.0, square / total - mean * mean)
        return self.count * (highest + log(total) - scaled * mean), self.count * variance


def adaptive_mesh(
    laws: Sequence[tuple[Pair, int]],
    windows: Sequence[Window],
    mesh: LossMesh,
    aim: tuple[mpq, float],
    direction: Direction,
) -> tuple[Points, ...]:
    """Points for each law, within its window.

    Args:
        laws: the laws, with their counts.
        windows: for each the least and the greatest loss.
        mesh: what losses are multiples of.
        aim: the tolerance over the square of the mesh, and about the logarithm of δ.
        direction: "add" where P and Q change places.
    """
    plain = [Points.of(window) for window in windows]
    long = [
        not isinstance(law, OutputTable) and law.IS_CONVEX and points.count > _LONG
        for (law, _), points in zip(laws, plain, strict=True)
    ]
    if not any(long):
        return tuple(plain)
    fast = are_fast(laws, plain, aim[1])
    rough = [
        _Rough(_rough_weights(law, window, mesh, direction, fast=fast), count)
        for (law, count), window in zip(laws, windows, strict=True)
    ]
    unit = double_of(mesh.unit)
    tilt = _tilt(rough, unit, aim[1])
    share = _SHARE if sum(long) == 1 else _SHARE_OF_MANY / sum(long)
    most = share * double_of(aim[0]) / max(1.0, (tilt + 1) / _PLAIN_TILT)
    return tuple(
        _sections(each.tilted(tilt, unit), points.window, most / each.count) if wide else points
        for each, points, wide in zip(rough, plain, long, strict=True)
    )


def _tilt(rough: Sequence[_Rough], unit: float, log_delta: float) -> float:
    """The λ of the saddle point, by Newton's method within halved ends: K - λ·K' falls by λ·K''."""
    low, high, tilt = 0.0, _GREATEST_TILT, _FIRST_TILT
    for _ in range(_MOST_STEPS):
        found = [each.exponent(tilt, unit) for each in rough]
        excess = sum(exponent for exponent, _ in found) - log_delta
        low, high = (tilt, high) if excess > 0 else (low, tilt)
        slope = tilt * sum(variance for _, variance in found)
        newton = tilt + excess / slope if slope else high
        after = newton if low < newton < high else (low + high) / 2
        if abs(after - tilt) <= _NEAR * tilt:
            return after
        tilt = after
    return tilt


# --- about how likely losses are ----------------------------------------------------------------


def are_few(laws: Sequence[tuple[Pair, int]], points: Sequence[Points]) -> bool:
    """Whether all losses together have so few cells that numpy would take longer to load."""
    pairs = zip(laws, points, strict=True)
    return sum(count * each.length for (_, count), each in pairs) <= _FEW_CELLS


def are_fast(laws: Sequence[tuple[Pair, int]], points: Sequence[Points], log_delta: float) -> bool:
    """Whether weights are looked at in doubles: of many cells, and of a δ within their reach."""
    return log_delta > _LEAST_LOG and not are_few(laws, points)


def _rough_weights(
    law: Pair, window: Window, mesh: LossMesh, direction: Direction, *, fast: bool
) -> tuple[tuple[int, float], ...]:
    if isinstance(law, OutputTable):
        atoms = atoms_of(law, mesh, direction)
        found: Sequence[tuple[int, float]] = [
            (_units(a.loss, mesh), float(a.p)) for a in atoms if a.loss is not None
        ]
    else:
        found = _weights_of_curve(law, window, mesh, direction, fast=fast)
    positive = ((j, weight) for j, weight in found if weight > 0)
    return tuple(sorted(positive, key=itemgetter(0))) or ((0, 1.0),)


def _units(loss: mpq | arb, mesh: LossMesh) -> int:
    about = float(loss) if isinstance(loss, arb) else double_of(loss)
    return round(about / double_of(mesh.unit))


@lru_cache(maxsize=_MOST_KEPT)
def _weights_of_curve(
    law: Curve, window: Window, mesh: LossMesh, direction: Direction, *, fast: bool
) -> Sequence[tuple[int, float]]:
    """Dots at points that lie further apart the greater they are."""
    first, *others = _spread(window)
    sections = tuple((after - before, after) for before, after in pairwise([first, *others]))
    if fast and isinstance(law, Cut) and law.is_enclosed:
        from exactdp.composition.engines.mesh.laws_in_doubles import rough_law  # noqa: PLC0415 (numpy)

        return rough_law(law, Points(first, sections), mesh.unit, direction)
    weights = connect_the_dots_of_curve(law, Points(first, sections), mesh, direction)
    return tuple((j, float(weight)) for j, weight in weights)


def _spread(window: Window) -> list[int]:
    first, last = window
    sizes, size = [0], 1.0
    while size < max(-first, last):
        sizes.append(round(size))
        size = max(size + 1, size * _RATIO)
    inside = {j for size in sizes for j in (-size, size) if first < j < last}
    return sorted({first, *inside, last})


def rough_variance(
    law: Pair, points: Points, mesh: LossMesh, direction: Direction, *, fast: bool
) -> float:
    """About the variance of the losses, in units; of a table by where they are."""
    if isinstance(law, OutputTable):
        return (points.length / _DEVIATIONS_OF_A_TABLE) ** 2
    weights = _weights_of_curve(law, points.window, mesh, direction, fast=fast)
    total = sum(weight for _, weight in weights) or 1.0
    mean = sum(j * weight for j, weight in weights) / total
    return max(0.0, sum((j - mean) ** 2 * weight for j, weight in weights) / total)


# --- sections -----------------------------------------------------------------------------------


def _sections(shares: Sequence[tuple[int, float]], window: Window, most: float) -> Points:
    """Steps that double on either side where what lies beyond costs at most so much."""
    least = 0
    while most / 4**least > _QUARTER:
        least += 1
    above = _up_to(_ends(shares, window[1], most, least), window[1])
    below = _up_to(_ends([(-j, share) for j, share in shares], -window[0], most, least), -window[0])
    ends = [*(-end for _, end in reversed(below)), 0]
    steps = [step for step, _ in reversed(below)]
    return Points(ends[0], _merged([*zip(steps, ends[1:], strict=True), *above]))


def _merged(sections: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Neighbouring sections of equal steps as one."""
    return tuple((step, list(same)[-1][1]) for step, same in groupby(sections, key=itemgetter(0)))


def _ends(
    shares: Sequence[tuple[int, float]], last: int, most: float, least: int
) -> list[tuple[int, int]]:
    """Steps with where they end, from the middle to the last point or a little before it."""
    listed = sorted(shares, reverse=True)
    beyond = list(accumulate(share for _, share in listed))
    found: list[tuple[int, int]] = []
    step = 2 ** max(0, least - 1)
    while True:
        place = bisect_right(beyond, most / (2 * step) ** 2)
        at = max(0, (listed[min(place, len(listed) - 1)][0] // (2 * step) + 1) * 2 * step)
        if last - at < 2 * step * _LEAST_STEPS:
            return [*found, (step, last // step * step)]
        if not found or at > found[-1][1]:
            found.append((step, at))
        step *= 2


def _up_to(sections: list[tuple[int, int]], last: int) -> list[tuple[int, int]]:
    """The sections with the last point as their end: much of a law may be there."""
    ends = [0, *(end for _, end in sections)]
    kept = [section for section, before in zip(sections, ends, strict=False) if section[1] > before]
    end = kept[-1][1] if kept else 0
    return kept if end == last else [*kept, (last - end, last)]

r"""In which proportion statistics share a budget: a search for the least weighted error.

Rules of this file: nothing here is certain; the proportions found are scaled and certified by
:mod:`exactdp.allocation.allocate`, where a bad search costs accuracy and never privacy.

Theory of operation: to minimise :math:`\sum_i w_i\,\mathrm{err}_i(\epsilon_i)` subject to
:math:`D(\epsilon_1, \ldots) \le \Delta`, the gain for each unit of cost must be the same
everywhere (Lagrange): :math:`\rho_i = -w_i\,\mathrm{err}_i'(\epsilon_i) /
(\partial D/\partial\epsilon_i)`. For noise whose error falls as 1/ε, and losses that are nearly
normal, :math:`\rho_i` falls as the third power of :math:`\epsilon_i`; so each round multiplies
:math:`\epsilon_i` by the third root of :math:`\rho_i` over the mean, and all of them by what brings
D to Δ (Newton). What may not fall below a floor stays there. Under basic composition the cost is
the sum of the ε_i, and everything else the same.

Source: Boyd & Vandenberghe, Convex Optimization, 2004, section 5.5 (the condition of Lagrange).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final

from exactdp.allocation.marginal_costs import MarginalCosts, Shares, marginal_costs

_ROUNDS: Final = 80
_NEAR: Final = 1e-4
_HEADROOM: Final = 1.2
_LARGEST_STEP: Final = 1.5
_LEAST: Final = 1e-290
_CELLS: Final = 20_000
_MOST_CELLS: Final = 1_000_000
_LEAST_STEPS: Final = 50


@dataclass(frozen=True, slots=True)
class Claimant:
    """A group of statistics alike that take what ε they are given.

    Attributes:
        count: how many.
        weight: how much the error of each counts.
        slope: about the error at an ε, and by how much it falls for each unit of ε.
        floor: an ε that they must have; 0 if none.
    """

    count: int
    weight: float
    slope: Callable[[float], tuple[float, float]]
    floor: float


@dataclass(frozen=True, slots=True)
class Costs:
    """What shares may cost together, and how that is found.

    Attributes:
        edge: a sum of the shares up to which they cost nothing yet.
        allowed: what they may cost.
        of: about the cost of shares, and its slope in each.
    """

    edge: float
    allowed: float
    of: Callable[[Shares], MarginalCosts]


def costs_of_optimum(threshold: float, allowed: float, held: Shares) -> Costs:
    """D at e^``threshold`` against Δ, beside mechanisms that are held."""

    def costs(shares: Shares) -> MarginalCosts:
        return marginal_costs([*shares, *held], threshold)

    used = sum(epsilon * count for epsilon, count in held)
    return Costs(max(0.0, threshold - used), allowed, costs)


def costs_of_sum(rest: float) -> Costs:
    """Σ ε_i against what basic composition leaves."""

    def costs(shares: Shares) -> MarginalCosts:
        return MarginalCosts(_total(shares), (1.0,) * len(shares))

    return Costs(0.0, rest, costs)


def proportions(claimants: Sequence[Claimant], costs: Costs) -> list[float]:
    """About the ε of each claimant that make the weighted error least."""
    sizes = [(each.weight * each.slope(1.0)[0]) ** (1 / 3) for each in claimants]
    scale = _HEADROOM * (costs.edge or costs.allowed) / _total(_shares(claimants, sizes))
    shares = [max(each.floor, scale * size) for each, size in zip(claimants, sizes, strict=True)]
    for _ in range(_ROUNDS):
        moved = _moved(claimants, shares, costs)
        near = all(abs(new - old) <= _NEAR * old for new, old in zip(moved, shares, strict=True))
        shares = moved
        if near:
            break
    return shares


def _shares(claimants: Sequence[Claimant], shares: Sequence[float]) -> list[tuple[float, int]]:
    return [(share, each.count) for share, each in zip(shares, claimants, strict=True)]


def _total(shares: Shares) -> float:
    return sum(epsilon * count for epsilon, count in shares)


def _moved(claimants: Sequence[Claimant], shares: list[float], costs: Costs) -> list[float]:
    """The shares after a round: towards equal gains, and towards what may be spent."""
    counted = _shares(claimants, shares)
    found = costs.of(counted)
    slopes = [max(slope, _LEAST) for slope in found.slopes[: len(shares)]]
    gains = [
        log(max(each.weight * each.slope(share)[1], _LEAST) / slope)
        for each, share, slope in zip(claimants, shares, slopes, strict=True)
    ]
    spent = [share * count * slope for (share, count), slope in zip(counted, slopes, strict=True)]
    mean = _mean_of_free(claimants, shares, spent, gains)
    turned = [
        share * exp(_clipped((gain - mean) / 3)) for share, gain in zip(shares, gains, strict=True)
    ]
    whole = _total(counted)
    target = _target(whole, sum(spent), found.divergence, costs)
    scale = target / _total(_shares(claimants, turned))
    return [max(each.floor, share * scale) for share, each in zip(turned, claimants, strict=True)]


def _target(whole: float, growth: float, cost: float, costs: Costs) -> float:
    """What the sum of the shares should be: Newton in the logarithms of cost and of the gap.

    ``growth`` is by how much the cost rises for each unit of the shares' logarithm. Near the edge
    the cost is proportional to the gap between the sum and the edge.
    """
    gap = whole - costs.edge
    if gap <= 0 or cost <= 0:
        return max(whole, costs.edge) * _HEADROOM
    elasticity = growth / cost * gap / whole
    room = log(max(costs.allowed, _LEAST) / cost)
    step = room / elasticity if elasticity > 0 else _LARGEST_STEP
    return costs.edge + gap * exp(_clipped(step))


def _mean_of_free(
    claimants: Sequence[Claimant],
    shares: Sequence[float],
    spent: Sequence[float],
    gains: Sequence[float],
) -> float:
    """The mean gain of those above their floors, or of all if none is."""
    free = [i for i, each in enumerate(claimants) if shares[i] > each.floor]
    chosen = free or range(len(claimants))
    whole = sum(spent[i] for i in chosen)
    return sum(spent[i] * gains[i] for i in chosen) / whole if whole else gains[chosen[0]]


def _clipped(value: float) -> float:
    return max(-_LARGEST_STEP, min(_LARGEST_STEP, value))


def whole_steps(shares: Sequence[float], counts: Sequence[int]) -> list[int]:
    """The shares as multiples of one unit, so that they compose on a common grid."""
    total = sum(share * count for share, count in zip(shares, counts, strict=True))
    unit = max(total / _MOST_CELLS, min(total / _CELLS, min(shares) / _LEAST_STEPS))
    return [max(1, round(share / unit)) for share in shares]

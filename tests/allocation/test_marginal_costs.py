"""The slopes that the search follows: against differences of the sum over all subsets."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactdp.allocation import marginal_costs as module
from exactdp.allocation.marginal_costs import marginal_costs
from exactdp.literature.references import hockey_stick

STEP = Fraction(1, 10**6)
CASES = [
    ([("0.1", 2), ("0.2", 3), ("0.37", 1), ("0.5", 2)], "0.8"),
    ([("1.5", 1), ("0.3", 3), ("2", 2)], "2"),
    ([("0.25", 9)], "1.1"),
]


def odds(epsilon: Fraction) -> Fraction:
    """e^ε, nearly."""
    total = term = Fraction(1)
    for n in range(1, 40):
        term = term * epsilon / n
        total += term
    return total.limit_denominator(10**18)


def divergence(epsilons: list[Fraction], threshold: Fraction) -> Fraction:
    return hockey_stick([odds(each) for each in epsilons], odds(threshold))


@pytest.mark.parametrize(("groups", "threshold"), CASES)
def test_the_slopes_are_those_of_the_sum_over_subsets(
    groups: list[tuple[str, int]], threshold: str
) -> None:
    found = marginal_costs([(float(e), n) for e, n in groups], float(threshold))
    epsilons = [Fraction(epsilon) for epsilon, count in groups for _ in range(count)]
    limit = Fraction(threshold)
    assert abs(found.divergence / float(divergence(epsilons, limit)) - 1) < 5e-3
    place = 0
    for slope, (_, count) in zip(found.slopes, groups, strict=True):
        moved = [list(epsilons), list(epsilons)]
        moved[0][place] += STEP
        moved[1][place] -= STEP
        rise = divergence(moved[0], limit) - divergence(moved[1], limit)
        assert abs(slope / float(rise / (2 * STEP)) - 1) < 5e-3
        place += count


def test_many_mechanisms_are_taken_as_normal_and_agree_with_fewer() -> None:
    many = marginal_costs([(0.01, 1500), (0.02, 600)], 1.0)
    fewer = marginal_costs([(0.01, 1400), (0.02, 600)], 1.0)
    assert many.divergence > fewer.divergence > 0
    assert many.slopes[1] > many.slopes[0] > fewer.slopes[0] * 0.9


@pytest.mark.parametrize("threshold", [14.0, 18.0])
def test_near_the_mean_of_many_the_normal_slopes_are_those_of_the_cells(threshold: float) -> None:
    shares = [(0.5, 120), (0.2, 60)]
    exact, normal = marginal_costs(shares, threshold), module._of_normal(shares, threshold)
    for one, other in zip(exact.slopes, normal.slopes, strict=True):
        assert abs(other / one - 1) < 0.1

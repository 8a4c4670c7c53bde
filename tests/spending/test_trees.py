"""Interactions with adaptive parameters, enumerated: no loss is above what a budget promises."""

from __future__ import annotations

from fractions import Fraction

import mpmath  # type: ignore[import-untyped]  # mpmath ships no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.composition.answers.certify import certify
from exactdp.spending.budget import parse_budget
from exactdp.spending.promises import promise

ODDS = [Fraction(1), Fraction(21, 20), Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(3)]
Laws = list[tuple[Fraction, Fraction]]
"""The probabilities of each end on the two inputs."""
Path = tuple[Fraction, ...]
"""The odds of the randomized responses on the way to an end."""


@st.composite
def interactions(draw: st.DrawFn, depth: int, budget: Fraction) -> tuple[Laws, list[Path]]:
    """Randomized responses whose odds depend on earlier answers, within a budget of Σ ε²/2.

    The cost of odds E is taken from above, ε² <= (E - 1)²/E.
    """
    fitting = [odds for odds in ODDS if cost(odds) <= budget]
    odds = draw(st.sampled_from(fitting))
    if not depth:
        return [(Fraction(1), Fraction(1))], [()]
    truthful = odds / (1 + odds)
    laws: Laws = []
    paths: list[Path] = []
    for p, q in ((truthful, 1 - truthful), (1 - truthful, truthful)):
        further, ways = draw(interactions(depth - 1, budget - cost(odds)))
        laws += [(p * a, q * b) for a, b in further]
        paths += [(odds, *way) for way in ways]
    return laws, paths


def cost(odds: Fraction) -> Fraction:
    """At least ε²/2, for ε = ln odds: sinh(ε/2) >= ε/2."""
    return (odds - 1) ** 2 / odds / 2


def divergence(laws: Laws, y: Fraction) -> Fraction:
    """The exact hockey-stick divergence, the greater of both directions."""
    one = sum((max(p - y * q, Fraction(0)) for p, q in laws), Fraction(0))
    return max(one, sum((max(q - y * p, Fraction(0)) for p, q in laws), Fraction(0)))


@pytest.mark.slow
@given(interactions(4, Fraction(1, 2)), st.sampled_from(["1e-1", "1e-2", "1e-3"]))
def test_no_interaction_within_a_budget_of_rho_is_above_its_promise(
    interaction: tuple[Laws, list[Path]], delta: str
) -> None:
    epsilon = promise(parse_budget("rho=1/2"), delta).upper
    assert epsilon is not None
    with mpmath.workdps(30):
        y = Fraction(
            int(mpmath.exp(mpmath.mpf(str(epsilon.numerator)) / int(epsilon.denominator)) * 10**20),
            10**20,
        )
    assert divergence(interaction[0], y) <= Fraction(delta)


@given(interactions(4, Fraction(1, 2)))
def test_no_interaction_is_above_the_sum_of_its_losses(
    interaction: tuple[Laws, list[Path]],
) -> None:
    laws, paths = interaction
    most = Fraction(1)
    for path in paths:
        product = Fraction(1)
        for odds in path:
            product *= odds
        most = max(most, product)
    assert divergence(laws, most) == 0


def response(odds: Fraction, truthful: Laws, otherwise: Laws) -> Laws:
    """A randomized response, and what is asked after each of its answers."""
    p = odds / (1 + odds)
    return [(p * a, (1 - p) * b) for a, b in truthful] + [
        ((1 - p) * a, p * b) for a, b in otherwise
    ]


def test_optimal_composition_of_each_path_is_not_enough_for_an_adaptive_analyst() -> None:
    """Odds of 3, and then of 9 if the answer is one, of 5 twice if it is the other."""
    end: Laws = [(Fraction(1), Fraction(1))]
    nine = response(Fraction(9), end, end)
    five = response(Fraction(5), end, end)
    laws = response(Fraction(3), nine, response(Fraction(5), five, five))
    for path in ({3: 1, 9: 1}, {3: 1, 5: 2}):
        ledger = [(f"ln({odds})", 0, count) for odds, count in path.items()]
        assert certify(ledger, epsilon="ln(3)", delta="13/20").holds
    assert divergence(laws, Fraction(3)) == Fraction(32, 45) > Fraction(13, 20)

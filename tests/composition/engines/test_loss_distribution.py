"""The loss distribution of a grid: from counts and from weights, and however lines are asked."""

from __future__ import annotations

from flint import fmpz_poly
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.enclosures import ball, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.engines.binomial import answer
from exactdp.composition.engines.loss_distribution import EvenLosses
from exactdp.composition.engines.weights import product_of_powers

BITS = 96
UNITS = st.sampled_from(["0.01", "1/7", "ln(3/2)", "2"])
MULTIPLES = st.lists(st.integers(1, 9), min_size=1, max_size=8)


def _from_counts(multiples: list[int], unit: ExactNumber) -> EvenLosses:
    counts = fmpz_poly([1])
    for a in multiples:
        counts = counts + counts.left_shift(a)
    return EvenLosses.of_counts(counts, unit, BITS)


def _from_weights(multiples: list[int], unit: ExactNumber) -> EvenLosses:
    with precision(BITS + 64):
        factors = [(answer((-a * ball(unit)).exp(), a, BITS), 1) for a in multiples]
    weights = product_of_powers(factors, BITS)
    return EvenLosses.of_weights(weights, sum(multiples), 2, unit, BITS)


@given(MULTIPLES, UNITS, st.integers(0, 16))
def test_counts_and_weights_enclose_the_same_divergence(
    multiples: list[int], unit: str, sixteenths: int
) -> None:
    number = ExactNumber.parse(unit)
    with precision(BITS):
        odds = (ball(number) * sum(multiples) * sixteenths / 16).exp()
    counted = _from_counts(multiples, number).divergence(odds)
    weighted = _from_weights(multiples, number).divergence(odds)
    assert counted[0] <= weighted[1]
    assert weighted[0] <= counted[1]


@given(MULTIPLES, UNITS, st.lists(st.integers(0, 40), max_size=8))
def test_lines_do_not_depend_on_what_was_asked_before(
    multiples: list[int], unit: str, places: list[int]
) -> None:
    number = ExactNumber.parse(unit)
    asked, fresh = (_from_counts(multiples, number) for _ in range(2))
    with precision(BITS):
        for place in places:
            asked.lines(place % (asked.size + 1))
        last = asked.lines(asked.size)
        assert all(a.overlaps(b) for a, b in zip(last, fresh.lines(fresh.size), strict=True))

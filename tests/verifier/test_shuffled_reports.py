"""The counts of shuffled reports: a pair that is its own reverse, on either side of y = 1."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactdp.verifier.arithmetic.enclosures import enclose_exact
from exactdp.verifier.format.meter import metered
from exactdp.verifier.rules.reports import Counts, Reports

BITS = 160


def third_value(reports: int) -> Counts:
    [(pair, _)] = Reports(reports, (Fraction(3), Fraction(3)), 3, 1, b"").attained(
        "replace-one", Fraction(1, 2)
    )
    assert isinstance(pair, Counts)
    return pair


@pytest.mark.parametrize("reports", [20, 400])
def test_an_event_below_one_is_that_of_the_reverse(reports: int) -> None:
    """As h(y) = 1 - y + y*h(1/y)."""
    pair, y = third_value(reports), Fraction(9, 10)
    with metered(10**12):
        low, high = pair.at_odds([enclose_exact(1 / y, BITS)], BITS)[0]
        p, q = pair.tails(enclose_exact(y, BITS)[0], BITS)
    one, slack = 1 << BITS, 1 << BITS // 2
    found = p[0] - y * q[1]
    assert (1 - y) * one + y * low - slack <= found <= (1 - y) * one + y * high + slack


@pytest.mark.parametrize("loss", [Fraction(-1, 10), Fraction(0), Fraction(1, 10)])
def test_a_profile_lies_between_its_bounds(loss: Fraction) -> None:
    pair, one = third_value(60), 1 << BITS
    with metered(10**12):
        low, high = pair.at(enclose_exact(loss, BITS), BITS)
    assert 0 <= low <= high <= one
    assert high - low < 1 << BITS // 2
    if loss < 0:
        assert low > 0

"""What pictures compare an outcome with: on the side that allows more, and where it was asked."""

from __future__ import annotations

from itertools import pairwise

from gmpy2 import mpq

from exactdp.attacks.attack import attack
from exactdp.attacks.curves import allowed_rates, claimed_epsilon, levels_of_rejection
from exactdp.attacks.experiment import ManyRuns, OneRun

MANY = ManyRuns((1000, 300), (1000, 5))
ONE = OneRun(1000, 100, 90)


def test_what_is_allowed_at_the_rate_that_was_shown_is_what_decides() -> None:
    for claim in ({"epsilon": 3, "delta": "1e-5"}, {"delta": "1e-5"}, {"ledger": ["ln(3)"]}):
        found = attack(MANY, **claim)
        assert found.rates is not None
        p, q = found.rates
        curve = dict(allowed_rates(found))
        assert p > curve[q]
        assert found.power in {curve[q], None}
        assert all(left[1] <= right[1] for left, right in pairwise(sorted(curve.items())))
        assert all(rate <= power <= 1 for rate, power in curve.items())


def test_p_values_of_one_run_rise_from_rejected_to_not() -> None:
    found = attack(ONE, epsilon=1, delta="1e-5")
    assert found.rejected_up_to is not None
    assert found.not_rejected_from is not None
    curve = levels_of_rejection(found)
    assert [curve[0][0], curve[-1][0]] == [0, 2 * mpq(1)]
    assert all(left[1] <= right[1] for left, right in pairwise(curve))
    for epsilon, level in curve:
        assert level <= found.level or epsilon > found.rejected_up_to
        assert level > found.level or epsilon < found.not_rejected_from


def test_without_a_claim_it_is_compared_with_the_greatest_that_is_rejected() -> None:
    found = attack(ONE, delta="1e-5")
    assert claimed_epsilon(found).rational == found.rejected_up_to
    assert claimed_epsilon(attack(OneRun(10**6, 10, 10), delta="1e-5")).rational == 0

"""A hunt from a ledger that is given: what is refuted is made small, and stays refuted."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from exactdp.accountants.shrinking import hunt_from
from exactdp.errors import InputError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import GaussianMechanism, SampledMechanism
from tests.accountants.asking import QUICK, fake

LEDGER = Ledger.of([("0.1", 0, 40), ("0.2", "1e-9", 7), ("0.3", 0, 2)], target_delta="1e-6")


def test_what_is_refuted_is_made_small() -> None:
    hunted = hunt_from(fake("0.1"), LEDGER, seconds=600, limits=QUICK, least_gap=mpq(1, 10**6))
    assert hunted.case is not None
    assert hunted.complete
    groups = hunted.case.question.ledger.approximate()
    assert [(str(each.epsilon), each.count) for each in groups] == [("3/10", 1)]
    assert hunted.case.question.delta == LEDGER.target_delta
    assert (hunted.case.is_given, hunted.case.seed) == (True, None)


@pytest.mark.slow
def test_noise_is_made_small_as_well() -> None:
    step = SampledMechanism(GaussianMechanism(1), "1/10", 3)
    ledger = Ledger.of([step, GaussianMechanism("1/2", 2)], target_delta="1e-3")
    hunted = hunt_from(fake("0.01"), ledger, seconds=600, limits=QUICK, least_gap=mpq(1, 10**6))
    assert hunted.case is not None
    [entry] = hunted.case.question.ledger.mechanisms
    assert entry.count == 1
    assert hunted.case.question.ledger.neighbouring == ledger.neighbouring == "add-remove-one"
    assert hunted.partner is None


def test_no_time_leaves_the_ledger_as_it_is() -> None:
    hunted = hunt_from(fake("0.1"), LEDGER, seconds=-1.0, limits=QUICK, least_gap=mpq(1, 10**6))
    assert hunted.case is not None
    assert (hunted.case.question.ledger.size, hunted.questions) == (49, 1)


def test_what_is_sound_is_asked_once() -> None:
    hunted = hunt_from(fake("1.1"), LEDGER, seconds=600, limits=QUICK, least_gap=mpq(0))
    assert (hunted.case, hunted.questions) == (None, 1)


def test_a_ledger_without_a_delta_is_refused() -> None:
    with pytest.raises(InputError, match="target_delta: nothing: expected a ledger that states"):
        hunt_from(fake("1"), Ledger.of([("1", 0)]), seconds=600, limits=QUICK, least_gap=mpq(0))

"""Limits of work and of time, where Gaussian mechanisms are among others."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from exactdp import Composition, certify, compose, profile, verify
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import GaussianMechanism, Mechanism

OTHERS = [Mechanism(f"0.0{(61_803_399 * i * i + 7) % 99_999_989:08}", "0", 1) for i in range(1, 20)]
LEDGER = Ledger((*OTHERS, GaussianMechanism("1/10000")))
DELTA = "1e-6"
COST = 4 * 10**8  # between what a width of 1e-5 and one of 1e-9 are predicted to cost


def _ends(answer: Composition) -> tuple[mpq, mpq]:
    assert answer.lower_end is not None
    assert answer.upper_end is not None
    return answer.lower_end, answer.upper_end


@pytest.mark.slow
def test_an_interval_is_as_narrow_as_its_cost_allows() -> None:
    wide = compose(LEDGER, delta=DELTA, tolerance="1e-9", max_cost=COST)
    asked = compose(LEDGER, delta=DELTA, tolerance="1e-5", max_cost=COST)
    assert (wide.complete, asked.complete) == (False, True)
    (low, high), (lower, upper) = _ends(wide), _ends(asked)
    assert mpq(1, 10**9) < high - low < mpq(1, 10**4)
    assert max(low, lower) <= min(high, upper)


@pytest.mark.slow
def test_no_time_gives_the_interval_that_takes_least() -> None:
    answer = compose(LEDGER, delta=DELTA, tolerance="1e-9", time_limit=0)
    low, high = _ends(answer)
    assert not answer.complete
    assert high - low <= mpq(1, 10**4)
    for each in (answer.upper_certificate(), answer.lower_certificate()):
        assert each is not None
        assert verify(each.to_bytes()).status == "accepted"


@pytest.mark.slow
def test_no_time_gives_the_points_of_a_profile_that_take_least() -> None:
    asked = ["1/100", "1/50"]
    rough = profile(LEDGER, epsilon=asked, tolerance="1e-9", time_limit=0)
    near = profile(LEDGER, epsilon=asked, tolerance="1e-9")
    for wide, narrow in zip(rough, near, strict=True):
        assert wide.lower_end <= narrow.upper_end
        assert narrow.lower_end <= wide.upper_end
        assert narrow.upper_end - narrow.lower_end <= narrow.lower_end / 10**9
        assert narrow.upper_end / 10**9 < wide.upper_end - wide.lower_end <= wide.lower_end / 10**4


@pytest.mark.slow
def test_work_that_no_way_keeps_within_is_refused_with_what_is_needed() -> None:
    asked = (
        lambda: compose(LEDGER, delta=DELTA, max_cost=10**6),
        lambda: profile(LEDGER, epsilon=["1/10"], max_cost=10**6),
        lambda: certify(LEDGER, epsilon="2/10", delta=DELTA, max_cost=10**6),
    )
    for ask in asked:
        with pytest.raises(CostLimitError, match=r"expected at least .*e\+0[78]") as caught:
            ask()
        assert (caught.value.field, caught.value.remedy) == ("--max-cost", "raise --max-cost")

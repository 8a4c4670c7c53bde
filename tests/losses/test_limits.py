"""Limits of mechanisms by their noise: what is refused at once, and what would fit."""

from __future__ import annotations

import pytest
from flint import fmpz

from exactdp.answers.certify import certify
from exactdp.answers.compose import compose
from exactdp.answers.profile import profile
from exactdp.errors import CostLimitError
from exactdp.ledger.model import GaussianMechanism, Ledger
from exactdp.ledger.noise import DiscreteLaplaceMechanism, LaplaceMechanism, SampledMechanism
from exactdp.losses.mesh import Cells

STEPS = SampledMechanism(GaussianMechanism(1), "1/100", 1000)


def test_a_limit_of_work_is_honoured_and_what_fits_is_named() -> None:
    with pytest.raises(CostLimitError, match="a tolerance of about 1e-") as caught:
        compose([STEPS], delta="1e-5", tolerance="1e-6", max_cost=5 * 10**8)
    assert caught.value.field == "--max-cost"
    with pytest.raises(CostLimitError, match="predicted cost"):
        certify([STEPS], epsilon="1.8283", delta="1e-5", max_cost=10**6)
    with pytest.raises(CostLimitError, match="predicted cost"):
        profile([STEPS], epsilon=["1"], max_cost=10**6)


def test_a_tolerance_that_is_said_to_fit_fits() -> None:
    answer = compose([STEPS], delta="1e-5", tolerance="1e-2", max_cost=5 * 10**8)
    assert answer.complete


def test_losses_of_a_thousand_digits_are_priced_and_refused() -> None:
    wide = SampledMechanism(GaussianMechanism(20), "1/2", 10)
    with pytest.raises(CostLimitError, match="a tolerance of about 1e"):
        compose([wide], delta="1e-6", max_cost=10**10)


def test_weights_beyond_the_range_of_doubles_have_a_variance() -> None:
    assert Cells.of([(0, fmpz(10) ** 400), (2, fmpz(10) ** 400)]).variance() == 1


def test_a_time_limit_gives_the_interval_so_far() -> None:
    mechanisms = [LaplaceMechanism(3, 1, 40)]
    answer = compose(mechanisms, delta="1e-6", tolerance="1e-7", time_limit=0)
    narrow = compose(mechanisms, delta="1e-6", tolerance="1e-3")
    assert not answer.complete
    assert "time" in answer.open_because
    assert answer.lower is not None
    assert answer.upper is not None
    assert narrow.lower is not None
    assert narrow.upper is not None
    assert answer.lower <= narrow.upper
    assert narrow.lower <= answer.upper


def test_a_shift_of_a_million_is_refused_at_once() -> None:
    for scale in (1, 10**6):
        noise = Ledger.of([DiscreteLaplaceMechanism(scale, (10**6,))])
        with pytest.raises(CostLimitError, match="expected"):
            compose(noise, delta="1e-6")

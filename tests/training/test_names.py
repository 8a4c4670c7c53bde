"""What sizes and noise of a training are called in Python: as options are, and as before."""

from __future__ import annotations

from typing import Any

import pytest

import exactdp
from exactdp.errors import InputError

PLAN: dict[str, Any] = {"epochs": 1, "delta": "1e-5", "tolerance": "1/10"}


def test_former_names_give_the_same_plan() -> None:
    named = exactdp.dpsgd(batch_size=5, dataset_size=9, noise_multiplier=2, **PLAN)
    before = exactdp.dpsgd(batch=5, examples=9, noise=2, **PLAN)
    assert named.plan == before.plan
    assert named.asked.upper == before.asked.upper


def test_a_size_has_one_value_and_an_unknown_name_is_none() -> None:
    with pytest.raises(InputError, match="one value, by one name"):
        exactdp.dpsgd(batch_size=5, batch=6, dataset_size=9, noise_multiplier=2, **PLAN)
    with pytest.raises(TypeError, match="unexpected keyword argument 'sigma'"):
        exactdp.dpsgd(batch_size=5, dataset_size=9, sigma=2, **PLAN)  # type: ignore[call-arg]

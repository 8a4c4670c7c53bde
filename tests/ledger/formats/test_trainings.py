"""Configurations of trainings: the libraries' names, schedules, and what is not clear."""

from __future__ import annotations

import json
from typing import Any

import pytest

from exactdp.errors import InputError
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import Entry, GaussianMechanism, SampledMechanism
from tests.marking import each_case

TRAINING: dict[str, Any] = {"noise_multiplier": 2, "batch_size": 256, "dataset_size": 60000}


def read(value: object) -> tuple[Entry, ...]:
    return read_ledger(json.dumps(value).encode()).mechanisms


def steps(rate: str, count: int) -> SampledMechanism:
    return SampledMechanism(GaussianMechanism("1/2"), rate, count)


def test_a_training_is_read_by_the_names_of_the_libraries() -> None:
    assert read({**TRAINING, "steps": 100}) == (steps("256/60000", 100),)
    assert read({**TRAINING, "epochs": 60}) == (steps("256/60000", 14063),)
    rate = {"noise_multiplier": 2, "sample_rate": 0.01, "num_updates": 7, "l2_norm_clip": 1}
    ledger = read_ledger(json.dumps(rate).encode())
    assert ledger.mechanisms == (steps("1/100", 7),)
    assert ledger.neighbouring == "add-remove-one"
    assert "Poisson samples; not read: l2_norm_clip" in ledger.reading[0]


def test_a_schedule_is_a_list_of_trainings_in_turn() -> None:
    later = {"noise_multiplier": 2, "sample_rate": "1/50", "steps": 3}
    assert read([{**TRAINING, "steps": 100}, later]) == (steps("256/60000", 100), steps("1/50", 3))


@each_case(
    "changes",
    [
        {},
        {"steps": 3, "epochs": 1},
        {"steps": 3, "sample_rate": 0.1},
        {"steps": 3, "num_updates": 3},
        {"steps": 0},
        {"steps": 1.5},
        {"steps": 3, "noise_multiplier": 0},
        {"steps": 3, "batch_size": 60001},
        {"steps": 3, "truncated_batch_size": 300},
    ],
)
def test_what_is_not_clear_of_a_training_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected"):
        read({**TRAINING, **changes})

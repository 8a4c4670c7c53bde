"""Configurations of trainings: the libraries' names, schedules, and what is not clear."""

from __future__ import annotations

import json
from typing import Any

import pytest

from exactdp.arithmetic.numbers import as_rational
from exactdp.errors import InputError
from exactdp.ledger.reading import read_ledger
from exactdp.mechanisms import (
    Entry,
    GaussianMechanism,
    PersonInSampleMechanism,
    SampledMechanism,
)
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


def test_the_delta_of_a_training_is_that_of_its_ledger() -> None:
    def target(*deltas: object) -> object:
        phases = [{**TRAINING, "steps": 1, "delta": each} for each in deltas]
        return read_ledger(json.dumps(phases).encode()).target_delta

    assert target(1e-5) == target(1e-5, 1e-5) == as_rational("1e-5", "delta")
    assert target(None) is None
    with pytest.raises(InputError, match=r"0\.1 and 0\.2: expected one δ for all phases"):
        target(0.1, 0.2)


def test_an_unknown_key_of_a_training_says_how_to_go_on() -> None:
    with pytest.raises(InputError, match="; remove it, if the noise and the batches are the same"):
        read({**TRAINING, "steps": 1, "ghost": True})


def test_batches_that_fit_does_not_sample_are_named() -> None:
    def sentences(value: object) -> tuple[str, ...]:
        training = {**TRAINING, "steps": 1, "poisson_sampling_in_fit": value}
        return read_ledger(json.dumps(training).encode()).reading

    assert len(sentences(True)) == len(sentences(None)) == 1
    [_, beware] = sentences(False)
    assert beware.startswith("poisson_sampling_in_fit is false")
    assert "--loader" in beware
    with pytest.raises(InputError, match="neither true nor false"):
        sentences(1)


def test_a_schedule_is_a_list_of_trainings_in_turn() -> None:
    later = {"noise_multiplier": 2, "sample_rate": "1/50", "steps": 3}
    assert read([{**TRAINING, "steps": 100}, later]) == (steps("256/60000", 100), steps("1/50", 3))


STATEMENT: dict[str, Any] = {
    "number_of_examples": 10000,
    "batch_size": 64,
    "num_epochs": 5.0,
    "noise_multiplier": 2.0,
    "delta": 1e-6,
    "used_microbatching": False,
}
"""The arguments of TensorFlow Privacy's ``compute_dp_sgd_privacy_statement``."""
OPTIMIZER: dict[str, Any] = {
    "name": "DPKerasAdamOptimizer",
    "learning_rate": 0.001,
    "decay": 0.0,
    "beta_1": 0.9,
    "beta_2": 0.999,
    "epsilon": 1e-7,
    "amsgrad": False,
    "l2_norm_clip": 1.0,
    "noise_multiplier": 2.0,
    "num_microbatches": 64,
}
"""What ``get_config()`` of an optimizer of TensorFlow Privacy says."""


def test_the_arguments_of_a_statement_of_tensorflow_privacy_are_read() -> None:
    assert read(STATEMENT) == (steps("64/10000", 782),)
    doubled = GaussianMechanism(1)
    expected = (SampledMechanism(doubled, "64/10000", 782),)
    assert read({**STATEMENT, "used_microbatching": True}) == expected
    flags = {"N": 10000, "batch_size": 64, "noise_multiplier": 2, "epochs": 5, "delta": 1e-6}
    assert read(flags) == read(STATEMENT)


def test_a_person_of_several_examples_is_added_with_all_of_them() -> None:
    ledger = read_ledger(json.dumps({**STATEMENT, "max_examples_per_user": 3}).encode())
    assert ledger.mechanisms == (PersonInSampleMechanism("1/4", "64/10000", 3, 782),)
    assert read({**STATEMENT, "max_examples_per_user": None}) == read(STATEMENT)


def test_an_optimizer_is_read_beside_what_it_does_not_know() -> None:
    known = {"batch_size": 64, "dataset_size": 10000, "epochs": 5}
    ledger = read_ledger(json.dumps({**OPTIMIZER, **known}).encode())
    assert ledger.mechanisms == read(STATEMENT)
    assert "not read: amsgrad, beta_1" in ledger.reading[0]
    for many, expected in ((None, "1/2"), (64, "1/2"), (16, "1")):
        found = read({**OPTIMIZER, **known, "num_microbatches": many})
        assert found == (SampledMechanism(GaussianMechanism(expected), "64/10000", 782),)
    with pytest.raises(InputError, match="an optimizer does not know how many examples"):
        read(OPTIMIZER)


def test_accumulated_gradients_make_one_batch() -> None:
    known = {"batch_size": 16, "dataset_size": 10000, "epochs": 5, "noise_multiplier": 2}
    assert read({**known, "gradient_accumulation_steps": 4}) == read(STATEMENT)
    saved = {"batch_size": 16, "train_size": 10000, "train_steps": 9, "noise_multiplier": 2}
    assert read({**saved, "gradient_accumulation_steps": 4}) == (steps("64/10000", 9),)


@each_case(
    "changes",
    [
        {"used_microbatching": "yes"},
        {"num_microbatches": 65},
        {"num_microbatches": 64, "used_microbatching": True},
        {"num_microbatches": 16, "used_microbatching": False},
        {"max_examples_per_user": 1.5},
        {"max_examples_per_user": 0},
        {"batch_size": None, "sample_rate": 0.01, "num_microbatches": 4},
        {"num_epochs": None, "steps": 9, "gradient_accumulation_steps": 4},
    ],
)
def test_what_contradicts_itself_or_is_not_whole_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected"):
        read({**STATEMENT, **changes})


@each_case(
    "name",
    ["batch_size", "dataset_size", "num_microbatches", "gradient_accumulation_steps"],
)
def test_what_counts_examples_or_batches_is_whole(name: str) -> None:
    given = {**TRAINING, "epochs": 3}
    whole = given.get(name, 1)
    read({**given, name: whole})
    for other in (0.25, 0.5, whole + 0.5, "1/2", "255.5", -1, 0):
        with pytest.raises(InputError, match=name):
            read({**given, name: other})


@each_case("other", [None, 3, "text", [TRAINING], []])
def test_a_schedule_of_what_is_no_object_is_refused(other: object) -> None:
    with pytest.raises(InputError, match="expected"):
        read([{**TRAINING, "epochs": 3}, other])


def test_a_statement_counts_microbatches_unless_it_says_otherwise() -> None:
    silent = {key: value for key, value in STATEMENT.items() if key != "used_microbatching"}
    assert read(silent) == read({**STATEMENT, "used_microbatching": True})
    for every in (64, None):
        assert read({**silent, "num_microbatches": every}) == read(STATEMENT)


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

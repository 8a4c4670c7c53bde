"""Plans of DP-SGD: the ledgers of what they may be, and what is refused."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from exactdp.errors import InputError
from exactdp.mechanisms import (
    AllocatedGaussianMechanism,
    FixedSizeGaussianMechanism,
    GaussianMechanism,
    RemainderGaussianMechanism,
    SampledMechanism,
    ShuffledGaussianMechanism,
)
from exactdp.training.plans import TrainingPlan


def test_a_plan_is_so_many_sampled_steps_or_so_many_shuffled_epochs() -> None:
    plan = TrainingPlan.of(256, 60_000, 60, "1.1")
    assert (plan.steps, plan.rate, plan.batches) == (14_063, mpq(8, 1875), 235)
    step = SampledMechanism(GaussianMechanism("10/11"), "8/1875", 14_063, "steps")
    assert plan.poisson().mechanisms == (step,)
    assert plan.poisson().neighbouring == "add-remove-one"
    epochs = RemainderGaussianMechanism("1.1", 234, 256, 60_000, 60, label="epochs")
    assert (plan.shuffled().mechanisms, plan.shuffled().neighbouring) == ((epochs,), "zero-out")
    kept = ShuffledGaussianMechanism("1.1", 235, 60, label="epochs")
    assert plan.shuffled_keep_last().mechanisms == (kept,)
    assert TrainingPlan.of(50, 100, 1, 1).shuffled().mechanisms == (
        ShuffledGaussianMechanism(1, 2, label="epochs"),
    )
    assert plan.known_batch("shuffled").mechanisms == (GaussianMechanism("10/11", 60),)


def test_batches_of_all_examples_are_not_sampled() -> None:
    plan = TrainingPlan.of(100, 100, 3, "2")
    assert plan.poisson().mechanisms == (GaussianMechanism("1/2", 3, "steps"),)
    assert plan.batches == 1
    assert plan.allocated().mechanisms == (GaussianMechanism("1/2", 3),)
    assert plan.of_fixed_size().mechanisms == (GaussianMechanism("1/2", 3),)


def test_each_loader_has_a_ledger_of_its_own() -> None:
    plan = TrainingPlan.of(256, 60_000, 60, "1.1")
    allocated = AllocatedGaussianMechanism("1.1", 235, 60, label="epochs")
    fixed = FixedSizeGaussianMechanism("1.1", 256, 60_000, 14_063, label="steps")
    assert plan.drawn_by("poisson") == plan.poisson()
    assert plan.drawn_by("shuffled") == plan.shuffled()
    found = [plan.drawn_by("allocated"), plan.drawn_by("fixed-size")]
    assert [each.mechanisms for each in found] == [(allocated,), (fixed,)]
    assert [each.neighbouring for each in found] == ["add-remove-one", "zero-out"]


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ((101, 100, 1, "1"), "batch: 101: expected a whole number from 1 to 100"),
        ((1, 100, 1, "0"), "noise: 0: expected a rational number above 0"),
        ((1, 10**16, 1, "1"), "examples: .* expected a whole number from 1 to"),
        ((1, 100, 10**10, "1"), "epochs: .* expected a whole number from 1 to"),
        ((1, 10**15, 10**9, "1"), "epochs: .* expected at most 10.18 steps in all"),
    ],
)
def test_impossible_plans_are_refused(plan: tuple[int, int, int, str], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        TrainingPlan.of(*plan)


def test_steps_say_how_long_is_trained_where_epochs_do_not() -> None:
    plan = TrainingPlan.of(256, 60_000, None, "1.1", 468)
    (step,) = plan.poisson().mechanisms
    assert step.count == plan.steps == 468
    assert plan.shuffled().mechanisms == (
        RemainderGaussianMechanism("1.1", 234, 256, 60_000, 2, label="epochs"),
    )
    assert plan.known_batch("shuffled").mechanisms == (GaussianMechanism("10/11", 2),)
    with pytest.raises(InputError, match="ask about 235 or 470 steps"):
        plan.shuffled_keep_last()
    with pytest.raises(InputError, match="ask about 234 steps"):
        TrainingPlan.of(256, 60_000, None, "1.1", 3).shuffled()


@pytest.mark.parametrize("given", [(None, None), (1, 1)])
def test_either_epochs_or_steps_are_said(given: tuple[int | None, int | None]) -> None:
    epochs, steps = given
    with pytest.raises(InputError, match="in epochs or in steps"):
        TrainingPlan.of(1, 10, epochs, 1, steps)

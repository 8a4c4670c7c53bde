"""Configurations of JAX Privacy: stand-ins whose fields are those of release 2.0.0."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
import pytest

import exactdp
from exactdp.errors import InputError


class SamplingMethod(enum.Enum):
    """How JAX Privacy says that batches are drawn."""

    POISSON = enum.auto()
    FIXED_BATCH_SIZE = enum.auto()
    SHUFFLED = enum.auto()


@dataclass(frozen=True)
class DPKerasConfig:
    """The fields of ``jax_privacy.keras_api.DPKerasConfig``."""

    epsilon: float = 1.0
    delta: float = 1e-5
    clipping_norm: float = 1.0
    batch_size: int = 50
    gradient_accumulation_steps: int = 2
    train_steps: int = 100
    train_size: int = 1000
    poisson_sampling_in_fit: bool = False
    noise_multiplier: float | None = 1.1
    rescale_to_unit_norm: bool = True
    microbatch_size: int | None = None
    seed: int | None = None


@dataclass(frozen=True)
class DpParams:
    """The fields of ``jax_privacy.accounting.analysis.DpParams``."""

    noise_multipliers: Any = 1.1
    num_samples: int = 1000
    delta: float = 1e-5
    batch_size: Any = 100
    batch_size_scale_schedule: Any = None
    is_finite_guarantee: bool = True
    batch_sizes: Any = field(default=100)
    examples_per_user: int | None = None
    cycle_length: int | None = None
    sampling_method: SamplingMethod = SamplingMethod.POISSON
    truncated_batch_size: int | None = None


@dataclass(frozen=True)
class LaterParams(DpParams):
    """A release that says more than is known here."""

    subset_of_users: int = 1


STEPS: Final = {"sigma": "1.1", "rate": "1/10"}


def ledger_of(*entries: dict[str, Any], relation: str = "add-remove-one") -> exactdp.Ledger:
    return exactdp.read_ledger(
        json.dumps({"neighbouring": relation, "mechanisms": list(entries)}).encode()
    )


def alike(found: exactdp.Ledger, expected: exactdp.Ledger) -> bool:
    bare = [each.without_label(each.count) for each in found.mechanisms]
    return bare == [*expected.mechanisms] and found.neighbouring == expected.neighbouring


def test_a_configuration_of_keras_is_samples_of_accumulated_batches() -> None:
    ledger = exactdp.from_jax_privacy(DPKerasConfig())
    assert alike(ledger, ledger_of({**STEPS, "count": 100}))
    assert "drawn by the iterator" in ledger.reading[0]
    assert ledger.reading[1].startswith("poisson_sampling_in_fit is false")
    drawn = exactdp.from_jax_privacy(DPKerasConfig(poisson_sampling_in_fit=True))
    assert drawn.reading[0].endswith("drawn by fit()")


def test_parameters_are_samples_of_the_steps_that_are_said_beside_them() -> None:
    assert alike(exactdp.from_jax_privacy(DpParams(), 70), ledger_of({**STEPS, "count": 70}))


def test_noise_and_batches_change_at_the_steps_of_their_schedules() -> None:
    schedule = DpParams(
        noise_multipliers=[(0, 1.1), (30, 2.0), (90, 5.0)], batch_sizes=[(0, 100), (50, 200)]
    )
    expected = ledger_of(
        {**STEPS, "count": 30},
        {"sigma": "2", "rate": "1/10", "count": 20},
        {"sigma": "2", "rate": "1/5", "count": 20},
    )
    assert alike(exactdp.from_jax_privacy(schedule, 70), expected)


def test_batches_that_a_schedule_scales_are_arrays_of_one_float() -> None:
    scaled = DpParams(batch_sizes=[(0, 100), (50, np.float32(200))])
    expected = ledger_of({**STEPS, "count": 50}, {"sigma": "1.1", "rate": "1/5", "count": 20})
    assert alike(exactdp.from_jax_privacy(scaled, 70), expected)
    with pytest.raises(InputError, match="batch_size"):
        exactdp.from_jax_privacy(DpParams(batch_sizes=np.float32(99.5)), 70)


def test_examples_of_a_user_are_records_of_a_person() -> None:
    ledger = exactdp.from_jax_privacy(DpParams(examples_per_user=3), 7)
    assert alike(ledger, ledger_of({**STEPS, "records_per_person": 3, "count": 7}))


def test_batches_of_a_fixed_size_are_subsets_where_a_record_is_replaced() -> None:
    fixed = DpParams(sampling_method=SamplingMethod.FIXED_BATCH_SIZE)
    entry = {"sigma": "1.1", "fixed_size": {"batch": 100, "records": 1000}, "count": 7}
    assert alike(exactdp.from_jax_privacy(fixed, 7), ledger_of(entry, relation="replace-one"))
    all_of_them = replace(fixed, batch_sizes=1000)
    doubled = ledger_of({"sigma": "0.55", "count": 7}, relation="replace-one")
    assert alike(exactdp.from_jax_privacy(all_of_them, 7), doubled)


@pytest.mark.parametrize(
    ("config", "steps", "about"),
    [
        (DPKerasConfig(noise_multiplier=None), None, "update_with_calibrated_noise_multiplier"),
        (DPKerasConfig(noise_multiplier=0.0), None, "noise_multiplier"),
        (DPKerasConfig(noise_multiplier=float("nan")), None, "NaN|nan"),
        (DPKerasConfig(train_size=60), None, "batch_size"),
        (DPKerasConfig(), 7, "train_steps"),
        (DpParams(), None, "steps"),
        (DpParams(noise_multipliers=None), 7, "noise_multipliers"),
        (DpParams(noise_multipliers=[(1, 2.0)]), 7, "the first at step 0"),
        (DpParams(noise_multipliers=[(0, 2.0), (0, 9.0)]), 7, "the first at step 0"),
        (DpParams(batch_sizes=1001), 7, "batch_size"),
        (DpParams(truncated_batch_size=120), 7, "--max-batch"),
        (DpParams(is_finite_guarantee=False), 7, "is_finite_guarantee"),
        (DpParams(cycle_length=2), 7, "cycle_length"),
        (DpParams(sampling_method=SamplingMethod.SHUFFLED), 7, "sampling_method"),
        (
            DpParams(sampling_method=SamplingMethod.FIXED_BATCH_SIZE, examples_per_user=2),
            7,
            "examples_per_user",
        ),
        (LaterParams(), 7, "subset_of_users"),
        (object(), 7, "config: object"),
        ({"noise_multiplier": 1}, 7, "config: dict"),
    ],
)
def test_what_a_ledger_cannot_hold_is_refused(
    config: object, steps: int | None, about: str
) -> None:
    with pytest.raises(InputError, match=about):
        exactdp.from_jax_privacy(config, steps)

"""Guard: an accountant with dp-accounting's interface, its answers checked."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import pytest
from gmpy2 import mpq

from exactdp import guard, verify
from exactdp.accountants.guarding import RefutedError, UncheckedWarning


class _Response(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "RandomizedResponseDpEvent"
    noise_parameter: float = 0.5  # ε = ln 3
    num_buckets: int = 2


class _Laplace(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "LaplaceDpEvent"
    noise_multiplier: float = 2.0


class _Discrete(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "DiscreteGaussianDpEvent"
    sigma: float = 4.0
    sensitivity: float = 1.0
    dimension: int | None = 1


class _Sampled(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "SampledWithoutReplacementDpEvent"
    source_dataset_size: int = 10
    sample_size: int = 5
    event: _Laplace = _Laplace()


class _Composed(NamedTuple):
    module_name: str
    class_name: str
    events: list[object]


class _Relation(Enum):
    ADD_OR_REMOVE_ONE = 1
    REPLACE_ONE = 2


@dataclass
class _Accountant:
    """Answers what it is told to answer."""

    epsilon: float = 1.0
    delta: float = 0.5
    events: list[object] = field(default_factory=list)
    name: str = "mine"
    neighboring_relation: _Relation = _Relation.ADD_OR_REMOVE_ONE

    @property
    def ledger(self) -> object:
        return _Composed("dp_accounting.dp_event", "ComposedDpEvent", self.events)

    def compose(self, event: object, count: int = 1) -> _Accountant:
        self.events += [event] * count
        return self

    def get_epsilon(self, target_delta: float) -> float:
        del target_delta
        return self.epsilon

    def get_delta(self, target_epsilon: float) -> float:
        del target_epsilon
        return self.delta


def _responding(*, epsilon: float = 1.0, delta: float = 0.5) -> _Accountant:
    """One who is asked about randomized responses: where a record is replaced."""
    return _Accountant(epsilon, delta, neighboring_relation=_Relation.REPLACE_ONE)


def test_a_sound_answer_is_passed_on() -> None:
    guarded = guard(_responding(epsilon=2.2)).compose(_Response(), 2)
    assert guarded.get_epsilon(0.1) == 2.2
    assert guarded.get_delta(1.0986) == 0.5
    assert guarded.name == "mine"


def test_the_certified_interval_is_at_hand() -> None:
    answer = guard(_responding()).compose(_Response(), 2).certified(0.125)
    assert answer.lower is not None
    assert answer.exact is not None
    assert str(answer.exact) == "ln(7)"  # (9 - 16/8)/1


def test_an_answer_below_the_interval_is_refuted_with_a_certificate() -> None:
    guarded = guard(_responding(epsilon=1.0986, delta=0.3)).compose(_Response(), 2)
    with pytest.raises(RefutedError, match="epsilon: ") as caught:
        guarded.get_epsilon(0.125)
    certificate = caught.value.verdict.certificate
    assert certificate is not None
    assert verify(certificate.to_bytes()).status == "accepted"
    with pytest.raises(RefutedError, match="delta: "):
        guarded.get_delta(math.log(3))


def test_an_answer_that_rests_on_more_is_passed_on_with_a_warning() -> None:
    guarded = guard(_responding(epsilon=0.5)).compose(_Response(num_buckets=4), 3)
    with pytest.warns(UncheckedWarning, match="more than"):
        assert guarded.get_epsilon(1e-6) == 0.5


@pytest.mark.parametrize("event", [_Laplace(), _Discrete()])
def test_noise_of_bounded_loss_is_compared_as_it_is(event: object) -> None:
    guarded = guard(_Accountant(epsilon=0.25)).compose(event)
    with pytest.raises(RefutedError, match="what the events' parameters need"):
        guarded.get_epsilon(1e-3)
    assert guard(_Accountant(epsilon=0.75)).compose(event).get_epsilon(1e-3) == 0.75


class _Gaussian(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "GaussianDpEvent"
    noise_multiplier: float = 2.0


def test_noise_that_leaks_more_is_refuted_with_a_certificate() -> None:
    guarded = guard(_Accountant(epsilon=0.5)).compose(_Gaussian())
    with pytest.raises(RefutedError, match="what the events' parameters need") as caught:
        guarded.get_epsilon(1e-6)
    certificate = caught.value.verdict.certificate
    assert certificate is not None
    assert verify(certificate).exit_code == 0


def test_responses_beside_noise_are_not_compared() -> None:
    guarded = guard(_Accountant(epsilon=0.5)).compose(_Gaussian()).compose(_Response())
    with pytest.warns(UncheckedWarning, match="RandomizedResponseDpEvent under add-remove-one"):
        assert guarded.get_epsilon(1e-6) == 0.5


def test_events_without_parameters_are_passed_on_with_a_warning() -> None:
    guarded = guard(_Accountant()).compose(_Sampled())
    with pytest.warns(UncheckedWarning, match="SampledWithoutReplacementDpEvent"):
        assert guarded.get_epsilon(1e-6) == 1.0


def test_what_is_not_finite_is_passed_on() -> None:
    guarded = guard(_responding(epsilon=math.inf)).compose(_Response())
    assert guarded.get_epsilon(0.1) == math.inf


class _Step(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "PoissonSampledDpEvent"
    sampling_probability: float = 0.0625
    event: _Gaussian = _Gaussian()


@pytest.mark.slow
def test_steps_of_dp_sgd_are_checked_as_they_are_sampled() -> None:
    """Without sampling ten such releases need an ε above 6."""
    steps = guard(_Accountant(epsilon=0.75)).compose(_Step(), 10)
    assert steps.get_epsilon(1e-5) == 0.75
    certified = steps.certified(1e-5)
    assert certified.upper is not None
    assert certified.upper < mpq("0.75")
    with pytest.raises(RefutedError, match="what the events' parameters need"):
        guard(_Accountant(epsilon=0.25)).compose(_Step(), 10).get_epsilon(1e-5)

"""Guard passes every answer on, refutes it, or warns: whatever it and its events are."""

from __future__ import annotations

import math
import numbers
import warnings
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import pytest

from exactdp import guard
from exactdp.accountants.guarding import Guarded, RefutedError, UncheckedWarning
from exactdp.errors import InputError
from tests.marking import each_case

MODULE = "dp_accounting.dp_event"


class _Laplace(NamedTuple):
    module_name: str = MODULE
    class_name: str = "LaplaceDpEvent"
    noise_multiplier: float = 1.0


class _Pair(NamedTuple):
    module_name: str = MODULE
    class_name: str = "EpsilonDeltaDpEvent"
    epsilon: float = 0.1
    delta: float = 0.01


class _Gaussian(NamedTuple):
    module_name: str = MODULE
    class_name: str = "GaussianDpEvent"
    noise_multiplier: float = 2.0


class _Truncated(NamedTuple):
    module_name: str = MODULE
    class_name: str = "PoissonSampledDpEvent"
    sampling_probability: float = 0.5
    event: object = _Gaussian()
    truncated_batch_size: int = 1


class _Composed(NamedTuple):
    module_name: str
    class_name: str
    events: list[object]


@dataclass
class _Accountant:
    """Answers what it is told to answer, to all that it is asked."""

    answer: object
    events: list[object] = field(default_factory=list)
    neighboring_relation: str = "ADD_OR_REMOVE_ONE"

    @property
    def ledger(self) -> object:
        return _Composed(MODULE, "ComposedDpEvent", self.events)

    def compose(self, event: object, count: int = 1) -> _Accountant:
        self.events += [event] * count
        return self

    def get_epsilon(self, target_delta: object) -> object:
        del target_delta
        return self.answer

    def get_delta(self, target_epsilon: object) -> object:
        del target_epsilon
        return self.answer

    def get_epsilon_and_optimal_order(self, target_delta: object) -> tuple[object, float]:
        return self.get_epsilon(target_delta), 2.0

    def get_delta_and_optimal_order(self, target_epsilon: object) -> tuple[object, float]:
        return self.get_delta(target_epsilon), 2.0

    def get_epsilons(self, target_deltas: object) -> list[object]:
        return [self.get_epsilon(target_deltas)]


class _Single:
    """A real number of a library of its own, as those of NumPy are."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"single({self.value})"


numbers.Real.register(_Single)

NOISE = (_Laplace(),)
BOTH = (_Laplace(), _Pair())
METHODS = {
    "epsilon": ("get_epsilon", "get_epsilon_and_optimal_order"),
    "delta": ("get_delta", "get_delta_and_optimal_order"),
}


def _guarded(answer: object, *events: object, relation: str = "ADD_OR_REMOVE_ONE") -> Guarded:
    return guard(_Accountant(answer, list(events), relation))  # type: ignore[arg-type]


def _ask(guarded: Guarded, method: str, target: object) -> object:
    found = getattr(guarded, method)(target)
    return found[0] if isinstance(found, tuple) else found


@each_case("order", [0, 1])
@each_case(
    ("events", "kind", "target", "false", "true"),
    [
        (NOISE, "epsilon", 0.0, 0.5, 1.0),
        (NOISE, "epsilon", 0.0, 0.9999999, 1.5),
        (NOISE, "epsilon", 0.0, -1.0, math.inf),
        (NOISE, "epsilon", 0.01, 0.5, 1.0),
        (NOISE, "delta", 0.9, 0.0, 0.05),
        (NOISE, "delta", 0.9, 0.04, 0.5),
        (NOISE, "delta", 0.9, -1.0, math.inf),
        (BOTH, "epsilon", 0.001, 3.0, math.inf),
        (BOTH, "delta", 5.0, 0.001, 0.02),
    ],
)
def test_what_is_false_is_refuted_with_a_certificate_or_without(
    events: tuple[object, ...], kind: str, target: float, false: float, true: float, order: int
) -> None:
    method = METHODS[kind][order]
    with pytest.raises(RefutedError, match=f"{kind}: ") as caught:
        _ask(_guarded(false, *events), method, target)
    computed = caught.value.verdict.certificate is None
    assert ("computed, without a certificate" in str(caught.value)) == computed
    assert ("error.verdict.certificate" in str(caught.value)) == (not computed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert _ask(_guarded(true, *events), method, target) == true


def test_a_refutation_has_its_certificate_at_delta_0_too() -> None:
    found = []
    for target in (0.0, 0.01):
        with pytest.raises(RefutedError, match="epsilon: ") as caught:
            _guarded(0.5, *NOISE).get_epsilon(target)
        found.append(caught.value.verdict.certificate is None)
    assert found == [False, False]


ANSWERS = [None, [1.0], "1.0", math.nan, -math.inf, True, Decimal(1), 1j, {"epsilon": 1.0}]
TARGETS = [None, [0.1], "0.1", math.nan, math.inf, -math.inf, True, -1.0]


@each_case("method", [*METHODS["epsilon"], *METHODS["delta"]])
@each_case("answer", ANSWERS)
def test_an_answer_that_is_no_number_is_passed_on_with_a_warning(
    answer: object, method: str
) -> None:
    with pytest.warns(UncheckedWarning, match="not checked: "):
        assert _ask(_guarded(answer, *NOISE), method, 0.1) is answer


@each_case("method", [*METHODS["epsilon"], *METHODS["delta"]])
@each_case("target", TARGETS)
def test_a_question_that_is_no_number_is_passed_on_with_a_warning(
    target: object, method: str
) -> None:
    with pytest.warns(UncheckedWarning, match="not checked: "):
        assert _ask(_guarded(0.5, *NOISE), method, target) == 0.5


@pytest.mark.parametrize("number", [Fraction, _Single, float])
def test_real_numbers_of_any_library_are_checked(number: type) -> None:
    answer = number(0.5)
    with pytest.raises(RefutedError, match="epsilon: "):
        _guarded(answer, *NOISE).get_epsilon(number(0.125))
    held = number(1.0)
    assert _guarded(held, *NOISE).get_epsilon(number(0.125)) is held


def _cyclic() -> object:
    events: list[object] = []
    events.append(_Composed(MODULE, "ComposedDpEvent", events))
    return events[0]


def _deep(depth: int) -> object:
    event: object = _Laplace()
    for _ in range(depth):
        event = _Composed(MODULE, "ComposedDpEvent", [event])
    return event


@each_case(
    ("event", "why"),
    [
        (_cyclic(), ""),
        (_deep(3000), ""),
        (_Truncated(), "truncated_batch_size"),
        (_Laplace(module_name="another.library"), "module_name: .*another.library"),
        (_Truncated(event=_Laplace(module_name="another.library")), "another.library"),
        (object(), "event"),
        (None, "event"),
        (_Laplace(noise_multiplier=math.nan), "noise_multiplier"),
        (_Laplace(noise_multiplier=0.0), "noise_multiplier"),
    ],
)
@each_case("relation", ["ADD_OR_REMOVE_ONE", "REPLACE_ONE"])
def test_events_that_are_not_known_are_passed_on_with_a_warning(
    event: object, why: str, relation: str
) -> None:
    with pytest.warns(UncheckedWarning, match=f"not checked: .*{why}"):
        assert _guarded(0.001, event, relation=relation).get_epsilon(1e-6) == 0.001


def test_a_method_that_is_not_known_is_passed_on_with_a_warning() -> None:
    with pytest.warns(UncheckedWarning, match="get_epsilons"):
        assert _guarded(0.001, *NOISE).get_epsilons([0.1]) == [0.001]


def test_an_accountant_without_neighbours_is_passed_on_with_a_warning() -> None:
    with pytest.warns(UncheckedWarning, match="neighbouring"):
        assert _guarded(0.001, *NOISE, relation="SOMETHING").get_epsilon(0.1) == 0.001


@pytest.mark.parametrize("module", [MODULE, "another.library"])
def test_the_interval_is_about_known_events_alone(module: str) -> None:
    guarded = _guarded(1.0, _Laplace(module_name=module))
    if module == MODULE:
        assert guarded.certified(0.0).upper_end == 1
    else:
        with pytest.raises(InputError, match="module_name"):
            guarded.certified(0.0)

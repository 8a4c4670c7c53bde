"""The neighbours that an accountant is asked about are those that the certificate states.

Every event that dp-accounting has, under every relation that its accountants name: the answer is
judged for these very neighbours, or it is passed on with a warning. What is true is computed here,
from the two laws that neighbours lead to, and from nothing of the package.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import pytest
from gmpy2 import mpq

from exactdp import guard, verify
from exactdp.accountants.guarding import Guarded, RefutedError, UncheckedWarning
from exactdp.errors import InputError
from tests.marking import each_case, slow_after

DELTA = 1e-5


class NeighboringRelation(Enum):
    """The relations of dp-accounting."""

    ADD_OR_REMOVE_ONE = auto()
    REPLACE_ONE = auto()
    REPLACE_SPECIAL = auto()


class Gaussian(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "GaussianDpEvent"
    noise_multiplier: float = 2.0


class Laplace(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "LaplaceDpEvent"
    noise_multiplier: float = 2.0


class DiscreteLaplace(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "DiscreteLaplaceDpEvent"
    noise_parameter: float = 0.25
    sensitivity: int = 3


class DiscreteGaussian(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "DiscreteGaussianDpEvent"
    sigma: float = 4.0
    sensitivity: float = 1.0
    dimension: int | None = 1


class Response(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "RandomizedResponseDpEvent"
    noise_parameter: float = 0.5
    num_buckets: int = 2


class Pair(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "EpsilonDeltaDpEvent"
    epsilon: float = 1.0
    delta: float = 2.0**-20


class Exponential(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "ExponentialMechanismDpEvent"
    epsilon: float = 1.0


class PermuteAndFlip(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "PermuteAndFlipDpEvent"
    epsilon: float = 1.0


class Zcdp(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "ZCDpEvent"
    rho: float = 0.125
    xi: float = 0.0


class Poisson(NamedTuple):
    module_name: str = "dp_accounting.dp_event"
    class_name: str = "PoissonSampledDpEvent"
    sampling_probability: float = 0.25
    event: Any = Gaussian()


class Composed(NamedTuple):
    module_name: str
    class_name: str
    events: list[object]


class Nameless(NamedTuple):
    """An event of which the reader knows no more than its name."""

    module_name: str
    class_name: str
    event: Any = Gaussian()


OTHERS = (
    "MixtureOfGaussiansDpEvent",
    "NonPrivateDpEvent",
    "SampledWithReplacementDpEvent",
    "TruncatedSubsampledGaussianDpEvent",
    "UnsupportedDpEvent",
    "AnEventOfTomorrow",
)


@dataclass
class Accountant:
    """Records what it was asked, and answers what it was told to."""

    neighboring_relation: NeighboringRelation | None
    event: object
    answer: float = 0.0

    @property
    def ledger(self) -> object:
        return Composed("dp_accounting.dp_event", "ComposedDpEvent", [self.event])

    def compose(self, event: object, count: int = 1) -> None:
        del event, count

    def get_epsilon(self, target_delta: float) -> float:
        del target_delta
        return self.answer

    def get_delta(self, target_epsilon: float) -> float:
        del target_epsilon
        return self.answer


# --- what is true -------------------------------------------------------------------------------

Law = list[float]
"""Probabilities or densities on a grid that both laws of a pair share, times its step."""
SPAN, STEP = 32.0, 2.0**-5
GRID = [(index + 0.5) * STEP - SPAN for index in range(int(2 * SPAN / STEP))]


def normal(mean: float) -> Law:
    return [STEP * math.exp(-((x - mean) ** 2) / 8) / math.sqrt(8 * math.pi) for x in GRID]


def laplace(mean: float) -> Law:
    return [STEP * math.exp(-abs(x - mean) / 2) / 4 for x in GRID]


def whole(weight: Callable[[int], float], mean: int) -> Law:
    weights = [weight(x - mean) for x in range(-400, 401)]
    total = math.fsum(weights)
    return [each / total for each in weights]


def discrete_laplace(mean: int) -> Law:
    return whole(lambda x: math.exp(-abs(x) / 4), mean)


def discrete_gaussian(mean: int) -> Law:
    return whole(lambda x: math.exp(-(x**2) / 32), mean)


def mixed(rate: float, base: Law, other: Law) -> Law:
    return [(1 - rate) * p + rate * q for p, q in zip(base, other, strict=True)]


ADDED, REPLACED, SPECIAL = NeighboringRelation
STEP_OF_SGD = (mixed(0.25, normal(0), normal(1)), normal(0))
PAIRS: dict[tuple[object, NeighboringRelation], tuple[Law, Law]] = {
    (Gaussian(), ADDED): (normal(0), normal(1)),
    (Gaussian(), SPECIAL): (normal(0), normal(1)),
    (Gaussian(), REPLACED): (normal(-1), normal(1)),
    (Laplace(), ADDED): (laplace(0), laplace(1)),
    (Laplace(), SPECIAL): (laplace(0), laplace(1)),
    (Laplace(), REPLACED): (laplace(-1), laplace(1)),
    (DiscreteLaplace(), ADDED): (discrete_laplace(0), discrete_laplace(3)),
    (DiscreteLaplace(), SPECIAL): (discrete_laplace(0), discrete_laplace(3)),
    (DiscreteLaplace(), REPLACED): (discrete_laplace(-3), discrete_laplace(3)),
    (DiscreteGaussian(), ADDED): (discrete_gaussian(0), discrete_gaussian(1)),
    (DiscreteGaussian(), SPECIAL): (discrete_gaussian(0), discrete_gaussian(1)),
    (Response(), REPLACED): ([0.75, 0.25], [0.25, 0.75]),
    (Poisson(), ADDED): STEP_OF_SGD,
    (Poisson(), SPECIAL): STEP_OF_SGD,
    (Poisson(), REPLACED): (
        mixed(0.25, normal(0), normal(1)),
        mixed(0.25, normal(0), normal(-1)),
    ),
}
"""The laws of the answer on the neighbours at which most is revealed."""
ABOUT_ANY = (Pair(), Exponential(), PermuteAndFlip(), Zcdp())
"""Events whose parameters are those of whichever neighbours are meant."""
UNFIT = {
    (DiscreteGaussian(), REPLACED),
    (Response(), ADDED),
    (Response(), SPECIAL),
    (Poisson(event=DiscreteGaussian()), REPLACED),
}
SAMPLES = {Poisson(event=DiscreteGaussian())}
STATED = {ADDED: "add-remove-one", REPLACED: "replace-one", SPECIAL: "add-remove-one"}
"""A special record contributes nothing: to sums it is one that is not there."""
KNOWN = (Gaussian(), Laplace(), DiscreteLaplace(), DiscreteGaussian(), Response(), Poisson())
EVENTS = (*KNOWN, *ABOUT_ANY, *(Nameless("dp_accounting.dp_event", name) for name in OTHERS))


def excess(first: Law, second: Law, epsilon: float) -> float:
    """The δ of two laws at ε, in one direction."""
    odds = math.exp(epsilon)
    return math.fsum(max(p - odds * q, 0.0) for p, q in zip(first, second, strict=True))


@cache
def least_epsilon(event: object, relation: NeighboringRelation) -> float:
    """The ε of an event at DELTA, by halving."""
    (first, second), low, high = PAIRS[event, relation], 0.0, 30.0
    for _ in range(30):
        middle = (low + high) / 2
        delta = max(excess(first, second, middle), excess(second, first, middle))
        low, high = (middle, high) if delta > DELTA else (low, middle)
    return high


def _guarded(event: object, relation: NeighboringRelation, answer: float = 0.0) -> Guarded:
    return guard(Accountant(relation, event, answer))


def test_the_law_speaks_of_every_event_under_every_relation() -> None:
    told = {
        *PAIRS,
        *(each for each in UNFIT if each[0] in EVENTS),
        *product(ABOUT_ANY, NeighboringRelation),
    }
    others = [event for event in EVENTS if isinstance(event, Nameless)]
    assert told | {*product(others, NeighboringRelation)} == {*product(EVENTS, NeighboringRelation)}


@pytest.mark.parametrize(("event", "relation"), PAIRS, ids=str)
def test_what_is_certified_is_true_of_the_neighbours_that_the_accountant_names(
    event: object, relation: NeighboringRelation
) -> None:
    certified = _guarded(event, relation).certified(DELTA)
    assert certified.lower_end is not None
    assert certified.upper_end is not None
    true, little = (mpq(Fraction(least_epsilon(event, relation) * part)) for part in (1, 2e-4))
    ends = certified.lower_end, certified.upper_end
    assert max(abs(end - true) for end in ends) < little


QUICK = {Gaussian(), DiscreteLaplace(), Response()}
PROVED = sorted(PAIRS, key=lambda each: each[0] not in QUICK)


@pytest.mark.parametrize(
    "asked", slow_after(sum(event in QUICK for event, _ in PAIRS), PROVED), ids=str
)
def test_an_answer_that_is_true_of_other_neighbours_alone_is_refuted(
    asked: tuple[object, NeighboringRelation],
) -> None:
    event, relation = asked
    true = least_epsilon(event, relation)
    assert _guarded(event, relation, true * 1.01).get_epsilon(DELTA) == true * 1.01
    with pytest.raises(RefutedError, match="where a record is ") as caught:
        _guarded(event, relation, true * 0.99).get_epsilon(DELTA)
    certificate = caught.value.verdict.certificate
    assert certificate is not None
    assert certificate.subject.neighbouring == STATED[relation]
    assert verify(certificate.to_bytes()).status == "accepted"


@pytest.mark.parametrize("event", ABOUT_ANY, ids=str)
@pytest.mark.parametrize("relation", NeighboringRelation)
def test_parameters_that_are_about_any_neighbours_are_about_those_that_are_named(
    event: object, relation: NeighboringRelation
) -> None:
    guarded = _guarded(event, relation, 5.0)
    assert guarded.get_epsilon(DELTA) == 5.0
    assert guarded._ledger().neighbouring == STATED[relation]


UNCHECKED = [
    *UNFIT,
    *product((each for each in EVENTS if isinstance(each, Nameless)), NeighboringRelation),
]


@each_case(("event", "relation"), sorted(UNCHECKED, key=str))
@each_case("ask", ["get_epsilon", "get_delta"])
def test_an_event_that_does_not_fit_the_neighbours_is_passed_on_with_a_warning(
    event: object, relation: NeighboringRelation, ask: str
) -> None:
    guarded, name = _guarded(event, relation, 1e-3), str(getattr(event, "class_name", ""))
    name = getattr(getattr(event, "event", None), "class_name", name) if event in SAMPLES else name
    with pytest.warns(UncheckedWarning, match=name):
        assert getattr(guarded, ask)(DELTA) == 1e-3
    with pytest.raises(InputError, match=name):
        guarded.certified(DELTA)


def test_an_accountant_that_names_no_neighbours_is_not_checked_for_some() -> None:
    guarded = guard(Accountant(None, Gaussian(), 0.1))
    with pytest.warns(UncheckedWarning, match="neighbouring: nothing: expected an accountant that"):
        assert guarded.get_epsilon(DELTA) == 0.1


@pytest.mark.parametrize(
    ("neighbouring", "multiplier"), [("add-remove-one", 2.0), ("replace-one", 1.0)]
)
def test_its_user_may_name_them(neighbouring: str, multiplier: float) -> None:
    named = guard(Accountant(None, Gaussian(noise_multiplier=2.0)), neighbouring=neighbouring)
    same = _guarded(Gaussian(noise_multiplier=multiplier), ADDED)
    assert named.certified(DELTA).lower_end == same.certified(DELTA).lower_end
    assert named.neighbouring == neighbouring


@pytest.mark.parametrize(
    ("relation", "neighbouring", "expected"),
    [
        (REPLACED, "add-remove-one", "replace-one, as the accountant says"),
        (None, "replace-two", "add-remove-one or replace-one or zero-out"),
    ],
)
def test_neighbours_that_are_not_the_accountants_are_refused(
    relation: NeighboringRelation | None, neighbouring: str, expected: str
) -> None:
    with pytest.raises(InputError, match=expected):
        guard(Accountant(relation, Gaussian()), neighbouring=neighbouring)


def test_fields_that_are_no_numbers_are_passed_on_with_a_warning() -> None:
    guarded = _guarded(Nameless("dp_accounting.dp_event", "AnEvent", object()), ADDED, 0.5)
    with pytest.warns(UncheckedWarning, match="events whose fields are numbers"):
        assert guarded.get_epsilon(DELTA) == 0.5

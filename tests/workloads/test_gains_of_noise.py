"""What overlap saves where queries are given by their noise: in noise, and in expected error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import mpmath  # type: ignore[import-untyped]
import pytest
from gmpy2 import mpq

from exactdp import compose
from exactdp.budgets.budget import largest_scale
from exactdp.composition.answers import noise as answers_by_noise
from exactdp.errors import CostLimitError
from exactdp.ledger.model import Ledger
from exactdp.ledger.scaling import scale_noise
from exactdp.mechanisms import (
    BoundedRangeMechanism,
    ConcentratedMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PairMechanism,
    RenyiMechanism,
    SampledMechanism,
)
from exactdp.mechanisms.multiset import merged
from exactdp.workloads.composing import ParallelComposition, compose_parallel
from exactdp.workloads.gains import Gain, expected_error_gain, noise_gain
from tests.workloads.workloads import workload

DELTA = "1e-6"
SIZED: list[Entry] = [
    LaplaceMechanism(4),
    LaplaceMechanism(8, 3),
    DiscreteLaplaceMechanism(4),
    DiscreteLaplaceMechanism(8, [1, 2]),
    DiscreteGaussianMechanism(16),
    DiscreteGaussianMechanism(25, [2]),
    GaussianMechanism("1/4"),
    SampledMechanism(GaussianMechanism(1), "1/10"),
    SampledMechanism(LaplaceMechanism(1), "1/10"),
]
UNSIZED: list[Entry] = [
    BoundedRangeMechanism("1/4"),
    PairMechanism(["1/2", "1/2"], ["1/4", "3/4"]),
    SampledMechanism(BoundedRangeMechanism("1/4"), "1/10"),
    RenyiMechanism([["2", "1/50"], ["8", "1/10"]]),
    Mechanism("1/5"),
    ConcentratedMechanism("1/50"),
]


def apart(entries: Sequence[Entry], delta: str = DELTA) -> ParallelComposition:
    """A query for each value of an attribute: a row meets one of them."""
    cells = [{0: [value]} for value in range(len(entries))]
    return compose_parallel(workload([len(entries)], cells, entries), delta=delta)


def sequence_of(answer: ParallelComposition) -> Ledger:
    entries = merged(query.mechanism for query in answer.overlap.workload)
    return Ledger(entries, neighbouring="add-remove-one")


def ends_of(gain: Gain | None, width: str) -> Gain:
    assert gain is not None
    assert 0 <= gain[0] <= gain[1] <= min(mpq(1), gain[0] + mpq(width))
    return gain


def assert_holds(gain: Gain | None, truth: object, width: str = "1e-20") -> None:
    low, high = (
        mpmath.mpf(int(end.numerator)) / int(end.denominator) for end in ends_of(gain, width)
    )
    assert low - mpmath.mpf("1e-30") <= truth <= high + mpmath.mpf("1e-30")


# --- in noise -----------------------------------------------------------------------------------


def assert_ends_are_certified(answer: ParallelComposition) -> None:
    """At one end of the noise saved the sequence costs less than the overlap, at the other more."""
    low, high = ends_of(noise_gain(answer), "1/100")
    least, most = answer.optimum
    assert least is not None
    assert most is not None
    for saved, costs_more in ((high, False), (low, True)):
        found = compose(scale_noise(sequence_of(answer), 1 - saved), delta=DELTA)
        assert found.lower_end is not None
        assert found.upper_end is not None
        assert found.lower_end >= most if costs_more else found.upper_end <= least


@pytest.mark.slow
def test_between_the_ends_of_the_noise_saved_the_sequence_costs_what_the_overlap_does() -> None:
    assert_ends_are_certified(apart([*SIZED[:5], GaussianMechanism("1/4")]))


@pytest.mark.slow
def test_the_ends_of_the_noise_saved_are_certified_for_any_noise() -> None:
    random = Random(5)  # noqa: S311 (a fixed sample)
    for _ in range(6):
        assert_ends_are_certified(apart([LaplaceMechanism(4), *random.choices(SIZED, k=4)]))


@pytest.mark.slow
@pytest.mark.parametrize("noise", [LaplaceMechanism(10), DiscreteLaplaceMechanism(9, [1, 2])])
def test_the_noise_saved_is_what_the_largest_scale_of_the_sequence_says(noise: Entry) -> None:
    answer = apart([noise] * 12)
    low, high = ends_of(noise_gain(answer), "1/200")
    least, most = answer.optimum
    assert least is not None
    assert most is not None
    scales = [largest_scale(sequence_of(answer), epsilon=end, delta=DELTA) for end in (least, most)]
    assert scales[0].lower is not None
    assert scales[1].upper is not None
    assert low <= 1 - scales[0].lower
    assert 1 - scales[1].upper <= high


def test_discrete_laplace_noise_saves_what_the_epsilon_that_it_implies_saves() -> None:
    by_noise = ends_of(noise_gain(apart([DiscreteLaplaceMechanism(10)] * 20)), "1/200")
    by_epsilon = ends_of(noise_gain(apart([Mechanism("1/10")] * 20)), "1/200")
    assert by_noise[0] <= by_epsilon[1]
    assert by_epsilon[0] <= by_noise[1]


@pytest.mark.slow
def test_much_discrete_gaussian_noise_saves_nearly_what_gaussian_noise_saves() -> None:
    answer = apart([DiscreteGaussianMechanism(1000)] * 16)
    assert_holds(noise_gain(answer), 1 - mpmath.sqrt(mpmath.mpf(1) / 16), "1/100")


def test_no_noise_is_saved_where_one_row_meets_every_query() -> None:
    every = workload([1], [{}] * 3, [LaplaceMechanism(4)] * 3)
    low, _ = ends_of(noise_gain(compose_parallel(every, delta=DELTA)), "1/200")
    assert low == 0


def test_queries_that_no_row_meets_save_nearly_all_noise() -> None:
    nobody = workload([2], [{0: []}] * 3, [LaplaceMechanism(1)] * 3)
    gain = noise_gain(compose_parallel(nobody, delta=DELTA))
    assert gain is None or gain[1] == 1


@pytest.mark.slow
@pytest.mark.parametrize("other", UNSIZED, ids=str)
def test_what_is_not_known_to_have_noise_of_a_size_has_no_noise_saved(other: Entry) -> None:
    assert noise_gain(apart([LaplaceMechanism(4), other], "1e-3")) is None


def refusing_after(calls: int) -> Callable[..., object]:
    """A composition that exceeds the limits from some call on."""
    compose_by_noise, left = answers_by_noise.compose_by_noise, iter(range(calls))

    def composed(ledger: Ledger, **options: object) -> object:
        if next(left, None) is None:
            raise CostLimitError(field="tolerance", value="", expected="")
        return compose_by_noise(ledger, **options)  # type: ignore[arg-type]

    return composed


def test_a_limit_of_cost_leaves_the_ends_that_were_found(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = apart([LaplaceMechanism(10)] * 12)
    whole = noise_gain(answer)
    assert whole is not None
    gains = []
    for calls in (0, 2):
        monkeypatch.setattr(answers_by_noise, "compose_by_noise", refusing_after(calls))
        gains.append(noise_gain(answer))
        monkeypatch.undo()
    assert gains[0] is None
    assert gains[1] is not None
    assert gains[1][0] <= whole[0]
    assert whole[1] <= gains[1][1]


@pytest.mark.parametrize("end", ["sequence", "overlap"])
def test_without_a_finite_end_there_is_no_noise_saved(end: str) -> None:
    answer = apart([LaplaceMechanism(10)] * 3)
    if end == "sequence":
        answer = replace(answer, sequential=replace(answer.sequential, upper_end=None))
    else:
        answer = replace(answer, optimum=(answer.optimum[0], None))
    assert noise_gain(answer) is None


# --- in expected error --------------------------------------------------------------------------


def test_laplace_noise_has_its_scale_as_expected_error_whatever_the_sensitivity() -> None:
    answer = apart([LaplaceMechanism(2), LaplaceMechanism(30, 3), LaplaceMechanism(8)])
    assert answer.met == (0,)
    assert expected_error_gain(answer) == (1 - mpq(2, 40), 1 - mpq(2, 40))


@pytest.mark.slow
def test_discrete_noise_has_the_expected_error_of_its_law() -> None:
    entries: list[Entry] = [
        DiscreteLaplaceMechanism(3),
        DiscreteGaussianMechanism("5/2"),
        LaplaceMechanism(2),
    ]
    answer = apart(entries)
    integers = range(-400, 401)
    with mpmath.workdps(40):
        laws = [
            {x: mpmath.exp(-mpmath.mpf(abs(x)) / 3) for x in integers},
            {x: mpmath.exp(-mpmath.mpf(x * x) / 5) for x in integers},
        ]
        errors = [sum(abs(x) * w for x, w in law.items()) / sum(law.values()) for law in laws]
        errors.append(mpmath.mpf(2))
        assert_holds(expected_error_gain(answer), 1 - errors[answer.met[0]] / sum(errors))


@pytest.mark.slow
@pytest.mark.parametrize(
    "other",
    [
        *UNSIZED,
        GaussianMechanism(1),
        SampledMechanism(LaplaceMechanism(1), "1/10"),
        DiscreteLaplaceMechanism(4, [1, 1]),
        DiscreteGaussianMechanism(16, [1, 2]),
    ],
    ids=str,
)
def test_no_error_is_told_of_what_adds_no_known_noise_to_one_number(other: Entry) -> None:
    assert expected_error_gain(apart([LaplaceMechanism(4), other], "1e-3")) is None

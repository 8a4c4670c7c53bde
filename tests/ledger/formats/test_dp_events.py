"""Events of dp-accounting: read exactly, refused by name and place, written to leak no less."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.comparison import compare
from exactdp.arithmetic.decimal_text import enclose_in_decimals
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.errors import InputError, UnsupportedError
from exactdp.ledger.formats.dp_events import read
from exactdp.ledger.model import Ledger
from exactdp.ledger.reading import read_ledger, write_ledger
from exactdp.mechanisms import FAMILIES as SEALED
from exactdp.mechanisms import (
    AllocatedGaussianMechanism,
    BoundedRangeMechanism,
    ConcentratedMechanism,
    ConstrainedMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    Entry,
    FactorizedGaussianMechanism,
    FixedSizeGaussianMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    Mechanism,
    PairMechanism,
    PersonInSampleMechanism,
    RemainderGaussianMechanism,
    RenyiMechanism,
    Sampleable,
    SampledMechanism,
    SelectionMechanism,
    ShuffledGaussianMechanism,
    ShuffledReportsMechanism,
)
from exactdp.mechanisms.selection import PoissonRuns
from exactdp.mechanisms.skellam import SkellamMechanism
from tests.marking import each_case


def _event(name: str, **fields: object) -> dict[str, Any]:
    return {"module_name": "dp_accounting.dp_event", "class_name": name, **fields}


def _read(tree: object) -> Ledger:
    return read_ledger(json.dumps(tree).encode())


LAPLACE = _event("LaplaceDpEvent", noise_multiplier=10.0)
GAUSSIAN = _event("GaussianDpEvent", noise_multiplier=1.1)


@each_case(
    ("event", "mechanism"),
    [
        (LAPLACE, LaplaceMechanism(10)),
        (
            _event("DiscreteLaplaceDpEvent", noise_parameter=0.5, sensitivity=3),
            DiscreteLaplaceMechanism(2, (3,)),
        ),
        (
            _event("DiscreteGaussianDpEvent", sigma=2.5, sensitivity=2.0, dimension=1),
            DiscreteGaussianMechanism("25/4", (2,)),
        ),
        (
            _event("DiscreteGaussianDpEvent", sigma=2.5, sensitivity=1.0, dimension=None),
            DiscreteGaussianMechanism("25/4"),
        ),
        (
            _event("DiscreteGaussianDpEvent", sigma=2, sensitivity=2.0, dimension=None),
            ConcentratedMechanism("1/2"),
        ),
        (_event("ExponentialMechanismDpEvent", epsilon=0.5), BoundedRangeMechanism("1/2")),
        (_event("PermuteAndFlipDpEvent", epsilon=0.5), Mechanism("1/2")),
        (_event("EpsilonDeltaDpEvent", epsilon=0.5, delta=1e-6), Mechanism("1/2", "1e-6")),
        (_event("GaussianDpEvent", noise_multiplier=4.0), GaussianMechanism("1/4")),
        (_event("ZCDpEvent", rho=0.1, xi=0.0), ConcentratedMechanism("1/10")),
        (_event("ZCDpEvent", rho=0.1), ConcentratedMechanism("1/10")),
        (
            _event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=2),
            Mechanism("ln(3)"),
        ),
        (
            _event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=4),
            Mechanism("ln(5)"),
        ),
        (_event("RandomizedResponseDpEvent", noise_parameter=1, num_buckets=4), Mechanism("0")),
    ],
)
def test_an_event_becomes_the_mechanism_that_it_describes(
    event: dict[str, Any], mechanism: Entry
) -> None:
    assert _read(event).mechanisms == (mechanism,)


def _drawn(event: object, records: object = 60000, batch: object = 256) -> dict[str, Any]:
    name = "SampledWithoutReplacementDpEvent"
    return _event(name, source_dataset_size=records, sample_size=batch, event=event)


def test_a_batch_drawn_without_replacement_is_of_a_fixed_size() -> None:
    tree = _event("SelfComposedDpEvent", event=_drawn(GAUSSIAN), count=14063)
    ledger = _read(tree)
    assert ledger.mechanisms == (FixedSizeGaussianMechanism("1.1", 256, 60000, 14063),)
    assert ledger.neighbouring == "replace-one"
    special = read(json.dumps(tree).encode(), "zero-out")
    assert (special.mechanisms, special.neighbouring) == (ledger.mechanisms, "zero-out")


def test_a_batch_of_everybody_is_not_drawn() -> None:
    everybody = read(json.dumps(_drawn(GAUSSIAN, 5, 5)).encode(), "replace-one")
    assert everybody.mechanisms == (GaussianMechanism("20/11"),)


@pytest.mark.parametrize(
    ("event", "relation", "value"),
    [
        (_drawn(GAUSSIAN), "add-remove-one", "SampledWithoutReplacementDpEvent"),
        (_drawn(LAPLACE), "replace-one", "LaplaceDpEvent on a batch"),
        (_drawn(GAUSSIAN, 5, 6), "replace-one", "6"),
        (_drawn(GAUSSIAN, 5, 0), "replace-one", "0"),
        (_event("ComposedDpEvent", events=[GAUSSIAN, _drawn(GAUSSIAN)]), "", "the same neighbours"),
    ],
)
def test_a_batch_of_which_no_ledger_says_enough_is_refused(
    event: object, relation: str, value: str
) -> None:
    with pytest.raises(InputError, match=value):
        read(json.dumps(event).encode(), relation)


def _trees(steps: object) -> dict[str, Any]:
    name = "SingleEpochTreeAggregationDpEvent"
    return _event(name, noise_multiplier=2, step_counts=steps)


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 7, 8, 1000])
def test_a_tree_in_which_a_record_is_in_one_leaf_is_the_factorization_tree(steps: int) -> None:
    known = FactorizedGaussianMechanism(2, {"tree": steps}, {"most": 1, "apart": 1})
    for relation in ("zero-out", "add-remove-one", "replace-one"):
        [read_] = read(json.dumps(_trees(steps)).encode(), relation).mechanisms
        assert isinstance(read_, GaussianMechanism)
        assert known.squares(relation) == (read_.mu_squared, read_.mu_squared)


def test_of_several_trees_that_share_no_record_the_tallest_counts() -> None:
    assert _read(_trees([3, 8, 5])).mechanisms == (GaussianMechanism("1"),)


@pytest.mark.parametrize("steps", [[], 0, [3, 0], True, None, 1.5, [[2]]])
def test_trees_without_a_number_of_steps_are_refused(steps: object) -> None:
    with pytest.raises(InputError, match="count"):
        _read(_trees(steps))


def test_a_sample_that_is_cut_off_is_refused_with_what_answers_for_it() -> None:
    event = _event("TruncatedSubsampledGaussianDpEvent", dataset_size=9, noise_multiplier=1)
    with pytest.raises(UnsupportedError, match="dpsgd --max-batch"):
        _read(event)


def test_randomized_response_counts() -> None:
    response = _event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=4)
    ledger = _read(_event("SelfComposedDpEvent", event=response, count=30))
    assert (ledger.mechanisms, ledger.neighbouring) == ((Mechanism("ln(5)", 0, 30),), "replace-one")


def _sampled(event: object, probability: object = 0.5) -> dict[str, Any]:
    return _event("PoissonSampledDpEvent", sampling_probability=probability, event=event)


@pytest.mark.parametrize(
    ("event", "base"),
    [
        (GAUSSIAN, GaussianMechanism("10/11")),
        (LAPLACE, LaplaceMechanism("10")),
        (
            _event("DiscreteLaplaceDpEvent", noise_parameter=0.5, sensitivity=3),
            DiscreteLaplaceMechanism("2", (3,)),
        ),
        (
            _event("DiscreteGaussianDpEvent", sigma=2, sensitivity=1, dimension=1),
            DiscreteGaussianMechanism(4),
        ),
        (_event("ExponentialMechanismDpEvent", epsilon=0.5), BoundedRangeMechanism("1/2")),
    ],
)
def test_a_sampled_event_is_the_mechanism_on_a_poisson_sample(
    event: dict[str, Any], base: Sampleable
) -> None:
    ledger = _read(_event("SelfComposedDpEvent", event=_sampled(event), count=7))
    assert ledger.mechanisms == (SampledMechanism(base, "1/2", 7),)
    assert ledger.neighbouring == "add-remove-one"


def test_a_sample_of_everybody_is_none_and_of_nobody_says_nothing() -> None:
    assert _read(_sampled(GAUSSIAN, 1)).mechanisms == (GaussianMechanism("10/11"),)
    assert _read(_sampled(GAUSSIAN, 0)).mechanisms == ()
    assert _read(_sampled(_event("NoOpDpEvent"), 0.5)).mechanisms == ()


@pytest.mark.parametrize(
    ("event", "value"),
    [
        (_event("ZCDpEvent", rho=1), "ZCDpEvent on a sample"),
        (_event("ComposedDpEvent", events=[GAUSSIAN]), "ComposedDpEvent on a sample"),
        (None, "null on a sample"),
    ],
)
def test_other_events_on_a_sample_are_refused_by_name(event: object, value: str) -> None:
    with pytest.raises(UnsupportedError, match="GaussianDpEvent or LaplaceDpEvent") as caught:
        _read(_sampled(event))
    assert (caught.value.value, caught.value.path) == (value, "$.event")


def test_noise_is_written_as_the_events_that_it_was_read_from() -> None:
    discrete = _event("DiscreteLaplaceDpEvent", noise_parameter=0.5, sensitivity=2)
    tree = _event(
        "ComposedDpEvent",
        events=[
            _event("SelfComposedDpEvent", event=_sampled(GAUSSIAN, 0.25), count=14063),
            _sampled(LAPLACE),
            _sampled(discrete),
        ],
    )
    ledger = _read(tree)
    written = write_ledger(ledger, "dp-accounting")
    assert _read(json.loads(written)).mechanisms[1:] == ledger.mechanisms[1:]
    assert '"noise_multiplier": 1.1' in written


@pytest.mark.parametrize(
    "entry",
    [
        PairMechanism([1], [1]),
        RenyiMechanism([(2, 1)]),
        ShuffledGaussianMechanism(1, 9),
        BoundedRangeMechanism(1),
        SampledMechanism(DiscreteGaussianMechanism(4, (1,)), "1/2"),
    ],
)
def test_noise_without_an_event_is_not_written(entry: Entry) -> None:
    with pytest.raises(UnsupportedError, match="a mechanism that dp-accounting has an event for"):
        write_ledger(
            Ledger((entry,), neighbouring=(*entry.neighbours, "unspecified")[0]), "dp-accounting"
        )


def test_counts_multiply_through_the_tree() -> None:
    inner = _event("SelfComposedDpEvent", event=LAPLACE, count=3)
    tree = _event(
        "ComposedDpEvent",
        events=[_event("NoOpDpEvent"), _event("SelfComposedDpEvent", event=inner, count=5)],
    )
    ledger = _read(tree)
    assert (ledger.mechanisms, ledger.neighbouring) == (
        (LaplaceMechanism(10, 1, 15),),
        "add-remove-one",
    )


@each_case(
    ("event", "path", "field"),
    [
        (_event("NonPrivateDpEvent"), "$.events[1]", "class_name"),
        (
            _event("PoissonSampledDpEvent", event=LAPLACE),
            "$.events[1].sampling_probability",
            "sampling_probability",
        ),
        (
            _event("PoissonSampledDpEvent", sampling_probability=2, event=LAPLACE),
            "$.events[1]",
            "rate",
        ),
        (_event("SampledWithReplacementDpEvent", event=LAPLACE), "$.events[1]", "class_name"),
        (_event("ZCDpEvent", rho=0.1, xi=0.5), "$.events[1]", "xi"),
        (_event("ExponentialMechanismDpEvent", epsilon=-1), "$.events[1]", "bounded_range"),
        (_event("DiscreteGaussianDpEvent", sigma=0, sensitivity=1), "$.events[1]", "sigma"),
        (
            _event("DiscreteGaussianDpEvent", sigma=1, sensitivity=0.5),
            "$.events[1]",
            "sensitivity",
        ),
        (
            _event(
                "PoissonSampledDpEvent",
                sampling_probability=0.5,
                event=_event("DiscreteGaussianDpEvent", sigma=1, sensitivity=2),
            ),
            "$.events[1]",
            "dimension",
        ),
        (_event("LaplaceDpEvent", noise_multiplier=0), "$.events[1]", "noise_multiplier"),
        (_event("LaplaceDpEvent"), "$.events[1].noise_multiplier", "noise_multiplier"),
        (_event("SelfComposedDpEvent", event=LAPLACE, count=0.5), "$.events[1].count", "count"),
        (_event("SelfComposedDpEvent", count=2), "$.events[1].event", "event"),
        ("nothing", "$.events[1]", "event"),
        (
            _event("RandomizedResponseDpEvent", noise_parameter=2, num_buckets=2),
            "$.events[1]",
            "noise_parameter",
        ),
    ],
)
def test_what_no_ledger_expresses_is_refused_by_name_and_place(
    event: object, path: str, field: str
) -> None:
    with pytest.raises(InputError, match=f"^{field}") as caught:
        _read(_event("ComposedDpEvent", events=[LAPLACE, event]))
    assert caught.value.field == field
    assert caught.value.path.startswith(path) or field == "count"


NUMBERS = st.sampled_from(["0", "0.1", "1/3", "ln(2)", "ln(7/5)", "1e-30", "3"]).map(
    ExactNumber.parse
)


SIZES = st.fractions(min_value="1/50", max_value=50, max_denominator=60).map(str)
SHIFTS = st.lists(st.integers(1, 4), min_size=1, max_size=3)
COUNTS = st.integers(1, 3)
BASES = st.one_of(
    st.builds(GaussianMechanism, SIZES),
    st.builds(LaplaceMechanism, SIZES, SIZES),
    st.builds(DiscreteLaplaceMechanism, SIZES, st.integers(1, 4).map(lambda each: (each,))),
)
WRITTEN = st.one_of(
    BASES,
    st.builds(SampledMechanism, BASES, st.sampled_from(("1/3", "1/1000")), COUNTS),
    st.builds(DiscreteLaplaceMechanism, SIZES, SHIFTS, COUNTS),
    st.builds(ConcentratedMechanism, SIZES, COUNTS),
    st.builds(Mechanism, SIZES, st.just(0), COUNTS),
)


def _numbers(entry: Entry) -> list[tuple[str, mpq, int]]:
    """The numbers of a mechanism that events round, each with the side on which more leaks."""
    if isinstance(entry, SampledMechanism):
        return [*_numbers(entry.base), ("rate", entry.rate, 1)]
    if isinstance(entry, LaplaceMechanism):
        return [("laplace", entry.scale / entry.sensitivity, -1)]
    shift = f"shift {getattr(entry, 'shifts', '')}"
    greater = {"mu": 1, "rho": 1, "epsilon": 1, "delta": 1, "scale": -1, "variance": -1}
    return [
        (f"{name} {shift}", _rational(getattr(entry, name)), side)
        for name, side in greater.items()
        if hasattr(entry, name)
    ]


def _rational(number: ExactNumber | mpq) -> mpq:
    """A rational within 10^-20 of a number; randomized response has logarithms."""
    return enclose_in_decimals(number, 20)[1] if isinstance(number, ExactNumber) else number


def _apart(entries: Iterable[Entry]) -> list[Entry]:
    """The mechanisms one by one, and their coordinates as well."""
    parts: list[Entry] = []
    for entry in entries:
        one = entry.times(1)
        for shift in getattr(entry, "shifts", (1,)):
            part = _with_shift(one, shift) if hasattr(entry, "shifts") else one
            parts += [part] * entry.count
    return parts


def _with_shift(entry: Entry, shift: int) -> Entry:
    if isinstance(entry, DiscreteLaplaceMechanism):
        return DiscreteLaplaceMechanism(entry.scale, (shift,))
    raise AssertionError(entry)


@given(st.lists(WRITTEN, min_size=1, max_size=4))
def test_every_family_with_an_event_comes_back_and_leaks_no_less(entries: list[Entry]) -> None:
    written = write_ledger(Ledger(tuple(entries)), "dp-accounting")
    before, after = _apart(entries), _apart(read_ledger(written.encode()).mechanisms)
    assert len(before) == len(after)
    for one, other in zip(before, after, strict=True):
        assert type(one) is type(other)
        for (name, was, side), (same, now, _) in zip(_numbers(one), _numbers(other), strict=True):
            assert name == same
            assert 0 <= side * (now - was) + mpq("1e-19") <= mpq("1e-12") * (1 + was)


@given(st.lists(st.tuples(NUMBERS, st.just("0"), st.integers(1, 3)), max_size=4))
def test_what_is_written_as_events_leaks_no_less(groups: list[tuple[object, ...]]) -> None:
    ledger = Ledger.of(groups)
    read = read_ledger(write_ledger(ledger, "dp-accounting").encode()).approximate()
    for before, after in zip(ledger.approximate(), read, strict=True):
        assert after.count == before.count
        assert compare(after.epsilon, before.epsilon) >= 0
        assert compare(after.epsilon - before.epsilon, ExactNumber.parse("1e-12")) < 0


def test_other_notions_are_written_as_events_that_leak_no_less() -> None:
    ledger = Ledger((GaussianMechanism("1/3"), ConcentratedMechanism("1/3"), GaussianMechanism(0)))
    gaussian, concentrated = read_ledger(write_ledger(ledger, "dp-accounting").encode()).mechanisms
    assert isinstance(gaussian, GaussianMechanism)
    assert isinstance(concentrated, ConcentratedMechanism)
    assert 0 <= gaussian.mu - mpq(1, 3) < mpq(1, 10**15)
    assert 0 <= concentrated.rho - mpq(1, 3) < mpq(1, 10**15)


# --- the released package -----------------------------------------------------------------------

RELEASED: Final = {
    *("ComposedDpEvent", "SelfComposedDpEvent", "NoOpDpEvent", "PoissonSampledDpEvent"),
    *("GaussianDpEvent", "LaplaceDpEvent", "DiscreteLaplaceDpEvent", "RandomizedResponseDpEvent"),
    "ZCDpEvent",
}
"""Of the classes of dp-accounting 0.6.0."""


FAMILIES: Final[list[Entry]] = [
    *(Mechanism(1), Mechanism(1, "1e-9"), Mechanism(0, "1e-9"), Mechanism("ln(3)")),
    *(ConcentratedMechanism(1), GaussianMechanism(1), GaussianMechanism(0)),
    *(LaplaceMechanism(1), DiscreteLaplaceMechanism(1, (1, 2)), BoundedRangeMechanism(1)),
    *(DiscreteGaussianMechanism(1, (1, 2)), PairMechanism([1], [1]), RenyiMechanism([(2, 1)])),
    SkellamMechanism(1),
    *(ShuffledGaussianMechanism(1, 9), AllocatedGaussianMechanism(1, 9)),
    *(FixedSizeGaussianMechanism(1, 2, 9), ShuffledReportsMechanism(9, 2)),
    FactorizedGaussianMechanism(1, {"tree": 4}, {"every": 2}),
    ConstrainedMechanism([(1, 0)]),
    SelectionMechanism(Mechanism(1), PoissonRuns(2)),
    RemainderGaussianMechanism(1, 2, 4, 9),
    *(SampledMechanism(each, "1/2") for each in (GaussianMechanism(1), LaplaceMechanism(1))),
    *(SampledMechanism(each, "1/2") for each in (DiscreteGaussianMechanism(1, (1,)),)),
    SampledMechanism(BoundedRangeMechanism(1), "1/2"),
    PersonInSampleMechanism(1, "1/2", 2),
]


def test_every_family_of_mechanisms_is_asked_for_its_event() -> None:
    assert {type(entry) for entry in FAMILIES} == {*SEALED}


@each_case("entry", FAMILIES)
def test_only_events_of_the_released_package_are_written(entry: Entry) -> None:
    neighbouring = (*getattr(entry, "neighbours", ()), "unspecified")[0]
    try:
        written = write_ledger(Ledger((entry,), neighbouring=neighbouring), "dp-accounting")
    except UnsupportedError as error:
        written = str(error)
    found = set(re.findall('"class_name": "([A-Za-z]+)"', written))
    assert found or "0.6.0" in written
    assert found <= RELEASED


def test_a_delta_above_zero_has_no_event_and_is_refused_with_a_way_on() -> None:
    with pytest.raises(UnsupportedError, match=r"mechanisms\[0\].delta: 1e-9: expected 0: a mech"):
        write_ledger(Ledger((Mechanism(1, "1e-9"),)), "dp-accounting")


def test_discrete_gaussian_noise_is_written_as_its_rho() -> None:
    noise = Ledger((DiscreteGaussianMechanism(50, (1, 1)),))
    [found] = read_ledger(write_ledger(noise, "dp-accounting").encode()).mechanisms
    assert found == ConcentratedMechanism("1/50")


def test_the_installed_package_has_every_event_that_is_written() -> None:
    events = pytest.importorskip("dp_accounting", reason="dp-accounting is not installed").dp_event
    assert {name for name in RELEASED if not hasattr(events, name)} == set()


def _allocated(steps: object, **others: object) -> dict[str, Any]:
    return _event("RandomAllocationDpEvent", event=GAUSSIAN, num_steps=steps, **others)


def test_an_example_allocated_to_one_step_is_in_one_of_so_many_batches() -> None:
    plain = AllocatedGaussianMechanism("1.1", 100)
    assert _read(_allocated(100)).mechanisms == (plain,)
    assert _read(_allocated(100, num_selected=1)).neighbouring == "add-remove-one"
    repeated = _event("SelfComposedDpEvent", event=_allocated(100), count=3)
    assert _read(repeated).mechanisms == (plain.times(3),)
    assert _read(_allocated(1)).mechanisms == _read(GAUSSIAN).mechanisms


def test_an_example_in_several_steps_or_replaced_is_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"num_selected.*one batch.*SelfComposedDpEvent"):
        _read(_allocated(100, num_selected=2))
    with pytest.raises(UnsupportedError, match="in one batch, or in none"):
        read(json.dumps(_allocated(100)).encode(), "replace-one")
    with pytest.raises(UnsupportedError, match="on one batch of several"):
        _read(_event("RandomAllocationDpEvent", event=LAPLACE, num_steps=9))


def _mixture(sensitivities: object, probabilities: object) -> dict[str, Any]:
    return _event(
        "MixtureOfGaussiansDpEvent",
        standard_deviation=1.5,
        sensitivities=sensitivities,
        sampling_probs=probabilities,
    )


def test_a_binomial_mixture_is_a_person_with_several_records() -> None:
    person = PersonInSampleMechanism(mpq(4, 9), "1/100", 2)
    assert _read(_mixture([0, 1, 2], [0.9801, 0.0198, 0.0001])).mechanisms == (person,)
    assert _read(_mixture([2, 0, 1], [0.0001, 0.9801, 0.0198])).neighbouring == "add-remove-one"
    one = SampledMechanism(GaussianMechanism(mu_squared=16), "1/4")
    assert _read(_mixture([0, 6], [0.75, 0.25])).mechanisms == (one,)


@each_case(
    ("sensitivities", "probabilities"),
    [
        ([0, 1, 2], [0.98, 0.0199, 0.0001]),
        ([0, 1, 3], [0.9801, 0.0198, 0.0001]),
        ([1, 2, 3], [0.9801, 0.0198, 0.0001]),
        ([0, 1, 2], [0.9801, 0.0198, 0.00010000001]),
        ([0, -1], [0.75, 0.25]),
        ([0, 1], [1, 0]),
        ([0], [1]),
        ([], []),
    ],
)
def test_any_other_mixture_is_refused_with_a_way_on(
    sensitivities: list[float], probabilities: list[float]
) -> None:
    with pytest.raises(UnsupportedError, match="sigma, rate and records_per_person"):
        _read(_mixture(sensitivities, probabilities))


def test_a_mixture_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="2 probabilities, one of each"):
        _read(_mixture([0, 1], [1]))
    with pytest.raises(InputError, match="a list of numbers"):
        _read(_mixture(1, [1]))
    with pytest.raises(UnsupportedError, match="what a person adds"):
        read(json.dumps(_mixture([0, 1], [0.5, 0.5])).encode(), "replace-one")

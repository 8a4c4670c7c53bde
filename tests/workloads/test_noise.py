"""Workloads of mechanisms by their noise: between what a row costs and what classes cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from gmpy2 import mpq

from exactdp import compose
from exactdp.certificate.subject import parameters_of
from exactdp.composition.answers.results import Composition
from exactdp.errors import DomainError, InputError, InternalError, UnsupportedError
from exactdp.ledger.model import Ledger
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
    ShuffledGaussianMechanism,
)
from exactdp.timing.clock import Clock
from exactdp.timing.reading import reading
from exactdp.verifier import verify_bytes
from exactdp.verifier.format.outcomes import RejectedError
from exactdp.verifier.rules.domination import greatest
from exactdp.verifier.rules.ledger import read_entry
from exactdp.workloads import json_workload, sql_workload
from exactdp.workloads.certify import lower_certificate, upper_certificate
from exactdp.workloads.composing import ParallelComposition, compose_parallel
from exactdp.workloads.costliest import exceeds
from exactdp.workloads.domination import chains, dominating, is_dominated
from exactdp.workloads.parameters import loss_weights
from exactdp.workloads.workload import REPLACE_ONE, Attribute, Query, Workload, met_by
from tests.families import NOISE_ON_INTEGERS, Noise
from tests.marking import each_case
from tests.workloads.workloads import at_random, stepping, workload

DELTA = "1e-4"
ROUGH = "1e-2"
HALVES = PairMechanism(["1/2", "1/2"], ["1/4", "3/4"])
FAMILIES: list[Entry] = [
    LaplaceMechanism(4),
    LaplaceMechanism(8, 3),
    DiscreteLaplaceMechanism(4),
    DiscreteLaplaceMechanism(8, [1, 2]),
    DiscreteGaussianMechanism(16),
    DiscreteGaussianMechanism(16, [2]),
    DiscreteGaussianMechanism(25),
    BoundedRangeMechanism("1/4"),
    GaussianMechanism("1/4"),
    SampledMechanism(GaussianMechanism(1), "1/10"),
    SampledMechanism(LaplaceMechanism(1), "1/10"),
    HALVES,
    ConcentratedMechanism("1/50"),
    RenyiMechanism([["2", "1/50"], ["8", "1/10"]]),
    Mechanism("1/5"),
    Mechanism("1/10", "1e-6"),
]


def noisy(random: Random, number: int, most_queries: int) -> Iterator[Workload]:
    """Workloads of mechanisms of all families; the first of each has Laplace noise."""
    while number:
        one = at_random(random, most_queries=most_queries)
        if one.queries:
            noise: list[Entry] = [FAMILIES[0], *(random.choice(FAMILIES) for _ in one.queries[1:])]
            pairs = zip(one.queries, noise, strict=True)
            yield replace(one, queries=tuple(replace(q, mechanism=each) for q, each in pairs))
            number -= 1


def of_each_row(one: Workload) -> Iterator[Composition]:
    """What the queries that a row meets cost together, for every row of the domain."""
    for values in product(*(range(attribute.size) for attribute in one.attributes)):
        met = met_by(one, dict(enumerate(values)))
        entries = tuple(one.queries[i].mechanism.without_label() for i in met)
        if entries:
            yield compose(
                Ledger(entries, neighbouring="add-remove-one"), delta=DELTA, tolerance=ROUGH
            )


def assert_certified(answer: ParallelComposition) -> None:
    """Both ends have certificates that the verifier accepts of this workload."""
    file = json_workload.write(answer.overlap.workload).encode()
    upper, lower = upper_certificate(answer), lower_certificate(answer)
    assert upper is not None
    for certificate in (upper, *([lower] if lower else [])):
        verdict = verify_bytes(certificate.to_bytes(), ledger=file)
        assert verdict.status == "accepted", verdict.line
        assert verdict.rules[0] in ("cases", "rows")


def assert_contains_the_costliest_row(one: Workload) -> None:
    answer = compose_parallel(one, delta=DELTA, tolerance=ROUGH, time_limit=None)
    assert answer.below.lower_end is not None
    assert answer.above.upper_end is not None
    most = mpq(0)
    for row in of_each_row(one):
        assert row.lower_end is not None
        assert row.upper_end is not None
        assert row.lower_end <= answer.above.upper_end
        assert answer.optimum[1] is not None
        assert row.lower_end <= answer.optimum[1]
        most = max(most, row.upper_end)
    assert answer.below.lower_end <= most
    assert_certified(answer)


@pytest.mark.slow
def test_the_interval_contains_what_the_costliest_row_costs() -> None:
    random = Random(11)  # noqa: S311 (a fixed sample)
    for one in noisy(random, 2, most_queries=4):
        assert_contains_the_costliest_row(one)


@pytest.mark.slow
def test_the_interval_of_many_workloads_contains_what_the_costliest_row_costs() -> None:
    random = Random(12)  # noqa: S311 (a fixed sample)
    for one in noisy(random, 10, most_queries=6):
        assert_contains_the_costliest_row(one)


def test_equal_noise_costs_what_the_queries_of_the_row_that_meets_the_most_cost() -> None:
    three = [{0: [0, 1]}, {0: [1, 2]}, {0: [0, 2]}]
    answer = compose_parallel(workload([3], three, [LaplaceMechanism(4)] * 3), delta=DELTA)
    both = compose(Ledger((LaplaceMechanism(4, count=2),)), delta=DELTA)
    assert answer.optimum == (both.lower_end, both.upper_end)


def test_disjoint_queries_of_one_family_cost_what_the_least_noise_costs() -> None:
    cells = [{0: [0]}, {0: [1]}, {0: [2]}]
    noise: list[Entry] = [LaplaceMechanism(8), LaplaceMechanism(4, 3), LaplaceMechanism(2)]
    answer = compose_parallel(workload([3], cells, noise), delta=DELTA)
    assert (len(answer.colouring), answer.above.ledger.mechanisms) == (1, (LaplaceMechanism(4, 3),))
    assert_certified(answer)


@pytest.mark.slow
@pytest.mark.parametrize("each", NOISE_ON_INTEGERS, ids=lambda each: each.key)
def test_two_amounts_are_one_class_where_more_noise_reveals_no_more(each: Noise) -> None:
    noise: list[Entry] = [each.made(16), each.made(25)]
    answer = compose_parallel(workload([2], [{0: [0]}, {0: [1]}], noise), delta=DELTA)
    assert len(answer.classes) == (1 if each.more_is_less else 2)
    assert_certified(answer)


def test_queries_by_their_noise_that_no_row_meets_cost_nothing() -> None:
    nobody = workload([2], [{0: []}, {0: []}], [LaplaceMechanism(1), Mechanism(1)])
    answer = compose_parallel(nobody, delta=DELTA)
    assert answer.optimum[0] == 0
    assert answer.met == ()
    assert answer.above.upper_end is not None
    assert answer.above.upper_end <= mpq(1, 10**5)
    assert lower_certificate(answer) is None
    assert_certified(answer)


def test_where_all_queries_in_sequence_have_no_certain_end_a_row_still_has() -> None:
    failing: list[Entry] = [Mechanism("1/10", "3/5"), Mechanism("1/10", "3/5"), LaplaceMechanism(4)]
    apart = workload([2], [{0: [0]}, {0: [1]}, {}], failing)
    answer = compose_parallel(apart, delta="4/5")
    assert answer.sequential.upper_end is None
    assert answer.above.upper_end is not None
    assert_certified(answer)


def test_once_the_time_is_up_all_queries_in_sequence_cost_no_less_than_those_of_a_row() -> None:
    noise: list[Entry] = [LaplaceMechanism(4 + i) for i in range(40)]
    answer = compose_parallel(workload([2], [{}] * len(noise), noise), delta=DELTA, time_limit=0)
    assert answer.sequence_cut_short
    assert exceeds(answer.sequential.upper_end, answer.below.lower_end)
    assert not exceeds(answer.below.lower_end, answer.sequential.lower_end)


@pytest.mark.slow
def test_a_search_that_takes_all_its_time_leaves_some_for_classes() -> None:
    random = Random(1)  # noqa: S311 (a fixed sample)
    kinds: list[Entry] = [
        LaplaceMechanism(20),
        GaussianMechanism("1/30"),
        DiscreteGaussianMechanism(400),
    ]
    queries = [
        {a: range(low, low + 3) for a, low in enumerate((random.randrange(9), random.randrange(9)))}
        for _ in range(60)
    ]
    mixed = workload([12, 12], queries, [random.choice(kinds) for _ in queries])
    with reading(stepping()):
        answer = compose_parallel(mixed, delta=DELTA, tolerance=ROUGH, time_limit=60)
    assert len(answer.classes) < len(mixed) / 2
    assert_certified(answer)


# --- the order ----------------------------------------------------------------------------------


def _sampled(entry: Entry, rate: str) -> Entry:
    return SampledMechanism(entry, rate)  # type: ignore[arg-type]  # of a family that is sampled


BASES: list[Entry] = [
    *(LaplaceMechanism(scale) for scale in (1, 2, 4)),
    *(DiscreteLaplaceMechanism(scale, shifts) for scale in (2, 4) for shifts in ([1], [3])),
    *(DiscreteGaussianMechanism(variance, shifts) for variance in (2, 9) for shifts in ([1], [2])),
    *(GaussianMechanism(mu) for mu in ("1/2", "1", "2")),
    BoundedRangeMechanism("1/2"),
    BoundedRangeMechanism("1"),
    HALVES,
]
PRODUCTS: list[Entry] = [
    DiscreteLaplaceMechanism(2, [1, 3]),
    DiscreteLaplaceMechanism(4, [1, 1]),
    DiscreteGaussianMechanism(2, [1, 2]),
]
SAMPLED: list[Entry] = [_sampled(base, rate) for base in BASES for rate in ("1/8", "1/2")]
SMALL = "1/64"


def epsilon_of(entry: Entry) -> Composition:
    return compose(Ledger((entry,), neighbouring="add-remove-one"), delta=SMALL, tolerance="1e-3")


@pytest.mark.slow
def test_what_is_dominated_costs_no_more() -> None:
    """At one δ, for all pairs of families that are ordered; the two ends of one of them meet."""
    entries = [*BASES, *PRODUCTS, *SAMPLED]
    costs = {entry: epsilon_of(entry) for entry in entries}
    ordered = 0
    for one, other in product(entries, entries):
        if one != other and is_dominated(one, other):
            least, most = costs[one].lower_end, costs[other].upper_end
            assert least is not None
            assert most is not None
            assert least <= most, (one, other)
            ordered += 1
    assert ordered > len(entries)


@pytest.mark.slow
def test_the_verifier_finds_the_greatest_of_a_class_where_the_engine_does_and_the_same() -> None:
    entries = [*BASES, *PRODUCTS, *SAMPLED[::3], ConcentratedMechanism(1), ConcentratedMechanism(2)]
    entries += [LaplaceMechanism(8, 4), LISTED, RenyiMechanism([["2", "1/40"]])]
    for one, other in product(entries, entries):
        if is_dominated(one, other) or is_dominated(other, one):
            assert _greatest(one, other) == parameters_of(dominating([one, other]))
        else:
            assert _greatest(one, other) is None
            with pytest.raises(InternalError, match="mechanisms of one chain"):
                dominating([one, other])


LISTED = RenyiMechanism([["2", "1/50"]])


def _greatest(*entries: Entry) -> object:
    """What the verifier puts in the place of a class; None if it rejects that."""
    shapes = [json.loads(json.dumps(parameters_of(entry))) for entry in entries]
    read = [read_entry({**shape, "count": "1"}) for shape in shapes]
    try:
        return json.loads(greatest(read).text)
    except RejectedError:
        return None


def test_chains_hold_mechanisms_any_two_of_which_are_ordered() -> None:
    entries = [*BASES, *PRODUCTS, *SAMPLED, *FAMILIES]
    one = workload([1], [{} for _ in entries], entries)
    kinds = dict(zip(entries, loss_weights(one), strict=True))
    found = chains(kinds, kinds, Clock())
    for first, second in product(kinds, kinds):
        if found[first] == found[second]:
            both_pairs = isinstance(first, Mechanism) and isinstance(second, Mechanism)
            assert both_pairs or is_dominated(first, second) or is_dominated(second, first)
    assert len(set(found.values())) < len(kinds) / 2


def test_each_mechanism_is_a_chain_by_itself_once_the_time_is_up() -> None:
    kinds = dict.fromkeys([*BASES, *SAMPLED, *FAMILIES], 1)
    assert len(set(chains(kinds, kinds, Clock(0)).values())) == len(kinds)


# --- reading ------------------------------------------------------------------------------------


def test_every_family_is_read_from_json_and_written_as_a_ledger_has_it() -> None:
    noisy = workload([3], [{0: [0]} for _ in FAMILIES], FAMILIES)
    text = json_workload.write(noisy)
    assert json_workload.read(text.encode()) == noisy
    query = json.loads(text)["queries"][1]
    assert query == {"laplace": {"scale": 8, "sensitivity": 3}, "where": {"a0": [0]}} or (
        query["laplace"] == {"scale": "8", "sensitivity": "3"}
    )


def test_a_deviation_and_a_sensitivity_are_a_mu() -> None:
    data = b'{"domain": {}, "queries": [{"sigma": 4, "sensitivity": 2}]}'
    assert json_workload.read(data).queries[0].mechanism == GaussianMechanism("1/2")


DOMAIN = workload([10], [])
COUNT = "SELECT COUNT(*) FROM people"


@pytest.mark.parametrize(
    ("comment", "noise"),
    [
        ("sigma: 2", GaussianMechanism("1/2")),
        ("sigma: 2, sensitivity: 3", GaussianMechanism("3/2")),
        ("sigma: 2, rate: 1/10", SampledMechanism(GaussianMechanism("1/2"), "1/10")),
        ("mu: 1, rate: 1/10", SampledMechanism(GaussianMechanism(1), "1/10")),
        ("laplace: 2", LaplaceMechanism(2)),
        ("discrete_laplace: 3, shifts: 1+2", DiscreteLaplaceMechanism(3, [1, 2])),
        ("discrete_gaussian: 4, label: x", DiscreteGaussianMechanism(4, label="x")),
        ("bounded_range: 1/2", BoundedRangeMechanism("1/2")),
    ],
)
def test_noise_in_a_comment_of_sql_is_that_of_a_ledger_in_columns(
    comment: str, noise: Entry
) -> None:
    pytest.importorskip("sqlglot", reason="the extra parallel is not installed")
    found = sql_workload.read(f"-- {comment}\n{COUNT}", DOMAIN)
    assert [query.mechanism for query in found] == [noise]


def test_noise_on_a_sum_is_of_the_sensitivity_that_one_row_has() -> None:
    pytest.importorskip("sqlglot", reason="the extra parallel is not installed")
    domain = Workload((Attribute("age", 10),), ())
    text = "-- laplace: 20\nSELECT SUM(LEAST(GREATEST(age, 0), 9)) FROM people"
    [query] = sql_workload.read(text, domain)
    assert query.mechanism == LaplaceMechanism(20, 9)


def test_the_default_of_sql_may_be_noise() -> None:
    pytest.importorskip("sqlglot", reason="the extra parallel is not installed")
    found = sql_workload.read(f"-- label: all\n{COUNT}", DOMAIN, LaplaceMechanism(2))
    assert [query.mechanism for query in found] == [LaplaceMechanism(2, label="all")]


# --- what is refused ----------------------------------------------------------------------------

BATCHES = ShuffledGaussianMechanism(1, 10)
NOISY = [each for each in FAMILIES if each.given_by == "noise"]


@each_case("noise", NOISY)
def test_noise_where_a_row_is_replaced_is_refused_with_what_it_implies(noise: Entry) -> None:
    with pytest.raises(UnsupportedError, match="a row that is replaced moves two") as refusal:
        replace(workload([2], [{}], [noise]), neighbouring=REPLACE_ONE)
    assert "state what its noise implies" in refusal.value.remedy


def test_queries_on_shuffled_batches_are_refused_at_their_place() -> None:
    with pytest.raises(UnsupportedError, match="what a batch hides rests on all records"):
        workload([2], [{}], [BATCHES])
    data = b'{"domain": {}, "queries": [{"epsilon": 1}, {"sigma": 1, "shuffled": {"batches": 2}}]}'
    with pytest.raises(UnsupportedError, match="a query on shuffled batches") as refusal:
        json_workload.read(data)
    assert refusal.value.path == "$.queries[1].shuffled"


@pytest.mark.parametrize("delta", [0, 1])
def test_a_delta_at_which_noise_has_no_epsilon_is_refused_with_what_would_do(delta: int) -> None:
    with pytest.raises(DomainError, match="queries are given by their noise") as refusal:
        compose_parallel(workload([1], [{}], [LaplaceMechanism(1)]), delta=delta)
    assert '"epsilon": sensitivity/scale' in refusal.value.remedy


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ({"laplace": {"scale": 0, "sensitivity": 1}}, "$.queries[0].laplace.scale"),
        ({"laplace": {"scale": 1}}, "$.queries[0].laplace"),
        ({"laplace": {"scale": 1, "sensitivity": 1, "x": 1}}, "$.queries[0].laplace.x"),
        ({"laplace": 2}, "$.queries[0].laplace"),
        ({"sigma": 1}, "$.queries[0]"),
        ({"sensitivity": 1, "mu": 1}, "$.queries[0]"),
        ({"sigma": 1, "sensitivity": 1, "rate": 2}, "$.queries[0].rate"),
        ({"rho": 1, "rate": "1/2"}, "$.queries[0].rate"),
        ({"discrete_laplace": {"scale": 1, "shifts": [0]}}, "$.queries[0].discrete_laplace.shifts"),
        ({"pair": {"p": ["1/2"], "q": ["1"]}}, "$.queries[0].pair.p"),
        ({"laplace": {"scale": 1, "sensitivity": 1}, "count": 3}, "$.queries[0].count"),
    ],
)
def test_bad_noise_is_refused_at_its_place(query: dict[str, object], path: str) -> None:
    data = json.dumps({"domain": {}, "queries": [query]}).encode()
    with pytest.raises(InputError, match="expected") as refusal:
        json_workload.read(data)
    assert refusal.value.path == path


def test_two_families_in_one_query_are_refused_by_both_names() -> None:
    data = b'{"domain": {}, "queries": [{"mu": 1, "laplace": {"scale": 1, "sensitivity": 1}}]}'
    with pytest.raises(InputError, match="mu and laplace") as refusal:
        json_workload.read(data)
    assert refusal.value.remedy == "keep one, or write 2 queries"


def test_a_query_by_its_noise_has_no_parameters() -> None:
    with pytest.raises(UnsupportedError, match="epsilon and delta, rho or mu"):
        Query(LaplaceMechanism(1), {}).parameters  # noqa: B018 (a property that raises)

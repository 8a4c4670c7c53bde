"""Composition over overlaps against an enumeration of all rows, and certificates of its ends."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest
from gmpy2 import mpq

from exactdp.composition.answers.compose import compose
from exactdp.composition.answers.compose import compose as convert_and_compose
from exactdp.composition.answers.results import Composition
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import ConcentratedMechanism, GaussianMechanism, Mechanism, Parametric
from exactdp.mechanisms.multiset import merged
from exactdp.timing.reading import reading
from exactdp.verifier import verify_bytes
from exactdp.workloads import json_workload
from exactdp.workloads.certify import lower_certificate, upper_certificate
from exactdp.workloads.composing import ParallelComposition, compose_parallel, overlap_of
from exactdp.workloads.costliest import Epsilon, exceeds
from exactdp.workloads.workload import Query, Workload
from tests.workloads.test_overlap import THREE_PAIRS, census_sample
from tests.workloads.workloads import at_random, met_sets, stepping, workload

DELTA = "1e-2"


@cache
def composed(ledger: Ledger) -> Composition:
    return compose(ledger, delta=DELTA)


def optimum_by_rows(small: Workload) -> tuple[Epsilon, Epsilon]:
    """The greatest enclosure over all rows."""
    lower: Epsilon = mpq(0)
    upper: Epsilon = mpq(0)
    for met in met_sets(small):
        entries = sorted(merged(small.queries[i].mechanism for i in met), key=repr)
        found = composed(Ledger(tuple(entries), empty=not entries))
        lower = found.lower if exceeds(found.lower, lower) else lower
        upper = found.upper if exceeds(found.upper, upper) else upper
    return lower, upper


@pytest.mark.slow
def test_the_optimum_agrees_with_an_enumeration_of_rows_on_1000_workloads() -> None:
    random = Random(41)  # noqa: S311 (a fixed sample)
    for _ in range(1000):
        small = at_random(random, kinds=4, most_queries=6)
        answer = compose_parallel(small, delta=DELTA, time_limit=None)
        lower, upper = optimum_by_rows(small)
        assert answer.optimum == (lower, upper)
        assert not exceeds(answer.below.lower, lower)
        assert not exceeds(upper, answer.above.upper)
        assert not exceeds(answer.above.lower, answer.sequential.upper)


@pytest.mark.slow
def test_both_certificates_of_random_workloads_are_accepted_for_their_files() -> None:
    random = Random(5)  # noqa: S311 (a fixed sample)
    for _ in range(100):
        small = at_random(random, kinds=4)
        assert_certified(small, compose_parallel(small, delta=DELTA))


def assert_certified(small: Workload, answer: ParallelComposition) -> None:
    file = json_workload.write(small).encode()
    for certificate in (upper_certificate(answer), lower_certificate(answer)):
        if certificate is not None:
            verdict = verify_bytes(certificate.to_bytes(), ledger=file)
            assert verdict.status == "accepted", verdict.line


def test_a_certificate_is_about_its_workload_and_no_other() -> None:
    one = workload([3], [{0: [0]}, {0: [1]}])
    other = workload([3], [{0: [0]}, {0: [0, 1]}])
    certificate = upper_certificate(compose_parallel(one, delta="1e-6"))
    assert certificate is not None
    data = certificate.to_bytes()
    assert verify_bytes(data, ledger=json_workload.write(one).encode()).status == "accepted"
    verdict = verify_bytes(data, ledger=json_workload.write(other).encode())
    assert verdict.status == "rejected"
    assert "not about this workload" in verdict.reason


def test_pairs_that_do_not_meet_jointly_are_told_apart_by_cases() -> None:
    answer = compose_parallel(THREE_PAIRS, delta="0")
    assert answer.optimum == (mpq(1, 5), mpq(1, 5))
    assert len(answer.colouring) == 3
    assert (answer.below.lower, answer.above.upper) == answer.optimum
    assert_certified(THREE_PAIRS, answer)


def test_shares_close_a_gap_where_no_tree_of_cases_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactdp.workloads.cases._MOST_NODES", 2)
    answer = compose_parallel(THREE_PAIRS, delta="0")
    assert (answer.cases, answer.shares and answer.shares.most) == (None, 2)
    assert answer.above.upper == mpq(1, 5)
    assert_certified(THREE_PAIRS, answer)


def test_a_gap_is_named_where_neither_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactdp.workloads.cases._MOST_NODES", 2)
    monkeypatch.setattr("exactdp.workloads.share_proofs.shares_of", lambda *_: None)
    answer = compose_parallel(THREE_PAIRS, delta="0")
    assert answer.cases is None
    assert answer.above.upper == mpq(3, 10)
    assert answer.optimum == (mpq(1, 5), mpq(1, 5))
    assert_certified(THREE_PAIRS, answer)


def test_a_histogram_costs_as_much_as_one_of_its_cells() -> None:
    cells = workload([50], [{0: [v]} for v in range(50)], [Mechanism("1/2", "1e-9")] * 50)
    answer = compose_parallel(cells, delta="1e-9")
    assert answer.optimum == (mpq(1, 2), mpq(1, 2))
    assert answer.sequential.upper is None  # 50 failures of 1e-9 do not fit into 1e-9
    assert answer.overlap.gain == (Fraction(49, 50), Fraction(49, 50))
    assert_certified(cells, answer)


def test_a_row_that_fails_more_often_than_allowed_has_no_finite_epsilon() -> None:
    twice = workload([2], [{0: [0]}, {0: [0]}, {0: [1]}], [Mechanism("1", "1/100")] * 3)
    answer = compose_parallel(twice, delta="1/100")
    assert answer.optimum == (None, None)
    assert upper_certificate(answer) is None
    assert_certified(twice, answer)


def test_no_query_costs_nothing() -> None:
    answer = compose_parallel(workload([3], []), delta="0")
    assert answer.optimum == (mpq(0), mpq(0))
    assert_certified(workload([3], []), answer)


@pytest.mark.slow
def test_queries_of_several_notions_are_composed_and_never_share_a_class() -> None:
    random = Random(31)  # noqa: S311 (a fixed sample)
    kinds: list[Parametric] = [
        Mechanism("1/2"),
        GaussianMechanism("1/2"),
        ConcentratedMechanism("1/8"),
    ]
    for _ in range(25):
        small = at_random(random, most_queries=5)
        mechanisms = [random.choice(kinds) for _ in small]
        queries = (Query(m, q.where) for m, q in zip(mechanisms, small, strict=True))
        mixed = Workload(small.attributes, tuple(queries))
        answer = compose_parallel(mixed, delta="1e-6", tolerance="1e-4")
        for colour in answer.colouring:
            assert len({type(mechanisms[i]) for i in colour}) == 1
        assert_certified(mixed, answer)
        for met in met_sets(mixed):
            ledger = Ledger(merged(mechanisms[i] for i in met), empty=not met)
            row = convert_and_compose(ledger, delta="1e-6", tolerance="1e-4")
            assert not exceeds(row.lower, answer.above.upper)


@pytest.mark.slow
def test_the_census_like_sample_is_certified_at_both_ends() -> None:
    data = census_sample(2000)
    answer = compose_parallel(json_workload.read(data), delta="1e-6")
    assert_certified(answer.overlap.workload, answer)
    assert answer.above.upper is not None
    assert answer.optimum[0] is not None
    assert answer.above.upper - answer.optimum[0] <= mpq(1, 10**9)


def test_heavy_queries_that_are_disjoint_do_not_add_up() -> None:
    # Two heavy disjoint queries and light ones that meet both: the optimum holds one heavy query.
    small = workload(
        [2, 3],
        [{0: [0]}, {0: [1]}, {1: [0, 1]}, {1: [1, 2]}],
        [Mechanism("2"), Mechanism("2"), Mechanism("1/10"), Mechanism("1/10")],
    )
    answer = compose_parallel(small, delta="0")
    assert answer.optimum == (mpq(11, 5), mpq(11, 5))
    assert answer.above.upper == mpq(11, 5)


def test_the_overlap_alone_names_a_row_and_the_queries_that_it_meets() -> None:
    small = workload([3, 2], [{0: [0, 1]}, {0: [1, 2]}, {1: [1]}, {0: []}])
    found = overlap_of(small)
    assert (found.most.lower, found.most.upper, found.clique.upper) == (3, 3, 3)
    assert found.row == {0: 1, 1: 1}
    assert found.witness == (0, 1, 2)
    assert len(found.colouring) == 3
    assert found.gain == (Fraction(1, 4), Fraction(1, 4))


def test_when_time_is_up_what_is_proved_is_the_answer() -> None:
    random = Random(3)  # noqa: S311 (a fixed sample)
    queries = [
        {a: [v for v in range(9) if random.random() < 0.6] for a in random.sample(range(12), 6)}
        for _ in range(150)
    ]
    mechanisms = [Mechanism(f"{1 + i % 3}/10") for i in range(150)]
    hard = workload([9] * 12, queries, mechanisms)
    with reading(stepping()):
        answer = compose_parallel(hard, delta="1e-6", time_limit=1)
    assert answer.overlap.most.lower < answer.overlap.most.upper
    assert answer.above.upper is not None
    assert answer.optimum == (answer.below.lower, answer.above.upper)
    assert_certified(hard, answer)


@pytest.mark.parametrize(
    "entry", [GaussianMechanism("1/2"), ConcentratedMechanism("1/8")], ids=["mu", "rho"]
)
def test_gaussian_and_concentrated_queries_compose_over_their_overlap(entry: Parametric) -> None:
    queries = [{0: [0]}, {0: [1]}, {1: [0, 1]}, {1: [1, 2]}, {1: [2]}]
    noisy = workload([2, 3], queries, [entry] * 5)
    answer = compose_parallel(noisy, delta="1e-6")
    assert (answer.overlap.most.upper, len(answer.colouring)) == (3, 3)
    thrice = convert_and_compose(Ledger((entry.without_label(3),)), delta="1e-6")
    assert answer.optimum == (thrice.lower, thrice.upper)
    assert exceeds(answer.sequential.lower, answer.above.upper)
    assert_certified(noisy, answer)


def test_the_greatest_parameters_of_a_class_count() -> None:
    entries = [GaussianMechanism("1/2"), GaussianMechanism("1/3"), GaussianMechanism("1/4")]
    noisy = workload([3], [{0: [0]}, {0: [1]}, {0: [1, 2]}], entries)
    answer = compose_parallel(noisy, delta="1e-6")
    alone = convert_and_compose(Ledger((GaussianMechanism("1/2"),)), delta="1e-6")
    assert answer.optimum == (alone.lower, alone.upper)
    assert_certified(noisy, answer)

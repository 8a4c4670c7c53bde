"""Workloads where one row replaces another: both ends against every pair of rows."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations, product
from math import prod
from random import Random

import pytest
from gmpy2 import mpq

from exactdp import compose
from exactdp.errors import CostLimitError, UnsupportedError
from exactdp.ledger.model import Ledger
from exactdp.mechanisms import GaussianMechanism, Mechanism, Parametric
from exactdp.mechanisms.multiset import merged
from exactdp.timing.clock import Clock
from exactdp.verifier import verify_bytes
from exactdp.workloads import sql_workload
from exactdp.workloads.bitsets import members
from exactdp.workloads.certify import lower_certificate, upper_certificate
from exactdp.workloads.composing import ParallelComposition, compose_parallel
from exactdp.workloads.gains import expected_error_gain, overlap_gain
from exactdp.workloads.graph import QueryGraph
from exactdp.workloads.pair_cases import cases_of, pair_tree
from exactdp.workloads.pairs import heaviest_pair
from exactdp.workloads.parameters import adds_up
from exactdp.workloads.reading import read_workload, write_workload
from exactdp.workloads.workload import REPLACE_ONE, Attribute, Workload
from tests.workloads.workloads import PatientClock, at_random, heaviest, met_sets, workload

RING = [{i: [0], (i + 1) % 5: [1]} for i in range(5)]
"""In a circle; those overlap that are not next to each other."""


def replaced(one: Workload) -> Workload:
    return replace(one, neighbouring=REPLACE_ONE)


def met_by_two(one: Workload) -> set[frozenset[int]]:
    """For every two different rows of the domain, the queries that one of them meets."""
    rows = list(product(*(range(attribute.size) for attribute in one.attributes)))
    return {
        frozenset(
            i for i, query in enumerate(one) if any(query.admits(dict(enumerate(r))) for r in pair)
        )
        for pair in combinations(rows, 2)
    }


def costliest(one: Workload, delta: str) -> tuple[mpq, mpq]:
    """The greatest optimum over every two rows, enclosed; 0 if there are no two."""
    ends = [(mpq(0), mpq(0))]
    for met in met_by_two(one):
        entries = merged(one.queries[i].mechanism for i in met)
        found = compose(Ledger(entries, empty=True), delta=delta, tolerance="1e-9")
        assert found.lower is not None
        assert found.upper is not None
        ends.append((found.lower, found.upper))
    return max(low for low, _ in ends), max(high for _, high in ends)


def answered(one: Workload, delta: str = "1/10") -> ParallelComposition:
    return compose_parallel(replaced(one), delta=delta, tolerance="1e-9", time_limit=None)


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [1, 3])
def test_both_ends_enclose_what_any_two_rows_cost(kinds: int) -> None:
    random = Random(kinds)  # noqa: S311 (a fixed sample)
    attained = 0
    for _ in range(40):
        one = at_random(random, most_queries=6, kinds=kinds)
        answer = answered(one)
        least, most = costliest(one, "1/10")
        lower, upper = answer.optimum
        assert lower is not None
        assert upper is not None
        assert lower <= most
        assert upper >= least
        attained += most - lower <= mpq("1/1000000")
    assert attained >= 36


@pytest.mark.slow
def test_the_search_for_two_rows_finds_what_the_heaviest_two_of_300_workloads_meet() -> None:
    random = Random(300)  # noqa: S311 (a fixed sample)
    for _ in range(300):
        one = at_random(random, most_queries=7)
        graph = QueryGraph.of(one)
        weights = [random.randint(0, 3) for _ in one]
        found = heaviest_pair(graph, weights, (0, 0), Clock())
        met = set(members(found.first | found.second))
        assert found.proved
        pairs = met_by_two(one) | met_sets(one)
        assert sum(weights[i] for i in met) == heaviest(pairs, weights)
        assert any(met <= each for each in pairs)
        hurried = heaviest_pair(graph, weights, (0, 0), PatientClock(1))
        least = sum(weights[i] for i in members(hurried.first | hurried.second))
        assert least == heaviest(pairs, weights) if hurried.proved else least >= 0


def test_what_two_rows_cost_is_exact_below_what_classes_show() -> None:
    one = workload([2] * 5, RING)
    answer = answered(one, "0")
    assert answer.optimum == costliest(one, "0")
    assert answer.optimum == (mpq(2, 5), mpq(2, 5))
    assert len(answer.colouring) == 3  # of which two count twice
    assert answer.pair_cases is not None
    assert answer.above.upper == mpq(2, 5)
    certificate = upper_certificate(answer)
    assert certificate is not None
    found = verify_bytes(certificate.to_bytes(), claim=("2/5", "0"))
    assert (found.status, found.rules) == ("accepted", ("cases", "sum"))


@pytest.mark.slow
def test_what_two_rows_of_any_small_workload_cost_is_certified_at_both_ends() -> None:
    random = Random(7)  # noqa: S311 (a fixed sample)
    trees = 0
    for _ in range(150):
        one = at_random(random, most_queries=12)
        if prod(attribute.size for attribute in one.attributes) == 1:
            continue  # no two rows
        answer = answered(one, "0")
        most = max(map(len, met_by_two(one)))
        assert answer.above.upper == answer.below.lower == mpq(most, 10)
        certificate = upper_certificate(answer)
        if certificate is not None:
            assert verify_bytes(certificate.to_bytes()).status == "accepted"
        trees += answer.pair_cases is not None
    assert trees > 0


@pytest.mark.slow
def test_cases_of_unlike_parameters_enclose_what_two_rows_cost_too() -> None:
    random = Random(37)  # noqa: S311 (a fixed sample)
    noise = [Mechanism("1/10"), Mechanism("1/5", "1/100")]
    trees = 0
    for _ in range(12):
        one = workload([2] * 5, RING, [random.choice(noise) for _ in RING])
        answer = answered(one, "1/10")
        least, _ = costliest(one, "1/10")
        assert answer.above.upper is not None
        assert answer.above.upper >= least
        certificate = upper_certificate(answer)
        assert certificate is not None
        assert verify_bytes(certificate.to_bytes()).status == "accepted"
        trees += answer.pair_cases is not None
    assert trees > 0


def test_no_tree_of_two_rows_is_returned_for_less_than_they_meet_or_without_time() -> None:
    one = workload([2] * 5, RING)
    assert pair_tree(one, [1] * 5, [1] * 3, Clock()) is None
    assert pair_tree(one, [1] * 5, [1] * 4, PatientClock(0)) is None
    tree = pair_tree(one, [1] * 5, [1] * 4, Clock())
    assert tree is not None
    assert all(len(case.positions) <= 4 for case in cases_of(tree))


def test_queries_of_two_notions_are_left_to_classes_that_count_twice() -> None:
    noise: list[Parametric] = [*[Mechanism("1/10")] * 4, GaussianMechanism(mpq(1, 10))]
    assert answered(workload([2] * 5, RING, noise)).pair_cases is None


def test_parameters_that_do_not_add_up_leave_the_upper_end_to_the_classes() -> None:
    assert adds_up(workload([1], [{}, {}], [Mechanism("1/2"), Mechanism("1/3")]), mpq(0))
    assert not adds_up(workload([1], [{}, {}], [Mechanism("1/2"), Mechanism("1/3")]), mpq(1, 9))
    assert not adds_up(workload([1], [{}, {}], [Mechanism("1/2"), Mechanism("ln(2)")]), mpq(0))
    assert not adds_up(workload([1], [{}], [Mechanism("1/2", "1/9")]), mpq(0))
    assert not adds_up(workload([1], [{}], [GaussianMechanism("1")]), mpq(0))


@pytest.mark.slow
def test_certificates_of_both_ends_are_accepted_for_the_file_and_for_no_other_relation() -> None:
    random = Random(5)  # noqa: S311 (a fixed sample)
    for _ in range(10):
        one = at_random(random, most_queries=6, kinds=3)
        answer = answered(one)
        file = write_workload(replaced(one)).encode()
        added = write_workload(one).encode()
        for certificate in (upper_certificate(answer), lower_certificate(answer)):
            if certificate is None:
                continue
            data = certificate.to_bytes()
            assert verify_bytes(data, ledger=file).status == "accepted"
            assert verify_bytes(data, ledger=added).status == "rejected"


def test_two_halves_cost_twice_where_a_row_may_change_sides() -> None:
    halves = workload([2], [{0: [0]}, {0: [1]}])
    assert compose_parallel(halves, delta=0).optimum == (mpq(1, 10), mpq(1, 10))
    answer = answered(halves, "0")
    assert answer.optimum == (mpq(1, 5), mpq(1, 5))
    assert answer.met == (0, 1)
    assert answer.row != answer.entering


def test_a_class_costs_its_two_greatest_and_a_query_alone_costs_once() -> None:
    entries = [Mechanism(each) for each in ("1", "1/2", "1/4", "1/8")]
    queries = [{0: [0]}, {0: [1]}, {0: [2]}, {}]
    answer = answered(workload([3], queries, entries), "0")
    assert answer.optimum == (mpq("13/8"), mpq("13/8"))
    gaussian = [GaussianMechanism(each) for each in ("1", "2", "3")]
    answer = answered(workload([3], queries[:3], gaussian), "1/1000")
    both = compose(Ledger((gaussian[1], gaussian[2])), delta="1/1000")
    assert answer.above.upper == both.upper


def test_a_table_of_one_possible_row_has_no_neighbours_and_no_lower_end() -> None:
    answer = answered(workload([1, 1], [{}, {0: [0]}]), "0")
    assert answer.below.upper == 0
    assert lower_certificate(answer) is None
    assert answer.above.upper == mpq(1, 5)


def test_a_second_row_differs_even_if_the_first_meets_everything() -> None:
    answer = answered(workload([1, 3], [{}, {1: [0]}]), "0")
    assert answer.optimum == (mpq(1, 5), mpq(1, 5))
    certificate = lower_certificate(answer)
    assert certificate is not None
    assert verify_bytes(certificate.to_bytes()).status == "accepted"


def test_gains_are_those_of_two_rows() -> None:
    answer = answered(workload([2], [{0: [0]}, {0: [1]}, {0: []}, {0: [1]}]), "0")
    assert answer.met == (0, 1, 3)
    assert expected_error_gain(answer) == (mpq(1, 4), mpq(1, 4))
    assert overlap_gain(answer) is None


def test_a_file_states_its_relation_and_keeps_it() -> None:
    queries = [{"epsilon": 1, "where": {"age": [0]}}]
    tree = {"neighbouring": "replace-one", "domain": {"age": {"size": 3}}, "queries": queries}
    read = read_workload(json.dumps(tree).encode())
    assert read.replaces
    assert read_workload(write_workload(read).encode()) == read
    with pytest.raises(UnsupportedError, match="add-remove-one or replace-one"):
        read_workload(json.dumps({**tree, "neighbouring": "unspecified"}).encode())


PEOPLE = Workload(
    (Attribute("age", 5), Attribute("sex", 2, ("f", "m")), Attribute("income", 10**6)),
    (),
    neighbouring=REPLACE_ONE,
)


def test_a_table_is_a_query_for_each_cell_as_two_of_them_may_change() -> None:
    text = "SELECT sex, age, COUNT(*) FROM t WHERE age < 3 GROUP BY age, sex"
    cells = sql_workload.read(text, PEOPLE, Mechanism("1/10"))
    assert len(cells) == 6
    assert all(not one.disjoint(one) for one in cells)
    assert all(one.disjoint(other) for one, other in combinations(cells, 2))
    assert compose_parallel(cells, delta=0).optimum == (mpq(1, 5), mpq(1, 5))
    added = sql_workload.read(text, replace(PEOPLE, neighbouring="add-remove-one"), Mechanism("1"))
    assert len(added) == 1


def test_a_table_of_too_many_cells_is_refused_with_its_place() -> None:
    text = "SELECT income, COUNT(*) FROM t GROUP BY income"
    with pytest.raises(CostLimitError, match="at line 1, column 41: 1000000 cells"):
        sql_workload.read(text, PEOPLE, Mechanism("1/10"))

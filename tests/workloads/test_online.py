"""Queries chosen after seeing answers: what fails, and what holds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from exactdp.composition.answers.compose import compose
from exactdp.errors import DomainError
from exactdp.literature.references import hockey_stick
from exactdp.mechanisms import ConcentratedMechanism, GaussianMechanism, Mechanism
from exactdp.workloads.coverage import Coverage
from exactdp.workloads.online import OnlineWorkload, covers
from exactdp.workloads.workload import Query

Y = Fraction(3)
FIRST = Fraction(3)
IF_TRUTHFUL, IF_NOT = [Fraction(9)], [Fraction(5), Fraction(5)]


def answers(odds: list[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """The probabilities of all answers of randomized responses, with the row and without it."""
    found = []
    for truthful in product([True, False], repeat=len(odds)):
        with_row = without = Fraction(1)
        for is_truthful, ratio in zip(truthful, odds, strict=True):
            with_row *= (ratio if is_truthful else 1) / (1 + ratio)
            without *= (1 if is_truthful else ratio) / (1 + ratio)
        found.append((with_row, without))
    return found


def adaptive_divergence() -> Fraction:
    """Ask once; then about the same row with one mechanism or with two, as the answer suggests."""
    total = Fraction(0)
    for truthful, then in ((True, IF_TRUTHFUL), (False, IF_NOT)):
        seen = (FIRST if truthful else 1) / (1 + FIRST)
        unseen = (1 if truthful else FIRST) / (1 + FIRST)
        for with_row, without in answers(then):
            total += max(Fraction(0), seen * with_row - Y * unseen * without)
    return total


def test_predicates_that_depend_on_answers_break_the_criterion_for_fixed_ones() -> None:
    # Each row meets {3, 9} or {3, 5, 5} only if the analyst had decided so beforehand.
    fixed = max(Fraction(hockey_stick([FIRST, *then], Y)) for then in (IF_TRUTHFUL, IF_NOT))
    chosen = adaptive_divergence()
    assert chosen > fixed
    assert round(float(chosen), 3) == 0.711
    assert round(float(fixed), 3) == 0.611


def test_classes_with_parameters_fixed_in_advance_do_cover_it() -> None:
    # Three classes: one for the first answer, two that promise as much as any later query needs.
    promised = compose([("ln(3)", 0), ("ln(9)", 0), ("ln(5)", 0)], delta=adaptive_divergence())
    assert promised.upper is not None
    bound = hockey_stick([FIRST, Fraction(9), Fraction(5)], Y)
    assert Fraction(bound) >= adaptive_divergence()


TENTH = Mechanism("1/10")


def ages(low: int, high: int, mechanism: Mechanism = TENTH) -> Query:
    return Query(mechanism, {0: Coverage.of([(low, high)])})


def test_disjoint_queries_share_a_class_and_the_price_stays_what_was_promised() -> None:
    log = OnlineWorkload.promised([Mechanism("1/10", 0, 2)])
    for query in (ages(0, 10), ages(5, 20), ages(10, 15), ages(20, 30)):
        log = log.with_query(query)
    assert [len(each.queries) for each in log.classes] == [3, 1]
    assert log.ledger.size == 2
    assert compose(log.ledger, delta=0).upper == Fraction(1, 5)


def test_a_query_that_no_class_takes_is_refused() -> None:
    log = OnlineWorkload.promised([TENTH]).with_query(ages(0, 10))
    with pytest.raises(DomainError, match="promise more classes"):
        log.with_query(ages(9, 12))
    with pytest.raises(DomainError, match="disjoint from all queries of some class"):
        log.with_query(ages(10, 12, Mechanism("1/5")))
    with pytest.raises(DomainError, match="disjoint from all queries of some class"):
        log.with_query(ages(10, 12, Mechanism("1/10", "1e-9")))


def test_a_contradiction_needs_no_class() -> None:
    log = OnlineWorkload.promised([])
    assert log.with_query(Query(TENTH, {0: Coverage(())})) == log


def test_a_promise_covers_smaller_parameters_of_its_own_notion() -> None:
    assert covers(GaussianMechanism("1"), GaussianMechanism("1/2"))
    assert not covers(GaussianMechanism("1/2"), GaussianMechanism("1"))
    assert covers(ConcentratedMechanism("1"), ConcentratedMechanism("1"))
    assert not covers(ConcentratedMechanism("1"), GaussianMechanism("1"))
    assert not covers(Mechanism("1"), ConcentratedMechanism("0"))

"""The hardness chain: what each reduction promises, and the counts against plain enumeration."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import prod

import pytest
from gmpy2 import mpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from exactdp.errors import CostLimitError, DomainError, InputError
from exactdp.hardness.reductions import (
    IntPartition,
    Oracle,
    Partition,
    SumPartition,
    count_partitions,
    solve_sum_partitions,
    to_partition,
    to_sum_partitions,
    to_t_partition,
)

SMOOTH = st.sampled_from([1, 2, 3, 4, 6, 8, 9, 12, 18, 30])
integers = st.lists(st.one_of(SMOOTH, st.integers(1, 10**6)), max_size=8)
divisors = st.sampled_from([1, 2, 7, 100])


def products(values: list[int]) -> Counter[int]:
    """How many sets have each product."""
    found = Counter([1])
    for value in values:
        longer = Counter(found)
        for product, sets in found.items():
            longer[product * value] += sets
        found = longer
    return found


def enumerated(values: list[int]) -> int:
    whole = prod(values)
    return sum(sets for product, sets in products(values).items() if product**2 == whole)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(integers, divisors)
@example([], 1)
@example([1] * 10, 3)
@example([2], 1)
@example([2, 3, 6], 50)
def test_the_count_is_that_of_an_enumeration(values: list[int], divisor: int) -> None:
    counted = count_partitions(values, divisor=divisor)
    assert (counted.count, counted.oracle_calls) == (enumerated(values), 4)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.lists(SMOOTH, max_size=20))
def test_many_partitions_of_twenty_integers_are_counted(values: list[int]) -> None:
    assert count_partitions(values).count == enumerated(values)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(2, 10**9), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_a_doubled_list_has_a_partition(values: list[int], random: object) -> None:
    del random
    assert count_partitions(values + values).count == enumerated(values + values) > 0


@pytest.mark.slow
def test_twenty_different_primes_and_their_neighbours() -> None:
    primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    assert count_partitions([*primes, *primes]).count == 2**10
    near = [p + 1 if i == 3 else p for i, p in enumerate(primes)]
    assert count_partitions([*primes, *near]).count == enumerated([*primes, *near])


def test_exponentially_close_products_are_told_apart() -> None:
    large = 10**40
    assert count_partitions([large, large + 1]).count == 0
    assert count_partitions([large, large], divisor=10**6).count == 2
    assert count_partitions([large**2 - 1, large - 1, large + 1]).count == 2


def test_all_ones_have_every_set() -> None:
    """TCC 2016, Lemma 4.10, says two fewer."""
    assert count_partitions([1] * 30).count == 2**30


@given(integers, divisors)
def test_no_other_ratio_lies_within_the_gap(values: list[int], divisor: int) -> None:
    instance = to_t_partition(to_partition(IntPartition(tuple(values)), divisor))
    whole = prod(instance.weights.integers)
    prime = instance.weights.integers[-1]
    assert prod(values) % prime
    for product in products(list(instance.weights.integers)):
        ratio = Fraction(product * product, whole)
        if ratio != prime:  # ln(1 + t) >= t/(1 + t), with t the relative distance
            near, far = sorted([ratio, Fraction(prime)])
            assert 1 - near / far >= divisor * Fraction(str(instance.gap))


@given(st.lists(SMOOTH, max_size=6))
def test_the_thresholds_lie_on_both_sides_inside_the_gap(values: list[int]) -> None:
    instance = to_t_partition(to_partition(IntPartition(tuple(values)), 1))
    prime = instance.weights.integers[-1]
    thresholds = [each.threshold for each in to_sum_partitions(instance)]
    assert thresholds == sorted(set(thresholds))
    assert thresholds[1] < prime < thresholds[2]
    gap = instance.gap  # e^-g <= 1 - g + g²/2 and 1 + g <= e^g
    assert prime * (1 - gap + gap**2 / 2) < thresholds[0]
    assert thresholds[3] < prime * (1 + gap)


@given(st.lists(SMOOTH, min_size=1, max_size=6), st.fractions(1, 20))
def test_a_sum_over_sets_is_a_point_of_the_privacy_profile(
    values: list[int], threshold: Fraction
) -> None:
    tolerance = mpq(1, 10**20)
    question = SumPartition(Partition(tuple(values), 1), mpq(threshold), tolerance)
    [(low, high)] = solve_sum_partitions([question], Oracle())
    whole = prod(values)
    truth = sum(
        sets * max(Fraction(0), product - threshold * Fraction(whole, product))
        for product, sets in products(values).items()
    )
    assert low <= mpq(truth) <= high
    assert high - low <= 2 * tolerance * prod(1 + z for z in values)


@pytest.mark.parametrize(
    ("values", "divisor", "kind"),
    [
        ([0], 1, DomainError),
        ([-2], 1, DomainError),
        ([2.0], 1, InputError),
        (["2"], 1, InputError),
        ([True], 1, InputError),
        ([2], 0, DomainError),
        ([2], 10**9 + 1, DomainError),
        ([2**20_000], 1, CostLimitError),
    ],
)
def test_what_is_no_instance_is_refused(
    values: list[int], divisor: int, kind: type[Exception]
) -> None:
    with pytest.raises(kind, match=r"^(integers|divisor)"):
        count_partitions(values, divisor=divisor)


def test_a_count_beyond_the_limits_is_refused_before_the_work() -> None:
    with pytest.raises(CostLimitError, match="a predicted cost of at most"):
        count_partitions([2, 3, 5, 7, 11], divisor=7, max_cost=10)

"""Lemma 4.11 of the proceedings: what it counts as printed, and with its second threshold below."""

from __future__ import annotations

from collections import Counter
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.errors import CostLimitError, DomainError
from exactdp.hardness.printed import count_by_two_sums
from exactdp.hardness.reductions import count_sets_at
from tests.hardness.test_reductions import products


def cases(values: list[int]) -> Counter[int]:
    """The products above the root of the whole, with how many sets have each."""
    return Counter({x: n for x, n in products(values).items() if x * x > prod(values)})


@pytest.mark.parametrize(("t", "inside"), [(9, 12), (16, 18), (35, 36)])
def test_lemma_4_11_counts_only_if_its_second_threshold_lies_below(t: int, inside: int) -> None:
    assert inside - 36 // inside == t
    assert cases([2, 3, 6])[inside] == 1
    assert count_by_two_sums([2, 3, 6], inside) == 0
    assert count_by_two_sums([2, 3, 6], inside, mended=True) == 1


@given(st.lists(st.integers(1, 12), max_size=6))
def test_the_mended_lemma_counts_the_sets_of_every_difference(values: list[int]) -> None:
    found = cases(values)
    for inside in (*found, prod(values) + 1):
        assert count_by_two_sums(values, inside, mended=True) == found[inside]


@given(st.lists(st.integers(1, 12), max_size=5), st.sampled_from([1, 2, 50]))
def test_the_sets_of_a_difference_are_counted_with_privacy_profiles(
    values: list[int], divisor: int
) -> None:
    found = cases(values)
    for inside in [*found, prod(values) + 1][-3:]:
        counted = count_sets_at(values, inside, divisor=divisor)
        assert (counted.count, counted.oracle_calls) == (found[inside], 4)


def test_a_difference_that_is_not_positive_is_refused() -> None:
    for count in (count_by_two_sums, count_sets_at):
        with pytest.raises(DomainError, match="j² >"):
            count([2, 3, 6], 6)


def test_what_is_out_of_range_is_refused() -> None:
    with pytest.raises(DomainError, match="at least 1"):
        count_by_two_sums([0, 2], 5)
    with pytest.raises(CostLimitError, match="at most 20"):
        count_by_two_sums([2] * 21, 2**20)

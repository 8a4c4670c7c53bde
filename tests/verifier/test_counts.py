"""What ``grid-counts`` rests on: exact counts, and D between its two ends."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import mpmath  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.verifier.arithmetic.counts import counts, divergence
from exactdp.verifier.arithmetic.enclosures import exp_fixed
from tests.verifier.oracles import divergence_on_grid

_MULTIPLES = st.lists(st.integers(1, 9), max_size=8)


@given(_MULTIPLES, st.integers(0, 40))
def test_sets_are_counted_by_their_sums(multiples: list[int], top: int) -> None:
    sums = Counter(
        sum(chosen)
        for size in range(len(multiples) + 1)
        for chosen in combinations(multiples, size)
    )
    assert counts(multiples, top) == [sums[s] for s in range(top + 1)]


@pytest.mark.parametrize("mechanisms", [63, 64, 130])
def test_counts_of_several_words_are_binomial(mechanisms: int) -> None:
    found = counts([1] * mechanisms, mechanisms)
    assert found == [comb(mechanisms, s) for s in range(mechanisms + 1)]


@given(_MULTIPLES, st.integers(0, 72), st.sampled_from(["1/10", "1", "1/1000"]))
def test_d_lies_between_its_ends(multiples: list[int], epsilon: int, unit: str) -> None:
    """Murtagh & Vadhan 2018, Thm 1.5."""
    bits, step, span = 120, Fraction(unit), sum(multiples)
    epsilon = min(epsilon, span)
    top = (span - epsilon) // 2
    ends = []
    for upper in (False, True):
        x, z = (
            exp_fixed((-(value.numerator << bits) // value.denominator - 1,) * 2, bits)
            for value in (step, (span - 2 * top - epsilon) * step)
        )
        widened = (x[0] - 4, x[1] + 4), (z[0] - 4, z[1] + 4)
        ends.append(divergence(Counter(multiples), top, *widened, bits, upper=upper))
    with mpmath.workprec(300):
        exact = divergence_on_grid(multiples, epsilon, step)
        low, high = (mpmath.ldexp(end, -bits) for end in ends)
        assert low <= exact <= high
        assert high - low < mpmath.ldexp(1, -80)

"""#P-easiness: counting witnesses gives the divergence, and a slip in a reduction to counting."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import prod

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, solve, sqrt, symbols  # type: ignore[import-untyped]

from exactdp.errors import CostLimitError, DomainError
from exactdp.hardness.easiness import Checker, ask_every_set, divergence_by_counting
from exactdp.literature.references import hockey_stick

ratios = st.lists(st.fractions(1, 20, max_denominator=30), max_size=6)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(ratios, st.fractions(1, 30, max_denominator=20), st.integers(0, 40))
def test_what_is_counted_encloses_the_divergence(
    odds: list[Fraction], y: Fraction, bits: int
) -> None:
    low, high = divergence_by_counting([mpq(ratio) for ratio in odds], mpq(y), bits=bits)
    divergence = mpq(hockey_stick(odds, y))
    assert low <= divergence < high
    assert high - low <= mpq(1, 2**bits)


def test_one_question_is_enough() -> None:
    asked = []

    def oracle(accepts: Checker, members: int, greatest: int) -> int:
        asked.append((members, greatest))
        return ask_every_set(accepts, members, greatest)

    divergence_by_counting([mpq(3), mpq(2)], mpq(2), bits=8, oracle=oracle)
    assert asked == [(2, 6 * 2**10)]


def test_bad_arguments_have_an_answer() -> None:
    with pytest.raises(DomainError, match="at least 1"):
        divergence_by_counting([mpq(1, 2)], mpq(2), bits=8)
    with pytest.raises(DomainError, match="at least 1"):
        divergence_by_counting([mpq(2)], mpq(1, 2), bits=8)
    with pytest.raises(CostLimitError, match="at most 20"):
        divergence_by_counting([mpq(2)] * 21, mpq(2), bits=8)


# --- TCC 2016, Lemma 4.11, for integers (D = 1) --------------------------------------------------


def gaps(integers: list[int]) -> list[int]:
    """∏_P - ∏ of the others, for every set P."""
    whole = prod(integers)
    inside = [prod(each) for n in range(len(integers) + 1) for each in combinations(integers, n)]
    return [product - whole // product for product in inside]


def possible_gaps(whole: int) -> list[Rational]:
    """j - ∏/j for every integer j that may be the product of a set."""
    return [Rational(j) - Rational(whole, j) for j in range(1, whole + 2)]


def between(one: Rational, other: Rational) -> Rational:
    """A number strictly between two."""
    return (one + other) / 2


def sum_from(integers: list[int], z: Rational, second: Rational) -> Rational:
    """The lemma's Σ over the sets with a gap of at least z, from the sums at r_z and at r_z″."""
    whole = prod(integers)
    inside = [prod(each) for n in range(len(integers) + 1) for each in combinations(integers, n)]

    def oracle(r: Rational) -> Rational:
        return sum((max(p - r * Rational(whole, p), Integer(0)) for p in inside), Integer(0))

    def r_of(gap: Rational) -> Rational:
        return 4 * whole / (sqrt(gap**2 + 4 * whole) - gap) ** 2

    first, other = symbols("first other")
    found = solve(
        [first - r * other - oracle(r) for r in (r_of(z), r_of(second))], [first, other], dict=True
    )
    return found[0][first] - found[0][other]


def counted(integers: list[int], t: int, second: Rational) -> Rational:
    """The lemma's count of the sets with gap T, from the thresholds T and ``second``."""
    z_next = min(gap for gap in possible_gaps(prod(integers)) if gap > t)
    above = between(Rational(t), z_next)
    at_t = sum_from(integers, Rational(t), second)
    beyond_t = sum_from(integers, above, between(above, z_next))
    return ((at_t - beyond_t) / t).simplify()


@pytest.mark.slow
@pytest.mark.parametrize("t", [9, 16, 35])
def test_lemma_4_11_counts_only_if_its_second_threshold_lies_below(t: int) -> None:
    integers = [2, 3, 6]
    assert gaps(integers).count(t) == 1
    possible = possible_gaps(prod(integers))
    printed = between(Rational(t), min(gap for gap in possible if gap > t))
    mended = between(Rational(t), max(gap for gap in possible if gap < t))
    assert counted(integers, t, printed) == 0
    assert counted(integers, t, mended) == 1

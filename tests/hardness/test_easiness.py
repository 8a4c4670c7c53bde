"""#P-easiness: counting witnesses gives the divergence."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

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

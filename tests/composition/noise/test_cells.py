"""Weights on a mesh: what is cut off is what is let go, and no more."""

from __future__ import annotations

from flint import fmpz
from hypothesis import given
from hypothesis import strategies as st

from exactdp.composition.engines.mesh.cells import Cells

WEIGHTS = st.lists(st.integers(0, 9), min_size=1, max_size=12).filter(any)


@given(st.integers(-20, 20), WEIGHTS, st.integers(0, 12))
def test_tails_are_all_that_is_let_go(first: int, weights: list[int], lost: int) -> None:
    cells = Cells.at(first, [fmpz(each) for each in weights])
    left = cells.without_tails(fmpz(lost))
    before, after = dict(cells.pairs()), dict(left.pairs())
    assert all(before[j] == weight for j, weight in after.items())
    assert sum(weight for j, weight in before.items() if j < left.first) <= lost
    assert sum(weight for j, weight in before.items() if j > left.last) <= lost


@given(st.integers(-20, 20), WEIGHTS, st.integers(-20, 20), st.integers(0, 20))
def test_a_window_holds_what_is_below_it_and_cuts_off_or_holds_what_is_above(
    first: int, weights: list[int], start: int, length: int
) -> None:
    cells = Cells.at(first, [fmpz(each) for each in weights])
    last = start + length
    for cut in (True, False):
        found = cells.within((start, last), cut=cut)
        expected = dict.fromkeys(range(start, last + 1), 0)
        for j, weight in cells.pairs():
            if j <= last or not cut:
                expected[min(max(j, start), last)] += int(weight)
        assert {j: int(weight) for j, weight in found.pairs() if weight != 0} == {
            j: weight for j, weight in expected.items() if weight
        }

"""Digits that a check needs: enough for its slack, and never more than the format allows."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.prediction import MOST_DIGITS, MOST_SLOTS
from exactdp.composition.precision import Mesh, digits_for, refuse_beyond
from exactdp.errors import CostLimitError

slacks = st.builds(mpq, st.integers(1, 10**6), st.integers(1, 10**40))


@given(slacks, st.integers(1, 10**9))
def test_all_roundings_together_stay_below_a_thousandth_of_the_slack(
    slack: mpq, roundings: int
) -> None:
    assert roundings * mpq(1, 10 ** digits_for(slack, roundings)) <= slack / 1000


@given(slacks, st.integers(1, 40), st.integers(2, 1000))
def test_roundings_on_a_mesh_stay_below_a_hundredth_of_the_slack(
    slack: mpq, count: int, fineness: int
) -> None:
    mesh = Mesh([(ExactNumber(mpq(1, 3)), count), (ExactNumber(mpq(1, 7)), 2)], mpq(1, fineness))
    digits = mesh.digits(slack)
    roundings = (mesh.slots(digits) + mesh.atoms(digits)) * 16
    assert roundings * mpq(1, 10**digits) <= slack / 100


@given(st.fractions(0, 10), st.integers(1, 1000))
def test_multiples_of_the_mesh_are_the_first_that_are_not_below_epsilon(
    epsilon: Fraction, fineness: int
) -> None:
    number, unit = ExactNumber.of(epsilon), mpq(1, fineness)
    [(multiple, count)] = Mesh([(number, 5)], unit).multiples
    assert (multiple - 1) * unit < number.rational <= multiple * unit
    assert count == 5


def test_a_slack_of_zero_asks_for_the_spare_digits_alone() -> None:
    assert digits_for(mpq(0), 10**9) == 3


@pytest.mark.parametrize(("slots", "digits"), [(MOST_SLOTS + 1, 10), (0, MOST_DIGITS + 1)])
def test_more_than_the_format_allows_is_refused(slots: int, digits: int) -> None:
    with pytest.raises(CostLimitError, match=r"at most .* cells of .* digits"):
        refuse_beyond(slots, digits)
    refuse_beyond(MOST_SLOTS, MOST_DIGITS)

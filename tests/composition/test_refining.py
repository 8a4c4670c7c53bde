"""Answers within a time: the first is there whatever it takes, and nearer ones while time lasts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from gmpy2 import mpq

from exactdp.composition.refining import refine_within
from exactdp.timing.deadlines import OutOfTimeError, ask, refuse_late
from exactdp.timing.reading import reading

FINEST: Final = mpq(1, 10**4)


class Passing:
    """Time that passes by answering: ten times as long at a tenth of the tolerance."""

    def __init__(self, first: int) -> None:
        self.now = 0.0
        self.first = mpq(first)
        self.asked: list[mpq] = []

    def answer(self, tolerance: mpq) -> mpq:
        """The tolerance itself, after the time that it takes."""
        self.asked.append(tolerance)
        self.now += int(self.first / (10 * tolerance))
        ask()
        return tolerance


@pytest.fixture
def passing() -> Iterator[Passing]:
    """A second for the first answer."""
    time = Passing(1)
    with reading(lambda: int(10**9 * time.now)):
        yield time


def test_without_a_limit_only_the_finest_is_asked(passing: Passing) -> None:
    assert refine_within(passing.answer, FINEST, None) == FINEST
    assert passing.asked == [FINEST]


@pytest.mark.parametrize(
    ("seconds", "reached"),
    [(0, "1/10"), (5, "1/10"), (12, "1/100"), (10**6, "1/10000")],
)
def test_the_tolerance_is_as_near_as_the_time_allows(
    passing: Passing, seconds: float, reached: str
) -> None:
    assert refine_within(passing.answer, FINEST, seconds) == mpq(reached)


def test_no_nearer_answer_than_was_asked_is_looked_for(passing: Passing) -> None:
    assert refine_within(passing.answer, mpq(1, 30), 10**6) == mpq(1, 30)
    assert passing.asked == [mpq(1, 10), mpq(1, 30)]


def test_what_does_not_end_in_time_is_given_up_and_the_one_before_stands(
    passing: Passing,
) -> None:
    def answer(tolerance: mpq) -> mpq:
        if passing.asked:
            refuse_late(1, 0)
        return passing.answer(tolerance)

    assert refine_within(answer, FINEST, 100) == mpq(1, 10)


def test_a_first_answer_that_is_stopped_from_without_is_none(passing: Passing) -> None:
    def answer(tolerance: mpq) -> mpq:
        refuse_late(1, 0)
        return passing.answer(tolerance)

    with pytest.raises(OutOfTimeError, match="time"):
        refine_within(answer, FINEST, 100)

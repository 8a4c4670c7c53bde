"""Shares of a time limit."""

from __future__ import annotations

from exactdp.composition.answers.shares import shared_out

YEARS = 10**9


def test_without_a_limit_no_question_has_one() -> None:
    assert list(shared_out("ab", None)) == [("a", None), ("b", None)]


def test_no_time_is_no_time_for_any_question() -> None:
    assert list(shared_out("ab", 0)) == [("a", 0), ("b", 0)]


def test_each_question_has_its_part_of_what_the_others_left() -> None:
    """Nothing is taken of a limit of years while this runs: later parts are greater."""
    shares = [seconds or 0 for _, seconds in shared_out("abcd", YEARS)]
    assert shares == sorted(shares)
    assert 0.24 * YEARS < shares[0] <= 0.25 * YEARS
    assert 0.99 * YEARS < shares[-1] <= YEARS

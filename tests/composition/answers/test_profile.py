"""``exactdp.profile``: what is a list of ε, and what only looks like one."""

from __future__ import annotations

import pytest

import exactdp
from exactdp.group_privacy.answers import profile_for_groups


@pytest.mark.parametrize("epsilon", ["12", b"12", 12, None, "ln(3)"])
def test_a_single_epsilon_is_not_taken_letter_by_letter(epsilon: object) -> None:
    with pytest.raises(exactdp.InputError, match=r"epsilon: .*: expected a list of numbers"):
        exactdp.profile([("ln(3)", 0, 2)], epsilon=epsilon)  # type: ignore[arg-type] # refused
    with pytest.raises(exactdp.InputError, match=r"epsilon: .*: expected a list of numbers"):
        profile_for_groups([("ln(3)", 0, 2)], 2, epsilon=epsilon)  # type: ignore[arg-type] # refused


def test_the_cure_is_a_list_that_is_understood() -> None:
    with pytest.raises(exactdp.InputError, match="a list of numbers") as raised:
        exactdp.profile([("1", 0, 20)], epsilon="12")
    assert raised.value.remedy == "pass ['12']"
    [point] = exactdp.profile([("1", 0, 20)], epsilon=["12"])
    assert str(point.epsilon) == "12"


def test_the_list_may_be_any_iterable() -> None:
    points = exactdp.profile([("ln(3)", 0)], epsilon=(str(each) for each in (0, 1)))
    assert [str(point.epsilon) for point in points] == ["0", "1"]

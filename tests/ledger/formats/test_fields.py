"""Fields: counts from plain digits, and numbers parsed once."""

from __future__ import annotations

import pytest

from exactdp.errors import InputError
from exactdp.ledger.formats.fields import ParameterParsers, count_of


@pytest.mark.parametrize("text", ["1", "10", "1000000000000000000"])
def test_plain_digits_are_a_count(text: str) -> None:
    assert count_of(text) == int(text)


@pytest.mark.parametrize(
    "text",
    ["", "0", "00", "01", "+1", "-1", "1.0", "1e3", "1_000", " 1", "1\n", "٣", "²", "1" * 19, "x"],
)
def test_all_else_is_refused_as_a_count(text: str) -> None:
    with pytest.raises(InputError, match=r"^count: ") as caught:
        count_of(text)
    assert caught.value.field == "count"


def test_equal_texts_become_one_object() -> None:
    parameters = ParameterParsers()
    assert parameters.epsilon("0.1") is parameters.epsilon("0.1")
    assert parameters.delta("0.1") is parameters.delta("0.1")
    assert parameters.count("10") is parameters.count("10")

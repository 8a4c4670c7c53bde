"""Fields: counts from plain digits, and numbers parsed once."""

from __future__ import annotations

import pytest

from exactdp.errors import InputError
from exactdp.ledger.formats.fields import count_of
from exactdp.mechanisms.approximate import parsed
from tests.marking import each_case


@pytest.mark.parametrize("text", ["1", "10", "1000000000000000000"])
def test_plain_digits_are_a_count(text: str) -> None:
    assert count_of(text) == int(text)


@each_case(
    "text",
    ["", "0", "00", "01", "+1", "-1", "1.0", "1e3", "1_000", " 1", "1\n", "٣", "²", "1" * 19, "x"],
)
def test_all_else_is_refused_as_a_count(text: str) -> None:
    with pytest.raises(InputError, match=r"^count: ") as caught:
        count_of(text)
    assert caught.value.field == "count"


def test_equal_texts_become_one_object() -> None:
    assert parsed("0.1", "epsilon") is parsed("0.1", "epsilon")

"""Errors: structured, on one line, shortened, and each with its exit code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.errors import (
    CostLimitError,
    DomainError,
    ExactDPError,
    InputError,
    InternalError,
    UnsupportedError,
    shorten,
)

KINDS = [
    (ExactDPError, "error", 2),
    (InputError, "bad-input", 2),
    (DomainError, "out-of-range", 2),
    (UnsupportedError, "not-yet-supported", 2),
    (CostLimitError, "cost-limit", 3),
    (InternalError, "internal-error", 70),
]


@pytest.mark.parametrize(("kind", "code", "exit_code"), KINDS)
def test_every_kind_has_its_code_and_exit_code(
    kind: type[ExactDPError], code: str, exit_code: int
) -> None:
    error = kind(field="epsilon", value="-1", expected="a number at least 0")
    assert (error.code, error.exit_code) == (code, exit_code)
    assert isinstance(error, ExactDPError)


def test_the_sentence_is_made_from_the_fields() -> None:
    error = InputError(
        field="epsilon", value="x", expected="a number", path="$.m[3]", remedy="write 0.1"
    )
    assert str(error) == "epsilon at $.m[3]: x: expected a number; write 0.1"
    assert str(InputError(field="delta", value=3, expected="text")) == "delta: 3: expected text"


def test_a_located_error_keeps_everything_else() -> None:
    error = DomainError(field="delta", value="2", expected="less", remedy="mend", code="special")
    moved = error.located("ledger.csv, line 7")
    assert type(moved) is DomainError
    assert moved.path == "ledger.csv, line 7"
    assert (moved.field, moved.value, moved.expected, moved.remedy, moved.code) == (
        "delta",
        "2",
        "less",
        "mend",
        "special",
    )
    assert DomainError.code == "out-of-range"


@given(st.text(max_size=200))
def test_what_is_shown_is_one_short_printable_line(text: str) -> None:
    shown = shorten(text)
    assert shown.isprintable()
    assert len(shown) <= 60 * 10


def test_a_long_value_states_its_length() -> None:
    assert shorten("7" * 1000) == "7" * 41 + "… (1000 characters)"


def test_what_is_shortened_already_stays_as_it_is() -> None:
    for text in ("7" * 1000, "\x1b" * 10**5, "ε" * 61):
        assert shorten(shorten(text)) == shorten(text)
    assert shorten("7" * 60) == "7" * 60
    assert shorten("a\nb\x00") == "a\\nb\\x00"


def test_locating_an_error_does_not_shorten_twice() -> None:
    error = InputError(field="epsilon", value="7" * 1000, expected="less")
    assert error.located("here").value == error.value

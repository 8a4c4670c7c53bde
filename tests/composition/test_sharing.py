"""Shared work: kept within a bound, and never another value than the one computed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from exactdp import compose
from exactdp.composition.engines.engine import Method
from exactdp.composition.engines.sharing import SharedWork, share_work


@pytest.fixture
def kept() -> Iterator[SharedWork]:
    """Work that is shared for the length of a test."""
    yield share_work(2**20)
    share_work(0)


def test_a_value_is_made_once_and_the_one_not_asked_for_the_longest_goes() -> None:
    work = SharedWork(100)
    made: list[str] = []

    def make(key: str) -> str:
        made.append(key)
        return key.upper()

    def value(key: str, size: int) -> str:
        return work.value(key, size, lambda: make(key))

    assert [value("a", 40), value("b", 40), value("a", 40)] == ["A", "B", "A"]
    assert [value("c", 40), value("a", 40), value("b", 40)] == ["C", "A", "B"]
    assert made == ["a", "b", "c", "b"]
    assert work.bytes <= 100


def test_what_is_larger_than_the_bound_is_not_kept() -> None:
    work = SharedWork(100)
    assert [work.value("a", 101, lambda: 7), work.value("a", 101, lambda: 8)] == [7, 8]
    assert work.bytes == 0


LEDGERS: list[list[tuple[object, ...]]] = [
    [("0.1", "1e-9", 50), ("0.3", "1e-9", 7)],
    [("0.1", "1e-8", 50), ("0.3", 0, 7)],
    [("0.1", 0, 50), ("0.7", 0, 2)],
    [("0.01", 0, 5000), ("0.03", 0, 100)],
    [("ln(3)", 0, 20)],
    [("0.123", 0, 20), ("ln(2)", 0, 20)],
]


@pytest.mark.slow
def test_answers_are_the_same_whatever_came_before(kept: SharedWork) -> None:
    asked = [(ledger, delta) for ledger in LEDGERS for delta in ("1e-6", "1e-3")]
    first = [_answer(*each) for each in asked]
    found = kept.found
    again = [_answer(*each) for each in reversed(asked)]
    share_work(0)
    alone = [_answer(*each) for each in asked]
    assert first == [*reversed(again)] == alone
    assert found > 0
    assert kept.found > found


def _answer(ledger: list[tuple[object, ...]], delta: str) -> tuple[object, ...]:
    answer = compose(ledger, delta=delta)
    upper, lower = answer.upper_certificate(), answer.lower_certificate()
    assert upper is not None
    assert lower is not None
    return answer.lower, answer.upper, upper.to_bytes(), lower.to_bytes()


EQUAL_GROUPS: dict[Method, tuple[list[tuple[object, ...]], ...]] = {
    "grid": ([("0.1", 0, 20), ("0.3", 0, 2)], [("0.1", 0, 20), ("0.7", 0, 2)]),
    "atoms": ([("0.1", 0, 20), ("ln(3)", 0, 4)], [("0.1", 0, 20), ("ln(5)", 0, 4)]),
    "bracket": ([("0.1", 0, 20), ("0.3", 0, 2)], [("0.1", 0, 20), ("0.30", "1e-9", 2)]),
}
"""For each engine two ledgers with an equal group."""


@pytest.mark.parametrize("method", EQUAL_GROUPS)
def test_an_engine_shares_what_equal_groups_give(kept: SharedWork, method: Method) -> None:
    first, second = EQUAL_GROUPS[method]
    _ends(first, method)
    before = kept.found
    ends = _ends(second, method)
    assert kept.found > before
    share_work(0)
    assert _ends(second, method) == ends


def _ends(ledger: list[tuple[object, ...]], method: Method) -> tuple[object, object]:
    answer = compose(ledger, delta="1e-6", method=method, tolerance="1e-3")
    return answer.lower, answer.upper

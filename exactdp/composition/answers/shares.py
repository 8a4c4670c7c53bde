r"""Shares of a time limit: each question has its part of what the others left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from exactdp.timing.reading import seconds as read

T = TypeVar("T")


def shared_out(
    questions: Sequence[T], time_limit: float | None
) -> Iterator[tuple[T, float | None]]:
    """Each question, with the seconds that it may take; None where there is no limit."""
    end = None if time_limit is None else read() + time_limit
    for answered, question in enumerate(questions):
        left = None if end is None else max(0.0, end - read())
        yield question, None if left is None else left / (len(questions) - answered)

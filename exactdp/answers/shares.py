r"""Shares of a time limit: each question has its part of what the others left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import TypeVar

T = TypeVar("T")


def shared_out(
    questions: Sequence[T], time_limit: float | None
) -> Iterator[tuple[T, float | None]]:
    """Each question, with the seconds that it may take; None where there is no limit."""
    end = None if time_limit is None else monotonic() + time_limit
    for answered, question in enumerate(questions):
        left = None if end is None else max(0.0, end - monotonic())
        yield question, None if left is None else left / (len(questions) - answered)

r"""Deadlines: when the time for an answer is over, and what no longer fits before it."""

from __future__ import annotations

import time

from exactdp.errors import CostLimitError


class OutOfTimeError(CostLimitError):
    """The next refinement would not fit in the time that is left."""


def deadline_in(seconds: float | None) -> int | None:
    """When so much time is over, in nanoseconds of the monotonic clock; None for no limit."""
    return None if seconds is None else time.monotonic_ns() + int(seconds * 10**9)


def refuse_late(cost: int, deadline: int | None) -> None:
    """Refuse work of so many nanoseconds where that is predicted to end after the deadline.

    Raises:
        OutOfTimeError: it is.
    """
    if deadline is not None and time.monotonic_ns() + cost > deadline:
        raise OutOfTimeError(
            field="--time-limit",
            value=f"a predicted cost of {magnitude(cost)} nanoseconds",
            expected="less than the time that is left",
            remedy="allow more time, or ask for a wider --tolerance",
        )


def magnitude(cost: int) -> str:
    """About how much it is, in texts."""
    return f"{cost:.2e}" if cost < 10**300 else "above 1e300"

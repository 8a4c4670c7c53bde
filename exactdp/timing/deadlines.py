r"""Deadlines: when the time for an answer is over.

Rules of this file: a deadline decides when work stops, never what is true of what was found.

Theory of operation: whoever has loops asks between steps that are short, and is stopped at the
first of these checkpoints after the deadline. One call of a library that may be long cannot be
stopped, so that it is refused if it is predicted to end too late. As the precision is, the deadline
is a context: of one within another the sooner counts. Whoever hands time out says what stands where
it did not last.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import Final, TypeVar

from exactdp.errors import CostLimitError
from exactdp.timing.reading import now

SHORT: Final = 10**7
"""Nanoseconds: steps that take no longer need not ask."""

_DEADLINE: Final[ContextVar[int | None]] = ContextVar("deadline", default=None)

T = TypeVar("T")


class OutOfTimeError(CostLimitError):
    """The next refinement would not fit in the time that is left."""


def deadline_in(seconds: float | None) -> int | None:
    """When so much time is over, in nanoseconds of the monotonic clock; None for no limit."""
    return None if seconds is None else now() + int(seconds * 10**9)


def soonest(*deadlines: int | None) -> int | None:
    """The soonest of some deadlines; None for none."""
    return min((each for each in deadlines if each is not None), default=None)


def stop_after(seconds: float | None) -> contextlib.AbstractContextManager[None]:
    """Stop what the block does by :class:`OutOfTimeError` when so much time is over, or sooner.

    Args:
        seconds: None for no limit beside that of the context.
    """
    return stop_at(deadline_in(seconds))


@contextlib.contextmanager
def stop_at(deadline: int | None) -> Iterator[None]:
    """Stop what the block does by :class:`OutOfTimeError` at a deadline, or sooner.

    Args:
        deadline: in nanoseconds of the monotonic clock; None for no limit beside the context's.
    """
    token = _DEADLINE.set(soonest(_DEADLINE.get(), deadline))
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def made_within(seconds: float | None, make: Callable[[], T]) -> T | None:
    """What is made, if that ends in so many seconds; else None.

    Args:
        seconds: None for no limit beside that of the context.
        make: what is called.
    """
    try:
        with stop_after(seconds):
            return make()
    except OutOfTimeError:
        return None


def current() -> int | None:
    """The deadline of the context; None for none."""
    return _DEADLINE.get()


def ask(cost: int = 0) -> None:
    """Go on with a step of about so many nanoseconds only while there is time for it.

    Raises:
        OutOfTimeError: there is none.
    """
    deadline = _DEADLINE.get()
    if deadline is not None:
        refuse_late(cost, deadline)


def asking(items: Iterable[T], cost: int) -> Iterator[T]:
    """The items, each of about so many nanoseconds' work, with a question where they add up.

    Raises:
        OutOfTimeError: there is no time for the next ones.
    """
    spent = SHORT
    for item in items:
        if spent >= SHORT:
            ask()
            spent = 0
        spent += cost
        yield item


def refuse_late(cost: int, deadline: int | None) -> None:
    """Refuse work of so many nanoseconds where that is predicted to end after the deadline.

    Raises:
        OutOfTimeError: it is.
    """
    if deadline is not None and now() + cost > deadline:
        raise OutOfTimeError(
            field="--time-limit",
            value=f"a predicted cost of {magnitude(cost)} nanoseconds"
            if cost
            else "more work than there was time for",
            expected="less than the time that is left",
            remedy="allow more time, or ask for a wider --tolerance",
        )


def magnitude(cost: int) -> str:
    """About how much it is, in texts."""
    return f"{cost:.2e}" if cost < 10**300 else "above 1e300"

r"""One function on many values, in processes: results in the order of the values.

Rules of this file: functions, values and results can be pickled; an error of a call is raised where
its result would stand; a call whose worker ends is made once more, and then given up.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from exactdp.errors import ExactDPError, InternalError
from exactdp.many.messages import Lost
from exactdp.many.processes import Processes

_Value = TypeVar("_Value")
_Result = TypeVar("_Result")
_MOST_CALLS: Final = 2
_Call = tuple[Callable[[Any], Any], Any]


@dataclass(frozen=True, slots=True)
class _Calling:
    """The work of calling functions; an error is a result here."""

    def prepare(self) -> None:
        """See :class:`Work`."""

    def __call__(self, call: _Call) -> object:
        """See :class:`Work`."""
        function, value = call
        try:
            return function(value)
        except ExactDPError as error:
            return error
        except Exception as error:  # noqa: BLE001 (raised again by whoever waits for the result)
            return _failed(f"{type(error).__name__}: {error}")


class Calls:
    """Functions like ``map``, in processes that start with the first call and end with this.

    Args:
        jobs: at most how many processes.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: Processes[_Call, object] | None = None
        self._next = 0

    def __call__(
        self, function: Callable[[_Value], _Result], values: Iterable[_Value], /
    ) -> Generator[_Result, None, None]:
        """The results of the function, as ``map`` gives them.

        Raises:
            ExactDPError: as the function raises it; or a worker has ended twice at one value.
        """
        calls: list[_Call] = [(function, value) for value in values]
        if self._jobs == 1 or len(calls) < 2:
            yield from (each(value) for each, value in calls)
            return
        if self._pool is None:
            self._pool = Processes(_Calling(), jobs=min(self._jobs, len(calls)))
        first, self._next = self._next, self._next + len(calls)
        for number, call in enumerate(calls, start=first):
            self._pool.submit(number, [call])
        yield from _in_order(self._pool, calls, first)

    def close(self) -> None:
        """End the processes, and what they are still at."""
        if self._pool is not None:
            self._pool.close()


def mapped(
    function: Callable[[_Value], _Result], values: Iterable[_Value], *, jobs: int
) -> Generator[_Result, None, None]:
    """The results of a function in so many processes, as ``map`` gives them.

    Whoever stops early ends the calls that are still running.

    Raises:
        ExactDPError: as the function raises it; or a worker has ended twice at one value.
    """
    with contextlib.closing(Calls(jobs)) as calls:
        yield from calls(function, values)


def _in_order(pool: Processes[_Call, object], given: Sequence[_Call], first: int) -> Iterator[Any]:
    """The results of calls that were submitted from number ``first`` on."""
    done: dict[int, object] = {}
    calls = dict.fromkeys(range(len(given)), 1)
    for place in range(len(given)):
        while place not in done:
            for number, [reply] in pool.replies():
                at = number - first
                if not isinstance(reply, Lost):
                    done[at] = reply
                elif calls.setdefault(at, _MOST_CALLS) < _MOST_CALLS:
                    calls[at] += 1
                    pool.submit(number, [given[at]])
                else:
                    done[at] = _failed("a worker has ended twice at the same work")
        yield _result(done.pop(place))


def _result(reply: object) -> object:
    if isinstance(reply, ExactDPError):
        raise reply
    return reply


def _failed(what: str) -> InternalError:
    return InternalError(
        field="worker", value=what, expected="a result", remedy="ask with --jobs 1"
    )

r"""One function on many values, in processes: results in the order of the values.

Rules of this file: function, values and results can be pickled; an error of a call is raised where
its result would stand; a call whose worker ends is made once more, and then given up.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from exactdp.errors import ExactDPError, InternalError
from exactdp.many.messages import Lost
from exactdp.many.processes import Processes

_Value = TypeVar("_Value")
_Result = TypeVar("_Result")
_MOST_CALLS = 2


@dataclass(frozen=True, slots=True)
class _Applying(Generic[_Value, _Result]):
    """The work of calling a function; an error is a result here."""

    function: Callable[[_Value], _Result]

    def prepare(self) -> None:
        """See :class:`Work`."""

    def __call__(self, value: _Value) -> _Result | ExactDPError:
        """See :class:`Work`."""
        try:
            return self.function(value)
        except ExactDPError as error:
            return error
        except Exception as error:  # noqa: BLE001 (raised again by whoever waits for the result)
            return _failed(f"{type(error).__name__}: {error}")


def mapped(
    function: Callable[[_Value], _Result], values: Iterable[_Value], *, jobs: int
) -> Generator[_Result, None, None]:
    """The results of a function in so many processes, as ``map`` gives them.

    Whoever stops early ends the calls that are still running.

    Raises:
        ExactDPError: as the function raises it; or a worker has ended twice at one value.
    """
    given = [*values]
    if jobs == 1 or len(given) < 2:
        yield from map(function, given)
        return
    pool = Processes(_Applying(function), jobs=min(jobs, len(given)))
    try:
        for number, value in enumerate(given):
            pool.submit(number, [value])
        yield from _in_order(pool, given)
    finally:
        pool.close()


def _in_order(
    pool: Processes[_Value, _Result | ExactDPError], given: list[_Value]
) -> Iterator[_Result]:
    done: dict[int, _Result | ExactDPError] = {}
    calls = dict.fromkeys(range(len(given)), 1)
    for number in range(len(given)):
        while number not in done:
            for place, [reply] in pool.replies():
                if not isinstance(reply, Lost):
                    done[place] = reply
                elif calls[place] < _MOST_CALLS:
                    calls[place] += 1
                    pool.submit(place, [given[place]])
                else:
                    done[place] = _failed("a worker has ended twice at the same work")
        yield _result(done.pop(number))


def _result(reply: _Result | ExactDPError) -> _Result:
    if isinstance(reply, ExactDPError):
        raise reply
    return reply


def _failed(what: str) -> InternalError:
    return InternalError(
        field="worker", value=what, expected="a result", remedy="ask with --jobs 1"
    )

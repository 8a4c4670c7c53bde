r"""Cores: parts of one large problem are computed on several, to the same bits as on one.

Rules of this file: what is split are exact products of integer polynomials and pure functions of
values, so that no answer depends on how many cores there are; a process uses one until it is told
otherwise; small work is not split, as it would take longer.

Theory of operation: FLINT multiplies large polynomials in threads of its own. Python's functions
run in processes, which whoever knows how to start them hands down as a function like ``map``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from exactdp.timing.deadlines import ask

if TYPE_CHECKING:
    from flint import fmpz_poly

_Value = TypeVar("_Value")
_Result = TypeVar("_Result")

LEAST_BITS: Final = 2**22
"""Products of fewer bits take a few milliseconds: threads gain nothing."""
LEAST_COST: Final = 5 * 10**8
"""Parts that cost less together, in units of about a nanosecond, are not sent to processes."""


class Mapper(Protocol):
    """A function like ``map`` over one list, whose results may come from other processes."""

    def __call__(self, function: Callable[[Any], Any], values: Sequence[Any], /) -> Iterable[Any]:
        """The results, in the order of the values."""


_CORES: Final[ContextVar[int | None]] = ContextVar("cores", default=None)
_MAPPER: Final[ContextVar[Mapper | None]] = ContextVar("mapper", default=None)


@contextlib.contextmanager
def use_cores(cores: int, mapper: Mapper | None = None) -> Iterator[None]:
    """Let the block use so many cores, and ``mapper`` for functions of Python.

    Whoever has said so before, further out, has the word: a worker of many does not start others.
    """
    if _CORES.get() is not None:
        yield
        return
    tokens = _CORES.set(cores), _MAPPER.set(mapper)
    try:
        yield
    finally:
        _CORES.reset(tokens[0])
        _MAPPER.reset(tokens[1])


def is_split() -> bool:
    """Whether there are processes for parts that cost enough."""
    return _MAPPER.get() is not None


def map_parts(
    function: Callable[[_Value], _Result], values: Sequence[_Value], *, cost: int
) -> list[_Result]:
    """The function of each value, in processes where that pays.

    Args:
        function: pure; it, the values and the results can be pickled.
        values: the parts.
        cost: of all of them together, in units of about a nanosecond.
    """
    mapper = _MAPPER.get()
    if mapper is None or len(values) < 2 or cost < LEAST_COST:
        return [*map(function, values)]
    ask(cost // (_CORES.get() or 1))
    return [*mapper(function, values)]


@contextlib.contextmanager
def threads_for(left: fmpz_poly, right: fmpz_poly) -> Iterator[None]:
    """Have the block multiply these two in threads, where they are large.

    Only products of integers belong here: those of balls may round otherwise.
    """
    cores = _CORES.get() or 1
    if cores == 1 or _bits(left) + _bits(right) < LEAST_BITS:
        yield
        return
    from flint import ctx  # noqa: PLC0415 (commands that compute nothing do without)

    ctx.threads = cores
    try:
        yield
    finally:
        ctx.threads = 1


def _bits(polynomial: fmpz_poly) -> int:
    return int(polynomial.length() * polynomial.height_bits())

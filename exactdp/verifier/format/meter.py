r"""The meter: what may take long pays before it works.

Rules of this file: there is one meter for a check, set by the entry point and by nothing else, and
put back when the check ends, however it ends. Whoever pays without a meter fails. A unit is about a
nanosecond, and memory is paid for as well: whatever allocates pays at least as many units as bytes.

Theory of operation: a function that may work for long pays first, by the sizes of what it is given;
a loop pays for each round, or for all. What a cache remembers is paid for as if it were computed,
so that what a certificate pays depends on its bytes alone. When the limit is reached the check is
refused: a limit never turns a rejection into an acceptance, nor the reverse.

Sources: certs/SPEC.md, section 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from functools import lru_cache, wraps
from math import isqrt
from typing import ParamSpec, TypeVar, cast

from .outcomes import RefusedError, shown

A = ParamSpec("A")
T = TypeVar("T")


class Meter:
    """What a check has paid, and may pay at most."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.paid = 0


_meter: ContextVar[Meter] = ContextVar("meter")


@contextmanager
def metered(limit: int) -> Iterator[Meter]:
    """Whatever is done within pays into one meter."""
    meter = Meter(limit)
    before = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(before)


def pay(amount: int) -> None:
    """Pay before working; refuse what the limit does not allow."""
    meter = _meter.get()
    paid = meter.paid + amount
    if paid > meter.limit:
        more = shown(str(Decimal(amount)))
        spent = f"{meter.paid} of at most {meter.limit} (--max-cost) is spent"
        raise RefusedError(f"{spent}, and what comes next takes {more}")
    meter.paid = paid


def remembered(size: int) -> Callable[[Callable[A, T]], Callable[A, T]]:
    """A cache: what is found there is paid for as it was when it was computed."""

    def decorated(function: Callable[A, T]) -> Callable[A, T]:
        def computed(*args: A.args, **kwargs: A.kwargs) -> tuple[T, int]:
            before = _meter.get().paid
            value = function(*args, **kwargs)
            return value, _meter.get().paid - before

        kept = cast("Callable[A, tuple[T, int]]", lru_cache(maxsize=size)(computed))

        @wraps(function)
        def paid(*args: A.args, **kwargs: A.kwargs) -> T:
            meter = _meter.get()
            before = meter.paid
            value, amount = kept(*args, **kwargs)
            pay(before + amount - meter.paid)
            return value

        return paid

    return decorated


# --- what arithmetic takes ----------------------------------------------------------------------


def of_product(bits: int) -> int:
    """One product of integers of so many bits."""
    return 60 + bits * isqrt(bits) // 32


def of_division(bits: int) -> int:
    """One division of integers of so many bits, or one greatest common divisor."""
    return 150 + bits * bits // 400


def of_series(bits: int) -> int:
    """One logarithm or exponential at so many bits."""
    return 16 * isqrt(bits) * of_product(bits)

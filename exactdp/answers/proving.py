r"""Certificates of both ends of an answer, each where it is foreseen to fit a time limit.

Rules of this file: time decides which certificates there are, never what one says.

Theory of operation: a certificate takes time to be found, which is stopped where none is left
(:mod:`exactdp.timing.deadlines`), and then to be checked, as often as it will be: what that
takes is known from its cost by the format. Steps that take little are taken in any case. What does
not fit is left out, by name, with a limit that would do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, Generic, TypeVar

from exactdp.certificate.cost import sweep_cost
from exactdp.certificate.statement import Certificate
from exactdp.timing.clock import Clock
from exactdp.timing.deadlines import OutOfTimeError, stop_after

PART: Final = 1 / 2
"""Of the time, for certificates that take about as long as what they prove."""
_LITTLE: Final = 0.1
"""Seconds that are spent in any case."""
_SPARE: Final = 1.25
_NANOSECONDS: Final = 10**9
_PRICE: Final = 1 / 2
"""Nanoseconds for each unit of cost by most rules and of a sweep, at most, as was measured."""
_READ_AND_WRITTEN: Final = 3 / 4
"""The same of its bytes."""
_VALUES: Final = 1 / 16
"""The same of what a Fourier bracket takes beside its sweep."""
_TABLES: Final = 0.1
"""Seconds for the tables of one."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A certificate that the time limit left no time for.

    Attributes:
        bound: of which end: "upper" or "lower".
        seconds: about what it was foreseen to take, to be found and checked.
        time_limit: about how many seconds would do.
    """

    bound: str
    seconds: int
    time_limit: int


@dataclass(frozen=True, slots=True)
class Proofs(Generic[T]):
    """Certificates by the end that they prove, and those that were left out."""

    made: Mapping[str, T]
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class End(Generic[T]):
    """An end of an answer that is to be proved.

    Attributes:
        bound: which one.
        find: its certificate; None if there is none.
        checking: the seconds that the verifier takes for one, about, before there is one for None.
        seconds: in which it is found, where that is foreseen to take any.
    """

    bound: str
    find: Callable[[], T | None]
    checking: Callable[[T | None], float]
    seconds: float = 0.0


def searching_clock(clock: Clock) -> Clock:
    """A clock for what comes before certificates, after which there is a part for them."""
    return clock.share(1 - PART)


def proof_seconds(found: Certificate) -> float:
    """What the verifier takes for a certificate about a ledger, about."""
    cost, factors = found.derivation_cost, found.parameters.get("factors")
    if not isinstance(factors, Sequence):
        return cost * _PRICE / _NANOSECONDS
    swept = sweep_cost(len(factors), int(str(found.parameters["blocks"])))
    return _TABLES + (swept * _PRICE + (cost - swept) * _VALUES) / _NANOSECONDS


def reading_seconds(found: Certificate) -> float:
    """What it takes to write a certificate about a ledger, and the verifier to read it, about."""
    return (found.cost - found.derivation_cost) * _READ_AND_WRITTEN / _NANOSECONDS


def proofs_of_ends(
    ends: Iterable[End[T]], clock: Clock, *, time_limit: int | None, checks: int = 1
) -> Proofs[T]:
    """The certificates that fit.

    Args:
        ends: of an answer.
        clock: what is left of the time limit.
        time_limit: the whole of it, in seconds; None for none, where nothing is left out.
        checks: how often each certificate will be checked.

    Raises:
        CostLimitError: one would exceed another limit than that of time.
    """
    made: dict[str, T] = {}
    left_out: list[LeftOut] = []
    for end in ends:
        tried = _found(end, clock, checks)
        found, needed = tried
        if needed is None:
            if found is not None:
                made[end.bound] = found
                clock = clock.reserve(checks * end.checking(found))
            continue
        short = _SPARE * (needed - (clock.left or 0.0)) / PART
        limit = (time_limit or 0) + max(1, ceil(short))
        left_out.append(LeftOut(end.bound, max(1, ceil(needed)), limit))
    return Proofs(made, tuple(left_out))


def _found(end: End[T], clock: Clock, checks: int) -> tuple[T | None, float | None]:
    """A certificate, if there is one; or what it would take, where that does not fit."""
    needed = 0.0
    if end.seconds:
        needed = end.seconds + checks * (end.seconds / 2 + end.checking(None))
    if not _fits(needed, clock):
        return None, needed
    left = clock.left
    try:
        with stop_after(None if left is None else max(left, _LITTLE)):
            found = end.find()
    except OutOfTimeError:
        return None, max(needed, _SPARE * (left or 0.0))
    if found is None:
        return None, None
    checking = checks * end.checking(found)
    if not _fits(checking, clock):
        return None, end.seconds + checking
    return found, None


def _fits(seconds: float, clock: Clock) -> bool:
    return seconds <= _LITTLE or clock.fits(seconds)
